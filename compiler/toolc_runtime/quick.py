"""Tell at a glance that arguments are good: a schema and a value go in, True comes out only where that is certain.

A wrapper lives for one call, and loading the whole checker would cost it more than everything else it does. What this
does not know, in a schema or in a value, is left to `arguments.prepare`, which may refuse it or convert it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .jsontext import Json

_SAY_NOTHING = frozenset({"title", "description", "default", "examples", "deprecated", "$comment", "$schema"})
_UNDERSTOOD = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "format"})
# Formats that may be asserted. All others are notes to the model.
ASSERTED = frozenset({"date", "date-time", "duration", "ipv4", "ipv6", "time", "uuid"})
_TYPES = {"string": str, "integer": int, "boolean": bool, "null": type(None), "array": list, "object": dict}
_DEEPEST = 32
_LONGEST_BITS = 1024


def surely_good(schema: Json, value: Json) -> bool:
    """Whether the value certainly satisfies the schema and is passed on as it is. False says nothing."""
    return _is_plain(value, 0) and _is_valid(schema, value, 0)


def _is_plain(value: object, depth: int) -> bool:
    """Whether a value is plain JSON that nothing would be changed in."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, str):
        return type(value) is str and (value.isascii() or _encodes(value))
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int):
        return type(value) is int and value.bit_length() < _LONGEST_BITS
    if isinstance(value, dict):
        return type(value) is dict and all(
            isinstance(key, str) and _is_plain(key, depth) and _is_plain(inner, depth + 1)
            for key, inner in value.items()
        )
    if isinstance(value, list):
        return type(value) is list and all(_is_plain(inner, depth + 1) for inner in value)
    # A whole float may stand for an integer, and infinities are no JSON.
    return type(value) is float and value % 1 > 0


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return True


def _is_valid(schema: Json, value: Json, depth: int) -> bool:
    if not isinstance(schema, dict) or depth > _DEEPEST or schema.keys() - _SAY_NOTHING - _UNDERSTOOD:
        return False
    if "format" in schema and not (isinstance(schema["format"], str) and schema["format"] not in ASSERTED):
        return False
    if "type" in schema and not _has_type(schema["type"], value):
        return False
    if "enum" in schema and not _is_member(schema["enum"], value):
        return False
    if "anyOf" in schema and not _matches_any(schema["anyOf"], value, depth + 1):
        return False
    if isinstance(value, dict):
        return _is_object(schema, value, depth + 1)
    if isinstance(value, list) and "items" in schema:
        return all(_is_valid(schema["items"], inner, depth + 1) for inner in value)
    return True


def _has_type(name: Json, value: Json) -> bool:
    if name == "number":
        return type(value) in (int, float)
    return isinstance(name, str) and name in _TYPES and type(value) is _TYPES[name]


def _is_member(members: Json, value: Json) -> bool:
    # Only strings: to JSON Schema 1 and 1.0 are equal and 1 and true are not, to Python all three are.
    return isinstance(value, str) and isinstance(members, list) and value in members


def _matches_any(branches: Json, value: Json, depth: int) -> bool:
    return isinstance(branches, list) and any(_is_valid(branch, value, depth) for branch in branches)


def _is_object(schema: dict[str, Json], value: dict[str, Json], depth: int) -> bool:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return False
    if any(not isinstance(name, str) or name not in value for name in required):
        return False
    open_ended = schema.get("additionalProperties", True) is True
    for name, inner in value.items():
        if name in properties:
            if not _is_valid(properties[name], inner, depth):
                return False
        elif not open_ended:
            return False
    return True
