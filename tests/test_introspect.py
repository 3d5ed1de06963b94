"""Layers with `introspect = "import"`: real processes import real files, tame ones and hostile ones."""

from __future__ import annotations

import json
import os
import re
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from commands import toolc
from python_layer import Compiled, compile_files, compile_text
from test_signature_cases import CASES
from toolc.diagnostics import Severity
from toolc.introspect import Limits, NoAnswer, introspect
from toolc.model import Introspect, Layer, PythonEntry, Scope
from toolc.source import read_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only POSIX systems limit what an import may do")

TOOL = 'def f(text: str) -> str:\n    "F."\n    return text\n'


def imported(root: Path, text: str, **others: str) -> Compiled:
    """Compile a tool file of a layer that is imported, with modules beside it."""
    files = {"tools.py": text, **{f"{name}.py": other for name, other in others.items()}}
    return compile_files(root, files, introspect=Introspect.IMPORT)


def stubs(root: Path, text: str, **limits: float) -> Mapping[str, str]:
    """What one import of a file tells."""
    (root / "f.py").write_text(text)
    layer = Layer(name="x", path="x", root=root, rank=0, scope=Scope.PROJECT, introspect=Introspect.IMPORT)
    return introspect(layer, "f", [read_file(layer, "f.py")], [], Limits(**limits))  # type: ignore[arg-type]  # by name


def properties(compiled: Compiled) -> Mapping[str, object]:
    found = compiled.tool.input_schema["properties"]
    assert isinstance(found, dict)
    return found


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


# ---------------------------------------------------------------------------------------- what the source does not tell


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        pytest.param("def limit(): return 2 ** 5\ndef f(n: int = limit()) -> str: 'F.'", {"default": 32}, id="default"),
        pytest.param(
            "import os\ndef f(n: str = os.sep * 2) -> str: 'F.'", {"default": "//"}, id="default of a package"
        ),
        pytest.param("T = {'n': int}\ndef f(n: T['n']) -> str: 'F.'", {"type": "integer"}, id="type in a mapping"),
        pytest.param(
            "def t(): return list[int]\ndef f(n: t()) -> str: 'F.'", {"items": {"type": "integer"}}, id="call"
        ),
        pytest.param(
            "import enum\nC = enum.Enum('C', [c.upper() for c in 'ab'])\ndef f(n: C = C.A) -> str: 'F.'",
            {"type": "integer", "enum": [1, 2], "default": 1},
            id="members made by code",
        ),
        pytest.param(
            "import typing\ndef f(n: typing.Literal[tuple('ab')]) -> str: 'F.'", {"enum": ["a", "b"]}, id="literal"
        ),
        pytest.param(
            "import sys\nif sys.platform: N = int\nelse: N = str\ndef f(n: N) -> str: 'F.'",
            {"type": "integer"},
            id="bound in two ways",
        ),
        pytest.param(
            "def f(n) -> str: 'F.'\nf.__annotations__['n'] = int", {"type": "integer"}, id="annotated afterwards"
        ),
    ],
)
def test_what_the_source_does_not_tell_is_asked(text: str, schema: dict[str, object], tmp_path: Path) -> None:
    told = properties(imported(tmp_path, text + "\n"))["n"]
    assert isinstance(told, dict)
    assert told.items() >= schema.items()
    without = compile_text(tmp_path / "syntax", text + "\n")
    assert not without.tools or properties(without).get("n") != told


def test_the_arguments_of_the_decorator_may_be_computed(tmp_path: Path) -> None:
    compiled = imported(
        tmp_path,
        "from toolc import tool\ndef given(): return {'timeout': 6.0, 'permission': 'ask'}\n"
        "@tool('Do ' + 'it'.upper(), name='-'.join(['a', 'b']), **given())\ndef f(text: str) -> int: ...\n",
    )
    assert compiled.says == []
    tool = compiled.tool
    assert (tool.name, tool.description, tool.timeout_s, tool.permission) == ("a-b", "Do IT", 6.0, "ask")


