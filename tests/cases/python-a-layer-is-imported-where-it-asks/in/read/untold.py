"""Much the same in a layer that is read alone, and never executed."""

open("executed", "w")


def limit() -> int:
    return 2**5


def weigh(thing: str, steps: int = limit()) -> str:
    """Weigh a thing."""
    return ""
