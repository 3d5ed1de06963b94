"""Compile a node to a predicate: `valid(value, memo)` says whether a JSON value satisfies it, and nothing more.

This is what every call pays for, so the work is done when a node is compiled: the tests of its keywords are sorted by
the type of value they apply to, and only those of the value's own type run. JSON's types are exactly Python's `str`,
`int`, `float`, `bool`, `None`, `list` and `dict`; a boolean is no number, and 1.0 is an integer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from .nodes import Memo, Node, Valid

    # A test may count on the type of value that it is registered for.
    Test: TypeAlias = Callable[[Any, Memo], bool]


def compile_node(node: Node) -> Valid:
    """The predicate of a node whose keywords, and whose nodes below, are read."""
    if node.always is not None:
        return _yes if node.always else _no
    shared = _in_place(node)
    table: dict[type, Test] = {}
    for kind, (names, build) in _KINDS.items():
        if node.types and not any(name in node.types for name in names):
            continue
        own = build(node)
        if kind is float and node.types and "number" not in node.types:
            own.insert(0, _whole)
        if node.enum is not None:
            members = {key(member) for member in node.enum if _is_alike(kind, member)}
            if not members:
                continue
            own.insert(0, _one_of(kind, members))
        table[kind] = _all([*own, *shared])
    if len(table) == len(_KINDS) and all(test is _yes for test in table.values()):
        return _yes
    if len(table) == 1:
        (only,) = table.items()
        return _of_kind(*only)
    return _by_kind(table)


def key(value: object) -> object:
    """A hashable stand-in: two values have equal keys exactly where JSON Schema calls them equal."""
    if isinstance(value, bool):
        return (bool, value)
    if isinstance(value, list):
        return ("[]", *[key(item) for item in value])
    if isinstance(value, dict):
        return ("{}", frozenset([(name, key(item)) for name, item in value.items()]))
    return value


def is_multiple(value: float, divisor: float) -> bool:
    """Whether the one is a multiple of the other, as both are written: 0.3 is a multiple of 0.1."""
    digits, exponent = _decimal(value)
    by, by_exponent = _decimal(divisor)
    shift = exponent - by_exponent
    tens: int = 10 ** abs(shift)
    return digits * tens % by == 0 if shift >= 0 else digits % (by * tens) == 0


def _decimal(number: float) -> tuple[int, int]:
    """A number as an integer and a power of ten."""
    if isinstance(number, int):
        return number, 0
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    return int(whole + fraction), int(exponent or 0) - len(fraction)


# ---------------------------------------------------------------------------------------------------- combinations


def _yes(_value: object, _memo: Memo) -> bool:
    return True


def _no(_value: object, _memo: Memo) -> bool:
    return False


def _all(tests: Sequence[Test]) -> Test:
    if not tests:
        return _yes
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda value, memo: first(value, memo) and second(value, memo)

    def valid(value: object, memo: Memo) -> bool:
        for test in tests:  # noqa: SIM110  (a generator would cost a frame more)
            if not test(value, memo):
                return False
        return True

    return valid


def _of_kind(kind: type, test: Test) -> Valid:
    if test is _yes:
        return lambda value, _: type(value) is kind
    return lambda value, memo: type(value) is kind and test(value, memo)


def _by_kind(table: dict[type, Test]) -> Valid:
    find = table.get

    def valid(value: object, memo: Memo) -> bool:
        test = find(type(value))
        return test is not None and test(value, memo)

    return valid


def _entry(node: Node) -> Valid:
    """The predicate of a node below. A recursive one is not compiled yet, or has to remember what it has seen."""
    return node.holds if node.recursive else node.valid


# ---------------------------------------------------------------------------------------------------- any value


def _is_alike(kind: type, member: object) -> bool:
    """Whether values of a type can be equal to a member of an enum."""
    numbers = (int, float)
    return type(member) is kind or (kind in numbers and type(member) in numbers)


def _one_of(kind: type, members: set[object]) -> Test:
    if kind in (list, dict, bool):
        return lambda value, _: key(value) in members
    return lambda value, _: value in members


def _in_place(node: Node) -> list[Test]:
    tests: list[Test] = [_entry(below) for below in node.every]
    if node.any_of:
        tests.append(_any([_entry(below) for below in node.any_of]))
    if node.one_of:
        tests.append(_exactly_one(node.one_of))
    if node.negated is not None:
        tests.append(_not(node.negated))
    if node.condition is not None:
        tests.append(_if(node.condition, node.then, node.otherwise))
    return tests


def _any(tests: Sequence[Valid]) -> Test:
    def valid(value: object, memo: Memo) -> bool:
        for test in tests:  # noqa: SIM110  (a generator would cost a frame more)
            if test(value, memo):
                return True
        return False

    return valid


# Of a lenient node it is not known that a value satisfies it, only that one does not: a pattern below is not enforced.
# So nothing is concluded from its yes. Whether a node is lenient is known when the whole schema has been read.


def _exactly_one(nodes: Sequence[Node]) -> Test:
    tests = [(_entry(node), node) for node in nodes]

    def valid(value: object, memo: Memo) -> bool:
        matched = False
        sure = 0
        for test, node in tests:
            if test(value, memo):
                matched = True
                sure += not node.lenient
        return matched and sure < 2

    return valid


def _not(node: Node) -> Test:
    test = _entry(node)
    return lambda value, memo: node.lenient or not test(value, memo)


def _if(condition: Node, then: Node | None, otherwise: Node | None) -> Test:
    test = _entry(condition)
    yes = _yes if then is None else _entry(then)
    no = _yes if otherwise is None else _entry(otherwise)

    def valid(value: object, memo: Memo) -> bool:
        if test(value, memo):
            return condition.lenient or yes(value, memo)
        return no(value, memo)

    return valid


# ----------------------------------------------------------------------------------------------- strings and numbers


def _string(node: Node) -> list[Test]:
    keywords = node.keywords
    tests: list[Test] = []
    least, most = keywords.get("minLength", 0), keywords.get("maxLength")
    if most is not None:
        tests.append(lambda value, _: least <= len(value) <= most)
    elif least:
        tests.append(lambda value, _: least <= len(value))
    if node.pattern is not None:
        matches = node.pattern.matches
        tests.append(lambda value, _: matches(value))
    if node.format is not None:
        check = node.format.check
        tests.append(lambda value, _: check(value))
    return tests


def _whole(value: float, _memo: Memo) -> bool:
    return value.is_integer()


def _number(node: Node) -> list[Test]:
    keywords = node.keywords
    tests: list[Test] = []
    if (least := keywords.get("minimum")) is not None:
        tests.append(lambda value, _: value >= least)
    if (most := keywords.get("maximum")) is not None:
        tests.append(lambda value, _: value <= most)
    if (above := keywords.get("exclusiveMinimum")) is not None:
        tests.append(lambda value, _: value > above)
    if (below := keywords.get("exclusiveMaximum")) is not None:
        tests.append(lambda value, _: value < below)
    if (divisor := keywords.get("multipleOf")) is not None:
        tests.append(lambda value, _: is_multiple(value, divisor))
    return tests


# --------------------------------------------------------------------------------------------------------- arrays


def _array(node: Node) -> list[Test]:
    keywords = node.keywords
    tests: list[Test] = []
    least, most = keywords.get("minItems", 0), keywords.get("maxItems")
    if least or most is not None:
        tests.append(lambda value, _: least <= len(value) and (most is None or len(value) <= most))
    if keywords.get("uniqueItems"):
        tests.append(lambda value, _: len(value) < 2 or len({key(item) for item in value}) == len(value))
    if node.prefix:
        tests.append(_prefix([_entry(below) for below in node.prefix]))
    if node.items is not None:
        tests.append(_items(_entry(node.items), len(node.prefix)))
    if node.contains is not None:
        tests.append(_contains(node, node.contains))
    if node.unevaluated_items is not None:
        tests.append(_unevaluated_items(node, _entry(node.unevaluated_items)))
    return tests


def _prefix(tests: Sequence[Valid]) -> Test:
    def valid(value: list[object], memo: Memo) -> bool:
        for test, item in zip(tests, value, strict=False):  # noqa: SIM110  (a generator would cost a frame more)
            if not test(item, memo):
                return False
        return True

    return valid


def _items(test: Valid, start: int) -> Test:
    def valid(value: list[object], memo: Memo) -> bool:
        for item in value[start:] if start else value:  # noqa: SIM110  (a generator would cost a frame more)
            if not test(item, memo):
                return False
        return True

    return valid


def _contains(node: Node, contained: Node) -> Test:
    least, most = node.keywords.get("minContains", 1), node.keywords.get("maxContains")
    test = _entry(contained)

    def valid(value: list[object], memo: Memo) -> bool:
        found = sum([test(item, memo) for item in value])
        return found >= least and (most is None or found <= most or contained.lenient)

    return valid


def _unevaluated_items(node: Node, test: Valid) -> Test:
    from .evaluated import items

    def valid(value: list[object], memo: Memo) -> bool:
        seen = items(node, value, memo)
        return seen is None or all(i in seen or test(item, memo) for i, item in enumerate(value))

    return valid


# -------------------------------------------------------------------------------------------------------- objects


def _object(node: Node) -> list[Test]:
    keywords = node.keywords
    tests: list[Test] = []
    least, most = keywords.get("minProperties", 0), keywords.get("maxProperties")
    if least or most is not None:
        tests.append(lambda value, _: least <= len(value) and (most is None or len(value) <= most))
    closed = node.additional is not None and node.additional.always is False and not node.unmatched
    if node.properties or node.required or closed:
        tests.append(_properties(node, closed=closed and not node.patterns))
    if node.patterns or (node.additional is not None and node.additional.always is None) or (closed and node.patterns):
        tests.append(_other_properties(node))
    if node.names is not None:
        tests.append(_names(_entry(node.names)))
    for name, required in node.dependent_required.items():
        tests.append(_dependent_required(name, required))
    for name, below in node.dependent.items():
        tests.append(_dependent(name, _entry(below)))
    if node.unevaluated_properties is not None:
        tests.append(_unevaluated_properties(node, _entry(node.unevaluated_properties)))
    return tests


def _properties(node: Node, *, closed: bool) -> Test:
    """Declared and required properties; where the object is closed, no others: then it has as many as were found."""
    rows = [(name, _entry(below), name in node.required) for name, below in node.properties.items()]
    undeclared = [name for name in node.required if name not in node.properties]

    def valid(value: dict[str, object], memo: Memo) -> bool:
        found = 0
        for name, test, required in rows:
            if name in value:
                if not test(value[name], memo):
                    return False
                found += 1
            elif required:
                return False
        if closed:
            return found == len(value) and not undeclared
        for name in undeclared:  # noqa: SIM110  (a generator would cost a frame more)
            if name not in value:
                return False
        return True

    return valid


def _other_properties(node: Node) -> Test:
    """Properties whose names match a pattern, and those that are neither declared nor matched."""
    declared = node.properties
    patterns = [(pattern.matches, _entry(below)) for pattern, below in node.patterns]
    other = None if node.additional is None or node.unmatched else _entry(node.additional)

    def valid(value: dict[str, object], memo: Memo) -> bool:
        for name, item in value.items():
            additional = name not in declared
            for matches, test in patterns:
                if matches(name):
                    additional = False
                    if not test(item, memo):
                        return False
            if additional and other is not None and not other(item, memo):
                return False
        return True

    return valid


def _names(test: Valid) -> Test:
    return lambda value, memo: all(test(name, memo) for name in value)


def _dependent_required(name: str, required: Sequence[str]) -> Test:
    return lambda value, _: name not in value or all(other in value for other in required)


def _dependent(name: str, test: Valid) -> Test:
    return lambda value, memo: name not in value or test(value, memo)


def _unevaluated_properties(node: Node, test: Valid) -> Test:
    from .evaluated import properties

    def valid(value: dict[str, object], memo: Memo) -> bool:
        seen = properties(node, value, memo)
        return seen is None or all(name in seen or test(item, memo) for name, item in value.items())

    return valid


def _nothing_more(_: Node) -> list[Test]:
    return []


# Python's types, the names they have in `type`, and the tests of the keywords that apply to them.
_KINDS: dict[type, tuple[tuple[str, ...], Callable[[Node], list[Test]]]] = {
    str: (("string",), _string),
    int: (("integer", "number"), _number),
    float: (("integer", "number"), _number),
    bool: (("boolean",), _nothing_more),
    type(None): (("null",), _nothing_more),
    list: (("array",), _array),
    dict: (("object",), _object),
}
