def ok(text: str) -> str:
    """Give a text back."""
    return text
