"""Compare what two shapes say of objects: shapes of one type go in, changes come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolc.diff.model import Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import Change, Refuses, Said, Site, anything, change, said
from toolc.diff.schemas.described import declared, fresh_name, keyword_of, patterns, required, undeclared
from toolc.diff.schemas.forms import Shape
from toolc.diff.schemas.limits import Limit, compare_limits, length, limit
from toolc.diff.schemas.properties import Properties
from toolc.diff.schemas.texts import example
from toolc_runtime.nodes import Node
from toolc_runtime.patterns import compile_pattern

if TYPE_CHECKING:
    from toolc.diff.schemas.walk import Walk


def compare_objects(walk: Walk, site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    """Their properties, those they do not declare, and how many there can be."""
    yield from _counts(walk, site, left, right)
    yield from Properties(walk, site, left, right).compare()
    yield from _undeclared(walk, site, left, right)
    yield from _by_pattern(walk, site, left, right)
    yield from _together(site, left, right)


def _counts(walk: Walk, site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    least, least_now = (limit(shape, ("minProperties",), upper=False) for shape in (left, right))
    there = Limit(value=len(required(left)), upper=False)
    yield from compare_limits(site, least, least_now, length, implied=there)
    most, most_now = (limit(shape, ("maxProperties",), upper=True) for shape in (left, right))
    known = None
    if undeclared(left) is None and not patterns(left):
        known = Limit(value=len(declared(left)), upper=True)
    yield from compare_limits(site, most, most_now, length, implied=known, is_command=walk.is_command)


# -------------------------------------------------------------------------------------------- undeclared properties


def _undeclared(walk: Walk, site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    before, after = undeclared(left), undeclared(right)
    old, new = (keyword_of(shape, "additionalProperties") for shape in (left, right))
    if before is None and after is not None:
        yield change(rules.OPENED, site, f"{site.label} can have undeclared properties now", left=old, right=new)
    elif before is not None and after is None:
        known = {*declared(right), *declared(left)}
        yield change(
            rules.CLOSED,
            site,
            f"{site.label} can no longer have undeclared properties",
            left=old,
            right=new,
            refuses=lambda value: isinstance(value, dict) and not value.keys() <= known,
        )
    elif before is not None and after is not None:
        below = site.below(fresh_name(left, right), before, after, shown="*")
        if inside := walk.compare(below):
            yield _redescribed(site, below, inside, old, new)


def _redescribed(site: Site, below: Site, inside: list[Change], old: Said, new: Said) -> Change:
    """One change for all that changed in the schema of undeclared properties."""
    narrowed = [found for found in inside if found.narrows]
    callers = Verdict.SAFE if any(found.callers is Verdict.SAFE for found in inside) else Verdict.INFO
    return change(
        rules.ADDITIONAL_CHANGED,
        below,
        f"undeclared properties of {site.label} have another schema",
        left=old,
        right=new,
        callers=Verdict.BREAKING if narrowed else callers,
        security=Verdict.RISKY if callers is Verdict.SAFE else Verdict.INFO,
        refuses=anything if narrowed else None,
        certain=all(found.certain for found in narrowed),
        notes=tuple(found.message for found in inside),
    )


# ------------------------------------------------------------------------------------------- properties by pattern


def _by_pattern(walk: Walk, site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    before, after = patterns(left), patterns(right)
    for pattern in dict.fromkeys((*before, *after)):
        old, new = before.get(pattern), after.get(pattern)
        if old is not None and new is not None:
            yield from walk.compare(site.below(example(pattern), (old,), (new,), plain=False, shown=f"/{pattern}/"))
        elif old is not None:
            yield _pattern_removed(walk, site, right, pattern, old)
        elif new is not None:
            yield _pattern_added(site, left, pattern, new)
    if any(patterns(shape) and _describing(shape) > 1 for shape in (left, right)):
        # A name that one part matches is an undeclared one to another part.
        yield change(
            rules.NOT_ANALYSED,
            site,
            f"{site.label}: `patternProperties` stands beside another description of the same object",
            left=keyword_of(left, "patternProperties"),
            right=keyword_of(right, "patternProperties"),
            callers=Verdict.BREAKING,
            refuses=anything,
            certain=False,
        )


def _describing(shape: Shape) -> int:
    """How many nodes say which properties there are."""
    keywords = ("properties", "patternProperties", "additionalProperties")
    return sum(any(keyword in node.keywords for keyword in keywords) for node in shape.sources)


def _pattern_removed(walk: Walk, site: Site, right: Shape, pattern: str, old: Node) -> Change:
    after = undeclared(right)
    narrowed = old.always is not False  # names that were forbidden have nothing to lose
    if narrowed and after is not None:
        narrowed = not walk.covers(site.below(example(pattern), (old,), after, plain=False))
    return change(
        rules.PATTERN_PROPERTIES_CHANGED,
        site,
        f"{site.label}: names that match `{pattern}` are no longer described",
        left=said(old),
        callers=Verdict.BREAKING if narrowed else Verdict.SAFE,
        refuses=anything if narrowed else None,
        certain=False,
    )


def _pattern_added(site: Site, left: Shape, pattern: str, new: Node) -> Change:
    matches = compile_pattern(pattern).matches
    possible = undeclared(left) is not None or patterns(left) or any(matches(name) for name in declared(left))
    narrowed = bool(possible) and new.always is not True
    return change(
        rules.PATTERN_PROPERTIES_CHANGED,
        site,
        f"{site.label}: names that match `{pattern}` are described now",
        right=said(new),
        callers=Verdict.BREAKING if narrowed else Verdict.SAFE,
        refuses=anything if narrowed else None,
        certain=False,
    )


# ------------------------------------------------------------------------------------- properties that go together


def _together(site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    before, after = _needs(left), _needs(right)
    old, new = (keyword_of(shape, "dependentRequired") for shape in (left, right))
    for name in dict.fromkeys((*before, *after)):
        had, has = before.get(name, set()), after.get(name, set())
        if more := has - had - set(required(left)):
            yield change(
                rules.CONDITION_CHANGED,
                site,
                f"{site.label}: `{name}` is only accepted together with {_names(more)} now",
                left=old,
                right=new,
                refuses=_incomplete(name, more),
                certain=False,
            )
        if less := had - has - set(required(right)):
            yield change(
                rules.CONDITION_CHANGED,
                site,
                f"{site.label}: `{name}` is accepted without {_names(less)} now",
                left=old,
                right=new,
                callers=Verdict.SAFE,
            )


def _needs(shape: Shape) -> dict[str, set[str]]:
    needs: dict[str, set[str]] = {}
    for node in shape.sources:
        for name, others in node.dependent_required.items():
            needs.setdefault(name, set()).update(set(others) - {name})
    return needs


def _names(names: set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _incomplete(name: str, others: set[str]) -> Refuses:
    return lambda value: isinstance(value, dict) and name in value and not others <= value.keys()
