"""Say what is wrong with a value: a node and a value that does not satisfy it go in, problems come out.

Only what failed a check comes here, so this reads the nodes as they are and compiles nothing. All problems are told,
each at its place; of a union, those of the branch that the value comes closest to.
"""

from __future__ import annotations

from .checks import is_multiple, key
from .problems import counted, cut, either, option, quoted, show, some
from .result import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .nodes import Memo, Node
    from .problems import Path

ENOUGH = 100  # problems of one array or object; the rest are alike
_SUGGESTIONS = 20  # unknown names of one object that a likely name is looked for
_CANDIDATES = 500

_OTHERS: tuple[tuple[type, str], ...] = ((str, "string"), (list, "array"), (dict, "object"))
_WORDS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "null": "null",
    "array": "an array",
    "object": "an object",
}


def explain(node: Node, value: object, memo: Memo) -> list[Problem]:
    """The problems of a value that does not satisfy a node, in the order of the schema."""
    return _Explanation(memo).of(node, value, ())


class _Explanation:
    """What has been found out in one explanation. Recursive nodes are explained once for each place."""

    __slots__ = ("memo", "told")

    def __init__(self, memo: Memo) -> None:
        self.memo = memo
        self.told: dict[tuple[Node, Path, int], list[Problem]] = {}

    def of(self, node: Node, value: object, path: Path) -> list[Problem]:
        if node.holds(value, self.memo):
            return []
        place = (node, path, id(value))
        if node.recursive and place in self.told:
            return self.told[place]
        # Two branches may say the same of one place.
        problems = list(dict.fromkeys(self.problems(node, value, path)))
        assert problems, f"what is wrong at {path} has a problem for it"
        if node.recursive:
            self.told[place] = problems
        return problems

    def problems(self, node: Node, value: object, path: Path) -> Iterator[Problem]:
        if node.always is False:
            yield Problem(path, "nothing is allowed here")
            return
        if node.enum is not None and key(value) not in {key(member) for member in node.enum}:
            yield Problem(path, f"{show(value)} is not {_expected(node)}")
            return
        if node.types and not _is_of(value, node.types):
            yield Problem(path, f"{show(value)} is not {_expected(node)}")
            return
        if isinstance(value, str):
            yield from (Problem(path, message) for message in _of_string(node, value))
        elif isinstance(value, list):
            yield from self.of_array(node, value, path)
        elif isinstance(value, dict):
            yield from self.of_object(node, value, path)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield from (Problem(path, message) for message in _of_number(node, value))
        yield from self.in_place(node, value, path)

    # --------------------------------------------------------------------------------------------- the same value

    def in_place(self, node: Node, value: object, path: Path) -> Iterator[Problem]:
        for below in node.every:
            yield from self.of(below, value, path)
        if node.any_of and not any(below.holds(value, self.memo) for below in node.any_of):
            yield from self.closest(node.any_of, value, path)
        if node.one_of:
            holding = [i for i, below in enumerate(node.one_of) if below.holds(value, self.memo)]
            if not holding:
                yield from self.closest(node.one_of, value, path)
            elif sum(not node.one_of[i].lenient for i in holding) > 1:
                yield Problem(
                    path, f"{show(value)} fits {len(holding)} of {len(node.one_of)} forms; exactly one may fit"
                )
        if node.negated is not None and not node.negated.lenient and node.negated.holds(value, self.memo):
            yield Problem(path, f"{show(value)} is not allowed here")
        if node.condition is not None:
            holds = node.condition.holds(value, self.memo)
            branch = node.then if holds else node.otherwise
            if branch is not None and not (holds and node.condition.lenient):
                yield from self.of(branch, value, path)

    def closest(self, branches: Sequence[Node], value: object, path: Path) -> list[Problem]:
        """The problems of the branch that was most likely meant: of the right type, with the right tags, the fewest."""
        fitting = [branch for branch in branches if _is_of(value, _types(branch))]
        if isinstance(value, dict):
            tags = [self.wrong_tags(branch, value) for branch in fitting]
            fitting = [branch for branch, wrong in zip(fitting, tags, strict=True) if wrong == min(tags)]
        found = [self.of(branch, value, path) for branch in fitting if _resolved(branch).enum is None]
        if found:
            return min(found, key=len)
        words = dict.fromkeys(_expected(branch) for branch in branches)
        return [Problem(path, f"{show(value)} is not {either(list(words))}")]

    def wrong_tags(self, branch: Node, value: dict[str, object]) -> int:
        """How many properties of fixed value, as a union's branches have to be told apart, have another value."""
        tags = [
            (tag, below) for tag, below in _resolved(branch).properties.items() if _resolved(below).enum is not None
        ]
        return sum(tag in value and not below.holds(value[tag], self.memo) for tag, below in tags)

    # --------------------------------------------------------------------------------------------- arrays, objects

    def of_array(self, node: Node, value: list[object], path: Path) -> Iterator[Problem]:
        if message := _of_size(node, len(value), "Items", "item"):
            yield Problem(path, message)
        if node.keywords.get("uniqueItems"):
            yield from (Problem(path, message) for message in _repeated(value))
        if node.contains is not None:
            found = sum(node.contains.holds(item, self.memo) for item in value)
            least, most = node.keywords.get("minContains", 1), node.keywords.get("maxContains")
            wanted = f"to be {_expected(node.contains)}, got {found}"
            if found < least:
                yield Problem(path, f"expected at least {counted(least, 'item')} {wanted}")
            elif most is not None and found > most and not node.contains.lenient:
                yield Problem(path, f"expected at most {counted(most, 'item')} {wanted}")
        seen: set[int] | None = set()
        if node.unevaluated_items is not None:
            from .evaluated import items

            seen = items(node, value, self.memo)
        told = 0
        for i, item in enumerate(value):
            below = node.prefix[i] if i < len(node.prefix) else node.items
            if below is None and seen is not None and i not in seen:
                below = node.unevaluated_items
            if below is None or told > ENOUGH:
                continue
            if below.always is False:
                yield Problem(path, f"expected at most {counted(i, 'item')}, got {len(value)}")
                return
            problems = self.of(below, item, (*path, i))
            told += len(problems)
            yield from problems

    def of_object(self, node: Node, value: dict[str, object], path: Path) -> Iterator[Problem]:
        kind = "property" if path else "argument"
        if message := _of_size(node, len(value), "Properties", kind):
            yield Problem(path, message)
        for required in node.required:
            if required not in value:
                yield Problem(path, f"missing required {kind} {quoted(required)}")
        for present, names in node.dependent_required.items():
            for required in names:
                if present in value and required not in value:
                    yield Problem(path, f"missing required {kind} {quoted(required)}, which {quoted(present)} needs")
        seen: set[str] | None = set()
        if node.unevaluated_properties is not None:
            from .evaluated import properties

            seen = properties(node, value, self.memo)
        told = unknown = 0
        for key_, item in value.items():
            if told > ENOUGH:
                return
            if node.names is not None and (problems := self.of(node.names, key_, path)):
                told += 1
                yield Problem(path, f"the name {quoted(key_)} is not allowed: {problems[0].message}")
            for below in _below(node, key_, seen):
                if below.always is False and key_ not in node.properties:
                    hint = _hint(node, key_, value, root=not path) if unknown < _SUGGESTIONS else ""
                    unknown += 1
                    told += 1
                    yield Problem(path, f"unknown {kind} {quoted(key_)}{hint}")
                else:
                    problems = self.of(below, item, (*path, key_))
                    told += len(problems)
                    yield from problems
        for present, below in node.dependent.items():
            if present in value:
                yield from self.of(below, value, path)


