"""Put one folder in the place of another in a single step, and bring what was written to the disk first.

The two calls have no face in the standard library, so they go through the C library; where it, the kernel or the file
system lacks one, the callers are told, or the nearest thing is done.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD = -100  # linux/fcntl.h
_RENAME_EXCHANGE = 2  # linux/fs.h

# What says "not here" rather than "not this": no such call, or a file system that cannot exchange.
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP})


def exchange(one: Path, other: Path) -> bool:
    """Let two folders swap their names at once. False where this system cannot; raises `OSError` where it may not."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    status = libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    if status == 0:
        return True
    error = ctypes.get_errno()
    if error in _UNSUPPORTED:
        return False
    raise OSError(error, os.strerror(error), str(one), None, str(other))


def replace_by_renames(folder: Path, new: Path, old: Path) -> None:
    """Put `new` in the place of `folder`, which becomes `old`: two steps, for systems that cannot exchange.

    A process killed between them leaves `old` to be put back. Where the second step is refused, the first is undone.
    """
    folder.rename(old)
    try:
        new.rename(folder)
    except BaseException:
        old.rename(folder)
        raise


def flush(folder: Path) -> None:
    """Bring everything written to the file system of a folder to the disk; raises `OSError` where the disk refuses.

    One call for the file system costs a fraction of one for each file. Without it a crash of the machine could leave
    a bundle that is in place and empty.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if hasattr(libc, "syncfs"):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                if libc.syncfs(descriptor) == 0:
                    return
                error = ctypes.get_errno()
                if error not in _UNSUPPORTED:
                    raise OSError(error, os.strerror(error), str(folder))
            finally:
                os.close(descriptor)
    if hasattr(os, "sync"):
        os.sync()
