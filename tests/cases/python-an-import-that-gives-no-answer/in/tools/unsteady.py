"""No two imports agree on what these are."""

import os
import random
import typing

Choice = typing.Literal[tuple(f"choice-{number}" for number in random.sample(range(1000), 3))]


def draw(page: str, seed: str = os.urandom(8).hex()) -> str:
    """Draw."""
    return page


def choose(choice: Choice) -> str:
    """Choose."""
    return choice
