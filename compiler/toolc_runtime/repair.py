"""Repair a value without loss: a node and a value that does not satisfy it go in, the value as it was meant comes out.

A part that satisfies its own schema is never touched. Of the rest, one reading is tried, the one the schema asks for:

* text that is a JSON number, `true`, `false` or `null` (the words in any case) where such a value is asked for, and
  no string is; an integer may be written `5` or `5.0`, not `1e3`
* text of a JSON array or object where one is asked for
* text that names one member of an enum, ignoring case, where one member alone is so named
* null, for a property that need not be there and may not be null: the property is left out
* an array, for an object that a NamedTuple or the like is made of: its properties by their order
* the second of two equal items, where items may not repeat: it is left out

The result may still be wrong; whoever calls validates again.
"""

from __future__ import annotations

from .checks import key
from .jsontext import strict_loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .nodes import Memo, Node

_BLANK = " \t\n\r"
_NUMBER_LIMIT = 4_300  # digits of the longest integer that Python reads from text
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}
_CONTAINERS = {"[": "array", "{": "object"}


def repair(node: Node, value: object, memo: Memo) -> object:
    """The value with its repairs; the same object where there are none."""
    return _Repair(memo).of(node, value)


def whole_numbers(node: Node, value: object, memo: Memo) -> object:
    """A valid value with `5.0` written as the `5` it equals wherever an integer is asked for and no other number is."""
    return _WholeNumbers(memo).of(node, value)


class _Rewriting:
    """Goes through a value and the nodes it has to satisfy; recursive nodes meet a value once."""

    __slots__ = ("done", "memo")

    def __init__(self, memo: Memo) -> None:
        self.memo = memo
        self.done: dict[tuple[Node, int], tuple[object, object]] = {}  # the value is kept, so its id stays its own

    def of(self, node: Node, value: object) -> object:
        if not isinstance(value, list | dict):
            return self.rewritten(node, value)
        place = (node, id(value))
        if place not in self.done:
            self.done[place] = (value, self.rewritten(node, value))
        return self.done[place][1]

    def rewritten(self, node: Node, value: object) -> object:
        raise NotImplementedError

    def below(self, node: Node, value: object) -> object:
        """The value with its items or properties rewritten, each by the nodes that it has to satisfy."""
        if isinstance(value, list):
            nodes = [node.prefix[i] if i < len(node.prefix) else node.items for i in range(len(value))]
            items = [item if below is None else self.of(below, item) for below, item in zip(nodes, value, strict=True)]
            return value if _same(items, value) else items
        if isinstance(value, dict):
            changed = {name: self.property(node, name, item) for name, item in value.items()}
            return value if _same(list(changed.values()), list(value.values())) else changed
        return value

    def property(self, node: Node, name: str, item: object) -> object:
        below = node.properties.get(name)
        if below is not None:
            item = self.of(below, item)
        matched = [below for pattern, below in node.patterns if pattern.matches(name)]
        for below in matched:
            item = self.of(below, item)
        if name not in node.properties and not matched and node.additional is not None and not node.unmatched:
            item = self.of(node.additional, item)
        return item


def _same(one: Sequence[object], two: Sequence[object]) -> bool:
    return all(a is b for a, b in zip(one, two, strict=True))


