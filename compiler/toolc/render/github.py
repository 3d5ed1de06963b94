"""Remarks as the workflow commands by which GitHub marks lines of a pull request.

Their syntax is GitHub's, "Workflow commands for GitHub Actions": `%`, CR and LF are percent-encoded in the message,
`:` and `,` in the properties too. The forge shows only the first few of a step, so the worst go first.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolc.render.remarks import Place, Remark
from toolc.text import escape

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(remarks: Sequence[Remark]) -> str:
    """A line each, errors first and otherwise in their order; nothing where there are none."""
    ranks = list(_COMMANDS)
    return "".join(_line(remark) for remark in sorted(remarks, key=lambda remark: ranks.index(remark.level)))


def _line(remark: Remark) -> str:
    properties = [*_properties(remark.place), ("title", f"{remark.rule.id} {remark.rule.title}")]
    told = ",".join(f"{name}={_property(value)}" for name, value in properties)
    related = "".join(f"\n{place.path}:{place.line}: {message}" for place, message in remark.related)
    return f"::{_COMMANDS[remark.level]} {told}::{_data(remark.message + related)}\n"


def _properties(place: Place) -> list[tuple[str, str]]:
    found = [("file", place.path)]
    if place.line:
        found += [("line", str(place.line)), ("endLine", str(place.end_line))]
        if place.end_line == place.line:  # GitHub takes columns within one line only
            found += [("col", str(place.column)), ("endColumn", str(place.end_column))]
    return found


def _data(text: str) -> str:
    return escape(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
