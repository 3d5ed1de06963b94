"""The tool list in each provider's form."""

from __future__ import annotations

import json

import pytest

from toolc.emit import definitions
from toolc.emit.definitions import FORMS, findings, render
from toolc.model import Json, Level, Schema
from toolsets import tool, toolset


def parameters(form: str, entry: Json) -> Schema:
    """The schema in an entry of a form."""
    assert isinstance(entry, dict)
    function = entry["function"] if form == "openai" else entry
    assert isinstance(function, dict)
    schema = function["parameters" if form == "openai" else "input_schema"]
    assert isinstance(schema, dict)
    return schema


def of_schema(form: str, schema: Schema) -> Schema:
    """What a form makes of a tool's schema."""
    (entry,) = render(toolset(tool("t", input_schema=schema)), form)
    return parameters(form, entry)


def test_openai_is_a_list_of_functions_with_strict_spelled_out() -> None:
    assert render(toolset(tool("words")), "openai") == [
        {
            "type": "function",
            "function": {
                "name": "words",
                "description": "The tool words.",
                "parameters": {
                    "type": "object",
                    "properties": {"text": {"type": "string"}},
                    "required": ["text"],
                },
                "strict": False,
            },
        }
    ]


def test_anthropic_is_a_list_of_tools_with_an_input_schema() -> None:
    assert render(toolset(tool("words")), "anthropic") == [
        {
            "name": "words",
            "description": "The tool words.",
            "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        }
    ]


@pytest.mark.parametrize("form", FORMS)
def test_tools_are_sorted_and_denied_ones_are_not_offered(form: str) -> None:
    tools = toolset(tool("b"), tool("a"), tool("gone", permission=Level.DENY), tool("c", permission=Level.ALLOW))
    assert [json.dumps(entry).count('"name"') for entry in render(tools, form)] == [1, 1, 1]
    text = json.dumps(render(tools, form))
    assert text.index('"a"') < text.index('"b"') < text.index('"c"')
    assert "gone" not in text


@pytest.mark.parametrize("form", FORMS)
def test_a_subset_narrows_the_list(form: str) -> None:
    tools = toolset(tool("a"), tool("b"), tool("c", permission=Level.DENY))
    assert render(tools, form, {"b", "c"}) == render(toolset(tool("b")), form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        pytest.param({}, {"type": "object", "properties": {}}, id="nothing said"),
        pytest.param(
            {"properties": {"a": {}}, "required": ["a"]},
            {"type": "object", "properties": {"a": {}}, "required": ["a"]},
            id="no type",
        ),
        pytest.param({"type": ["object", "null"]}, {"type": "object", "properties": {}}, id="nullable"),
        pytest.param(
            {"type": "object", "properties": {"z": {}, "a": {}}},
            {"type": "object", "properties": {"z": {}, "a": {}}},
            id="order of properties",
        ),
    ],
)
def test_the_top_of_the_parameters_is_an_object_with_properties(form: str, schema: Schema, shown: Schema) -> None:
    assert json.dumps(of_schema(form, schema)) == json.dumps(shown)


def test_openai_gets_items_in_every_array_and_parameters_named_like_keywords_are_left_alone() -> None:
    schema: Schema = {
        "type": "object",
        "properties": {
            "type": {"type": "array"},
            "items": {"type": "string", "default": {"type": "array"}},
            "properties": {"anyOf": [{"type": ["array", "null"]}, {"type": "array", "items": False}]},
            "pairs": {"type": "array", "prefixItems": [{"type": "array"}]},
        },
        "additionalProperties": {"type": "array"},
    }
    assert of_schema("openai", schema) == {
        "type": "object",
        "properties": {
            "type": {"type": "array", "items": {}},
            "items": {"type": "string", "default": {"type": "array"}},
            "properties": {"anyOf": [{"type": ["array", "null"], "items": {}}, {"type": "array", "items": False}]},
            "pairs": {"type": "array", "prefixItems": [{"type": "array", "items": {}}], "items": {}},
        },
        "additionalProperties": {"type": "array", "items": {}},
    }
    assert of_schema("anthropic", schema) == schema


