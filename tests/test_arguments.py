"""The arguments of a call: in whatever form they came, checked, repaired without loss, or refused in words."""

from __future__ import annotations

import enum
import json
from collections import OrderedDict, UserDict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolc_runtime.arguments import DEPTH_LIMIT, Prepared, prepare
from toolc_runtime.schema import compile_schema

Schema = dict[str, Any]

CALLS = Path(__file__).parent / "data/argument-calls.jsonl"


def call(schema: Schema, arguments: object) -> Prepared:
    return prepare(compile_schema(schema, formats=True), schema, arguments)


def said(schema: Schema, arguments: object) -> list[str]:
    return [str(problem) for problem in call(schema, arguments).problems]


def one(schema: Schema, *, required: bool = True) -> Schema:
    """A schema of one argument, `x`."""
    return {
        "type": "object",
        "properties": {"x": schema},
        "required": ["x"] if required else [],
        "additionalProperties": False,
    }


def exactly(value: object) -> str:
    """The value with its types: 5, 5.0 and true are three."""
    return json.dumps(value, sort_keys=True)


# -------------------------------------------------------------------------------------------------- the calls' table


def calls() -> list[Any]:
    tools = [json.loads(line) for line in CALLS.read_text(encoding="utf-8").splitlines()]
    return [
        pytest.param(tool["schema"], case, id=f"{tool['id']}: {json.dumps(case['given'])}")
        for tool in tools
        for case in tool["calls"]
    ]


@pytest.mark.parametrize(("schema", "case"), calls())
def test_a_call_of_the_table_comes_out_as_it_says(schema: Schema, case: dict[str, Any]) -> None:
    prepared = call(schema, case["given"])
    assert [str(problem) for problem in prepared.problems] == case.get("problems", [])
    if "arguments" in case:
        assert prepared.arguments == case["arguments"]


# ------------------------------------------------------------------------------------------------- the whole argument

QUERY: Schema = {"type": "object", "properties": {"query": {"type": "string"}, "n": {"type": "integer"}}}


@pytest.mark.parametrize("nothing", [None, "", " \n", "null", "{}", {}], ids=repr)
def test_nothing_is_an_empty_object(nothing: object) -> None:
    assert call(QUERY, nothing).arguments == {}
    assert said(QUERY, nothing) == []


@pytest.mark.parametrize(
    "given_",
    [
        pytest.param('{"query": "x", "n": 5}', id="JSON text"),
        pytest.param(' {"n":5,"query":"x"}\n', id="JSON text among blanks"),
        pytest.param({"query": "x", "n": 5}, id="a dict"),
        pytest.param(OrderedDict(query="x", n=5), id="an ordered dict"),
        pytest.param(UserDict(query="x", n=5), id="a mapping"),
        pytest.param(MappingProxyType({"query": "x", "n": 5}), id="a view of a mapping"),
    ],
)
def test_arguments_come_as_text_or_as_a_mapping(given_: object) -> None:
    prepared = call(QUERY, given_)
    assert prepared.problems == []
    assert prepared.arguments == {"query": "x", "n": 5}
    assert type(prepared.arguments) is dict


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        pytest.param([1], "must be a JSON object with 'query', 'n', got an array", id="an array"),
        pytest.param("[1]", "must be a JSON object with 'query', 'n', got an array", id="text of an array"),
        pytest.param('"{}"', "must be a JSON object with 'query', 'n', got a string", id="text in text"),
        pytest.param(5, "got 5", id="a number"),
        pytest.param(b"{}", "got a value of type bytes", id="bytes"),
        pytest.param("{", "are not JSON", id="cut off"),
        pytest.param("{'a': 1}", "are not JSON", id="Python's quotes"),
        pytest.param('{"a": 1} {"a": 2}', "text follows the value", id="two objects"),
        pytest.param('{"query": "a", "query": "b"}', "'query' is there twice", id="a name twice"),
        pytest.param('{"x": {"deep": 1, "deep": 1}}', "'deep' is there twice", id="a name twice, deeper"),
        pytest.param('{"n": NaN}', "NaN is not JSON", id="NaN"),
        pytest.param('{"n": -Infinity}', "-Infinity is not JSON", id="infinity"),
        pytest.param('{"n": ' + "9" * 5000 + "}", "a number is too long", id="a huge number"),
        pytest.param("[" * 100_000, "nested too deeply", id="very deep"),
    ],
)
def test_arguments_that_are_no_object_are_refused_in_words(given_: object, words: str) -> None:
    (problem,) = said(QUERY, given_)
    assert words in problem
    assert len(problem) < 150
    assert call(QUERY, given_).arguments == {}


