"""Set acknowledged findings apart: what `toolset.acks.toml` says and the findings go in, who is answered for comes out.

An acknowledgement is of one change, by its fingerprint; there is none of a rule, a tool or a file as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from toolc.diff.model import Finding
from toolc.model import Acknowledgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What became of the acknowledgements."""

    reasons: Mapping[str, str]  # fingerprint of a finding -> why it is acknowledged
    stale: tuple[str, ...]  # sorted fingerprints that no finding has
    expired: tuple[str, ...]  # sorted fingerprints of findings whose acknowledgement has run out


def apply(acks: Iterable[Acknowledgement], findings: Iterable[Finding], *, today: date | None) -> Applied:
    """Match acknowledgements with findings; one counts up to the day it expires, that day included."""
    by_fingerprint = {finding.fingerprint: finding for finding in findings}
    reasons: dict[str, str] = {}
    stale: set[str] = set()
    expired: set[str] = set()
    for ack in acks:
        finding = by_fingerprint.get(ack.fingerprint)
        # The rule and the tool are what a reviewer reads in the file. Where they are not the finding's, what was
        # acknowledged is not what was read.
        if finding is None or (finding.rule.id, finding.tool) != (ack.rule, ack.tool):
            stale.add(ack.fingerprint)
        elif ack.expires is not None and today is not None and ack.expires < today:
            expired.add(ack.fingerprint)
        else:
            reasons[ack.fingerprint] = ack.reason
    return Applied(reasons=reasons, stale=tuple(sorted(stale)), expired=tuple(sorted(expired)))


def block(finding: Finding, *, reason: str, by: str) -> str:
    """The lines of `toolset.acks.toml` that acknowledge a finding."""
    import tomli_w  # here, because only a report that shows the lines needs it

    ack = {
        "fingerprint": finding.fingerprint,
        "rule": finding.rule.id,
        "tool": finding.tool,
        "reason": reason,
        "by": by,
    }
    return "[[ack]]\n" + tomli_w.dumps({key: value for key, value in ack.items() if value is not None})
