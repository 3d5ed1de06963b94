def count(x: int) -> str:
    """F."""
