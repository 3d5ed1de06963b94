"""Make pairs of schemas, one a mutation of the other, and values that could tell them apart, from a seed.

Nothing here knows how schemas are compared: it reads raw JSON and takes names, bounds and members from both sides.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

Schema = dict[str, Any]

NAMES = ("a", "b", "c", "path", "x1")
PATTERNS = ("^a", "b$", "^[ab]*$", "^x", "^[a-z]{2,3}$", r"\d", "^(a|b)+$")
FORMATS = ("date", "uuid", "ipv4", "email", "duration")
TEXTS = (
    *("", "a", "b", "c", "ab", "aa", "abc", "x", "x1", "1", "aab", "abcd", "path", "Z", "é", "a" * 6),
    *("2024-01-31", "PT5S", "192.0.2.1", "123e4567-e89b-12d3-a456-426614174000", "a@b.co"),
)
SCALARS: tuple[Any, ...] = (None, True, False, 0, 1, 2, -1, 0.5, 1.5, 3, 4, 6, *TEXTS[:6])
NUMBERS: dict[str, tuple[Any, ...]] = {
    "minimum": (-1, 0, 0.5, 1),
    "maximum": (1, 2, 2.5, 6),
    "exclusiveMinimum": (-1, 0),
    "exclusiveMaximum": (3, 6),
    "multipleOf": (1, 2, 3, 0.5),
}
TEXT: dict[str, tuple[Any, ...]] = {
    "minLength": (0, 1, 2),
    "maxLength": (1, 2, 4),
    "pattern": PATTERNS,
    "format": FORMATS,
}
LIMITS = {"string": TEXT, "integer": NUMBERS, "number": NUMBERS}
KINDS = ("string", "integer", "number", "boolean", "null", "array", "object")


class Maker:
    """Makes schemas: mostly what toolc compiles, and now and then everything that JSON Schema has."""

    def __init__(self, seed: int) -> None:
        self.by = random.Random(seed)
        self.wild = 0.12 if seed % 3 else 0.45

    def chance(self, of: float) -> bool:
        return self.by.random() < of

    def root(self) -> Schema:
        """The schema of a tool's arguments, with definitions that it may refer to."""
        schema = self.object(3)
        if self.chance(0.4):
            one = self.object(1)
            tree = {
                "type": "object",
                "properties": {"v": self.schema(1), "next": {"$ref": "#/$defs/tree"}},
                "additionalProperties": False,
            }
            schema["$defs"] = {"one": one, "tree": tree}
            for name in self.by.sample(NAMES, 2):
                schema["properties"][name] = {"$ref": self.by.choice(["#/$defs/one", "#/$defs/tree"])}
        return schema

    def schema(self, depth: int) -> Any:
        if self.chance(0.04):
            return self.by.choice([{}, True, {"description": "anything"}])
        roll = self.by.random()
        if depth <= 0 or roll < 0.5:
            made = self.scalar()
        elif roll < 0.65:
            made = self.object(depth - 1)
        elif roll < 0.78:
            made = self.array(depth - 1)
        elif roll < 0.9:
            made = {"anyOf": [self.schema(depth - 1) for _ in range(self.by.randint(2, 3))]}
            if self.chance(0.5):
                made["anyOf"].append({"type": "null"})
        else:
            made = {"type": self.by.sample(KINDS, self.by.randint(1, 3))}
        if self.chance(self.wild):
            self.add_keyword(made, depth)
        if self.chance(0.1):
            made["default"] = self.by.choice(SCALARS)
        return made

    def scalar(self) -> Schema:
        by = self.by
        kind = by.choice(("string", "string", "integer", "number", "boolean", "enum", "const"))
        if kind == "enum":
            return {"enum": by.sample(SCALARS, by.randint(1, 4))} if self.chance(0.3) else self.listed()
        if kind == "const":
            return {"const": by.choice(SCALARS)}
        made: Schema = {"type": kind}
        for keyword, values in LIMITS.get(kind, {}).items():
            if self.chance(0.17):
                made[keyword] = by.choice(values)
        return made

    def listed(self) -> Schema:
        return {"type": "string", "enum": self.by.sample(("a", "b", "c", "ab"), self.by.randint(1, 3))}

    def object(self, depth: int) -> Schema:
        names = self.by.sample(NAMES, self.by.randint(0, 3))
        made: Schema = {"type": "object", "properties": {name: self.schema(depth - 1) for name in names}}
        needed = [name for name in names if self.chance(0.4)]
        if needed:
            made["required"] = needed
        roll = self.by.random()
        if roll < 0.6:
            made["additionalProperties"] = False
        elif roll < 0.75:
            made["additionalProperties"] = self.schema(depth - 1)
        if self.chance(self.wild):
            self.add_keyword(made, depth)
        return made

    def array(self, depth: int) -> Schema:
        made: Schema = {"type": "array"}
        if self.chance(0.85):
            made["items"] = self.schema(depth - 1)
        if self.chance(0.15):
            made["prefixItems"] = [self.schema(depth - 1) for _ in range(self.by.randint(1, 2))]
        for keyword, values in (("minItems", (0, 1, 2)), ("maxItems", (0, 1, 2, 3)), ("uniqueItems", (True, False))):
            if self.chance(0.15):
                made[keyword] = self.by.choice(values)
        return made

    def add_keyword(self, schema: Schema, depth: int) -> None:
        """One keyword more, of those that a manifest may have."""
        by = self.by

        def below() -> Any:
            return self.schema(depth - 1)

        every: list[tuple[str, Callable[[], Any]]] = [
            ("type", lambda: by.choice(KINDS)),
            ("enum", lambda: by.sample(SCALARS, by.randint(1, 4))),
            ("minimum", lambda: by.choice((0, 1, 1.5))),
            ("maximum", lambda: by.choice((1, 2))),
            ("maxLength", lambda: by.choice((1, 2))),
            ("pattern", lambda: by.choice((*PATTERNS, "(?=a)"))),
            ("required", lambda: by.sample(NAMES, by.randint(1, 2))),
            ("minProperties", lambda: by.randint(0, 2)),
            ("maxProperties", lambda: by.randint(1, 3)),
            ("additionalProperties", lambda: by.choice([True, False, below()])),
            ("patternProperties", lambda: {by.choice(PATTERNS[:4]): below()}),
            ("propertyNames", lambda: {"pattern": by.choice(PATTERNS)}),
            ("dependentRequired", lambda: {by.choice(NAMES): by.sample(NAMES, 1)}),
            ("dependentSchemas", lambda: {by.choice(NAMES): self.object(depth - 1)}),
            ("allOf", lambda: [below() for _ in range(by.randint(1, 2))]),
            ("anyOf", lambda: [below() for _ in range(by.randint(1, 3))]),
            ("oneOf", lambda: [below() for _ in range(by.randint(1, 3))]),
            ("not", below),
            ("contains", below),
            ("unevaluatedProperties", lambda: False),
            ("unevaluatedItems", lambda: False),
            ("deprecated", lambda: True),
        ]
        keyword, make = by.choice(every)
        schema[keyword] = make()
        if self.chance(0.1):
            schema |= {"if": below(), "then": below(), "else": below()}

    # --------------------------------------------------------------------------------------------------- mutations

    def pair(self) -> tuple[Schema, Schema]:
        """A schema and what became of it."""
        old = self.root()
        if self.chance(0.05):
            return old, self.root()
        new = copy.deepcopy(old)
        for _ in range(self.by.choice((1, 1, 1, 2, 3))):
            self.mutate(new)
        return old, new

    def mutate(self, root: Schema) -> None:
        place = self.by.choice(list(subschemas(root)))
        by = self.by
        mutations: list[Callable[[Schema], None]] = [
            self.tweak, self.tweak, self.drop_keyword, self.add_property, self.drop_property, self.toggle_required,
            self.toggle_closed, self.reorder, self.members, self.members, self.branches, self.nullable, self.rename,
            lambda schema: self.add_keyword(schema, 1), lambda schema: self.replace(schema),
        ]  # fmt: skip
        by.choice(mutations)(place)

    def replace(self, schema: Schema) -> None:
        made = self.schema(1)
        if isinstance(made, dict) and "$defs" not in schema:
            schema.clear()
            schema.update(made)

    def tweak(self, schema: Schema) -> None:
        for keyword, value in schema.items():
            if isinstance(value, int | float) and not isinstance(value, bool) and keyword not in ("const", "default"):
                step = self.by.choice((1, -1, 0.5)) if "imum" in keyword.lower() else self.by.choice((1, -1))
                least = 1 if keyword == "multipleOf" else 0
                schema[keyword] = value + step if "imum" in keyword.lower() else max(least, value + step)
                return
        self.add_limit(schema)

    def add_limit(self, schema: Schema) -> None:
        keyword = self.by.choice(("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"))
        schema[keyword] = self.by.choice(PATTERNS) if keyword == "pattern" else self.by.randint(0, 3)

    def drop_keyword(self, schema: Schema) -> None:
        names = [name for name in schema if name != "$defs"]
        if names:
            del schema[self.by.choice(names)]

    def add_property(self, schema: Schema) -> None:
        if isinstance(schema.get("properties"), dict):
            name = self.by.choice(NAMES)
            schema["properties"][name] = self.schema(1)
            if self.chance(0.4):
                schema["required"] = sorted({*schema.get("required", []), name})

    def drop_property(self, schema: Schema) -> None:
        if schema.get("properties"):
            name = self.by.choice(list(schema["properties"]))
            del schema["properties"][name]
            schema["required"] = [other for other in schema.get("required", []) if other != name]

    def toggle_required(self, schema: Schema) -> None:
        name = self.by.choice(list(schema.get("properties") or NAMES))
        schema["required"] = sorted({*schema.get("required", [])} ^ {name})

    def toggle_closed(self, schema: Schema) -> None:
        if schema.pop("additionalProperties", None) is not False or self.chance(0.3):
            schema["additionalProperties"] = self.by.choice([False, False, {"type": "string"}, True])

    def reorder(self, schema: Schema) -> None:
        for keyword in ("properties", "enum", "required", "type", "anyOf"):
            value = schema.get(keyword)
            if isinstance(value, list):
                schema[keyword] = self.by.sample(value, len(value))
            elif isinstance(value, dict):
                schema[keyword] = dict(self.by.sample(list(value.items()), len(value)))

    def members(self, schema: Schema) -> None:
        values = schema.get("enum")
        if isinstance(values, list):
            if len(values) > 1 and self.chance(0.5):
                values.remove(self.by.choice(values))
            else:
                values.append(self.by.choice(SCALARS))
        elif isinstance(schema.get("type"), str):
            schema["type"] = self.by.choice(KINDS)

    def branches(self, schema: Schema) -> None:
        for keyword in ("anyOf", "oneOf", "allOf"):
            if isinstance(schema.get(keyword), list):
                if len(schema[keyword]) > 1 and self.chance(0.5):
                    schema[keyword].pop(self.by.randrange(len(schema[keyword])))
                elif self.chance(0.7):
                    schema[keyword].append(self.schema(1))
                else:
                    schema[self.by.choice(("anyOf", "oneOf"))] = schema.pop(keyword)
                return

    def nullable(self, schema: Schema) -> None:
        if isinstance(schema.get("type"), str) and "enum" not in schema:
            schema["type"] = [schema["type"], "null"]

    def rename(self, schema: Schema) -> None:
        properties = schema.get("properties")
        if properties:
            old, new = self.by.choice(list(properties)), self.by.choice(NAMES)
            if new not in properties:
                schema["properties"] = {new if name == old else name: below for name, below in properties.items()}
                schema["required"] = [new if name == old else name for name in schema.get("required", [])]

    def respelled(self, schema: Any) -> Any:
        """The same schema in other words."""
        if not isinstance(schema, dict):
            return schema if schema is not True or self.chance(0.5) else {}
        made = {name: self._respelled_below(name, value) for name, value in schema.items()}
        if "const" in made and "enum" not in made and self.chance(0.6):
            made["enum"] = [made.pop("const")]
        elif isinstance(made.get("enum"), list) and len(made["enum"]) == 1 and "const" not in made:
            made["const"] = made.pop("enum")[0]
        if isinstance(made.get("type"), list) and "anyOf" not in made and self.chance(0.6):
            made["anyOf"] = [{"type": kind} for kind in made.pop("type")]
        if "required" in made:
            made["required"] = self.by.sample(made["required"], len(made["required"]))
        if made.get("type") == "object" and "additionalProperties" not in made and self.chance(0.5):
            made["additionalProperties"] = True
        for keyword in ("minimum", "maximum", "maxLength"):
            if isinstance(made.get(keyword), int) and self.chance(0.5):
                made[keyword] = float(made[keyword])
        if self.chance(0.3):
            made["description"] = self.by.choice(("a", "b"))
        return made

    def _respelled_below(self, keyword: str, value: Any) -> Any:
        if keyword in ("properties", "$defs", "dependentSchemas", "patternProperties"):
            return {name: self.respelled(below) for name, below in value.items()}
        if keyword in ("anyOf", "allOf", "oneOf", "prefixItems"):
            return [self.respelled(below) for below in value]
        if keyword in ("items", "not", "contains", "if", "then", "else", "propertyNames"):
            return self.respelled(value)
        if keyword == "additionalProperties" and isinstance(value, dict):
            return self.respelled(value)
        return copy.deepcopy(value)


