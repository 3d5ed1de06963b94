"""Review a change: what is to be compared goes in, its findings come out, judged as the project says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from toolc.config import configure_review
from toolc.diagnostics import Diagnostic, Reporter
from toolc.diff import compare
from toolc.diff.model import Consumer, Diff, Verdict
from toolc.sides import sides


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What came of it. Without a diff, the diagnostics say what is wrong with how the project judges."""

    diff: Diff | None
    diagnostics: tuple[Diagnostic, ...]


def review(old: str | None, new: str | None, *, folder: Path, consumer: Consumer, today: date) -> Review:
    """Compare two sides, seen from a folder of the project; raises `ToolcError` where one cannot be read."""
    before, after = sides(old, new, folder=folder)
    reporter = Reporter()
    said = configure_review(folder, reporter)
    if said is None:
        return Review(diff=None, diagnostics=reporter.diagnostics)
    settings, acknowledgements = said
    diff = compare(
        before,
        after,
        consumer=consumer,
        severities={rule: Verdict(verdict) for rule, verdict in settings.severity.items()},
        allow_downgrade=settings.allow_security_downgrade,
        acknowledgements=acknowledgements,
        today=today,
    )
    return Review(diff=diff, diagnostics=reporter.diagnostics)
