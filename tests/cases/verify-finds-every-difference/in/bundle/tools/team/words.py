def words(text: str) -> str:
    """Count the words of a text."""
    import os
    return str(len(text.split()))