def test_what_a_factory_makes_is_a_tool_where_it_is_assigned(tmp_path: Path) -> None:
    compiled = imported(
        tmp_path,
        "from _make import make\nfrom toolc import tool\n"
        "search = make('search')\nfetch = tool(timeout=3)(make('fetch'))\nagain = search\nsize = len\n"
        "globals()['late'] = make('late')\n",
        _make="def make(word: str):\n    def inner(text: str, n: int = len(word)) -> str: ...\n"
        "    inner.__doc__ = f'Do {word}.'\n    return inner\n",
    )
    assert {name: tool.description for name, tool in compiled.tools.items()} == {
        "fetch": "Do fetch.",
        "late": "Do late.",
        "search": "Do search.",
    }
    fetch = compiled.tools["fetch"]
    assert fetch.timeout_s == 3
    assert fetch.input_schema["properties"] == {"text": {"type": "string"}, "n": {"type": "integer", "default": 5}}
    assert isinstance(fetch.entry, PythonEntry)
    assert (fetch.entry.module, fetch.entry.function) == ("tools", "fetch")
    assert (fetch.span.line, fetch.path) == (4, "tools.py")
    assert [file.path for file in fetch.sources] == ["_make.py", "tools.py"]


def test_a_function_that_is_replaced_by_what_code_makes_of_it_is_a_tool_as_it_became(tmp_path: Path) -> None:
    compiled = imported(
        tmp_path,
        "def twice(function):\n    def f(text: str, times: int = 2) -> str: 'F, twice.'\n    return f\n"
        "def f(text: str) -> str: 'F.'\nf = twice(f)\n",
    )
    assert compiled.says == []
    assert compiled.tool.description == "F, twice."
    assert list(properties(compiled)) == ["text", "times"]


def test_an_all_that_is_computed_narrows_the_tools(tmp_path: Path) -> None:
    text = "def f() -> str: 'F.'\ndef g() -> str: 'G.'\n__all__ = [name for name in ['f']]\n"
    compiled = imported(tmp_path, text)
    assert (compiled.says, list(compiled.tools)) == ([], ["f"])
    assert compile_text(tmp_path / "syntax", text).says == ["TC417"]


def test_a_file_called_like_a_module_of_the_standard_library_is_imported_as_itself(tmp_path: Path) -> None:
    compiled = compile_files(
        tmp_path,
        {
            "json.py": "import dataclasses\nfrom json import dumps\nNAMES = ('x',)\n"
            "Point = dataclasses.make_dataclass('Point', [(name, int) for name in NAMES])\n"
            "def f(point: Point, size: int = len(dumps(''))) -> str: 'F.'\n"
        },
        introspect=Introspect.IMPORT,
    )
    assert compiled.says == []
    assert isinstance(compiled.tool.entry, PythonEntry)
    assert compiled.tool.entry.conversions == {"/$defs/Point": "class:json:Point"}


def test_types_of_installed_packages_are_told_with_all_their_fields(tmp_path: Path) -> None:
    compiled = imported(
        tmp_path,
        "from jsonschema._utils import URIDict\nfrom click.core import ParameterSource\n"
        "def f(source: ParameterSource, uris: URIDict | None = None) -> str: 'F.'\n",
    )
    source = properties(compiled)["source"]
    assert isinstance(source, dict)
    assert source["enum"] != []
    assert isinstance(compiled.tool.entry, PythonEntry)
    assert compiled.tool.entry.conversions == {"/properties/source": "class:click:ParameterSource"}
    # A class without fields has no JSON form, imported or not.
    assert [d.code.id for d in compiled.diagnostics if "uris" in d.message] == ["TC432"]


def test_models_made_by_code_are_told_by_the_name_that_finds_them(tmp_path: Path) -> None:
    compiled = imported(
        tmp_path,
        "import dataclasses\nfrom pydantic import Field, create_model\n"
        "Point = dataclasses.make_dataclass('Point', [('x', int), ('y', int, 3)])\n"
        "Text = (str, Field(min_length=2, alias='q', description='The text.'))\n"
        "Query = create_model('Query', text=Text, at=(Point, ...))\n"
        "def f(query: Query) -> str: 'F.'\n",
    )
    assert compiled.tool.input_schema["$defs"] == {
        "Point": {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 3}},
            "required": ["x"],
        },
        "Query": {
            "type": "object",
            "properties": {
                "q": {"type": "string", "minLength": 2, "description": "The text."},
                "at": {"$ref": "#/$defs/Point"},
            },
            "required": ["q", "at"],
        },
    }
    assert isinstance(compiled.tool.entry, PythonEntry)
    assert compiled.tool.entry.conversions == {
        "/$defs/Point": "class:tools:Point",
        "/$defs/Query": "class:tools:Query",
    }


# --------------------------------------------------------------------------------------------- both ways say the same


# Each takes two processes. All of them are compiled on request.
SOME = CASES if os.environ.get("TOOLC_ALL_CASES") else CASES[::4]


