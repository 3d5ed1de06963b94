"""A lock for reading, a fact a line: bytes go in, text comes out that is another wherever the lock is another.

Git compares this text instead of the lock where a user has set that up, so it never fails: what is no lock is shown as
it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from toolc import lock
from toolc.lock.write import facts
from toolc.model import Json, Toolset
from toolc.render.style import clean_line
from toolc.tool_digest import tool_digests

_SHORT = 12  # digits of a digest: enough to see that it is another


def outline(data: bytes) -> str:
    """The lock in a form for reading."""
    try:
        toolset = lock.decode(data)
        foreign = lock.foreign_keys(data)
    except lock.LockError:
        return data.decode("utf-8", "backslashreplace")
    if foreign:  # what a newer toolc wrote would be left out
        return data.decode("utf-8")
    return "".join(f"{clean_line(line)}\n" for line in _lines(toolset))


def _lines(toolset: Toolset) -> Iterator[str]:
    written = facts(toolset)
    for key, value in written.items():
        if key not in ("tools", "files"):
            yield from _fact(key, value)
    yield from (f"file {path}: {_shortened(str(digest))}" for path, digest in _members(written["files"]))
    for name, digests in tool_digests(toolset).items():
        tool = toolset.tools[name]
        yield ""
        yield f"tool {name}"
        yield from (f"  {line}".rstrip() for line in tool.description.split("\n"))
        for key, value in _members(_map(written["tools"])[name]):
            if key != "description":
                yield from (f"  {line}" for line in _tool_fact(key, value))
        for what in ("interface", "behaviour", "grant"):
            yield f"  {what} {_shortened(getattr(digests, what))}"


def _tool_fact(key: str, value: Json) -> Iterator[str]:
    """The lines of a fact of a tool: of a schema one for each parameter, and one for what stands around them."""
    if key != "input_schema":
        yield from _fact(key, value)
        return
    for name, schema in _members(_map(value).get("properties")):
        yield f"parameter {name}: {_compact(schema)}"
    around = {keyword: each for keyword, each in _members(value) if keyword != "properties"}
    yield f"parameters: {_compact(around)}"


def _fact(key: str, value: Json) -> Iterator[str]:
    """A fact on its line, or the facts that it has inside."""
    if isinstance(value, dict) and key != "output_schema":
        yield from (f"{key} {name}: {_compact(each)}" for name, each in value.items())
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        yield from (f"{key}: {_compact(item)}" for item in value)
    else:
        yield f"{key}: {_compact(value)}"


def _compact(value: Json) -> str:
    """A value on one line, plain where it is."""
    match value:
        case str():
            return value
        case list() if value and all(isinstance(item, str) and item and "," not in item for item in value):
            return ", ".join(str(item) for item in value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _shortened(digest: str) -> str:
    algorithm, _, rest = digest.partition(":")
    digits, _, mark = rest.partition(" ")
    return f"{algorithm}:{digits[:_SHORT]}{' executable' if mark else ''}"


def _map(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _members(value: Json) -> Iterable[tuple[str, Json]]:
    return _map(value).items()
