"""Merge the lines of a text: three versions go in, one comes out, or nothing where two changes touch."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

# Finding what two texts share takes the square of their length, and may take the cube of one that was made for that.
_MOST_LINES = 1000


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """The lines with the changes of both sides; None where the two changed the same lines, or lines that touch."""
    if max(len(base), len(ours), len(theirs)) > _MOST_LINES:
        return None
    ours_at, theirs_at = _kept(base, ours), _kept(base, theirs)
    merged: list[str] = []
    start = ours_start = theirs_start = 0
    for anchor in [*sorted(ours_at.keys() & theirs_at.keys()), len(base)]:
        ours_end, theirs_end = ours_at.get(anchor, len(ours)), theirs_at.get(anchor, len(theirs))
        chunk = _one_of(base[start:anchor], ours[ours_start:ours_end], theirs[theirs_start:theirs_end])
        if chunk is None:
            return None
        merged += [*chunk, *base[anchor : anchor + 1]]
        start, ours_start, theirs_start = anchor + 1, ours_end + 1, theirs_end + 1
    return merged


def _kept(base: Sequence[str], side: Sequence[str]) -> dict[int, int]:
    """Where the lines of the base that a side kept stand in it."""
    blocks = SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks()
    return {block.a + index: block.b + index for block in blocks for index in range(block.size)}


def _one_of(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Sequence[str] | None:
    if ours in (base, theirs):
        return theirs
    return ours if theirs == base else None