def _below(node: Node, name: str, seen: set[str] | None) -> Iterator[Node]:
    """The nodes that a property of this name must satisfy."""
    matched = [below for pattern, below in node.patterns if pattern.matches(name)]
    if name in node.properties:
        yield node.properties[name]
    yield from matched
    if name in node.properties or matched:
        return
    if node.additional is not None:
        if not node.unmatched:
            yield node.additional
    elif node.unevaluated_properties is not None and seen is not None and name not in seen:
        yield node.unevaluated_properties


def _hint(node: Node, unknown: str, value: dict[str, object], *, root: bool) -> str:
    known = [name for name, below in node.properties.items() if below.always is not False]
    if not known:
        return " (this tool takes no arguments)" if root else ""
    free = [name for name in known if name not in value]
    if len(unknown) <= 64 and len(free) <= _CANDIDATES:
        from difflib import get_close_matches

        by_folded = {name.casefold(): name for name in free}
        close = get_close_matches(unknown.casefold(), by_folded, 1)
        if close:
            return f" (did you mean {quoted(by_folded[close[0]])}?)"
    return f" (known: {some([quoted(name) for name in known])})"


# -------------------------------------------------------------------------------------------------- words for keywords


def _of_string(node: Node, value: str) -> Iterator[str]:
    if message := _of_size(node, len(value), "Length", "character"):
        yield message
    pattern = node.pattern
    if pattern is not None and not pattern.matches(value):
        if pattern.limit is not None and len(value) > pattern.limit:
            yield f"is too long to be checked against its pattern: {len(value)} characters, at most {pattern.limit}"
        else:
            yield f"{show(value)} does not match the pattern {cut(node.keywords['pattern'])}"
    if node.format is not None and not node.format.check(value):
        yield f"{show(value)} is not {node.format.words}"


