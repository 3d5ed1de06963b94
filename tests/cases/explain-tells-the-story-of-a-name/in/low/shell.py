def bash(command: str) -> str:
    """Run a command, or so it says."""
    return command


def grep(pattern: str) -> str:
    """Look for a pattern."""
    return pattern
