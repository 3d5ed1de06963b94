def f(x: type[int]) -> str:
    """F."""


def g(x: int) -> str:
    """G."""
