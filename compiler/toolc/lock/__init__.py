"""The lock: a `Toolset` as bytes, and back. `write` spells it, `read` trusts nothing, `merge` makes one of two."""

from __future__ import annotations

from toolc.lock.errors import ForeignKeys, LockError, LockNotCanonical
from toolc.lock.merge import Merge, merge
from toolc.lock.read import decode, foreign_keys
from toolc.lock.threeway import Conflict
from toolc.lock.tree import ABSENT, UNKNOWN
from toolc.lock.write import LOCK_VERSION, encode

__all__ = [
    "ABSENT",
    "LOCK_VERSION",
    "UNKNOWN",
    "Conflict",
    "ForeignKeys",
    "LockError",
    "LockNotCanonical",
    "Merge",
    "decode",
    "encode",
    "foreign_keys",
    "merge",
]
