"""What is true of the runtime whatever it runs: it lists nothing, writes nothing, loads nothing it does not need."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bundles import bundle, command, python
from commands import environment, run
from toolc import codes
from toolc_runtime import errors
from toolc_runtime.arguments import prepare
from toolc_runtime.environ import build, is_dropped
from toolc_runtime.jsontext import dumps, loads
from toolc_runtime.output import Capture, Keep, clean
from toolc_runtime.quick import surely_good
from toolc_runtime.schema import compile_schema

RUNTIME = Path(__file__).parents[1] / "compiler/toolc_runtime"
MODULES = sorted(RUNTIME.glob("*.py"))
FILES = {
    "words.py": "import helper\nfrom aru.plugins import tool\n@tool\ndef words(text):\n    return helper.count(text)\n",
    "helper.py": "def count(text):\n    return str(len(text.split()))\n",
    "lines/run.sh": "#!/bin/sh\ncat\n",
}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return bundle(tmp_path, {"words": python("words", "words"), "lines": command("./run.sh")}, FILES)


# ---- nothing is listed

USE = """
from toolc_runtime import Toolset
for mode in (None, "inprocess"):
    with Toolset.load({bundle!r}, mode=mode) as tools:
        assert tools.call("words", {{"text": "a b"}}).output == "2"
        assert tools.call("lines", {{"text": "a"}}).ok
        assert tools.call("absent").error.kind == "unknown-tool"
        tools.definitions("openai")
        tools.reload()
        assert tools.call("words", {{"text": "a b"}}).output == "2"
"""

HOOK = """
import sys
bundle = {bundle!r}
listed = []
def hook(event, arguments):
    if event in ("os.listdir", "os.scandir", "os.walk", "glob.glob") and str(arguments[0]).startswith(bundle):
        listed.append((event, arguments))
sys.addaudithook(hook)
"""


def test_a_host_lists_nothing_of_a_bundle(made: Path, tmp_path: Path) -> None:
    program = HOOK.format(bundle=str(made)) + USE.format(bundle=str(made)) + "\nassert listed == [], listed\n"
    ran = run([sys.executable, "-c", program], cwd=tmp_path, env=environment(tmp_path))
    assert (ran.status, ran.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not here")
def test_no_process_of_the_runtime_lists_anything_of_a_bundle(made: Path, tmp_path: Path) -> None:
    commands = [[sys.executable, "-c", USE.format(bundle=str(made))]]
    commands += [[str(made / "bin" / name), "--args", '{"text": "a"}'] for name in ("words", "lines")]
    for number, argv in enumerate(commands):
        trace = tmp_path / f"trace-{number}"
        strace = ["strace", "-f", "-y", "-qq", "-e", "trace=getdents64", "-o", str(trace)]
        ran = run([*strace, *argv], cwd=tmp_path, env=environment(tmp_path))
        assert ran.status == 0, ran.stderr
        text = trace.read_text()
        assert number > 0 or "getdents64" in text, "strace saw nothing at all"
        assert not re.findall(rf"getdents64\(\d+<{re.escape(str(made))}[^>]*>", text)


# ---- nothing is written


def test_a_host_writes_nothing_into_a_bundle(made: Path, tmp_path: Path) -> None:
    before = {path: (path.stat().st_mtime_ns, path.stat().st_mode) for path in made.rglob("*")}
    env = environment(tmp_path) | {"PYTHONDONTWRITEBYTECODE": ""}
    ran = run([sys.executable, "-c", USE.format(bundle=str(made))], cwd=tmp_path, env=env)
    assert ran.status == 0, ran.stderr
    assert {path: (path.stat().st_mtime_ns, path.stat().st_mode) for path in made.rglob("*")} == before


# ---- nothing is needed


def test_a_wrapper_needs_no_package_and_no_site(made: Path) -> None:
    """Each of them says so itself: `-I -S`."""
    for name in ("words", "lines"):
        second = (made / "bin" / name).read_text().splitlines()[1]
        assert {"-I", "-S", "-B"} <= set(second.split())


def test_the_vendored_runtime_runs_on_a_bare_python(made: Path, tmp_path: Path) -> None:
    """A host without toolc, on the bundle's own `lib`."""
    program = f"""
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, {str(made / "lib")!r})
from toolc_runtime import Toolset
with Toolset.load({str(made)!r}) as tools:
    print(tools.call("words", {{"text": "a b"}}), tools.call("lines"), end="")
"""
    ran = run([sys.executable, "-I", "-S", "-c", program], cwd=tmp_path, env=environment(tmp_path))
    assert (ran.stdout, ran.status) == ("2 {}\n", 0), ran.stderr


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        pytest.param("import toolc_runtime", {"json", "threading", "hashlib"}, id="package"),
        pytest.param(
            "from toolc_runtime import Toolset, Result, BundleError",
            {
                "asyncio",
                "inspect",
                "typing",
                "dataclasses",
                "subprocess",
                "importlib.metadata",
                "json",
                "re",
                "difflib",
            },
            id="toolset",
        ),
        pytest.param("import toolc_runtime.wrapper", {"re", "json", "threading", "subprocess", "signal"}, id="wrapper"),
    ],
)
def test_what_is_not_needed_is_not_loaded(statement: str, absent: set[str]) -> None:
    program = f"import sys; sys.path.insert(0, {str(RUNTIME.parent)!r}); {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-B", "-c", program], capture_output=True, text=True, check=True)
    assert not absent & set(done.stdout.split())


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_a_module_of_the_runtime_keeps_the_house_rules(module: Path) -> None:
    """S22, R44"""
    tree = ast.parse(module.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec", "compile"), f"line {node.lineno}"
        if isinstance(node, ast.Call):
            assert "preexec_fn" not in {keyword.arg for keyword in node.keywords}, f"line {node.lineno}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
            assert not {"pickle", "marshal", "multiprocessing"} & {name.split(".")[0] for name in names}
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "os.fork":
            assert module.name == "wrapper.py", "only a wrapper is a process of its own, without threads"


def test_the_codes_of_the_runtime_are_in_the_catalogue() -> None:
    used = {value for value in vars(errors).values() if isinstance(value, str) and re.fullmatch(r"TC\d{3}", value)}
    assert used
    assert used <= codes.CATALOGUE.keys()


# ---- laws of its parts

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner))
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
LEAVES = st.fixed_dictionaries({}, optional={"type": TYPES, "enum": st.lists(SCALARS, min_size=1, max_size=3)})
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "properties": st.dictionaries(st.sampled_from("ab"), inner),
            "required": st.lists(st.sampled_from("ab"), unique=True),
            "additionalProperties": st.booleans(),
            "minimum": st.integers(0, 3),
            "description": st.text(max_size=3),
        },
    ),
    max_leaves=6,
)


