def deploy(target: str) -> str:
    """Deploy."""
    return target


def status(verbose: bool = False) -> str:
    """Say how things are."""
    return "fine"
