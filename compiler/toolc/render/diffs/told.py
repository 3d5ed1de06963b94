"""The findings of a diff as remarks, which forges and code scanners are told."""

from __future__ import annotations

from toolc.diff.model import Absent, Diff, Finding, Rule, Verdict
from toolc.render.diffs.places import Places
from toolc.render.diffs.wording import compared, open_findings, shown, verdicts
from toolc.render.remarks import Level, Remark, RuleText

_LEVELS: dict[Verdict, Level] = {
    Verdict.BREAKING: "error",
    Verdict.RISKY: "warning",
    Verdict.SAFE: "note",
    Verdict.INFO: "note",
}


def remarks(diff: Diff) -> tuple[Remark, ...]:
    """A remark for each finding that nobody has acknowledged, in their order."""
    places = Places(diff)
    return tuple(
        Remark(
            rule=_rule(finding.rule),
            level=_LEVELS[finding.gravity],
            message=_message(finding),
            place=places.of(finding),
            fingerprint=finding.fingerprint,
        )
        for finding in open_findings(diff)
    )


def _rule(rule: Rule) -> RuleText:
    gravity = min((rule.callers, rule.hosts, rule.security), key=lambda verdict: verdict.rank)
    return RuleText(id=rule.id, name=rule.name, title=rule.title, explanation=rule.explanation, level=_LEVELS[gravity])


def _message(finding: Finding) -> str:
    subject = "" if finding.tool is None else f"{finding.tool}: "
    lines = [f"{subject}{finding.message} ({verdicts(finding)})"]
    before, after = compared(finding)
    if not isinstance(before, Absent) or not isinstance(after, Absent):
        lines.append(f"{shown(before)} -> {shown(after)}")
    if not isinstance(finding.witness, Absent):
        lines.append(f"accepted before, refused now: {shown(finding.witness)}")
    return "\n".join([*lines, *finding.notes, f"fingerprint {finding.fingerprint}"])
