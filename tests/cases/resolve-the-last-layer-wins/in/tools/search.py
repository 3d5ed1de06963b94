def grep(pattern: str, ignore_case: bool = False) -> str:
    """Find lines of the project."""
    return pattern
