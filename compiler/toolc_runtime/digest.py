"""Files and their identity: a path goes in, its bytes come out; bytes go in, their sha256 comes out."""

from __future__ import annotations

import errno
import os
import stat
import sys

_LIMIT_BYTES = 64 << 20


def sha256_hex(data: bytes) -> str:
    """The sha256 of some bytes, without the cost of importing `hashlib`."""
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256  # type: ignore[import-not-found]  # typeshed has no stub for it
    except ImportError:
        from hashlib import sha256
    digest: str = sha256(data).hexdigest()
    return digest


def open_regular(path: str) -> int:
    """Open a file for reading without ever waiting for it; raises `OSError`, also for what is not a file."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a file")
    return descriptor


def read_regular(path: str) -> bytes:
    """The bytes of a file; raises `OSError`, also for what is not a file, or is larger than a lock ever is."""
    with open(open_regular(path), "rb") as file:
        data = file.read(_LIMIT_BYTES + 1)
    if len(data) > _LIMIT_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {_LIMIT_BYTES >> 20} MiB")
    return data
