"""`Field(...)` in the place of a default says what the default is, and is none itself."""

from functools import wraps

from pydantic import Field


def logged(function):
    @wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


@logged
def find(
    text: str = Field(description="What to look for"),
    limit: int = Field(default=5, ge=1, description="How many at most"),
    kinds: list[str] = Field(default_factory=lambda: ["file"]),
    start: str = Field(".", alias="from"),
    *,
    deep: bool = Field(True),
) -> str:
    """Find a text."""
    return repr((text, limit, kinds, start, deep))


def placed(first: int, second: int = Field(2), /, third: int = Field(3), *rest: int) -> str:
    """Take parameters by their places."""
    return repr((first, second, third, rest))
