"""What we tell the user: diagnostics are values, collected by a reporter, rendered once at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Severity(StrEnum):
    """How much a diagnostic matters: an error stops the build, a warning does not, a note explains."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A kind of mistake. The first digit of `id` is the phase that finds it."""

    id: str
    severity: Severity
    title: str
    explanation: str  # what is so, why it matters, what to write instead; markdown, shown by `toolc explain`
    skips: bool = False  # the file it is about was left out of the toolset
    told: bool = False  # a note that is shown without being asked for


@dataclass(frozen=True, slots=True)
class Text:
    """A file as the user knows it: the path we show, and its text where it could be read."""

    path: str  # relative to the project root with `/`, or as the layer was written (`~/...`)
    content: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file. Lines and columns count characters from 1; the end is exclusive. Line 0 is the whole file."""

    text: Text
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    @property
    def path(self) -> str:
        """The path we show."""
        return self.text.path


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that explains the first."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is so, where, and what to do about it."""

    code: Code
    message: str  # what is so, in the user's words
    span: Span
    labels: tuple[Label, ...] = ()
    hint: str | None = None  # what to do, only where we know
    severity: Severity | None = None  # None: the code's

    @property
    def level(self) -> Severity:
        """The severity in force: the code's own, unless this run changed it."""
        return self.severity or self.code.severity


class Reporter:
    """Collects diagnostics. A phase reports and goes on; one run shows every mistake it can find."""

    def __init__(self) -> None:
        self._diagnostics: dict[Diagnostic, None] = {}

    def report(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic; an exact repetition is kept once."""
        self._diagnostics[diagnostic] = None

    def adopt(self, diagnostics: Iterable[Diagnostic], *, errors_as: Severity = Severity.ERROR) -> None:
        """Take over the diagnostics of a phase, its errors at another severity (`on-invalid = "skip"`)."""
        for diagnostic in diagnostics:
            is_demoted = diagnostic.level is Severity.ERROR and errors_as is not Severity.ERROR
            self.report(replace(diagnostic, severity=errors_as) if is_demoted else diagnostic)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything reported, by path, then place, then code."""
        return tuple(
            sorted(self._diagnostics, key=lambda d: (d.span.path, d.span.line, d.span.column, d.code.id, d.message))
        )

    def count(self, severity: Severity) -> int:
        """How many diagnostics have this severity."""
        return sum(1 for diagnostic in self._diagnostics if diagnostic.level is severity)

    @property
    def has_errors(self) -> bool:
        """Whether anything reported stops the build."""
        return self.count(Severity.ERROR) > 0
