"""The five promises of toolc, each with a test that fails where it breaks, over real projects and real processes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import sys
from pathlib import Path

import pytest

from commands import environment, run, toolc

EXAMPLES = Path(__file__).parents[1] / "examples"


def snapshot(folder: Path) -> dict[str, tuple[str, bool]]:
    """Every file below a folder: its digest and whether it is executable."""
    return {
        path.relative_to(folder).as_posix(): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            bool(path.stat().st_mode & stat.S_IXUSR),
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def project(name: str, folder: Path) -> Path:
    """A copy of an example without what a build made."""
    shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns("dist", "toolset.json"))
    return folder


# ---- 1. nothing of the user's is executed by a build


def test_a_build_executes_nothing_of_the_users(tmp_path: Path) -> None:
    tools = tmp_path / "project/tools"
    tools.mkdir(parents=True)
    (tmp_path / "project/toolc.toml").write_text(
        '[toolset]\nuser-layers = "exclude"\n[[layers]]\nname = "t"\npath = "tools"\n'
    )
    mark = f"open({str(tmp_path / 'pwned')!r}, 'a').write(__file__)"
    (tools / "eager.py").write_text(
        f"{mark}\n\ndef decorate(function):\n    {mark}\n    return function\n\n"
        f"@decorate\ndef eager(text: str, size: int = {mark}) -> str:\n    '''Do it.'''\n    return text\n"
    )
    for name in ("conftest.py", "sitecustomize.py", "usercustomize.py", "__init__.py"):
        (tools / name).write_text(mark)
    (tools / "evil.pth").write_text(f"import os; {mark}")
    for name in ("click.py", "json.py", "jsonschema.py", "tomllib.py"):  # `python -m` looks in the current folder first
        (tmp_path / "project" / name).write_text(mark)
    for command in ("check", "build", "list", "lock"):
        ran = toolc(command, cwd=tmp_path / "project")
        assert ran.status == 0, ran.stdout + ran.stderr
    assert "eager" in json.loads((tmp_path / "project/toolset.json").read_text())["tools"]
    assert not (tmp_path / "pwned").exists()


def test_a_build_executes_the_files_of_the_layers_that_ask_for_it_and_of_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    for layer in ("asked", "read"):
        (folder / layer).mkdir(parents=True)
        mark = f"open({str(tmp_path / layer)!r}, 'a').write(__name__ + ' ')"
        (folder / layer / f"{layer}_tool.py").write_text(
            f"import _{layer}\n{mark}\ndef {layer}_tool(text: str) -> str:\n    'Do it.'\n    return text\n"
        )
        (folder / layer / f"_{layer}.py").write_text("")
        (folder / layer / "_unused.py").write_text(mark)
        for name in ("sitecustomize.py", "usercustomize.py", "json.py"):
            (folder / name).write_text(mark)
    (folder / "toolc.toml").write_text(
        '[toolset]\nuser-layers = "exclude"\n[[layers]]\nname = "read"\npath = "read"\n'
        '[[layers]]\nname = "asked"\npath = "asked"\nintrospect = "import"\n'
    )
    ran = toolc("build", cwd=folder)
    assert ran.status == 0, ran.stderr
    assert not (tmp_path / "read").exists()
    # Twice, each time in a process of its own, and nothing of the layer but what the tool imports.
    assert re.fullmatch(r"(\w+\.asked_tool ){2}", (tmp_path / "asked").read_text())
    assert not [path for path in folder.rglob("__pycache__") if path.is_dir()]


# ---- 2. same inputs, same bytes


@pytest.mark.parametrize("name", sorted(path.parent.name for path in EXAMPLES.glob("*/toolc.toml")))
def test_the_same_inputs_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    settings: list[tuple[str, int, dict[str, str]]] = [
        ("a", 0o022, {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "1"}),
        ("x/deep/ü y", 0o077, {"TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "4242"}),
    ]
    built = []
    for place, umask, env in settings:
        folder = project(name, tmp_path / place)
        before = os.umask(umask)
        try:
            ran = toolc("build", cwd=folder, env=env, home=tmp_path / place)
        finally:
            os.umask(before)
        assert ran.status == 0, ran.stderr
        built.append(snapshot(folder / "dist/toolset") | {"lock": snapshot(folder)["toolset.json"]})
        modes = {stat.S_IMODE(path.stat().st_mode) for path in (folder / "dist/toolset").rglob("*")}
        assert modes <= {0o644, 0o755}
        text = b"".join(path.read_bytes() for path in (folder / "dist/toolset").rglob("*") if path.is_file())
        assert str(tmp_path).encode() not in text
        assert sys.executable.encode() not in text
    assert built[0] == built[1]


def test_a_second_build_touches_nothing(tmp_path: Path) -> None:
    folder = project("quickstart", tmp_path / "p")
    assert toolc("build", cwd=folder).status == 0
    before = {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}
    ran = toolc("build", cwd=folder)
    assert ran.status == 0
    assert "up to date" in ran.stdout + ran.stderr
    assert {path: path.lstat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_checkout_with_carriage_returns_gives_the_same_lock(tmp_path: Path) -> None:
    folders = [project("quickstart", tmp_path / name) for name in ("unix", "dos")]
    for path in folders[1].rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for folder in folders:
        ran = toolc("build", cwd=folder)
        assert ran.status == 0, ran.stderr
    assert snapshot(folders[0] / "dist") == snapshot(folders[1] / "dist")


# ---- 3. nothing is silent


def test_every_file_of_a_layer_is_accounted_for(tmp_path: Path) -> None:
    folder = project("quickstart", tmp_path / "p")
    for name in ("_helper.py", "README.md", "tool.ts", "notes.txt"):
        (folder / "tools" / name).write_text("x = 1\n")
    (folder / "tools/empty").mkdir()
    listed = json.loads(toolc("list", "--format", "json", cwd=folder).stdout)
    named = {tool["path"] for tool in listed["tools"]} | {skip["path"] for skip in listed["skipped"]}
    text = json.dumps(listed)
    for path in (folder / "tools").iterdir():
        shown = f"tools/{path.name}"
        assert shown in named or f"{shown}/tool.json" in named or path.name in text, f"{shown} is not accounted for"


# ---- 4. nothing is scanned at turn time


def traced_project(folder: Path) -> Path:
    """A project whose manifest's own program lists nothing: what a tool's program does is its own."""
    project("quickstart", folder)
    manifest = folder / "tools/line-stats/tool.json"
    manifest.write_text(manifest.read_text().replace("python3 run.py", "cat"))
    assert toolc("build", cwd=folder).status == 0
    return folder


STRACE = ("strace", "-f", "-y", "-qq", "-e", "trace=getdents64")

TRACED = """
from toolc_runtime import Toolset
with Toolset.load({bundle!r}, approve=lambda request: True) as tools:
    assert tools.call("word_count", {{"text": "a b"}}).ok     # warm: workers are up, modules are loaded
    assert tools.call("line-stats", {{"text": "a b"}}).ok
    open({mark!r}, "w").close()
    assert tools.call("word_count", {{"text": "a b"}}).output == "2"
    assert tools.call("line-stats", {{"text": "a b"}}).ok
