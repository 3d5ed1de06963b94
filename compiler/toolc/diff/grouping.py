"""Put together what is one decision: a diff goes in, groups of findings come out, for whoever shows them.

One line of a policy can flip forty tools. Findings of one rule with the same old and new value and the same verdicts
are one group, of as many tools.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from toolc.diff.model import Absent, Diff, Finding
from toolc.model import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Findings that say the same of one or more tools."""

    findings: tuple[Finding, ...]  # in the order of the diff, at least one

    @property
    def first(self) -> Finding:
        """One that speaks for all."""
        return self.findings[0]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools it is about, each once, in the order of the diff; none where it is about the toolset."""
        return tuple(dict.fromkeys(finding.tool for finding in self.findings if finding.tool is not None))


def groups(diff: Diff) -> tuple[Group, ...]:
    """Every finding in exactly one group; a group stands where its first finding stands."""
    together: dict[tuple[str, ...], list[Finding]] = {}
    for finding in diff.findings:
        together.setdefault(_key(finding, diff), []).append(finding)
    return tuple(Group(findings=tuple(findings)) for findings in together.values())


def _key(finding: Finding, diff: Diff) -> tuple[str, ...]:
    if finding.tool is None or (isinstance(finding.old, Absent) and isinstance(finding.new, Absent)):
        return (finding.fingerprint, finding.pointer)  # alone: nothing says that two of these are one change
    return (
        finding.rule.id,
        _inside(finding),
        _spelled(finding.old),
        _spelled(finding.new),
        finding.callers,
        finding.hosts,
        finding.security,
        diff.acknowledged.get(finding.fingerprint, ""),
    )


def _inside(finding: Finding) -> str:
    """Where in its tool the finding is."""
    return finding.pointer.removeprefix(f"/tools/{finding.tool}")


def _spelled(value: Json | Absent) -> str:
    return "" if isinstance(value, Absent) else json.dumps(value, ensure_ascii=False)