def test_a_tool_without_arguments_says_so() -> None:
    assert said({"type": "object", "properties": {}}, [1]) == [
        "the arguments must be a JSON object without properties, got an array"
    ]


# ------------------------------------------------------------------------------------------------------------ repairs

INTEGER: Schema = {"type": "integer"}
STRINGS: Schema = {"type": "array", "items": {"type": "string"}}
NULLABLE: Schema = {"anyOf": [{"type": "integer"}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("schema", "given_", "got"),
    [
        pytest.param(INTEGER, "-7", -7, id="text of an integer"),
        pytest.param(INTEGER, "5.00", 5, id="text of a whole number"),
        pytest.param(INTEGER, 5.0, 5, id="a whole number as a fraction"),
        pytest.param(INTEGER, -0.0, 0, id="minus nothing"),
        pytest.param(INTEGER, "1" * 4000, int("1" * 4000), id="text of a huge integer"),
        pytest.param({"type": "number"}, 5.0, 5.0, id="a number stays as it is"),
        pytest.param({"type": "number"}, "5", 5, id="text of a number"),
        pytest.param({"type": "number"}, "-1.5E2", -150.0, id="text of a number with an exponent"),
        pytest.param({"anyOf": [INTEGER, {"type": "number"}]}, 5.0, 5.0, id="a number where any will do"),
        pytest.param({"type": "boolean"}, " TRUE ", True, id="a word in capitals"),
        pytest.param({"type": ["boolean", "null"]}, "null", None, id="null as a word"),
        pytest.param(NULLABLE, "5", 5, id="the branch that fits"),
        pytest.param(NULLABLE, "Null", None, id="the other branch"),
        pytest.param({"type": ["integer", "string"]}, "5", "5", id="text where text will do"),
        pytest.param(STRINGS, '["a", "b"]', ["a", "b"], id="text of an array"),
        pytest.param({"type": "array", "items": INTEGER}, ["1", 2.0, 3], [1, 2, 3], id="items"),
        pytest.param({"prefixItems": [INTEGER, {"type": "string"}]}, ["1", "2"], [1, "2"], id="a tuple"),
        pytest.param({"type": "object"}, '{"a": 1}', {"a": 1}, id="text of an object"),
        pytest.param(
            {"type": "object", "additionalProperties": INTEGER}, {"a": "1"}, {"a": 1}, id="additional properties"
        ),
        pytest.param(
            {"patternProperties": {"^n": INTEGER}}, {"n1": "1", "s": "1"}, {"n1": 1, "s": "1"}, id="by pattern"
        ),
        pytest.param(
            {"type": "array", "items": one(INTEGER)}, '["{\\"x\\": \\"1\\"}"]', [{"x": 1}], id="text in text in text"
        ),
        pytest.param({"anyOf": [STRINGS, {"type": "null"}]}, '["a"]', ["a"], id="text of an array, or null"),
        pytest.param({"enum": ["Red", "blue"]}, "RED", "Red", id="a member in capitals"),
        pytest.param({"enum": [1, 2.5, None, True, "x"]}, "2.5", 2.5, id="a member as text"),
        pytest.param({"enum": [1, None]}, "null", None, id="null as a member"),
        pytest.param({"type": "boolean", "enum": [True]}, "true", True, id="true as a member"),
        pytest.param({"const": "fast"}, "Fast", "fast", id="a constant"),
        pytest.param({**STRINGS, "uniqueItems": True}, ["b", "a", "b"], ["b", "a"], id="a set"),
        pytest.param({"allOf": [{"$ref": "#/$defs/n"}, {"minimum": 3}]}, "5", 5, id="through a reference"),
        pytest.param({"if": {"type": "string"}, "then": INTEGER}, "5", 5, id="through a condition"),
    ],
)
def test_what_was_meant_is_what_the_tool_gets(schema: Schema, given_: object, got: object) -> None:
    prepared = call({**one(schema), "$defs": {"n": INTEGER}}, {"x": given_})
    assert prepared.problems == []
    assert exactly(prepared.arguments) == exactly({"x": got})


@pytest.mark.parametrize(
    ("schema", "given_"),
    [
        pytest.param(INTEGER, "1e3", id="an exponent"),
        pytest.param(INTEGER, "1_000", id="Python's digits"),
        pytest.param(INTEGER, "0x10", id="hexadecimal"),
        pytest.param(INTEGER, "+5", id="a plus sign"),
        pytest.param(INTEGER, "05", id="a leading zero"),
        pytest.param(INTEGER, "٣", id="digits of another script"),
        pytest.param(INTEGER, "5.", id="a point and nothing"),
        pytest.param(INTEGER, "5.5", id="a fraction"),
        pytest.param(INTEGER, True, id="true for 1"),
        pytest.param(INTEGER, "9" * 5000, id="too many digits"),
        pytest.param({"type": "number"}, "NaN", id="NaN"),
        pytest.param({"type": "number"}, "1e999", id="infinity"),
        pytest.param({"type": "number"}, "1,5", id="a decimal comma"),
        pytest.param({"type": "boolean"}, 1, id="1 for true"),
        pytest.param({"type": "boolean"}, "yes", id="yes"),
        pytest.param({"type": "string"}, 12345, id="a number for text"),
        pytest.param({"type": "string"}, True, id="true for text"),
        pytest.param(STRINGS, "a,b", id="commas"),
        pytest.param(STRINGS, "a", id="one for many"),
        pytest.param(STRINGS, '{"0": "a"}', id="an object for an array"),
        pytest.param(STRINGS, '["a"', id="cut off"),
        pytest.param({"type": "object"}, '{"a": 1, "a": 2}', id="a name twice"),
        pytest.param({"type": "object"}, "[" * 100_000, id="very deep text"),
        pytest.param({"type": "array"}, "[" * 100_000, id="very deep text of an array"),
        pytest.param({"enum": ["a", "b"]}, "à", id="no member"),
        pytest.param({"enum": ["ss", "ß"]}, "SS", id="two members that fold alike"),
        pytest.param({"enum": [1, 2]}, True, id="true is no member"),
        pytest.param({"type": "null"}, "None", id="Python's null"),
        pytest.param(INTEGER, None, id="null where something is required"),
    ],
)
def test_what_would_be_a_guess_is_a_problem(schema: Schema, given_: object) -> None:
    (problem,) = call(one(schema), {"x": given_}).problems
    assert problem.path == ("x",)
    assert len(str(problem)) < 100


def test_null_for_what_may_be_left_out_leaves_it_out() -> None:
    assert call(one(INTEGER, required=False), {"x": None}).arguments == {}
    assert call(one(NULLABLE, required=False), {"x": None}).arguments == {"x": None}
    nested = one(one(INTEGER, required=False))
    assert call(nested, {"x": {"x": None}}).arguments == {"x": {}}
    assert said(nested, {"x": None}) == ["x: null is not an object"]
    assert said(one(INTEGER, required=False), {"y": None}) == ["unknown argument 'y' (known: 'x')"]


def test_undeclared_arguments_of_an_open_schema_go_through_untouched() -> None:
    given_ = {"query": "x", "more": "5", "none": None, "list": [1, "2"]}
    assert call(QUERY, given_).arguments == given_


def test_only_what_is_wrong_is_repaired() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": INTEGER, "c": {"type": ["string", "integer"]}},
    }
    assert call(schema, {"a": "1", "b": "2", "c": "3"}).arguments == {"a": "1", "b": 2, "c": "3"}


