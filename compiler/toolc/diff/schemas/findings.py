"""Turn changes into findings: what is claimed and cannot be shown goes in, what can be said for sure comes out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolc.diff.model import Absent, Finding, Verdict, found, worst
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import Change, Place
from toolc.model import Json, Schema
from toolc_runtime.nodes import Node
from toolc_runtime.problems import SchemaError
from toolc_runtime.reader import Reader

_DOUBT = "whether anything is refused now is not decided"


def read(schema: Schema, *, formats: bool) -> Node:
    """The root of a schema as the runtime reads it; raises `SchemaError`."""
    return Reader(schema, formats=formats).read()


def settled(change: Change, witness: Json | Absent, *, unshown: str) -> Change:
    """A change as it stands once a witness was looked for: without one, what is not certain is only `risky`."""
    claimed = change.callers is Verdict.BREAKING and change.refuses is not None
    if not claimed or not isinstance(witness, Absent):
        return change
    if change.certain and change.site.plain:
        return replace(change, notes=(*change.notes, unshown))
    rule = change.undecided or rules.NOT_ANALYSED
    return replace(
        change,
        rule=rule,
        callers=Verdict.RISKY,
        security=worst(rule.security, change.security),
        notes=(*change.notes, _DOUBT),
    )


def pointer(place: Place) -> str:
    """A JSON pointer."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in place)


def place_of(old: Change, *, new_is_left: bool = False) -> Place:
    """Where a change is: on the new side, unless the old one alone says something."""
    new, before = (old.left, old.right) if new_is_left else (old.right, old.left)
    saying = [side for side in (new, before) if not isinstance(side.value, Absent)]
    return next((side.place for side in (*saying, new, before) if side.place is not None), ())


def unread(tool: str, root: Place, old: Schema, new: Schema, error: SchemaError | None) -> Finding:
    """The one finding about schemas that cannot be compared."""
    why = "it is nested too deeply"
    if error is not None:
        why = f"`{pointer(error.pointer) or '/'}` {error.message}"
    message = f"the schema was not compared: {why}"
    return found(rules.NOT_ANALYSED, pointer(root), message, tool=tool, old=old, new=new)


def distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, however many ways lead to its place; one that is shown by arguments is worth more."""
    best: dict[str, Finding] = {}
    for finding in findings:
        known = best.get(finding.fingerprint)
        if known is None or (isinstance(known.witness, Absent) and not isinstance(finding.witness, Absent)):
            best[finding.fingerprint] = finding
    return tuple(best.values())
