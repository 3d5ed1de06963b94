from toolc import tool


def bash(command: str) -> str:
    """Run a command."""
    return command


@tool(override=True)
def Read(path: str) -> str:
    """Read a file."""
    return path


def web_fetch(url: str) -> str:
    """Fetch a page, now that the host's own is gone."""
    return url
