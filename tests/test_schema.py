"""JSON Schema, compiled: what is found, what is said of it, what is refused, and what is not enforced."""

from __future__ import annotations

from typing import Any

import pytest

from toolc_runtime.schema import SchemaError, compile_schema, unenforced

Schema = dict[str, Any]


def problems(schema: object, value: object, *, formats: bool = False) -> list[str]:
    return [str(problem) for problem in compile_schema(schema, formats=formats)(value)]


# ------------------------------------------------------------------------------------------------------ what is said


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        pytest.param({"type": "string"}, 5, "5 is not a string", id="type"),
        pytest.param({"type": "integer"}, True, "true is not an integer", id="a boolean is no integer"),
        pytest.param({"type": ["integer", "null"]}, "x", "'x' is not an integer or null", id="two types"),
        pytest.param({"type": "integer"}, 5.5, "5.5 is not an integer", id="a fraction is no integer"),
        pytest.param({"enum": ["a", "b"]}, "c", "'c' is not one of 'a', 'b'", id="enum"),
        pytest.param({"type": "string", "enum": ["a", "b"]}, 1, "1 is not one of 'a', 'b'", id="enum rather than type"),
        pytest.param({"const": 1}, True, "true is not 1", id="true is not 1"),
        pytest.param({"const": "a", "enum": ["a", "b"]}, "b", "'b' is not 'a'", id="const beside enum"),
        pytest.param({"minimum": 1}, 0, "0 is less than 1", id="minimum"),
        pytest.param({"maximum": 1}, 2, "2 is greater than 1", id="maximum"),
        pytest.param({"exclusiveMinimum": 1}, 1, "1 is not greater than 1", id="exclusive minimum"),
        pytest.param({"exclusiveMaximum": 1}, 1, "1 is not less than 1", id="exclusive maximum"),
        pytest.param({"multipleOf": 5}, 7, "7 is not a multiple of 5", id="multiple"),
        pytest.param({"minLength": 2}, "a", "expected at least 2 characters, got 1", id="min length"),
        pytest.param({"maxLength": 1}, "ab", "expected at most 1 character, got 2", id="max length"),
        pytest.param({"pattern": "^a+$"}, "b", "'b' does not match the pattern ^a+$", id="pattern"),
        pytest.param({"minItems": 2, "maxItems": 2}, [1], "expected 2 items, got 1", id="an exact number"),
        pytest.param(
            {"uniqueItems": True}, [1, 2, 1.0], "items 0 and 2 are equal; no item may be repeated", id="unique"
        ),
        pytest.param({"items": {"type": "integer"}}, [1, "a"], "[1]: 'a' is not an integer", id="an item"),
        pytest.param(
            {"prefixItems": [True], "items": False}, [1, 2], "expected at most 1 item, got 2", id="no more items"
        ),
        pytest.param({"contains": {"type": "null"}}, [1], "expected at least 1 item to be null, got 0", id="contains"),
        pytest.param({"required": ["a"]}, {}, "missing required argument 'a'", id="a missing argument"),
        pytest.param(
            {"properties": {"o": {"required": ["a"]}}}, {"o": {}}, "o: missing required property 'a'", id="deeper"
        ),
        pytest.param(
            {"dependentRequired": {"a": ["b"]}},
            {"a": 1},
            "missing required argument 'b', which 'a' needs",
            id="dependent",
        ),
        pytest.param({"minProperties": 1}, {}, "expected at least 1 argument, got 0", id="min properties"),
        pytest.param(
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            "the name 'ab' is not allowed: expected at most 1 character, got 2",
            id="names",
        ),
        pytest.param(
            {"properties": {"limit": {}}, "additionalProperties": False},
            {"limt": 5},
            "unknown argument 'limt' (did you mean 'limit'?)",
            id="a likely name",
        ),
        pytest.param(
            {"properties": {"a": {}, "b": {}}, "additionalProperties": False},
            {"zzz": 5},
            "unknown argument 'zzz' (known: 'a', 'b')",
            id="no likely name",
        ),
        pytest.param(
            {"additionalProperties": False}, {"x": 1}, "unknown argument 'x' (this tool takes no arguments)", id="none"
        ),
        pytest.param(
            {"unevaluatedProperties": False}, {"x": 1}, "unknown argument 'x' (this tool takes no arguments)", id="rest"
        ),
        pytest.param({"not": {"type": "null"}}, None, "null is not allowed here", id="not"),
        pytest.param(False, 1, "nothing is allowed here", id="false"),
        pytest.param(
            {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "x",
            "'x' is not an integer or null",
            id="union of types",
        ),
        pytest.param(
            {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
            ["a"],
            "[0]: 'a' is not an integer",
            id="the branch of the right type",
        ),
        pytest.param(
            {
                "oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}},
                    {
                        "type": "object",
                        "properties": {"kind": {"const": "b"}, "y": {}, "z": {}},
                        "required": ["y", "z"],
                    },
                ]
            },
            {"kind": "b", "z": 1},
            "missing required argument 'y'",
            id="the branch with the right tag",
        ),
        pytest.param(
            {"oneOf": [{"type": "integer"}, {"minimum": 1}]},
            2,
            "2 fits 2 of 2 forms; exactly one may fit",
            id="too many",
        ),
        pytest.param({"if": {"minimum": 5}, "then": {"maximum": 6}}, 7, "7 is greater than 6", id="then"),
        pytest.param({"if": {"minimum": 5}, "else": {"maximum": 2}}, 3, "3 is greater than 2", id="else"),
        pytest.param(
            {"properties": {"a b": {"type": "null"}}}, {"a b": 1}, "['a b']: 1 is not null", id="a name that is no word"
        ),
        pytest.param(
            {"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}, 1, "1 is not null", id="through a reference"
        ),
    ],
)
def test_a_problem_says_what_is_so(schema: object, value: object, said: str) -> None:
    assert problems(schema, value) == [said]


