"""What definitions take of a model's prompt: tools go in, characters and approximate tokens come out.

The characters are those of the tools as a provider is sent them. A token is taken for four characters, which is about
right for English and JSON; every model counts otherwise, so the figure compares toolsets and promises nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from toolc.model import Json, Tool

_CHARACTERS_PER_TOKEN = 4


def characters(tool: Tool) -> int:
    """The size of one tool's definition."""
    return len(_compact(_definition(tool)))


def characters_of_all(tools: Iterable[Tool]) -> int:
    """The size of the list of some tools' definitions."""
    return len(_compact([_definition(tool) for tool in tools]))


def tokens(characters: int) -> int:
    """About how many tokens some characters are, rounded up."""
    return -(-characters // _CHARACTERS_PER_TOKEN)


def _definition(tool: Tool) -> Json:
    function: Json = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": function}


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
