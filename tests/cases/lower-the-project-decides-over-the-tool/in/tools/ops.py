from toolc import tool


@tool(timeout=9, permission="deny")
def deploy(target: str) -> str:
    """Deploy."""
    return target


@tool(permission="ask")
def status(verbose: bool = False) -> str:
    """Say how things are."""
    return "fine"


def peek(path: str) -> str:
    """Look at a file."""
    return path
