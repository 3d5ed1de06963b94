"""Merge the facts of two locks that came from one: three go in, a tree comes out, with what is left open in it named.

A change of one side is taken. Two changes of one value are left open, unless the project as it stands now says which
of them holds. What one side removed and the other still names is left open too, so that no clean merge names what it
does not have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolc.lock.lines import merge_lines
from toolc.lock.node import pointer
from toolc.lock.shapes import LOCK, WHOLE, Fields, Keywords, Lines, Named, Names, Rows, Shape, keyword_shape
from toolc.lock.tree import ABSENT, UNKNOWN, Absent, Closed, Items, Members, Missing, Open, Pointer, Tree, has, take
from toolc.model import Json

Base: TypeAlias = "Json | Missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A value of which two versions are left. `why` ends the sentence that its place begins."""

    place: Pointer
    why: str

    def __str__(self) -> str:
        return f"`{pointer(self.place)}`: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What came of a merge."""

    tree: Tree
    conflicts: tuple[Conflict, ...] = ()  # in the order of the lock
    settled: tuple[Conflict, ...] = ()  # would be conflicts, but the project says which version holds


def merge_facts(base: Base, ours: Json, theirs: Json, *, now: Json | Absent = ABSENT) -> Merged:
    """Merge the JSON of locks.

    `base` is what both came from: `ABSENT` where there was no lock, `UNKNOWN` where nobody knows. `now` is the lock
    that the files of the project give as they stand, where they give one.
    """
    needed: frozenset[Pointer] = frozenset()
    while True:
        merging = _Merging(now=now, needed=needed)
        # No lock is an empty one: what each side wrote into it was added.
        tree = merging.value(LOCK, {} if base is ABSENT else base, ours, theirs, ())
        assert tree is not ABSENT, "both sides are a lock"
        lost = frozenset(place for place in _named(tree) if not has(tree, place))
        if lost <= needed:
            return Merged(tree=tree, conflicts=tuple(merging.conflicts), settled=tuple(merging.settled))
        needed |= lost


