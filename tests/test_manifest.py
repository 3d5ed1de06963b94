"""How a `tool.json` is compiled: what is taken, what is tolerated, and where each mistake is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolc import resources
from toolc.diagnostics import Diagnostic, Reporter, Severity
from toolc.discover import discover
from toolc.model import (
    Background,
    Broken,
    CommandEntry,
    Config,
    Declaration,
    Json,
    Layer,
    Level,
    ManifestCandidate,
    Scope,
)
from toolc.parse.manifest import parse_manifest

ABSENT = object()
MANIFEST = {
    "name": "grep",
    "description": "Search files.",
    "parameters": {"type": "object", "properties": {"pattern": {"type": "string"}}, "required": ["pattern"]},
    "command": "python3 run.py",
}
FILES = {"run.py": "import sys", "run.sh": "#!/bin/sh\ncat\n", "data.txt": "x"}


class Compiled:
    """What a manifest came to."""

    def __init__(self, text: str, outcome: Declaration | Broken, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.text = text
        self.outcome = outcome
        self.diagnostics = diagnostics

    @property
    def tool(self) -> Declaration:
        assert isinstance(self.outcome, Declaration), self.messages
        return self.outcome

    @property
    def argv(self) -> tuple[str, ...]:
        assert isinstance(self.tool.entry, CommandEntry)
        return self.tool.entry.argv

    @property
    def codes(self) -> list[str]:
        return [told.code.id for told in self.diagnostics]

    @property
    def messages(self) -> list[str]:
        return [told.message for told in self.diagnostics]

    @property
    def hints(self) -> list[str | None]:
        return [told.hint for told in self.diagnostics]

    @property
    def told(self) -> list[tuple[str, str]]:
        """The code of each diagnostic, and the text it points at."""
        return [(told.code.id, self.at(told)) for told in self.diagnostics]

    def at(self, told: Diagnostic) -> str:
        lines = self.text.split("\n")
        span = told.span
        assert span.line == span.end_line, "the manifests here have each value on a line"
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]


class Folder:
    """A tool's folder in a layer."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def compile(self, text: str, files: Mapping[str, str | bytes] = FILES, folder: str = "grep") -> Compiled:
        home = self.root / "tools" / folder
        home.mkdir(parents=True)
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (home / name).write_bytes(data)
            (home / name).chmod(0o755 if data.startswith((b"#!", b"\x7fELF", b"\n#!", b"run:")) else 0o644)
        (home / "tool.json").write_text(text, encoding="utf-8")
        layer = Layer(name="tools", path="tools", root=self.root / "tools", rank=0, scope=Scope.PROJECT)
        (candidate,) = discover(Config(root=self.root, toolset="t", layers=(layer,)), Reporter())
        assert isinstance(candidate, ManifestCandidate)
        reporter = Reporter()
        outcome = parse_manifest(candidate, reporter)
        assert isinstance(outcome, Broken) == reporter.has_errors
        return Compiled(text, outcome, reporter.diagnostics)

    def manifest(self, files: Mapping[str, str | bytes] = FILES, /, **changes: object) -> Compiled:
        """The usual manifest with some of its keys changed or absent."""
        value = {key: item for key, item in {**MANIFEST, **changes}.items() if item is not ABSENT}
        members = ",\n ".join(f"{json.dumps(key)}: {json.dumps(item)}" for key, item in value.items())
        return self.compile(f"{{\n {members}\n}}", files)

    def parameters(self, **parameters: object) -> Compiled:
        return self.manifest(parameters=parameters)

    def property(self, **schema: object) -> Compiled:
        return self.parameters(type="object", properties={"p": schema})


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


# ------------------------------------------------------------------------------------------------------ what is taken


def test_a_manifest_becomes_a_declaration(folder: Folder) -> None:
    compiled = folder.manifest()
    tool = compiled.tool
    assert compiled.diagnostics == ()
    assert (tool.name, tool.description, tool.path) == ("grep", "Search files.", "grep/tool.json")
    assert tool.input_schema == MANIFEST["parameters"]
    assert tool.entry == CommandEntry(argv=("python3", "run.py"))
    assert [source.path for source in tool.sources] == ["grep/data.txt", "grep/run.py", "grep/run.sh", "grep/tool.json"]
    assert (tool.timeout_s, tool.permission, tool.background, tool.env, tool.annotations) == (None, None, None, (), {})
    assert (tool.span.line, tool.span.column) == (2, 10)
    assert tool.description_span is not None
    assert tool.description_span.line == 3


