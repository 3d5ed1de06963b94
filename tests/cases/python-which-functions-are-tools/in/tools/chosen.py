import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, overload

from _more import borrowed
from smolagents import tool as other
from toolc import tool


def bare(x: int) -> str:
    """A tool."""


def number(x: int) -> int:
    """No tool: what it returns is not str."""


def silent(x):
    """No tool: it says nothing of itself."""


def log(function) -> str:
    return function


@other
def foreign(x: int) -> int:
    """No tool: another framework's."""


@log
def logged(x: int) -> str:
    """A tool: other decorators are taken to keep the signature."""


class Box:
    @tool
    def method(self) -> str:
        """No tool."""


def _outer():
    @tool
    def inner() -> str:
        """No tool."""


if TYPE_CHECKING:

    def typed() -> str:
        """No tool."""


@overload
def many(x: int) -> str: ...
@overload
def many(x: str) -> str: ...
def many(x) -> str:
    """A tool; the types are those of its overloads."""


def twice() -> str:
    """First."""


def twice() -> str:
    """Second."""


def gone() -> str:
    """No tool: the name is something else in the end."""


gone = os.getcwd


if os.name == "posix":

    def divided(x: int) -> str:
        """Here."""
else:

    def divided(x: str) -> str:
        """There."""


if os.environ.get("EXTRA"):

    @tool
    def perhaps() -> str:
        """Perhaps."""


@tool
@contextmanager
def opened():
    """No result."""
    yield


if __name__ == "__main__":

    def main() -> str:
        """No tool."""
