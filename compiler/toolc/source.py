"""Read the files of a layer: a layer and a path within it go in, content and its hash come out.

Every read is bounded, never waits (a FIFO is refused, not opened), never follows a link out of the layer, and reads
once: the bytes that are hashed are the bytes that are parsed. Line ends of text files are normalised here, so that a
checkout's `autocrlf` never changes a lock (the hash is of what ships).
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from toolc import codes
from toolc.diagnostics import Code
from toolc.model import Layer, SourceFile
from toolc.text import escape

MANIFEST_LIMIT_BYTES = 1 << 20
PYTHON_LIMIT_BYTES = 2 << 20
FILE_LIMIT_BYTES = 64 << 20
HEAD_BYTES = 4096

_TEXT_SUFFIXES = frozenset({".py", ".json", ".toml", ".md", ".sh", ".txt"})
_KEPT_SUFFIXES = frozenset({".py", ".json"})

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)


class Refused(Exception):
    """A file that is not read. `code` is the diagnostic's, `message` what is so, in the user's words."""

    def __init__(self, code: Code, message: str, hint: str | None = None) -> None:
        self.code = code
        self.message = message
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A file's bytes as they ship, and whether its owner may execute it."""

    data: bytes
    executable: bool


class Kind(Enum):
    """What a name in a folder stands for."""

    FILE = "a file"
    FOLDER = "a folder"
    LINK = "a symbolic link"
    FIFO = "a FIFO"
    SOCKET = "a socket"
    DEVICE = "a device"


class Entry(NamedTuple):
    """A name in a folder of a layer."""

    name: str
    kind: Kind


# ----------------------------------------------------------------------------------------------------------- reading


def read_file(layer: Layer, path: str) -> SourceFile:
    """Read a file of a layer by its path within it, for hashing and, where it is `.py` or `.json`, its text.

    Raises `Refused`; a missing file is `FileNotFoundError`.
    """
    content = read_content(layer, path)
    text = None
    if PurePosixPath(path).suffix in _KEPT_SUFFIXES:
        try:
            text = content.data.decode("utf-8")
        except UnicodeDecodeError as error:
            # A helper file in another encoding is shipped as it is; only what is compiled must be text.
            if path.endswith(".py") or PurePosixPath(path).name == "tool.json":
                line = content.data.count(b"\n", 0, error.start) + 1
                raise Refused(
                    codes.NOT_UTF8, f"line {line} has a byte that is not UTF-8", "save the file as UTF-8"
                ) from None
    return SourceFile(
        layer=layer,
        path=path,
        sha256=hashlib.sha256(content.data).hexdigest(),
        executable=content.executable,
        text=text,
    )


def read_content(layer: Layer, path: str) -> Content:
    """Read the bytes of a file of a layer as they ship.

    Raises `Refused`; a missing file is `FileNotFoundError`.
    """
    descriptor = _open(layer.root, path)
    try:
        status = os.fstat(descriptor)
        kind = _kind(status.st_mode)
        if kind is not Kind.FILE:
            raise Refused(codes.FILE_NOT_REGULAR, f"`{escape(path)}` is {kind.value}, not a file")
        data = _read(descriptor, path, status.st_size)
    finally:
        os.close(descriptor)
    if PurePosixPath(path).suffix in _TEXT_SUFFIXES and b"\r\n" in data:
        data = data.replace(b"\r\n", b"\n")
    return Content(data=data, executable=bool(status.st_mode & stat.S_IXUSR))


def read_head(layer: Layer, path: str) -> bytes:
    """How a file of a layer begins, as it stands on the disk: what is looked at, not shipped.

    Raises `Refused`; a missing file is `FileNotFoundError`.
    """
    descriptor = _open(layer.root, path)
    try:
        kind = _kind(os.fstat(descriptor).st_mode)
        if kind is not Kind.FILE:
            raise Refused(codes.FILE_NOT_REGULAR, f"`{escape(path)}` is {kind.value}, not a file")
        return os.read(descriptor, HEAD_BYTES)
    finally:
        os.close(descriptor)


def list_folder(layer: Layer, folder: str = "") -> tuple[Entry, ...]:
    """What stands in a folder of a layer (by default the layer itself), by name; links are named, not followed.

    Raises `Refused`.
    """
    shown = escape(folder) or "."
    try:
        with _opened_folder(layer.root, folder) as opened, os.scandir(opened) as entries:
            return tuple(sorted(Entry(entry.name, _entry_kind(entry)) for entry in entries))
    except OSError as error:
        raise _unreadable(shown, error) from None