def subschemas(schema: Any) -> Iterator[Schema]:
    """A schema and all below it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs", "dependentSchemas", "patternProperties"):
            for below in value.values():
                yield from subschemas(below)
        elif keyword in ("anyOf", "allOf", "oneOf", "prefixItems"):
            for below in value:
                yield from subschemas(below)
        elif keyword in ("items", "not", "contains", "if", "then", "else", "propertyNames", "additionalProperties"):
            yield from subschemas(value)


# ----------------------------------------------------------------------------------------------------------- values


class Values:
    """Makes values that could tell two schemas apart: names, bounds and members are taken from both."""

    def __init__(self, seed: int, *schemas: Schema) -> None:
        self.by = random.Random(seed)
        self.definitions: Schema = {}
        self.members: list[Any] = []
        self.numbers: list[float] = [0, 1, -1, 0.5]
        self.lengths: set[int] = {0, 1}
        names: dict[str, None] = {}
        for schema in schemas:
            self.definitions |= schema.get("$defs", {})
            for below in subschemas(schema):
                names.update(dict.fromkeys((*below.get("properties", {}), *below.get("required", []))))
                self.members += [*below.get("enum", []), *([below["const"]] if "const" in below else [])]
                for keyword, value in below.items():
                    if isinstance(value, int | float) and not isinstance(value, bool) and keyword != "default":
                        self.numbers += [value, value + 1, value - 1, value + 0.5, value * 2]
                        self.lengths |= {length for length in (int(value), int(value) + 1) if 0 <= length <= 8}
        self.names = [*names, "extra", "aa"]

    def of(self, schema: Any, depth: int = 4) -> Any:
        """A value that mostly satisfies a schema, at an edge of it."""
        by = self.by
        if not isinstance(schema, dict) or not schema or depth <= 0 or by.random() < 0.04:
            return self.any(depth)
        if "$ref" in schema:
            return self.of(self.definitions.get(schema["$ref"].rpartition("/")[2], {}), depth - 1)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum") and by.random() < 0.9:
            return by.choice(schema["enum"])
        for keyword in ("anyOf", "oneOf", "allOf"):
            if schema.get(keyword) and ("type" not in schema or by.random() < 0.5):
                return self.of(by.choice(schema[keyword]), depth)
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = by.choice(kind)
        if kind is None:
            hints = {"properties": "object", "items": "array", "minimum": "number", "maxLength": "string"}
            kind = next((hint for keyword, hint in hints.items() if keyword in schema), None)
        if kind == "object" or (kind is None and "required" in schema):
            return self.object(schema, depth)
        if kind == "array":
            return self.array(schema, depth)
        return self.scalar(kind)

    def object(self, schema: Schema, depth: int) -> dict[str, Any]:
        by = self.by
        declared = schema.get("properties", {})
        keep = by.choice((0.15, 0.5, 0.9))
        made = {}
        for name in dict.fromkeys([*schema.get("required", []), *declared]):
            if by.random() < (0.95 if name in schema.get("required", []) else keep):
                made[name] = self.of(declared.get(name, {}), depth - 1)
        if by.random() < (0.15 if schema.get("additionalProperties") is False else 0.5):
            below = schema.get("additionalProperties")
            made[by.choice(self.names)] = self.of(below, depth - 1) if by.random() < 0.8 else self.any(1)
        return made

    def array(self, schema: Schema, depth: int) -> list[Any]:
        length = self.by.choice([*self.lengths, 2])
        prefix = schema.get("prefixItems", [])
        below = [prefix[i] if i < len(prefix) else schema.get("items", {}) for i in range(length)]
        made = [self.of(one, depth - 1) for one in below]
        return [made[0]] * length if made and self.by.random() < 0.2 else made

    def scalar(self, kind: str | None) -> Any:
        by = self.by
        if kind == "string":
            strings = [value for value in self.members if isinstance(value, str)]
            return by.choice([*TEXTS, *strings, "a" * by.choice(list(self.lengths))])
        if kind == "integer":
            return int(by.choice(self.numbers))
        if kind == "number":
            return by.choice(self.numbers)
        if kind == "boolean":
            return by.random() < 0.5
        return None if kind == "null" else self.any(1)

    def any(self, depth: int) -> Any:
        by = self.by
        roll = by.random()
        if depth > 1 and roll < 0.15:
            return {by.choice(self.names): self.any(depth - 2)}
        if depth > 1 and roll < 0.25:
            return [self.any(depth - 2) for _ in range(by.randint(0, 2))]
        return by.choice([*SCALARS, *self.members, *self.numbers])

    def arguments(self, old: Schema, new: Schema, count: int) -> Iterator[dict[str, Any]]:
        """Argument objects of both schemas, and some in which one value is another."""
        for i in range(count):
            value = self.of((old, new)[i % 3 == 2])
            if isinstance(value, dict):
                yield value
                if value and self.by.random() < 0.3:
                    name = self.by.choice(list(value))
                    yield {**value, name: self.any(3)}
