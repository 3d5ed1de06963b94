"""Pydantic as an oracle: a function goes in, the schema that our policy makes of pydantic's reading comes out.

Where toolc differs from pydantic on purpose, a method or a function here says so, with the rule of
`reference/signatures.md` that it is for. Nothing else may differ.
"""

from __future__ import annotations

import base64
import dataclasses
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Annotated, Any, get_type_hints

import attrs
from pydantic import AfterValidator, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import SchemaValidator, core_schema

_INLINE = "x-inline"  # on schemas that stand where they are used
_NULL = {"type": "null"}


def as_dataclass(cls: Any) -> Any:
    """The dataclass that pydantic reads for an attrs class, which it does not know; of it the class itself is made."""
    hints = get_type_hints(cls, include_extras=True)
    made = dataclasses.make_dataclass(
        cls.__name__, [(each.name, hints[each.name], _attrs_default(each)) for each in attrs.fields(cls)], kw_only=True
    )
    made.__doc__ = cls.__doc__
    made.__module__ = cls.__module__
    return Annotated[made, AfterValidator(lambda value: cls(**vars(value)))]


def _attrs_default(stated: attrs.Attribute[Any]) -> Any:
    match stated.default:
        case attrs.NOTHING:
            return dataclasses.field()
        case attrs.Factory(factory=factory):  # type: ignore[misc]  # a class, which its stub calls a function
            return dataclasses.field(default_factory=factory)
    return dataclasses.field(default=stated.default)


class Oracle:
    """What pydantic makes of a function whose parameters are all given by keyword."""

    def __init__(self, function: Any) -> None:
        adapter: TypeAdapter[Any] = TypeAdapter(function)
        self.schema = _settled(adapter.json_schema(schema_generator=_Policy))
        self._validator = SchemaValidator(_as_we_call(adapter.core_schema), _use_prebuilt=False)

    def strict(self, arguments: object) -> Any:
        """The values of the parameters, with no conversion but those that JSON needs. Raises `ValidationError`."""
        return self._validator.validate_json(json.dumps(arguments), strict=True)

    def lax(self, arguments: object) -> Any:
        """The values of the parameters. Raises `ValidationError`."""
        return self._validator.validate_json(json.dumps(arguments))


# ------------------------------------------------------------------------------------------------------- arguments

_AS_THEY_ARE = ("metadata", "serialization", "default")


def _as_we_call(schema: Any, *, in_model: bool = False) -> Any:
    """A schema of pydantic's core, with what differs in calls on purpose. What is in a model, the model does itself."""
    if isinstance(schema, list | tuple):
        return type(schema)(_as_we_call(item, in_model=in_model) for item in schema)
    if not isinstance(schema, dict):
        return schema
    kind = schema.get("type")
    inside = in_model or kind == "model" or hasattr(schema.get("cls"), "__pydantic_validator__")
    changed = {
        name: inner if name in _AS_THEY_ARE else _as_we_call(inner, in_model=inside) for name, inner in schema.items()
    }
    if kind == "definitions":
        # What is named in a model and out of it is read in two ways.
        changed["definitions"] += [_as_we_call(each, in_model=True) for each in schema["definitions"]]
    if in_model:
        changed |= {name: f"{schema[name]} in a model" for name in ("ref", "schema_ref") if name in schema}
    elif kind == "union":
        changed["mode"] = "left_to_right"  # what fits first, not what fits best: a declared `date | str` gets its date
    elif kind == "typed-dict":
        changed["extra_behavior"] = "allow"  # nothing is lost silently
    elif kind == "dataclass-args" and not inside:
        changed["extra_behavior"] = "forbid"  # unknown arguments are errors
    read = None if in_model and kind == "enum" else _reader(schema)
    if read is None:
        return changed
    return {
        **core_schema.no_info_plain_validator_function(read),
        **({"ref": changed["ref"]} if "ref" in changed else {}),
    }


def _reader(schema: Any) -> Callable[[Any], Any] | None:
    """What reads a value in pydantic's stead, where the policy is another."""
    match schema.get("type"):
        case "bytes":
            return _of_base64
        case "enum":
            return _one_of(schema["members"])
        case "literal":
            return _one_of(schema["expected"])
    return None


def _of_base64(value: Any) -> bytes:
    """Rule 11: bytes are base64, padding and all."""
    if not isinstance(value, str):
        raise ValueError("is no text")
    return base64.b64decode(value.encode(), validate=True)


def _one_of(expected: list[Any]) -> Callable[[Any], Any]:
    """`true` is no 1, and the member of an enum is given by its value, which pydantic does not take for a `Literal`."""

    def read(value: Any) -> Any:
        for one in expected:
            plain = one.value if isinstance(one, Enum) else one
            if plain == value and isinstance(plain, bool) is isinstance(value, bool):
                return one
        raise ValueError("is none of them")

    return read


# --------------------------------------------------------------------------------------------------------- schemas


