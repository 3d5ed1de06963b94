from typing import TypedDict

from mcp.server.fastmcp import Context
from typing_extensions import Unpack

from toolc import ToolContext


class Options(TypedDict, total=False):
    path: str
    depth: int


def supplied(path: str, context: ToolContext) -> str:
    """The context is toolc's own, and is filled in."""
    return path


def optional(path: str, ctx: Context | None = None) -> str:
    """Nothing fills the context in, and the default does."""
    return path


def required(path: str, ctx: Context) -> str:
    """Nothing can fill the context in."""
    return path


def twice(path: str, **options: Unpack[Options]) -> str:
    """An option has the name of a parameter."""
    return path
