"""What forges and code scanners are told: diagnostics go in, remarks come out, which `github` and `sarif` spell.

A remark knows nothing of where it came from, so that a finding of a diff is told in the same ways.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolc.diagnostics import Diagnostic, Span

Level = Literal["error", "warning", "note"]

_ROOTED = re.compile(r"[/~\\]|[A-Za-z]:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a remark stands. Lines and columns count characters from 1, the end is exclusive; line 0 is the file."""

    path: str  # relative to the folder that the reader takes for the root
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """What a rule or a code says of itself."""

    id: str
    title: str
    explanation: str  # markdown
    level: Level
    name: str | None = None  # `required-added`


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing to tell, at one place."""

    rule: RuleText
    level: Level
    message: str
    place: Place
    related: tuple[tuple[Place, str], ...] = ()
    fingerprint: str | None = None  # what stays the same from run to run


def of_diagnostics(diagnostics: Iterable[Diagnostic], base: str = "") -> tuple[Remark, ...]:
    """A remark for each; `base` is the way from the reader's root to the folder that their paths start from."""
    return tuple(
        Remark(
            rule=RuleText(
                id=entry.code.id,
                title=entry.code.title,
                explanation=entry.code.explanation,
                level=entry.code.severity.value,
            ),
            level=entry.level.value,
            message=entry.message if entry.hint is None else f"{entry.message}\n{entry.hint}",
            place=_place(entry.span, base),
            related=tuple((_place(label.span, base), label.message) for label in entry.labels),
        )
        for entry in diagnostics
    )


def way_to(folder: Path) -> str:
    """The way from the current folder, which is a forge's root, to another, as a prefix of paths."""
    try:
        way = Path(os.path.relpath(folder)).as_posix()
    except (OSError, ValueError):  # the current folder is gone, or on another drive
        way = folder.as_posix()
    return "" if way == "." else f"{way}/"


def rules(remarks: Sequence[Remark]) -> tuple[RuleText, ...]:
    """The rules that some remarks are of, by id."""
    return tuple(sorted({remark.rule.id: remark.rule for remark in remarks}.values(), key=lambda rule: rule.id))


def _place(span: Span, base: str) -> Place:
    path = span.path if _ROOTED.match(span.path) else f"{base}{span.path}"
    return Place(path=path, line=span.line, column=span.column, end_line=span.end_line, end_column=span.end_column)