@given(schema=SCHEMAS, value=st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3))
@settings(max_examples=100, deadline=None)
def test_a_glance_approves_only_what_the_checker_would_pass_on_unchanged(schema: Any, value: Any) -> None:
    if surely_good(schema, value):
        prepared = prepare(compile_schema(schema), schema, value)
        assert prepared.problems == []
        assert json.dumps(prepared.arguments) == json.dumps(value)


@given(VALUES)
def test_json_text_is_what_the_standard_library_reads_and_writes(value: Any) -> None:
    try:
        text = dumps(value)
    except ValueError:
        with pytest.raises(ValueError, match="JSON"):
            json.dumps(value, allow_nan=False)
        return
    assert text == json.dumps(value, separators=(",", ":"))
    assert text.isascii()
    assert loads(text) == value


@given(
    st.text() | st.sampled_from(["{", "[1,]", '{"a":1}x', "NaN", "1e999", "", "\ufeff{}", "[" * 100_000, '"\\ud800"'])
)
def test_any_text_is_a_value_or_a_value_error(text: str) -> None:
    try:
        loads(text)
    except ValueError:
        return


@given(
    chunks=st.lists(st.binary(max_size=40) | st.text(max_size=10).map(lambda text: text.encode())),
    head=st.integers(0, 20),
    tail=st.integers(1, 20),
    lines=st.none() | st.integers(1, 3),
)
def test_every_byte_of_an_output_is_shown_or_counted(
    chunks: list[bytes], head: int, tail: int, lines: int | None
) -> None:
    whole = b"".join(chunks)
    captures = Capture(Keep(head, tail, lines)), Capture(Keep(head, tail, lines))
    for chunk in chunks:
        captures[0].feed(chunk)
    captures[1].feed(whole)
    first, second = (capture.finish() for capture in captures)
    assert (first.text, first.details) == (second.text, second.details), "how it came in pieces does not matter"
    assert first.details["bytes"] == len(whole)
    assert first.details["lines"] == whole.count(b"\n")
    cut = first.details.get("cut_bytes", 0)
    assert isinstance(cut, int)
    assert len(whole) - cut <= head + tail
    assert first.truncated == (cut > 0)
    assert all(
        (character >= " " and not "\x7f" <= character < "\xa0") or character in "\t\r\n" for character in first.text
    )
    first.text.encode("utf-8")


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_text_without_controls_is_left_alone(text: str) -> None:
    assert clean(text) == text


@given(st.dictionaries(st.sampled_from(["LD_X", "PATH", "HOME", "ENV", "KEY", "LC_ALL", "PYTHONPATH"]), st.text()))
def test_no_policy_passes_what_loads_code(host: dict[str, str]) -> None:
    for policy in ("declared", "inherit"):
        env = build(policy, ("KEY", "LD_X", "ENV"), host)
        assert not [name for name in env if is_dropped(name)]
        assert env.get("KEY") == host.get("KEY")
        assert env["PYTHONDONTWRITEBYTECODE"] == "1"
        assert env["PATH"] == host.get("PATH", env["PATH"])
