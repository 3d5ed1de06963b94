def deploy(target: str) -> str:
    """Deploy."""
    return target


def status(verbose: bool = False) -> str:
    """Say how things are."""
    return "fine"


def read_file(path: str) -> str:
    """Read a file."""
    return path


def secret(name: str) -> str:
    """Tell a secret."""
    return name


def bash(command: str) -> str:
    """Run a command."""
    return command
