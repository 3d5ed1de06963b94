"""Merge two locks that came from one: three locks go in as bytes, one comes out.

Where everything could be decided the bytes are a lock, spelled as every lock is. Else the lines of what is left open
stand between conflict markers, and only they.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolc.lock.errors import LockError
from toolc.lock.markers import Labels, spell_open
from toolc.lock.read import decode, decode_pieces
from toolc.lock.threeway import Conflict, merge_facts
from toolc.lock.tree import ABSENT, UNKNOWN, Missing, take
from toolc.lock.write import encode, facts, spell
from toolc.model import Json, Toolset


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """What came of merging two locks."""

    data: bytes
    conflicts: tuple[Conflict, ...]  # what is open in it
    settled: tuple[Conflict, ...]  # what the project decided

    @property
    def clean(self) -> bool:
        """Whether the bytes are a lock."""
        return not self.conflicts


def merge(
    base: bytes | Missing,
    ours: bytes,
    theirs: bytes,
    *,
    path: str = "toolset.json",
    labels: Labels | None = None,
    now: Toolset | None = None,
    in_pieces: bool = False,
) -> Merge:
    """Merge two locks; raises `LockError` where one of them cannot be read, or not be written without loss.

    `base` is what both came from: `ABSENT` where there was no lock, `UNKNOWN` where nobody knows, which is also taken
    of one that cannot be read. `now` is the toolset that the files of the project give as they stand. `in_pieces` says
    that the three are what a merge by lines left of locks, so that they need not be whole.
    """
    labels = labels or Labels()
    merged = merge_facts(
        _base(base, in_pieces),
        _facts(ours, f"{path} ({labels.ours})", in_pieces),
        _facts(theirs, f"{path} ({labels.theirs})", in_pieces),
        # As its lock has it: a compiled toolset may have 60.0 for what is spelled 60.
        now=ABSENT if now is None else facts(decode(encode(now))),
    )
    if merged.conflicts:
        return Merge(
            data=spell_open(merged.tree, labels).encode("utf-8"), conflicts=merged.conflicts, settled=merged.settled
        )
    value = take(merged.tree, "ours")
    assert value is not ABSENT, "both sides are a lock"
    data = spell(value).encode("utf-8")
    decode(data, path=f"the merge of {path}")
    return Merge(data=data, conflicts=(), settled=merged.settled)


def _base(data: bytes | Missing, in_pieces: bool) -> Json | Missing:
    if isinstance(data, Missing):
        return data
    try:
        return _facts(data, "base", in_pieces)
    except LockError:
        return UNKNOWN


def _facts(data: bytes, path: str, in_pieces: bool) -> dict[str, Json]:
    # Read loosely first, which refuses the keys that writing the merge would drop.
    toolset = decode_pieces(data, path=path)
    return facts(toolset if in_pieces else decode(data, path=path))
