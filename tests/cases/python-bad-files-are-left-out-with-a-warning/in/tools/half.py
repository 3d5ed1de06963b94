def f(x: set[int]) -> str:
    """F."""


def g(x: int) -> str:
    """G."""
