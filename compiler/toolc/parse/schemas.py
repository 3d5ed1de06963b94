"""Small operations on the schemas that the front end makes: union, enumeration, and what a schema accepts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

from toolc.model import Schema

Scalar: TypeAlias = bool | int | float | str | None

NULL: Schema = {"type": "null"}


def accepts_null(schema: Schema) -> bool:
    """Whether null is among the values of a schema that this module made."""
    if not schema.get("type") and "anyOf" not in schema:
        return True
    branches = schema.get("anyOf")
    return schema.get("type") == "null" or (
        isinstance(branches, list) and any(isinstance(branch, dict) and accepts_null(branch) for branch in branches)
    )


def union(schemas: Sequence[Schema]) -> Schema:
    """What any of the schemas accepts: flat, without repetitions, null last."""
    flat: list[Schema] = []
    for schema in schemas:
        branches = schema.get("anyOf")
        if isinstance(branches, list) and len(schema) == 1:
            flat.extend(branch for branch in branches if isinstance(branch, dict))
        else:
            flat.append(schema)
    distinct: dict[str, Schema] = {}
    for schema in flat:
        distinct.setdefault(json.dumps(schema), schema)
    ordered = [schema for schema in distinct.values() if schema != NULL]
    if len(ordered) < len(distinct):
        ordered.append(NULL)
    return ordered[0] if len(ordered) == 1 else {"anyOf": [*ordered]}


def enumeration(values: Sequence[Scalar]) -> Schema:
    """The schema of some scalars: grouped by type, each group in its order, null last."""
    groups: dict[str, dict[Scalar, None]] = {}  # by type: to Python, True is 1
    for value in values:
        groups.setdefault(_json_type(value), {})[value] = None
    return union([NULL if kind == "null" else {"type": kind, "enum": [*group]} for kind, group in groups.items()])


def _json_type(value: Scalar) -> str:
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


def fits(value: object, schema: Schema) -> bool:
    """Whether a default is of its type, as far as its own kind and the choices tell."""
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return any(isinstance(branch, dict) and fits(value, branch) for branch in branches)
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
