"""Static values: an expression goes in, the value it has on every machine comes out, or the part that has none.

Literals, arithmetic on them, members of enums, and module constants that are assigned once are folded. Nothing is
called, and no result grows beyond what its source could reasonably spell.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import TypeGuard

from toolc.model import Json
from toolc.parse.budget import weigh
from toolc.parse.enums import UnreadableMember, members_of
from toolc.parse.library import Library, Loaded, Local
from toolc.parse.scope import Assigned

_BITS_LIMIT = 1024
_LENGTH_LIMIT = 1 << 16
_DEPTH_LIMIT = 64
_ENUMS_LIMIT = 32  # that lead to one another

_OPERATORS: dict[type[ast.operator], Callable[[object, object], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}


class NotStatic(Exception):
    """The expression has no value that syntax alone can tell; `node` is the part that is to blame."""

    def __init__(self, node: ast.expr) -> None:
        self.node = node
        super().__init__(type(node).__name__)


def fold(node: ast.expr, home: Loaded, library: Library) -> object:
    """The value of an expression in a module. Raises `NotStatic`."""
    value = _Folder(library).fold(node, home, 0)
    if weigh(value, _LENGTH_LIMIT) > _LENGTH_LIMIT:
        raise NotStatic(node)
    return value


def enum_members(owner: object, library: Library) -> Mapping[str, object] | None:
    """The members of an enum by name, read once for its layer; None where this is no enum.

    Raises `UnreadableMember`, also where a member is defined by way of itself.
    """
    if not isinstance(owner, Local):
        return None
    key = (owner.home.file.path, owner.name)
    if key not in library.enums:
        if len(library.enums_open) > _ENUMS_LIMIT or key in library.enums_open:
            return None
        library.enums_open.add(key)
        try:
            library.enums[key] = members_of(owner, library, lambda part, home: fold(part, home, library))
        except (UnreadableMember, NotStatic) as error:
            library.enums[key] = error
        finally:
            library.enums_open.discard(key)
    found = library.enums[key]
    if isinstance(found, Exception):
        raise found
    return found


def is_json(value: object) -> TypeGuard[Json]:
    """Whether a folded value is JSON as it stands: no tuples, no sets, no infinities."""
    match value:
        case None | bool() | int() | str():
            return True
        case float():
            return math.isfinite(value)
        case list():
            return all(is_json(item) for item in value)
        case dict():
            return all(isinstance(key, str) and is_json(item) for key, item in value.items())
    return False


def is_long(value: object) -> bool:
    """Whether this is a number longer than any use; far longer ones cannot even be written out."""
    return isinstance(value, int) and value.bit_length() > _BITS_LIMIT


class _Folder:
    def __init__(self, library: Library) -> None:
        self._library = library
        self._pieces = 0

    def fold(self, node: ast.expr, home: Loaded, depth: int) -> object:
        self._pieces += 1
        if depth > _DEPTH_LIMIT or self._pieces > _LENGTH_LIMIT:
            raise NotStatic(node)
        match node:
            case ast.Constant(value=value) if value is not Ellipsis and not isinstance(value, complex):
                return self._bounded(value, node)
            case ast.List(elts=items):
                return [self.fold(item, home, depth + 1) for item in items]
            case ast.Tuple(elts=items):
                return tuple(self.fold(item, home, depth + 1) for item in items)
            case ast.Dict(keys=keys, values=values):
                return self._mapping(node, keys, values, home, depth)
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(node, op, self.fold(operand, home, depth + 1))
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(node, self.fold(left, home, depth + 1), op, self.fold(right, home, depth + 1))
            case ast.JoinedStr(values=parts) if all(isinstance(part, ast.Constant) for part in parts):
                return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
            case ast.Attribute(value=ast.Attribute() as member, attr="value") if found := self._member(
                member, home, depth
            ):
                return found[0]
            case ast.Attribute(value=ast.Attribute(value=owner, attr=member), attr="name") if (
                members := self._members(owner, home)
            ) and member in members:
                # Of two members with one value the second is another name for the first.
                return next(name for name, value in members.items() if value == members[member])
            case ast.Attribute() if found := self._member(node, home, depth):
                return found[0]
            case ast.Name() | ast.Attribute():
                match self._library.refer(node, home):
                    case Local(home=other, name=name, meaning=Assigned(value=assigned)) if (
                        other.scope is not None and name in other.scope.constants
                    ):
                        return self.fold(assigned, other, depth + 1)
        raise NotStatic(node)

    def _member(self, node: ast.Attribute, home: Loaded, depth: int) -> tuple[object] | None:
        """The value of the member of an enum, which is what JSON says for it; None where this is no such member."""
        if node.attr == "value" and isinstance(node.value, ast.Attribute):
            return self._member(node.value, home, depth + 1)
        found = self._members(node.value, home)
        return (found[node.attr],) if found and node.attr in found else None

    def _members(self, owner: ast.expr, home: Loaded) -> Mapping[str, object] | None:
        """The members of an enum; None where the name is no enum, or its values cannot be told."""
        referent = self._library.refer(owner, home)
        try:
            return enum_members(referent, self._library)
        except (UnreadableMember, NotStatic):
            return None

    def _mapping(
        self, node: ast.Dict, keys: list[ast.expr | None], values: list[ast.expr], home: Loaded, depth: int
    ) -> dict[object, object]:
        result: dict[object, object] = {}
        for key, value in zip(keys, values, strict=True):
            if key is None:  # `**other`
                inner = self.fold(value, home, depth + 1)
                if not isinstance(inner, dict):
                    raise NotStatic(value)
                result.update(inner)
                continue
            folded = self.fold(key, home, depth + 1)
            try:
                result[folded] = self.fold(value, home, depth + 1)
            except TypeError:  # a list as a key
                raise NotStatic(node) from None
        return result

    def _unary(self, node: ast.expr, op: ast.unaryop, value: object) -> object:
        if isinstance(op, ast.Not):
            return not value
        if isinstance(value, (int, float)):
            if isinstance(op, ast.USub):
                return -value
            if isinstance(op, ast.UAdd):
                return +value
            if isinstance(value, int):
                return -value - 1  # `~value`, which is on its way out for booleans
        raise NotStatic(node)

    def _binary(self, node: ast.expr, left: object, op: ast.operator, right: object) -> object:
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        joined = isinstance(op, ast.Add) and type(left) is type(right) and isinstance(left, (str, list, tuple))
        repeated = isinstance(op, ast.Mult) and isinstance(left, (str, list, tuple)) and isinstance(right, int)
        if not (numbers or joined or repeated):
            raise NotStatic(node)
        if isinstance(op, (ast.Pow, ast.LShift)) and not (
            isinstance(right, (int, float)) and abs(right) <= _BITS_LIMIT
        ):
            raise NotStatic(node)
        if isinstance(left, (str, list, tuple)) and isinstance(right, int):
            size = len(left) if isinstance(left, str) else weigh(left, _LENGTH_LIMIT)
            if size * right > _LENGTH_LIMIT:
                raise NotStatic(node)
        apply = _OPERATORS.get(type(op))
        if apply is None:
            raise NotStatic(node)
        try:
            value = apply(left, right)
        except (ArithmeticError, ValueError, TypeError):
            raise NotStatic(node) from None
        if isinstance(value, (str, list, tuple)) and len(value) > _LENGTH_LIMIT:
            raise NotStatic(node)
        return self._bounded(value, node)

    def _bounded(self, value: object, node: ast.expr) -> object:
        if is_long(value):
            raise NotStatic(node)
        if isinstance(value, complex):  # a root of a negative number
            raise NotStatic(node)
        return value
