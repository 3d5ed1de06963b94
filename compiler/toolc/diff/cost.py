"""What the definitions of two toolsets take of a model's prompt. Denied tools are sent to nobody and cost nothing."""

from __future__ import annotations

from collections.abc import Mapping

from toolc import budget
from toolc.diff.model import Cost
from toolc.model import Level, Tool, Toolset


def by_tool(old: Toolset, new: Toolset) -> Mapping[str, Cost]:
    """The cost of each tool that a side offers, by name."""
    before, after = _offered(old), _offered(new)
    return {
        name: Cost(
            old=budget.characters(before[name]) if name in before else 0,
            new=budget.characters(after[name]) if name in after else 0,
        )
        for name in sorted(before.keys() | after.keys())
    }


def of_all(old: Toolset, new: Toolset) -> Cost:
    """The cost of the whole list."""
    before, after = (budget.characters_of_all(_offered(side).values()) for side in (old, new))
    return Cost(old=before, new=after)


def _offered(toolset: Toolset) -> dict[str, Tool]:
    return {name: tool for name, tool in sorted(toolset.tools.items()) if tool.permission is not Level.DENY}
