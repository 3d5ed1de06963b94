import os
import socket
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal

from toolc import tool

if os.name == "posix":
    Handle = int
else:
    Handle = str

Round = list["Round"]
NOW = date.today()


class Opaque:
    def __init__(self, handle):
        self.handle = handle


def refused(
    callback: Callable[[int], int],
    names: list[set[str]],
    table: dict[int, str],
    box: Opaque,
    handle: Handle,
    round: Round,
    missing: Missing,
    quoted: "list[",
    made: make_type(),
) -> str:
    """Types without a JSON form, and types that cannot be told."""


def hidden(query: str, connection: socket.socket | None = None, *paths: Path) -> str:
    """Parameters without a JSON form that have a default."""


def untyped(x, *args, y=3, **kwargs) -> str:
    """Parameters without a type."""


def defaults(
    a: int = None,
    b: str = os.getenv("TOKEN", "dev"),
    c: date = NOW,
    d: list[str] = (),
    e: int = "5",
    f: Literal["a", "b"] = "c",
    g: float = 1e999,
) -> str:
    """Defaults that the schema cannot show."""


def odd(größe: int, numbers: Iterator[int], limit: Final[int] = 3) -> str:
    """Parameters with something odd about them."""


@tool
def returns() -> socket.socket:
    """What it returns has no JSON form."""
