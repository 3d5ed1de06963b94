"""Compare what two shapes say of numbers, and of texts: shapes of one type go in, changes come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from toolc.diff.model import Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import Change, Place, Refuses, Said, Site, change, keyword_said
from toolc.diff.schemas.forms import Shape, keyword_place
from toolc.diff.schemas.limits import compare_limits, length, limit, number
from toolc.diff.schemas.sensitive import Subject, subjects
from toolc_runtime.checks import is_multiple
from toolc_runtime.formats import FORMATS
from toolc_runtime.nodes import Node

# Patterns that every text has.
_TRIVIAL = frozenset({"", ".*", "^", "$", "^.*", ".*$", r"[\s\S]*", r"^[\s\S]*$", r"^[\s\S]*", r"[\s\S]*$"})
_FORMATTED = ("format", "contentEncoding")


# ----------------------------------------------------------------------------------------------------------- numbers


def compare_numbers(site: Site, left: Shape, right: Shape, *, is_command: bool) -> Iterator[Change]:
    """Whether they have to be whole, their bounds, and what they are multiples of."""
    yield from _wholeness(site, left, right)
    for keywords, upper in ((("minimum", "exclusiveMinimum"), False), (("maximum", "exclusiveMaximum"), True)):
        yield from compare_limits(
            site,
            limit(left, keywords, upper=upper),
            limit(right, keywords, upper=upper),
            number,
            # Between 0.5 and 1 there is nothing that a whole number could lose.
            implied=limit(replace(left, whole=left.whole or right.whole), keywords, upper=upper),
            is_command=is_command,
        )
    yield from _multiples(site, left, right)


def _wholeness(site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    whole = left.whole or any(is_multiple(divisor, 1) for divisor in _divisors(left))
    if right.whole and not whole:
        yield change(
            rules.TYPE_NARROWED,
            site,
            f"{site.label} has to be a whole number now",
            left=Said(_typed(left), "number"),
            right=Said(_typed(right), "integer"),
            refuses=lambda value: isinstance(value, float) and not value.is_integer(),
        )
    elif left.whole and not right.whole and not any(is_multiple(divisor, 1) for divisor in _divisors(right)):
        yield change(
            rules.TYPE_WIDENED,
            site,
            f"{site.label} can be a fraction now",
            left=Said(_typed(left), "integer"),
            right=Said(_typed(right), "number"),
        )


def _typed(shape: Shape) -> Place | None:
    for node in shape.sources:
        if "type" in node.keywords:
            return keyword_place(node, "type")
    return shape.sources[0].pointer if shape.sources else None


def _divisors(shape: Shape) -> dict[float, Node]:
    """What numbers of a shape are multiples of, and the nodes that say so."""
    return {node.keywords["multipleOf"]: node for node in shape.sources if "multipleOf" in node.keywords}


def _multiples(site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    before, after = _divisors(left), _divisors(right)
    old, new = (keyword_said(next(iter(side.values()), None), "multipleOf") for side in (before, after))
    kept = [*before, *([1] if left.whole else [])]
    claimed = [divisor for divisor in after if not any(is_multiple(by, divisor) for by in kept)]
    for divisor in claimed:
        yield change(
            rules.RANGE_TIGHTENED if before else rules.RANGE_ADDED,
            site,
            f"{site.label} has to be a multiple of {divisor:g} now",
            left=old,
            right=keyword_said(after[divisor], "multipleOf"),
            refuses=_no_multiple(divisor),
        )
    implied = [*after, *([1] if right.whole else [])]
    for divisor, node in before.items():
        if not claimed and not any(is_multiple(by, divisor) for by in implied):
            message = f"{site.label} no longer has to be a multiple of {divisor:g}"
            yield change(rules.RANGE_LOOSENED, site, message, left=keyword_said(node, "multipleOf"), right=new)


def _no_multiple(divisor: float) -> Refuses:
    def refuses(value: object) -> bool:
        found = number(value)
        return found is not None and not is_multiple(found, divisor)

    return refuses


# ------------------------------------------------------------------------------------------------------------- texts


def compare_strings(site: Site, left: Shape, right: Shape, *, is_command: bool) -> Iterator[Change]:
    """Their lengths, patterns and formats."""
    for keyword, upper in (("minLength", False), ("maxLength", True)):
        old, new = (limit(shape, (keyword,), upper=upper) for shape in (left, right))
        yield from compare_limits(site, old, new, length, is_command=is_command)
    yield from _patterns(site, left, right)
    yield from _formats(site, left, right)


def _patterns(site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    before, after = _sources(left), _sources(right)
    added = {pattern: node for pattern, node in after.items() if pattern not in before}
    removed = {pattern: node for pattern, node in before.items() if pattern not in after}
    if len(added) == len(removed) == 1:
        (gone,), (node,) = removed.values(), added.values()
        yield change(
            rules.PATTERN_CHANGED,
            site,
            f"{site.label} has to match another pattern",
            left=keyword_said(gone, "pattern"),
            right=keyword_said(node, "pattern"),
            callers=Verdict.BREAKING,
            refuses=_unmatched(node),
            certain=False,
            undecided=rules.PATTERN_CHANGED,
        )
        return
    for node in added.values():
        yield change(
            rules.PATTERN_ADDED,
            site,
            f"{site.label} has to match a pattern now",
            right=keyword_said(node, "pattern"),
            refuses=_unmatched(node),
        )
    for node in removed.values():
        reaches = subjects(site.name) & {Subject.PATH, Subject.COMMAND}
        yield change(
            rules.PATTERN_REMOVED,
            site,
            f"{site.label} no longer has to match a pattern",
            left=keyword_said(node, "pattern"),
            security=Verdict.BREAKING if reaches else None,
        )


def _sources(shape: Shape) -> dict[str, Node]:
    """The patterns of a shape that mean something, and the nodes that have them."""
    patterns = ((node.keywords["pattern"], node) for node in shape.sources if "pattern" in node.keywords)
    return {pattern: node for pattern, node in patterns if pattern not in _TRIVIAL}


def _unmatched(node: Node) -> Refuses:
    return lambda value: isinstance(value, str) and node.pattern is not None and not node.pattern.matches(value)


def _formats(site: Site, left: Shape, right: Shape) -> Iterator[Change]:
    """A format is asserted where its node was compiled with it."""
    before, after = _named(left), _named(right)
    for keyword in _FORMATTED:
        gone = [name for name in before if name[0] == keyword and name not in after]
        for _, name in (fresh for fresh in after if fresh[0] == keyword and fresh not in before):
            node = after[keyword, name]
            old = gone.pop() if gone else None
            asserted = _is_asserted(node, name)
            yield change(
                rules.FORMAT_CHANGED,
                site,
                f"{site.label} is text of the format `{name}` now",
                left=keyword_said(before[old] if old else None, keyword),
                right=keyword_said(node, keyword),
                callers=Verdict.BREAKING if asserted else None,
                refuses=_unformatted(name) if asserted else None,
            )
        for _, name in gone:
            node = before[keyword, name]
            yield change(
                rules.FORMAT_REMOVED,
                site,
                f"{site.label} is no longer text of the format `{name}`",
                left=keyword_said(node, keyword),
                security=Verdict.RISKY if _is_asserted(node, name) else None,
            )


def _named(shape: Shape) -> dict[tuple[str, str], Node]:
    said = ((node, keyword) for node in shape.sources for keyword in _FORMATTED if keyword in node.keywords)
    return {(keyword, node.keywords[keyword]): node for node, keyword in said}


def _is_asserted(node: Node, name: str) -> bool:
    return node.format is not None and name in FORMATS


def _unformatted(name: str) -> Refuses:
    return lambda value: isinstance(value, str) and not FORMATS[name].check(value)
