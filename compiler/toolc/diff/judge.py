"""Judge findings for one project: what the rules say goes in, what counts here comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from toolc.diff.model import Consumer, Finding, Verdict


def judge(
    findings: Iterable[Finding],
    *,
    consumer: Consumer,
    severities: Mapping[str, Verdict],
    allow_downgrade: bool,
) -> tuple[Finding, ...]:
    """The findings with the verdicts of this project, in the order they came."""
    demoted = (_for_live(finding) if consumer is Consumer.LIVE else finding for finding in findings)
    return tuple(
        _recalibrated(finding, severities[finding.rule.id], allow_downgrade=allow_downgrade)
        if finding.rule.id in severities
        else finding
        for finding in demoted
    )


def _for_live(finding: Finding) -> Finding:
    """A model that reads the new schema makes calls by it: what only narrows a schema breaks no call of its own."""
    if not finding.rule.narrows or finding.callers is not Verdict.BREAKING:
        return finding
    note = "breaking for whoever kept the old schema; this project's models read it anew"
    return replace(finding, callers=Verdict.RISKY, notes=(*finding.notes, note))


def _recalibrated(finding: Finding, wanted: Verdict, *, allow_downgrade: bool) -> Finding:
    """The finding at the verdict of `[diff.severity]`.

    That is its worst: what is worse comes down to it, and where nothing is as bad it is what callers suffer.
    """
    if wanted.rank < finding.gravity.rank:
        return replace(finding, callers=wanted)
    if finding.rule.guarded and not allow_downgrade:
        return finding
    callers, hosts, security = (
        wanted if verdict.rank < wanted.rank else verdict
        for verdict in (finding.callers, finding.hosts, finding.security)
    )
    return replace(finding, callers=callers, hosts=hosts, security=security)
