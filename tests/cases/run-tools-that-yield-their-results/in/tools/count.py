"""Generators of both kinds: what they yield is the answer, as a list."""

from collections.abc import AsyncIterator, Iterator
from itertools import count as endless

from toolc import tool


@tool
def squares(to: int) -> Iterator[int]:
    """Yield the squares of the numbers to a number."""
    for number in range(1, to + 1):
        yield number * number


@tool
async def words(text: str) -> AsyncIterator[str]:
    """Yield the words of a text."""
    for word in text.split():
        yield word


@tool
def for_ever() -> Iterator[int]:
    """Yield without end."""
    return endless()
