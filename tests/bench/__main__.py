"""Run the measurements named on the command line, or all of them, and print what they found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping

from . import front_end, memory

MEASUREMENTS: Mapping[str, Callable[[], Iterable[str]]] = {
    "front-end": front_end.measure,
    "memory": memory.measure,
}


def main(wanted: list[str]) -> int:
    """Print the lines of each measurement as they come."""
    unknown = [name for name in wanted if name not in MEASUREMENTS]
    if unknown:
        print(f"there is no {', '.join(unknown)}; there are: {', '.join(MEASUREMENTS)}", file=sys.stderr)
        return 2
    for name in wanted or MEASUREMENTS:
        print(name)
        for line in MEASUREMENTS[name]():
            print(f"  {line}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
