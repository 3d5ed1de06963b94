"""Write the lock: its path and bytes go in, the file stands there whole, or nothing has changed."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from toolc.emit.output import OutputTaken, in_words
from toolc.emit.staging import CREATE_FLAGS, beside, leftovers


def ensure_replaceable(path: Path) -> None:
    """Raise `OutputTaken` for a link: what it leads to is not this project's to replace."""
    if path.is_symlink():
        raise OutputTaken(path, "it is a symbolic link")


def write_lock(path: Path, data: bytes) -> None:
    """Put the bytes in the place of what stands at `path`.

    Raises `OutputNotWritable`, and `OutputTaken` for a link.
    """
    ensure_replaceable(path)
    staging = beside(path, "tmp")
    try:
        with in_words(path):
            for leftover in leftovers(path):
                if leftover.is_dead and leftover.path.is_file():
                    leftover.path.unlink(missing_ok=True)
            descriptor = os.open(staging, CREATE_FLAGS, 0o666)  # a file of the user's: the umask decides
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            staging.replace(path)
    finally:
        with contextlib.suppress(OSError):
            staging.unlink(missing_ok=True)
