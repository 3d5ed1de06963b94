def grep(pattern: str) -> str:
    """Find lines, slowly."""
    return pattern


def only_here(text: str) -> str:
    """Nothing shadows this one."""
    return text
