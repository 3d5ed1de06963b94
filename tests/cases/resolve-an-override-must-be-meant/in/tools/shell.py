from toolc import tool


@tool(override=True)
def bash(command: str) -> str:
    """Run a command, and this is meant."""
    return command


def grep(pattern: str) -> str:
    """Find lines, and the built-in was not thought of."""
    return pattern


@tool(override=True)
def glob(pattern: str) -> str:
    """Find files; the project does not want it."""
    return pattern


@tool(override=True)
def raed(path: str) -> str:
    """Read a file; misspelt."""
    return path
