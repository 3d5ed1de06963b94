"""What changed in the lock itself: two sides go in, findings about their bytes and format come out."""

from __future__ import annotations

import json
from collections.abc import Iterator

from toolc.diff.model import ABSENT, Absent, Finding, Side, Verdict, found, pointer
from toolc.diff.rules import lock_format as rules
from toolc.lock import LockError, encode, foreign_keys
from toolc.model import Json


def compare(old: Side, new: Side) -> Iterator[Finding]:
    """What a reader of the lock has to know before its facts."""
    if old.lock_is_there != new.lock_is_there:
        rule, side = (rules.LOCK_ADDED, new) if new.lock_is_there else (rules.LOCK_REMOVED, old)
        what = "there was no lock before" if new.lock_is_there else "there is no lock any more"
        yield found(rule, "", f"{what} (`{side.path}`)")
        return
    yield from _features(set(old.toolset.requires), set(new.toolset.requires))
    yield from _spelling(old, new)


def restated(old: Side, new: Side) -> Iterator[Finding]:
    """What is to be said where nothing else is: that the facts of the locks are written otherwise all the same."""
    if old.lock_is_there and new.lock_is_there and encode(old.toolset) != encode(new.toolset):
        yield found(rules.FORMAT_ONLY, "", "the lock changed, and what it says did not: a schema is written otherwise")


def _features(old: set[str], new: set[str]) -> Iterator[Finding]:
    for name in sorted(new - old):
        message = f"a reader has to know the feature `{name}` now"
        yield found(rules.FEATURES_CHANGED, pointer("requires"), message, new=name)
    for name in sorted(old - new):
        message = f"a reader no longer has to know the feature `{name}`"
        yield found(rules.FEATURES_CHANGED, pointer("requires"), message, old=name, hosts=Verdict.INFO)


def _spelling(old: Side, new: Side) -> Iterator[Finding]:
    """Bytes that say more, or say it otherwise, than the facts that were read from them."""
    if old.lock is None or new.lock is None:
        return
    was, now = encode(old.toolset), encode(new.toolset)
    if old.lock == was and new.lock == now:
        return
    before, after = _version(old.lock), _version(new.lock)
    if before != after:
        message = f"the format version of the lock changed from {_said(before)} to {_said(after)}"
        yield found(rules.LOCK_VERSION_CHANGED, pointer("lock_version"), message, old=before, new=after)
    unknown = _unknown_keys(new.lock)
    if unknown:
        keys = ", ".join(f"`{key}`" for key in unknown)
        message = f"the lock has keys that this toolc does not know: {keys}"
        yield found(rules.UNKNOWN_KEYS, unknown[0], message, new=[*unknown])
    elif new.lock != now:
        yield found(rules.NOT_CANONICAL, "", "the lock is not spelled as toolc spells it")
    if old.lock != new.lock and was == now:
        yield found(rules.FORMAT_ONLY, "", "the bytes of the lock changed, and no fact that this toolc reads")


def _unknown_keys(lock: bytes) -> tuple[str, ...]:
    try:
        return foreign_keys(lock)
    except LockError:  # whoever made this side read it in another way, and its facts are what is compared
        return ()


def _version(lock: bytes) -> Json | Absent:
    """The `lock_version` that the bytes state, whatever else they hold."""
    try:
        value = json.loads(lock)
    except (ValueError, RecursionError):
        return ABSENT
    version: Json | Absent = value.get("lock_version", ABSENT) if isinstance(value, dict) else ABSENT
    return version


def _said(version: Json | Absent) -> str:
    return "none" if isinstance(version, Absent) else f"`{json.dumps(version)}`"
