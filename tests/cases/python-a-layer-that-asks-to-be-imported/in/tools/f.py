def f(text: str) -> str:
    """F."""
