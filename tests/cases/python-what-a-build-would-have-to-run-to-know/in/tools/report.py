"""Descriptions that are put together, or read from a file, and a tool that is there on some machines."""

import os
from pathlib import Path

from toolc import tool

VERBOSE = False
HINTS = {"readOnlyHint": True}
HINTS["title"] = "Report"


@tool(description=f"Report on a table.{' Every row is shown.' if VERBOSE else ''}", annotations=HINTS)
def report(table: str) -> str:
    return table


@tool(description=Path(__file__).with_suffix(".txt").read_text())
def summary(table: str) -> str:
    return table


if os.environ.get("REPORT_ADMIN"):

    @tool
    def drop(table: str) -> str:
        """Drop a table."""
        return table
