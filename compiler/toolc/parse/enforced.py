"""What of a schema the runtime does not check: a compiled schema goes in, the places and the reasons come out.

Only what a source states word by word, a pattern or the keywords of `json_schema_extra`, can be such a thing: the rest
toolc has written itself, and it is not looked at again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolc.model import Json, Schema
from toolc.parse.tables import NAMES

# What this front end writes, beside patterns and references, and the values that it gives them.
_WRITTEN: Mapping[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("contentEncoding", "description", "format", "type"), str),
    **dict.fromkeys(("maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"), int),
    **dict.fromkeys(("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"), (int, float)),
    **dict.fromkeys(("anyOf", "enum", "examples", "prefixItems", "required"), list),
    **dict.fromkeys(("items", "properties", "propertyNames"), dict),
    **dict.fromkeys(("deprecated", "uniqueItems"), bool),
    "additionalProperties": (bool, dict),
    "default": object,
}
_DATA = frozenset({"default", "enum", "examples"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What is not checked, or `refused` where for its sake nothing could be."""

    pointer: tuple[str | int, ...]
    message: str  # how a sentence that begins with the keyword goes on
    refused: bool

    @property
    def keyword(self) -> str:
        """The last step of the place, most often a keyword."""
        return str(self.pointer[-1]) if self.pointer else "type"


def complaints(schema: Schema) -> list[Complaint]:
    """What the runtime would say of the schema of a tool's input: each property is looked at by itself."""
    properties, named = schema["properties"], schema.get("$defs", {})
    assert isinstance(properties, dict) and isinstance(named, dict), "the input of a tool is an object"
    found = _complaints({"$defs": named}) if any(_states(inner) for inner in named.values()) else []
    parts: list[Schema] = [{"properties": {name: inner}} for name, inner in properties.items() if _states(inner)]
    if _states(schema["additionalProperties"]):
        parts.append({"additionalProperties": schema["additionalProperties"]})
    for part in parts:
        # What is wrong with a named type has been said of it.
        said = _complaints({**part, "$defs": named})
        found.extend(complaint for complaint in said if complaint.pointer[:1] != ("$defs",))
    return found


def _complaints(schema: Schema) -> list[Complaint]:
    from toolc_runtime.schema import SchemaError, unenforced

    try:
        found = unenforced(schema)
    except SchemaError as error:
        return [Complaint(pointer=error.pointer, message=error.message, refused=True)]
    except RecursionError:
        return [Complaint(pointer=(), message="is nested too deep", refused=True)]
    return [Complaint(pointer=pointer, message=reason, refused=False) for pointer, reason in found]


def _states(schema: Json) -> bool:
    """Whether a schema has keywords that its source states word by word."""
    if not isinstance(schema, dict):
        return isinstance(schema, list) and any(_states(inner) for inner in schema)
    if schema in NAMES.values():
        return False
    for keyword, value in schema.items():
        if keyword == "properties":
            if isinstance(value, dict) and any(_states(inner) for inner in value.values()):
                return True
        elif keyword == "$ref":
            if not str(value).startswith("#/$defs/"):
                return True
        elif not isinstance(value, _WRITTEN.get(keyword, ())) or (keyword not in _DATA and _states(value)):
            return True
    return False
