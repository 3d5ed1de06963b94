def ant(text: str) -> str:
    """Be an ant."""
    return text