@pytest.mark.parametrize("case", SOME)
def test_a_file_that_its_source_tells_compiles_to_the_same_imported(case: dict[str, Any], tmp_path: Path) -> None:
    files = {"tools.py": case["python"], **case.get("files", {})}
    from_source = compile_files(tmp_path / "source", files)
    both = compile_files(tmp_path / "import", files, introspect=Introspect.IMPORT)
    if {"TC406", "TC408"} & set(both.says):  # it needs what is not here, or takes the time for a default
        said = " ".join(diagnostic.message for diagnostic in both.diagnostics)
        assert re.search(r"No module|No such file|NameError|AttributeError|ImportError|is not the same from one", said)
        assert both.tools == {}
        return
    assert "TC407" not in both.says
    for name, tool in from_source.tools.items():
        other = both.tools[name]
        assert (other.description, other.entry) == (tool.description, tool.entry)
        assert other.output_schema == tool.output_schema
        assert with_defaults(tool.input_schema, other.input_schema) == other.input_schema


def with_defaults(schema: object, other: object) -> object:
    """The schema with the defaults that only the other one shows."""
    if isinstance(schema, dict) and isinstance(other, dict):
        added = {key: value for key, value in other.items() if key == "default" and key not in schema}
        return {key: with_defaults(value, other.get(key)) for key, value in schema.items()} | added
    return schema


# ------------------------------------------------------------------------------------------------------- disagreement


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        pytest.param(
            "def f(n: int) -> str: 'F.'\nf.__annotations__['n'] = str",
            "int",
            ('{"type": "integer"} by its source', '{"type": "string"} once'),
            id="another type",
        ),
        pytest.param(
            "def f(n: int = 3) -> str: 'F.'\nf.__defaults__ = (4,)",
            "3",
            ("is 3 by its source", "and 4 once"),
            id="another default",
        ),
        pytest.param(
            "def f(n: int = 1) -> str: 'F.'\nf.__defaults__ = (True,)",
            "1",
            ("is 1 by its source", "and true once"),
            id="a default of another type",
        ),
        pytest.param(
            "def d(g):\n    def f(text: str) -> str: 'F.'\n    return f\n@d\ndef f(text: str, n: int = 3) -> str: 'F.'",
            "f",
            ("`(text, n=...)` by its source", "`(text)` once"),
            id="other parameters",
        ),
        pytest.param(
            "def f() -> str:\n    'F.'\nf.__doc__ = 'G.'",
            "'F.'",
            ('"F." by its source', '"G." once'),
            id="another docstring",
        ),
        pytest.param(
            "from toolc import tool\n@tool\ndef f() -> int: 'F.'\nf.__annotations__['return'] = list[int]",
            "int",
            ('{"type": "integer"} by its source', '"array"'),
            id="another result",
        ),
        pytest.param(
            "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n"
            "P.__annotations__['x'] = str\ndef f(p: P) -> str: 'F.'",
            "P",
            ("has at `P/properties/x/type`", '"integer" by its source', '"string" once'),
            id="another field",
        ),
    ],
)
def test_where_both_ways_tell_something_else_both_are_shown(
    text: str, place: str, said: tuple[str, ...], tmp_path: Path
) -> None:
    compiled = imported(tmp_path, text + "\n")
    assert compiled.says == ["TC407"]
    assert compiled.place("TC407") == place
    assert all(part in compiled.one("TC407").message for part in said), compiled.one("TC407").message
    assert compiled.broken == ["f"]


def test_a_wrapper_that_takes_anything_disagrees_with_nothing(tmp_path: Path) -> None:
    compiled = imported(
        tmp_path, "def d(g):\n    return lambda *a, **k: g(*a, **k)\n@d\ndef f(text: str, n: int = 3) -> str: 'F.'\n"
    )
    assert compiled.says == []
    assert list(properties(compiled)) == ["text", "n"]