def test_every_problem_is_told_in_one_answer() -> None:
    schema = {
        "properties": {"a": {"type": "integer"}, "b": {"items": {"type": "string"}}, "c": {"minLength": 2}},
        "required": ["d"],
        "additionalProperties": False,
    }
    assert problems(schema, {"a": "x", "b": [1, "y", 2], "c": "", "e": 0}) == [
        "missing required argument 'd'",
        "a: 'x' is not an integer",
        "b[0]: 1 is not a string",
        "b[2]: 2 is not a string",
        "c: expected at least 2 characters, got 0",
        "unknown argument 'e' (known: 'a', 'b', 'c')",
    ]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("secret-" * 1000, id="a long string"),
        pytest.param(10**4000, id="a huge integer"),
        pytest.param(0.12345678901234567, id="a long fraction"),
        pytest.param([["secret"] * 100] * 100, id="a large array"),
        pytest.param({"secret" * 100: 1}, id="a large object"),
    ],
)
def test_a_value_is_shown_in_a_few_characters(value: object) -> None:
    for schema in (
        {"type": "null"},
        {"enum": ["a"]},
        {"not": True},
        {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
    ):
        (said,) = problems(schema, value)
        assert len(said) < 60
        assert "secret-s" not in said


def test_a_long_name_is_cut_where_it_is_shown() -> None:
    name = "n" * 100_000
    said = problems({"properties": {"a": {}}, "additionalProperties": False}, {name: 1})
    said += problems({"additionalProperties": {"type": "null"}}, {name: 1})
    assert [len(line) < 100 for line in said] == [True, True]


# -------------------------------------------------------------------------------------------------- what is refused


def nested(depth: int) -> Schema:
    schema: Schema = {}
    for _ in range(depth):
        schema = {"properties": {"a": schema}}
    return schema


def doubling(steps: int) -> Schema:
    definitions: Schema = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(steps)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{steps}": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "pointer", "words"),
    [
        pytest.param({"$ref": "#"}, (), "refers back to itself", id="a reference to itself"),
        pytest.param(
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            ("$defs", "a"),
            "refers back to itself",
            id="a circle of two",
        ),
        pytest.param(
            {
                "properties": {"x": {"$ref": "#/$defs/b"}},
                "allOf": [{"$ref": "#/$defs/b"}],
                "$defs": {"b": {"not": {"$ref": "#"}}},
            },
            (),
            "refers back to itself",
            id="a circle that is found only from its second entry",
        ),
        pytest.param({"$ref": "#/$defs/x"}, ("$ref",), "'#/$defs/x', which is not in this schema", id="nothing there"),
        pytest.param({"$ref": "#x"}, ("$ref",), "not in this schema", id="no such anchor"),
        pytest.param({"$ref": "http://evil.example/s"}, ("$ref",), "outside this schema", id="a web address"),
        pytest.param({"$ref": "file:///etc/passwd"}, ("$ref",), "outside this schema", id="a file"),
        pytest.param({"$ref": "http://["}, ("$ref",), "outside this schema", id="no URI at all"),
        pytest.param({"$ref": 5}, ("$ref",), "is not a string", id="a reference that is no string"),
        pytest.param({"$dynamicRef": "#x"}, ("$dynamicRef",), "write `$ref`", id="dynamic reference"),
        pytest.param({"$schema": "http://x/y"}, ("$schema",), "not JSON Schema's own", id="custom metaschema"),
        pytest.param({"$id": "#x"}, ("$id",), "not a URI", id="identifier with a fragment"),
        pytest.param({"type": "float"}, ("type",), "is none of the types", id="unknown type"),
        pytest.param({"type": []}, ("type",), "is none of the types", id="no type"),
        pytest.param({"type": None}, ("type",), "is not a list of strings", id="null for a type"),
        pytest.param({"properties": []}, ("properties",), "is not an object", id="a list of properties"),
        pytest.param({"properties": {"a/b": 1}}, ("properties", "a/b"), "is not a schema", id="a number for a schema"),
        pytest.param({"required": "a"}, ("required",), "is not a list of strings", id="required is a string"),
        pytest.param({"items": [{}]}, ("items",), "writes `prefixItems`", id="a list of items"),
        pytest.param({"anyOf": []}, ("anyOf",), "is not a list of schemas", id="an empty union"),
        pytest.param({"minimum": "1"}, ("minimum",), "is not a number", id="a bound that is no number"),
        pytest.param({"minimum": float("nan")}, ("minimum",), "is not a number", id="NaN"),
        pytest.param({"exclusiveMinimum": True}, ("exclusiveMinimum",), "is not a number", id="draft 4's form"),
        pytest.param({"multipleOf": 0}, ("multipleOf",), "above 0", id="multiple of 0"),
        pytest.param({"minLength": -1}, ("minLength",), "is not a whole number", id="negative length"),
        pytest.param({"maxItems": 1.5}, ("maxItems",), "is not a whole number", id="a fraction of an item"),
        pytest.param({"uniqueItems": 1}, ("uniqueItems",), "`true` or `false`", id="1 for true"),
        pytest.param({"enum": "ab"}, ("enum",), "is not a list", id="enum is a string"),
        pytest.param({"pattern": "["}, ("pattern",), "is no regular expression", id="a broken pattern"),
        pytest.param({"patternProperties": {"(": {}}}, ("patternProperties", "("), "is no regular", id="a broken name"),
        pytest.param({"$defs": {"a": 1}}, ("$defs", "a"), "is not a schema", id="a definition that is none"),
        pytest.param(
            {"properties": {str(i): {} for i in range(100_000)}}, (), "more than 10,000", id="100,000 properties"
        ),
        pytest.param({"enum": [*range(1_000_000)]}, ("enum",), "more than 10,000 members", id="a million members"),
        pytest.param([], (), "is not a schema", id="a list"),
        pytest.param(None, (), "is not a schema", id="null"),
    ],
)
def test_what_is_not_compiled_is_refused_at_its_place(schema: object, pointer: tuple[str, ...], words: str) -> None:
    with pytest.raises(SchemaError) as caught:
        compile_schema(schema)
    assert caught.value.pointer == pointer
    assert words in caught.value.message


