"""Find arguments that show a change: a change goes in, a whole value that left accepts and right refuses comes out.

The runtime's own validator is the judge: it is what refuses calls, its nodes can be asked about any part of a schema,
and it is loaded already. A value is never shown without having been judged as a whole by both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from toolc.diff.model import ABSENT, Absent
from toolc.diff.schemas.arrays import item
from toolc.diff.schemas.changes import Change, Place
from toolc.diff.schemas.described import property_at
from toolc.diff.schemas.forms import Position, Shape, TooWide, accepts, form
from toolc.diff.schemas.samples import Sampler
from toolc.model import Json
from toolc_runtime.checks import key

_LEAVES = 12  # values that are tried in place
_WHOLES = 60  # ways to build the rest around one


class Witnesses:
    """Finds witnesses for the changes between two schemas."""

    def __init__(self, left: Position, right: Position) -> None:
        self._left = left
        self._right = right
        self._sampler = Sampler()
        # What an unenforced pattern lets through is not known to satisfy the schema.
        self._trusted = not any(node.lenient for node in left)

    def find(self, change: Change) -> Json | Absent:
        """A witness of one change; ABSENT where none is found."""
        refuses, site = change.refuses, change.site
        if refuses is None or not self._trusted:
            return ABSENT
        leaves = (
            value
            for value in self._sampler.accepted(site.left, site.right)
            if refuses(value) and not accepts(site.right, value)
        )
        for leaf in islice(leaves, _LEAVES):
            for whole in islice(self._around(self._left, site.path, leaf, 0), _WHOLES):
                if accepts(self._left, whole) and not accepts(self._right, whole):
                    return whole
        return ABSENT

    def _around(self, position: Position, path: Place, leaf: Json, depth: int) -> Iterator[Json]:
        """Values of a position that have the leaf at the end of the path."""
        if not path:
            yield leaf
            return
        try:
            shapes = form(position)
        except TooWide:
            return
        step, rest = path[0], path[1:]
        for shape in shapes:
            if isinstance(step, str) and shape.kind == "object":
                below = property_at(shape, step)
                for inner in self._around(below, rest, leaf, depth + 1) if below is not None else ():
                    for base in self._bases(shape, step, depth):
                        yield {**base, step: inner}
            elif isinstance(step, int) and shape.kind == "array":
                below = item(shape, step)
                for inner in self._around(below, rest, leaf, depth + 1) if below is not None else ():
                    for whole in self._lists(position, step):
                        yield [*whole[:step], inner, *whole[step + 1 :]]

    def _bases(self, shape: Shape, step: str, depth: int) -> list[dict[str, Json]]:
        """A few objects that a property can be put into, the plainest first."""
        bases: dict[object, dict[str, Json]] = {}
        for base in islice(self._sampler.objects(shape, [shape], depth), 12):
            rest = {name: value for name, value in base.items() if name != step}
            bases.setdefault(key(rest), rest)
        return list(bases.values())[:6]

    def _lists(self, position: Position, step: int) -> Iterator[list[Json]]:
        """Lists that are long enough, or could be with one more item."""
        lists = [value for value in self._sampler.accepted(position, (), 1) if isinstance(value, list)]
        yield from (value for value in [[], *lists] if len(value) >= step)
