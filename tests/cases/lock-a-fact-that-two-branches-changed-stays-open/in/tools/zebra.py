def zebra(text: str) -> str:
    """Be a zebra."""
    return text
