"""A law: before any repair, a value is accepted exactly where `jsonschema` accepts it."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolc_runtime.schema import compile_schema

Schema = dict[str, Any]

NAMES = st.sampled_from(["a", "b", "ab", "c"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, 1.0, 1.5, -2.5, 1e30]),
    st.sampled_from(["", "a", "b", "ab", "a1", "é", "\U0001f600"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
PATTERNS = st.sampled_from(["^a", "b$", "^[ab]*$", "a|1", r"\d", "^$", "^(a|b1)+$", "."])
COUNTS = st.integers(0, 3)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
REFERENCES = st.sampled_from(["#/$defs/one", "#/$defs/two", "#/$defs/list"])


def keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    some = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    every: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "exclusiveMinimum": st.sampled_from([-1, 0.5]),
        "exclusiveMaximum": st.sampled_from([1, 1.5]),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": COUNTS,
        "maxLength": COUNTS,
        "pattern": PATTERNS,
        "minItems": COUNTS,
        "maxItems": COUNTS,
        "uniqueItems": st.booleans(),
        "prefixItems": some,
        "items": inner,
        "contains": inner,
        "minContains": COUNTS,
        "maxContains": COUNTS,
        "unevaluatedItems": inner,
        "properties": named,
        "required": st.lists(NAMES, max_size=2, unique=True),
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        "propertyNames": inner,
        "minProperties": COUNTS,
        "maxProperties": COUNTS,
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2),
        "dependentSchemas": named,
        "unevaluatedProperties": inner,
        "allOf": some,
        "anyOf": some,
        "oneOf": some,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "$ref": REFERENCES,
    }
    chosen = st.lists(st.sampled_from(sorted(every)), max_size=4, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: every[name] for name in names}))


SUBSCHEMAS = st.recursive(st.booleans() | TYPES.map(lambda name: {"type": name}), keywords, max_leaves=6)
SCHEMAS = keywords(SUBSCHEMAS).map(
    lambda schema: {
        **schema,
        "$defs": {
            "one": {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
            "two": {"anyOf": [{"$ref": "#/$defs/one"}, {"type": "string"}]},
            "list": {"items": {"$ref": "#/$defs/list"}, "maxItems": 2},
        },
    }
)


@settings(deadline=None, max_examples=400)
@given(SCHEMAS, st.lists(VALUES, min_size=3, max_size=3))
def test_a_value_is_accepted_exactly_where_jsonschema_accepts_it(schema: Schema, values: list[object]) -> None:
    check = compile_schema(schema)
    oracle = Draft202012Validator(schema)
    for value in values:
        found = check(value)
        assert (not found) == oracle.is_valid(value), (value, found)
        assert len(set(found)) == len(found)


@settings(deadline=None)
@given(SCHEMAS, VALUES, st.randoms(use_true_random=False))
def test_the_order_of_keywords_and_properties_does_not_matter(schema: Schema, value: object, by: random.Random) -> None:
    def shuffled(item: object) -> object:
        if isinstance(item, dict):
            names = list(item)
            by.shuffle(names)
            return {name: shuffled(item[name]) for name in names}
        return [shuffled(inner) for inner in item] if isinstance(item, list) else item

    assert bool(compile_schema(schema)(value)) == bool(compile_schema(shuffled(schema))(shuffled(value)))


@settings(deadline=None)
@given(VALUES, st.integers(0, 3))
def test_a_recursive_union_agrees_with_jsonschema(value: object, limit: int) -> None:
    schema = {
        "$ref": "#/$defs/json",
        "$defs": {
            "json": {
                "anyOf": [
                    {"type": ["integer", "null"]},
                    {"type": "array", "items": {"$ref": "#/$defs/json"}, "maxItems": limit},
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/json"}},
                ]
            }
        },
    }
    assert (not compile_schema(schema)(value)) == Draft202012Validator(schema).is_valid(value)
