def grep(pattern: str) -> str:
    """Find lines. The one with errors stands below, so nothing is hidden."""
    return pattern