@pytest.mark.parametrize("schema", [nested(65), nested(100_000), doubling(40)], ids=["deep", "very deep", "doubling"])
def test_a_schema_that_would_take_too_long_is_refused(schema: Schema) -> None:
    with pytest.raises(SchemaError, match=r"levels deep|references are written out"):
        compile_schema(schema)


def test_a_refusal_spells_its_place_as_a_pointer() -> None:
    with pytest.raises(SchemaError, match=r"^#/properties/a~1b~0: is not a schema"):
        compile_schema({"properties": {"a/b~": 1}})


def test_a_deep_schema_within_the_limit_is_compiled() -> None:
    value: Schema = {}
    for _ in range(64):
        value = {"a": value}
    assert problems(nested(64), value) == []


def test_draft_7_in_schema_is_read_as_2020_12() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": "#/definitions/a",
        "definitions": {"a": False},
    }
    assert problems(schema, 1) == ["nothing is allowed here"]


# -------------------------------------------------------------------------------------------------------- references


def test_a_recursive_schema_follows_the_value() -> None:
    tree = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}, "required": ["v"]}
    assert problems(tree, {"v": 1, "kids": [{"v": 2, "kids": [{"v": 3}]}]}) == []
    assert problems(tree, {"v": 1, "kids": [{"v": 2}, {"kids": [{"v": 4}, {}]}]}) == [
        "kids[1]: missing required property 'v'",
        "kids[1].kids[1]: missing required property 'v'",
    ]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_branches_that_go_down_the_same_reference_do_not_double_the_work_at_each_level(keyword: str) -> None:
    """60 levels of two branches each are 2**60 steps, for whoever takes them all: this test would not end."""
    down = {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}
    schema = {"anyOf": [{"type": "null"}, {keyword: [down, {**down, "maxProperties": 1}]}]}
    good: object = None
    bad: object = 1
    for _ in range(60):
        good, bad = {"a": good}, {"a": bad}
    assert bool(problems(schema, good)) == (keyword == "oneOf")
    assert problems(schema, bad)


