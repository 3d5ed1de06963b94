"""Importing this file ends the program."""

raise SystemExit("the environment is not what this file expects")


def stamp(text: str) -> str:
    """Stamp a text."""
    return f"[{text}]"
