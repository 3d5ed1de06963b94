from typing import Literal


def count(text: str, unit: Literal["words", "lines"] = "words", limit: int = 100) -> str:
    """Count the words or lines of a text.

    Args:
        text: The text to count.
        unit: What is counted.
        limit: Stop here.
    """
    return str(min(limit, len(text.split() if unit == "words" else text.splitlines())))


def reverse(text: str) -> str:
    """Turn a text round."""
    return text[::-1]
