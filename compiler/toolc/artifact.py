"""What a build leaves behind: the path of a bundle or of a lock goes in, its toolset and its identities come out."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from toolc import codes, lock
from toolc.digest import INDEX, LOCK, WHOLE_LIMIT_BYTES, IndexBroken, NotABundle, read_index, sha256
from toolc.errors import ToolcError
from toolc.model import Toolset
from toolc.text import shown_path


class LockUnreadable(ToolcError):
    """A lock that the system does not let us read. `why` ends the sentence "it cannot be read: "."""

    code = codes.LOCK_UNREADABLE.id

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        self.why = why
        super().__init__(f"`{shown_path(path)}` cannot be read: {why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Digests:
    """The two identities: of what was reviewed, and of what was shipped (None for a lock alone)."""

    toolset: str  # "sha256:<hex>"
    bundle: str | None = None


def is_bundle(path: Path) -> bool:
    """Whether the path is a folder that looks like one a build wrote, also where it has lost a file since."""
    # Not by `bundle.json`: other programs write files of that name, and the lock stands in projects too.
    return (path / "lib" / "toolc_runtime").is_dir()


def toolset(path: Path) -> Toolset:
    """The toolset of a bundle or of a lock file; raises `ToolcError`."""
    file = _lock_of(path)
    return lock.decode(_read_lock(file), path=shown_path(file))


def digests(path: Path) -> Digests:
    """The identities of a bundle or of a lock file; raises `ToolcError`."""
    # Both are read, not only hashed: the digest of something else would be a number without a meaning.
    bundle = sha256(_read_index(path)) if path.is_dir() else None
    file = _lock_of(path)
    data = _read_lock(file)
    lock.decode(data, path=shown_path(file))
    return Digests(toolset=sha256(data), bundle=bundle)


def read_lock(path: Path) -> bytes | None:
    """The bytes of a lock file, None where there is none; raises `LockUnreadable`."""
    try:
        return _read_lock(path)
    except FileNotFoundError:
        return None


def _lock_of(path: Path) -> Path:
    if path.is_dir():
        if not os.path.lexists(path / LOCK):
            raise NotABundle(path, f"there is no `{LOCK}` in it")
        return path / LOCK
    if not path.exists():
        raise NotABundle(path, "there is no such file or folder")
    return path


def _read_index(bundle: Path) -> bytes:
    try:
        data, _ = read_index(bundle)
    except IndexBroken as error:
        raise NotABundle(bundle, f"its `{INDEX}` is not what a build writes: {error.why}") from None
    return data


def _read_lock(path: Path) -> bytes:
    # Without O_NONBLOCK a FIFO in the lock's place would keep the command waiting for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise LockUnreadable(path, "it is not a file")
            data = stream.read(WHOLE_LIMIT_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LockUnreadable(path, os.strerror(error.errno or 0)) from None
    if len(data) > WHOLE_LIMIT_BYTES:
        raise LockUnreadable(path, f"it is larger than {WHOLE_LIMIT_BYTES >> 20} MiB")
    return data
