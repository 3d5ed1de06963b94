"""Compare what two shapes say of lists: shapes of one type go in, changes come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolc.diff.model import Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import Change, Site, anything, change, keyword_said, said_at
from toolc.diff.schemas.forms import Position, Shape, keyword_place
from toolc.diff.schemas.limits import Limit, compare_limits, length, limit, said_limit
from toolc_runtime.checks import key

if TYPE_CHECKING:
    from toolc.diff.schemas.walk import Walk


def compare_arrays(walk: Walk, site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    """Their lengths, whether items may repeat, and the items."""
    least, least_now = (limit(shape, ("minItems",), upper=False) for shape in (left, right))
    yield from compare_limits(site, least, least_now, length)
    most, most_now = (limit(shape, ("maxItems",), upper=True) for shape in (left, right))
    yield from compare_limits(site, most, most_now, length, implied=_end(left), is_command=walk.is_command)
    yield from _unique(site, left, right)
    yield from _items(walk, site, left, right)


def item(shape: Shape, index: int) -> Position | None:
    """What an item has to satisfy; None where there can be none."""
    if (end := _end(shape)) is not None and index >= end.value:
        return None
    nodes = [node.prefix[index] if index < len(node.prefix) else node.items for node in shape.sources]
    return tuple(node for node in nodes if node is not None and node.always is not True)


def prefix_length(shape: Shape) -> int:
    """How many items have a schema of their own."""
    return max((len(node.prefix) for node in shape.sources), default=0)


def _end(shape: Shape) -> Limit | None:
    """How long a list can be at most, by `maxItems` or by `items: false` behind `prefixItems`."""
    closed = [
        Limit(
            value=len(node.prefix),
            upper=True,
            keyword="items",
            written=len(node.prefix),
            place=keyword_place(node, "items"),
        )
        for node in shape.sources
        if node.items is not None and node.items.always is False
    ]
    most = limit(shape, ("maxItems",), upper=True)
    return max([*closed, *([most] if most else [])], key=lambda end: end.tightness, default=None)


def _unique(site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    before, after = (
        next((node for node in shape.sources if node.keywords.get("uniqueItems")), None) for shape in (left, right)
    )
    if (before is None) == (after is None):
        return
    repeats = "may no longer repeat" if after else "may repeat now"
    yield change(
        rules.UNIQUE_ITEMS_CHANGED,
        site,
        f"the items of {site.label} {repeats}",
        left=keyword_said(before, "uniqueItems"),
        right=keyword_said(after, "uniqueItems"),
        callers=Verdict.BREAKING if after else Verdict.SAFE,
        refuses=_repeats if after else None,
    )


def _repeats(value: object) -> bool:
    return isinstance(value, list) and len({key(entry) for entry in value}) < len(value)


def _items(walk: Walk, site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    """The items that have a schema of their own, and one that stands for all others."""
    for index in range(max(prefix_length(left), prefix_length(right)) + 1):
        before, after = item(left, index), item(right, index)
        if before is None:
            if after is not None:
                yield from _ended(site, left, right, callers=Verdict.SAFE)
            return
        if after is None:
            yield from _ended(site, left, right, callers=Verdict.BREAKING)
            return
        below = site.below(index, before, after)
        if bool(before) == bool(after):
            yield from walk.compare(below)
        else:
            yield from _described(walk, below)


def _described(walk: Walk, site: Site) -> Iterator[Change]:
    """Items that could be anything and have a schema now, or the other way round."""
    inside = walk.compare(site)
    if all(found.callers is Verdict.INFO for found in inside):
        yield from inside
        return
    narrowed = [found for found in inside if found.narrows]
    yield change(
        rules.ITEMS_CHANGED,
        site,
        f"{site.label} {'has a schema now' if site.right else 'can be anything now'}",
        left=said_at(site.left),
        right=said_at(site.right),
        callers=Verdict.BREAKING if narrowed else Verdict.SAFE,
        refuses=anything if narrowed else None,
        certain=bool(narrowed) and all(found.certain for found in narrowed),
    )


def _ended(site: Site, left: Shape, right: Shape, *, callers: Verdict) -> Iterator[Change]:
    """A list that ends by `items: false` on one side and goes on on the other; `maxItems` is compared as a limit."""
    before, after = _end(left), _end(right)
    ends = after if callers is Verdict.BREAKING else before
    if ends is None or ends.keyword == "maxItems":
        return
    yield change(
        rules.ITEMS_CHANGED,
        site,
        f"{site.label} {'can no longer' if ends is after else 'can'} have more than {ends.value:g} items",
        left=said_limit(before),
        right=said_limit(after),
        callers=callers,
        refuses=(lambda value: isinstance(value, list) and len(value) > ends.value) if ends is after else None,
    )
