"""Write a bundle whole or not at all: files go in, a folder stands at the output, or nothing has changed.

The files are written into a folder beside the output, brought to the disk, and exchanged with what stands there in
one step. Whatever kills a build, the output is the old bundle or the new one, and the next build clears the rest away.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolc.emit.exchange import exchange, flush, replace_by_renames
from toolc.emit.output import in_words
from toolc.emit.staging import CREATE_FLAGS, beside, leftovers
from toolc.model import Digest
from toolc.text import shown_path

_FOLDER_MODE, _FILE_MODE, _EXECUTABLE_MODE = 0o755, 0o644, 0o755

_PATIENCE_S = 1.0  # how long another build is waited for without a word
_PAUSE_S = 0.02
_SWAP_ATTEMPTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A file of the bundle to be. Its digest is known before its bytes are read, and they are read once."""

    digest: Digest
    read: Callable[[], bytes]


@contextlib.contextmanager
def reserved(out: Path, on_wait: Callable[[str], None]) -> Iterator[None]:
    """Be the only build that writes `out`, and let what a killed build left there be gone.

    The folders above `out` are made, and taken away again where the build fails. The lock is on the folder that holds
    `out`, so it leaves no file behind; where a file system has no such lock, builds go on without one: each writes into
    a folder of its own and the exchange is one step, so the last one wins whole.
    """
    made: list[Path] = []
    descriptor: int | None = None
    try:
        with in_words(out):
            descriptor, alone = _lock(out, made, on_wait)
            _clear_leftovers(out, alone=alone)
        yield
    except BaseException:
        _remove_empty(made)
        raise
    finally:
        if descriptor is not None:
            os.close(descriptor)


def publish(files: Mapping[str, Shipped], out: Path) -> None:
    """Let exactly these files stand at `out`, by their bundle paths. Call it inside `reserved`.

    Raises `OutputNotWritable`, and whatever the reading of a file raises; then `out` is as it was.
    """
    staging = beside(out, "tmp")
    try:
        with in_words(out):
            _make_folder(staging)
        _write(files, staging, out)
        with in_words(out):
            flush(staging)
            _swap(staging, out)
    finally:
        # What stands here now is the old bundle, or what a failure left of the new one. If it does not go, the next
        # build sees to it.
        _remove(staging)


def _write(files: Mapping[str, Shipped], folder: Path, out: Path) -> None:
    made = {""}
    for path in sorted(files):
        shipped = files[path]
        data = shipped.read()
        parts = path.split("/")
        with in_words(out):
            for depth in range(1, len(parts)):
                inner = "/".join(parts[:depth])
                if inner not in made:
                    _make_folder(folder / inner)
                    made.add(inner)
            mode = _EXECUTABLE_MODE if shipped.digest.executable else _FILE_MODE
            descriptor = os.open(folder / path, CREATE_FLAGS, mode)
            with os.fdopen(descriptor, "wb") as file:
                # The umask may have taken bits away; asking is cheaper than setting them every time.
                if os.name == "posix" and stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
                    os.fchmod(descriptor, mode)
                file.write(data)


def _make_folder(folder: Path) -> None:
    folder.mkdir(_FOLDER_MODE)
    if stat.S_IMODE(folder.stat().st_mode) != _FOLDER_MODE:  # the umask, or a group bit of the folder above
        folder.chmod(_FOLDER_MODE)


def _swap(staging: Path, out: Path) -> None:
    """Put `staging` in the place of `out`; what stood there has the name `staging` afterwards, or is gone."""
    for attempt in range(_SWAP_ATTEMPTS):
        try:
            if not os.path.lexists(out):
                staging.rename(out)
            elif not exchange(staging, out):
                old = beside(out, "old")
                replace_by_renames(out, staging, old)
                _remove(old)
            return
        except OSError as error:
            # A build that holds no lock came between the question and the deed; the next attempt sees its work.
            raced = error.errno in (errno.ENOENT, errno.EEXIST, errno.ENOTEMPTY)
            if not raced or attempt == _SWAP_ATTEMPTS - 1:
                raise


def _clear_leftovers(out: Path, *, alone: bool) -> None:
    """Remove what killed builds of `out` left beside it, and put back a bundle that one had moved out of the way."""
    for leftover in leftovers(out):
        if not leftover.path.is_dir() or not (alone or leftover.is_dead):
            continue
        if leftover.kind == "old" and not os.path.lexists(out):
            leftover.path.rename(out)
        else:
            _remove(leftover.path)


def _lock(out: Path, made: list[Path], on_wait: Callable[[str], None]) -> tuple[int | None, bool]:
    """Make the folders above `out` and lock the last one; the descriptor to close, and whether the lock is held."""
    while True:
        _make_parents(out, made)
        try:
            import fcntl
        except ImportError:  # Windows
            return None, False
        try:
            descriptor = os.open(out.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except PermissionError:  # a folder that may be written and not read
            return None, False
        try:
            alone = _wait(fcntl.flock, descriptor, out, on_wait)
            # A build that failed may have taken the folder away while we waited for it.
            if _still_there(descriptor, out.parent):
                return descriptor, alone
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _wait(flock: Callable[[int, int], None], descriptor: int, out: Path, on_wait: Callable[[str], None]) -> bool:
    """Take the lock, with a word to the user once it takes long. False where the file system has no locks."""
    from fcntl import LOCK_EX, LOCK_NB

    patience = time.monotonic() + _PATIENCE_S
    while True:
        try:
            flock(descriptor, LOCK_EX | LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > patience:
                break
            time.sleep(_PAUSE_S)
        except OSError:
            return False
    holders = sorted({leftover.pid for leftover in leftovers(out) if leftover.is_ours})
    whose = f" (process {', '.join(map(str, holders))})" if holders else ""
    on_wait(f"waiting for another build that writes into `{shown_path(out.parent)}`{whose}")
    flock(descriptor, LOCK_EX)
    return True


def _still_there(descriptor: int, folder: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), folder.stat())
    except FileNotFoundError:
        return False


def _make_parents(out: Path, made: list[Path]) -> None:
    missing = []
    folder = out.parent
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
            made.append(folder)


def _remove_empty(folders: list[Path]) -> None:
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _remove(folder: Path) -> None:
    """Remove a folder of ours, also one that was made read-only; what cannot go stays for the next build."""
    if folder.is_symlink():
        return
    shutil.rmtree(folder, ignore_errors=True)
    if folder.is_dir():
        for inner, _, _ in os.walk(folder):
            with contextlib.suppress(OSError):
                Path(inner).chmod(_FOLDER_MODE)
        shutil.rmtree(folder, ignore_errors=True)