def test_every_other_key_is_taken(folder: Folder) -> None:
    tool = folder.manifest(
        **{"$schema": "https://example.com/tool.schema.json"},
        command=["./run.sh", "--fast", "a b"],
        timeout=2.5,
        env=["B_KEY", "A", "B_KEY"],
        permission="deny",
        background="keep",
        annotations={"openWorldHint": False, "title": "Grep", "readOnlyHint": True},
    ).tool
    assert tool.entry == CommandEntry(argv=("./run.sh", "--fast", "a b"))
    assert (tool.timeout_s, tool.env) == (2.5, ("A", "B_KEY"))
    assert (tool.permission, tool.background) == (Level.DENY, Background.KEEP)
    assert tool.annotations == {"title": "Grep", "readOnlyHint": True, "openWorldHint": False}


@pytest.mark.parametrize("key", ["parameters", "inputSchema"])
def test_parameters_have_two_spellings(folder: Folder, key: str) -> None:
    schema = {"type": "object", "properties": {"b": {}, "a": {"type": ["string", "null"]}}, "x-mine": [1]}
    tool = folder.manifest(**{"parameters": ABSENT, key: schema}).tool
    assert tool.input_schema == schema
    assert list(tool.input_schema) == list(schema)


def test_no_parameters_are_an_empty_object(folder: Folder) -> None:
    assert folder.manifest(parameters=ABSENT).tool.input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param({"name": " grep\t"}, [("TC312", '" grep\\t"')], id="space around the name"),
        pytest.param({"description": "x" * 1025}, [("TC312", '"description"')], id="long description"),
        pytest.param({"parameters": {}}, [("TC312", '"parameters"')], id="parameters without a type"),
    ],
)
def test_what_pequeroku_tolerates_is_taken_with_a_note(
    folder: Folder, changes: dict[str, Any], told: list[tuple[str, str]]
) -> None:
    compiled = folder.manifest(**changes)
    assert compiled.told == told
    assert compiled.diagnostics[0].level is Severity.NOTE
    assert (compiled.tool.name, compiled.tool.input_schema["type"]) == ("grep", "object")


def test_space_around_a_description_and_a_command_is_left_out(folder: Folder) -> None:
    compiled = folder.manifest(description="\n Search.\n\nIn files. ", command=" python3 run.py\n")
    assert compiled.diagnostics == ()
    assert (compiled.tool.description, compiled.argv) == ("Search.\n\nIn files.", ("python3", "run.py"))


