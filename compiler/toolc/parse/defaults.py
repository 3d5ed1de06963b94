"""Defaults: an expression goes in, the JSON that a schema shows for it comes out, or why it shows none."""

from __future__ import annotations

import ast
from base64 import b64encode
from collections.abc import Mapping

from toolc.model import Json, Schema
from toolc.parse.constants import fold, is_json
from toolc.parse.library import Library, Loaded
from toolc.parse.schemas import fits
from toolc.parse.typed import Type

# Keywords that say no more of a scalar than `fits` has looked at, and no more of what is empty.
_OF_SCALARS = frozenset({"contentEncoding", "deprecated", "description", "enum", "examples", "format", "type"})
_OF_ITEMS = frozenset({"additionalProperties", "items", "propertyNames", "uniqueItems"})


class NotJson(Exception):
    """The value of a default has no form in JSON."""


class OfAnotherType(Exception):
    """The default is not of its type."""


def static_default(node: ast.expr, home: Loaded, library: Library, compiled: Type, named: Mapping[str, Json]) -> Json:
    """The default as JSON. `named` are the types that the schema refers to.

    Raises `NotStatic`, `NotJson` or `OfAnotherType`.
    """
    value = _spelled(fold(node, home, library), compiled)
    if not is_json(value):
        raise NotJson
    if not fits(value, compiled.schema, named) or not _accepted(value, compiled.schema, named):
        raise OfAnotherType
    return value


def _accepted(value: Json, schema: Schema, named: Mapping[str, Json]) -> bool:
    """Whether a call could give the default: what its kind alone does not tell, bounds and items, the runtime does."""
    if _is_settled(value, schema):
        return True
    from toolc_runtime.schema import SchemaError, compile_schema

    try:
        return not compile_schema({**schema, "$defs": dict(named)})(value)
    except SchemaError:  # it refers to a type that is not complete yet, or is told to be wrong by itself
        return True


def _is_settled(value: Json, schema: Schema) -> bool:
    """Whether `fits` has looked at all that a schema says of such a value."""
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return all(isinstance(branch, dict) and _is_settled(value, branch) for branch in branches)
    return schema.keys() <= (_OF_SCALARS | _OF_ITEMS if value in ([], {}) else _OF_SCALARS)


def _spelled(value: object, compiled: Type) -> object:
    """The value as a model would send it."""
    kinds = {kind for pointer, kind in compiled.conversions.items() if pointer.count("/") in (0, 2)}
    if isinstance(value, bytes) and "bytes" in kinds:
        return b64encode(value).decode("ascii")
    if isinstance(value, tuple) and kinds & {"deque", "frozenset", "set", "tuple"}:
        return [_spelled(item, compiled) for item in value]
    return value