def test_a_repair_that_is_not_enough_is_judged_as_it_was_meant() -> None:
    schema = one({"type": "array", "items": {"type": "integer", "minimum": 3}, "minItems": 3})
    assert said(schema, {"x": '["1", 5]'}) == ["x: expected at least 3 items, got 2", "x[0]: 1 is less than 3"]


def test_what_came_in_is_not_changed_in_place() -> None:
    given_ = {"x": ["1", "2"]}
    call(one({"type": "array", "items": INTEGER}), given_)
    assert given_ == {"x": ["1", "2"]}


def test_a_recursive_schema_is_repaired_all_the_way_down() -> None:
    tree: Schema = {
        "type": "object",
        "properties": {"v": INTEGER, "kids": {"type": "array", "items": {"$ref": "#"}}},
        "additionalProperties": False,
    }
    given_ = {"v": "1", "kids": '[{"v": "2", "kids": [{"v": 3.0, "kids": null}]}]'}
    assert exactly(call(tree, given_).arguments) == exactly({"v": 1, "kids": [{"v": 2, "kids": [{"v": 3}]}]})


# ----------------------------------------------------------------------------------------------------------- refusals


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth - 1):
        value = {"a": value}
    return {"a": value}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        pytest.param({"n": float("nan")}, "n: nan is not a finite number", id="NaN"),
        pytest.param({"a": [1, float("inf")]}, "a[1]: inf is not a finite number", id="infinity"),
        pytest.param('{"a": 1e999}', "a: inf is not a finite number", id="infinity in text"),
        pytest.param({"a": 10**5000}, "a: is an integer of more than 4,300 digits", id="a huge integer"),
        pytest.param(
            '{"a": "\\ud800"}', "a: has half of a surrogate pair, which is no character", id="half a character"
        ),
        pytest.param(
            {"\ud800": 1}, "has a name with half of a surrogate pair, which is no character", id="half a name"
        ),
        pytest.param({1: 2}, "has a name of type int; names are strings", id="a name that is a number"),
        pytest.param({"a": {1, 2}}, "a: a value of type set is not JSON", id="a set"),
        pytest.param({"a": b"x"}, "a: a value of type bytes is not JSON", id="bytes"),
    ],
)
def test_what_json_cannot_carry_is_refused(arguments: object, problem: str) -> None:
    assert said({"type": "object"}, arguments) == [problem]


