"""What the schemas that the front end makes accept."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from toolc.model import Json, Schema

Scalar: TypeAlias = bool | int | float | str | None

NULL: Schema = {"type": "null"}
_NOTHING: Mapping[str, Json] = MappingProxyType({})


def accepts_null(schema: Schema, named: Mapping[str, Json]) -> bool:
    """Whether null is among the values of a schema that this front end made. `named` are the types it refers to."""
    if "$ref" in schema:
        target = _target(schema, named)
        return target is not None and accepts_null(target, {})
    if not schema.get("type") and "anyOf" not in schema:
        return True
    branches = schema.get("anyOf")
    return schema.get("type") == "null" or (
        isinstance(branches, list)
        and any(isinstance(branch, dict) and accepts_null(branch, named) for branch in branches)
    )


def json_type(value: Scalar) -> str:
    """The JSON type of a scalar."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
    return "string"


def json_types(schema: Schema) -> set[str]:
    """The JSON types a schema names, null apart."""
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return {kind for branch in branches if isinstance(branch, dict) for kind in json_types(branch)}
    kind = schema.get("type")
    return {kind} - {"null"} if isinstance(kind, str) else set()


def fits(value: object, schema: Schema, named: Mapping[str, Json] = _NOTHING) -> bool:
    """Whether a default is of its type, as far as its own kind and the choices tell.

    `named` are the types that the schema refers to.
    """
    target = _target(schema, named)
    if target is not None:
        return fits(value, target)
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return any(isinstance(branch, dict) and fits(value, branch, named) for branch in branches)
    choices = schema.get("enum")
    if isinstance(choices, list) and not any(type(value) is type(choice) and value == choice for choice in choices):
        return False
    match schema.get("type"):
        case "string":
            return isinstance(value, str)
        case "integer":
            return not isinstance(value, bool) and (isinstance(value, int) or _integral(value))
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
    return True


def _integral(value: object) -> bool:
    return isinstance(value, float) and value.is_integer()


def _target(schema: Schema, named: Mapping[str, Json]) -> Schema | None:
    """What a reference leads to; None where there is none, or where it is not compiled yet."""
    reference = schema.get("$ref")
    target = named.get(reference.removeprefix("#/$defs/")) if isinstance(reference, str) else None
    return target if isinstance(target, dict) else None
