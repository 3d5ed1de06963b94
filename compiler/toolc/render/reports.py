"""The forms of diagnostics that other programs read, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolc.diagnostics import Diagnostic
from toolc.render import concise, github, remarks, sarif
from toolc.render.style import Style

LINES = ("concise", "github")  # a line each: they may stand beside another answer


def renderers(diagnostics: Sequence[Diagnostic], base: str = "") -> dict[str, Callable[[Style], str]]:
    """How to print the diagnostics in each form; `base` leads from the current folder to where their paths start."""
    told = remarks.of_diagnostics(diagnostics, base)
    return {
        "concise": lambda style: concise.render(diagnostics, style),
        "github": lambda _: github.render(told),
        "sarif": lambda _: sarif.render(told),
    }