def _of_number(node: Node, value: float) -> Iterator[str]:
    keywords = node.keywords
    if (least := keywords.get("minimum")) is not None and value < least:
        yield f"{show(value)} is less than {option(least)}"
    if (most := keywords.get("maximum")) is not None and value > most:
        yield f"{show(value)} is greater than {option(most)}"
    if (above := keywords.get("exclusiveMinimum")) is not None and value <= above:
        yield f"{show(value)} is not greater than {option(above)}"
    if (below := keywords.get("exclusiveMaximum")) is not None and value >= below:
        yield f"{show(value)} is not less than {option(below)}"
    if (divisor := keywords.get("multipleOf")) is not None and not is_multiple(value, divisor):
        yield f"{show(value)} is not a multiple of {option(divisor)}"


def _of_size(node: Node, size: int, what: str, noun: str) -> str | None:
    least, most = node.keywords.get(f"min{what}", 0), node.keywords.get(f"max{what}", size)
    if least <= size <= most:
        return None
    if least == most:
        return f"expected {counted(least, noun)}, got {size}"
    if size < least:
        return f"expected at least {counted(least, noun)}, got {size}"
    return f"expected at most {counted(most, noun)}, got {size}"


def _repeated(value: list[object]) -> Iterator[str]:
    first: dict[object, int] = {}
    for i, item in enumerate(value):
        if (at := first.setdefault(key(item), i)) != i:
            yield f"items {at} and {i} are equal; no item may be repeated"
            return


# ----------------------------------------------------------------------------------------------- what was expected


def _resolved(node: Node) -> Node:
    """The node that says something: references without keywords of their own are followed."""
    while node.target is not None and not node.types and node.enum is None and not node.properties:
        node = node.target
    return node


def _types(node: Node) -> Sequence[str]:
    """The types that a node allows, as far as it says; all of them are ()."""
    node = _resolved(node)
    if node.types:
        return node.types
    for below in node.all_of:
        if types := _types(below):
            return types
    return ()


def _expected(node: Node) -> str:
    """What would satisfy a node, in a few words: `an integer or null`, `one of 'fast', 'slow'`."""
    node = _resolved(node)
    if node.enum is not None:
        if not node.enum:
            return "allowed"
        options = [option(member) for member in node.enum]
        return options[0] if len(options) == 1 else f"one of {some(options)}"
    if node.any_of or node.one_of:
        words = dict.fromkeys(_expected(below) for below in (*node.any_of, *node.one_of))
        return either(list(words))
    types = _types(node)
    return either([_WORDS[type_] for type_ in types]) if types else "what the schema asks for"


def _is_of(value: object, types: Sequence[str]) -> bool:
    if not types:
        return True
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, int):
        return "integer" in types or "number" in types
    if isinstance(value, float):
        return "number" in types or ("integer" in types and value.is_integer())
    if value is None:
        return "null" in types
    return any(isinstance(value, kind) and name in types for kind, name in _OTHERS)
