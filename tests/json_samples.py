"""JSON values at random, by a schema: valid ones, and ones with a mistake somewhere."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from random import Random
from typing import Any

_TEXTS = {
    "date": ["2024-01-31", "1999-12-01"],
    "date-time": ["2024-01-05T10:00:00Z", "2024-01-05T10:00:00.250000+02:00"],
    "time": ["10:30:00", "23:59:59.500000"],
    "duration": ["PT90S", "P1DT2H", "-PT0.5S", "P2W"],
    "uuid": ["12345678-1234-5678-1234-567812345678"],
    "path": ["a/b.txt", "/tmp", "."],
    "ipv4": ["10.0.0.1"],
    "ipv6network": ["2001:db8::/32"],
    "regex": ["^a+$"],
    "password": ["secret"],
}
_PLAIN = ["", "x", "red", "5", "true", "null", "[1]", "naïve ☃", "abcdef", " 7 ", "2024-01-31", "a" * 9]
_PATTERNS = {"^[a-z]+$": ["abc", "z"], "^x": ["x", "xyz"], "^-?(0|[1-9][0-9]*)$": ["0", "-12", "7"]}
_MISTAKES: list[Any] = [
    None, True, False, 0, 1, -7, 3.5, 5.0, 10**20, "", "5", "5.0", "true", "yes", "null", "x", "red", "2024-02-30",
    "2024-01-05T10:00:00", "P", "[]", "{}", [], [None], ["a", "a"], [1, 1.0], {}, {"a": 1}, {"name": 1}, "aGk=",
]  # fmt: skip
_NUMBERS: list[Any] = ["5", "5.0", " 7 "]  # texts that are times to pydantic, and not to RFC 3339
_REPEATING: list[Any] = [["a", "a"], [1, 1.0]]  # of which a set is made where nothing else will do
_TIMES = ("date", "date-time", "time", "duration")
_DEPTH = 5


def valid(schema: Mapping[str, Any], random: Random) -> Any:
    """A value that satisfies a schema, as far as it can be told from one keyword at a time."""
    return _Sampler(schema, random).of(schema, 0)


def with_a_mistake(value: Any, schema: Mapping[str, Any], random: Random) -> Any:
    """The value with something else somewhere in it, which may be as good."""
    mistakes = _clear(_MISTAKES, schema)
    changed = copy.deepcopy(value)
    holders = [holder for holder in _holders(changed) if holder]
    if not holders:
        return {"extra": 1}
    holder = random.choice(holders)
    place = random.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
    match random.randrange(6):
        case 0:
            del holder[place]
        case 1 if isinstance(holder, list) and _REPEATING[0] in mistakes:
            holder.append(holder[place])
        case _:
            holder[place] = copy.deepcopy(random.choice(mistakes))
    return changed


def _clear(values: list[Any], schema: Mapping[str, Any]) -> list[Any]:
    """The values that mean the same to all readers of a schema."""
    text = json.dumps(schema)
    unclear = _NUMBERS if any(f'"format": "{name}"' in text for name in _TIMES) else []
    if '"uniqueItems"' in text and '"anyOf"' in text:
        unclear = unclear + _REPEATING
    kept = [value for value in values if value not in unclear]
    if '"anyOf"' in text:  # which branch `5.0` is for depends on whether it is an integer, as it is to JSON Schema
        kept = [value for value in kept if not isinstance(value, float) or not value.is_integer()]
    if '"enum"' in text and '"integer"' in text:  # to Python, a member 1 is True
        kept = [value for value in kept if not isinstance(value, bool)]
    return kept


def _holders(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(holder for inner in value.values() for holder in _holders(inner))]
    if isinstance(value, list):
        return [value, *(holder for inner in value for holder in _holders(inner))]
    return []


class _Sampler:
    def __init__(self, document: Mapping[str, Any], random: Random) -> None:
        self.named = document.get("$defs", {})
        self.random = random
        self.has_unions = '"anyOf"' in json.dumps(document)
        self.has_durations = '"format": "duration"' in json.dumps(document)
        self.plain = _clear(_PLAIN, document)

    def of(self, schema: Any, depth: int) -> Any:
        if schema is True or not schema:
            return self.random.choice([None, True, 3, 0.5, "x", [1], {"a": None}])
        if "$ref" in schema:
            return self.of(self.named[schema["$ref"].removeprefix("#/$defs/")], depth)
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        if "anyOf" in schema:
            branches = schema["anyOf"] if depth < _DEPTH else schema["anyOf"][-1:]
            return self.of(self.random.choice(branches), depth)
        match schema.get("type"):
            case "string":
                return self.text(schema)
            case "integer":
                return self.number(schema, whole=True)
            case "number":
                return self.number(schema, whole=self.random.random() < 0.3)
            case "boolean":
                return self.random.random() < 0.5
            case "array":
                return self.array(schema, depth + 1)
            case "object":
                return self.object(schema, depth + 1)
            case "null":
                return None
        return self.of(True, depth)

    def text(self, schema: Any) -> str:
        low, high = schema.get("minLength", 0), schema.get("maxLength", 100)
        fitting = [text for text in self.texts(schema) if low <= len(text) <= high]
        return self.random.choice(fitting) if fitting else "x" * int(low)

    def texts(self, schema: Mapping[str, Any]) -> list[str]:
        if "contentEncoding" in schema:
            return ["", "aGk=", "AAAA"]
        if schema.get("format") == "time" and self.has_durations:
            return ["10:30:00Z"]  # one without an offset is a duration to pydantic
        if "format" in schema:
            return _TEXTS[schema["format"]]
        return _PATTERNS[schema["pattern"]] if "pattern" in schema else self.plain

    def number(self, schema: Any, *, whole: bool) -> float:
        step = schema.get("multipleOf", 1 if whole else 0.25)
        low = schema.get("minimum", schema.get("exclusiveMinimum", -50))
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 60))
        low = min(low, high - 60) if "minimum" not in schema and "exclusiveMinimum" not in schema else low
        fitting = [
            count * step
            for count in range(int(low / step) - 1, int(high / step) + 2)
            if low <= count * step <= high
            and count * step != schema.get("exclusiveMinimum")
            and count * step != schema.get("exclusiveMaximum")
        ]
        value = self.random.choice(fitting)
        return int(value) if (whole or self.has_unions) and value == int(value) else value

    def array(self, schema: Any, depth: int) -> list[Any]:
        items = [self.of(inner, depth) for inner in schema.get("prefixItems", [])]
        if "prefixItems" in schema or schema.get("maxItems") == 0:
            return items
        low = schema.get("minItems", 0)
        high = min(schema.get("maxItems", low + 3), low + (3 if depth < _DEPTH else 0))
        items = [self.of(schema.get("items", {}), depth) for _ in range(self.random.randint(low, high))]
        return [item for i, item in enumerate(items) if item not in items[:i]] if schema.get("uniqueItems") else items

    def object(self, schema: Any, depth: int) -> dict[str, Any]:
        required, share = schema.get("required", []), 0.5 if depth < _DEPTH else 0
        made = {
            name: self.of(inner, depth)
            for name, inner in schema.get("properties", {}).items()
            if name in required or self.random.random() < share
        }
        additional = schema.get("additionalProperties", False)
        if additional is not False and depth < _DEPTH:
            names = schema.get("propertyNames", {})
            for _ in range(self.random.randrange(3)):
                made[self.text(names) if "enum" not in names else self.random.choice(names["enum"])] = self.of(
                    additional, depth
                )
        return made
