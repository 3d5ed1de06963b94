"""What a tool file imports: the `tool` decorator. At run time it marks nothing and changes nothing.

The compiler has read the decorator's arguments from the syntax tree; here it only has to hand the function back. What
it takes is declared in `authoring.pyi`: `typing` is not loaded for it.
"""

from __future__ import annotations


def tool(function: object = None, /, **_options: object) -> object:
    """Declare a function as a tool: `@tool`, `@tool("description")` or `@tool(description=..., ...)`."""
    if callable(function):
        return function
    return lambda decorated: decorated
