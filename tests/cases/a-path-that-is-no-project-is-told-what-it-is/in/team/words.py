def words(text: str) -> str:
    """Count words."""
    return str(len(text.split()))
