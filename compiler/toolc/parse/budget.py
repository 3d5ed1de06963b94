"""How large what a file declares may become: a short text can stand for a schema of any size.

An alias that repeats an alias doubles it, an enum is written out wherever it is used, a constant may be a default a
thousand times. Parts are counted as they are made, for each type and for all of a file, and there is an end to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

TYPE_LIMIT = 10_000
FILE_LIMIT = 100_000
PARAMETERS_LIMIT = 1_000
TOOLS_LIMIT = 1_000
MODULES_LIMIT = 250  # that one tool file may import

_CHARACTERS = 64  # of a text that count as one part


@dataclass(slots=True)
class Budget:
    """The parts that the tools of one file may still use."""

    left: int = FILE_LIMIT

    def spend(self, parts: int) -> bool:
        """Take parts, and say whether there were enough left."""
        self.left -= parts
        return self.left >= 0


def weigh(value: object, limit: int) -> int:
    """How many parts a value has when it is written out, where nothing is shared; `limit` is where counting ends."""
    parts = 0
    pending = [value]
    while pending and parts <= limit:
        current = pending.pop()
        parts += 1
        match current:
            case str() | bytes():
                parts += len(current) // _CHARACTERS
            case Mapping():
                pending.extend(current.keys())
                pending.extend(current.values())
            case Iterable():
                pending.extend(current)
    return parts