class _Repair(_Rewriting):
    __slots__ = ("texts",)

    def __init__(self, memo: Memo) -> None:
        super().__init__(memo)
        self.texts: dict[str, object] = {}  # JSON in strings, parsed once for all branches of a union

    def rewritten(self, node: Node, value: object) -> object:
        if node.holds(value, self.memo):
            return value
        if isinstance(value, str):
            value = self.read(node, value)
        if node.by_place and isinstance(value, list) and len(value) <= len(node.properties):
            value = dict(zip(node.properties, value, strict=False))
        value = self.without_nulls(node, value)
        value = self.below(node, value)
        for below in node.every:
            value = self.of(below, value)
        for branches in (node.any_of, node.one_of):
            if branches:
                value = self.branch(branches, value)
        if node.condition is not None:
            chosen = node.then if node.condition.holds(value, self.memo) else node.otherwise
            value = value if chosen is None else self.of(chosen, value)
        for name, below in node.dependent.items():
            if isinstance(value, dict) and name in value:
                value = self.of(below, value)
        if isinstance(value, list) and node.keywords.get("uniqueItems"):
            value = _without_repetitions(value)
        return value

    def branch(self, branches: Sequence[Node], value: object) -> object:
        """The value as the first branch would have it that it then satisfies; else as the one that got into it."""
        inside = []
        for branch in branches:
            repaired = self.of(branch, value)
            if branch.holds(repaired, self.memo):
                return repaired
            if isinstance(repaired, list | dict) and repaired is not value:
                inside.append(repaired)
        return inside[0] if len(inside) == 1 else value

    def read(self, node: Node, text: str) -> object:
        """What the text stands for, where that is what the node asks for; else the text."""
        stripped = text.strip(_BLANK)
        if node.enum is not None:
            return _member(node.enum, text, stripped)
        types = node.types
        if "string" in types or not stripped:
            return text
        if stripped.lower() in _WORDS:
            word = _WORDS[stripped.lower()]
            return word if ("null" if word is None else "boolean") in types else text
        if _CONTAINERS.get(stripped[0]) in types:
            if text not in self.texts:
                self.texts[text] = _parsed(stripped, text)
            return self.texts[text]
        if "number" in types or "integer" in types:
            number = _number(stripped, whole="number" not in types)
            return text if number is None else number
        return text

    def without_nulls(self, node: Node, value: object) -> object:
        if not isinstance(value, dict):
            return value
        omitted = [
            name
            for name, below in node.properties.items()
            if name in value and value[name] is None and name not in node.required and not below.holds(None, self.memo)
        ]
        return {name: item for name, item in value.items() if name not in omitted} if omitted else value


class _WholeNumbers(_Rewriting):
    __slots__ = ()

    def rewritten(self, node: Node, value: object) -> object:
        if isinstance(value, float) and "integer" in node.types and "number" not in node.types and value.is_integer():
            return int(value)
        value = self.below(node, value)
        for below in node.every:
            value = self.of(below, value)
        for branches in (node.any_of, node.one_of):
            held = [branch for branch in branches if branch.holds(value, self.memo)]
            if held and not (isinstance(value, float) and any("number" in branch.types for branch in held)):
                value = self.of(held[0], value)
        return value


def _parsed(stripped: str, text: str) -> object:
    try:
        return strict_loads(stripped)
    except ValueError:
        return text


def _number(text: str, *, whole: bool) -> int | float | None:
    """The JSON number that a text is; None for anything else that Python reads as a number, and for infinity."""
    if len(text) > _NUMBER_LIMIT or text[-1] not in "0123456789":
        return None
    if whole:
        # Never through a float: 9007199254740993 is not one.
        digits, point, zeros = text.partition(".")
        if point and (not zeros or zeros.strip("0")):
            return None
        text = digits
    try:
        number = strict_loads(text)
    except ValueError:
        return None
    if isinstance(number, bool) or not isinstance(number, int if whole else int | float) or number - number != 0:
        return None
    return number


def _member(members: Sequence[object], text: str, stripped: str) -> object:
    folded = stripped.casefold()
    named = [member for member in members if isinstance(member, str) and member.strip(_BLANK).casefold() == folded]
    if len(named) == 1:
        return named[0]
    if named:
        return stripped if stripped in named else text
    others = [member for member in members if isinstance(member, bool | int | float) or member is None]
    value: object = _WORDS.get(stripped.lower(), text)
    if value is text and stripped:
        number = _number(stripped, whole=not any(isinstance(member, float) for member in others))
        value = text if number is None else number
    found = [member for member in others if key(member) == key(value)]
    return found[0] if found else text


def _without_repetitions(value: list[object]) -> list[object]:
    kept: dict[object, object] = {}
    for item in value:
        kept.setdefault(key(item), item)
    return value if len(kept) == len(value) else list(kept.values())
