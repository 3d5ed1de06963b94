"""Each of these reads one way and is another once it is imported."""

import dataclasses


def again(function):
    def fewer(text: str) -> str:
        """Do it."""
        return text

    fewer.__name__ = function.__name__
    return fewer


@again
def parameters(text: str, count: int = 3) -> str:
    """Do it."""
    return text


def annotated(count: int) -> str:
    """Do it."""
    return ""


annotated.__annotations__["count"] = str


def defaults(count: int = 3) -> str:
    """Do it."""
    return ""


defaults.__defaults__ = (4,)


def documented(count: int) -> str:
    """Do it."""
    return ""


documented.__doc__ = "Do something else."


@dataclasses.dataclass
class Point:
    x: int


Point.__annotations__["x"] = float


def fields(point: Point) -> str:
    """Do it."""
    return ""
