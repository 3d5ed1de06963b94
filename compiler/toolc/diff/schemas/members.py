"""Tell of a member of `allOf` that came or went as one change: the changes at a site go in, fewer come out.

What a member says is compared together with all that holds beside it, so a member that changed shows as what changed
in it. Only one that is there on one side alone is told of as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolc.diff.model import Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import NOTHING, Change, Place, Said, Site, anything, change, said
from toolc.diff.schemas.forms import Position, chain
from toolc.diff.schemas.meaning import meaning
from toolc_runtime.nodes import Node


def by_member(site: Site, changes: list[Change]) -> list[Change]:
    """The changes, those that come from a member of `allOf` that one side alone has as one."""
    before, after = _members(site.left), _members(site.right)
    gone = [node for text, node in before.items() if text not in after]
    came = [node for text, node in after.items() if text not in before]
    if bool(gone) == bool(came):
        return changes
    for member in (*gone, *came):
        added = bool(came)
        own = [found for found in changes if _is_of(member, found.right if added else found.left)]
        if own:
            rest = [found for found in changes if found not in own]
            changes = [*rest, _member(site, member, own, added=added)]
    return changes


def _members(position: Position) -> dict[str, Node]:
    return {meaning(member, annotated=True): member for node in chain(position) for member in node.all_of}


def _is_of(member: Node, side: Said) -> bool:
    return side.place is not None and any(_starts(side.place, place) for place in _places(member))


def _places(member: Node) -> Iterator[Place]:
    """Where a member is written, references followed."""
    yield from (node.pointer for node in chain((member,)))


def _starts(place: Place, with_: Place) -> bool:
    return place[: len(with_)] == with_


def _member(site: Site, member: Node, own: list[Change], *, added: bool) -> Change:
    narrowed = [found for found in own if found.narrows]
    told = any(found.callers is Verdict.SAFE for found in own)
    widened = told and not narrowed
    return change(
        rules.ALL_OF_CHANGED,
        site,
        f"{site.label}: a member of `allOf` {'was added' if added else 'is gone'}",
        left=NOTHING if added else said(member),
        right=said(member) if added else NOTHING,
        callers=Verdict.BREAKING if narrowed else Verdict.SAFE if told else Verdict.INFO,
        security=Verdict.RISKY if widened else Verdict.INFO,
        refuses=anything if narrowed else None,
        certain=any(found.certain for found in narrowed),
        notes=tuple(found.message for found in own),
    )
