def echo(text: str) -> str:
    """Return the text."""
    return text
