def word_count(text: str) -> str:
    """Count the words of a text."""
    return str(len(text.split()))
