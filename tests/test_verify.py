"""What `verify` says of a bundle: every way in which it can differ from the one that was built."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import toolsets
from toolc import digest, lock
from toolc.diagnostics import Diagnostic
from toolc.digest import Index, IndexBroken, NotABundle, decode_index, encode_index
from toolc.lock import LockError
from toolc.model import Digest
from toolc.verify import verify
from toolsets import snapshot


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    project = toolsets.project(tmp_path / "project")
    project.build()
    return project.out


def told(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    """The codes, each with the file it is about."""
    return [(found.code.id, found.span.path.rpartition("dist/toolset/")[2]) for found in diagnostics]


def reindex(bundle: Path, change: Callable[[dict[str, str]], object]) -> None:
    """Edit the list of files in `bundle.json`, and spell the result as a build does."""
    value = json.loads((bundle / "bundle.json").read_bytes())
    change(value["files"])
    value["files"] = dict(sorted(value["files"].items()))
    (bundle / "bundle.json").write_text(json.dumps(value, indent=2) + "\n")


def test_a_bundle_as_it_was_built_is_verified(bundle: Path) -> None:
    assert verify(bundle) == ()
    digests = digest.bundle_digest(bundle), digest.sha256((bundle / "toolset.json").read_bytes())
    assert verify(bundle, expect=digests[0], expect_toolset=digests[1]) == ()


def test_a_copy_with_other_modes_for_group_and_others_is_verified(bundle: Path) -> None:
    for path in (bundle, *bundle.rglob("*")):
        path.chmod(path.stat().st_mode & 0o555)
    before = snapshot(bundle)
    assert verify(bundle) == ()
    assert snapshot(bundle) == before
    for path in (bundle, *bundle.rglob("*")):
        path.chmod(path.stat().st_mode | 0o775 if path.stat().st_mode & 0o100 else 0o664)
    assert verify(bundle) == ()


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    "victim",
    ["tools/team/words.py", "toolset.json", "bin/words", "definitions/openai.json", "lib/toolc_runtime/__init__.py"],
)
def test_a_changed_file_is_named_with_both_digests(bundle: Path, victim: str) -> None:
    built = hashlib.sha256((bundle / victim).read_bytes()).hexdigest()
    flip(bundle / victim)
    found = hashlib.sha256((bundle / victim).read_bytes()).hexdigest()
    (diagnostic,) = verify(bundle)
    assert told((diagnostic,)) == [("TC805", victim)]
    assert diagnostic.message == f"`{victim}` is sha256:{found}, and was built as sha256:{built}"


def test_a_missing_file_is_named_with_its_digest(bundle: Path) -> None:
    built = hashlib.sha256((bundle / "bin/words").read_bytes()).hexdigest()
    (bundle / "bin/words").unlink()
    (diagnostic,) = verify(bundle)
    assert told((diagnostic,)) == [("TC803", "bin/words")]
    assert diagnostic.message == f"`bin/words` is missing; `bundle.json` lists it as sha256:{built}"


def test_everything_that_is_wrong_is_said_at_once_and_in_order(bundle: Path) -> None:
    (bundle / "bin/lines").unlink()
    flip(bundle / "bin/words")
    (bundle / "extra").write_text("x")
    (bundle / "lib/empty/deeper").mkdir(parents=True)
    (bundle / "tools/team/words.py").chmod(0o755)
    (bundle / "tools/team/lines/run.sh").chmod(0o644)
    assert told(verify(bundle, expect="sha256:0", expect_toolset="sha256:1")) == [
        ("TC803", "bin/lines"),
        ("TC805", "bin/words"),
        ("TC809", "bundle.json"),
        ("TC804", "extra"),
        ("TC804", "lib/empty/deeper"),
        ("TC806", "tools/team/lines/run.sh"),
        ("TC806", "tools/team/words.py"),
        ("TC810", "toolset.json"),
    ]


def link(path: Path) -> None:
    path.unlink()
    path.symlink_to("lines")


def dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def link_to_an_equal_file(path: Path) -> None:
    path.rename(path.parents[3] / "moved")
    path.symlink_to("../../../moved")


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def named_socket(path: Path) -> None:
    path.unlink()
    with socket.socket(socket.AF_UNIX) as server:
        folder = Path.cwd()
        os.chdir(path.parent)  # a socket's path has at most 108 characters
        try:
            server.bind(path.name)
        finally:
            os.chdir(folder)


def setuid(path: Path) -> None:
    path.chmod(0o4755)


@pytest.mark.parametrize(
    ("replace", "what"),
    [
        (link, "a symbolic link"),
        (dangling_link, "a symbolic link"),
        (link_to_an_equal_file, "a symbolic link"),
        (fifo, "a FIFO"),
        (named_socket, "a socket"),
        (setuid, "a file that runs as its owner"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_no_plain_file_is_named_for_what_it_is(
    bundle: Path, replace: Callable[[Path], None], what: str
) -> None:
    replace(bundle / "bin/words")
    (diagnostic,) = verify(bundle)
    assert told((diagnostic,)) == [("TC807", "bin/words")]
    assert diagnostic.message.startswith(f"`bin/words` is {what}")


def test_a_folder_that_became_a_link_is_not_entered(bundle: Path) -> None:
    (bundle / "bin").rename(bundle.parent / "bin")
    (bundle / "bin").symlink_to("../bin")
    assert told(verify(bundle)) == [("TC807", "bin"), ("TC803", "bin/lines"), ("TC803", "bin/words")]


def test_a_file_that_became_a_folder_is_missing(bundle: Path) -> None:
    (bundle / "bin/words").unlink()
    (bundle / "bin/words/x").mkdir(parents=True)
    assert told(verify(bundle)) == [("TC803", "bin/words"), ("TC804", "bin/words/x")]


def test_a_file_name_cannot_write_to_the_terminal(bundle: Path) -> None:
    for name in ("a\x1b[2Jb", "new\nline", "\u202egnp.exe", os.fsdecode(b"\xff")):
        (bundle / name).touch()
    messages = "".join(found.message + found.span.path for found in verify(bundle))
    assert messages.isprintable()
    assert "a\\u{001b}[2Jb" in messages


# ---- bundle.json


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        pytest.param(lambda data: data[: len(data) // 2], "not JSON", id="truncated"),
        pytest.param(lambda _: b"[" * 100_000, "not JSON", id="nested"),
        pytest.param(lambda data: b"\xff" + data, "not JSON", id="not text"),
        pytest.param(lambda _: b"[]", "fields", id="a list"),
        pytest.param(lambda _: b"null", "fields", id="null"),
        pytest.param(lambda data: data.replace(b": 1,", b': "1",', 1), "fields", id="text"),
        pytest.param(lambda data: data.replace(b": 1,", b": 1.0,", 1), "spelled", id="1.0"),
        pytest.param(lambda data: data.replace(b": 1,", b": true,", 1), "spelled", id="true"),
        pytest.param(lambda data: data.replace(b"sha256:", b"md5:"), "sha256", id="another algorithm"),
        pytest.param(lambda data: data.replace(b"toolset.json", b"lock.json"), "fields", id="no lock"),
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), "spelled", id="carriage returns"),
        pytest.param(lambda data: json.dumps(json.loads(data)).encode(), "spelled", id="compact"),
        pytest.param(lambda data: data.replace(b"{", b'{"extra": 1,', 1), "spelled", id="a field more"),
        pytest.param(lambda data: data.replace(b"{", b'{"toolc": "0",', 1), "spelled", id="a key twice"),
        pytest.param(lambda data: data + b"\n", "spelled", id="a line more"),
    ],
)
def test_only_what_a_build_spells_is_a_bundle_json(bundle: Path, spoil: Callable[[bytes], bytes], why: str) -> None:
    path = bundle / "bundle.json"
    path.write_bytes(spoil(path.read_bytes()))
    (diagnostic,) = verify(bundle)
    assert told((diagnostic,)) == [("TC802", "bundle.json")]
    assert why in diagnostic.message


@pytest.mark.parametrize("path", ["../../evil", "/etc/passwd", "a\x1b[31m", "a\x00b", "\ud800", "con/a", ""])
def test_a_bundle_json_that_lists_what_cannot_be_in_a_bundle_is_none(bundle: Path, path: str) -> None:
    files = json.loads((bundle / "bundle.json").read_text())["files"]
    index = {"bundle_version": 1, "toolc": "1", "files": dict(sorted({**files, path: f"sha256:{'0' * 64}"}.items()))}
    (bundle / "bundle.json").write_text(json.dumps(index, indent=2) + "\n")
    (diagnostic,) = verify(bundle)
    assert told((diagnostic,)) == [("TC802", "bundle.json")]
    assert "\x1b" not in diagnostic.message


def test_a_bundle_json_of_a_newer_toolc_is_not_judged(bundle: Path) -> None:
    path = bundle / "bundle.json"
    path.write_bytes(path.read_bytes().replace(b": 1,", b": 2,", 1))
    with pytest.raises(NotABundle, match="newer toolc"):
        verify(bundle)


def test_a_bundle_json_without_end_is_not_read_into_memory(bundle: Path) -> None:
    os.truncate(bundle / "bundle.json", 8 << 30)
    with pytest.raises(NotABundle, match="larger than 64 MiB"):
        verify(bundle)


def test_a_flipped_bit_anywhere_in_bundle_json_is_noticed(bundle: Path) -> None:
    path = bundle / "bundle.json"
    data = path.read_bytes()
    pinned = digest.bundle_digest(bundle)
    for place in range(0, len(data), 37):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert verify(bundle, expect=pinned) != ()


def test_decode_and_encode_are_inverse() -> None:
    files = {"toolset.json": Digest(sha256="0" * 64), "é/ß": Digest(sha256="f" * 64, executable=True)}
    index = Index(toolc="1.2.3", files=files)
    assert decode_index(encode_index(index)) == index
    assert encode_index(index).isascii()
    with pytest.raises(IndexBroken):
        decode_index(encode_index(Index(toolc="1", files={})))


# ---- the lock


def test_a_lock_that_disagrees_with_bundle_json_is_told_for_each_source(bundle: Path) -> None:
    """Somebody edited a source and `bundle.json`, and forgot the lock."""
    (bundle / "tools/team/words.py").write_text("import os\n")
    new = digest.sha256(b"import os\n")
    (bundle / "tools/team/more.py").write_text("")
    empty = digest.sha256(b"")

    def change(files: dict[str, str]) -> None:
        files["tools/team/words.py"] = new
        files["tools/team/more.py"] = empty
        del files["tools/team/lines/run.sh"]

    reindex(bundle, change)
    (bundle / "tools/team/lines/run.sh").unlink()
    diagnostics = verify(bundle)
    assert told(diagnostics) == [
        ("TC808", "tools/team/lines/run.sh"),
        ("TC808", "tools/team/more.py"),
        ("TC808", "tools/team/words.py"),
    ]
    assert diagnostics[0].message.endswith(", executable, in `toolset.json` and not listed in `bundle.json`")
    assert (
        diagnostics[1].message == f"`tools/team/more.py` is not listed in `toolset.json` and {empty} in `bundle.json`"
    )
    assert new in diagnostics[2].message


def test_a_consistent_edit_passes_without_a_pin_and_fails_with_one(bundle: Path) -> None:
    """What `verify` cannot know: why a deployment pins the bundle's digest."""
    pinned, reviewed = digest.bundle_digest(bundle), digest.sha256((bundle / "toolset.json").read_bytes())
    toolset = lock.decode((bundle / "toolset.json").read_bytes())
    old = toolset.files["tools/team/words.py"].sha256
    (bundle / "tools/team/words.py").write_text("import os\n")
    new = hashlib.sha256(b"import os\n").hexdigest()
    data = (bundle / "toolset.json").read_bytes().replace(old.encode(), new.encode())
    (bundle / "toolset.json").write_bytes(data)

    def change(files: dict[str, str]) -> None:
        files["tools/team/words.py"] = f"sha256:{new}"
        files["toolset.json"] = digest.sha256(data)

    reindex(bundle, change)
    assert verify(bundle) == ()
    assert told(verify(bundle, expect=pinned)) == [("TC809", "bundle.json")]
    assert told(verify(bundle, expect_toolset=reviewed)) == [("TC810", "toolset.json")]


