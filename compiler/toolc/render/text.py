"""Diagnostics as text for a person, with the lines they are about: the shape of rustc's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from toolc.diagnostics import Diagnostic, Severity, Span
from toolc.render.snippet import excerpt
from toolc.render.style import Role, Style, clean, clean_line, count, role_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """An underlined place: the diagnostic's own, or a label's."""

    span: Span
    sign: str
    role: Role
    message: str = ""


def render(diagnostics: Sequence[Diagnostic], style: Style) -> str:
    """All of them, in the order given, a blank line between; nothing where there are none."""
    return "\n".join(render_one(diagnostic, style) for diagnostic in diagnostics)


def render_one(diagnostic: Diagnostic, style: Style) -> str:
    """One diagnostic, its places, and its hint; ends with a line break."""
    role = role_of(diagnostic.level)
    marks = [
        _Mark(span=diagnostic.span, sign="^", role=role),
        *(_Mark(span=label.span, sign="-", role="label", message=label.message) for label in diagnostic.labels),
    ]
    gutter = max(len(str(mark.span.line)) for mark in marks)
    head = style.paint(f"{diagnostic.level}[{diagnostic.code.id}]", role)
    lines = [f"{head}: {style.paint(clean_line(diagnostic.message), 'strong')}"]
    by_path: dict[str, list[_Mark]] = {}
    for mark in marks:
        by_path.setdefault(mark.span.path, []).append(mark)
    for block in by_path.values():
        lines += _block(block, gutter, style)
    if diagnostic.hint is not None:
        first, *rest = clean(diagnostic.hint).split("\n")
        frame = style.paint("=", "frame")
        lines.append(f"{' ' * gutter} {frame} {style.paint('hint', 'hint')}: {first}")
        lines += [f"{' ' * (gutter + len(' = hint: '))}{line}" for line in rest]
    return "\n".join(lines) + "\n"


def summary(
    diagnostics: Sequence[Diagnostic], *, tools: int | None = None, notes_shown: bool = False, refused: bool = False
) -> str:
    """`12 tools, 1 warning`: what a run came to, in one line. `tools` is None where nothing was compiled.

    Where it was `refused` for what no diagnostic says, "no errors" would be half the truth, and is left out.
    """
    numbers = {severity: sum(1 for d in diagnostics if d.level is severity) for severity in Severity}
    parts = [] if tools is None else [count(tools, "tool")]
    parts += [
        count(numbers[severity], severity.value) for severity in (Severity.ERROR, Severity.WARNING) if numbers[severity]
    ]
    if not refused and not numbers[Severity.ERROR] and not numbers[Severity.WARNING]:
        parts.append("no errors")
    if notes := numbers[Severity.NOTE]:
        all_shown = notes_shown or all(d.code.told for d in diagnostics if d.level is Severity.NOTE)
        parts.append(count(notes, "note") + ("" if all_shown else " (-v shows them)"))
    return ", ".join(parts)


def place(span: Span) -> str:
    """`path:line:column`, or the path alone where the whole file is meant."""
    path = clean_line(span.path)
    return f"{path}:{span.line}:{span.column}" if span.line else path


def _block(marks: list[_Mark], gutter: int, style: Style) -> list[str]:
    """The places in one file: where it is, then its lines, each with what is underlined in it."""
    arrow = "-->" if marks[0].sign == "^" else ":::"
    head = f"{' ' * gutter}{style.paint(arrow, 'frame')} {place(marks[0].span)}"
    sources = [(mark, _source_line(mark.span)) for mark in marks]
    unseen = [mark.message for mark, source in sources if source is None and mark.message]
    lines = [": ".join([head, *map(clean_line, unseen)])]
    seen = sorted(
        ((mark, source) for mark, source in sources if source is not None), key=lambda pair: pair[0].span.line
    )
    if seen:
        lines.append(_framed("", gutter, style))
    previous: int | None = None
    for mark, source in seen:
        lines += _underlined(mark, source, previous, gutter, style)
        previous = mark.span.line
    return lines


def _underlined(mark: _Mark, source: str, previous: int | None, gutter: int, style: Style) -> list[str]:
    """A source line and the marks under it. A line that was just shown whole is not shown again."""
    span = mark.span
    end_column = span.end_column if span.end_line == span.line else len(source) + 1
    shown = excerpt(source, span.column, end_column, max(style.width - gutter - 3, 40))
    lines = []
    if previous is not None and span.line > previous + 1:
        lines.append(style.paint("...", "frame"))
    if span.line != previous or shown.clipped:
        lines.append(_framed(shown.text, gutter, style, number=span.line))
    under = mark.sign * (shown.end - shown.start)
    words = f"{under} {clean_line(mark.message)}".rstrip()
    lines.append(_framed(" " * shown.start + style.paint(words, mark.role), gutter, style))
    return lines


def _framed(content: str, gutter: int, style: Style, *, number: int | None = None) -> str:
    margin = f"{'' if number is None else number:>{gutter}} |"
    return style.paint(margin, "frame") + (f" {content}" if content else "")


@lru_cache(maxsize=16)  # a file with many mistakes is split once
def _lines(content: str) -> list[str]:
    return content.split("\n")


def _source_line(span: Span) -> str | None:
    """The line a span starts in, where the file was text and has such a line."""
    if span.line == 0 or span.text.content is None:
        return None
    lines = _lines(span.text.content)
    return lines[span.line - 1].rstrip("\r") if span.line <= len(lines) else None
