"""A lock of which parts may be open: what a merge makes, before anyone has decided what it could not.

A tree is the JSON of a lock in which an `Open` stands wherever two versions are left. `take` gives one side of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from toolc.model import Json

Pointer: TypeAlias = tuple[str, ...]


class Missing(Enum):
    """What stands where a version has nothing."""

    ABSENT = "absent"
    UNKNOWN = "unknown"  # of a base that nobody kept: it may have had the value, or not


Absent: TypeAlias = Literal[Missing.ABSENT]
ABSENT: Absent = Missing.ABSENT
UNKNOWN: Literal[Missing.UNKNOWN] = Missing.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Two versions of one value; a version may be that there is none."""

    ours: Json | Absent
    theirs: Json | Absent


@dataclass(frozen=True, slots=True)
class Closed:
    """A value in which nothing is open."""

    value: Json


@dataclass(frozen=True, slots=True)
class Members:
    """An object, its members in the order in which they are written."""

    nodes: dict[str, Tree]


@dataclass(frozen=True, slots=True)
class Items:
    """A list whose items have names; the names are not written."""

    nodes: dict[str, Tree]


Tree: TypeAlias = Open | Closed | Members | Items
Side: TypeAlias = Literal["ours", "theirs"]


def take(tree: Tree, side: Side) -> Json | Absent:
    """The tree with everything that is open decided for one side."""
    match tree:
        case Open(ours=ours, theirs=theirs):
            return ours if side == "ours" else theirs
        case Closed(value):
            return value
        case Members(nodes):
            members = {name: take(node, side) for name, node in nodes.items()}
            return {name: value for name, value in members.items() if value is not ABSENT}
        case Items(nodes):
            items = [take(node, side) for node in nodes.values()]
            return [item for item in items if item is not ABSENT]


def has(tree: Tree, pointer: Pointer) -> bool:
    """Whether something stands at a place, be it open."""
    if not pointer:
        return True
    step, *rest = pointer
    match tree:
        case Members(nodes) | Items(nodes):
            return step in nodes and has(nodes[step], tuple(rest))
        case Closed(dict() as value):
            return step in value and has(Closed(value[step]), tuple(rest))
        case Closed(list() as rows):
            return any(isinstance(row, dict) and row.get("name") == step for row in rows)
        case Open(ours=ours, theirs=theirs):
            return any(side is not ABSENT and has(Closed(side), pointer) for side in (ours, theirs))
        case _:
            return False
