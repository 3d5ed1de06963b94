def read_file(path: str) -> str:
    """Read a file."""
    return path


def Deploy(target: str) -> str:
    """Deploy, with a capital."""
    return target


def deploy(target: str) -> str:
    """Deploy."""
    return target


def htm1(text: str) -> str:
    """Ends with the digit one."""
    return text


def html(text: str) -> str:
    """Ends with a letter."""
    return text
