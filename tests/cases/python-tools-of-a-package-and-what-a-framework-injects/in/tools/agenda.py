"""Relative imports: out of the layer for one, of a package of the layer for the others."""

from datetime import datetime
from typing import Annotated, Optional

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import InjectedToolArg

from ...common.server import server
from .office import Room, hours
from .office.people import Person as Guest
from toolc import tool


@tool(description="Book a room.")
def book(
    room: Room,
    start: Optional[datetime],
    guest: Guest | None = None,
    floor: Annotated[int, InjectedToolArg] = 5,
    config: RunnableConfig = None,
) -> str:
    """Something for programmers that a model need not know."""
    return f"{room!r} {start!r} {guest!r} {floor} {config}"