"""


def test_no_directory_of_the_bundle_or_a_layer_is_listed(tmp_path: Path) -> None:
    """Under strace, over the whole life of a loaded bundle: load, first calls, warm calls, close."""
    folder = traced_project(tmp_path / "p")
    bundle = folder / "dist/toolset"
    program = TRACED.format(bundle=str(bundle), mark=str(tmp_path / "mark"))
    trace = tmp_path / "trace"
    argv = [*STRACE, "-o", str(trace), sys.executable, "-c", program]
    ran = run(argv, cwd=tmp_path, env=environment(tmp_path))
    assert ran.status == 0, ran.stderr
    listed = re.findall(r"getdents64\(\d+<([^>]*)>", trace.read_text())
    assert listed != [], "strace saw nothing at all"
    ours = [path for path in listed if path.startswith(str(folder))]
    assert ours == []


def test_a_wrapper_lists_no_directory_of_its_bundle(tmp_path: Path) -> None:
    folder = traced_project(tmp_path / "p")
    for tool in ("word_count", "line-stats"):
        trace = tmp_path / tool
        ran = run(
            [*STRACE, "-o", str(trace), str(folder / "dist/toolset/bin" / tool)],
            cwd=tmp_path,
            env={"PATH": environment(tmp_path)["PATH"]},
            stdin='{"text": "a b"}',
        )
        assert ran.status == 0, ran.stderr
        assert str(folder) not in trace.read_text()


# ---- 5. what was reviewed is what runs


@pytest.mark.parametrize("victim", ["tools/tools/words.py", "tools/tools/line-stats/run.py", "toolset.json"])
def test_a_bundle_with_one_byte_changed_is_refused_with_the_files_name(victim: str, tmp_path: Path) -> None:
    folder = project("quickstart", tmp_path / "p")
    assert toolc("build", cwd=folder).status == 0
    file = folder / "dist/toolset" / victim
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))
    verified = toolc("verify", "dist/toolset", cwd=folder)
    assert verified.status != 0
    assert victim in verified.stdout + verified.stderr
    tool = "line-stats" if "line-stats" in victim else "word_count"
    ran = toolc("run", "dist/toolset", tool, "--args", '{"text": "a"}', cwd=folder)
    assert ran.status in (1, 3)
    assert victim in ran.stdout + ran.stderr
    if victim != "toolset.json":  # a wrapper carries its tool's facts and does not read the lock
        wrapped = run(
            [str(folder / "dist/toolset/bin" / tool)], cwd=tmp_path, env=environment(tmp_path), stdin='{"text": "a"}'
        )
        assert wrapped.status == 1
        assert victim in wrapped.stdout + wrapped.stderr


@pytest.mark.parametrize("read_only", [False, True], ids=["writable", "read-only"])
def test_running_leaves_the_bundle_as_it_was(read_only: bool, tmp_path: Path) -> None:
    folder = project("quickstart", tmp_path / "p")
    assert toolc("build", cwd=folder).status == 0
    bundle = folder / "dist/toolset"
    if read_only:
        for path in (bundle, *bundle.rglob("*")):
            path.chmod(path.stat().st_mode & ~0o222)
    env = {"PYTHONDONTWRITEBYTECODE": ""}
    for tool in ("word_count", "line-stats"):
        ran = toolc("run", "dist/toolset", tool, "--args", '{"text": "a b"}', cwd=folder, env=env)
        assert ran.status == 0, ran.stderr
        argv = [str(bundle / "bin" / tool)]
        assert run(argv, cwd=tmp_path, env=environment(tmp_path, **env), stdin='{"text": "a b"}').status == 0
    verified = toolc("verify", "dist/toolset", cwd=folder)
    assert verified.status == 0, verified.stdout
    if read_only:
        for path in (bundle, *bundle.rglob("*")):
            path.chmod(path.stat().st_mode | 0o700)


HOST = """
import sys
sys.path.insert(0, sys.argv[1] + "/lib")
from toolc_runtime import Toolset
with Toolset.load(sys.argv[1]) as tools:
    print(tools.call("word_count", {"text": "a b"}))