# --------------------------------------------------------------------------------------------------- what is mistaken


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("{", [("TC301", "")], id="not JSON"),
        pytest.param('{"name": "grep", "name": "grep"}', [("TC301", '"name"')], id="key twice"),
        pytest.param('{"timeout": NaN}', [("TC301", "NaN")], id="NaN"),
        pytest.param("[{}]", [("TC302", "[")], id="list"),
        pytest.param('"grep"', [("TC302", '"')], id="string"),
        pytest.param("{}", [("TC303", "{")] * 3, id="empty"),
    ],
)
def test_a_text_that_is_no_manifest_is_told_once(folder: Folder, text: str, told: list[tuple[str, str]]) -> None:
    compiled = folder.compile(text)
    assert compiled.told == told
    assert compiled.outcome.name == "grep", "it claims the name of its folder"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param({"name": ABSENT}, ("TC303", "{"), id="no name"),
        pytest.param({"description": ABSENT}, ("TC303", "{"), id="no description"),
        pytest.param({"command": ABSENT}, ("TC303", "{"), id="no command"),
        pytest.param({"description": " \n"}, ("TC303", '" \\n"'), id="blank description"),
        pytest.param({"command": ""}, ("TC303", '""'), id="blank command"),
        pytest.param({"command": []}, ("TC303", "[]"), id="empty command"),
        pytest.param({"name": 5}, ("TC304", "5"), id="name is a number"),
        pytest.param({"description": ["x"]}, ("TC304", '["x"]'), id="description is a list"),
        pytest.param({"command": {"run": "x"}}, ("TC304", '{"run": "x"}'), id="command is an object"),
        pytest.param({"command": ["python3", 5]}, ("TC304", "5"), id="a word is a number"),
        pytest.param({"timeout": 0}, ("TC304", "0"), id="no time"),
        pytest.param({"timeout": "25"}, ("TC304", '"25"'), id="time as text"),
        pytest.param({"timeout": True}, ("TC304", "true"), id="time as a boolean"),
        pytest.param({"timeout": 1e300}, ("TC304", "1e+300"), id="endless time"),
        pytest.param({"timeout": 10**400}, ("TC304", "1" + "0" * 400), id="time beyond any number"),
        pytest.param({"background": "stay"}, ("TC304", '"stay"'), id="background"),
        pytest.param({"annotations": []}, ("TC304", "[]"), id="annotations are a list"),
        pytest.param({"annotations": {"readOnlyHint": 1}}, ("TC304", "1"), id="hint is a number"),
        pytest.param({"env": ["my-key"]}, ("TC304", '"my-key"'), id="no name of a variable"),
        pytest.param({"env": ["KEY\n"]}, ("TC304", '"KEY\\n"'), id="a line break behind a name"),
        pytest.param({"env": "KEY"}, ("TC304", '"KEY"'), id="one name without a list"),
        pytest.param({"env": [5]}, ("TC304", "5"), id="variable is a number"),
        pytest.param({"name": "Grep"}, ("TC305", '"Grep"'), id="capital letter"),
        pytest.param({"name": "grep--x"}, ("TC305", '"grep--x"'), id="two hyphens"),
        pytest.param({"name": "g" * 65}, ("TC305", f'"{"g" * 65}"'), id="name too long"),
        pytest.param({"name": "find"}, ("TC306", '"find"'), id="not the folder's name"),
        pytest.param({"permission": "Allow"}, ("TC310", '"Allow"'), id="permission in capitals"),
        pytest.param({"permission": "ask "}, ("TC310", '"ask "'), id="permission with a space"),
        pytest.param({"permission": None}, ("TC310", "null"), id="permission is null"),
        pytest.param({"permission": ["ask"]}, ("TC310", '["ask"]'), id="permission is a list"),
        pytest.param({"env": {"K": "s3cret"}}, ("TC311", '{"K": "s3cret"}'), id="values of variables"),
        pytest.param({"env": ["A", "K=s3cret"]}, ("TC311", '"K=s3cret"'), id="value of a variable"),
    ],
)
def test_a_mistake_is_told_once_at_its_place(folder: Folder, changes: dict[str, Any], told: tuple[str, str]) -> None:
    assert folder.manifest(**changes).told == [told]


def test_all_mistakes_of_a_manifest_are_told_in_one_run(folder: Folder) -> None:
    compiled = folder.manifest(
        name="find", description="", timeout=-1, permission="never", parameters={"type": "text"}, command="a 'b"
    )
    assert sorted(compiled.codes) == ["TC303", "TC304", "TC306", "TC310", "TC320", "TC346"]


def test_the_value_of_a_variable_is_never_repeated(folder: Folder) -> None:
    compiled = folder.manifest(env=["K=s3cret", "other s3cret"], colour=True)
    assert "s3cret" not in repr(compiled.diagnostics)
    assert all(told.span.text.content is None for told in compiled.diagnostics)
    assert compiled.messages[0] == "`env` gives `K` its value, and takes only names"


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        *(("discription", "description"), ("parameter", "parameters"), ("inputschema", "inputSchema")),
        *(("schema", "parameters"), ("cmd", "command"), ("run", "command"), ("timeout_ms", "timeout")),
        *(("environment", "env"), ("permissions", "permission"), ("version", None)),
    ],
)
def test_an_unknown_key_is_told_with_what_was_meant(folder: Folder, key: str, meant: str | None) -> None:
    compiled = folder.manifest(**{key: "x"})
    assert compiled.told == [("TC307", f'"{key}"')]
    (hint,) = compiled.hints
    assert hint == f"did you mean `{meant}`?" if meant else (hint or "").startswith("the keys are `name`, `desc")
    assert isinstance(compiled.outcome, Declaration)


