"""How text is set: whether it has colour, and how wide it may be. Everything that prints data cleans it here first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from toolc.diagnostics import Severity
from toolc.text import escape

Role = Literal["error", "warning", "note", "frame", "label", "hint", "strong", "faint"]

_SGR: dict[Role, str] = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "frame": "1;34",
    "label": "34",
    "hint": "36",
    "strong": "1",
    "faint": "2",
}
_ROLES: dict[Severity, Role] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What the reader's side can show."""

    colour: bool = False
    width: int = 120

    def paint(self, text: str, role: Role) -> str:
        """The text in the colour of its role, or as it is where there is no colour."""
        return f"\x1b[{_SGR[role]}m{text}\x1b[0m" if self.colour and text else text


def role_of(severity: Severity) -> Role:
    """The colour of a severity."""
    return _ROLES[severity]


def clean(text: str) -> str:
    """Text that holds data, safe to print: controls and invisible characters are spelled out."""
    return escape(text)


def clean_line(text: str) -> str:
    """As `clean`, on one line: data with a line break cannot pose as a line of ours."""
    return clean(text).replace("\n", "\\n").replace("\t", " ")


def clip(text: str, width: int) -> str:
    """The text, cut with `...` where it is longer than `width`."""
    return text if len(text) <= width else text[: max(width - 3, 0)].rstrip() + "..."


def count(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
