"""The program as functions: what `build` and `relock` write, when, and what they say of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from commands import toolc
from projects import CONFIG, WORD_COUNT, manifest, project, write
from toolc import pipeline
from toolc.diagnostics import Severity
from toolc.digest import sha256
from toolc.emit.lockfile import write_lock
from toolc.emit.output import OutputNotWritable, OutputTaken
from toolc.errors import ToolcError
from toolc.lock import decode, encode


@pytest.fixture(autouse=True)
def empty_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test looks at the tools of whoever runs it."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


def test_where_names_of_files_are_not_utf_8_nothing_is_compiled(tmp_path: Path) -> None:
    # With another encoding the lock would spell the name of `é.py` differently, or not at all.
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = toolc("check", cwd=project(tmp_path), env=env)
    assert (ran.status, "set `PYTHONUTF8=1`" in ran.stderr) == (3, True)


def test_compiling_writes_nothing(tmp_path: Path) -> None:
    project(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    compilation = pipeline.compile_project(tmp_path)
    assert compilation.toolset is not None
    assert list(compilation.toolset.tools) == ["word_count"]
    assert sorted(tmp_path.rglob("*")) == before


def test_with_errors_there_is_no_toolset_but_what_compiled_is_known(tmp_path: Path) -> None:
    project(tmp_path, {"tools/bad.py": "def bad(:\n"})
    compilation = pipeline.compile_project(tmp_path)
    assert compilation.toolset is None
    assert compilation.compiled is not None
    assert list(compilation.compiled.tools) == ["word_count"]


def test_a_bad_tool_is_left_out_where_the_project_says_so(tmp_path: Path) -> None:
    lenient = CONFIG.replace("[toolset]\n", '[toolset]\non-invalid = "skip"\n')
    project(tmp_path, {"tools/bad.py": "def bad(:\n"}, config=lenient)
    compilation = pipeline.compile_project(tmp_path)
    assert compilation.toolset is not None
    assert list(compilation.toolset.tools) == ["word_count"]
    assert [entry.level for entry in compilation.diagnostics if entry.span.path == "tools/bad.py"] == [Severity.WARNING]


def test_a_build_writes_the_bundle_and_the_lock_alike(tmp_path: Path) -> None:
    built = pipeline.build(project(tmp_path))
    assert built.bundle is not None and built.lock is not None
    assert built.bundle.path == tmp_path / "dist/toolset"
    data = (tmp_path / "toolset.json").read_bytes()
    assert data == (tmp_path / "dist/toolset/toolset.json").read_bytes() == built.lock.data
    assert built.bundle.toolset_digest == built.lock.digest == sha256(data)
    assert built.lock_written


def test_a_build_says_what_changed_in_the_lock(tmp_path: Path) -> None:
    pipeline.build(project(tmp_path))
    write(tmp_path, {"tools/more.py": WORD_COUNT.replace("word_count", "more")})
    built = pipeline.build(tmp_path)
    assert built.lock is not None
    assert any("`more`" in change for change in built.lock.changes)


def test_a_bundle_that_cannot_be_written_leaves_the_lock_alone(tmp_path: Path) -> None:
    project(tmp_path, {"dist/toolset/mine.txt": "not of a build\n"})
    with pytest.raises(ToolcError):
        pipeline.build(tmp_path)
    assert not (tmp_path / "toolset.json").exists()
    assert (tmp_path / "dist/toolset/mine.txt").read_text() == "not of a build\n"


def test_a_bundle_is_built_again_where_only_the_lock_was_current(tmp_path: Path) -> None:
    project(tmp_path)
    pipeline.relock(tmp_path)
    built = pipeline.build(tmp_path)
    assert built.bundle is not None
    assert (built.bundle.written, built.lock_written) == (True, False)


def test_relocking_builds_no_bundle(tmp_path: Path) -> None:
    relocked = pipeline.relock(project(tmp_path))
    assert (relocked.bundle, relocked.lock_written) == (None, True)
    assert not (tmp_path / "dist").exists()
    assert pipeline.relock(tmp_path).lock_written is False


def test_user_layers_can_be_left_out_of_one_build(tmp_path: Path) -> None:
    home = Path(os.environ["HOME"])
    write(home, {".aru/tools/mine.py": WORD_COUNT.replace("word_count", "mine")})
    root = write(tmp_path, {"toolc.toml": '[toolset]\nhost = "aru"\n', ".aru/tools/word_count.py": WORD_COUNT})
    with_user = pipeline.compile_project(root)
    without = pipeline.compile_project(root, user_layers=False)
    assert with_user.toolset is not None and without.toolset is not None
    assert list(with_user.toolset.tools) == ["mine", "word_count"]
    assert list(without.toolset.tools) == ["word_count"]


def test_the_lock_is_what_decodes_to_the_toolset(tmp_path: Path) -> None:
    project(tmp_path, {"tools/run-it/tool.json": manifest("run-it"), "tools/run-it/run.sh": "#!/bin/sh\n"})
    built = pipeline.build(tmp_path)
    assert built.lock is not None
    toolset = built.compilation.toolset
    assert toolset is not None
    assert decode(built.lock.data) == toolset
    assert encode(toolset) == built.lock.data


def test_a_link_in_the_place_of_the_lock_stops_a_build_before_anything_is_written(tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "toolset.json").symlink_to("nowhere")
    with pytest.raises(OutputTaken):
        pipeline.build(tmp_path)
    assert not (tmp_path / "dist").exists()
    assert (tmp_path / "toolset.json").is_symlink()


def test_a_lock_is_replaced_in_one_step(tmp_path: Path) -> None:
    lock = tmp_path / "toolset.json"
    lock.write_text("old\n")
    with lock.open() as reader:
        write_lock(lock, b"new\n")
        assert reader.read() == "old\n"
    assert lock.read_text() == "new\n"
    assert [path.name for path in tmp_path.iterdir()] == ["toolset.json"]


def test_a_lock_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "toolset.json").mkdir()
    with pytest.raises(OutputNotWritable):
        write_lock(tmp_path / "toolset.json", b"{}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["toolset.json"]