@pytest.mark.parametrize(
    ("written", "key"), [("comand", "command"), ("run", "command"), ("discription", "description")]
)
def test_a_required_key_that_is_misspelt_is_one_mistake(folder: Folder, written: str, key: str) -> None:
    compiled = folder.manifest(**{key: ABSENT, written: "true"})
    assert compiled.told == [("TC303", f'"{written}"')]
    assert compiled.hints == [f"did you mean `{key}`?"]


def test_a_required_key_that_is_misspelt_twice_leaves_neither_untold(folder: Folder) -> None:
    compiled = folder.manifest(command=ABSENT, comand="true", commnd="true")
    assert sorted(compiled.told) == [("TC303", '"comand"'), ("TC307", '"commnd"')]


def test_an_unknown_hint_is_told(folder: Folder) -> None:
    compiled = folder.manifest(annotations={"readonlyHint": True})
    assert compiled.told == [("TC307", '"readonlyHint"')]
    assert compiled.tool.annotations == {}


def test_parameters_in_both_spellings_are_an_error(folder: Folder) -> None:
    assert folder.manifest(inputSchema={"type": "object"}).told == [("TC309", '"inputSchema"')]


# ----------------------------------------------------------------------------------------------------------- dialects


@pytest.mark.parametrize(
    ("changes", "told", "hint"),
    [
        pytest.param(
            {"parameters": {"query": "string", "limit": "int"}},
            [("TC308", '"query"')],
            'write `{"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}`',
            id="names and words",
        ),
        pytest.param(
            {"parameters": {"query": {"type": "string", "required": True}, "type": {"type": "string"}}},
            [("TC308", '"query"')],
            'write `{"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}`',
            id="flat map",
        ),
        pytest.param(
            {"parameters": {"type": "object", "query": {"type": "string"}}},
            [("TC308", '"query"')],
            'write `{"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}`',
            id="properties left out",
        ),
        pytest.param(
            {"parameters": ABSENT, "input_schema": {"type": "object"}},
            [("TC308", '"input_schema"')],
            "rename the key to `parameters`",
            id="input_schema",
        ),
        pytest.param(
            {"parameters": ABSENT, "input_schema": {"query": "string"}},
            [("TC308", '"input_schema"'), ("TC308", '"query"')],
            "rename the key to `parameters`",
            id="input_schema with words",
        ),
        pytest.param(
            {"command": "python3", "args": ["run.py"]},
            [("TC308", '"args"')],
            'write `"command": ["PROGRAM", "WORD", ...]`',
            id="args beside the command",
        ),
    ],
)
def test_another_dialect_is_told_with_what_to_write(
    folder: Folder, changes: dict[str, Any], told: list[tuple[str, str]], hint: str
) -> None:
    compiled = folder.manifest(**changes)
    assert compiled.told == told
    assert compiled.hints[0] == hint


def test_a_providers_function_definition_is_told(folder: Folder) -> None:
    text = '{"type": "function", "function": {"name": "grep", "description": "x", "parameters": {}}}'
    assert folder.compile(text).told == [("TC308", '"function"')]


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param({"type": "object", "properties": {"query": {"type": "string"}}}, id="schema"),
        pytest.param({"type": "object", "additionalProperties": {"type": "string"}}, id="any names"),
        pytest.param({"type": "object", "description": "string"}, id="a word as description"),
        pytest.param({"type": "object"}, id="nothing"),
        pytest.param({"type": "object", "x-ui": {"wide": True}}, id="extension"),
        pytest.param({"type": "object", "properties": {"properties": {"type": "string"}, "type": {}}}, id="odd names"),
    ],
)
def test_a_schema_is_not_taken_for_another_dialect(folder: Folder, parameters: Json) -> None:
    compiled = folder.manifest(parameters=parameters)
    assert compiled.diagnostics == ()
    assert compiled.tool.input_schema == parameters


