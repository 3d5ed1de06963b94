"""What stands beside a type in `Annotated`, or in place of a default: pydantic's `Field`, `annotated_types`, `Doc`.

Metadata goes in; the keywords it adds to a schema, and what it says of a field, come out. A constraint that a schema
cannot state is named, so that a type is never loosened without a word. A model that checks its own fields may state
any.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolc.model import Json, Schema
from toolc.parse.constants import NotStatic, fold, is_json
from toolc.parse.library import External, Library, Loaded
from toolc.parse.schemas import NULL
from toolc.parse.tables import CONSTRAINED, DOCS
from toolc.parse.typed import Default, NoJsonForm, Type, without_decimal_text

# How a constraint is called by pydantic, and the names of its keyword for numbers, strings, arrays and objects.
_NUMERIC = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_LENGTHS = {
    "max_length": {"array": "maxItems", "object": "maxProperties", "string": "maxLength"},
    "min_length": {"array": "minItems", "object": "minProperties", "string": "minLength"},
}
_SPELLINGS = {"max_items": "max_length", "min_items": "min_length", "regex": "pattern"}
_CONSTRAINTS = frozenset({*_NUMERIC, *_LENGTHS, *_SPELLINGS, "pattern"})
_BEYOND_SCHEMAS = frozenset({"decimal_places", "max_digits", "strip_whitespace", "to_lower", "to_upper"})

# Positional arguments of `annotated_types`, by class.
_POSITIONS: Mapping[str, tuple[str, ...]] = {
    "Ge": ("ge",),
    "Gt": ("gt",),
    "Interval": (),  # by keyword only
    "Le": ("le",),
    "Len": ("min_length", "max_length"),
    "Lt": ("lt",),
    "MaxLen": ("max_length",),
    "MinLen": ("min_length",),
    "MultipleOf": ("multiple_of",),
}
# Metadata of these packages may state constraints; that of others means nothing to a schema.
_CONSTRAINING = ("annotated_types.", "msgspec.", "pydantic.", "pydantic_core.")
_FIELDS = frozenset({"pydantic.Field", "pydantic.fields.Field"})
_DESCRIBING = _FIELDS | {"pydantic.StringConstraints", "pydantic.types.StringConstraints"}
_HARMLESS = frozenset(
    {"annotated_types.Unit"}
    | {f"pydantic.{name}" for name in ("Discriminator", "PlainSerializer", "Strict", "Tag", "WrapSerializer")}
)


@dataclass(slots=True, kw_only=True)
class Metadata:
    """What has been said of a type so far."""

    constraints: dict[str, Json] = field(default_factory=dict)
    beyond: list[str] = field(default_factory=list)  # what no schema can state
    description: str | None = None
    alias: str | None = None
    default: Default | None = None
    extra: Schema = field(default_factory=dict)  # keywords that are given as they are

    def apply(self, base: Type, *, checked: bool = False) -> Type:
        """The type, with all that was said of it.

        `checked` says that whoever owns the type applies what a schema cannot state.
        """
        unenforced = list(self.beyond)
        # A decimal number may be given as text, which would escape a bound.
        compiled = without_decimal_text(base) if _NUMERIC.keys() & self.constraints.keys() else base
        for name, value in self.constraints.items():
            schema = _constrained(compiled.schema, name, value)
            if schema is not None:
                compiled = replace(compiled, schema=schema)
            else:
                unenforced.append(name)
        return replace(
            compiled,
            schema={**compiled.schema, **self.extra},
            description=self.description if self.description is not None else base.description,
            alias=self.alias if self.alias is not None else base.alias,
            default=self.default if self.default is not None else base.default,
            unenforced=() if checked else (*base.unenforced, *unenforced),
        )


def read_metadata(nodes: list[ast.expr], home: Loaded, library: Library) -> Metadata:
    """Read the arguments of `Annotated` after the first. Raises `NoJsonForm`."""
    reader = _Reader(home=home, library=library)
    for node in nodes:
        reader.read(node)
    return reader.metadata


def read_field(call: ast.Call, home: Loaded, library: Library) -> Metadata:
    """Read `Field(...)` in place of a default, or the constraints of a call such as `conint(...)`."""
    reader = _Reader(home=home, library=library)
    reader.field(call)
    return reader.metadata


@dataclass(slots=True, kw_only=True)
class _Reader:
    home: Loaded
    library: Library
    metadata: Metadata = field(default_factory=Metadata)

    def read(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if self.metadata.description is None:  # the first is the description
                self.metadata.description = node.value
            return
        subject = node.func if isinstance(node, ast.Call) else node
        referent = self.library.refer(subject, self.home, for_types=True)
        name = referent.name if isinstance(referent, External) else ""
        if isinstance(node, ast.Call) and name in DOCS:
            text = self.value(node.args[0]) if node.args else None
            self.metadata.description = text if isinstance(text, str) else self.metadata.description
        elif isinstance(node, ast.Call) and name in _DESCRIBING:
            self.field(node)
        elif name in _HARMLESS:
            pass
        elif isinstance(node, ast.Call) and name.startswith("annotated_types."):
            self.annotated_types(node, name.removeprefix("annotated_types."))
        elif name.startswith(_CONSTRAINING):
            self.metadata.beyond.append(name)

    def annotated_types(self, call: ast.Call, name: str) -> None:
        positions = _POSITIONS.get(name)
        if positions is None or len(call.args) > len(positions):
            self.metadata.beyond.append(f"annotated_types.{name}")
            return
        for keyword, node in zip(positions, call.args, strict=False):
            if not (name == "Len" and keyword == "min_length" and _is_zero(node)):  # as nothing of it is said
                self.constrain(keyword, node)
        for given in call.keywords:
            if given.arg in _CONSTRAINTS:
                self.constrain(given.arg, given.value)

    def field(self, call: ast.Call) -> None:
        metadata = self.metadata
        if call.args:
            self.default(call.args[0])
        for keyword in call.keywords:
            name, node = keyword.arg, keyword.value
            match name:
                case None:
                    raise NoJsonForm(node, "what `**` adds is not read", "write the arguments out", resolved=False)
                case "default":
                    self.default(node)
                case "default_factory":
                    metadata.default = Default(node=None, home=self.home)
                case "description":
                    text = self.value(node)
                    if isinstance(text, str):
                        metadata.description = text
                case "alias" | "validation_alias":
                    self.alias(name, node)
                case "examples" | "deprecated":
                    value = self.value(node, required=False)
                    if is_json(value) and value not in (None, False):
                        metadata.extra[name] = value if name == "examples" else True
                case "json_schema_extra":
                    extra = self.value(node, required=False)
                    if is_json(extra) and isinstance(extra, dict):
                        metadata.extra.update(extra)
                case _ if name in _CONSTRAINTS:
                    self.constrain(name, node)
                case _ if name in _BEYOND_SCHEMAS and not _is_off(node):
                    metadata.beyond.append(name)

    def default(self, node: ast.expr) -> None:
        is_required = isinstance(node, ast.Constant) and node.value is Ellipsis
        referent = self.library.refer(node, self.home)
        if is_required or (isinstance(referent, External) and referent.name.endswith(".PydanticUndefined")):
            self.metadata.default = None
        else:
            self.metadata.default = Default(node=node, home=self.home)

    def alias(self, keyword: str, node: ast.expr) -> None:
        if keyword == "alias" and self.metadata.alias is not None:
            return  # `validation_alias` is what counts on the way in
        match node:
            case ast.Call(func=function, args=[first, *_]) if self.library.refer(function, self.home) == External(
                "pydantic.AliasChoices"
            ):
                node = first
        value = self.value(node, required=False)
        if value is None:
            return
        if not isinstance(value, str):
            raise NoJsonForm(node, "its alias is not a literal name", resolved=False)
        self.metadata.alias = value

    def constrain(self, name: str, node: ast.expr) -> None:
        value = self.value(node, required=False)
        if value is None and isinstance(node, ast.Constant):
            return
        name = _SPELLINGS.get(name, name)
        if is_json(value) and value is not None and not isinstance(value, bool):
            self.metadata.constraints[name] = value
        else:
            self.metadata.beyond.append(name)

    def value(self, node: ast.expr, *, required: bool = True) -> object:
        try:
            return fold(node, self.home, self.library)
        except NotStatic:
            if required:
                raise NoJsonForm(node, "its description is not a literal", resolved=False) from None
            return None


def describes(call: ast.Call, home: Loaded, library: Library) -> bool:
    """Whether a call in place of a default is pydantic's `Field`, which describes the parameter."""
    referent = library.refer(call.func, home)
    return isinstance(referent, External) and referent.name in _FIELDS


