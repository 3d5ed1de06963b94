def bash(command: str) -> str:
    """Run a command."""
    return command
