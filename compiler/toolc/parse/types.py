"""Types: an annotation goes in, the JSON Schema of the values it accepts comes out, or the part that has no JSON form.

A type is resolved through the modules of the layer and the fixed tables below, never through what is installed. What
would have to become another Python object before the call, such as a `set`, is not in the tables.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from toolc.model import Schema
from toolc.parse.constants import NotStatic, fold
from toolc.parse.library import Ambiguous, External, LayerModule, Library, Loaded, Local
from toolc.parse.schemas import NULL, Scalar, enumeration, union
from toolc.parse.scope import Assigned, Defined

_SCALARS: dict[str, Schema] = {
    "builtins.str": {"type": "string"},
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.bool": {"type": "boolean"},
    "builtins.object": {},
    "typing.Any": {},
    "typing.LiteralString": {"type": "string"},
    "typing.Text": {"type": "string"},
    "types.NoneType": NULL,
}
# What a JSON array, as the list that it becomes, can stand for.
_LISTS = frozenset(
    {"builtins.list", "typing.List"}
    | {
        f"{module}.{name}"
        for module in ("typing", "collections.abc")
        for name in ("Collection", "Iterable", "MutableSequence", "Reversible", "Sequence")
    }
)
_ITERATORS = frozenset(
    f"{module}.{name}"
    for module in ("typing", "collections.abc")
    for name in ("AsyncGenerator", "AsyncIterable", "AsyncIterator", "Generator", "Iterator")
)
_MAPPINGS = frozenset(
    {"builtins.dict", "typing.Dict"}
    | {f"{module}.{name}" for module in ("typing", "collections.abc") for name in ("Mapping", "MutableMapping")}
)
_QUALIFIERS = frozenset(f"typing.{name}" for name in ("ClassVar", "Final", "NotRequired", "ReadOnly", "Required"))
_OPEN_KEYS = frozenset({"builtins.str", "typing.Any", "typing.LiteralString", "typing.Text", "builtins.object"})

# Metadata in `Annotated` that states constraints: to leave it out would loosen the type without a word.
_CONSTRAINING = ("annotated_types.", "msgspec.", "pydantic.")
_SIMPLER = {
    "builtins.tuple": "use `list[...]`",
    "typing.Tuple": "use `list[...]`",
    "builtins.set": "use `list[...]`, and make the set in the function",
    "typing.Set": "use `list[...]`, and make the set in the function",
    "builtins.frozenset": "use `list[...]`, and make the set in the function",
    "builtins.bytes": "use `str`, and decode it in the function",
}

_DEPTH_LIMIT = 64
_PARTS_LIMIT = 10_000  # aliases of aliases can double at each step


class NoJsonForm(Exception):
    """A type that no JSON value can stand for, as far as can be told. `node` is the part that is to blame."""

    def __init__(self, node: ast.expr, reason: str | None, hint: str | None = None, *, resolved: bool = True) -> None:
        self.node = node
        self.reason = reason  # a clause, "`X` is ...", where there is more to say
        self.hint = hint
        self.resolved = resolved  # whether we know what it is
        super().__init__(reason or ast.dump(node))


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """A compiled annotation."""

    schema: Schema
    description: str | None = None  # from `Annotated`
    qualifiers: tuple[str, ...] = ()  # that mean nothing on a parameter
    iterates: bool = False  # an iterator, for which a list arrives


def compile_type(node: ast.expr, home: Loaded, library: Library, type_parameters: Iterable[str] = ()) -> Type:
    """Compile an annotation that stands in a module. Raises `NoJsonForm`."""
    return _Compiler(library=library, type_parameters=frozenset(type_parameters)).compile(node, home)


@dataclass(slots=True, kw_only=True)
class _Compiler:
    library: Library
    type_parameters: frozenset[str]
    aliases: list[tuple[str, str]] = field(default_factory=list)  # being expanded: (path, name)
    depth: int = 0
    parts: int = 0
    qualifiers: list[str] = field(default_factory=list)
    iterates: bool = False

    def compile(self, node: ast.expr, home: Loaded) -> Type:
        compiled = self.expression(node, home)
        return replace(compiled, qualifiers=tuple(self.qualifiers), iterates=self.iterates)

    def schema(self, node: ast.expr, home: Loaded) -> Schema:
        """The schema of a part of the annotation, with the description it has of its own."""
        compiled = self.expression(node, home)
        if compiled.description is None:
            return compiled.schema
        return {**compiled.schema, "description": compiled.description}

    def expression(self, node: ast.expr, home: Loaded) -> Type:
        self.depth += 1
        self.parts += 1
        try:
            if self.depth > _DEPTH_LIMIT or self.parts > _PARTS_LIMIT:
                raise NoJsonForm(node, "it is larger than a type may be", resolved=False)
            return self.dispatch(node, home)
        finally:
            self.depth -= 1

    def dispatch(self, node: ast.expr, home: Loaded) -> Type:
        match node:
            case ast.Constant(value=None):
                return Type(schema=NULL)
            case ast.Constant(value=str()):
                return self.expression(_quoted(node), home)
            case ast.BinOp(op=ast.BitOr()):
                return Type(schema=union([self.schema(member, home) for member in _members(node)]))
            case ast.Name() | ast.Attribute():
                return self.name(node, home)
            case ast.Subscript(value=base, slice=index):
                arguments = list(index.elts) if isinstance(index, ast.Tuple) else [index]
                return self.subscript(node, base, arguments, home)
        what = "a call, which is not evaluated" if isinstance(node, ast.Call) else "not a type"
        raise NoJsonForm(node, f"`{_shown(node)}` is {what}", resolved=False)

    # --------------------------------------------------------------------------------------------------------- names

    def name(self, node: ast.expr, home: Loaded) -> Type:
        if isinstance(node, ast.Name) and node.id in self.type_parameters:
            return Type(schema={})
        match self.library.refer(node, home, for_types=True):
            case External(name=name):
                return self.external(node, name)
            case Local(home=other, name=name, meaning=Assigned(value=value)):
                return self.alias(node, name, value, other)
            case Local(meaning=Defined(node=ast.ClassDef(name=name))):
                raise NoJsonForm(node, f"`{name}` is a class of its own")
            case Local(meaning=Defined(node=definition)):
                raise NoJsonForm(node, f"`{definition.name}` is a function, not a type")
            case LayerModule():
                raise NoJsonForm(node, f"`{_shown(node)}` is a module, not a type")
            case Ambiguous(name=name):
                raise NoJsonForm(node, f"`{name}` is bound in several ways", resolved=False)
        raise NoJsonForm(node, f"`{_shown(node)}` is not defined where it could be read", resolved=False)

    def external(self, node: ast.expr, name: str) -> Type:
        """A name from outside the layer, without arguments."""
        if name in _SCALARS:
            return Type(schema=dict(_SCALARS[name]))
        if name in _LISTS:
            return Type(schema={"type": "array", "items": {}})
        if name in _ITERATORS:
            self.iterates = True
            return Type(schema={"type": "array", "items": {}})
        if name in _MAPPINGS:
            return Type(schema={"type": "object", "additionalProperties": True})
        raise _foreign(node, name)

    def alias(self, node: ast.expr, name: str, value: ast.expr, home: Loaded) -> Type:
        """A module-level name for a type, a `NewType` or a `TypeVar`."""
        key = (home.file.path, name)
        if key in self.aliases:
            raise NoJsonForm(node, f"`{name}` is defined by itself")
        self.aliases.append(key)
        try:
            if isinstance(value, ast.Call):
                return Type(schema=self.constructed(node, name, value, home))
            return self.expression(value, home)
        except NoJsonForm as error:
            # The place to show is where the tool names the alias; the alias may stand in another file.
            raise NoJsonForm(node, error.reason, error.hint, resolved=error.resolved) from None
        finally:
            self.aliases.pop()

    def constructed(self, node: ast.expr, name: str, call: ast.Call, home: Loaded) -> Schema:
        match self.library.refer(call.func, home, for_types=True):
            case External(name="typing.NewType") if len(call.args) == 2:
                return self.schema(call.args[1], home)
            case External(name="typing.TypeVar") if call.args:
                if len(call.args) > 1:
                    return union([self.schema(constraint, home) for constraint in call.args[1:]])
                bound = next((keyword.value for keyword in call.keywords if keyword.arg == "bound"), None)
                return self.schema(bound, home) if bound is not None else {}
        raise NoJsonForm(node, f"`{name}` is made by a call, which is not evaluated", resolved=False)

    # ----------------------------------------------------------------------------------------------------- subscripts

    def subscript(self, node: ast.expr, base: ast.expr, arguments: list[ast.expr], home: Loaded) -> Type:
        referent = self.library.refer(base, home, for_types=True)
        if not isinstance(referent, External):
            self.name(base, home)  # says what `base` is, where it is no type at all
            raise NoJsonForm(node, f"`{_shown(base)}` takes no arguments that can be read from the source")
        name = referent.name
        match name:
            case "typing.Literal":
                return Type(schema=enumeration(self.literals(arguments, home)))
            case "typing.Optional" if len(arguments) == 1:
                return Type(schema=union([self.schema(arguments[0], home), NULL]))
            case "typing.Union":
                return Type(schema=union([self.schema(argument, home) for argument in arguments]))
            case "typing.Annotated" if len(arguments) > 1:
                return self.annotated(arguments, home)
        if name in _QUALIFIERS and len(arguments) == 1:
            self.qualifiers.append(name.removeprefix("typing."))
            return self.expression(arguments[0], home)
        if (name in _LISTS and len(arguments) == 1) or name in _ITERATORS:
            self.iterates = self.iterates or name in _ITERATORS
            return Type(schema={"type": "array", "items": self.schema(arguments[0], home)})
        if name in _MAPPINGS and len(arguments) == 2:
            return Type(schema=self.mapping(arguments[0], arguments[1], home))
        raise _foreign(node, name)

    def mapping(self, key: ast.expr, value: ast.expr, home: Loaded) -> Schema:
        values = self.schema(value, home)
        schema: Schema = {"type": "object", "additionalProperties": values or True}
        keys = self.schema(key, home)
        if keys in ({}, {"type": "string"}):
            return schema
        if keys.get("type") == "string" and "enum" in keys:
            return {**schema, "propertyNames": {"enum": keys["enum"]}}
        raise NoJsonForm(key, "the keys of a JSON object are strings", "use `str` for the keys")

    def annotated(self, arguments: list[ast.expr], home: Loaded) -> Type:
        compiled = self.expression(arguments[0], home)
        for metadata in arguments[1:]:
            match metadata:
                case ast.Constant(value=str(text)):
                    compiled = replace(compiled, description=text)
                case ast.Call(func=function, args=[text_node, *_]) if self.is_doc(function, home):
                    try:
                        documentation = fold(text_node, home, self.library)
                    except NotStatic:
                        raise NoJsonForm(text_node, "its description is not a literal", resolved=False) from None
                    if isinstance(documentation, str):
                        compiled = replace(compiled, description=documentation)
                case _:
                    subject = metadata.func if isinstance(metadata, ast.Call) else metadata
                    referent = self.library.refer(subject, home, for_types=True)
                    if isinstance(referent, External) and referent.name.startswith(_CONSTRAINING):
                        raise NoJsonForm(metadata, f"its constraint `{referent.name}` is not one that toolc compiles")
        return compiled

    def is_doc(self, function: ast.expr, home: Loaded) -> bool:
        return self.library.refer(function, home, for_types=True) == External("typing.Doc")

    def literals(self, arguments: Iterable[ast.expr], home: Loaded) -> list[Scalar]:
        """The values of a `Literal`, nested ones and aliases of them included."""
        values: list[Scalar] = []
        for argument in arguments:
            match argument:
                case ast.Constant(value=None | bool() | int() | str() as value):
                    values.append(value)
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                    values.append(-number)
                case ast.Subscript(value=base, slice=index) if self.is_literal(base, home):
                    values.extend(self.literals(index.elts if isinstance(index, ast.Tuple) else [index], home))
                case ast.Name() | ast.Attribute():
                    values.extend(self.named_literals(argument, home))
                case _:
                    raise NoJsonForm(argument, f"`{_shown(argument)}` is not a value that JSON has")
        return values

    def is_literal(self, base: ast.expr, home: Loaded) -> bool:
        return self.library.refer(base, home, for_types=True) == External("typing.Literal")

    def named_literals(self, node: ast.expr, home: Loaded) -> list[Scalar]:
        match self.library.refer(node, home, for_types=True):
            case Local(home=other, name=name, meaning=Assigned(value=ast.Subscript() as value)) if (
                other.file.path,
                name,
            ) not in self.aliases:
                self.aliases.append((other.file.path, name))
                try:
                    return self.literals([value], other)
                finally:
                    self.aliases.pop()
        raise NoJsonForm(node, f"`{_shown(node)}` is not a value that JSON has")


def _members(node: ast.expr) -> list[ast.expr]:
    """The members of `A | B | C`, which the syntax tree nests to the left."""
    members: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        members.append(node.right)
        node = node.left
    return [node, *reversed(members)]


def _quoted(node: ast.Constant) -> ast.expr:
    """The type in a quoted annotation, at the place of the quotation."""
    try:
        inner = ast.parse(str(node.value).strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoJsonForm(node, f"`{_shown(node)}` does not hold a type", resolved=False) from None
    for part in ast.walk(inner):
        ast.copy_location(part, node)
    return inner


def _foreign(node: ast.expr, name: str) -> NoJsonForm:
    top = name.lstrip(".").partition(".")[0]
    known = top == "builtins" or top in sys.stdlib_module_names
    reason = None if known else f"`{name}` comes from outside the layer, which a build does not import"
    return NoJsonForm(node, reason, _SIMPLER.get(name))


def _shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 80 else f"{text[:77]}..."
