"""Its neighbour is to blame."""

import _neighbour


def follow(page: str) -> str:
    """Follow a page."""
    return _neighbour.NAME
