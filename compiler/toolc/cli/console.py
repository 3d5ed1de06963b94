"""The two streams of a command: the answer goes to stdout and into files, talk goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from toolc import codes
from toolc.diagnostics import Diagnostic, Severity
from toolc.errors import ToolcError
from toolc.render.style import Style
from toolc.text import shown_path

_WIDTH = 120  # of what is not a terminal
_NARROWEST = 40

Renderer = Callable[[Style], str]


class OutputNotWritable(ToolcError):
    """A stream or a file that an answer was to go to, and that does not take it."""

    code = codes.SYSTEM_REFUSED.id

    def __init__(self, where: str, why: str) -> None:
        self.where = where
        self.why = why
        super().__init__(f"{where} cannot be written: {why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A form of the answer, and the file it goes to; None is stdout."""

    form: str
    file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """Where a command prints, and how much."""

    destinations: tuple[Destination, ...] = ()
    verbose: bool = False
    quiet: bool = False
    colour: str = "auto"  # always | never | auto

    @property
    def form(self) -> str:
        """The form of what goes to stdout."""
        return next((entry.form for entry in self.destinations if entry.file is None), "text")

    @property
    def talk_style(self) -> Style:
        """What stderr can show."""
        return style_of(sys.stderr, self.colour)

    def answer(self, **renderers: Renderer) -> None:
        """Give the answer in every form asked for; stdout gets the text where its form is not among them."""
        for destination in self.destinations:
            if destination.file is not None and destination.form in renderers:
                _write_file(destination.file, renderers[destination.form](Style()))
        form = self.form if self.form in renderers else "text"
        plain = form != "text" and form != "concise"
        write(sys.stdout, renderers[form](Style() if plain else style_of(sys.stdout, self.colour)))

    def shown(self, diagnostics: Sequence[Diagnostic], *, deny_warnings: bool = False) -> tuple[Diagnostic, ...]:
        """Those that a person asked to see: notes with `-v`; with `-q` what decides alone."""
        if self.quiet:
            return tuple(entry for entry in diagnostics if entry.level in decisive(deny_warnings=deny_warnings))
        return tuple(
            entry for entry in diagnostics if self.verbose or entry.code.told or entry.level is not Severity.NOTE
        )

    def report(self, diagnostics: Sequence[Diagnostic], *, deny_warnings: bool = False, base: str = "") -> None:
        """Show diagnostics beside another answer: on stderr, and in the files asked for as `concise=FILE`.

        `base` leads from the current folder to the one that their paths start from.
        """
        from toolc.render import reports, text

        shown = self.shown(diagnostics, deny_warnings=deny_warnings)
        renderers = {form: render for form, render in reports.renderers(shown, base).items() if form in reports.LINES}
        for destination in self.destinations:
            if destination.file is not None and destination.form in renderers:
                _write_file(destination.file, renderers[destination.form](Style()))
        if self.form in renderers:
            talk(renderers[self.form](self.talk_style))
        elif shown:
            talk(text.render(shown, self.talk_style))

    def complain(self, text: str, code: str | None = None) -> None:
        """Tell the user why there is no answer, `-q` or not."""
        head = "error" if code is None else f"error[{code}]"
        talk(f"{self.talk_style.paint(head, 'error')}: {text}")

    def say(self, line: str) -> None:
        """Tell the user something that is not the answer."""
        if not self.quiet:
            talk(line + "\n")


def decisive(*, deny_warnings: bool) -> frozenset[Severity]:
    """The severities for which the answer is no."""
    return frozenset({Severity.ERROR, Severity.WARNING} if deny_warnings else {Severity.ERROR})


def style_of(stream: TextIO | None, colour: str = "auto") -> Style:
    """What a stream can show. A stream that is no terminal is asked nothing."""
    terminal = stream is not None and stream.isatty()
    coloured = _colour_wanted(terminal) if colour == "auto" else colour == "always"
    return Style(colour=coloured, width=_width(stream if terminal else None))


def write(stream: TextIO | None, text: str) -> None:
    """Write to a stream of ours; a reader that went away, or a stream that was never there, is no fault."""
    if stream is None or not text:
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # What could not be written is still in the stream, and Python would fail once more as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise OutputNotWritable("the output", os.strerror(error.errno or 0)) from None


def talk(text: str) -> None:
    """Write to stderr. Where that takes nothing there is nobody to tell, and the answer may still arrive."""
    with suppress(OutputNotWritable):
        write(sys.stderr, text)


def _write_file(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise OutputNotWritable(f"`{shown_path(file)}`", os.strerror(error.errno or 0)) from None


def _colour_wanted(terminal: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return terminal and os.environ.get("TERM") != "dumb"


def _width(terminal: TextIO | None) -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdecimal() and int(columns[:6]) > 0:
        return max(int(columns[:6]), _NARROWEST)
    if terminal is not None:
        try:
            return max(os.get_terminal_size(terminal.fileno()).columns, _NARROWEST)
        except OSError:
            pass
    return _WIDTH
