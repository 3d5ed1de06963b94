def grep(pattern: str) -> str:
    """Find lines."""
    return pattern
