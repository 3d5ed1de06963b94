"""Classes of the layer as types: an enum becomes the values of its members, a model an object with its fields.

Enums are written out where they are used; a model is defined once and referred to by name.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import Protocol

from toolc import codes
from toolc.diagnostics import Diagnostic
from toolc.model import Json, Schema
from toolc.parse import enums
from toolc.parse.budget import TYPE_LIMIT, weigh
from toolc.parse.constants import NotStatic, enum_members
from toolc.parse.defaults import NotJson, OfAnotherType, static_default
from toolc.parse.library import External, Library, Loaded, Local
from toolc.parse.models import Field, Kind, Model, kind_of, read_model
from toolc.parse.scope import Defined
from toolc.parse.syntax import unparsed
from toolc.parse.typed import (
    Bindings,
    Default,
    Definitions,
    NoJsonForm,
    Place,
    TooLarge,
    Type,
    below,
    enumeration,
    escaped,
    identify,
    reference,
)

_NEEDED = "make it a dataclass, a `TypedDict`, a `NamedTuple`, an `Enum` or a pydantic model"


class Expressions(Protocol):
    """What compiles the types of fields."""

    library: Library
    definitions: Definitions
    qualifiers: list[str]

    def inner(self, node: ast.expr, at: Place) -> Type:
        """The type that an expression stands for, as a part of another."""

    def charge(self, node: ast.expr, parts: int) -> None:
        """Count what is added to the type. Raises `NoJsonForm` where that is too much."""


def class_type(expressions: Expressions, node: ast.expr, cls: Local, arguments: list[Type]) -> Type:
    """The type of a class of the layer, named at `node`. Raises `NoJsonForm`."""
    library = expressions.library
    scope = cls.home.scope
    if scope is not None and cls.name.partition(".")[0] in scope.typing_names:
        raise NoJsonForm(node, f"`{cls.name}` is defined only for type checkers")
    made = _enum(expressions, node, cls)
    if made is not None:
        return made
    kind = kind_of(cls, library) if isinstance(cls.meaning, Defined) else None
    if kind is None:
        raise NoJsonForm(node, f"`{cls.name}` is a class without fields that could be read", _NEEDED)
    if kind.checks_itself and any(argument.conversions or "$ref" in str(argument.schema) for argument in arguments):
        # The model is made by its name, which says nothing of its arguments.
        raise NoJsonForm(
            node,
            f"`{cls.name}` would not know what it is made of when it is called",
            f"derive a class from it, `class Name({unparsed(node)})`, and use that",
        )
    definitions = expressions.definitions
    identity = f"{cls.home.file.path}:{cls.name}{identify(arguments)}"
    if identity not in definitions.names:
        wanted = cls.name.replace(".", "_") + (re.sub(r"[^A-Za-z0-9._-]", "_", f"[{_told(node)}]") if arguments else "")
        try:
            with definitions.undone_on_failure():
                name = definitions.name(wanted, identity, f"{cls.home.dotted.replace('.', '_')}_{wanted}")
                definitions.types[name] = None
                definitions.types[name] = _model(expressions, cls, kind, arguments)
        except NoJsonForm as error:
            raise error.seen_from(node, cls.home) from None
    return reference(definitions.names[identity])


def class_of_call(local: Local, call: ast.Call, library: Library) -> Local | None:
    """The class that `TypedDict("M", {...})` and its like make; None where the call makes none."""
    match library.refer(call.func, local.home, for_types=True):
        case External(name="enum.Enum" | "enum.IntEnum" | "enum.StrEnum"):
            return local
        case External(name="typing.TypedDict" | "typing.NamedTuple" | "collections.namedtuple" as full):
            pass
        case _:
            return None
    fields = _listed(call, full)
    if fields is None:
        return None
    base = call.func
    if full == "collections.namedtuple":
        base = ast.Attribute(value=ast.Name(id="typing", ctx=ast.Load()), attr="NamedTuple", ctx=ast.Load())
    body: list[ast.stmt] = [
        ast.AnnAssign(target=ast.Name(id=name, ctx=ast.Store()), annotation=annotation, value=value, simple=1)
        for name, annotation, value in fields
    ]
    definition = ast.ClassDef(name=local.name, bases=[base], keywords=call.keywords, body=body, decorator_list=[])
    return Local(local.home, local.name, Defined(ast.copy_location(definition, call)))


def _listed(call: ast.Call, full: str) -> list[tuple[str, ast.expr, ast.expr | None]] | None:
    """The fields that a call lists: name, annotation and default."""
    match call.args:
        case [_, ast.Dict(keys=keys, values=values)] if full == "typing.TypedDict":
            names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            if len(names) == len(keys):
                return [(name, annotation, None) for name, annotation in zip(names, values, strict=True)]
        case [_, ast.List(elts=items) | ast.Tuple(elts=items)] if full == "typing.NamedTuple":
            pairs = [item.elts for item in items if isinstance(item, ast.Tuple) and len(item.elts) == 2]
            if len(pairs) == len(items):
                return [(str(getattr(name, "value", "")), annotation, None) for name, annotation in pairs]
    return None


def _enum(expressions: Expressions, node: ast.expr, cls: Local) -> Type | None:
    """The type of an enum; None where the class is none."""
    library = expressions.library
    definition = cls.meaning.node if isinstance(cls.meaning, Defined) else None
    try:
        if isinstance(definition, ast.ClassDef):
            kind = enums.kind_of(definition, cls.home, library)
            if kind is not None and kind.is_flag:
                reason = f"`{cls.name}` is a Flag, whose values are combinations"
                raise NoJsonForm(node, reason, "use a list of an `Enum`")
        members = enum_members(cls, library)
    except (enums.UnreadableMember, NotStatic) as error:
        what = f"the value of `{error.name}` in" if isinstance(error, enums.UnreadableMember) else "a value of"
        cause = NoJsonForm(error.node, f"{what} the enum `{cls.name}` cannot be told from the source", resolved=False)
        raise cause.seen_from(node, cls.home) from None
    if members is None:
        return None
    for name, value in members.items():
        if not isinstance(value, (bool, int, float, str, type(None))):
            raise NoJsonForm(node, f"the value of `{name}` in the enum `{cls.name}` is not a JSON scalar")
    if not members:
        raise NoJsonForm(node, f"the enum `{cls.name}` has no members")
    expressions.charge(node, weigh(members, TYPE_LIMIT))
    values = [value for value in members.values() if isinstance(value, (bool, int, float, str, type(None)))]
    return enumeration(values, _conversion(cls))


def _conversion(cls: Local) -> str:
    return f"class:{cls.home.dotted}:{cls.name}"


def _model(expressions: Expressions, cls: Local, kind: Kind, arguments: list[Type]) -> Type:
    def compile_type(node: ast.expr, home: Loaded, bindings: Bindings) -> Type:
        return expressions.inner(node, Place(home=home, bindings=bindings))

    model = read_model(cls, kind, arguments, expressions.library, compile_type)
    made = {} if kind is Kind.TYPED_DICT else {"": _conversion(cls)}
    if model.root is not None:
        root = _field(expressions, model, model.root).described
        if kind.checks_itself and root.conversions.get("") == "bytes":
            reason = f"`{cls.name}` stands for bytes, and would take their base64 for the bytes"
            raise NoJsonForm(_root_annotation(model.root), reason, "make them a field of a model")
        described: Schema = {"description": model.description} if model.description else {}
        return Type(schema={**root.schema, **described}, conversions={**root.conversions, **made})
    properties: dict[str, Json] = {}
    required: list[Json] = []
    for stated in model.fields:
        try:
            compiled = _field(expressions, model, stated)
        except NoJsonForm as error:
            if isinstance(error, TooLarge):
                raise
            if stated.default is None:
                reason = f"field `{stated.name}` of `{cls.name}` has no JSON form"
                raise error.seen_from(
                    error.node, stated.home, f"{reason}: {error.reason}" if error.reason else reason
                ) from None
            expressions.definitions.remarks.append(_hidden(stated, cls, error))
            continue
        key = compiled.alias or stated.key if kind.checks_itself else stated.key
        default = compiled.default or stated.default
        properties[key] = _property(compiled, default, expressions)
        made |= below(f"/properties/{escaped(key)}", compiled.conversions)
        if _is_required(stated, compiled, default):
            required.append(key)
    schema: Schema = {"type": "object"}
    if model.description:
        schema["description"] = model.description
    schema["properties"] = properties
    if required:
        schema["required"] = required
    if model.extra is not None:
        schema["additionalProperties"] = model.extra
    schema.update(model.keywords)
    return Type(schema=schema, conversions=made)


def _root_annotation(root: Field) -> ast.expr:
    assert root.annotation is not None, "a root is told by its type"
    return root.annotation


def _is_required(stated: Field, compiled: Type, default: Default | None) -> bool:
    for qualifier in compiled.qualifiers:
        if qualifier in ("NotRequired", "Required"):
            return qualifier == "Required"
    return default is None if stated.required is None else stated.required


def _field(expressions: Expressions, model: Model, stated: Field) -> Type:
    """The type of a field, with all that its class says of it."""
    if stated.annotation is None:
        compiled = Type(schema={})
    else:
        checked = model.kind.checks_itself
        outer, expressions.qualifiers = expressions.qualifiers, []
        try:
            at = Place(home=stated.home, bindings=stated.bindings, owner=stated.owner, checked=checked)
            compiled = expressions.inner(stated.annotation, at)
            compiled = replace(compiled, qualifiers=tuple(expressions.qualifiers))
        finally:
            expressions.qualifiers = outer
    if stated.metadata is not None:
        expressions.definitions.untold |= bool(stated.metadata.beyond)
        compiled = stated.metadata.apply(compiled, checked=True)
    return compiled if compiled.description is not None else replace(compiled, description=stated.description)


def _property(compiled: Type, default: Default | None, expressions: Expressions) -> Schema:
    schema: Schema = dict(compiled.schema)
    if compiled.description:
        schema["description"] = compiled.description
    if default is None or default.node is None:
        return schema
    try:
        named = expressions.definitions.schemas
        schema["default"] = static_default(default.node, default.home, expressions.library, compiled, named)
    except NotStatic:
        expressions.definitions.untold = True
    except (NotJson, OfAnotherType):
        pass  # the class itself applies its default
    return schema


def _hidden(stated: Field, cls: Local, error: NoJsonForm) -> Diagnostic:
    assert stated.home.module is not None, "a field was read"
    because = f": {error.reason}" if error.reason else ""
    return Diagnostic(
        codes.PARAMETER_HIDDEN,
        f"field `{stated.name}` of `{cls.name}` is hidden from the model and keeps its default, "
        f"as toolc has no JSON form for its type{because}",
        stated.home.module.span(stated.annotation or error.node),
    )


def _told(node: ast.expr) -> str:
    """The arguments of a generic type, as they are written, without the modules they come from."""
    return re.sub(r"(?:\w+\.)+(?=\w)", "", unparsed(node.slice)) if isinstance(node, ast.Subscript) else ""
