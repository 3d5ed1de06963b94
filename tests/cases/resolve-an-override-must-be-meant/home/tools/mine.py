from toolc import tool


@tool(override=True)
def write(path: str, text: str) -> str:
    """Write a file, my way."""
    return path


@tool(override=True)
def edit(path: str) -> str:
    """Edit a file, my way, which the project agrees to."""
    return path
