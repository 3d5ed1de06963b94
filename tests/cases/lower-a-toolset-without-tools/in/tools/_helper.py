def helper(text: str) -> str:
    """Not a tool, by its file's name."""
    return text