def constrains(call: ast.Call, home: Loaded, library: Library) -> str | None:
    """The full name of the type that a call such as `conint(gt=0)` constrains."""
    referent = library.refer(call.func, home, for_types=True)
    return CONSTRAINED.get(referent.name) if isinstance(referent, External) else None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_off(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, False)


def _constrained(schema: Schema, name: str, value: Json) -> Schema | None:
    """The schema with a constraint, which stands at the branches that it can apply to; None where there is none."""
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        applied = [_constrained(branch, name, value) for branch in branches if isinstance(branch, dict)]
        if all(branch is None for branch in applied):
            return None
        return {
            **schema,
            "anyOf": [old if new is None else new for new, old in zip(applied, branches, strict=True)],
        }
    kind = schema.get("type")
    keyword: str | None = None
    if name in _NUMERIC and isinstance(value, (int, float)) and kind in ("integer", "number", None):
        keyword = _NUMERIC[name]
    elif name in _LENGTHS and isinstance(value, int) and isinstance(kind, str) and "format" not in schema:
        keyword = _LENGTHS[name].get(kind)
    elif name == "pattern" and isinstance(value, str) and kind == "string" and "contentEncoding" not in schema:
        keyword = "pattern"
    if keyword is None or schema == NULL or "$ref" in schema or "contentEncoding" in schema:
        return None
    return {**schema, keyword: value}