@dataclass(slots=True, kw_only=True)
class _Merging:
    """One walk through three locks."""

    now: Json | Absent
    needed: frozenset[Pointer]  # what must not go unseen, because something names it
    conflicts: list[Conflict] = field(default_factory=list)
    settled: list[Conflict] = field(default_factory=list)

    def value(self, shape: Shape, base: Base, ours: Json | Absent, theirs: Json | Absent, at: Pointer) -> Tree | Absent:
        """Merge one value; `ABSENT` where it is gone."""
        if _same(ours, theirs):
            return _closed(ours)
        if base is not UNKNOWN and (_same(base, ours) or _same(base, theirs)):
            new = theirs if _same(base, ours) else ours
            if not any(place[: len(at)] == at for place in self.needed):
                return _closed(new)
            if ours is ABSENT or theirs is ABSENT:
                return self._open(ours, theirs, at, "one side removed it, and the other still names it")
            return self._inside(shape, base, ours, theirs, at) or _closed(new)
        if ours is ABSENT or theirs is ABSENT:
            changed = "one side removed it, and the other changed it"
            return self._open(ours, theirs, at, "only one side has it" if base is UNKNOWN else changed)
        inside = self._inside(shape, base, ours, theirs, at)
        what = "added" if base is ABSENT else "changed"
        return inside or self._open(ours, theirs, at, f"both sides {what} it, differently")

    def _open(self, ours: Json | Absent, theirs: Json | Absent, at: Pointer, why: str) -> Tree | Absent:
        """Leave a value open, unless the project says which version holds."""
        if self.now is not ABSENT:
            held = _find(self.now, at)
            # A digest follows from a file alone, and neither side has the one of what the two files were merged to.
            follows = at[0] == "files" and held is not ABSENT
            if follows or _same(held, ours) or _same(held, theirs):
                self.settled.append(Conflict(place=at, why=why))
                return _closed(held)
        self.conflicts.append(Conflict(place=at, why=why))
        return Open(ours=ours, theirs=theirs)

    def _inside(self, shape: Shape, base: Base, ours: Json, theirs: Json, at: Pointer) -> Tree | None:
        """Merge the parts of a value that both sides have; None where it is one version or the other."""
        match shape, ours, theirs:
            case Fields(fields, alike), dict(), dict():
                kinds = {str(side[alike]) for side in (base, ours, theirs) if alike and isinstance(side, dict)}
                order = [name for name in fields if name in ours or name in theirs]
                return self._parts(fields, _Parts.of(base, ours, theirs), order, at) if len(kinds) < 2 else None
            case Keywords(), dict(), dict():
                shapes = {keyword: keyword_shape(keyword) for keyword in (*ours, *theirs)}
                return self._parts(shapes, _Parts.of(base, ours, theirs), None, at)
            case Named(each, ordered), dict(), dict():
                shapes = dict.fromkeys((*ours, *theirs), each)
                parts = _Parts.of(base, ours, theirs, added=True)
                return self._parts(shapes, parts, None if ordered else sorted(shapes), at)
            case Rows(each), list(), list():
                return self._rows(each, _Parts.of_rows(base, ours, theirs, _row_name), at, ordered=True)
            case Names(ordered, marked), list(), list():
                rows = _Parts.of_rows(base, ours, theirs, _name_marked if marked else _name)
                return self._rows(WHOLE, rows, at, ordered=ordered)
            case Lines(), list(), list() if isinstance(base, list):
                lines = merge_lines(*([str(line) for line in side] for side in (base, ours, theirs)))
                return None if lines is None else Closed([*lines])
            case _:
                return None

    def _parts(self, shapes: Mapping[str, Shape], parts: _Parts, order: list[str] | None, at: Pointer) -> Tree | None:
        """Merge the members of an object. Without an order it is as written; None where each side chose another."""
        names = merge_order(parts.base_order, [*parts.ours], [*parts.theirs]) if order is None else order
        if names is None:
            return None
        nodes: dict[str, Tree] = {}
        for name in names:
            ours, theirs = parts.ours.get(name, ABSENT), parts.theirs.get(name, ABSENT)
            node = self.value(shapes[name], parts.base_of(name), ours, theirs, (*at, name))
            if node is not ABSENT:
                nodes[name] = node
        return Members(nodes)

    def _rows(self, each: Shape, parts: _Parts | None, at: Pointer, *, ordered: bool) -> Tree | None:
        """Merge the items of a list, each by its name; None where they have none."""
        if parts is None:
            return None
        shapes = dict.fromkeys((*parts.ours, *parts.theirs), each)
        merged = self._parts(shapes, parts, None if ordered else sorted(shapes), at)
        return Items(merged.nodes) if isinstance(merged, Members) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """The parts of three versions of a value by their names. Without a base, each has `without_base` for one."""

    ours: Mapping[str, Json]
    theirs: Mapping[str, Json]
    base: Mapping[str, Json] | None
    without_base: Missing = UNKNOWN

    @classmethod
    def of(cls, base: Base, ours: dict[str, Json], theirs: dict[str, Json], *, added: bool = False) -> _Parts:
        """The members of objects. Of two that were `added`, each may have members of its own."""
        without = ABSENT if added and base is not UNKNOWN else UNKNOWN
        return cls(ours=ours, theirs=theirs, base=base if isinstance(base, dict) else None, without_base=without)

    @classmethod
    def of_rows(
        cls, base: Base, ours: list[Json], theirs: list[Json], name: Callable[[Json], str | None]
    ) -> _Parts | None:
        """The items of lists; None where one has no name, or two have the same."""
        named = [_by_name(side, name) for side in (ours, theirs)]
        before = _by_name(base, name) if isinstance(base, list) else None
        if named[0] is None or named[1] is None or (isinstance(base, list) and before is None):
            return None
        return cls(ours=named[0], theirs=named[1], base=before)

    @property
    def base_order(self) -> list[str]:
        """The names of the base, in its order."""
        return [*(self.base or {})]

    def base_of(self, name: str) -> Base:
        """What the base has for a name."""
        return self.without_base if self.base is None else self.base.get(name, ABSENT)


