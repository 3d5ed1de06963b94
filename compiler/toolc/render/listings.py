"""The list of tools as a table for a person."""

from __future__ import annotations

from toolc.listing import Listing, Row
from toolc.model import LockedShadow, Scope
from toolc.render.style import Role, Style, clean_line, clip

_HEAD = ("TOOL", "KIND", "PERMISSION", "DECLARED IN")
_LEVELS: dict[str, Role] = {"allow": "hint", "ask": "warning", "deny": "error"}


def render(listing: Listing, style: Style, *, everything: bool) -> str:
    """One tool a line; with `everything`, then the names no tool carries and the files left out, each with why."""
    lines = _table(listing.tools, style) if listing.tools else ["no tools"]
    if everything and listing.hidden:
        lines += ["", style.paint("hidden:", "strong")]
        for name, shadows in listing.hidden:
            lines += [f"  {clean_line(name)}: {why}" for why in why_hidden(shadows)]
    if everything and listing.skipped:
        lines += ["", style.paint("left out:", "strong")]
        lines += [f"  {clean_line(entry.path)}: {clean_line(entry.reason)} [{entry.code}]" for entry in listing.skipped]
    if not everything and (unseen := len(listing.hidden) + len(listing.skipped)):
        lines += ["", style.paint(f"{unseen} more with --all", "faint")]
    return "\n".join(lines) + "\n"


def _table(rows: tuple[Row, ...], style: Style) -> list[str]:
    cells = [(clean_line(row.name), row.kind, row.permission, clean_line(row.path) + _mark(row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(_HEAD, *cells, strict=True)]
    room = style.width - sum(widths) - 2 * len(widths)
    lines = [style.paint(_spread(_HEAD, widths) + "DESCRIPTION", "strong")]
    for row, cell in zip(rows, cells, strict=True):
        name, kind, permission, path = (text.ljust(width) for text, width in zip(cell, widths, strict=True))
        coloured = style.paint(permission, _LEVELS[row.permission])
        first = clean_line(row.description.strip().split("\n")[0])
        lines.append(
            f"{style.paint(name, 'strong')}  {kind}  {coloured}  {path}  {clip(first, max(room, 20))}".rstrip()
        )
        lines += [f"  {style.paint(why, 'faint')}" for why in _hides(row.shadows)]
    return lines


def _spread(texts: tuple[str, ...], widths: list[int]) -> str:
    return "".join(f"{text:<{width}}  " for text, width in zip(texts, widths, strict=True))


def _mark(row: Row) -> str:
    """A word for what is not the project's own."""
    return f" ({row.scope.value})" if row.scope in (Scope.USER, Scope.OUTSIDE) else ""


def _hides(shadows: tuple[LockedShadow, ...]) -> list[str]:
    return [f"hides {clean_line(shadow.path)} of the layer {clean_line(shadow.layer)}" for shadow in shadows]


def why_hidden(shadows: tuple[LockedShadow, ...]) -> list[str]:
    """Why no tool carries a name, a line for each declaration that has it."""
    words = {"builtin": "the host's built-in wins over", "disabled": "switched off:", "precedence": "hidden:"}
    return [
        f"{words[shadow.reason.value]} {clean_line(shadow.path)} of the layer {clean_line(shadow.layer)}"
        for shadow in shadows
    ] or ["switched off"]