@pytest.mark.parametrize(
    ("schema", "told", "hint"),
    [
        pytest.param({"type": "str"}, ("TC320", '"str"'), 'write `"string"`', id="Python's name of a type"),
        pytest.param({"type": "strin"}, ("TC320", '"strin"'), 'write `"string"`', id="misspelt type"),
        pytest.param({"type": []}, ("TC320", "[]"), None, id="no type"),
        pytest.param(
            {"required": True},
            ("TC320", "true"),
            "list the names of required properties under `required`, beside `properties`",
            id="required at the property",
        ),
        pytest.param(
            {"items": [{}]}, ("TC320", "[{}]"), "schemas for the items by position are `prefixItems`", id="tuple"
        ),
        pytest.param(
            {"minimum": 1, "exclusiveMinimum": True},
            ("TC320", "true"),
            "write the number itself here, in place of `minimum`",
            id="exclusive as a boolean",
        ),
        pytest.param({"enum": "a"}, ("TC320", '"a"'), None, id="enum"),
        pytest.param({"minLength": -1}, ("TC320", "-1"), None, id="negative length"),
        pytest.param({"properties": {"q": "string"}}, ("TC320", '"string"'), 'write `{"type": "string"}`', id="word"),
        pytest.param({"required": ["a", "a"]}, ("TC320", '["a", "a"]'), None, id="named twice"),
        pytest.param({"required": ["a", 1]}, ("TC320", "1"), None, id="a number for a name"),
        pytest.param({"anyOf": []}, ("TC320", "[]"), None, id="no branch"),
        pytest.param({"definitions": {}}, ("TC321", '"definitions"'), None, id="definitions"),
        pytest.param({"dependencies": {}}, ("TC321", '"dependencies"'), None, id="dependencies"),
        pytest.param({"nullable": True}, ("TC321", '"nullable"'), None, id="OpenAPI's null"),
        pytest.param({"enum": list(range(2001))}, ("TC322", '"enum"'), None, id="huge enum"),
        pytest.param({"pattern": "a" * 513}, ("TC322", f'"{"a" * 513}"'), None, id="long pattern"),
        pytest.param({"title": "a" * 65_537}, ("TC322", f'"{"a" * 65_537}"'), None, id="long text"),
        pytest.param(
            {"$ref": "https://example.com/x.json"},
            ("TC323", '"https://example.com/x.json"'),
            "copy what it leads to under `$defs`, and write `#/$defs/NAME`",
            id="reference to the web",
        ),
        pytest.param(
            {"$ref": "x.json#/a"},
            ("TC323", '"x.json#/a"'),
            "copy what it leads to under `$defs`, and write `#/$defs/NAME`",
            id="reference to a file",
        ),
        pytest.param({"$ref": "#/$defs/no"}, ("TC323", '"#/$defs/no"'), None, id="reference to nothing"),
        pytest.param({"$ref": "#no"}, ("TC323", '"#no"'), None, id="anchor that is not there"),
        pytest.param({"$dynamicRef": "#x"}, ("TC323", '"#x"'), None, id="moving reference"),
        pytest.param(
            {"$ref": "#/properties/p"}, ("TC324", '{"$ref": "#/properties/p"}'), None, id="reference to itself"
        ),
        pytest.param({"pattern": "("}, ("TC324", '"("'), None, id="no regular expression"),
        pytest.param({"pattern": "(a)\\1"}, ("TC325", '"(a)\\\\1"'), None, id="pattern that is not enforced"),
    ],
)
def test_a_keyword_is_judged_where_it_stands(
    folder: Folder, schema: dict[str, Any], told: tuple[str, str], hint: str | None
) -> None:
    compiled = folder.property(**schema)
    assert compiled.told == [told]
    assert compiled.hints == [hint]


def test_parameters_that_are_no_object_are_an_error(folder: Folder) -> None:
    assert folder.manifest(parameters=[]).told == [("TC304", "[]")]


def test_parameters_of_another_type_are_an_error(folder: Folder) -> None:
    assert folder.parameters(type="array", items={"type": "string"}).told == [("TC320", '"array"')]


def test_a_reference_that_misses_its_place_is_told_where_it_stands(folder: Folder) -> None:
    compiled = folder.parameters(
        type="object", properties={"a": {"$ref": "#/defs/point"}}, **{"$defs": {"point": {"type": "object"}}}
    )
    assert compiled.told == [("TC323", '"#/defs/point"')]
    assert compiled.hints == ["it stands at `#/$defs/point`"]


