"""Compare limits: the bounds that two shapes set on a number, a length or a count go in, changes come out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from toolc.diff.model import Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import NOTHING, Change, Place, Said, Site, change
from toolc.diff.schemas.forms import Shape, keyword_place

# The number that is limited, of a value that has one.
Measure: TypeAlias = Callable[[object], "float | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A bound: the keyword that sets it, and where."""

    value: float
    exclusive: bool = False
    upper: bool
    keyword: str = ""
    written: float = 0  # as the schema has it: `exclusiveMinimum: 0` may be a limit of 1
    place: Place = ()

    @property
    def tightness(self) -> tuple[float, bool]:
        """Greater for a limit that allows less."""
        return (-self.value if self.upper else self.value, self.exclusive)

    def refuses(self, number: float) -> bool:
        """Whether a number is beyond the limit."""
        if number == self.value:
            return self.exclusive
        return number > self.value if self.upper else number < self.value


def limit(shape: Shape, keywords: tuple[str, ...], *, upper: bool) -> Limit | None:
    """The tightest limit that a shape sets with some keywords; None where it sets none that matters."""
    limits = [
        _limit(shape, node.keywords[keyword], keyword, keyword_place(node, keyword), upper)
        for node in shape.sources
        for keyword in keywords
        if keyword in node.keywords
    ]
    tightest = max(limits, key=lambda found: found.tightness, default=None)
    if tightest is not None and not upper and shape.kind != "number" and tightest.value == 0:
        return None  # nothing is shorter than 0
    return tightest


def _limit(shape: Shape, written: float, keyword: str, place: Place, upper: bool) -> Limit:
    value, exclusive = written, keyword.startswith("exclusive")
    if shape.whole:
        # `exclusiveMinimum: 0` and `minimum: 1` are one limit on whole numbers.
        value = math.floor(written) if upper else math.ceil(written)
        if exclusive and value == written:
            value += -1 if upper else 1
        exclusive = False
    return Limit(value=value, exclusive=exclusive, upper=upper, keyword=keyword, written=written, place=place)


def compare_limits(
    site: Site,
    left: Limit | None,
    right: Limit | None,
    measure: Measure,
    *,
    implied: Limit | None = None,
    is_command: bool = False,
) -> Iterator[Change]:
    """What became of one limit. `implied` is one that the left side sets in another way."""
    if right is not None and (left is None or left.tightness < right.tightness):
        already = implied is not None and implied.tightness >= right.tightness
        yield change(
            rules.RANGE_ADDED if left is None else rules.RANGE_TIGHTENED,
            site,
            f"{site.label}: {_became(left, right)}",
            left=said_limit(left),
            right=said_limit(right),
            callers=Verdict.SAFE if already else None,
            refuses=None if already else _beyond(right, measure),
            notes=("nothing that was accepted before is beyond it",) if already else (),
        )
    elif left is not None and (right is None or right.tightness < left.tightness):
        yield change(
            rules.RANGE_LOOSENED,
            site,
            f"{site.label}: {_became(left, right)}",
            left=said_limit(left),
            right=said_limit(right),
            security=Verdict.RISKY if is_command and left.upper else None,
        )


def _became(left: Limit | None, right: Limit | None) -> str:
    """What became of a limit, in words."""
    now = f"`{right.keyword}` is {right.written} now" if right else ""
    if left is None:
        return now
    if right is None:
        return f"`{left.keyword}` is gone, and was {left.written}"
    return f"{now}, and {'' if left.keyword == right.keyword else f'`{left.keyword}` '}was {left.written}"


def said_limit(bound: Limit | None) -> Said:
    """A limit as the side says it."""
    return NOTHING if bound is None else Said(bound.place, bound.written)


def _beyond(bound: Limit, measure: Measure) -> Callable[[object], bool]:
    def refuses(value: object) -> bool:
        number = measure(value)
        return number is not None and bound.refuses(number)

    return refuses


def length(value: object) -> int | None:
    """How long a text or a list is, or how many properties an object has."""
    return len(value) if isinstance(value, str | list | dict) else None


def number(value: object) -> float | None:
    """A number; a boolean is none."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