def test_nesting_is_limited() -> None:
    assert said({}, nested(DEPTH_LIMIT)) == []
    (problem,) = said({}, nested(DEPTH_LIMIT + 1))
    assert problem.endswith("is nested more than 64 levels deep")
    assert said({}, json.dumps(nested(DEPTH_LIMIT + 1)))


def test_nesting_is_limited_inside_text_too() -> None:
    text = "[" * 70 + "]" * 70
    (problem,) = said(one({"type": "array"}), {"x": text})
    assert problem.endswith("is nested more than 64 levels deep")


def test_a_value_that_holds_itself_is_refused() -> None:
    value: dict[str, Any] = {}
    value["a"] = value
    assert said({}, value)
    assert said({"properties": {"a": {"$ref": "#"}}}, value)


def test_a_host_s_own_types_become_json_s() -> None:
    class Level(enum.IntEnum):
        HIGH = 2

    class Color(enum.StrEnum):
        RED = "red"

    schema = {"properties": {"a": {"type": "array", "items": INTEGER}, "b": {"enum": ["red"]}, "c": {"type": "object"}}}
    arguments = call(schema, {"a": (Level.HIGH, 3), "b": Color.RED, "c": UserDict(d=1)}).arguments
    assert arguments == {"a": [2, 3], "b": "red", "c": {"d": 1}}
    assert [type(arguments["a"]), type(arguments["a"][0]), type(arguments["b"]), type(arguments["c"])] == [
        list,
        int,
        str,
        dict,
    ]


@pytest.mark.parametrize(
    "text",
    ["; touch x", "$(touch x)", "`x`", "a\nb", "--flag", "\0", "x" * (1 << 20), "é\U0001f600", '"}', "\\"],
    ids=lambda text: repr(text[:12]),
)
def test_text_reaches_the_tool_as_it_is(text: str) -> None:
    schema = one({"type": "string"})
    assert call(schema, {"x": text}).arguments == {"x": text}
    assert call(schema, json.dumps({"x": text})).arguments == {"x": text}


