"""Compare lists of values (`enum`, `const`): what each side lists of one type goes in, changes come out.

A list is exact: it holds what its other keywords leave of it. So whether the right side accepts a value of the left is
asked of the right side's schema itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolc.diff.model import Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import Change, Place, Refuses, Said, Site, change
from toolc.diff.schemas.forms import Position, Shape, accepts, kind_of
from toolc.model import Json
from toolc_runtime.checks import key
from toolc_runtime.problems import option


def compare_values(
    site: Site, kind: str, left: list[Shape], right: list[Shape], *, is_command: bool = False
) -> Iterator[Change]:
    """The values of one type that one side lists and the other refuses, and lists that came or went."""
    listed, relisted = _values(left), _values(right)
    removed = [value for value in listed if not accepts(site.right, value)]
    added = [value for value in relisted if not accepts(site.left, value)]
    free = any(shape.values is None for shape in left)
    freed = any(shape.values is None for shape in right)
    places = (_place(left, site.left), _place(right, site.right))
    if removed:
        yield change(
            rules.ENUM_VALUE_REMOVED,
            site,
            f"{site.label} can no longer be {_shown(removed)}",
            left=Said(places[0], removed),
            right=Said(places[1]),
            refuses=_one_of(removed),
        )
    if added:
        yield change(
            rules.ENUM_VALUE_ADDED,
            site,
            f"{site.label} can be {_shown(added)} now",
            left=Said(places[0]),
            right=Said(places[1], added),
            security=Verdict.RISKY if is_command else None,
        )
    if listed and not free and freed:
        yield change(
            rules.ENUM_DROPPED,
            site,
            f"{site.label} is no longer one of a list",
            left=Said(places[0], listed),
            right=Said(places[1]),
        )
    elif free and relisted and not freed:
        known = {key(value) for value in relisted}
        yield change(
            rules.BECAME_ENUM,
            site,
            f"{site.label} has to be one of {_shown(relisted)} now",
            left=Said(places[0]),
            right=Said(places[1], relisted),
            refuses=lambda value: kind_of(value) == kind and key(value) not in known,
        )
    elif not removed and not added and not free and not freed and _keys(listed) != _keys(relisted):
        yield change(
            rules.ENUM_REORDERED,
            site,
            f"the values of {site.label} have another order",
            left=Said(places[0], listed),
            right=Said(places[1], relisted),
        )


def _values(shapes: list[Shape]) -> list[Json]:
    return [value for shape in shapes for value in shape.values or ()]


def _keys(values: list[Json]) -> list[object]:
    return [key(value) for value in values]


def _one_of(values: list[Json]) -> Refuses:
    known = {key(value) for value in values}
    return lambda value: key(value) in known


def _shown(values: list[Json], limit: int = 6) -> str:
    text = ", ".join(f"`{option(value)}`" for value in values[:limit])
    return text if len(values) <= limit else f"{text} and {len(values) - limit} more"


def _place(shapes: list[Shape], position: Position) -> Place | None:
    """Where the values are listed, else the schema that lists none."""
    for shape in shapes:
        for node in shape.sources:
            for keyword in ("enum", "const"):
                if keyword in node.keywords:
                    return (*node.pointer, keyword)
    return position[0].pointer if position else None