def test_a_value_nested_beyond_the_interpreter_is_a_problem() -> None:
    value: object = None
    for _ in range(100_000):
        value = {"a": value}
    assert problems({"properties": {"a": {"$ref": "#"}}}, value) == ["is nested too deeply to be checked"]
    while isinstance(value, dict):  # taken apart step by step: some interpreters free deep values by recursion
        value = value["a"]


# ---------------------------------------------------------------------------------------------- leniency of patterns

UNSAFE = "^(a+)+$"


@pytest.mark.parametrize(
    ("schema", "accepted"),
    [
        pytest.param({"pattern": UNSAFE}, "b", id="the pattern itself"),
        pytest.param({"not": {"pattern": UNSAFE}}, "b", id="its negation"),
        pytest.param({"not": {"not": {"pattern": UNSAFE}}}, "b", id="the negation of that"),
        pytest.param({"oneOf": [{"pattern": UNSAFE}, {"type": "string"}]}, "b", id="one of two"),
        pytest.param({"if": {"pattern": UNSAFE}, "then": False}, "b", id="a condition"),
        pytest.param({"contains": {"pattern": UNSAFE}, "maxContains": 0, "minContains": 0}, ["b"], id="at most none"),
        pytest.param({"patternProperties": {UNSAFE: False}}, {"b": 1}, id="a name"),
        pytest.param(
            {"patternProperties": {UNSAFE: {}}, "additionalProperties": False}, {"b": 1}, id="no name but such"
        ),
        pytest.param(
            {"patternProperties": {UNSAFE: {}}, "unevaluatedProperties": False}, {"b": 1}, id="nothing left over"
        ),
        pytest.param(
            {
                "not": {"$ref": "#/$defs/a"},
                "$defs": {"a": {"items": {"anyOf": [{"pattern": UNSAFE}, {"$ref": "#/$defs/a"}]}}},
            },
            ["b"],
            id="through a recursive reference",
        ),
    ],
)
def test_nothing_is_concluded_from_a_pattern_that_is_not_enforced(schema: Schema, accepted: object) -> None:
    assert problems(schema, accepted) == []
    assert len(unenforced(schema)) == 1


