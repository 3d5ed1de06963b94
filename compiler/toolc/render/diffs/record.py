"""A diff as JSON: the shape that `toolc schema diff` describes."""

from __future__ import annotations

from collections.abc import Sequence

from toolc.diff.model import Absent, Diff, Finding, Side, Verdict
from toolc.digest import sha256
from toolc.model import Json
from toolc.render.diffs.places import Places
from toolc.render.diffs.wording import acknowledged, open_findings, totals


def render(diff: Diff) -> dict[str, Json]:
    """Every finding, what each side is, and how many there are of each gravity."""
    places = Places(diff)
    return {
        "old": _side(diff.old),
        "new": _side(diff.new),
        "findings": [_finding(finding, diff, places) for finding in diff.findings],
        "summary": _summary(diff),
        "stale_acks": list(diff.stale),
        "expired_acks": list(diff.expired),
    }


def _side(side: Side) -> Json:
    return {
        "label": side.label,
        "path": side.path,
        "toolset": None if side.lock is None else sha256(side.lock),
    }


def _finding(finding: Finding, diff: Diff, places: Places) -> Json:
    place = places.of(finding)
    return {
        "rule": finding.rule.id,
        "name": finding.rule.name,
        "tool": finding.tool,
        "pointer": finding.pointer,
        "severity": finding.severity.value,
        "security": finding.security.value,
        "callers": finding.callers.value,
        "hosts": finding.hosts.value,
        "message": finding.message,
        "notes": list(finding.notes),
        "old": _value(finding.old),
        "new": _value(finding.new),
        "witness": _value(finding.witness),
        "fingerprint": finding.fingerprint,
        "location": {"path": place.path, "line": place.line or None},
        "affects": list(finding.affects),
        "acknowledged": diff.acknowledged.get(finding.fingerprint),
    }


def _value(value: Json | Absent) -> Json:
    return None if isinstance(value, Absent) else value


def _summary(diff: Diff) -> Json:
    numbers = totals(open_findings(diff))
    return {
        **{verdict.value: numbers[verdict] for verdict in Verdict},
        "acknowledged": len(acknowledged(diff)),
        "tools": _tools(diff.findings),
        "prompt": {
            "old_characters": diff.total.old,
            "new_characters": diff.total.new,
            "old_tokens": diff.total.old_tokens,
            "new_tokens": diff.total.new_tokens,
        },
    }


def _tools(findings: Sequence[Finding]) -> int:
    return len({finding.tool for finding in findings if finding.tool is not None})