"""


def host(bundle: Path, **env: str) -> str:
    """What a host says that has only the bundle, whose interpreter keeps the bytecode of all it imports."""
    ran = run([sys.executable, "-c", HOST, str(bundle)], cwd=bundle.parent, env=environment(bundle, **env))
    assert ran.status == 0, ran.stderr
    return ran.stdout


def bytecode(bundle: Path) -> Path:
    """Where this interpreter would keep the bytecode of a module of the bundle's runtime."""
    return bundle / f"lib/toolc_runtime/__pycache__/toolset.{sys.implementation.cache_tag}.pyc"


def test_a_host_leaves_no_bytecode_in_the_bundle(tmp_path: Path) -> None:
    folder = project("quickstart", tmp_path / "p")
    assert toolc("build", cwd=folder).status == 0
    bundle = folder / "dist/toolset"
    before = snapshot(bundle)
    assert host(bundle) == "2\n"
    assert host(bundle) == "2\n"
    assert host(bundle, PYTHONPYCACHEPREFIX=str(tmp_path / "cache")) == "2\n"
    assert list((tmp_path / "cache").rglob("toolset.*.pyc")), "this host does keep bytecode where it can"
    assert snapshot(bundle) == before
    with pytest.raises(NotADirectoryError):  # and nobody can plant some without removing a file of the bundle
        bytecode(bundle).write_bytes(b"")


def test_bytecode_that_a_python_left_is_told_by_verify_and_replaced_by_a_build(tmp_path: Path) -> None:
    folder = project("quickstart", tmp_path / "p")
    assert toolc("build", cwd=folder).status == 0
    bundle = folder / "dist/toolset"
    bytecode(bundle).parent.unlink()  # as the bundles of older versions are
    host(bundle)
    assert bytecode(bundle).is_file()
    verified = toolc("verify", "dist/toolset", cwd=folder)
    assert verified.status == 1
    assert "hint: a Python made it of the bundle's own module: remove it, or build again" in verified.stdout
    built = toolc("build", cwd=folder)
    assert built.status == 0, built.stderr
    assert toolc("verify", "dist/toolset", cwd=folder).status == 0
