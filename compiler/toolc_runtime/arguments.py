"""Get the arguments of a call ready: what a model wrote and a schema go in, what the tool gets comes out, or problems.

The arguments may come as a mapping, as JSON text, or as nothing (`None`, ``), which is an empty object. What is valid
is never touched, save that a whole number written `5.0` reaches an integer as the `5` it equals. What is not valid is
repaired once, without loss (`repair.py`), and validated again. What JSON cannot carry from here to any tool exactly is
refused: NaN and infinities, integers of more than 4,300 digits, halves of surrogate pairs, names that are repeated,
and nesting of more than 64 levels.
"""

from __future__ import annotations

from .jsontext import strict_loads
from .problems import quoted, show, some
from .result import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from .nodes import Memo
    from .problems import Path
    from .schema import Check

DEPTH_LIMIT = 64
PROBLEMS_LIMIT = 30
_INTEGER_BITS = 14_284  # the longest of 4,300 digits may have a bit more, which nobody will miss


class Prepared:
    """The arguments as the tool gets them, and the problems that keep it from getting them."""

    __slots__ = ("arguments", "problems")

    def __init__(self, arguments: dict[str, Any], problems: list[Problem]) -> None:
        self.arguments = arguments
        self.problems = problems

    def __iter__(self) -> Iterator[Any]:
        return iter((self.arguments, self.problems))


def prepare(check: Check, schema: Mapping[str, Any], arguments: object) -> Prepared:
    """Decode, validate and repair the arguments of one call. Every problem is told, the first 30 of many by name."""
    try:
        value, floats = _plain(_decoded(arguments, schema))
        return Prepared(_checked(check, value, floats=floats), [])
    except _RefusedError as refusal:
        return Prepared({}, _shortened(refusal.problems))
    except RecursionError:
        return Prepared({}, [Problem((), "the arguments are nested too deeply")])


def _checked(check: Check, value: Any, *, floats: bool) -> Any:
    """The arguments, repaired where they have to be."""
    node = check.node
    memo: Memo = {}
    if not node.valid(value, memo):
        from .repair import repair

        # Text that a repair has parsed may hold what is refused elsewhere.
        value, floats = _plain(repair(node, value, memo))
        if problems := check(value):
            raise _RefusedError(problems)
    if floats:
        from .repair import whole_numbers

        value = whole_numbers(node, value, memo)
    return value


# ---------------------------------------------------------------------------------------------------- what came in


class _RefusedError(Exception):
    """Arguments that no tool gets."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__(problems)


def _decoded(arguments: object, schema: Mapping[str, Any]) -> object:
    """The object that the arguments are, in whatever form they came."""
    if isinstance(arguments, str):
        if not arguments.strip():
            return {}
        try:
            arguments = strict_loads(arguments)
        except ValueError as error:
            why = "a number is too long" if str(error).startswith("Exceeds the limit") else str(error)
            raise _RefusedError([Problem((), f"the arguments are not JSON: {why}")]) from None
    if arguments is None:
        return {}
    if not _is_mapping(arguments):
        names = [quoted(name) for name in schema.get("properties", ())]
        wanted = f"with {some(names)}" if names else "without properties"
        got = "a string" if isinstance(arguments, str) else show(arguments)
        raise _RefusedError([Problem((), f"the arguments must be a JSON object {wanted}, got {got}")])
    return arguments


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict) or (hasattr(value, "keys") and hasattr(value, "__getitem__"))


def _plain(value: object) -> tuple[Any, bool]:
    """The value in plain types, and whether there are floats in it."""
    plain = _Plain()
    value = plain.of(value, (), 1)
    if plain.problems:
        raise _RefusedError(plain.problems)
    return value, plain.floats


class _Plain:
    """Makes sure that a value is JSON in Python's plain types, whatever a host has decoded it to."""

    __slots__ = ("floats", "problems")

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.floats = False  # whether there are any

    def of(self, value: object, path: Path, depth: int) -> object:
        """The value itself; another that equals it where some part has a type of the host's own."""
        if isinstance(value, str):
            if not value.isascii() and _has_half_a_pair(value):
                self.refuse(path, "has half of a surrogate pair, which is no character")
            return value if type(value) is str else str.__str__(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if value.bit_length() > _INTEGER_BITS:
                self.refuse(path, "is an integer of more than 4,300 digits")
            return value if type(value) is int else int(value)
        if isinstance(value, float):
            self.floats = True
            if value - value != 0:
                self.refuse(path, f"{value!r} is not a finite number")
            return value if type(value) is float else float(value)
        if depth > DEPTH_LIMIT:
            self.refuse(path, f"is nested more than {DEPTH_LIMIT} levels deep")
            return value
        if isinstance(value, list | tuple):
            items = [self.of(item, (*path, i), depth + 1) for i, item in enumerate(value)]
            same = type(value) is list and all(new is old for new, old in zip(items, value, strict=True))
            return value if same else items
        if _is_mapping(value):
            return self.of_mapping(value, path, depth)
        self.refuse(path, f"a value of type {type(value).__name__} is not JSON")
        return value

    def of_mapping(self, value: Any, path: Path, depth: int) -> object:
        plain: dict[str, object] = {}
        same = type(value) is dict
        for name in value.keys():  # noqa: SIM118  (keys are all that a mapping promises)
            if not isinstance(name, str):
                self.refuse(path, f"has a name of type {type(name).__name__}; names are strings")
            elif not name.isascii() and _has_half_a_pair(name):
                self.refuse(path, "has a name with half of a surrogate pair, which is no character")
            else:
                item = value[name]
                plain[str.__str__(name)] = self.of(item, (*path, name), depth + 1)
                same = same and plain[name] is item
        return value if same else plain

    def refuse(self, path: Path, message: str) -> None:
        self.problems.append(Problem(path, message))


def _has_half_a_pair(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _shortened(problems: list[Problem]) -> list[Problem]:
    if len(problems) <= PROBLEMS_LIMIT:
        return problems
    return [*problems[:PROBLEMS_LIMIT], Problem((), f"and {len(problems) - PROBLEMS_LIMIT} more problems")]
