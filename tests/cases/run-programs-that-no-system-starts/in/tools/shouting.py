"""Wraps the standard output anew as it is imported, which must not take the tools of the file with it."""

import io
import sys

sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace")
sys.stderr = io.TextIOWrapper(sys.stderr.buffer, encoding="latin-1", line_buffering=True)


def shout(text: str) -> str:
    """Say a text loudly."""
    print("shouting", text)
    return text.upper() + "!"


def murmur(text: str) -> None:
    """Print a text, and return nothing."""
    print(text)