class _Policy(GenerateJsonSchema):
    """Pydantic's schemas, with what differs on purpose."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  (pydantic's own)
        """Rule 2: no `title`."""
        return False

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        """Rule 5: enums are inlined, always with `type`; what a class says of itself is not about the value."""
        return {_INLINE: True, **_grouped([member.value for member in schema["members"]])}

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        """Rules 2 and 5: no `const`, always with `type`, mixed values grouped by it."""
        return _grouped([value.value if isinstance(value, Enum) else value for value in schema["expected"]])

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Rule 2: no `oneOf`, no `discriminator`."""
        return {"anyOf": [self.generate_inner(choice) for choice in schema["choices"].values()]}

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:  # noqa: ARG002  (pydantic's own)
        """Rule 11: bytes are a base64 string."""
        return {"type": "string", "contentEncoding": "base64"}

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """That there is an offset or none is asked for by a type, so the schema says it."""
        pattern = {"aware": "([Zz]|[+-][0-9]{2}:[0-9]{2})$", "naive": "^.{10}[^Zz+-]*$"}.get(
            str(schema.get("tz_constraint"))
        )
        return {**super().datetime_schema(schema), **({"pattern": pattern} if pattern else {})}

    def complex_schema(self, schema: core_schema.ComplexSchema) -> JsonSchemaValue:  # noqa: ARG002  (pydantic's own)
        """Rule 11: a complex number is a string."""
        return {"type": "string"}

    def named_tuple_schema(self, schema: Any) -> JsonSchemaValue:
        """Rules 5 and 11: a NamedTuple is an object."""
        cls = schema["cls"]
        fields = schema["fields"]
        made: JsonSchemaValue = {"type": "object"}
        if cls.__doc__ and not cls.__doc__.startswith(f"{cls.__name__}("):
            made["description"] = inspect.cleandoc(cls.__doc__)
        made["properties"] = {each["name"]: self.generate_inner(each["schema"]) for each in fields}
        required = [each["name"] for each in fields if each["schema"]["type"] != "default"]
        return {**made, "required": required} if required else made

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """Rule 5: a definition says what its own class says, not what a model around it says of unknown keys."""
        return self._of_itself(super().typed_dict_schema(schema))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """Rule 5: as of a `TypedDict`."""
        made = super().dataclass_schema(schema)
        return made if hasattr(schema["cls"], "__pydantic_validator__") else self._of_itself(made)

    def _of_itself(self, made: JsonSchemaValue) -> JsonSchemaValue:
        return {keyword: value for keyword, value in made.items() if keyword != "additionalProperties"}

    def _common_dict_schema(self, schema: Any) -> JsonSchemaValue:
        """Rule 11: what the names are is said too; an integer's are spelled in digits."""
        names = self.generate_inner(schema["keys_schema"]) if "keys_schema" in schema else {}
        values = self.generate_inner(schema["values_schema"]) if "values_schema" in schema else {}
        return {"type": "object", "additionalProperties": values or True, "propertyNames": names}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Rule 4: only defaults that are static JSON; of any others the parameter is just optional."""
        default = schema.get("default")
        if "default" in schema and _is_static(default):
            return super().default_schema(schema)
        return self.generate_inner(schema["schema"])

    def encode_default(self, dft: Any) -> Any:
        """Rule 11: bytes in base64."""
        return super().encode_default("aGk=" if dft == b"hi" else dft)


def _is_static(default: object) -> bool:
    if isinstance(default, list | tuple):
        return all(_is_static(item) for item in default)
    if isinstance(default, dict):
        return all(_is_static(item) for item in default.values())
    return default is None or isinstance(default, bool | int | float | str | bytes | Enum)


def _grouped(values: Iterable[Any]) -> JsonSchemaValue:
    names: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    groups: dict[str, list[Any]] = {}
    for value in values:
        group = groups.setdefault(next(names[kind] for kind in type(value).__mro__ if kind in names), [])
        if value not in group:
            group.append(value)
    branches = [dict(_NULL) if name == "null" else {"type": name, "enum": group} for name, group in groups.items()]
    return {"anyOf": branches} if len(branches) > 1 else branches[0]


# ---------------------------------------------------------------------------------------- what stands between schemas


def _settled(schema: JsonSchemaValue) -> JsonSchemaValue:
    """The whole schema, with what rules 2 and 5 say of how schemas are put together."""
    named = schema.pop("$defs", {})
    inline = {name: inner for name, inner in named.items() if _INLINE in inner}
    kept = {name: _composed(inner, inline) for name, inner in named.items() if name not in inline}
    whole = _composed(schema, inline)
    return {**whole, "$defs": kept} if kept else whole


def _composed(schema: Any, inline: Mapping[str, Any]) -> Any:
    """Enums in their places, unions flat and with null last, no titles, and secrets as plain as other strings."""
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name in inline:
        return _composed({**inline[name], **{key: value for key, value in schema.items() if key != "$ref"}}, inline)
    made: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            made[keyword] = {name: _composed(inner, inline) for name, inner in value.items()}
        elif keyword == "prefixItems":
            made[keyword] = [_composed(inner, inline) for inner in value]
        elif keyword == "propertyNames":
            names = _composed(value, inline)
            integer = {"pattern": "^-?(0|[1-9][0-9]*)$"} if names.get("type") == "integer" else {}
            told = {key: inner for key, inner in names.items() if key != "type"} | integer
            made |= {keyword: told} if told else {}
        elif keyword == "anyOf":
            made |= _flat([_composed(inner, inline) for inner in value])
        elif keyword not in ("title", "writeOnly", _INLINE):
            made[keyword] = _composed(value, inline) if keyword in ("items", "additionalProperties") else value
    return made


def _flat(branches: list[Any]) -> dict[str, Any]:
    distinct: list[Any] = []
    for branch in branches:
        for one in branch["anyOf"] if [*branch] == ["anyOf"] else [branch]:
            if not any(json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True) for other in distinct):
                distinct.append(one)
    ordered = [one for one in distinct if one != _NULL] + [one for one in distinct if one == _NULL]
    return ordered[0] if len(ordered) == 1 else {"anyOf": ordered}
