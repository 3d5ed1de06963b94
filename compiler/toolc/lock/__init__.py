"""The lock: a `Toolset` as bytes, and back. `write` spells it, `read` trusts nothing."""

from __future__ import annotations

from toolc.lock.errors import ForeignKeys, LockError, LockNotCanonical
from toolc.lock.read import decode, foreign_keys
from toolc.lock.write import LOCK_VERSION, encode

__all__ = [
    "LOCK_VERSION",
    "ForeignKeys",
    "LockError",
    "LockNotCanonical",
    "decode",
    "encode",
    "foreign_keys",
]
