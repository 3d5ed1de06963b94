"""A type that is deeper than a type may be."""

N1 = list[list[list[list[list[list[list[list[int]]]]]]]]
N2 = list[list[list[list[list[list[list[list[N1]]]]]]]]
N3 = list[list[list[list[list[list[list[list[N2]]]]]]]]
N4 = list[list[list[list[list[list[list[list[N3]]]]]]]]
N5 = list[list[list[list[list[list[list[list[N4]]]]]]]]
N6 = list[list[list[list[list[list[list[list[N5]]]]]]]]
N7 = list[list[list[list[list[list[list[list[N6]]]]]]]]
N8 = list[list[list[list[list[list[list[list[N7]]]]]]]]


def deep(value: N8) -> str:
    """Take a list of lists."""
    return repr(value)