def _closed(value: Json | Absent) -> Tree | Absent:
    return ABSENT if value is ABSENT else Closed(value)


def merge_order(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """One order for the names of two sequences; None where each moved what both have, differently."""
    shared = {*ours} & {*theirs}
    before, first, second = ([name for name in side if name in shared] for side in (base, ours, theirs))
    if first == second or not _moved(before, second):
        leading, added = ours, theirs
    elif not _moved(before, first):
        leading, added = theirs, ours
    else:
        return None
    order = [*leading]
    for index, name in enumerate(added):
        if name not in shared:
            # In front of what it stood in front of, so that what both added at one place keeps the order of the sides.
            after = next((later for later in added[index + 1 :] if later in shared), None)
            order.insert(len(order) if after is None else order.index(after), name)
    return order


def _moved(before: list[str], after: list[str]) -> bool:
    known = {*before}
    return [name for name in after if name in known] != before


def _by_name(rows: Sequence[Json], name: Callable[[Json], str | None]) -> dict[str, Json] | None:
    named = {key: row for row in rows if (key := name(row)) is not None}
    return named if len(named) == len(rows) else None


def _name(row: Json) -> str | None:
    return row if isinstance(row, str) else None


def _name_marked(row: Json) -> str | None:
    return row.removesuffix("?") if isinstance(row, str) else None


def _row_name(row: Json) -> str | None:
    return _name(row.get("name")) if isinstance(row, dict) else None


def _same(one: Json | Missing, other: Json | Missing) -> bool:
    """Whether two values are spelled alike: the order of keys counts, and 1 is not true."""
    if isinstance(one, Missing) or isinstance(other, Missing):
        return one is other
    return json.dumps(one) == json.dumps(other)


def _find(value: Json, at: Pointer) -> Json | Absent:
    """What stands at a place of a lock."""
    for step in at:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list):
            rows = [row for row in value if step in (_row_name(row), _name_marked(row))]
            if not rows:
                return ABSENT
            value = rows[0]
        else:
            return ABSENT
    return value


# ------------------------------------------------------------------------------------------------------ what is named


def _named(tree: Tree) -> Iterator[Pointer]:
    """What the parts of a lock name in others, whichever side is taken where it is open."""
    for lock in (take(tree, "ours"), take(tree, "theirs")):
        assert isinstance(lock, dict), "a lock is an object"
        for path in _keys(lock.get("files")):
            if path.startswith("tools/"):
                yield ("layers", path.split("/")[1])
        for names in _values(lock.get("subsets")):
            yield from (("tools", name) for name in _texts(names))
        for environment in _values(lock.get("python")):
            yield from (("files", path) for path in _texts([_find(environment, ("requirements",))]))
        for shadows in _values(lock.get("hidden")):
            yield from _layers(_list(shadows))
        for tool in _values(lock.get("tools")):
            yield from (("files", path) for path in _texts(_find(tool, ("sources",))))
            yield from (("python", name) for name in _texts([_find(tool, ("execution", "environment"))]))
            yield from _layers([_find(tool, ("origin",)), *_list(_find(tool, ("origin", "shadows")))])


def _layers(origins: Sequence[Json | Absent]) -> Iterator[Pointer]:
    for origin in origins:
        if origin is not ABSENT:
            yield from (("layers", name) for name in _texts([_find(origin, ("layer",))]))


def _keys(value: Json) -> list[str]:
    return [*value] if isinstance(value, dict) else []


def _values(value: Json) -> list[Json]:
    return [*value.values()] if isinstance(value, dict) else []


def _list(value: Json | Absent) -> list[Json]:
    return value if isinstance(value, list) else []


def _texts(value: Json | Absent | Sequence[Json | Absent]) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
