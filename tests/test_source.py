"""Reading the files of a layer: bounded, never waiting, never out of the layer."""

from __future__ import annotations

import hashlib
import os
import socket
import sys
from pathlib import Path

import pytest

from commands import environment, run
from toolc import codes
from toolc.diagnostics import Code
from toolc.model import Layer, Scope
from toolc.source import (
    MANIFEST_LIMIT_BYTES,
    PYTHON_LIMIT_BYTES,
    Entry,
    Kind,
    Refused,
    link_target,
    list_folder,
    read_content,
    read_file,
)


@pytest.fixture
def layer(tmp_path: Path) -> Layer:
    root = tmp_path / "tools"
    root.mkdir()
    return Layer(name="tools", path="tools", root=root, rank=0, scope=Scope.PROJECT)


def refusal(layer: Layer, path: str) -> Code:
    with pytest.raises(Refused) as caught:
        read_file(layer, path)
    assert caught.value.message.isprintable()
    return caught.value.code


def test_a_file_is_hashed_and_its_text_kept(layer: Layer) -> None:
    (layer.root / "a.py").write_bytes(b"x = '\xc3\xa9'\n")
    file = read_file(layer, "a.py")
    assert (file.text, file.sha256) == ("x = 'é'\n", hashlib.sha256(b"x = '\xc3\xa9'\n").hexdigest())
    assert (file.bundle_path, file.shown, file.executable) == ("tools/tools/a.py", "tools/a.py", False)


def test_line_ends_of_text_are_normalised_and_of_other_files_kept(layer: Layer) -> None:
    for name in ("a.py", "b.sh", "c.bin", "d"):
        (layer.root / name).write_bytes(b"a\r\nb\r\n")
    shipped = {name: read_content(layer, name).data for name in ("a.py", "b.sh", "c.bin", "d")}
    assert shipped == {"a.py": b"a\nb\n", "b.sh": b"a\nb\n", "c.bin": b"a\r\nb\r\n", "d": b"a\r\nb\r\n"}


def test_the_permission_of_the_owner_to_execute_is_kept(layer: Layer) -> None:
    (layer.root / "run").touch(mode=0o755)
    (layer.root / "run").chmod(0o4744)
    assert read_file(layer, "run").executable


@pytest.mark.parametrize("path", ["a.py", "tool/tool.json"])
def test_what_is_compiled_has_to_be_utf8(layer: Layer, path: str) -> None:
    (layer.root / "tool").mkdir()
    (layer.root / path).write_bytes(b"ok\n\xff\n")
    with pytest.raises(Refused, match="line 2") as caught:
        read_file(layer, path)
    assert caught.value.code is codes.NOT_UTF8


def test_other_files_may_have_any_encoding(layer: Layer) -> None:
    (layer.root / "data.json").write_bytes(b"\xff")
    assert read_file(layer, "data.json").text is None


def test_a_missing_file_is_missing(layer: Layer) -> None:
    (layer.root / "a").touch()
    for path in ("nope.py", "nope/x.py", "a/x.py"):
        with pytest.raises(FileNotFoundError):
            read_file(layer, path)


@pytest.mark.parametrize(
    ("path", "limit"), [("a.py", PYTHON_LIMIT_BYTES), ("tool.json", MANIFEST_LIMIT_BYTES), ("big", 64 << 20)]
)
def test_a_file_over_its_limit_is_refused_without_reading_it(layer: Layer, path: str, limit: int) -> None:
    with (layer.root / path).open("wb") as file:
        file.truncate(limit + 1)
    assert refusal(layer, path) is codes.FILE_TOO_LARGE


