from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path

from toolc import ToolContext, tool


class Seat(Enum):
    AISLE = "aisle"
    WINDOW = "window"


@dataclass
class Leg:
    """One leg of a journey.

    Attributes:
        to: Where it ends.
        on: The day it starts.
    """

    to: str
    on: date
    seats: set[Seat] = field(default_factory=set)


@tool
def book(legs: list[Leg], fare: Decimal, ticket: Path, stay: timedelta | None = None, *, context: ToolContext) -> str:
    """Book a journey.

    Args:
        legs: The legs, in order.
        fare: What it may cost.
        ticket: Where to write the ticket.
        stay: How long to stay.
    """
    return f"{context.name}: {legs!r}, {fare!r}, {ticket!r}, {stay!r}"
