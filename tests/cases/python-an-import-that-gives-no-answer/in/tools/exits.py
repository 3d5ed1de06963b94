import sys


def leave(page: str) -> str:
    """Leave a page."""
    return page


sys.exit("not as a module")