@pytest.mark.parametrize("data", [b'{"lock_version": 99}\n', b"nonsense"])
def test_a_lock_that_was_built_so_and_cannot_be_read_ends_verification(bundle: Path, data: bytes) -> None:
    (bundle / "toolset.json").write_bytes(data)
    reindex(bundle, lambda files: files.update({"toolset.json": digest.sha256(data)}))
    with pytest.raises(LockError) as error:
        verify(bundle)
    assert error.value.exit_status == 3


# ---- what is no bundle


def test_the_digests_expected_are_named_beside_the_ones_found(bundle: Path) -> None:
    found = digest.bundle_digest(bundle)
    (diagnostic,) = verify(bundle, expect="sha256:abc")
    assert diagnostic.message == f"the bundle is {found}, and sha256:abc is expected"


@pytest.mark.parametrize("name", ["absent", "file", "empty", "fifo", "folder", "file/below"])
def test_a_path_that_is_no_bundle_is_said_to_be_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "fifo").mkdir()
    os.mkfifo(tmp_path / "fifo/bundle.json")
    (tmp_path / "folder/bundle.json").mkdir(parents=True)
    with pytest.raises(NotABundle) as error:
        verify(tmp_path / name)
    assert error.value.exit_status == 3
    assert error.value.code == "TC801"
    with pytest.raises(NotABundle):
        digest.bundle_digest(tmp_path / name)


def test_a_bundle_without_its_lock_misses_it(bundle: Path) -> None:
    (bundle / "toolset.json").unlink()
    assert told(verify(bundle, expect_toolset="sha256:0")) == [("TC803", "toolset.json")]
