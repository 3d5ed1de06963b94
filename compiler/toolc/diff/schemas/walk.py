"""Compare two schemas: the positions of their roots go in, the changes between them come out.

Every alternative of the left position has to be accepted by the right one. Alternatives of different types cannot
stand in for each other; those of one type are paired by what they have in common. A pair of positions that is being
compared already is taken to be compatible: if it is not, that is found where it is first compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from toolc.diff.model import Rule, Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.arrays import compare_arrays
from toolc.diff.schemas.changes import NOTHING, Change, Said, Site, anything, change, keyword_said, said_at
from toolc.diff.schemas.conditions import compare_conditions
from toolc.diff.schemas.forms import KINDS, Position, Shape, TooWide, chain, form, kind_of
from toolc.diff.schemas.meaning import follow, same
from toolc.diff.schemas.members import by_member
from toolc.diff.schemas.notes import compare_notes
from toolc.diff.schemas.objects import compare_objects
from toolc.diff.schemas.scalars import compare_numbers, compare_strings
from toolc.diff.schemas.values import compare_values

Kinds: TypeAlias = dict[str, list[Shape]]  # the shapes of each type

_Pair: TypeAlias = tuple[Position, Position]

_STEPS = 5_000  # pairs of positions, those tried for the sake of a pairing among them
_DEPTH = 80


class _Exhausted(Exception):
    """A comparison that has cost all that it may."""


class Walk:
    """One comparison, and what it may cost.

    What is found of a pair holds wherever the pair is met, unless it was found by taking another pair, further up, to
    be compatible: that one may turn out not to be, so such a result is used once and forgotten.
    """

    def __init__(self, *, is_command: bool) -> None:
        self.is_command = is_command
        self._steps = _STEPS
        self._above: dict[_Pair, int] = {}  # the pairs that are being compared, and how deep
        self._reach = 0  # the outermost of those that was taken to be compatible since a pair was begun
        self._known: dict[_Pair, list[Change]] = {}
        self._trying = 0  # more than 0: what is found is only counted, whatever its site

    def compare(self, site: Site) -> list[Change]:
        """The changes at a site and below."""
        pair = (_followed(site.left), _followed(site.right))
        if pair in self._above:
            self._reach = min(self._reach, self._above[pair])
            return []
        known = self._known.get(pair)
        if known is not None and (self._trying or not known):
            return known
        outer, depth = self._reach, len(self._above)
        self._above[pair] = self._reach = depth
        try:
            changes = self._pair(site)
            if self._reach >= depth:
                self._known[pair] = changes
        except _Exhausted:
            if self._trying:
                raise
            changes = [not_analysed(site, "the schemas are too large to be compared in full")]
        finally:
            del self._above[pair]
            self._reach = min(outer, self._reach)
        return changes

    def covers(self, site: Site) -> bool:
        """Whether all that the left side of a site accepts is surely accepted by its right side."""
        with self._trial():
            return not any(found.narrows for found in self.compare(site))

    def _pair(self, site: Site) -> list[Change]:
        if same(site.left, site.right):
            return []
        self._steps -= 1
        if self._steps < 0 or len(self._above) > _DEPTH:
            raise _Exhausted
        try:
            notes = compare_notes(site, chain(site.left), chain(site.right))
            return by_member(site, [*notes, *self._forms(site)])
        except TooWide:
            return [not_analysed(site, "there are too many combinations of alternatives to compare them all")]

    @contextmanager
    def _trial(self) -> Iterator[None]:
        self._trying += 1
        try:
            yield
        finally:
            self._trying -= 1

    # ------------------------------------------------------------------------------------------------------- types

    def _forms(self, site: Site) -> Iterator[Change]:
        left, right = _by_kind(form(site.left)), _by_kind(form(site.right))
        lost = [kind for kind in left if kind not in right]
        gained = [kind for kind in right if kind not in left]
        if lost and gained and len(lost) == len(left) and len(gained) == len(right):
            yield _types(rules.TYPE_CHANGED, site, left, right, lost)
        else:
            yield from _lost(site, left, right, lost)
            yield from _gained(site, left, right, gained, is_command=self.is_command)
        if any(node.lenient for node in site.right) and any(_is_listed(shapes) for shapes in left.values()):
            yield not_analysed(site, "a regular expression that the runtime does not enforce may refuse listed values")
        for kind, shapes in left.items():
            if kind in right:
                yield from compare_values(site, kind, shapes, right[kind], is_command=self.is_command)
                free = [shape for shape in shapes if shape.values is None]
                freed = [shape for shape in right[kind] if shape.values is None]
                alone = len(shapes) == len(right[kind]) == 1
                if free and freed:
                    yield from self._alternatives(site, free, freed, alone=alone)

    # ------------------------------------------------------------------------------------------------ alternatives

    def _alternatives(self, site: Site, left: list[Shape], right: list[Shape], *, alone: bool) -> Iterator[Change]:
        """Alternatives of one type: each of the left is paired with the one it has most in common with."""
        if len(left) == len(right) == 1:
            yield from self._shapes(site if alone else site.loose(), left[0], right[0])
            return
        with self._trial():
            scores = [[_difference(self._shapes(site.loose(), one, other)) for other in right] for one in left]
        matched: dict[int, int] = {}
        for strict in (True, False):  # those that are covered choose first
            for i, j in sorted(_pairs(len(left), len(right)), key=lambda pair: (scores[pair[0]][pair[1]], pair)):
                if i not in matched and j not in matched.values() and (not strict or not scores[i][j][0]):
                    matched[i] = j
        for i, shape in enumerate(left):
            cover = min(range(len(right)), key=lambda j, row=scores[i]: row[j])  # type: ignore[misc]
            covered = not scores[i][cover][0]
            if i in matched and not (covered and scores[i][matched[i]][0]):
                yield from self._shapes(site.loose(), shape, right[matched[i]])
            elif matched and _is_told_as_one_of(shape, right):
                continue
            elif covered:
                # Another alternative accepts all that this one did; nothing is lost with it.
                if not self._is_idle(site, shape, left):
                    yield _branch(site, shape, None, callers=Verdict.SAFE)
            else:
                yield _branch(site, shape, None)
        for j, shape in enumerate(right):
            told = j in matched.values() or (matched and _is_told_as_one_of(shape, left))
            if not told and not self._is_idle(site, shape, right):
                yield _branch(site, None, shape, callers=Verdict.SAFE, security=Verdict.RISKY)

    def _is_idle(self, site: Site, shape: Shape, shapes: list[Shape]) -> bool:
        """Whether an alternative accepts nothing that another one beside it does not."""
        others = [other for other in shapes if other is not shape]
        with self._trial():
            return any(not _difference(self._shapes(site.loose(), shape, other))[0] for other in others)

    def _shapes(self, site: Site, left: Shape, right: Shape) -> Iterator[Change]:
        """Two shapes of one type, neither of them a list of values."""
        if left.conditions:
            site = site.loose()
        # What the position itself annotates is compared already.
        outer = {*chain(site.left), *chain(site.right)}
        yield from compare_notes(site, *([n for n in shape.sources if n not in outer] for shape in (left, right)))
        match left.kind:
            case "string":
                yield from compare_strings(site, left, right, is_command=self.is_command)
            case "number":
                yield from compare_numbers(site, left, right, is_command=self.is_command)
            case "array":
                yield from compare_arrays(self, site, left, right)
            case "object":
                yield from compare_objects(self, site, left, right)
        yield from compare_conditions(self, site, left.conditions, right.conditions)


def _followed(position: Position) -> Position:
    """A position with references that say nothing more replaced by what they lead to."""
    return tuple(follow(node) for node in position)


def not_analysed(site: Site, message: str) -> Change:
    """A site that is too much to be compared."""
    return change(
        rules.NOT_ANALYSED,
        site,
        f"{site.label}: {message}",
        left=said_at(site.left),
        right=said_at(site.right),
        callers=Verdict.BREAKING,
        refuses=anything,
        certain=False,
    )


def _is_told_as_one_of(shape: Shape, others: list[Shape]) -> bool:
    """Whether a shape is a branch of a `oneOf` that has another number of branches on the other side.

    That is compared as a whole where any two branches are paired, and is never taken to be compatible.
    """
    own = [len(condition.parts) for condition in shape.conditions if condition.keyword == "oneOf"]
    their = [len(condition.parts) for other in others for condition in other.conditions if condition.keyword == "oneOf"]
    return shape.exclusive and len(own) == 1 and bool(their) and own[0] not in their


def _by_kind(shapes: tuple[Shape, ...]) -> Kinds:
    return {
        kind: of_kind for kind in KINDS if (of_kind := [shape for shape in shapes if shape.kind == kind])
    }  # in one order on both sides, whatever order they were written in


def _pairs(left: int, right: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(left) for j in range(right)]


def _difference(changes: Iterator[Change]) -> tuple[int, int]:
    """How much two shapes differ: first what is narrowed, then everything."""
    narrows = [found.narrows for found in changes]
    return sum(narrows), len(narrows)


# ------------------------------------------------------------------------------------------------------------- types


def _lost(site: Site, left: Kinds, right: Kinds, lost: list[str]) -> Iterator[Change]:
    listed = [kind for kind in lost if _is_listed(left[kind]) and any(map(_is_listed, right.values()))]
    for kind in listed:
        yield from compare_values(site, kind, left[kind], [])
    if rest := [kind for kind in lost if kind not in listed]:
        exclusive = any(shape.exclusive for kind in rest for shape in left[kind])
        yield _types(rules.ONE_OF_CHANGED if exclusive else rules.TYPE_NARROWED, site, left, right, rest)


def _gained(site: Site, left: Kinds, right: Kinds, gained: list[str], *, is_command: bool) -> Iterator[Change]:
    listed = [kind for kind in gained if _is_listed(right[kind]) and any(map(_is_listed, left.values()))]
    for kind in listed:
        yield from compare_values(site, kind, [], right[kind], is_command=is_command)
    if rest := [kind for kind in gained if kind not in listed]:
        exclusive = any(shape.exclusive for kind in rest for shape in right[kind])
        yield _types(rules.ONE_OF_CHANGED if exclusive else rules.TYPE_WIDENED, site, left, right, rest, gained=True)


def _is_listed(shapes: list[Shape]) -> bool:
    return all(shape.values is not None for shape in shapes)


def _types(
    rule: Rule,
    site: Site,
    left: Kinds,
    right: Kinds,
    kinds: list[str],
    *,
    gained: bool = False,
) -> Change:
    """Types that are accepted on one side alone."""
    names = ", ".join(f"`{_named(kind, (right if gained else left)[kind])}`" for kind in kinds)
    if rule is rules.TYPE_CHANGED:
        new = ", ".join(f"`{_named(kind, shapes)}`" for kind, shapes in right.items())
        message = f"{site.label} was {names}, and is {new} now"
    elif gained:
        message = f"{site.label} can be {'anything' if len(right) == len(KINDS) else names} now"
    else:
        message = f"{site.label} can no longer be {names}"
    widened = rule is rules.TYPE_WIDENED and ("string" in kinds or len(right) == len(KINDS))
    return change(
        rule,
        site,
        message,
        left=_typed(site.left),
        right=_typed(site.right),
        callers=Verdict.SAFE if gained else Verdict.BREAKING,
        security=Verdict.RISKY if widened else None,
        refuses=None if gained else lambda value: kind_of(value) in kinds,
    )


def _named(kind: str, shapes: list[Shape]) -> str:
    return "integer" if kind == "number" and all(shape.whole for shape in shapes) else kind


def _typed(position: Position) -> Said:
    """The types that a position is written with, else all of it."""
    for node in chain(position):
        if "type" in node.keywords:
            return keyword_said(node, "type")
    return said_at(position)


# ------------------------------------------------------------------------------------------------------ alternatives


def _branch(
    site: Site,
    left: Shape | None,
    right: Shape | None,
    *,
    callers: Verdict = Verdict.BREAKING,
    security: Verdict | None = None,
) -> Change:
    """An alternative that one side alone has."""
    shape = left or right
    assert shape is not None, "one side has the alternative"
    rule = rules.ONE_OF_CHANGED if shape.exclusive else rules.BRANCH_CHANGED
    written = said_at(shape.sources[-1:])
    what = "is gone" if left else "was added"
    return change(
        rule,
        site,
        f"{site.label}: an alternative of type `{_named(shape.kind, [shape])}` {what}",
        left=written if left else NOTHING,
        right=written if right else NOTHING,
        callers=callers,
        security=security,
        refuses=None if callers is Verdict.SAFE else lambda value: kind_of(value) == shape.kind,
        certain=False,
    )
