"""Writing a bundle: what is in it, when it is left alone, and what is never written over."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import toolc_runtime
import toolsets
from commands import environment, run
from toolc import digest, emit, lock
from toolc.emit import ChangedWhileBuilding
from toolc.emit.exchange import exchange, replace_by_renames
from toolc.emit.lockfile import write_lock
from toolc.emit.output import OutputNotWritable, OutputOverlapsLayer, OutputTaken
from toolc.emit.staging import MACHINE, Leftover
from toolc.errors import ToolcError
from toolc.model import Layer
from toolc.verify import verify
from toolsets import Project, snapshot


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return toolsets.project(tmp_path / "project")


def beside(out: Path) -> list[str]:
    """The names in the folder of an output."""
    return sorted(path.name for path in out.parent.iterdir())


# ---- what is in it


def test_a_bundle_holds_the_lock_the_sources_and_what_toolc_makes(project: Project) -> None:
    bundle = project.build()
    paths = {path.relative_to(project.out).as_posix() for path in project.out.rglob("*") if path.is_file()}
    runtime = {path for path in paths if path.startswith("lib/")}
    assert paths - runtime == {
        "toolset.json",
        "bundle.json",
        "bin/words",
        "bin/lines",
        "definitions/anthropic.json",
        "definitions/openai.json",
        "definitions/readers/anthropic.json",
        "definitions/readers/openai.json",
        "tools/team/words.py",
        "tools/team/lines/run.sh",
        "tools/team/lines/tool.json",
    }
    installed = Path(str(toolc_runtime.__file__)).parent
    assert runtime == {
        "lib/toolc_runtime/__pycache__",
        *(f"lib/toolc_runtime/{path.relative_to(installed).as_posix()}" for path in installed.rglob("*.py")),
    }
    assert bundle.written
    assert bundle.path == project.out


def test_the_lock_in_a_bundle_is_the_bytes_given(project: Project) -> None:
    bundle = project.build()
    data = lock.encode(project.toolset)
    assert (project.out / "toolset.json").read_bytes() == data
    assert bundle.toolset_digest == f"sha256:{hashlib.sha256(data).hexdigest()}"


def test_bundle_json_lists_every_other_file_and_is_the_identity(project: Project) -> None:
    bundle = project.build()
    data = (project.out / "bundle.json").read_bytes()
    index = json.loads(data)
    assert list(index) == ["bundle_version", "toolc", "files"]
    assert bundle.bundle_digest == f"sha256:{hashlib.sha256(data).hexdigest()}" == digest.bundle_digest(project.out)
    assert index["files"] == {
        path: f"sha256:{hashlib.sha256(content).hexdigest()}{' x' if mode & stat.S_IXUSR else ''}"
        for path, (mode, content) in snapshot(project.out).items()
        if stat.S_ISREG(mode) and path != "bundle.json"
    }
    assert list(index["files"]) == sorted(index["files"])
    assert index["files"]["bin/words"].endswith(" x")
    assert index["files"]["tools/team/lines/run.sh"].endswith(" x")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o177])
def test_modes_do_not_depend_on_the_umask(project: Project, umask: int) -> None:
    (project.root / "dist").mkdir()
    before = os.umask(umask)
    try:
        project.build()
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(mode) for path, (mode, _) in snapshot(project.out).items()}
    assert stat.S_IMODE(project.out.stat().st_mode) == 0o755
    assert {mode for path, mode in modes.items() if (project.out / path).is_dir()} == {0o755}
    assert modes["tools/team/lines/run.sh"] == modes["bin/lines"] == 0o755
    assert modes["tools/team/words.py"] == modes["toolset.json"] == 0o644


def test_a_group_bit_of_the_folder_above_is_not_inherited(project: Project) -> None:
    (project.root / "dist").mkdir()
    (project.root / "dist").chmod(0o2755)
    project.build()
    assert not any(mode & stat.S_ISGID for mode, _ in snapshot(project.out).values())


@pytest.mark.parametrize("name", ["a b", "quote'\"s", "new\nline", "$(touch x)", "ü", "x" * 255, "-o"])
def test_the_output_may_have_any_name(project: Project, name: str) -> None:
    for expected in (True, False):
        assert project.build(project.root / "dist" / name).written is expected
    (project.root / "team/words.py").write_text(toolsets.WORDS.replace("str(", "repr("))
    assert project.build(project.root / "dist" / name).written
    assert beside(project.out) == [name]


@pytest.mark.parametrize("name", ["a b", "quote'\"s", "new\nline", "$(touch x)"])
def test_a_wrapper_runs_whatever_its_bundle_is_called(project: Project, tmp_path: Path, name: str) -> None:
    out = project.root / "dist" / name
    project.build(out)
    here = tmp_path / "here"
    here.mkdir()
    env = {"PATH": environment(tmp_path)["PATH"]}
    ran = run([str(out / "bin/words")], cwd=here, env=env, stdin='{"text": "a b"}')
    assert (ran.status, ran.stdout.strip()) == (0, "2"), ran.stderr
    assert list(here.iterdir()) == []


def test_a_relative_output_is_relative_to_the_current_folder(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.root)
    project.build(Path("out"))
    assert (project.root / "out/bundle.json").is_file()


def test_links_above_the_output_are_followed(project: Project, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    project.build(tmp_path / "link/toolset")
    assert (tmp_path / "real/toolset/bundle.json").is_file()


# ---- when it is left alone, and when replaced


def test_a_bundle_that_stands_is_not_touched(project: Project) -> None:
    first = project.build()
    stamps = {path: path.lstat() for path in (project.out.parent, project.out, *project.out.rglob("*"))}
    second = project.build()
    assert not second.written
    assert (second.toolset_digest, second.bundle_digest) == (first.toolset_digest, first.bundle_digest)
    after = {path: path.lstat() for path in (project.out.parent, project.out, *project.out.rglob("*"))}
    assert {path: (stat.st_ino, stat.st_mtime_ns, stat.st_mode) for path, stat in after.items()} == {
        path: (stat.st_ino, stat.st_mtime_ns, stat.st_mode) for path, stat in stamps.items()
    }


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda out: (out / "bin/words").write_text("#!/bin/sh\n"), id="changed"),
        pytest.param(lambda out: (out / "bin/words").unlink(), id="missing"),
        pytest.param(lambda out: (out / "bin/words").chmod(0o644), id="mode"),
        pytest.param(lambda out: (out / "empty").mkdir(), id="an empty folder more"),
        pytest.param(lambda out: (out / "toolset.json").write_text("{}"), id="lock"),
    ],
)
def test_a_damaged_bundle_is_written_again(project: Project, damage: Callable[[Path], object]) -> None:
    project.build()
    good = snapshot(project.out)
    damage(project.out)
    assert project.build().written
    assert snapshot(project.out) == good
    assert beside(project.out) == ["toolset"]


def test_a_change_of_a_source_replaces_the_bundle_whole(project: Project) -> None:
    project.build()
    (project.root / "team/words.py").write_text(toolsets.WORDS.replace("words", "terms"))
    (project.root / "team/lines/helper.sh").write_text("wc -l\n")
    (project.root / "team/new.py").write_text("X = 1\n")
    assert project.build().written
    (project.root / "team/new.py").unlink()
    (project.root / "team/newer.py").write_text("X = 1\n")
    assert project.build().written
    sources = {path for path, (mode, _) in snapshot(project.out / "tools/team").items() if stat.S_ISREG(mode)}
    assert sources == {"words.py", "newer.py", "lines/tool.json", "lines/run.sh", "lines/helper.sh"}
    assert (project.out / "tools/team/words.py").read_text() == toolsets.WORDS.replace("words", "terms")
    assert beside(project.out) == ["toolset"]


def test_a_read_only_bundle_is_replaced(project: Project) -> None:
    project.build()
    for path in (project.out, *project.out.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    (project.root / "team/words.py").write_text("def words(text: str) -> str: ...\n")
    assert project.build().written
    assert beside(project.out) == ["toolset"]


def test_an_empty_folder_is_a_good_place(project: Project) -> None:
    project.out.mkdir(parents=True)
    assert project.build().written
    assert beside(project.out) == ["toolset"]


def test_a_link_inside_an_old_bundle_is_removed_and_not_followed(project: Project, tmp_path: Path) -> None:
    project.build()
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/file").write_text("keep me")
    (project.out / "bin/words").unlink()
    (project.out / "bin/words").symlink_to(tmp_path / "precious")
    project.build()
    assert (tmp_path / "precious/file").read_text() == "keep me"
    assert not (project.out / "bin/words").is_symlink()


# ---- what is never written over


def a_file(out: Path) -> None:
    out.parent.mkdir()
    out.write_text("mine")


def a_link(out: Path) -> None:
    (out.parent / "elsewhere").mkdir(parents=True)
    out.symlink_to("elsewhere")


def a_dangling_link(out: Path) -> None:
    out.parent.mkdir()
    out.symlink_to("nowhere")


def a_folder_of_files(out: Path) -> None:
    (out / "photos").mkdir(parents=True)
    (out / "photos/1.jpg").write_text("mine")


def a_forged_index(out: Path) -> None:
    a_folder_of_files(out)
    (out / "bundle.json").write_text('{"bundle_version": 1, "toolc": "1", "files": {"photos/1.jpg": ""}}')


def a_newer_index(out: Path) -> None:
    out.mkdir(parents=True)
    (out / "bundle.json").write_text('{"bundle_version": 2}')


def a_fifo_for_an_index(out: Path) -> None:
    out.mkdir(parents=True)
    os.mkfifo(out / "bundle.json")


def a_lone_fifo(out: Path) -> None:
    out.mkdir(parents=True)
    os.mkfifo(out / "pipe")


@pytest.mark.parametrize(
    ("occupy", "why"),
    [
        (a_file, "it is not a folder"),
        (a_link, "it is a symbolic link"),
        (a_dangling_link, "it is a symbolic link"),
        (a_folder_of_files, "it has files and no `bundle.json`, so no build wrote it"),
        (a_forged_index, "does not say which files are a build's"),
        (a_newer_index, "a newer toolc wrote it (bundle version 2)"),
        (a_fifo_for_an_index, "no `bundle.json`"),
        (a_lone_fifo, "no `bundle.json`"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_no_build_wrote_is_not_replaced(project: Project, occupy: Callable[[Path], None], why: str) -> None:
    occupy(project.out)
    before = snapshot(project.root)
    with pytest.raises(OutputTaken) as error:
        project.build()
    assert why in str(error.value)
    assert error.value.exit_status == 3
    assert snapshot(project.root) == before


def test_nothing_is_put_into_another_bundle(project: Project) -> None:
    project.build()
    for inner in ("inner", "lib/deeper/inner"):
        with pytest.raises(OutputTaken, match="it lies in the bundle"):
            emit.write_bundle(project.toolset, b"{}\n", [project.layer], project.out / inner)
    assert verify(project.out) == ()


def test_bytecode_of_the_bundles_modules_is_nobodys_work(project: Project) -> None:
    project.build()
    cache = project.out / "tools/team/__pycache__"
    cache.mkdir()
    (cache / "words.cpython-311.opt-1.pyc").write_bytes(b"made of words.py")
    assert project.build().written
    assert verify(project.out) == ()


def test_bytecode_of_nothing_in_the_bundle_is_named_and_may_be_removed(project: Project) -> None:
    project.build()
    cache = project.out / "tools/team/__pycache__"
    cache.mkdir()
    (cache / "gone.cpython-311.pyc").write_bytes(b"made of a file that was there")
    with pytest.raises(
        OutputTaken, match="is not of a build; a Python left it there as bytecode, which may be removed"
    ):
        project.build()


def test_a_bundle_with_foreign_files_is_not_replaced_and_they_are_named(project: Project) -> None:
    project.build()
    for name in ("notes.txt", "tools/team/a.py", "tools/team/b.py", "z"):
        (project.out / name).write_text("mine")
    (project.root / "team/words.py").write_text("def words(text: str) -> str: ...\n")
    before = snapshot(project.root)
    with pytest.raises(OutputTaken) as error:
        project.build()
    assert "`notes.txt`, `tools/team/a.py`, `tools/team/b.py` and 1 more in it are not of a build" in str(error.value)
    assert snapshot(project.root) == before


@pytest.mark.parametrize(
    ("out", "relation"),
    [
        pytest.param("team", "is", id="the layer itself"),
        pytest.param("team/dist/toolset", "lies in", id="in a layer"),
        pytest.param("link/dist", "lies in", id="in a layer through a link"),
        pytest.param(".", "holds", id="around a layer"),
        pytest.param("team/..", "holds", id="around a layer, with dots"),
        pytest.param("absent", "is", id="a layer that is absent"),
        pytest.param("absent/x", "lies in", id="in a layer that is absent"),
    ],
)
def test_output_and_layers_do_not_lie_in_each_other(project: Project, out: str, relation: str) -> None:
    (project.root / "link").symlink_to("team")
    absent = Layer(name="gone", path="absent", root=project.root / "absent", rank=1, scope=project.layer.scope)
    before = snapshot(project.root)
    with pytest.raises(OutputOverlapsLayer) as error:
        emit.write_bundle(project.toolset, b"{}\n", [project.layer, absent], project.root / out)
    assert f" {relation} the layer " in str(error.value)
    assert error.value.exit_status == 3
    assert snapshot(project.root) == before


# ---- a failed build


def edit(project: Project) -> None:
    (project.root / "team/words.py").write_text("def words(text: str) -> str: return 'other'\n")


def remove(project: Project) -> None:
    (project.root / "team/words.py").unlink()


def link(project: Project) -> None:
    remove(project)
    (project.root / "team/words.py").symlink_to("/etc/passwd")


def link_a_folder(project: Project) -> None:
    (project.root / "team/lines").rename(project.root / "moved")
    (project.root / "team/lines").symlink_to("../moved")


def fifo(project: Project) -> None:
    remove(project)
    os.mkfifo(project.root / "team/words.py")


def make_executable(project: Project) -> None:
    (project.root / "team/words.py").chmod(0o755)


@pytest.mark.parametrize("change", [edit, remove, link, link_a_folder, fifo, make_executable])
@pytest.mark.parametrize("old", [True, False], ids=["over a bundle", "the first"])
def test_a_source_that_changed_after_it_was_compiled_stops_the_build(
    project: Project, change: Callable[[Project], None], old: bool
) -> None:
    if old:
        project.build()
        (project.root / "team/extra.py").write_text("X = 1\n")
    compiled = project.toolset
    change(project)
    before = snapshot(project.root)
    with pytest.raises(ChangedWhileBuilding) as error:
        emit.write_bundle(compiled, lock.encode(compiled), [project.layer], project.out)
    assert str(error.value).startswith("`team/")
    assert "changed while the build was running" in str(error.value)
    assert error.value.exit_status == 3
    assert snapshot(project.root) == before


def test_a_source_that_keeps_changing_never_ships_what_was_not_compiled(project: Project) -> None:
    """A thread swaps the file for other content and for links while builds run."""
    words = project.root / "team/words.py"
    secret = project.root / "secret"
    secret.write_text("SECRET")
    ended = threading.Event()

    def swap() -> None:
        spare = words.with_name("spare")
        while not ended.is_set():
            spare.write_text(toolsets.WORDS)
            spare.replace(words)
            spare.write_text("X = 1\n")
            spare.replace(words)
            spare.symlink_to(secret)
            spare.replace(words)

    compiled = project.toolset
    thread = threading.Thread(target=swap)
    thread.start()
    outcomes = set()
    try:
        for _ in range(40):
            try:
                emit.write_bundle(compiled, lock.encode(compiled), [project.layer], project.out)
                outcomes.add("built")
                assert (project.out / "tools/team/words.py").read_text() == toolsets.WORDS
                shutil.rmtree(project.out)
            except ChangedWhileBuilding:
                outcomes.add("refused")
                assert not project.out.exists()
    finally:
        ended.set()
        thread.join()
    assert "refused" in outcomes


def test_a_part_of_the_path_that_is_a_file_is_told_in_words(project: Project) -> None:
    (project.root / "dist").write_text("mine")
    before = snapshot(project.root)
    for out in ("dist/toolset", "dist/a/b/c"):
        with pytest.raises(OutputNotWritable, match="a part of the path is a file"):
            project.build(project.root / out)
    assert snapshot(project.root) == before


def test_a_name_that_is_too_long_is_told_in_words_and_makes_no_folders(project: Project) -> None:
    with pytest.raises(OutputNotWritable, match="a name in the path is too long"):
        project.build(project.root / "dist" / "deep" / ("x" * 256))
    with pytest.raises(OutputNotWritable, match="a name in the path is too long"):
        project.build(project.root / "dist" / ("x" * 256) / "toolset")
    assert not (project.root / "dist").exists()


def test_a_loop_of_links_above_the_output_is_told_in_words(project: Project) -> None:
    (project.root / "loop").symlink_to("loop")
    with pytest.raises(OutputNotWritable, match="leads back to itself"):
        project.build(project.root / "loop/toolset")


BUILD = """
import resource, sys
from pathlib import Path
import toolsets
from toolc.emit.staging import MACHINE, Leftover
from toolc.errors import ToolcError
from toolc.model import Layer
project = toolsets.Project(root=Path(sys.argv[1]))
limit = int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    project.build(Path(sys.argv[3]))
except ToolcError as error:
    sys.exit(f"{error.exit_status} {error.code} {error}")
