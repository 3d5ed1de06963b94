import _broken


def good() -> str:
    """The helper it imports does not parse."""
