"""Annotations become schemas: what has a plain JSON form, what has none, and where that is said."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from python_layer import Compiled, compile_files, compile_text


def compile_annotation(root: Path, annotation: str, before: str = "", default: str = "") -> Compiled:
    """Compile a tool with one parameter `x` of the annotation."""
    default = f" = {default}" if default else ""
    return compile_text(root, f'{before}\n\ndef f(x: {annotation}{default}) -> str:\n    """F."""\n    return ""\n')


def schema(compiled: Compiled) -> Any:
    """The schema of the parameter `x`."""
    properties = compiled.tool.input_schema["properties"]
    assert isinstance(properties, dict)
    return properties["x"]


TYPING = "import typing as t, collections.abc as c\nfrom typing import *\nT = TypeVar('T')"


@pytest.mark.parametrize(
    ("annotation", "wanted"),
    [
        pytest.param("str", {"type": "string"}, id="str"),
        pytest.param("None", {"type": "null"}, id="none"),
        pytest.param("'None'", {"type": "null"}, id="quoted-none"),
        pytest.param("t.Any", {}, id="any-through-an-alias-of-the-module"),
        pytest.param("list", {"type": "array", "items": {}}, id="bare-list"),
        pytest.param("List", {"type": "array", "items": {}}, id="bare-typing-list"),
        pytest.param("c.Sequence[int]", {"type": "array", "items": {"type": "integer"}}, id="sequence"),
        pytest.param("Iterable[bool]", {"type": "array", "items": {"type": "boolean"}}, id="iterable"),
        pytest.param("dict", {"type": "object", "additionalProperties": True}, id="bare-dict"),
        pytest.param("Dict[str, Any]", {"type": "object", "additionalProperties": True}, id="dict-of-anything"),
        pytest.param(
            "dict[Any, float]", {"type": "object", "additionalProperties": {"type": "number"}}, id="any-keys"
        ),
        pytest.param(
            "dict[Literal['a', 'b'], str]",
            {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"enum": ["a", "b"]}},
            id="literal-keys",
        ),
        pytest.param("int | int", {"type": "integer"}, id="union-of-one-type"),
        pytest.param("Union[int]", {"type": "integer"}, id="union-of-one"),
        pytest.param(
            "None | (int | 'None | str')",
            {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
            id="nested-unions-with-quotes",
        ),
        pytest.param("Optional[None]", {"type": "null"}, id="optional-none"),
        pytest.param("Literal[True, 1]", {"anyOf": [
            {"type": "boolean", "enum": [True]}, {"type": "integer", "enum": [1]}
        ]}, id="true-is-not-one"),
        pytest.param("Literal[-1, 0, -1]", {"type": "integer", "enum": [-1, 0]}, id="negative-literals"),
        pytest.param("Literal['int']", {"type": "string", "enum": ["int"]}, id="a-literal-string-is-no-type"),
        pytest.param("Annotated[int, 'a count', print]", {"type": "integer", "description": "a count"}, id="annotated"),
        pytest.param(
            "list[Annotated[str, 'a name']]",
            {"type": "array", "items": {"type": "string", "description": "a name"}},
            id="annotated-inside",
        ),
        pytest.param("T", {}, id="free-type-variable"),
        pytest.param("LiteralString", {"type": "string"}, id="literal-string"),
    ],
)  # fmt: skip
def test_a_type_becomes_the_schema_of_its_values(annotation: str, wanted: Any, tmp_path: Path) -> None:
    compiled = compile_annotation(tmp_path, annotation, TYPING)
    assert schema(compiled) == wanted
    assert compiled.says == []


@pytest.mark.parametrize(
    ("annotation", "code", "place"),
    [
        pytest.param("type[int]", "TC430", "type[int]", id="a-class-as-a-value"),
        pytest.param("list[tuple[int, range]]", "TC430", "range", id="the-part-that-is-to-blame"),
        pytest.param("bytearray | None", "TC430", "bytearray", id="bytearray"),
        pytest.param("Callable[[int], int]", "TC430", "Callable[[int], int]", id="callable"),
        pytest.param("dict[float, str]", "TC430", "float", id="keys-that-json-has-not"),
        pytest.param("Literal[b'x']", "TC430", "b'x'", id="bytes-literal"),
        pytest.param("Box", "TC430", "Box", id="class-of-the-file"),
        pytest.param("helper", "TC430", "helper", id="function"),
        pytest.param("t", "TC430", "t", id="module"),
        pytest.param("Missing", "TC431", "Missing", id="unbound"),
        pytest.param("'list['", "TC431", "'list['", id="quoted-nonsense"),
        pytest.param("list[Either]", "TC431", "Either", id="bound-in-two-ways"),
        pytest.param("Made", "TC431", "Made", id="made-by-a-call"),
        pytest.param("3", "TC431", "3", id="a-number"),
        pytest.param("Round", "TC430", "Round", id="defined-by-itself"),
    ],
)
def test_a_type_without_json_form_is_an_error_at_its_place(
    annotation: str, code: str, place: str, tmp_path: Path
) -> None:
    before = (
        "import os\nimport typing as t\nfrom typing import Annotated, Literal\nfrom collections.abc import Callable\n"
        "class Box: ...\ndef helper(): ...\nMade = make()\nRound = int | 'Round'\n"
        "if os.sep == '/':\n    Either = int\nelse:\n    Either = str\n"
    )
    compiled = compile_annotation(tmp_path, annotation, before)
    assert compiled.broken == ["f"]
    assert compiled.place(code) == place
    assert "parameter `x` of tool `f` has type `" in compiled.one(code).message


def test_a_type_without_json_form_is_hidden_where_there_is_a_default(tmp_path: Path) -> None:
    compiled = compile_annotation(tmp_path, "range", default="range(3)")
    assert compiled.tool.input_schema["properties"] == {}
    assert compiled.says == ["TC432"]


def test_a_description_in_place_of_a_default_is_not_taken_for_a_default(tmp_path: Path) -> None:
    compiled = compile_annotation(tmp_path, "int", "from pydantic import Field", "Field(ge=1)")
    assert schema(compiled) == {"type": "integer", "minimum": 1}
    assert compiled.tool.input_schema["required"] == ["x"]


def test_a_parameter_that_a_framework_supplies_is_hidden(tmp_path: Path) -> None:
    compiled = compile_annotation(tmp_path, "str", "from fastapi import Depends", "Depends(print)")
    assert compiled.tool.input_schema["properties"] == {}
    assert compiled.place("TC432") == "Depends(print)"


def test_aliases_are_followed_into_modules_of_the_layer(tmp_path: Path) -> None:
    compiled = compile_files(
        tmp_path,
        {
            "f.py": "import kinds\nfrom kinds.names import Name as N\nfrom _more import *\n"
            "def f(a: N, b: kinds.names.Name, c: kinds.Level, d: Size) -> str:\n    'F.'\n",
            "kinds/__init__.py": "from .names import Level\n",
            "kinds/names.py": "import typing\nName = typing.NewType('Name', str)\nLevel = typing.Literal[1, 2]\n",
            "_more.py": "Size = 'int | float'\n",
        },
    )
    assert compiled.tool.input_schema["properties"] == {
        "a": {"type": "string"},
        "b": {"type": "string"},
        "c": {"type": "integer", "enum": [1, 2]},
        "d": {"anyOf": [{"type": "integer"}, {"type": "number"}]},
    }
    assert [file.path for file in compiled.tool.sources] == ["_more.py", "f.py", "kinds/__init__.py", "kinds/names.py"]


def test_modules_that_import_names_from_each_other_in_a_circle_bind_nothing(tmp_path: Path) -> None:
    compiled = compile_files(
        tmp_path,
        {
            "f.py": "from _a import X\ndef f(x: X) -> str:\n    'F.'\n",
            "_a.py": "try:\n    from _b import X\nexcept ImportError:\n    from _c import X\n",
            "_b.py": "from _a import X\n",
            "_c.py": "from _a import X\n",
        },
    )
    assert compiled.says == ["TC431"]


def test_the_backport_of_typing_is_typing(tmp_path: Path) -> None:
    before = (
        "try:\n    from typing import Literal\nexcept ImportError:\n    from typing_extensions import Literal\n"
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from typing import List\nelse:\n    List = list\n"
    )
    compiled = compile_annotation(tmp_path, "List[Literal['a']]", before)
    assert schema(compiled) == {"type": "array", "items": {"type": "string", "enum": ["a"]}}
    assert compiled.says == []


def test_a_name_the_file_defines_is_not_the_builtin(tmp_path: Path) -> None:
    compiled = compile_annotation(tmp_path, "int", "class int: ...")
    assert compiled.place("TC430") == "int"


def test_a_type_that_grows_without_end_is_refused(tmp_path: Path) -> None:
    aliases = "".join(f"A{n + 1} = list[A{n}] | dict[str, A{n}]\n" for n in range(60))
    compiled = compile_annotation(tmp_path, "A60", f"A0 = int\n{aliases}")
    assert compiled.says == ["TC447"]


@pytest.mark.parametrize(
    ("annotation", "code"),
    [
        pytest.param("Final[int]", "TC440", id="a-qualifier-is-unwrapped"),
        pytest.param("Iterator[int]", "TC439", id="an-iterator-gets-a-list"),
        pytest.param("Annotated[int, Predicate(f)]", "TC445", id="a-constraint-that-no-schema-states"),
        pytest.param("list[Annotated[str, Ge(1)]]", "TC445", id="a-constraint-of-another-type"),
        pytest.param(r"Annotated[str, Field(pattern=r'(a)\1')]", "TC445", id="a-pattern-that-could-run-away"),
    ],
)
def test_what_is_odd_about_a_type_is_a_warning(annotation: str, code: str, tmp_path: Path) -> None:
    before = (
        "from typing import Annotated, Final, Iterator\nfrom annotated_types import Ge, Predicate\n"
        "from pydantic import Field"
    )
    compiled = compile_annotation(tmp_path, annotation, before)
    assert list(compiled.tools) == ["f"]
    assert [said for said in compiled.says if said != "TC460"] == [code]


@pytest.mark.parametrize(
    "field",
    [
        pytest.param("pattern='('", id="a-pattern-that-is-none"),
        pytest.param("json_schema_extra={'minLength': 'three'}", id="a-keyword-with-a-value-it-does-not-take"),
        pytest.param("json_schema_extra={'$ref': 'https://example.com'}", id="a-reference-out-of-the-schema"),
    ],
)
def test_a_schema_that_no_call_could_be_checked_by_is_an_error(field: str, tmp_path: Path) -> None:
    before = "from typing import Annotated\nfrom pydantic import Field"
    compiled = compile_annotation(tmp_path, f"Annotated[str, Field({field})]", before)
    assert compiled.broken == ["f"]
    assert compiled.place("TC446") == f"x: Annotated[str, Field({field})]"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="needs a newer Python to parse")
def test_type_statements_are_aliases(tmp_path: Path) -> None:
    compiled = compile_annotation(tmp_path, "Names", "type Names = list[str]")
    assert schema(compiled) == {"type": "array", "items": {"type": "string"}}


# ------------------------------------------------------------------------------------------------------------ defaults


@pytest.mark.parametrize(
    ("annotation", "default", "wanted"),
    [
        pytest.param("int", "2 ** 10 - 1", 1023, id="arithmetic"),
        pytest.param("float", "1", 1, id="an-int-for-a-float"),
        pytest.param("int", "-LIMIT", -30, id="constant"),
        pytest.param("list[int]", "[LIMIT] * 2", [30, 30], id="repetition"),
        pytest.param("dict[str, int]", "{'a': LIMIT, **MORE}", {"a": 30, "b": 1}, id="dictionary"),
        pytest.param("str", "'a' 'b' + SUFFIX", "ab.txt", id="concatenation"),
        pytest.param("str", "f'plain'", "plain", id="f-string-without-expressions"),
        pytest.param("bool", "not LIMIT", False, id="not"),
        pytest.param("int", "settings.PORT", 8080, id="constant-of-a-module-of-the-layer"),
    ],
)
def test_a_static_default_is_in_the_schema(annotation: str, default: str, wanted: Any, tmp_path: Path) -> None:
    compiled = compile_files(
        tmp_path,
        {
            "f.py": "import settings\nLIMIT = 30\nSUFFIX: str = '.txt'\nMORE = {'b': 1}\n"
            f"def f(x: {annotation} = {default}) -> str:\n    'F.'\n",
            "settings.py": "PORT = 8_080\n",
        },
    )
    assert schema(compiled)["default"] == wanted
    assert type(schema(compiled)["default"]) is type(wanted)
    assert "required" not in compiled.tool.input_schema
    assert compiled.says == []


@pytest.mark.parametrize(
    ("annotation", "default", "code"),
    [
        pytest.param("str", "os.environ['HOME']", "TC436", id="environment"),
        pytest.param("int", "TWICE", "TC436", id="assigned-twice"),
        pytest.param("list[int]", "GROWN", "TC436", id="changed-in-place"),
        pytest.param("int", "COUNTER", "TC436", id="changed-by-a-function"),
        pytest.param("int", "10 ** 10 ** 10", "TC436", id="a-number-without-end"),
        pytest.param("str", "'a' * 10 ** 9", "TC436", id="a-text-without-end"),
        pytest.param("int", "1 // 0", "TC436", id="division-by-zero"),
        pytest.param("float", "1e999", "TC436", id="infinity"),
        pytest.param("list[str]", "()", "TC436", id="tuple"),
        pytest.param("object", "...", "TC436", id="ellipsis"),
        pytest.param("int", "'5'", "TC437", id="another-type"),
        pytest.param("bool", "1", "TC437", id="one-is-not-true"),
        pytest.param("Literal['a']", "'b'", "TC437", id="not-among-the-choices"),
    ],
)
def test_any_other_default_leaves_the_parameter_optional_and_says_so(
    annotation: str, default: str, code: str, tmp_path: Path
) -> None:
    before = (
        "import os\nfrom typing import Literal\nTWICE = 1\nTWICE = 2\nGROWN = []\nGROWN.append(1)\nCOUNTER = 0\n"
        "def _count():\n    global COUNTER\n    COUNTER += 1\n"
    )
    compiled = compile_annotation(tmp_path, annotation, before, default)
    assert "default" not in schema(compiled)
    assert "required" not in compiled.tool.input_schema
    assert compiled.says == [code]


# --------------------------------------------------------------------------------------------------- kinds of parameter


def test_a_parameter_that_is_not_its_own_keyword_says_how_it_is_passed(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "def f(a: int, /, b: int, *, c: int) -> str:\n    'F.'\n")
    assert {name: (entry.parameter, entry.kind) for name, entry in compiled.entry.arguments.items()} == {
        "a": ("a", "positional")
    }


def test_what_stands_before_typed_star_args_is_passed_by_position(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "def f(a: int, *rest: int, c: int, **more: str) -> str:\n    'F.'\n")
    assert {name: entry.kind for name, entry in compiled.entry.arguments.items()} == {"a": "positional", "rest": "*"}
    assert compiled.tool.input_schema["additionalProperties"] == {"type": "string"}


def test_typed_keywords_of_anything_open_the_schema(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "from typing import Any\ndef f(**more: Any) -> str:\n    'F.'\n")
    assert compiled.tool.input_schema == {"type": "object", "properties": {}, "additionalProperties": True}


def test_untyped_parameters_take_the_types_of_overloads(tmp_path: Path) -> None:
    compiled = compile_text(
        tmp_path,
        "from typing import overload\n"
        "@overload\ndef f(x: int) -> str: ...\n@overload\ndef f(x: str) -> str: ...\n"
        "def f(x) -> str:\n    'F.'\n",
    )
    assert schema(compiled) == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert compiled.says == []


def test_an_overload_of_a_type_without_json_form_is_told_at_the_overload(tmp_path: Path) -> None:
    compiled = compile_text(
        tmp_path,
        "from frame import Frame\nfrom typing import overload\n"
        "@overload\ndef f(x: int) -> str: ...\n@overload\ndef f(x: Frame) -> str: ...\n"
        "def f(x) -> str:\n    'Do it.'\n",
    )
    assert compiled.place("TC430") == "Frame"
    assert compiled.one("TC430").span.line == 6


def test_a_return_type_without_json_form_is_a_note(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "from toolc import tool\n@tool\ndef f() -> range:\n    'F.'\n")
    assert compiled.tool.output_schema is None
    assert compiled.place("TC441") == "range"
    assert compiled.says == []