"""


def build_apart(project: Project, out: Path, *, limit: int = 0, prefix: tuple[str, ...] = ()) -> str:
    """Build in a process of its own, where file permissions hold; what stopped it, or nothing."""
    env = environment(project.root) | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    argv = [*prefix, sys.executable, "-c", BUILD, str(project.root), str(limit), str(out)]
    return run(argv, cwd=project.root, env=env).stderr


def test_a_folder_that_may_not_be_written_is_told_in_words(project: Project) -> None:
    (project.root / "dist").mkdir()
    (project.root / "dist").chmod(0o555)
    told = build_apart(project, project.out)
    assert told == "3 TC730 `dist/toolset` cannot be written: you may not write there\n"
    assert beside(project.out) == []


def test_a_limit_on_file_size_leaves_the_old_bundle(project: Project) -> None:
    project.build()
    before = snapshot(project.root / "dist")
    (project.root / "team/words.py").write_text("#" * 100_000)
    told = build_apart(project, project.out, limit=65_536)
    assert told.startswith("3 TC730 `dist/toolset` cannot be written: a file would be larger")
    assert snapshot(project.root / "dist") == before


def mounted(folder: Path, options: str) -> tuple[str, ...] | None:
    """A command prefix that sees a small file system of its own at `folder`; None where nobody may mount."""
    script = f'mount -t tmpfs -o {options} none "$0" && exec "$@"'
    for right in (["--mount"], ["--user", "--map-root-user", "--mount"]):
        prefix = ("unshare", *right, "sh", "-c", script, str(folder))
        if shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True).returncode == 0:
            return prefix
    return None


@pytest.mark.parametrize(
    ("options", "why"),
    [("size=64k", "the disk is full"), ("nr_inodes=8", "the disk is full"), ("ro", "the file system is read-only")],
)
def test_a_full_or_read_only_file_system_is_told_in_words(project: Project, options: str, why: str) -> None:
    small = project.root / "small"
    small.mkdir()
    prefix = mounted(small, options)
    if prefix is None:
        pytest.skip("this machine lets nobody mount")
    told = build_apart(project, small / "dist/toolset", prefix=prefix)
    assert told == f"3 TC730 `small/dist/toolset` cannot be written: {why}\n"


def test_a_mount_point_is_told_in_words(project: Project) -> None:
    small = project.root / "small"
    small.mkdir()
    prefix = mounted(small, "size=8m")
    if prefix is None:
        pytest.skip("this machine lets nobody mount")
    assert "it is a mount point" in build_apart(project, small, prefix=prefix)
    assert beside(small) == ["small", "team"]


# ---- two builds at once, and what a killed one left


def test_parallel_builds_all_succeed_and_leave_one_whole_bundle(project: Project) -> None:
    project.build(project.root / "reference/toolset")
    env = environment(project.root) | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    argv = [sys.executable, "-c", BUILD, str(project.root), "0", str(project.out)]
    builds = [subprocess.Popen(argv, env=env, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    assert [build.communicate()[1] for build in builds] == [""] * len(builds)
    assert snapshot(project.root / "dist") == snapshot(project.root / "reference")


def test_a_build_waits_for_another_says_so_and_goes_on(project: Project) -> None:
    project.build()
    (project.out.parent / f"toolset.tmp-4242-{MACHINE}00000000").mkdir()
    told: list[str] = []
    held = os.open(project.out.parent, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)

    def heard(words: str) -> None:
        told.append(words)
        os.close(held)  # the other build ends

    emit.write_bundle(project.toolset, b"{}\n", [project.layer], project.out, on_wait=heard)
    (words,) = told
    assert words.startswith("waiting for another build that writes into `")
    assert words.endswith("dist` (process 4242)")
    assert beside(project.out) == ["toolset"]


def test_a_build_whose_folder_is_taken_away_while_it_waits_makes_it_again(project: Project) -> None:
    project.out.parent.mkdir()
    held = os.open(project.out.parent, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)

    def heard(_: str) -> None:
        project.out.parent.rmdir()  # as a build that fails does
        os.close(held)

    emit.write_bundle(project.toolset, b"{}\n", [project.layer], project.out, on_wait=heard)
    assert beside(project.out) == ["toolset"]


@pytest.mark.parametrize("refusal", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP], ids=errno.errorcode.get)
def test_without_locks_a_build_goes_on_and_leaves_alone_what_may_be_alive(
    project: Project, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    def flock(_descriptor: int, _operation: int) -> None:
        raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr(fcntl, "flock", flock)
    (project.out.parent).mkdir()
    alive = [f"toolset.tmp-{os.getpid()}-{MACHINE}00000000", "toolset.tmp-1-0123456789abcdef"]
    for name in (*alive, f"toolset.tmp-9999999999-{MACHINE}00000000"):
        (project.out.parent / name).mkdir()
    assert project.build().written
    assert beside(project.out) == sorted([*alive, "toolset"])


def test_leftovers_of_a_killed_build_are_removed(project: Project) -> None:
    project.build()
    dead = project.out.parent / "toolset.tmp-1-0123456789abcdef"
    shutil.copytree(project.out, dead)
    others = ["toolset.tmp", "toolset.tmp-1-0123", "toolset.tmp-x-0123456789abcdef", "other.tmp-1-0123456789abcdef"]
    for name in others:
        (project.out.parent / name).mkdir()
    (project.out.parent / "toolset.old-1-0123456789abcdef").symlink_to(project.root / "team")
    assert not project.build().written
    assert beside(project.out) == sorted([*others, "toolset", "toolset.old-1-0123456789abcdef"])
    assert (project.root / "team/words.py").is_file()


def test_a_bundle_that_a_killed_build_had_moved_away_is_put_back(project: Project) -> None:
    """Between the two renames, where a system has no exchange: then even a build that fails mends it."""
    project.build()
    before = snapshot(project.out)
    project.out.rename(project.out.parent / "toolset.old-1-0123456789abcdef")
    compiled = project.toolset
    edit(project)
    with pytest.raises(ChangedWhileBuilding):
        emit.write_bundle(compiled, b"{}\n", [project.layer], project.out)
    assert beside(project.out) == ["toolset"]
    assert snapshot(project.out) == before


def test_two_renames_do_what_an_exchange_does(tmp_path: Path) -> None:
    for name in ("out", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"was {name}").touch()
    replace_by_renames(tmp_path / "out", tmp_path / "new", tmp_path / "old")
    assert sorted(snapshot(tmp_path)) == ["old", "old/was out", "out", "out/was new"]


def test_two_renames_that_fail_put_the_old_folder_back(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(FileNotFoundError):
        replace_by_renames(tmp_path / "out", tmp_path / "not there", tmp_path / "old")
    assert sorted(snapshot(tmp_path)) == ["out"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the call")
def test_an_exchange_swaps_two_folders_and_says_what_it_may_not(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    if not exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("this file system cannot exchange")
    assert (tmp_path / "a/b").exists()
    assert (tmp_path / "b/a").exists()
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "a", tmp_path / "c")


def test_a_process_is_dead_only_where_that_is_certain() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()

    def is_dead(pid: int, machine: str = MACHINE) -> bool:
        return Leftover(path=Path("x"), kind="tmp", pid=pid, machine=machine).is_dead

    assert is_dead(gone.pid)
    assert is_dead(9_999_999_999)
    assert not is_dead(gone.pid, "00000000")  # another machine's, on a shared disk
    assert not is_dead(os.getpid())
    assert not is_dead(1)


# ---- the lock file


def test_the_lock_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "toolset.json"
    path.write_text("old")
    opened = path.open()
    write_lock(path, b"new")
    assert path.read_bytes() == b"new"
    assert opened.read() == "old"
    opened.close()
    assert beside(path) == ["toolset.json"]


def test_the_lock_file_has_the_mode_of_a_users_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_lock(tmp_path / "toolset.json", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "toolset.json").stat().st_mode) == 0o640


def test_a_lock_file_that_is_a_link_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "toolset.json").symlink_to("real")
    with pytest.raises(OutputTaken, match="it is a symbolic link"):
        write_lock(tmp_path / "toolset.json", b"new")
    assert (tmp_path / "real").read_text() == "old"


def test_a_lock_file_that_cannot_be_written_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(ToolcError, match="cannot be written"):
        write_lock(tmp_path / "absent/toolset.json", b"new")
    (tmp_path / "toolset.json").mkdir()
    with pytest.raises(ToolcError, match="cannot be written"):
        write_lock(tmp_path / "toolset.json", b"new")
    assert beside(tmp_path / "toolset.json") == ["toolset.json"]


def test_what_a_killed_writer_of_the_lock_left_is_removed(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    (tmp_path / f"toolset.json.tmp-{gone.pid}-{MACHINE}00000000").touch()
    (tmp_path / f"toolset.json.tmp-{os.getpid()}-{MACHINE}00000000").touch()  # alive
    write_lock(tmp_path / "toolset.json", b"new")
    assert beside(tmp_path / "toolset.json") == [
        "toolset.json",
        f"toolset.json.tmp-{os.getpid()}-{MACHINE}00000000",
    ]


def test_no_clock_is_read_for_what_is_written(project: Project) -> None:
    project.build()
    first = snapshot(project.out)
    shutil.rmtree(project.out)
    time.sleep(0.01)
    project.build(project.root / "deep/er/ü")
    assert snapshot(project.root / "deep/er/ü") == first
