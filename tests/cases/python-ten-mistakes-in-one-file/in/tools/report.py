"""Ten mistakes, each of its own kind and at a place of its own."""

import pandas
from toolc import tool

Row = dict[str, memoryview]


@tool(timeout="soon")
def fetch(url: str) -> str:
    """Fetch a page."""
    return url


@tool(nmae="count")
def count(text: str) -> str:
    """Count the words of a text."""
    return text


def filter_rows(rows: list[Row]) -> str:
    """Filter some rows."""
    return repr(rows)


def draw(frame: DataFrame) -> str:
    """Draw a frame."""
    return repr(frame)


def search(text: str, limit: int = "ten") -> str:
    """Search a text."""
    return text[:limit]


def rename(old, new: str) -> str:
    """Rename a thing."""
    return new


def remove(path: str = None) -> str:
    """Remove a file.

    Args:
        path: The file.
        force: Even if it is there.
    """
    return path


def résumé(text: str) -> str:
    """Sum a text up."""
    return text