# ---------------------------------------------------------------------------------------------------- hostile imports


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        pytest.param("x = 1\n1 / 0\n", "1 / 0", "`ZeroDivisionError: division by zero`", id="raises"),
        pytest.param("import sys\nsys.exit(3)\n", "sys.exit(3)", "`SystemExit: 3`", id="exits"),
        pytest.param("raise KeyboardInterrupt\n", "raise KeyboardInterrupt", "`KeyboardInterrupt`", id="interrupts"),
        pytest.param("import os\nos._exit(0)\n", "", "ends its process", id="ends at once"),
        pytest.param("import os\nos.kill(os.getpid(), 9)\n", "", "by SIGKILL", id="kills itself"),
        pytest.param("import os\nos.kill(0, 15)\n", "", "by SIGTERM", id="kills its group"),
        pytest.param("import os\nos.closerange(3, 64)\n", "", "ends its process", id="closes every file"),
        pytest.param(
            "import nothing_of_this_name\n", "import nothing_of_this_name", "No module named", id="needs more"
        ),
        pytest.param("x = bytearray(8 << 30)\n", "x = bytearray(8 << 30)", "`MemoryError`", id="takes memory"),
        pytest.param("import os\nwhile True: os.write(1, b'x' * 65536)\n", "", "writes more output", id="floods"),
        pytest.param("def g(): g()\ng()\n", "def g(): g()", "RecursionError", id="recurses"),
        pytest.param(
            "class E(Exception):\n    def __str__(self): raise E\nraise E\n",
            "raise E",
            "E",
            id="raises what cannot be told",
        ),
        pytest.param(
            "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'[' * 100000)\n    except OSError: pass\n",
            "",
            "ends its process",
            id="writes another answer",
        ),
        pytest.param("raise ValueError('x' * 10**6)\n", "raise ValueError('x' * 10**6)", "xxx...`", id="talks much"),
    ],
)
def test_an_import_that_gives_no_answer_is_told_at_its_place(text: str, place: str, said: str, tmp_path: Path) -> None:
    compiled = imported(tmp_path, text + TOOL)
    (problem,) = [diagnostic for diagnostic in compiled.diagnostics if diagnostic.level is Severity.ERROR]
    assert problem.code.id == "TC406"
    assert said in problem.message
    assert len(problem.message) < 600
    assert str(tmp_path) not in problem.message
    if place:
        assert compiled.place("TC406") == place
    assert compiled.broken == ["f"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("print('x' * 10**5)\n", id="prints"),
        pytest.param("import sys\nsys.stdout = sys.stderr = None\n", id="replaces the streams"),
        pytest.param("import os\nos.close(0); os.close(1); os.close(2)\n", id="closes the streams"),
        pytest.param(
            "import threading, time\nthreading.Thread(target=time.sleep, args=(999,)).start()\n", id="a thread"
        ),
        pytest.param("import atexit, time\natexit.register(time.sleep, 999)\n", id="an exit handler"),
        pytest.param("import os\nos.environ.clear(); os.chdir('/')\n", id="changes its surroundings"),
        pytest.param(
            "import pathlib\n(pathlib.Path(__file__).parent / 'new.py').write_text('x')\n", id="writes beside"
        ),
        pytest.param("open(__file__, 'w').write('changed')\n", id="overwrites itself"),
        pytest.param("import signal\nsignal.signal(15, signal.SIG_IGN)\n", id="ignores signals"),
        pytest.param("import sys\nassert sys.stdin.read() == ''\n", id="reads"),
        pytest.param(
            "class M(type):\n    def __eq__(self, o): 1 / 0\n    __hash__ = None\nclass X(metaclass=M): ...\n", id="odd"
        ),
    ],
)
def test_what_an_import_does_to_its_own_process_harms_nothing(text: str, tmp_path: Path) -> None:
    compiled = imported(tmp_path, text + TOOL)
    assert compiled.says in ([], ["TC463"])  # the warning of `__file__` is about the source
    assert list(compiled.tools) == ["f"]
    assert [path.name for path in tmp_path.iterdir()] == ["tools.py"]
    assert (tmp_path / "tools.py").read_text() == text + TOOL


@pytest.mark.parametrize(
    "annotation",
    [
        "type('X', (), {'__module__': property(lambda s: 1 / 0)})",
        "type('X', (), {'__getattr__': lambda s, n: 1 / 0})()",
        "type('M', (type,), {'__getattribute__': lambda s, n: 1 / 0})('X', (), {})",
        "type('X', (), {'__dataclass_fields__': 3, '__attrs_attrs__': 4, '_fields': 5})",
        "[].append",
        "'no such name here'",
    ],
)
def test_an_annotation_may_be_any_object(annotation: str, tmp_path: Path) -> None:
    compiled = imported(tmp_path, f"def f(text: str, odd: {annotation} = None) -> str: 'F.'\n")
    assert compiled.says == ["TC432"]
    assert list(properties(compiled)) == ["text"]


def test_an_import_that_hangs_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = (
        "import os, time\n"
        "def started():\n"
        f"    with open({str(pids)!r}, 'a') as file: file.write(f'{{os.getpid()}}\\n')\n"
        "started()\n"
        "if not os.fork():\n    started()\n    if not os.fork():\n        os.setsid()\n        started()\n"
        "while True: time.sleep(60)\n"
    )
    with pytest.raises(NoAnswer, match=r"takes more than 1 s to import"):
        stubs(tmp_path, text, time_s=1)
    found = [int(pid) for pid in pids.read_text().split()]
    assert len(found) == 3
    until = time.monotonic() + 10
    while any(map(is_running, found)) and time.monotonic() < until:
        time.sleep(0.02)
    assert [pid for pid in found if is_running(pid)] == []