def test_references_within_the_schema_are_taken(folder: Folder) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/a~1b"}, "b": {"$ref": "#name"}, "c": {"$ref": "#"}},
        "$defs": {"a/b": {"type": "string"}, "n": {"$anchor": "name", "items": {"$ref": "#/$defs/n"}}},
    }
    assert folder.manifest(parameters=schema).tool.input_schema == schema


def test_the_name_of_another_draft_is_told_and_left_out(folder: Folder) -> None:
    draft = "http://json-schema.org/draft-07/schema#"
    compiled = folder.parameters(**{"$schema": draft}, type="object", properties={})
    assert compiled.told == [("TC321", f'"{draft}"')]
    assert compiled.tool.input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param({"properties": {f"p{i}": {"type": "string"} for i in range(20_000)}}, id="many properties"),
        pytest.param(
            {
                "$defs": {"n30": {}} | {f"n{i}": {"allOf": [{"$ref": f"#/$defs/n{i + 1}"}] * 2} for i in range(30)},
                "properties": {"p": {"$ref": "#/$defs/n0"}},
            },
            id="doubling references",
        ),
        pytest.param(
            {"$defs": {"n2000": {}} | {f"n{i}": {"$ref": f"#/$defs/n{i + 1}"} for i in range(2000)}},
            id="long chain of references",
        ),
    ],
)
def test_hostile_schemas_are_refused(folder: Folder, parameters: dict[str, Any]) -> None:
    compiled = folder.manifest(parameters={"type": "object", **parameters})
    assert compiled.told == [("TC322", '"parameters"')]


@pytest.mark.parametrize("keyword", ["type", "required"])
def test_a_long_list_of_other_things_than_names_is_refused_at_once(folder: Folder, keyword: str) -> None:
    compiled = folder.property(**{keyword: [*range(40), *(str(number) for number in range(5000)), {}]})
    assert compiled.codes == ["TC320"]


def test_of_many_mistakes_the_first_are_told(folder: Folder) -> None:
    compiled = folder.parameters(type="object", properties={f"p{number}": "x" for number in range(300)})
    assert compiled.codes == ["TC320"] * 50
    assert [message.split("`")[1] for message in compiled.messages] == [
        f"parameters.properties.p{number}" for number in range(50)
    ]


def test_a_schema_as_deep_as_json_may_be_is_compiled(folder: Folder) -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(30):
        schema = {"type": "object", "properties": {"a": schema}}
    assert folder.manifest(parameters=schema).tool.input_schema == schema


# -------------------------------------------------------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param({"description": "a\u202eb"}, ("TC330", "\\u202e"), id="override"),
        pytest.param({"description": "a\U000e0041\U000e0042"}, ("TC330", "\\udb40\\udc41"), id="tags"),
        pytest.param({"description": "a\u001b[2J"}, ("TC330", "\\u001b"), id="terminal"),
        pytest.param({"command": "python3 run.py \u202ex"}, ("TC330", "\\u202e"), id="command"),
        pytest.param({"command": ["python3", "run.py", "\0"]}, ("TC330", "\\u0000"), id="NUL in a command"),
        pytest.param({"annotations": {"title": "a\u200b"}}, ("TC330", "\\u200b"), id="title"),
        pytest.param({"description": "co\u00adop"}, ("TC331", "\\u00ad"), id="soft hyphen"),
    ],
)
def test_an_invisible_character_is_told_at_its_place(
    folder: Folder, changes: dict[str, Any], told: tuple[str, str]
) -> None:
    compiled = folder.manifest(**changes)
    assert compiled.told == [told]
    assert all(message.isprintable() for message in compiled.messages)


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"properties": {"a\u200bb": {}}}, id="name of a property"),
        pytest.param({"properties": {"a": {"enum": ["x", "y\u200b"]}}}, id="enum"),
        pytest.param({"properties": {"a": {"default": {"b": ["\u200b"]}}}}, id="default"),
        pytest.param({"properties": {"a": {"examples": ["\u200b"]}}}, id="examples"),
        pytest.param({"title": "\u200b"}, id="title"),
    ],
)
def test_everything_inside_the_parameters_is_looked_at(folder: Folder, schema: dict[str, Any]) -> None:
    assert folder.parameters(type="object", **schema).told == [("TC330", "\\u200b")]


