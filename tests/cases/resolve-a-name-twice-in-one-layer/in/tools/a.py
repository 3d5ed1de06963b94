def status(verbose: bool = False) -> str:
    """Say how things are."""
    return "fine"