def test_an_answer_is_short_however_much_is_wrong() -> None:
    schema = one({"type": "array", "items": INTEGER})
    problems = said(schema, {"x": ["secret" * 1000] * 100_000, **{f"unknown{i}": 1 for i in range(10_000)}})
    assert len(problems) == 31
    assert problems[-1].endswith("more problems")
    assert len("\n".join(problems)) < 4_000


def test_a_secret_is_not_repeated() -> None:
    secret = "sk-live-4f9a8b7c6d5e"
    for schema in (
        INTEGER,
        {"enum": ["a"]},
        {"maxLength": 3},
        {"pattern": "^x$"},
        {"format": "uuid"},
        STRINGS,
        NULLABLE,
    ):
        (problem,) = said(one(schema), {"x": secret})
        assert secret[:8] not in problem


# --------------------------------------------------------------------------------------------------------------- laws

NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.sampled_from([0.0, 1.0, 2.5]),
    st.sampled_from(["", "1", " 2 ", "2.0", "true", "NULL", "x", "X", "[1]", '{"a": "1"}', '["x", null]']),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)
LEAVES: st.SearchStrategy[Schema] = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "number", "maximum": 10},
        {"type": "boolean"},
        {"type": "null"},
        {"type": ["integer", "null"]},
        {"type": "string", "enum": ["x", "y"]},
        {"enum": [1, None, "x", True]},
        {"type": "string", "minLength": 2},
        {},
    ]
)


def composed(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    objects = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(NAMES, inner, max_size=3)},
        optional={
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
        },
    )
    arrays = st.fixed_dictionaries(
        {"type": st.just("array"), "items": inner},
        optional={"uniqueItems": st.booleans(), "maxItems": st.integers(0, 3)},
    )
    unions = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        objects,
        arrays,
        unions.map(lambda branches: {"anyOf": branches}),
        unions.map(lambda branches: {"oneOf": branches}),
        st.lists(inner, min_size=1, max_size=2).map(lambda parts: {"allOf": parts}),
    )


SCHEMAS = st.dictionaries(NAMES, st.recursive(LEAVES, composed, max_leaves=6), max_size=3).map(
    lambda properties: {"type": "object", "properties": properties, "additionalProperties": False}
)
ARGUMENTS = st.dictionaries(NAMES, VALUES, max_size=3)


@settings(deadline=None, max_examples=300)
@given(SCHEMAS, ARGUMENTS)
def test_what_is_valid_is_not_changed_and_what_comes_out_is_valid(schema: Schema, arguments: dict[str, Any]) -> None:
    valid = Draft202012Validator(schema).is_valid
    before = exactly(arguments)
    prepared = call(schema, arguments)
    assert exactly(arguments) == before
    if valid(arguments):
        assert prepared.problems == []
        assert prepared.arguments == arguments
    if not prepared.problems:
        assert valid(prepared.arguments)
    else:
        assert prepared.arguments == {}


@settings(deadline=None, max_examples=200)
@given(SCHEMAS, ARGUMENTS)
def test_what_comes_out_goes_in_again_unchanged(schema: Schema, arguments: dict[str, Any]) -> None:
    once = call(schema, arguments)
    if not once.problems:
        again = call(schema, once.arguments)
        assert exactly(again.arguments) == exactly(once.arguments)


@settings(deadline=None)
@given(SCHEMAS, ARGUMENTS)
def test_text_and_mapping_come_out_alike(schema: Schema, arguments: dict[str, Any]) -> None:
    from_mapping, from_text = call(schema, arguments), call(schema, json.dumps(arguments))
    assert exactly(from_mapping.arguments) == exactly(from_text.arguments)
    assert from_mapping.problems == from_text.problems


@settings(deadline=None)
@given(st.text(max_size=40) | st.recursive(st.none() | st.floats() | st.text(max_size=3), st.lists, max_leaves=5))
def test_no_argument_ends_in_an_exception(anything: object) -> None:
    call(QUERY, anything)
    call(one(STRINGS), {"x": anything})
