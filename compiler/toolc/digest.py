"""What a bundle holds, as values: a folder or a `bundle.json` goes in, the digests of its files come out.

A bundle has two identities: sha256 of `toolset.json` is the toolset's, sha256 of `bundle.json` is the bundle's own.
Nothing here writes, waits for a FIFO, or follows a link inside a bundle.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toolc import codes
from toolc.errors import ToolcError
from toolc.model import Digest
from toolc.names import path_problem
from toolc.text import shown_path

INDEX = "bundle.json"
LOCK = "toolset.json"
BYTECODE = "__pycache__"
BUNDLE_VERSION = 1

# Windows keeps no executable bit, so there it is neither written nor compared.
HAS_MODES = os.name == "posix"

# What a build writes is far below this; a file that is larger is none, and is not to fill the memory.
WHOLE_LIMIT_BYTES = 64 << 20

_BYTECODE_OF = re.compile(rf"((?:lib|tools)/(?:.+/)?){BYTECODE}/([^/.]+)\.[^/]+\.pyc")
_SPELLED = re.compile(r"sha256:([0-9a-f]{64})( x)?")
_OPEN_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOFOLLOW", "O_BINARY"))


class NotABundle(ToolcError):
    """A path that was given as a bundle, or as a lock, and is none. `why` ends the sentence "it is no bundle: "."""

    code = codes.NOT_A_BUNDLE.id

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        self.why = why
        super().__init__(f"`{shown_path(path)}` is no bundle that can be read: {why}")


class IndexBroken(Exception):
    """A `bundle.json` that no build wrote so. `why` says what is so."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class IndexTooNew(IndexBroken):
    """A `bundle.json` that a newer toolc wrote: it may be sound, and this toolc cannot tell."""

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__(f"a newer toolc wrote it (bundle version {version}); use that one")


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """`bundle.json` as a value."""

    toolc: str  # the version that wrote the bundle
    files: Mapping[str, Digest]  # every other file of the bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """What stands in a folder, as paths within it with `/`."""

    files: Mapping[str, bool]  # regular files, and whether their owner may execute them
    oddities: Mapping[str, str]  # links, devices and what cannot be read: what each is
    empty: tuple[str, ...]  # folders with nothing in them, sorted

    @property
    def paths(self) -> frozenset[str]:
        """Everything that is not a folder."""
        return frozenset(self.files) | frozenset(self.oddities)


def sha256(data: bytes) -> str:
    """The digest of bytes as users see it, `sha256:<hex>`."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def bundle_digest(bundle: Path) -> str:
    """The identity of a bundle; raises `NotABundle`."""
    return sha256(read_whole(bundle, INDEX))


def encode_index(index: Index) -> bytes:
    """The bytes of `bundle.json`; ASCII, so that no file name can hide in it."""
    files = {path: _spell(index.files[path]) for path in sorted(index.files)}
    value = {"bundle_version": BUNDLE_VERSION, "toolc": index.toolc, "files": files}
    return (json.dumps(value, indent=2) + "\n").encode("ascii")


def decode_index(data: bytes) -> Index:
    """Read `bundle.json`. Only bytes that `encode_index` writes are accepted; raises `IndexBroken`."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise IndexBroken("it is not JSON") from None
    match value:
        case {"bundle_version": int(version)} if version > BUNDLE_VERSION:
            raise IndexTooNew(version)
        case {"bundle_version": 1, "toolc": str(toolc), "files": dict(spelled)} if LOCK in spelled:
            pass
        case _:
            raise IndexBroken("it does not have the fields of a bundle")
    for path in spelled:
        if problem := path_problem(path):
            raise IndexBroken(f"`{shown_path(Path(path))}` cannot be a file of a bundle: {problem}")
    files = {path: _parse(text) for path, text in spelled.items()}
    index = Index(toolc=toolc, files=files)
    if encode_index(index) != data:
        # A key twice, an extra field, another spelling: whatever it is, two readers could see two bundles in it.
        raise IndexBroken("it is not spelled the way a build spells it")
    return index


