"""Diagnostics one a line, for editors and scripts: `path:line:column: error[TC503] message`."""

from __future__ import annotations

from collections.abc import Sequence

from toolc.diagnostics import Diagnostic
from toolc.render.style import Style, clean_line, role_of
from toolc.render.text import place


def render(diagnostics: Sequence[Diagnostic], style: Style) -> str:
    """All of them, in the order given; nothing where there are none."""
    return "".join(
        f"{place(diagnostic.span)}: "
        f"{style.paint(f'{diagnostic.level}[{diagnostic.code.id}]', role_of(diagnostic.level))} "
        f"{clean_line(diagnostic.message)}\n"
        for diagnostic in diagnostics
    )