def test_what_is_not_enforced_is_named_by_its_place() -> None:
    schema = {"properties": {"b": {"pattern": "(?=x)"}, "a": {"pattern": UNSAFE}, "c": {"pattern": "^[a-z]+$"}}}
    assert unenforced(schema) == [
        (("properties", "a", "pattern"), "can take exponential time"),
        (("properties", "b", "pattern"), "looks ahead or behind"),
    ]


# ----------------------------------------------------------------------------------------------------------- formats


@pytest.mark.parametrize(
    ("keywords", "good", "bad"),
    [
        pytest.param({"format": "date"}, ["2024-02-29"], ["2023-02-29", "2024-2-1", "0000-01-01", "x"], id="date"),
        pytest.param({"format": "time"}, ["10:00:00", "23:59:59.5Z", "01:02:03+02:00"], ["24:00:00", "1:2"], id="time"),
        pytest.param(
            {"format": "date-time"},
            ["2024-01-05T10:00:00", "2024-01-05 10:00:00Z", "2024-01-05T10:00:00.123-05:00"],
            ["2024-01-05", "2024-02-30T10:00:00Z"],
            id="date-time",
        ),
        pytest.param({"format": "duration"}, ["PT90S", "P1DT2H", "P2W"], ["P", "PT", "90s", "P1H"], id="duration"),
        pytest.param(
            {"format": "uuid"},
            ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
            ["2eb8aa08aa9811eab4aa73b441d16380"],
            id="uuid",
        ),
        pytest.param({"format": "ipv4"}, ["127.0.0.1"], ["127.0.0.01", "256.0.0.1", "1.2.3"], id="ipv4"),
        pytest.param({"format": "ipv6"}, ["::1"], ["::1%eth0", "12345::", "127.0.0.1"], id="ipv6"),
        pytest.param({"contentEncoding": "base64"}, ["", "aGk="], ["aGk", "a===", "h!"], id="base64"),
    ],
)
def test_a_format_is_asserted_where_that_is_asked_for(keywords: Schema, good: list[str], bad: list[str]) -> None:
    for value in [*good, 5]:
        assert problems(keywords, value, formats=True) == [], value
    for value in [*bad, good[0] + "\n", "9" * 100_001]:
        assert problems(keywords, value, formats=True), value[:40]
        assert problems(keywords, value) == [], "an annotation, unless asked for"


@pytest.mark.parametrize("name", ["email", "uri", "path", "regex", "password", "no-such-format"])
def test_other_formats_are_notes_to_the_model(name: str) -> None:
    assert problems({"format": name}, "\0", formats=True) == []


# --------------------------------------------------------------------------------------------------------- multiples


@pytest.mark.parametrize(
    ("value", "divisor", "is_multiple"),
    [
        pytest.param(0.3, 0.1, True, id="as written, not as stored"),
        pytest.param(4.5, 1.5, True, id="fractions"),
        pytest.param(1e308, 0.5, True, id="large"),
        pytest.param(1e308, 3, False, id="large and not"),
        pytest.param(10**400, 7, False, id="beyond floats"),
        pytest.param(10**400 + 1, 0.5, True, id="beyond floats, of a fraction"),
        pytest.param(0, 0.1, True, id="zero"),
    ],
)
def test_multiples_are_decided_exactly(value: float, divisor: float, is_multiple: bool) -> None:
    assert (problems({"multipleOf": divisor}, value) == []) == is_multiple