def read_index(bundle: Path) -> tuple[bytes, Index]:
    """`bundle.json` of a bundle, as bytes and as a value; raises `NotABundle` and `IndexBroken`."""
    data = read_whole(bundle, INDEX)
    return data, decode_index(data)


def walk(folder: Path) -> Tree:
    """List what stands below a folder; nothing is opened. Raises `OSError` where the folder itself cannot be read."""
    files: dict[str, bool] = {}
    oddities: dict[str, str] = {}
    empty: list[str] = []
    pending = [""]
    while pending:
        inner = pending.pop()
        try:
            with os.scandir(folder / inner) as entries:
                found = list(entries)
        except OSError as error:
            if not inner:
                raise
            oddities[inner] = f"a folder that cannot be read: {os.strerror(error.errno or 0)}"
            continue
        if inner and not found:
            empty.append(inner)
        for entry in found:
            path = f"{inner}/{entry.name}" if inner else entry.name
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                pending.append(path)
            elif odd := _oddity(mode):
                oddities[path] = odd
            else:
                files[path] = bool(mode & stat.S_IXUSR)
    return Tree(files=files, oddities=oddities, empty=tuple(sorted(empty)))


def bytecode(tree: Tree, files: Mapping[str, Digest]) -> frozenset[str]:
    """The files in a bundle that some Python made of its modules, and would make again: nobody's work."""
    found = ((path, _BYTECODE_OF.fullmatch(path)) for path in tree.files)
    return frozenset(path for path, match in found if match is not None and f"{match[1]}{match[2]}.py" in files)


def file_sha256(folder: Path, path: str) -> str:
    """The sha256, in hex, of a regular file below a folder; raises `OSError`."""
    descriptor = os.open(folder / path, _OPEN_FLAGS)
    try:
        with open(descriptor, "rb", closefd=False) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    finally:
        os.close(descriptor)


def intact(folder: Path, tree: Tree, files: Mapping[str, Digest]) -> bool:
    """Whether exactly these files stand in a folder, each with its content and its executable bit."""
    if tree.oddities or tree.empty or tree.files.keys() != files.keys():
        return False
    if HAS_MODES and any(tree.files[path] != digest.executable for path, digest in files.items()):
        return False
    return all(file_sha256(folder, path) == digest.sha256 for path, digest in files.items())


def read_whole(bundle: Path, name: str) -> bytes:
    """The bytes of a file that makes a folder a bundle; raises `NotABundle`."""
    try:
        return _read_regular(bundle / name)
    except (FileNotFoundError, NotADirectoryError):
        if bundle.is_dir():
            why = f"there is no `{name}` in it"
        else:
            why = "it is not a folder" if os.path.lexists(bundle) else "there is no such folder"
    except OSError as error:
        why = f"its `{name}` cannot be read: {error.strerror}"
    raise NotABundle(bundle, why)


def _read_regular(path: Path) -> bytes:
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(WHOLE_LIMIT_BYTES + 1)
        if len(data) > WHOLE_LIMIT_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than {WHOLE_LIMIT_BYTES >> 20} MiB")
        return data
    finally:
        os.close(descriptor)


def _spell(digest: Digest) -> str:
    return f"sha256:{digest.sha256} x" if digest.executable else f"sha256:{digest.sha256}"


def _parse(text: object) -> Digest:
    match = _SPELLED.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise IndexBroken("one of its digests is not a sha256")
    return Digest(sha256=match[1], executable=match[2] is not None)


def _oddity(mode: int) -> str | None:
    """What something is that a build never writes; None for a plain file."""
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    if stat.S_ISSOCK(mode):
        return "a socket"
    if not stat.S_ISREG(mode):
        return "a device"
    if mode & (stat.S_ISUID | stat.S_ISGID):
        return "a file that runs as its owner, whoever starts it"
    return None