def link_target(root: Path, path: str) -> str:
    """Where a link inside the layer at `root` leads, as a path within the layer.

    Raises `Refused` where that is outside the layer, nowhere, or a folder.
    """
    shown = escape(path)
    try:
        base, real = root.resolve(), (root / path).resolve(strict=True)
        is_folder = real.is_dir()
    except (FileNotFoundError, NotADirectoryError):
        raise Refused(codes.LINK_LOOP, f"`{shown}` is a link to something that is not there") from None
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop, before Python 3.13
        if isinstance(error, OSError) and error.errno != errno.ELOOP:
            raise _unreadable(shown, error) from None
        raise Refused(codes.LINK_LOOP, f"`{shown}` is a link that leads back to itself") from None
    if not real.is_relative_to(base):
        raise Refused(
            codes.LINK_LEAVES_LAYER,
            f"`{shown}` is a link that leaves its layer",
            "copy into the layer, in place of the link, what it leads to",
        )
    if is_folder:
        raise Refused(
            codes.LINK_TO_FOLDER, f"`{shown}` is a link to a folder", "copy the folder to where the link stands"
        )
    return real.relative_to(base).as_posix()


# ----------------------------------------------------------------------------------------------------------- opening


def _open(root: Path, path: str) -> int:
    """Open a file below `root`; of a link, the regular file inside the layer that it leads to."""
    try:
        return _open_plain(root, path)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise _refusal(path, error) from None
    _refuse_linked_folders(root, path)
    if not (root / path).is_symlink():  # a file stands where a folder would have to
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    target = link_target(root, path)
    try:
        return _open_plain(root, target)
    except OSError as error:
        raise _refusal(path, error) from None


def _open_plain(root: Path, path: str) -> int:
    """Open component by component and follow no link, so that no folder on the way can be swapped for one."""
    if os.open not in os.supports_dir_fd:  # Windows, where opening would follow a link
        if (root / path).is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return os.open(root / path, _READ | getattr(os, "O_BINARY", 0))
    folder, _, name = path.rpartition("/")
    with _opened_folder(root, folder) as opened:
        assert isinstance(opened, int), "a system that opens by descriptor was asked for one"
        return os.open(name, _READ, dir_fd=opened)


@contextmanager
def _opened_folder(root: Path, folder: str) -> Iterator[int | Path]:
    if os.open not in os.supports_dir_fd:
        yield root / folder
        return
    # The layer itself may be a link: the config names it, and its scope says where it leads.
    opened = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folder.split("/") if folder else ():
            inner = os.open(part, _READ | os.O_DIRECTORY, dir_fd=opened)
            os.close(opened)
            opened = inner
        yield opened
    finally:
        os.close(opened)


def _refuse_linked_folders(root: Path, path: str) -> None:
    folder = root
    for part in path.split("/")[:-1]:
        folder = folder / part
        if folder.is_symlink():
            shown = escape(folder.relative_to(root).as_posix())
            raise Refused(
                codes.LINK_TO_FOLDER, f"`{shown}` is a link to a folder", "copy the folder to where the link stands"
            )


def _read(descriptor: int, path: str, size_bytes: int) -> bytes:
    limit = _limit_bytes(path)
    data = bytearray()
    # The size is asked first, so that a huge sparse file costs nothing, and counted again: the file may be growing.
    while size_bytes <= limit and (chunk := os.read(descriptor, 1 << 20)):
        data += chunk
        size_bytes = max(size_bytes, len(data))
    if size_bytes > limit:
        raise Refused(codes.FILE_TOO_LARGE, f"`{escape(path)}` is larger than {limit >> 20} MiB")
    return bytes(data)


def _limit_bytes(path: str) -> int:
    name = PurePosixPath(path)
    if name.name == "tool.json":
        return MANIFEST_LIMIT_BYTES
    return PYTHON_LIMIT_BYTES if name.suffix == ".py" else FILE_LIMIT_BYTES


def _refusal(path: str, error: OSError) -> Exception:
    """What an error of the system is to the caller."""
    if isinstance(error, FileNotFoundError):
        return error
    if error.errno in (errno.ENXIO, errno.EOPNOTSUPP):
        return Refused(codes.FILE_NOT_REGULAR, f"`{escape(path)}` is a socket or a device, not a file")
    return _unreadable(escape(path), error)


def _unreadable(shown: str, error: OSError) -> Refused:
    return Refused(codes.FILE_UNREADABLE, f"`{shown}` cannot be read: {os.strerror(error.errno or 0)}")


def _entry_kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return Kind.LINK
    if entry.is_file(follow_symlinks=False):
        return Kind.FILE
    if entry.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return _kind(entry.stat(follow_symlinks=False).st_mode)


def _kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return Kind.FILE
    if stat.S_ISDIR(mode):
        return Kind.FOLDER
    if stat.S_ISFIFO(mode):
        return Kind.FIFO
    return Kind.SOCKET if stat.S_ISSOCK(mode) else Kind.DEVICE