def test_many_invisible_characters_of_one_text_are_one_mistake(folder: Folder) -> None:
    compiled = folder.manifest(description="ok " + "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all"))
    assert compiled.codes == ["TC330"]
    assert "10 invisible characters: `\\u{e0069}\\u{e0067}" in compiled.messages[0]


def test_texts_of_any_language_are_taken(folder: Folder) -> None:
    assert folder.manifest(description="👨‍👩‍👧 می‌خواهم क्‍ष שלום ❤️").diagnostics == ()


# ------------------------------------------------------------------------------------------------------------ command


@pytest.mark.parametrize(
    ("command", "told"),
    [
        pytest.param("cat | sort", [("TC340", "|")], id="pipe"),
        pytest.param("cd x && python3 run.py", [("TC340", "cd"), ("TC341", "&&")], id="in a row"),
        pytest.param("ls; ./run.sh &", [("TC340", ";"), ("TC342", "&")], id="background later"),
        pytest.param("exec 3<&0; ./run.sh <&3 &", [("TC340", "exec")], id="background with its input"),
        pytest.param("ls ../..|cat", [("TC349", ".."), ("TC340", "|")], id="climbs"),
    ],
)
def test_a_shell_form_is_spelled_out_with_a_warning(folder: Folder, command: str, told: list[tuple[str, str]]) -> None:
    compiled = folder.manifest(command=command)
    assert compiled.told == told
    assert compiled.argv == ("sh", "-c", command)


@pytest.mark.parametrize("command", ["setsid ./run.sh &", "./run.sh > log | cat & echo started"])
def test_a_job_in_the_background_is_given_the_arguments_by_a_pipe(folder: Folder, command: str) -> None:
    compiled = folder.manifest(command=command)
    assert [code for code, _ in compiled.told] == ["TC340"]
    assert compiled.argv == ("sh", "-c", f"exec 3<&0 </dev/null; cat <&3 | {command}")


def test_the_place_of_shell_syntax_counts_the_space_before_the_command(folder: Folder) -> None:
    compiled = folder.manifest(command="  cat && sort")
    assert compiled.told == [("TC340", "&&"), ("TC341", "&&")]
    assert compiled.argv == ("sh", "-c", "cat && sort")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        pytest.param("python3 'run.py", ("TC346", "'"), id="open quote"),
        pytest.param("''", ("TC346", "\"''\""), id="empty program"),
        pytest.param(["", "x"], ("TC346", '["", "x"]'), id="empty first word"),
        pytest.param("./run.sh " + "x" * 102_400, ("TC346", '"command"'), id="too long"),
        pytest.param(["./run.sh", "x" * 102_400], ("TC346", '"command"'), id="too long a list"),
        pytest.param("cat; " + "x" * 102_400, ("TC346", '"command"'), id="too long a shell form"),
        pytest.param("../other/run.sh", ("TC348", '"../other/run.sh"'), id="program outside"),
        pytest.param("./a/../../run.sh", ("TC348", '"./a/../../run.sh"'), id="program outside in a roundabout way"),
        pytest.param(["python3", "../x.py"], ("TC348", '"../x.py"'), id="script outside"),
        pytest.param(["./run.sh", "--config=../x"], ("TC348", '"--config=../x"'), id="option outside"),
    ],
)
def test_a_command_that_cannot_run_anywhere_is_an_error(folder: Folder, command: Json, told: tuple[str, str]) -> None:
    errors = [told for told in folder.manifest(command=command).told if told[0] in ("TC346", "TC348")]
    assert errors == [told]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["sed", "s:\\.:_:"], id="a delimiter"),
        pytest.param("sed 's:\\s*:_:g'", id="a delimiter before a class"),
        pytest.param("printf '\\\\n\\\\n'", id="escaped line breaks"),
        pytest.param(["grep", "-P", "A:\\d+"], id="a pattern"),
        pytest.param(["docker", "run", "-v", "a:/data", "image"], id="a volume"),
        pytest.param(["curl", "https://x/C:/y"], id="an address"),
        pytest.param("python3 run.py D://x", id="a scheme of one letter"),
    ],
)
def test_a_colon_is_not_taken_for_a_drive(folder: Folder, command: Json) -> None:
    assert "TC350" not in folder.manifest(command=command).codes


