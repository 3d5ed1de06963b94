"""A lock with conflict markers, as git writes them: a tree goes in, text comes out, and the other way the versions.

The markers stand round the lines of what is open and nothing else, and whichever side is taken everywhere, what is left
is spelled as a lock is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from toolc.lock.tree import ABSENT, Absent, Items, Members, Open, Side, Tree, take
from toolc.lock.write import spell
from toolc.model import Json

_START, _BASE, _MIDDLE, _END = "<<<<<<< ", "||||||| ", "=======", ">>>>>>> "
MARKERS = (_START, _BASE, _MIDDLE, _END)
_STEP = "  "


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What the markers call the two sides."""

    ours: str = "ours"
    theirs: str = "theirs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The texts that a text with markers was made from. `base` is None where the markers do not hold it."""

    ours: str
    theirs: str
    base: str | None
    labels: Labels


# A line that both sides have, or the lines that each has in a place.
_Piece: TypeAlias = "str | tuple[list[str], list[str]]"


def spell_open(tree: Tree, labels: Labels) -> str:
    """The text of a lock in which something is open."""
    return "".join(f"{line}\n" for line in _marked(_pieces(tree), labels))


def _marked(pieces: Iterable[_Piece], labels: Labels) -> Iterator[str]:
    """The lines of pieces, with one pair of markers round neighbours that are open."""
    ours: list[str] = []
    theirs: list[str] = []
    for piece in [*pieces, ""]:
        if not isinstance(piece, str):
            ours += piece[0]
            theirs += piece[1]
            continue
        if ours or theirs:
            yield from (f"{_START}{labels.ours}", *ours, _MIDDLE, *theirs, f"{_END}{labels.theirs}")
            ours, theirs = [], []
        if piece:
            yield piece


def _pieces(tree: Tree) -> list[_Piece]:
    """The lines of a value, the first one without what stands before it."""
    if isinstance(tree, Members | Items):
        ours, theirs = take(tree, "ours"), take(tree, "theirs")
        if ours and theirs:
            opening, closing = "{}" if isinstance(tree, Members) else "[]"
            return [opening, *_contents(tree), closing]
        # What is empty on one side is one line there, so the whole of it is open.
        return [(_lines(ours), _lines(theirs))] if ours or theirs else [*_lines(ours)]
    if isinstance(tree, Open):
        return [(_lines(tree.ours), _lines(tree.theirs))]
    return [*_lines(tree.value)]


def _contents(tree: Members | Items) -> Iterator[_Piece]:
    """The lines between the brackets. A comma follows where a side has more, which one may have and the other not."""
    nodes = [*tree.nodes.items()]
    for index, (name, node) in enumerate(nodes):
        key = f"{_scalar(name)}: " if isinstance(tree, Members) else ""
        *before, last = _with_key(key, _pieces(node))
        yield from before
        later = [after for _, after in nodes[index + 1 :]]
        yield _with_comma(last, ours=_any_of(later, "ours"), theirs=_any_of(later, "theirs"))


def _any_of(trees: Iterable[Tree], side: Side) -> bool:
    return any(not isinstance(tree, Open) or take(tree, side) is not ABSENT for tree in trees)


def _with_key(key: str, pieces: list[_Piece]) -> list[_Piece]:
    """The pieces of a member, indented, its key on the first line of each side."""
    first, *rest = pieces

    def keyed(lines: list[str]) -> list[str]:
        return [f"{_STEP}{'' if index else key}{line}" for index, line in enumerate(lines)]

    def indented(lines: list[str]) -> list[str]:
        return [f"{_STEP}{line}" for line in lines]

    head: _Piece = keyed([first])[0] if isinstance(first, str) else (keyed(first[0]), keyed(first[1]))
    tail: list[_Piece] = [
        indented([piece])[0] if isinstance(piece, str) else (indented(piece[0]), indented(piece[1])) for piece in rest
    ]
    return [head, *tail]


def _with_comma(piece: _Piece, *, ours: bool, theirs: bool) -> _Piece:
    if isinstance(piece, str):
        if ours == theirs:
            return f"{piece}{',' if ours else ''}"
        piece = ([piece], [piece])
    return _ended(piece[0], ours), _ended(piece[1], theirs)


def _ended(lines: list[str], comma: bool) -> list[str]:
    return [*lines[:-1], f"{lines[-1]},"] if lines and comma else lines


def _lines(value: Json | Absent) -> list[str]:
    return [] if value is ABSENT else spell(value).removesuffix("\n").split("\n")


def _scalar(text: str) -> str:
    return spell(text).removesuffix("\n")


# ------------------------------------------------------------------------------------------------------------ reading


class BrokenMarkers(Exception):
    """Markers that no merge leaves so; `line` is the first that is out of place."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(line)


def is_marker(line: str) -> bool:
    """Whether a line is a marker; no line of a lock begins like one."""
    return line.startswith(MARKERS)


def split(text: str) -> Versions | None:
    """The versions that a text with markers was made from; None where it has none. Raises `BrokenMarkers`."""
    found: dict[str, list[str]] = {"ours": [], "theirs": [], "base": []}
    part, opened, based, labels = "", 0, True, ["ours", "theirs"]
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")  # a merge on Windows has both
        match next((marker for marker in MARKERS if line.startswith(marker)), None):
            case None:
                for name in (part,) if part else found:
                    found[name].append(line)
            case "<<<<<<< " if not part:
                part, opened, labels[0] = "ours", number, line.removeprefix(_START)
            case "||||||| " if part == "ours":
                part = "base"
            case "=======" if part in ("ours", "base"):
                based, part = based and part == "base", "theirs"
            case ">>>>>>> " if part == "theirs":
                part, labels[1] = "", line.removeprefix(_END)
            case _:
                raise BrokenMarkers(number)
    if part:
        raise BrokenMarkers(opened)
    if not opened:
        return None
    ours, theirs, base = ("\n".join(found[name]) for name in ("ours", "theirs", "base"))
    return Versions(
        ours=ours, theirs=theirs, base=base if based else None, labels=Labels(ours=labels[0], theirs=labels[1])
    )
