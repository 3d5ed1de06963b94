"""What all forms of a diff have in common: how values, texts and totals are put into words."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Sequence

from toolc.diff.grouping import Group
from toolc.diff.model import ABSENT, Absent, Diff, Finding, Verdict
from toolc.diff.rules.members import TOOL_ADDED, TOOL_REMOVED
from toolc.model import CommandEntry, Json
from toolc.render.style import clip, count
from toolc.text import escape

_SHOWN = 400  # characters of a value; the lock has the rest


def headline(diff: Diff) -> str:
    """`3 breaking, 1 risky, 12 info in 4 tools`."""
    if not diff.findings:
        return "nothing changed"
    numbers = totals(open_findings(diff))
    parts = [f"{numbers[verdict]} {verdict.value}" for verdict in Verdict if numbers[verdict]]
    if diff.acknowledged:
        parts.append(f"{len(acknowledged(diff))} acknowledged")
    tools = {finding.tool for finding in diff.findings if finding.tool is not None}
    return ", ".join(parts) + (f" in {count(len(tools), 'tool')}" if tools else "")


def totals(findings: Sequence[Finding]) -> Counter[Verdict]:
    """How many findings there are of each gravity."""
    return Counter(finding.gravity for finding in findings)


def open_findings(diff: Diff) -> tuple[Finding, ...]:
    """The findings that nobody has acknowledged."""
    return tuple(finding for finding in diff.findings if finding.fingerprint not in diff.acknowledged)


def acknowledged(diff: Diff) -> tuple[Finding, ...]:
    """The findings that somebody has."""
    return tuple(finding for finding in diff.findings if finding.fingerprint in diff.acknowledged)


def verdicts(finding: Finding) -> str:
    """`breaking`, or `safe, security risky` where trust is another matter."""
    if finding.security.rank <= Verdict.RISKY.rank or finding.severity is Verdict.INFO:
        if finding.security is finding.severity:
            return finding.severity.value
        return f"{finding.severity.value}, security {finding.security.value}"
    return finding.severity.value


def shown(value: Json | Absent) -> str:
    """A value on one line, as the lock has it, cut where it is long; nothing invisible in it."""
    if isinstance(value, Absent):
        return "absent"
    return clip(escape(json.dumps(value, ensure_ascii=False)).replace("\n", "\\n"), _SHOWN)


def prose(value: Json | Absent) -> str | None:
    """A text the model reads, which the lock has as a string or as lines; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        return "\n".join(str(line) for line in value)
    return None


def cost(diff: Diff) -> str | None:
    """What the definitions take of the model's prompt, before and after; None where it is the same."""
    if diff.total.old == diff.total.new:
        return None
    now = f"the model reads {diff.total.new:,} characters of definitions, about {diff.total.new_tokens:,} tokens"
    return f"{now}; before {diff.total.old:,}, about {diff.total.old_tokens:,}" if diff.old.lock_is_there else now


def tools_of(group: Group) -> str:
    """Whom a group is about, where that is more than the tool it stands under."""
    names = group.tools if len(group.findings) > 1 else group.first.affects
    return f"{count(len(names), 'tool')}: {', '.join(names)}" if names else ""


def introduced(diff: Diff, finding: Finding) -> tuple[str, ...]:
    """What a reviewer has to read of a tool that is new: its whole text, what it takes, what it may, what it runs."""
    tool = diff.new.toolset.tools.get(finding.tool or "") if finding.rule is TOOL_ADDED else None
    if tool is None:
        return ()
    properties = tool.input_schema.get("properties")
    names = ", ".join(properties) if isinstance(properties, dict) and properties else "none"
    entry = tool.entry
    runs = shlex.join(entry.argv) if isinstance(entry, CommandEntry) else f"{entry.module}.{entry.function}"
    return (
        *tool.description.split("\n"),
        f"parameters: {names}",
        f"permission: {tool.permission.value}",
        f"runs: {runs}",
        f"declared in: {tool.origin.path} of {tool.origin.layer}",
    )


def compared(finding: Finding) -> tuple[Json | Absent, Json | Absent]:
    """The values that are worth showing: digests tell a reader nothing that the message does not."""
    if finding.rule in (TOOL_ADDED, TOOL_REMOVED) or all(_is_digest(value) for value in (finding.old, finding.new)):
        return ABSENT, ABSENT
    return finding.old, finding.new


def _is_digest(value: Json | Absent) -> bool:
    return isinstance(value, Absent) or (isinstance(value, str) and value.startswith("sha256:"))