@pytest.mark.parametrize("opening", ["${", "{{"])
def test_a_command_of_placeholders_that_are_never_closed_is_judged_at_once(folder: Folder, opening: str) -> None:
    assert folder.manifest(command=["./run.sh", opening * 200_000]).codes == ["TC346"]


@pytest.mark.parametrize("command", ["./run.sh a/../b https://x/../y ..x", ["./run.sh", "a..b", "--x=.."]])
def test_dots_that_stay_inside_are_taken(folder: Folder, command: Json) -> None:
    assert "TC348" not in folder.manifest(command=command).codes


@pytest.mark.parametrize(
    ("command", "files", "told"),
    [
        pytest.param("./run.sh", FILES, [], id="script"),
        pytest.param("./a/../run.sh", FILES, [], id="script in a roundabout way"),
        pytest.param("./prog", {"prog": b"\x7fELF..."}, [], id="binary"),
        pytest.param("no-such-program-here x", FILES, ["TC343"], id="not on the path"),
        pytest.param("/no/such/program", FILES, ["TC343"], id="absolute"),
        pytest.param("./no.sh", FILES, ["TC343"], id="not in the folder"),
        pytest.param("./.env", {".env": "#!/bin/sh"}, ["TC343"], id="not shipped"),
        pytest.param("python3 no.py", FILES, ["TC343"], id="script of an interpreter"),
        pytest.param("python3 -m json.tool", FILES, [], id="option of an interpreter"),
        pytest.param("./no.sh | cat", FILES, ["TC343", "TC340"], id="first word of a shell form"),
        pytest.param(["cd", "x"], FILES, ["TC343"], id="a word of the shell in a list"),
        pytest.param("./run", {"run": "#!/no/such/interpreter\n"}, ["TC343"], id="interpreter"),
        pytest.param("./run", {"run": "#!/usr/bin/env -S no-such-program-here -x\n"}, ["TC343"], id="behind env"),
        pytest.param("./data.txt", FILES, ["TC344"], id="not executable"),
        pytest.param("./run", {"run": "#!/bin/sh\r\necho\r\n"}, ["TC345"], id="carriage return"),
        pytest.param("./run.sh", {"run.sh": "#!/bin/sh\r\necho\r\n"}, [], id="carriage return that does not ship"),
        pytest.param("./run", {"run": "run: no first line"}, ["TC345"], id="no first line"),
        pytest.param(
            "./run | cat", {"run": "run: no first line"}, ["TC340"], id="no first line, which a shell forgives"
        ),
        pytest.param("./run", {"run": "\n#!/bin/sh"}, ["TC345"], id="first line is the second"),
        pytest.param(["./run.sh", "${ROOT}/x"], FILES, ["TC347"], id="placeholder"),
        pytest.param(["./run.sh", "../.."], FILES, ["TC349"], id="climbs"),
    ],
)
def test_what_would_stop_a_command_is_a_warning(
    folder: Folder, command: Json, files: dict[str, str | bytes], told: list[str]
) -> None:
    compiled = folder.manifest(files, command=command)
    assert compiled.codes == told
    assert all(diagnostic.level is Severity.WARNING for diagnostic in compiled.diagnostics)
    assert isinstance(compiled.outcome, Declaration)


def test_a_file_of_the_folder_that_is_called_as_a_program_is_told(folder: Folder) -> None:
    compiled = folder.manifest(command="run.sh")
    assert compiled.hints == ["write `./run.sh` to run the file in the tool's folder"]


def test_what_is_on_this_machine_changes_nothing_in_the_tool(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = folder.manifest().tool
    monkeypatch.setenv("PATH", "")
    other = Folder(tmp_path / "other").manifest()
    assert other.codes == ["TC343"]
    assert (other.tool.entry, other.tool.input_schema) == (known.entry, known.input_schema)


# ------------------------------------------------------------------------------------------------------------- schema


def test_the_schema_of_manifests_names_every_key_toolc_reads() -> None:
    properties = resources.schema("tool")["properties"]
    assert isinstance(properties, dict)
    assert set(properties) == {
        *("$schema", "name", "description", "parameters", "inputSchema", "command", "timeout", "env", "permission"),
        *("background", "annotations"),
    }