@pytest.mark.parametrize(
    ("form", "name", "schema", "why"),
    [
        pytest.param("openai", "x" * 65, {}, "65 characters", id="openai: long name"),
        pytest.param("anthropic", "x" * 129, {}, "129 characters", id="anthropic: long name"),
        pytest.param("openai", "größe", {}, "ASCII", id="openai: letters"),
        pytest.param("anthropic", "a.b", {}, "ASCII", id="anthropic: letters"),
        pytest.param("openai", "t", {"oneOf": [{}]}, "`oneOf` at the top", id="openai: oneOf"),
        pytest.param("openai", "t", {"not": {}}, "`not` at the top", id="openai: not"),
        pytest.param("anthropic", "t", {"anyOf": [{}]}, "`anyOf` at the top", id="anthropic: anyOf"),
        pytest.param("anthropic", "t", {"properties": {"a b": {}}}, "`a b`", id="anthropic: parameter"),
        pytest.param("anthropic", "t", {"properties": {"": {}}}, "``", id="anthropic: empty parameter"),
        pytest.param("anthropic", "t", {"properties": {"x" * 65: {}}}, "xxx`", id="anthropic: long parameter"),
    ],
)
def test_a_tool_that_a_form_cannot_carry_is_left_out_with_a_warning(
    form: str, name: str, schema: Schema, why: str
) -> None:
    tools = toolset(tool(name, input_schema=schema), tool("good"))
    assert render(tools, form) == render(toolset(tool("good")), form)
    (warning,) = [found for found in findings(tools) if f"definitions/{form}.json" in found.message]
    assert warning.code.id == "TC734"
    assert why in warning.message
    assert f"`{name}`" in warning.message
    assert warning.span.path == "team/words.py"


@pytest.mark.parametrize(
    ("form", "name", "schema"),
    [
        pytest.param("openai", "x" * 64, {}, id="openai: longest name"),
        pytest.param("anthropic", "x" * 128, {}, id="anthropic: longest name"),
        pytest.param("anthropic", "t", {"not": {}}, id="anthropic: not"),
        pytest.param("anthropic", "t", {"properties": {"x" * 64: {}, "a.b-c_D": {}}}, id="anthropic: parameters"),
        pytest.param("openai", "t", {"properties": {"a b": {}}}, id="openai: parameters"),
        pytest.param("openai", "t", {"properties": {"anyOf": {"anyOf": [{}]}}}, id="openai: below the top"),
    ],
)
def test_a_form_carries_what_its_provider_takes(form: str, name: str, schema: Schema) -> None:
    assert len(render(toolset(tool(name, input_schema=schema)), form)) == 1


def test_nothing_is_said_of_a_denied_tool() -> None:
    assert findings(toolset(tool("a.b", permission=Level.DENY))) == ()


def test_a_description_over_1024_characters_is_kept_whole_with_a_note_for_openai() -> None:
    tools = toolset(tool("long", description="x" * 1025), tool("short", description="x" * 1024))
    assert "x" * 1025 in json.dumps(render(tools, "openai"))
    (note,) = findings(tools)
    assert note.code.id == "TC735"
    assert note.message.startswith("the description of `long` has 1,025 characters")


def test_the_files_are_compact_lines_for_every_form_and_subset() -> None:
    tools = toolset(tool("a", description="é\u200d😀"), tool("b"), subsets={"one": ("b",), "none": ()})
    files = definitions.files(tools)
    assert sorted(files) == [
        "definitions/anthropic.json",
        "definitions/none/anthropic.json",
        "definitions/none/openai.json",
        "definitions/one/anthropic.json",
        "definitions/one/openai.json",
        "definitions/openai.json",
    ]
    assert files["definitions/none/openai.json"] == b"[]\n"
    assert files["definitions/one/anthropic.json"].startswith(b'[{"name":"b","description":"The tool b.",')
    assert json.loads(files["definitions/openai.json"]) == render(tools, "openai")
    assert "é\u200d😀".encode() in files["definitions/openai.json"]
    assert all(data.endswith(b"\n") and data.count(b"\n") == 1 for data in files.values())
