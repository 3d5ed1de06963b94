def borrowed() -> str:
    """A tool where it is defined, not where it is imported."""
