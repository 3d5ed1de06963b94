"""Count and search words."""

from typing import Literal

from _text import Case, split

DEFAULT_LIMIT = 10


def word_count(text: str) -> str:
    """Count the words of a text."""
    return str(len(split(text)))


def search(
    text: str,
    words: list[str],
    case: Case = "ignore",
    limit: int | None = DEFAULT_LIMIT * 2,
    *,
    order: Literal["first", "last", 0] = "first",
) -> str:
    """Find words in a text.

    Use it before reading a long text as a whole. What comes back is one line
    a hit.

    Args:
        text: The text to search.
        words (list of str): What to look for:
            - plain words
            - whole phrases
        case: Whether the case of letters counts.
        limit: At most this many hits.

    Returns:
        One line a hit.
    """
    found = [word for word in split(text) if word in words]
    return "\n".join(found[:limit])