def test_what_is_no_file_is_refused_and_not_waited_for(layer: Layer, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(layer.root / "fifo.py")
    (layer.root / "folder.py").mkdir()
    monkeypatch.chdir(layer.root)  # the path of a socket has room for a hundred letters
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.py")
        assert refusal(layer, "socket.py") is codes.FILE_NOT_REGULAR
    assert refusal(layer, "fifo.py") is codes.FILE_NOT_REGULAR
    assert refusal(layer, "folder.py") is codes.FILE_NOT_REGULAR


def test_an_unreadable_file_and_folder_are_refused(layer: Layer) -> None:
    (layer.root / "a.py").touch(mode=0o000)
    (layer.root / "folder").mkdir(mode=0o000)
    program = f"""
from pathlib import Path
from toolc.model import Layer, Scope
from toolc.source import Refused, list_folder, read_file
layer = Layer(name="t", path="t", root=Path({str(layer.root)!r}), rank=0, scope=Scope.PROJECT)
for read, path in ((read_file, "a.py"), (list_folder, "folder")):
    try:
        read(layer, path)
    except Refused as refused:
        print(refused.code.id)
"""
    # In a process of its own, whose file permissions hold even where the tests are root's.
    ran = run([sys.executable, "-c", program], cwd=layer.root, env=environment(layer.root))
    assert ran.stdout.split() == [codes.FILE_UNREADABLE.id] * 2, ran.stderr


def test_a_link_inside_the_layer_is_read_as_what_it_leads_to(layer: Layer) -> None:
    (layer.root / "lib").mkdir()
    (layer.root / "lib" / "real.py").write_text("x = 1\n")
    (layer.root / "a.py").symlink_to("b.py")
    (layer.root / "b.py").symlink_to(layer.root / "lib" / "real.py")
    file = read_file(layer, "a.py")
    assert (file.path, file.text) == ("a.py", "x = 1\n")
    assert link_target(layer.root, "a.py") == "lib/real.py"


def test_a_layer_that_is_itself_a_link_is_read(layer: Layer, tmp_path: Path) -> None:
    (layer.root / "a.py").touch()
    (layer.root / "b.py").symlink_to("a.py")
    (tmp_path / "linked").symlink_to("tools")
    linked = Layer(name="linked", path="linked", root=tmp_path / "linked", rank=0, scope=Scope.PROJECT)
    assert read_file(linked, "b.py").text == ""


@pytest.mark.parametrize(
    ("target", "code"),
    [
        pytest.param("../outside.py", codes.LINK_LEAVES_LAYER, id="out of the layer"),
        pytest.param("/etc/passwd", codes.LINK_LEAVES_LAYER, id="absolute"),
        pytest.param("hop", codes.LINK_LEAVES_LAYER, id="out over another link"),
        pytest.param("a.py", codes.LINK_LOOP, id="itself"),
        pytest.param("nothing.py", codes.LINK_LOOP, id="nothing"),
        pytest.param("file/inner.py", codes.LINK_LOOP, id="below a file"),
        pytest.param("folder", codes.LINK_TO_FOLDER, id="folder"),
        pytest.param(".", codes.LINK_TO_FOLDER, id="the layer"),
        pytest.param("fifo", codes.FILE_NOT_REGULAR, id="FIFO"),
    ],
)
def test_any_other_link_is_refused(layer: Layer, tmp_path: Path, target: str, code: Code) -> None:
    (tmp_path / "outside.py").write_text("secret")
    (layer.root / "hop").symlink_to("../outside.py")
    (layer.root / "folder").mkdir()
    (layer.root / "file").touch()
    os.mkfifo(layer.root / "fifo")
    (layer.root / "a.py").symlink_to(target)
    assert refusal(layer, "a.py") is code


def test_a_file_behind_a_linked_folder_is_refused(layer: Layer) -> None:
    (layer.root / "real").mkdir()
    (layer.root / "real" / "x.py").touch()
    (layer.root / "linked").symlink_to("real")
    assert refusal(layer, "linked/x.py") is codes.LINK_TO_FOLDER


def test_a_folder_is_listed_by_name_and_links_are_not_followed(layer: Layer) -> None:
    for name in ("b", "a", "Z"):
        (layer.root / name).touch()
    (layer.root / "folder").mkdir()
    (layer.root / "link").symlink_to("/etc")
    os.mkfifo(layer.root / "fifo")
    assert list_folder(layer) == (
        Entry("Z", Kind.FILE),
        Entry("a", Kind.FILE),
        Entry("b", Kind.FILE),
        Entry("fifo", Kind.FIFO),
        Entry("folder", Kind.FOLDER),
        Entry("link", Kind.LINK),
    )


def test_a_linked_folder_and_a_missing_one_are_not_listed(layer: Layer) -> None:
    (layer.root / "link").symlink_to("/etc")
    for folder in ("link", "nothing"):
        with pytest.raises(Refused):
            list_folder(layer, folder)


def test_a_name_that_is_not_utf8_can_be_shown(layer: Layer) -> None:
    name = os.fsdecode(b"\xff.py")
    os.mkfifo(layer.root / name)
    assert refusal(layer, name) is codes.FILE_NOT_REGULAR
