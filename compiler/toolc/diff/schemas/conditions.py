"""Compare what is taken as a whole (`not`, `if`, an overlapping `oneOf`): conditions go in, changes come out.

A condition is the same where each schema in it accepts the same on both sides. Some can be seen to ask for less;
whether any other change refuses something is left to a witness.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from toolc.diff.model import Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import NOTHING, Change, Said, Site, anything, change, keyword_said
from toolc.diff.schemas.forms import Condition

if TYPE_CHECKING:
    from toolc.diff.schemas.walk import Walk

# A value satisfies these where it, or a part of it, satisfies the schema in them: the more that accepts, the more.
_GROWING = frozenset({"contains", "dependentSchemas", "propertyNames"})


def compare_conditions(
    walk: Walk, site: Site, left: tuple[Condition, ...], right: tuple[Condition, ...]
) -> Iterator[Change]:
    """The conditions that one side alone has, or has in another way."""
    known, kept = {condition.said for condition in left}, {condition.said for condition in right}
    gone = [condition for condition in left if condition.said not in kept]
    for condition in right:
        if condition.said not in known:
            before = next((other for other in gone if other.subject == condition.subject), None)
            if before is not None:
                gone.remove(before)
                yield from _changed(walk, site, before, condition)
            else:
                yield _change(site, None, condition, callers=Verdict.BREAKING)
    for condition in gone:
        yield _change(site, condition, None, callers=Verdict.SAFE)


def _changed(walk: Walk, site: Site, left: Condition, right: Condition) -> Iterator[Change]:
    more, less = _covers(walk, site, left, right), _covers(walk, site, right, left)
    if more and less:
        return  # the same in other words
    grown = (more and right.keyword in _GROWING and right.grows) or (less and right.keyword == "not")
    yield _change(site, left, right, callers=Verdict.SAFE if grown else Verdict.BREAKING)


def _covers(walk: Walk, site: Site, left: Condition, right: Condition) -> bool:
    """Whether each schema in a condition accepts all that its like in the other does."""
    alike = left.parts and len(left.parts) == len(right.parts) and left.more == right.more
    return bool(alike) and all(
        walk.covers(replace(site, left=(one,), right=(other,), plain=False))
        for one, other in zip(left.parts, right.parts, strict=True)
    )


def _change(site: Site, left: Condition | None, right: Condition | None, *, callers: Verdict) -> Change:
    condition = right or left
    assert condition is not None, "one side has the condition"
    exclusive = condition.keyword == "oneOf"
    what = "changed" if left and right else "was added" if right else "is gone"
    claimed = callers is Verdict.BREAKING
    return change(
        rules.ONE_OF_CHANGED if exclusive else rules.CONDITION_CHANGED,
        site,
        f"{site.label}: the condition `{condition.keyword}` {what}",
        left=_said(left),
        right=_said(right),
        callers=callers,
        refuses=anything if claimed else None,
        certain=False,
        undecided=rules.ONE_OF_CHANGED if exclusive else None,
    )


def _said(condition: Condition | None) -> Said:
    return NOTHING if condition is None else keyword_said(condition.owner, condition.keyword)
