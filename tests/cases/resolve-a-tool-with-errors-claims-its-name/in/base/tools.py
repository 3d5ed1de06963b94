def grep(pattern: str) -> str:
    """Find lines."""
    return pattern


def lint(path: str) -> str:
    """Lint a file."""
    return path
