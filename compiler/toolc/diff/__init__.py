"""What changed between two toolsets, and what that does to callers, hosts and trust: two sides go in, a diff comes out.

Nothing here reads the disk, asks git or prints. Every fact of a lock belongs to one of the modules below, which finds
what changed in it; then the findings are judged for this project, acknowledged, and put in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date

from toolc.diff import access, acks, code, cost, execution, judge, lock_format, members, origin, packages, prompt
from toolc.diff.model import Consumer, Diff, Finding, Side, Verdict
from toolc.diff.schemas import compare_inputs, compare_outputs
from toolc.model import Acknowledgement, CommandEntry, Tool, Toolset

__all__ = ["compare"]


def compare(
    old: Side,
    new: Side,
    *,
    consumer: Consumer = Consumer.PINNED,
    severities: Mapping[str, Verdict] | None = None,
    allow_downgrade: bool = False,
    acknowledgements: Sequence[Acknowledgement] = (),
    today: date | None = None,
) -> Diff:
    """Find everything that changed from one side to the other.

    `severities` are the verdicts of this project by the id of a rule, which lower a guarded rule only with
    `allow_downgrade`. An acknowledgement counts up to the day it expires; without a `today` none has expired.
    """
    membership = members.match(old.toolset, new.toolset)
    names = members.names(old.toolset, new.toolset)
    findings = [
        *lock_format.compare(old, new),
        *members.compare(old.toolset, new.toolset, membership),
        *(finding for tool in membership.added for finding in _added_tool(tool, new.toolset, names)),
        *(finding for pair in membership.kept for finding in _tool(*pair, old.toolset, new.toolset, names)),
        *code.compare(old, new, membership),
    ]
    if old.lock_is_there and new.lock_is_there:
        # Of a lock that was not there before, or is gone, the tools are what matters.
        findings += [
            *members.compare_toolset(old.toolset, new.toolset, membership),
            *origin.compare_toolset(old.toolset, new.toolset),
            *packages.compare(old, new),
        ]
    if not findings:
        findings += lock_format.restated(old, new)
    judged = judge.judge(findings, consumer=consumer, severities=severities or {}, allow_downgrade=allow_downgrade)
    acknowledged = acks.apply(acknowledgements, judged, today=today)
    return Diff(
        old=old,
        new=new,
        findings=tuple(sorted(judged, key=_order)),
        acknowledged=acknowledged.reasons,
        stale=acknowledged.stale,
        expired=acknowledged.expired,
        costs=cost.by_tool(old.toolset, new.toolset),
        total=cost.of_all(old.toolset, new.toolset),
    )


def _tool(old: Tool, new: Tool, before: Toolset, after: Toolset, names: Set[str]) -> Iterator[Finding]:
    """What changed in one tool."""
    yield from compare_inputs(
        new.name, old.input_schema, new.input_schema, is_command=isinstance(new.entry, CommandEntry)
    )
    yield from compare_outputs(new.name, old.output_schema, new.output_schema)
    yield from prompt.compare(old, new, others=names)
    yield from access.compare(old, new)
    yield from execution.compare(old, new)
    yield from origin.compare(old, new, before, after)


def _added_tool(tool: Tool, toolset: Toolset, names: Set[str]) -> Iterator[Finding]:
    """What a reviewer has to see of a new tool beside that it is new."""
    yield from prompt.hazards(None, tool, others=names)
    yield from origin.compare_added(tool, toolset)


def _order(finding: Finding) -> tuple[object, ...]:
    """By tool (the toolset first), then gravity, rule and pointer."""
    tool = finding.tool or ""
    return (tool != "", tool, finding.gravity.rank, finding.rule.id, finding.pointer, finding.fingerprint)
