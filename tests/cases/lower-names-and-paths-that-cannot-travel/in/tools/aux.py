def summary(text: str) -> str:
    """Sum up a text. The file has the name of a device on Windows."""
    return text
