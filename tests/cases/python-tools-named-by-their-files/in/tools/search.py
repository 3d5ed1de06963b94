def default(text: str) -> str:
    """Takes the name of the file."""


def deep(text: str) -> str:
    """Takes both names."""
