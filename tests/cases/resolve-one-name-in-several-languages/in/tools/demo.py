def demo(text: str) -> str:
    """The demo in Python."""
    return text
