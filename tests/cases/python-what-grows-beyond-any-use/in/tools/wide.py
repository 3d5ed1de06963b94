"""Types and defaults that a few lines make of any size."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

A0 = int | str
A1 = tuple[A0, A0, A0, A0, A0, A0, A0, A0]
A2 = tuple[A1, A1, A1, A1, A1, A1, A1, A1]
A3 = tuple[A2, A2, A2, A2, A2, A2, A2, A2]
A4 = tuple[A3, A3, A3, A3, A3, A3, A3, A3]
A5 = tuple[A4, A4, A4, A4, A4, A4, A4, A4]


@dataclass
class Copies(Generic[T]):
    """A model that needs ever new copies of itself."""

    inner: "Copies[list[T]] | None"


def doubling(value: A5) -> str:
    """Take what doubles at each step."""
    return repr(value)


def copying(value: Copies[int]) -> str:
    """Take a model without end, which has a default."""
    return repr(value)
