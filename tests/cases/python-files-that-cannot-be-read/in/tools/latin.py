# -*- coding: latin-1 -*-
def f(x: int) -> str:
    """F."""