def test_a_process_left_behind_is_killed_and_not_waited_for(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = (
        f"import os, time\nif not os.fork():\n    os.setsid()\n    open({str(pids)!r}, 'w').write(str(os.getpid()))\n"
        f"    time.sleep(600)\nwhile not os.path.exists({str(pids)!r}): time.sleep(0.01)\n"
    )
    assert "def f(" in stubs(tmp_path, text + TOOL)["f"]
    pid = int(pids.read_text())
    until = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(pid)


def test_a_larger_answer_than_can_be_meant_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoAnswer, match=r"more to tell than the 4 MiB"):
        stubs(tmp_path, f"def f(text: str = 'x' * {5 << 20}) -> str: 'F.'\n")


def test_only_a_path_of_the_environment_is_known_to_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "s3cr3t")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    text = "import os, sys\ndef f(seen: list = sorted(os.environ), path: list = sys.path[:0]) -> str: 'F.'\n"
    told = re.search(r"seen: \S+ = (\[.*?\])", stubs(tmp_path, text)["f"])
    assert told is not None
    assert {name.strip("' ") for name in told[1].strip("[]").split(",")} <= {
        "HOME",
        "LANG",
        "LC_CTYPE",
        "PATH",
        "TMPDIR",
        "TOOLC_CALL_ID",
        "TZ",
    }


def test_an_import_reaches_no_network(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        text = (
            "import socket, subprocess, sys\nsaid = []\n"
            f"for call in (lambda: socket.create_connection(('127.0.0.1', {port}), 2),"
            " lambda: socket.getaddrinfo('example.org', 80)):\n"
            "    try: call()\n    except PermissionError as error: said.append(str(error))\n"
            "def f(said: list = said) -> str: 'F.'\n"
        )
        told = stubs(tmp_path, text)["f"]
        with pytest.raises(TimeoutError):
            server.accept()
    assert told.count("a build has no network") == 2


def test_what_differs_from_one_import_to_the_next_has_no_place_in_a_lock(tmp_path: Path) -> None:
    compiled = imported(tmp_path, "import random\ndef f(n: float = random.random()) -> str: 'F.'\n")
    assert "TC408" in compiled.says
    assert compiled.place("TC408") == "random.random()"
    assert compiled.broken == ["f"]


def test_a_file_that_is_no_tool_file_so_far_claims_its_name_where_it_cannot_be_imported(tmp_path: Path) -> None:
    compiled = imported(tmp_path, "f = 1 / 0\n")
    assert compiled.says == ["TC406"]
    assert compiled.broken == ["tools"]


# ------------------------------------------------------------------------------------------------------ the whole way


def test_only_the_layer_that_asks_is_imported_and_its_tools_run_as_declared(tmp_path: Path) -> None:
    for name in ("asks", "asks-not"):
        (tmp_path / name).mkdir()
    (tmp_path / "toolc.toml").write_text(
        '[toolset]\nuser-layers = "exclude"\n[permissions]\n"*" = "allow"\n'
        '[[layers]]\nname = "asks"\npath = "asks"\nintrospect = "import"\n'
        '[[layers]]\nname = "asks-not"\npath = "asks-not"\n'
    )
    (tmp_path / "asks/made.py").write_text(
        "import enum\nopen(__file__ + '.seen', 'w')\nC = enum.Enum('C', {c: c.upper() for c in 'ab'})\n"
        "def make():\n    def inner(c: C) -> str:\n        'Say it.'\n        return c.name\n    return inner\n"
        "say = make()\n"
    )
    (tmp_path / "asks-not/other.py").write_text(f"open({str(tmp_path / 'pwned')!r}, 'w')\n" + TOOL)
    for command in ("build", "list", "lock"):
        assert toolc(command, cwd=tmp_path).status == 0
    assert not (tmp_path / "pwned").exists()
    assert [path.name for path in (tmp_path / "asks").iterdir()] == ["made.py"]
    lock = json.loads((tmp_path / "toolset.json").read_text())
    assert lock["layers"] == [
        {"name": "asks", "path": "asks", "scope": "project", "introspect": "import"},
        {"name": "asks-not", "path": "asks-not", "scope": "project"},
    ]
    ran = toolc("run", "dist/toolset", "say", "--args", '{"c": "B"}', cwd=tmp_path)
    assert (ran.status, ran.stdout.strip()) == (0, "b"), ran.stderr
