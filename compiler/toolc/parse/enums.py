"""Enums: a class definition goes in, the names and values of its members come out. Nothing of it is executed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from toolc.parse.library import External, Library, Loaded, Local
from toolc.parse.scope import Assigned, Defined

_PLAIN = frozenset({"enum.Enum", "enum.ReprEnum"})
_MIXED = {"enum.IntEnum": "builtins.int", "enum.StrEnum": "builtins.str"}
_FLAGS = frozenset({"enum.Flag", "enum.IntFlag"})
_SCALARS = frozenset({"builtins.float", "builtins.int", "builtins.str"})
_OWN_VALUES = frozenset({"__new__", "_generate_next_value_"})  # methods that decide what the values are
_BASES_LIMIT = 32

Fold = Callable[[ast.expr, Loaded], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumKind:
    """What sort of enum a class is."""

    mixin: str | None  # `builtins.str` and its like, which the values are made of
    is_flag: bool
    starts_by_name: bool = False  # `auto()` gives the name in lower case
    own_values: bool = False  # its own code decides what the values are


class UnreadableMember(Exception):
    """A member whose value is not in the source."""

    def __init__(self, name: str, node: ast.expr) -> None:
        self.name = name
        self.node = node
        super().__init__(name)


def kind_of(definition: ast.ClassDef, home: Loaded, library: Library) -> EnumKind | None:
    """The sort of enum a class is; None where it is none."""
    return _kind_of(definition, home, library, {definition})


def _kind_of(definition: ast.ClassDef, home: Loaded, library: Library, seen: set[ast.ClassDef]) -> EnumKind | None:
    mixin: str | None = None
    kind: EnumKind | None = None
    for base in definition.bases:
        match library.refer(base, home):
            case External(name=name) if name in _PLAIN:
                kind = kind or EnumKind(mixin=None, is_flag=False)
            case External(name=name) if name in _MIXED:
                kind = EnumKind(mixin=_MIXED[name], is_flag=False, starts_by_name=name == "enum.StrEnum")
            case External(name=name) if name in _FLAGS:
                kind = EnumKind(mixin=None, is_flag=True)
            case External(name=name) if name in _SCALARS:
                mixin = name
            case Local(home=other, meaning=Defined(node=ast.ClassDef() as parent)) if (
                parent not in seen and len(seen) < _BASES_LIMIT
            ):
                seen.add(parent)
                kind = _kind_of(parent, other, library, seen) or kind
    if kind is None:
        return None
    defined = {node.name for node in definition.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    return EnumKind(
        mixin=kind.mixin or mixin,
        is_flag=kind.is_flag,
        starts_by_name=kind.starts_by_name,
        own_values=kind.own_values or bool(defined & _OWN_VALUES),
    )


def members(definition: ast.ClassDef, kind: EnumKind, home: Loaded, library: Library, fold: Fold) -> dict[str, object]:
    """The value of each member, by name, in their order. Raises `UnreadableMember`."""
    found: dict[str, object] = {}
    ignored = _ignored(definition)
    highest: int | None = 0
    for name, node in _assigned(definition):
        if _is_special(name) or name in ignored:
            continue
        if isinstance(node, ast.Name) and node.id in found:
            found[name] = found[node.id]  # another name for a member
        else:
            found[name] = _value(name, node, highest, kind, home, library, fold)
            # After another thing than a number, what `auto` does depends on the version of Python.
            value = found[name]
            highest = max(highest, value) if highest is not None and isinstance(value, int) else None
    return found


def _is_special(name: str) -> bool:
    """Whether a name in an enum is no member: `_missing_`, `__slots__`, `__private`; `_hidden` is one."""
    return name.startswith("__") or (name.startswith("_") and name.endswith("_"))


def functional(name: str, call: ast.Call, home: Loaded, library: Library, fold: Fold) -> dict[str, object] | None:
    """The members of `Enum("Color", ["RED", "BLUE"])`; None where the call does not make an enum like it."""
    match library.refer(call.func, home):
        case External(name="enum.Enum" | "enum.IntEnum" | "enum.StrEnum" as full):
            pass
        case _:
            return None
    if len(call.args) != 2 or call.keywords:
        raise UnreadableMember(name, call)
    names = fold(call.args[1], home)
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if isinstance(names, dict):
        return {str(key): value for key, value in names.items()}
    if not isinstance(names, (list, tuple)):
        raise UnreadableMember(name, call.args[1])
    found: dict[str, object] = {}
    for number, item in enumerate(names, start=1):
        match item:
            case str():
                found[item] = item.lower() if full == "enum.StrEnum" else number
            case [str(key), value] | (str(key), value):
                found[key] = value
            case _:
                raise UnreadableMember(name, call.args[1])
    return found


def _value(
    name: str,
    node: ast.expr,
    highest: int | None,
    kind: EnumKind,
    home: Loaded,
    library: Library,
    fold: Fold,
) -> object:
    if kind.own_values:
        raise UnreadableMember(name, node)
    automatic = node.func if isinstance(node, ast.Call) and not node.args and not node.keywords else None
    if automatic is not None and library.refer(automatic, home) == External("enum.auto"):
        if kind.starts_by_name:
            return name.lower()
        if highest is None:
            raise UnreadableMember(name, node)
        value: object = highest + 1
    elif (
        isinstance(node, ast.Call) and len(node.args) == 1 and library.refer(node.func, home) == External("enum.member")
    ):
        value = fold(node.args[0], home)
    else:
        value = fold(node, home)
    return _mixed(value, kind.mixin, name, node)


def _mixed(value: object, mixin: str | None, name: str, node: ast.expr) -> object:
    """The value as the mixed-in type makes it."""
    match mixin, value:
        case ("builtins.str", int()) if not isinstance(value, bool):
            return str(value)
        case ("builtins.float", int()):
            return float(value)
        case ("builtins.str", str()) | ("builtins.int", int()) | ("builtins.float", float()) | (None, _):
            return value
    raise UnreadableMember(name, node)


def _assigned(definition: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    for node in definition.body:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield target.id, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _ignored(definition: ast.ClassDef) -> frozenset[str]:
    for name, node in _assigned(definition):
        if name == "_ignore_" and isinstance(node, (ast.List, ast.Tuple)):
            return frozenset(
                item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)
            )
        if name == "_ignore_" and isinstance(node, ast.Constant):
            return frozenset(str(node.value).replace(",", " ").split())
    return frozenset()


def members_of(referent: object, library: Library, fold: Fold) -> dict[str, object] | None:
    """The members of what a name refers to; None where that is no enum. Raises `UnreadableMember`."""
    match referent:
        case Local(home=home, meaning=Defined(node=ast.ClassDef() as definition)):
            kind = kind_of(definition, home, library)
            return None if kind is None or kind.is_flag else members(definition, kind, home, library, fold)
        case Local(home=home, name=name, meaning=Assigned(value=ast.Call() as call)):
            return functional(name, call, home, library, fold)
    return None
