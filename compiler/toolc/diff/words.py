"""Compare two texts by words: two texts go in, what was kept, removed and added comes out, every character of both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from itertools import takewhile

# A word, a run of white space, or one other character. Only plain white space: what else is blank has to be seen.
_TOKEN = re.compile(r"[ \t\n\r]+|\w+|.", re.DOTALL)
_BLANK = re.compile(r"[ \t\n\r]+")

# Finding the best match takes time that grows with the product of the lengths.
_PRODUCT_LIMIT = 4_000_000


class Change(Enum):
    """What became of some words."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A stretch of text and what became of it. Invisible characters are in it as they are; whoever shows it spells
    them out."""

    change: Change
    text: str


def diff(old: str, new: str) -> tuple[Edit, ...]:
    """The edits that turn one text into the other: those kept or removed are the old text, those kept or added the
    new one. Two neighbours never have the same change."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    inner, inner_now = before[head : len(before) - tail], after[head : len(after) - tail]
    edits = [(Change.KEPT, before[:head]), *_inner(inner, inner_now), (Change.KEPT, before[len(before) - tail :])]
    return _joined(edits)


def is_rewrapped(old: str, new: str) -> bool:
    """Whether two texts have the same words in the same order, between other white space."""
    return _BLANK.sub(" ", old).strip(" ") == _BLANK.sub(" ", new).strip(" ")


def _common(old: list[str], new: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _inner(old: list[str], new: list[str]) -> list[tuple[Change, list[str]]]:
    if len(old) * len(new) > _PRODUCT_LIMIT:
        return [(Change.REMOVED, old), (Change.ADDED, new)]
    edits = []
    for tag, start, end, start_now, end_now in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            edits.append((Change.KEPT, old[start:end]))
        else:
            edits += [(Change.REMOVED, old[start:end]), (Change.ADDED, new[start_now:end_now])]
    return edits


def _joined(edits: list[tuple[Change, list[str]]]) -> tuple[Edit, ...]:
    """The edits as texts, without the empty ones, and neighbours of one kind as one."""
    joined: list[Edit] = []
    for change, tokens in edits:
        if not tokens:
            continue
        text = "".join(tokens)
        if joined and joined[-1].change is change:
            joined[-1] = Edit(change=change, text=joined[-1].text + text)
        else:
            joined.append(Edit(change=change, text=text))
    return tuple(joined)
