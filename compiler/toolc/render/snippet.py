"""A line of source and a span in it go in; what a terminal shows of them, and where the span then stands, come out."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from toolc.render.style import clean_line

_TAB = 4
_LEAD = 24  # what stays in sight before the span of a clipped line
_CUT = "..."


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A line as shown. `start` and `end` are columns of the screen, from 0, the end exclusive."""

    text: str
    start: int
    end: int
    clipped: bool


def excerpt(line: str, column: int, end_column: int, width: int) -> Excerpt:
    """What to show of a line, given a span of its characters (from 1, the end exclusive) and the room there is.

    An empty span is shown as one column, a span past the end of the line as the column after it.
    """
    # The room bounds the work too: a minified file may be one line of a megabyte.
    first = max(column - 1 - width, 0)
    last = column + 2 * width
    cells = [_cell(character) for character in line[first:last]]
    cells = _expand_tabs(cells, first)
    edges = [0]
    for text, size in cells:
        edges.append(edges[-1] + (size if text else 0))
    begin = min(column - 1 - first, len(cells))
    finish = min(max(end_column - 1 - first, begin), len(cells))
    start, end = edges[begin], max(edges[finish], edges[begin] + 1)
    if first == 0 and last >= len(line) and edges[-1] <= width:
        return Excerpt(text="".join(text for text, _ in cells).rstrip(), start=start, end=end, clipped=False)
    return _clip(cells, edges, begin, start, end, width, more=(first > 0, last < len(line)))


def _clip(
    cells: list[tuple[str, int]],
    edges: list[int],
    begin: int,
    start: int,
    end: int,
    width: int,
    *,
    more: tuple[bool, bool],
) -> Excerpt:
    left = begin
    while left > 0 and start - edges[left - 1] <= _LEAD:
        left -= 1
    before = _CUT if left > 0 or more[0] else ""
    room = width - len(before) - len(_CUT)
    right = left
    while right < len(cells) and edges[right + 1] - edges[left] <= room:
        right += 1
    after = _CUT if right < len(cells) or more[1] else ""
    shift = len(before) - edges[left]
    limit = len(before) + edges[right] - edges[left]
    return Excerpt(
        text=(before + "".join(text for text, _ in cells[left:right]) + after).rstrip(),
        start=start + shift,
        end=max(min(end + shift, limit), start + shift + 1),
        clipped=True,
    )


def _cell(character: str) -> tuple[str, int]:
    """How a character is shown, and how many columns it takes; a tab is left for `_expand_tabs`."""
    if character == "\t" or " " <= character <= "~":
        return character, 1
    shown = clean_line(character)
    if shown != character:
        return shown, len(shown)
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _expand_tabs(cells: list[tuple[str, int]], first: int) -> list[tuple[str, int]]:
    """Tabs as spaces up to the next stop; the stops of a clipped line count from where its part begins."""
    if not any(text == "\t" for text, _ in cells):
        return cells
    column, expanded = first % _TAB, []
    for text, size in cells:
        if text == "\t":
            size = _TAB - column % _TAB
            text = " " * size
        expanded.append((text, size))
        column += size
    return expanded
