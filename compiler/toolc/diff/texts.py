"""Where the texts of a tool stand: a tool or a schema goes in, its schemas and its strings come out, each with its
place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from toolc.diff.model import Absent
from toolc.lock.write import LISTED_SCHEMAS, NAMED_SCHEMAS, SINGLE_SCHEMAS, spell
from toolc.model import Json, Schema, Tool

Pointer: TypeAlias = tuple[str | int, ...]

_PROSE = frozenset({"description", "title", "$comment", "examples"})
_ADDRESSES = frozenset({"$schema", "$id", "$ref", "$anchor"})  # addresses by nature, and no sentences


class String(NamedTuple):
    """A string that a model may read."""

    pointer: Pointer  # within the tool
    text: str
    is_prose: bool  # it is there to be read, so sentences are looked for in it
    is_key: bool = False  # the text is the last step of the pointer itself


def schemas(schema: Schema, place: Pointer = ()) -> Iterator[tuple[Pointer, Schema]]:
    """The schema and every schema in it, each with its place."""
    yield place, schema
    for keyword, value in schema.items():
        inner: list[tuple[Pointer, Json]] = []
        if keyword in NAMED_SCHEMAS and isinstance(value, dict):
            inner = [((*place, keyword, name), each) for name, each in value.items()]
        elif keyword in LISTED_SCHEMAS and isinstance(value, list):
            inner = [((*place, keyword, index), each) for index, each in enumerate(value)]
        elif keyword in SINGLE_SCHEMAS:
            inner = [((*place, keyword), value)]
        for where, each in inner:
            if isinstance(each, dict):
                yield from schemas(each, where)


def strings(tool: Tool) -> Iterator[String]:
    """Every string of what is sent to models and hosts, the names of properties among them."""
    yield String(("description",), tool.description, is_prose=True)
    yield from _strings(tool.input_schema, ("input_schema",), is_prose=False)
    if tool.output_schema is not None:
        yield from _strings(tool.output_schema, ("output_schema",), is_prose=False)
    yield from _strings({**tool.annotations}, ("annotations",), is_prose=True)


def _strings(value: Json, place: Pointer, *, is_prose: bool) -> Iterator[String]:
    match value:
        case str():
            yield String(place, value, is_prose)
        case list():
            for index, item in enumerate(value):
                yield from _strings(item, (*place, index), is_prose=is_prose)
        case dict():
            for key, item in value.items():
                if key not in _ADDRESSES:
                    yield String((*place, key), key, is_prose=False, is_key=True)
                    yield from _strings(item, (*place, key), is_prose=is_prose or key in _PROSE)


def called(key: str, place: Pointer, tool: str) -> str:
    """A schema in the words of a reviewer."""
    whole = "the parameters" if key == "input_schema" else "the result"
    if not place:
        return f"{whole} of `{tool}`"
    if len(place) == 2 and place[0] == "properties":
        kind = "the parameter" if key == "input_schema" else "the field"
        return f"{kind} `{place[1]}` of `{tool}`"
    return f"`{'/'.join(map(str, place))}` in {whole} of `{tool}`"


def spelled(value: Json | Absent) -> str:
    """A value as the lock has it; equal exactly where the bytes of the lock are."""
    return "" if isinstance(value, Absent) else spell(value).strip()
