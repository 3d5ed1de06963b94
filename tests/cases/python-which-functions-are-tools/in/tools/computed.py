__all__ = [name for name in dir()]


def computed() -> str:
    """A tool."""
