"""Which functions of a file are tools, what they are called, what they say of themselves, and what they bring along."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from python_layer import compile_files, compile_text
from toolc.diagnostics import Span, Text
from toolc.model import Background, Level, Naming, ToolSettings

F = 'def f(x: int) -> str:\n    """F."""\n'


def settings(name: str, *include: str) -> dict[str, ToolSettings]:
    """`[tools.NAME]` with an `include`."""
    return {name: ToolSettings(name=name, span=Span(Text("toolc.toml"), 1, 1, 1, 2), include=include)}


# ---------------------------------------------------------------------------------------------------- the decorator


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("from toolc import tool\n@tool\n", id="bare"),
        pytest.param("from aru.plugins import tool\n@tool()\n", id="called"),
        pytest.param("from aru.plugins import tool as t\n@t\n", id="renamed"),
        pytest.param("import aru.plugins as p\n@p.tool\n", id="renamed-module"),
        pytest.param("import aru.plugins\n@aru.plugins.tool(override=False)\n", id="whole-path"),
        pytest.param("from aru import plugins\n@plugins.tool\n", id="module-from-package"),
        pytest.param("import toolc\n@toolc.tool\n", id="toolc"),
        pytest.param("from toolc import *\n@tool\n", id="star"),
        pytest.param("from toolc import tool\nmine = tool\n@mine\n", id="assigned"),
        pytest.param("from _shared import tool\n@tool\n", id="through-a-module-of-the-layer"),
        pytest.param("import functools\nfrom toolc import tool\n@functools.cache\n@tool\n", id="under-another"),
        pytest.param(
            "try:\n    from aru.plugins import tool\nexcept ImportError:\n    def tool(g): return g\n@tool\n",
            id="with-a-stand-in",
        ),
    ],
)
def test_the_decorator_is_known_however_it_is_imported(text: str, tmp_path: Path) -> None:
    files = {"tools.py": f'{text}def f(x: int):\n    """F."""\n', "_shared.py": "from toolc import tool\n"}
    compiled = compile_files(tmp_path, files)
    assert list(compiled.tools) == ["f"]
    assert compiled.says == []


@pytest.mark.parametrize(
    "name", ["smolagents.tool", "agents.function_tool", "semantic_kernel.functions.kernel_function"]
)
def test_a_decorator_of_another_framework_is_told_apart(name: str, tmp_path: Path) -> None:
    module, _, decorator = name.rpartition(".")
    compiled = compile_text(tmp_path, f"from {module} import {decorator}\n@{decorator}\ndef g(x: int) -> int: ...\n{F}")
    assert list(compiled.tools) == ["f"]
    assert any(f"`{name}`" in note for note in compiled.notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("class ReadTool(BaseTool): ...", ["ReadTool"], id="class-by-its-base"),
        pytest.param("class Read(crewai.tools.BaseTool[int]): ...", ["Read"], id="class-by-a-generic-base"),
        pytest.param(
            "class Read:\n    name: str = 'r'\n    description = 'R'\n    def forward(self): ...",
            ["Read"],
            id="class-by-its-form",
        ),
        pytest.param("class Kit:\n    @function_tool()\n    def read(self): ...", ["Kit.read"], id="method"),
        pytest.param("T = {'name': 'r', 'input_schema': {}}", ["T"], id="anthropic"),
        pytest.param("T = {'type': 'function', 'function': {'name': 'r', 'parameters': {}}}", ["T"], id="openai"),
        pytest.param("T = [{'toolSpec': {'name': 'r', 'inputSchema': {}}}]", ["T"], id="bedrock"),
        pytest.param("N = 'r'\nT = {'name': N, 'parameters': {}}", ["T"], id="named-by-a-constant"),
        pytest.param("T = {'name': 'r', 'size': 3}", [], id="other-dictionary"),
        pytest.param("T = {'name': make(), 'parameters': {}}", [], id="name-that-is-made"),
        pytest.param("class Config:\n    name = 'c'\n    description = 'C'", [], id="class-that-does-nothing"),
        pytest.param("class _Tool(BaseTool): ...", [], id="private"),
    ],
)
def test_what_is_a_tool_elsewhere_is_a_note(text: str, said: list[str], tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, f"import crewai.tools\n{text}\n{F}")
    notes = [diagnostic for diagnostic in compiled.diagnostics if diagnostic.code.id == "TC419"]
    assert [note.message.split("`")[1] for note in notes] == said
    assert all(note.hint for note in notes)


def test_everything_the_decorator_says_is_read(tmp_path: Path) -> None:
    compiled = compile_text(
        tmp_path,
        "from toolc import tool\nMINUTE = 60\n"
        '@tool("Ship it.", name="ship", override=True, timeout=2 * MINUTE, permission="deny", background="keep",\n'
        '      annotations={"title": "Ship", "readOnlyHint": False})\n'
        'async def deploy():\n    """Not this."""\n',
    )
    tool = compiled.tool
    assert (tool.name, tool.description, tool.override, tool.timeout_s) == ("ship", "Ship it.", True, 120)
    assert (tool.permission, tool.background) == (Level.DENY, Background.KEEP)
    assert tool.annotations == {"title": "Ship", "readOnlyHint": False}
    assert (compiled.entry.module, compiled.entry.function, compiled.entry.is_async) == ("tools", "deploy", True)
    assert tool.span.line == 3


@pytest.mark.parametrize(
    ("arguments", "code", "place"),
    [
        pytest.param("descripton='x'", "TC422", "descripton='x'", id="misspelt"),
        pytest.param("'x', 'y'", "TC422", "'y'", id="two-without-a-name"),
        pytest.param("**options", "TC423", "**options", id="unpacked"),
        pytest.param("f'{NAME} it'", "TC423", "f'{NAME} it'", id="f-string"),
        pytest.param("description=TEXT", "TC423", "TEXT", id="assigned-twice"),
        pytest.param("'a' + text()", "TC423", "text()", id="the-part-that-is-to-blame"),
        pytest.param("description=5", "TC424", "5", id="description-that-is-no-text"),
        pytest.param("name=5", "TC424", "5", id="name-that-is-no-text"),
        pytest.param("override='yes'", "TC424", "'yes'", id="override-that-is-no-truth"),
        pytest.param("timeout=True", "TC424", "True", id="timeout-that-is-no-number"),
        pytest.param("timeout=0", "TC424", "0", id="no-time"),
        pytest.param("timeout=1e999", "TC424", "1e999", id="endless-time"),
        pytest.param("permission='maybe'", "TC424", "'maybe'", id="permission"),
        pytest.param("background='detach'", "TC424", "'detach'", id="background"),
        pytest.param("annotations=['x']", "TC424", "['x']", id="annotations-that-are-a-list"),
        pytest.param("annotations={'readonlyHint': True}", "TC424", "{'readonlyHint': True}", id="unknown-hint"),
        pytest.param("annotations={'readOnlyHint': 1}", "TC424", "{'readOnlyHint': 1}", id="hint-of-another-type"),
        pytest.param("name='S3 Reader'", "TC420", "'S3 Reader'", id="name-with-a-space"),
        pytest.param("name='9lives'", "TC420", "'9lives'", id="name-that-begins-with-a-digit"),
        pytest.param("name='x\\u200b'", "TC420", "'x\\u200b'", id="name-with-an-invisible-character"),
    ],
)
def test_an_argument_that_cannot_be_used_is_an_error_at_its_place(
    arguments: str, code: str, place: str, tmp_path: Path
) -> None:
    text = f"from toolc import tool\nNAME = 'n'\nTEXT = 'a'\nTEXT = 'b'\n@tool({arguments})\ndef f():\n    'F.'\n"
    compiled = compile_text(tmp_path, text)
    assert compiled.tools == {}
    assert len(compiled.broken) == 1
    assert compiled.place(code) == place


def test_an_empty_description_leaves_the_docstring_in_force(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "from toolc import tool\n@tool(description='')\ndef f():\n    'F.'\n")
    assert compiled.tool.description == "F."


# ------------------------------------------------------------------------------------------------ which are tools


def test_a_bare_function_is_a_tool_if_it_returns_str(tmp_path: Path) -> None:
    compiled = compile_text(
        tmp_path,
        "import builtins\n"
        "def a() -> str:\n    'A.'\ndef b() -> 'str':\n    'B.'\ndef c() -> builtins.str:\n    'C.'\n"
        "def d() -> int: ...\ndef e(): ...\ndef _g() -> str: ...\ndef h() -> str | None: ...\n",
    )
    assert list(compiled.tools) == ["a", "b", "c"]
    assert [note.partition(":")[0] for note in compiled.notes] == [
        "`d` is no tool",
        "`e` is no tool",
        "`h` is no tool",
    ]


def test_a_file_without_tools_is_one_note_that_says_why(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "def d() -> int: ...\nclass C:\n    def run(self) -> str: ...\n")
    assert not compiled.parsed.declarations
    assert not compiled.parsed.broken
    assert compiled.one("TC410").code.skips
    assert [label.message for label in compiled.one("TC410").labels] == [
        "`d`: it is not decorated with `tool`, and returns `int`, not `str`"
    ]


def test_every_public_function_of_a_file_without_tools_is_told(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "".join(f"def f{n}() -> int: ...\n" for n in range(40)))
    assert len(compiled.one("TC410").labels) == 40


def test_imported_functions_are_never_tools(tmp_path: Path) -> None:
    compiled = compile_files(tmp_path, {"a.py": f"from _b import g\n{F}", "_b.py": "def g() -> str:\n    'G.'\n"})
    assert list(compiled.tools) == ["f"]
    assert compiled.place("TC411") == "g"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("class C:\n    @tool\n    def g(self): ...\n", id="method"),
        pytest.param("def _outer():\n    @tool\n    def g(): ...\n", id="nested"),
        pytest.param("for _ in range(3):\n    @tool\n    def g(): ...\n", id="in-a-loop"),
        pytest.param("if TYPE_CHECKING:\n    @tool\n    def g(): ...\n", id="for-type-checkers"),
    ],
)
def test_a_decorated_function_that_cannot_be_a_tool_is_a_warning(text: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, f"from typing import TYPE_CHECKING\nfrom toolc import tool\n{text}{F}")
    assert list(compiled.tools) == ["f"]
    assert compiled.place("TC412") == "g"


def test_of_two_definitions_the_last_counts(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, F + 'def f(y: str) -> str:\n    """Later."""\n')
    assert compiled.tool.description == "Later."
    assert compiled.one("TC413").span.line == 3
    assert compiled.one("TC413").labels[0].span.line == 1


@pytest.mark.parametrize("text", ["f = print\n", "from os import getcwd as f\n", "del f\n", "for f in []: ...\n"])
def test_a_function_whose_name_means_something_else_later_is_no_tool(text: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, F + text)
    assert compiled.tools == {}
    assert compiled.says == ["TC414"]


def test_functions_used_as_decorators_are_not_tools(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, f"def log(function) -> str: ...\n@log\n{F}")
    assert list(compiled.tools) == ["f"]


@pytest.mark.parametrize(
    ("text", "tools", "says"),
    [
        pytest.param("__all__ = ['f']\n", ["f"], [], id="list"),
        pytest.param("__all__: tuple[str, ...] = ('g',)\n", ["g"], [], id="annotated-tuple"),
        pytest.param("__all__ = ['f']\n__all__ += ['g']\n", ["f", "g"], [], id="added-to"),
        pytest.param("__all__ = ['f']\n__all__.extend(['g'])\n", ["f", "g"], [], id="extended"),
        pytest.param("__all__ = []\n__all__.append('g')\n", ["g"], [], id="appended"),
        pytest.param("__all__ = []\n", [], [], id="empty"),
        pytest.param("__all__ = [n for n in dir()]\n", ["f", "g"], ["TC417"], id="computed"),
        pytest.param("__all__ = ['f']\n__all__.remove('f')\n", ["f", "g"], ["TC417"], id="changed"),
        pytest.param("__all__ = ['f', 'h']\n", ["f"], ["TC416"], id="names-nothing"),
    ],
)
def test_a_literal_all_narrows_the_tools(text: str, tools: list[str], says: list[str], tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, f"{text}{F}def g() -> str:\n    'G.'\n")
    assert list(compiled.tools) == tools
    assert compiled.says == says


# -------------------------------------------------------------------------------------------------------- branches

ONE, OTHER = "def f(x: int) -> str: 'F.'", "def f(x: str) -> str: 'F.'"


@pytest.mark.parametrize(
    ("condition", "kind"),
    [
        pytest.param("sys.version_info >= (3, 8)", "integer", id="true-for-every-python"),
        pytest.param("sys.version_info < (3, 8)", "string", id="false-for-every-python"),
        pytest.param("sys.version_info >= (3, 12)", "string", id="decided-for-the-oldest-python"),
        pytest.param("sys.version_info[:2] == (3, 11)", "integer", id="slice"),
        pytest.param("sys.version_info[0] > 2", "integer", id="major"),
        pytest.param("TYPE_CHECKING", "string", id="type-checking"),
        pytest.param("not typing.TYPE_CHECKING", "integer", id="not-type-checking"),
        pytest.param("__name__ == '__main__'", "string", id="script"),
        pytest.param("'__main__' != __name__", "integer", id="not-a-script"),
        pytest.param("True or unknown()", "integer", id="or"),
        pytest.param("not (unknown() and 0)", "integer", id="not-and"),
    ],
)
def test_a_condition_that_is_the_same_everywhere_is_decided(condition: str, kind: str, tmp_path: Path) -> None:
    text = f"import sys, typing\nfrom typing import TYPE_CHECKING\nif {condition}:\n    {ONE}\nelse:\n    {OTHER}\n"
    compiled = compile_text(tmp_path, text)
    assert compiled.tool.input_schema["properties"] == {"x": {"type": kind}}
    assert compiled.says == []


def test_a_file_that_asks_for_a_newer_python_decides_for_that(tmp_path: Path) -> None:
    text = "# /// script\n# requires-python = '>=3.13'\n# ///\nimport sys\n"
    text += f"if sys.version_info >= (3, 12):\n    {ONE}\nelse:\n    {OTHER}\n"
    assert compile_text(tmp_path, text).tool.input_schema["properties"] == {"x": {"type": "integer"}}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"if sys.platform == 'linux':\n    {ONE}\nelse:\n    {OTHER}\n", id="two-arms"),
        pytest.param(f"if os.environ.get('X'):\n    {ONE}\n", id="one-arm"),
        pytest.param(f"{ONE}\nif unknown():\n    {OTHER}\n", id="replaced-perhaps"),
        pytest.param(f"try:\n    import x1\n    {ONE}\nexcept ImportError:\n    {OTHER}\n", id="try"),
        pytest.param(f"match os.name:\n    case 'nt':\n        {ONE}\n", id="match"),
        pytest.param(f"if unknown():\n    {ONE}\nelif os.name:\n    f = None\n", id="perhaps-something-else"),
    ],
)
def test_a_tool_that_depends_on_an_undecided_condition_is_an_error(text: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, f"import os, sys\n{text}")
    assert compiled.says == ["TC415"]
    assert compiled.broken == ["f"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            f"if os.name == 'nt':\n    {ONE}; return 'a'\nelse:\n    {ONE}; return 'b'\n", id="arms-of-one-shape"
        ),
        pytest.param(f"try:\n    import json\n    {ONE}\nexcept ImportError:\n    raise\n", id="handler-that-raises"),
        pytest.param(f"try:\n    {ONE}\nexcept ImportError:\n    pass\n", id="handler-that-defines-nothing"),
        pytest.param(f"with open('x') as file:\n    {ONE}\n", id="with"),
        pytest.param(f"try:\n    pass\nfinally:\n    {ONE}\n", id="finally"),
    ],
)
def test_the_bodies_of_if_try_and_with_are_top_level(text: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, f"import os\n{text}")
    assert list(compiled.tools) == ["f"]
    assert compiled.says == []


# ----------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("functions", "names"),
    [
        pytest.param(["count"], ["words"], id="the-only-one-takes-the-stem"),
        pytest.param(["count", "list_"], ["words_count", "words_list_"], id="several-take-both"),
        pytest.param(["words", "count"], ["words", "words_count"], id="named-as-the-stem"),
        pytest.param(["default", "count"], ["words", "words_count"], id="default"),
    ],
)
def test_naming_by_file(functions: list[str], names: list[str], tmp_path: Path) -> None:
    text = "".join(f"def {name}() -> str:\n    'X.'\n" for name in functions)
    assert list(compile_files(tmp_path, {"words.py": text}, naming=Naming.FILE).tools) == names


def test_a_name_that_no_provider_takes_is_an_error(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "def übersetze() -> str:\n    'Ü.'\n")
    assert compiled.place("TC420") == "übersetze"
    assert compiled.broken == ["übersetze"]


def test_a_name_in_full_width_letters_is_an_error(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "def \uff46\uff49\uff4e\uff44() -> str:\n    'F.'\n")
    assert compiled.place("TC421") == "\uff46\uff49\uff4e\uff44"
    assert compiled.broken == ["find"]


@pytest.mark.parametrize("name", ["a.b.py", "café.é.py"])
def test_a_file_whose_name_is_no_module_name_is_an_error(name: str, tmp_path: Path) -> None:
    assert compile_files(tmp_path, {name: F}).says == ["TC405"]


# --------------------------------------------------------------------------------------------------- reading the file


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        pytest.param("x = 1\ndef f(:\n", "TC401", 2, 7, id="syntax"),
        pytest.param("é = 'é'; =\n", "TC401", 1, 10, id="column-counts-characters"),
        pytest.param("def f():\nx = 1\n", "TC401", 2, 1, id="indentation"),
        pytest.param("x = '''\n", "TC401", 1, 5, id="open-string"),
        pytest.param("x = 1\ny = \0\n", "TC401", 2, 5, id="nul"),
        pytest.param("# coding: latin-1\n", "TC403", 1, 11, id="cookie"),
        pytest.param("\n# -*- coding: cp1252 -*-\n", "TC403", 2, 15, id="cookie-in-line-two"),
        pytest.param("x = " + "(" * 300 + ")" * 300, "TC401", 1, 205, id="brackets"),
        pytest.param("x = 1" + " + 1" * 20_000, "TC404", 0, 0, id="a-long-sum"),
        pytest.param("x = " + "-" * 50_000 + "1", "TC404", 0, 0, id="many-signs"),
        pytest.param("if a: pass\n" + "elif b: pass\n" * 1_500, "TC404", 0, 0, id="many-branches"),
        pytest.param("a\n" * 200_000, "TC404", 0, 0, id="many-statements"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_and_claims_its_stem(
    text: str, code: str, line: int, column: int, tmp_path: Path
) -> None:
    compiled = compile_text(tmp_path, text)
    assert compiled.says == [code]
    assert compiled.broken == ["tools"]
    assert (compiled.one(code).span.line, compiled.one(code).span.column) == (line, column)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
@pytest.mark.parametrize("text", ["type X = int\n", "def f[T](x: T) -> str: ...\n", "class C[T]: ...\n"])
def test_newer_syntax_names_the_python_it_needs(text: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, text)
    assert "need Python 3.12" in compiled.one("TC402").message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"\ufeff{F}", id="byte-order-mark"),
        pytest.param(f"# -*- coding: UTF8 -*-\n{F}", id="cookie"),
        pytest.param(F.replace("\n", "\r\n"), id="carriage-returns"),
        pytest.param(f"x = '\\d'\n{F}", id="odd-escape"),
        pytest.param(F + "y = 0x" + "f" * 10_000, id="a-number-of-ten-thousand-digits"),
    ],
)
def test_what_is_merely_odd_compiles(text: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, text)
    assert list(compiled.tools) == ["f"]
    assert compiled.says == []


def test_places_after_wide_characters_and_a_byte_order_mark_are_exact(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "\ufeffdef f(größe: str = '日本', y: Missing = 1) -> str: 'F.'\n")
    assert compiled.place("TC432") == "Missing"
    assert compiled.place("TC438") == "größe: str"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("def f() -> str:\n    'Do \u202e it.'\n", "TC453", id="bidi-in-the-description"),
        pytest.param("def f(x: str = '\u200b') -> str:\n    'F.'\n", "TC453", id="zero-width-in-a-default"),
        pytest.param(
            "from typing import Literal\ndef f(x: Literal['\U000e0041']) -> str:\n    'F.'\n", "TC453", id="tag"
        ),
        pytest.param("def f() -> str:\n    'a\u00adb'\n", "TC454", id="soft-hyphen"),
    ],
)
def test_what_nobody_can_see_is_shown_at_its_place(text: str, code: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, text)
    assert compiled.says == [code]
    assert not compiled.place(code).isascii()
    assert len(compiled.place(code)) == 1


def test_an_escaped_invisible_character_is_an_error_at_the_function(tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, "def f() -> str:\n    'Do \\u202e it \\ud800.'\n")
    assert compiled.says == ["TC453", "TC453"]
    assert compiled.broken == ["f"]


# --------------------------------------------------------------------------------------------------------- imports


def test_imports_of_the_layer_are_followed_wherever_they_stand(tmp_path: Path) -> None:
    compiled = compile_files(
        tmp_path,
        {
            "f.py": "import pkg.inner\ntry:\n    from _a import x\nexcept ImportError:\n    pass\n"
            "def f() -> str:\n    'F.'\n    from _b import y\n",
            "_a.py": "",
            "_b.py": "import _c\n",
            "_c.py": "import f\n",
            "_unused.py": "",
            "pkg/__init__.py": "",
            "pkg/inner.py": "from . import sibling\nfrom ..pkg.other import z\n",
            "pkg/sibling.py": "",
            "pkg/other.py": "",
            "space/mod.py": "",
        },
    )
    assert [file.path for file in compiled.tool.sources] == [
        "_a.py",
        "_b.py",
        "_c.py",
        "f.py",
        "pkg/__init__.py",
        "pkg/inner.py",
        "pkg/other.py",
        "pkg/sibling.py",
    ]
    assert compiled.says == []


def test_a_module_named_like_one_of_the_standard_library_does_not_take_its_place(tmp_path: Path) -> None:
    compiled = compile_files(tmp_path, {"f.py": f"import json\n{F}", "json.py": "def g() -> str:\n    'G.'\n"})
    assert [file.path for file in compiled.tools["f"].sources] == ["f.py"]


def test_a_module_of_the_layer_goes_before_what_the_runtime_provides(tmp_path: Path) -> None:
    compiled = compile_files(tmp_path, {"f.py": f"from toolc import tool\n@tool\n{F}", "toolc.py": "tool = print\n"})
    assert [file.path for file in compiled.tools["f"].sources] == ["f.py", "toolc.py"]
    assert compiled.says == []


def test_folders_without_an_init_are_packages_too(tmp_path: Path) -> None:
    compiled = compile_files(tmp_path, {"f.py": f"from space.mod import x\n{F}", "space/mod.py": ""})
    assert [file.path for file in compiled.tool.sources] == ["f.py", "space/mod.py"]
    assert compiled.says == []


@pytest.mark.parametrize(
    ("text", "declared", "says"),
    [
        pytest.param("import httpx", [], ["TC460"], id="not-declared"),
        pytest.param("import httpx", ["httpx>=0.28"], [], id="declared"),
        pytest.param("import yaml, bs4", ["PyYAML", "beautifulsoup4==4"], [], id="under-another-name"),
        pytest.param("from google.cloud import storage", ["google-cloud-storage"], [], id="namespace"),
        pytest.param("import dotenv", ["python_dotenv"], [], id="prefixed"),
        pytest.param("# /// script\n# dependencies = ['httpx']\n# ///\nimport httpx", [], ["TC467"], id="script-block"),
        pytest.param("# /// script\n# dependencies = [\n# ///", [], ["TC466"], id="script-block-that-is-no-toml"),
        pytest.param("try:\n    import httpx\nexcept ImportError:\n    httpx = None", [], [], id="guarded"),
        pytest.param("if TYPE_CHECKING:\n    import httpx", [], [], id="for-type-checkers"),
        pytest.param("def _g():\n    import httpx", [], ["TC460"], id="in-a-function"),
        pytest.param("import aru.plugins, toolc", [], [], id="shims"),
        pytest.param("from aru.runtime import get_ctx", [], ["TC461"], id="of-the-host"),
        pytest.param("from .tools import f as g", [], [], id="relative-at-the-top"),
        pytest.param("from ... import x", [], ["TC462"], id="out-of-the-layer"),
        pytest.param("HERE = __file__", [], ["TC463"], id="own-path"),
    ],
)
def test_what_a_bundle_would_lack_is_said(text: str, declared: list[str], says: list[str], tmp_path: Path) -> None:
    dependencies = {"default": tuple(declared)}
    compiled = compile_text(tmp_path, f"{text}\nfrom typing import TYPE_CHECKING\n{F}", dependencies=dependencies)
    assert compiled.says == says


def test_a_helper_that_does_not_parse_is_an_error_of_the_tool(tmp_path: Path) -> None:
    compiled = compile_files(tmp_path, {"f.py": f"import _helper\n{F}", "_helper.py": "def (\n"})
    assert compiled.one("TC401").span.path == "tools/_helper.py"
    assert compiled.broken == ["f"]


def test_a_helper_that_may_not_be_read_is_an_error_at_its_import(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("")
    layer = tmp_path / "layer"
    layer.mkdir()
    (layer / "_helper.py").symlink_to(outside)
    compiled = compile_text(layer, f"import _helper\n{F}")
    assert compiled.place("TC203") == "_helper"
    assert compiled.broken == ["f"]


def test_a_helper_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "_helper.py")
    assert compile_text(tmp_path, f"import _helper\n{F}").says == ["TC202"]


# ---------------------------------------------------------------------------------------------------------- include


def test_included_files_are_sources(tmp_path: Path) -> None:
    files = {
        "tools.py": f"HERE = __file__\n{F}",
        "templates/a.txt": "",
        "templates/deep/b.txt": "",
        "templates/.env": "",
        "other.txt": "",
    }
    compiled = compile_files(tmp_path, files, tools=settings("f", "templates/**/*"))
    assert [file.path for file in compiled.tool.sources] == ["templates/a.txt", "templates/deep/b.txt", "tools.py"]
    assert compiled.says == []


@pytest.mark.parametrize("pattern", ["../x.txt", "/etc/passwd", "~/x", "a/../../x", "C:/x", "a\\b"])
def test_an_include_never_leaves_the_layer(pattern: str, tmp_path: Path) -> None:
    compiled = compile_text(tmp_path, F, tools=settings("f", pattern))
    assert compiled.says == ["TC464"]
    assert compiled.broken == ["f"]


def test_an_include_that_matches_nothing_is_an_error(tmp_path: Path) -> None:
    assert compile_text(tmp_path, F, tools=settings("f", "templates/*.txt")).says == ["TC465"]


def test_an_included_link_out_of_the_layer_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    layer = tmp_path / "layer"
    layer.mkdir()
    (layer / "data.txt").symlink_to(tmp_path / "secret")
    assert compile_text(layer, F, tools=settings("f", "*.txt")).says == ["TC203"]


# ------------------------------------------------------------------------------------------------------------ at large


def test_nothing_of_the_file_is_executed(tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    run = f'open({json.dumps(str(mark))}, "w")'
    compiled = compile_text(
        tmp_path,
        f"from toolc import tool\n{run}\nclass Meta(type):\n    x = {run}\nclass C(metaclass=Meta): ...\n"
        f"@tool(timeout={run})\ndef g(): ...\n"
        f"def f(x: {run} = {run}, y: 'T[{run}]' = 1) -> str:\n    'F.'\n",
    )
    assert not mark.exists()
    assert compiled.broken == ["g"]
    assert list(compiled.tools) == ["f"]


def test_modules_of_the_standard_library_compile_without_a_traceback(tmp_path: Path) -> None:
    library = Path(os.__file__).parent
    files = sorted(library.glob("*.py"))[::4]
    assert len(files) > 30
    for number, path in enumerate(files):
        compile_files(tmp_path / str(number), {path.name: path.read_text(encoding="utf-8")})
