def status(verbose: bool = False) -> str:
    """Say where things are."""
    return "fine"
