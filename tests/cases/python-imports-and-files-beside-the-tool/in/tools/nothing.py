def nothing() -> str:
    """Its `include` matches nothing."""
