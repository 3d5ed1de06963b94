__all__ = ["listed", "mispelt"]


def listed() -> str:
    """A tool."""


def misspelt() -> str:
    """A tool, were it not for a letter."""
