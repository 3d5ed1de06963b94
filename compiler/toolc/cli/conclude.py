"""How commands that compile end: what they show of the diagnostics, and the status these deserve."""

from __future__ import annotations

from collections.abc import Sequence

from toolc.cli.console import Console, decisive
from toolc.cli.failures import DONE, NO
from toolc.diagnostics import Diagnostic
from toolc.model import Compilation
from toolc.render import text
from toolc.render.style import Style


def check_text(console: Console, compilation: Compilation, style: Style, *, deny_warnings: bool) -> str:
    """The diagnostics as a person asked to see them, and the summary."""
    shown = text.render(console.shown(compilation.diagnostics, deny_warnings=deny_warnings), style)
    if console.quiet:
        return shown
    gap = "\n" if shown else ""
    return f"{shown}{gap}{summary(console, compilation)}\n"


def summary(console: Console, compilation: Compilation, *, refused: bool = False) -> str:
    """`12 tools, 1 warning`; `refused` where the answer is no for what no diagnostic says."""
    tools = None if compilation.toolset is None else len(compilation.toolset.tools)
    return text.summary(compilation.diagnostics, tools=tools, notes_shown=console.verbose, refused=refused)


def status(diagnostics: Sequence[Diagnostic], *, deny_warnings: bool = False) -> int:
    """`NO` where there are errors, or warnings that count as such."""
    against = decisive(deny_warnings=deny_warnings)
    return NO if any(entry.level in against for entry in diagnostics) else DONE
