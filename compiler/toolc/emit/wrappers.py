"""Render `bin/<tool>`: a toolset and one of its tools go in, the bytes of a program that runs from anywhere come out.

A wrapper carries its tool's facts, spelled as the lock spells them, so that a call reads neither the lock nor any list.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from toolc.model import CommandEntry, Json, Mode, PythonEntry, Tool, Toolset

_TEMPLATES = Path(__file__).parents[1] / "templates"


def render(toolset: Toolset, tool: Tool) -> bytes:
    """The wrapper of a tool. It is ASCII, and syntax that even Python 2.7 parses, to say what it needs."""
    facts = json.dumps(_facts(toolset, tool), separators=(",", ":"), allow_nan=False)
    text = _template().render(name=tool.name, toolset=_printable(toolset.name), facts=repr(facts))
    return text.encode("ascii")


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        newline_sequence="\n",
        keep_trailing_newline=True,
        autoescape=False,  # the output is Python: every value in it is a literal or a checked name
    )
    return environment.get_template("wrapper.py.j2")


def _facts(toolset: Toolset, tool: Tool) -> dict[str, Json]:
    files: dict[str, Json] = {path: toolset.files[path].sha256 for path in tool.sources}
    return {"name": tool.name, "host": toolset.host, "tool": lock_entry(tool), "files": files}


def lock_entry(tool: Tool) -> dict[str, Json]:
    """What the runtime reads of a tool's entry in the lock."""
    return {
        "description": [*tool.description.split("\n")],
        "input_schema": tool.input_schema,
        "permission": tool.permission.value,
        "execution": _execution(tool),
        "origin": {"layer": tool.origin.layer, "path": tool.origin.path},
        "sources": [*tool.sources],
    }


def _execution(tool: Tool) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    match tool.entry:
        case CommandEntry(argv=argv):
            facts = {"kind": "command", "argv": [*argv]}
        case PythonEntry() as entry:
            facts = {"kind": "python", "module": entry.module, "function": entry.function}
            if tool.mode is not Mode.WORKER:
                facts["mode"] = tool.mode.value
            if entry.arguments:
                facts["arguments"] = {name: [to.parameter, to.kind] for name, to in sorted(entry.arguments.items())}
            if entry.conversions:
                facts["conversions"] = dict(sorted(entry.conversions.items()))
    facts |= {
        "env_policy": tool.env_policy.value,
        "env": [*tool.env],
        "timeout_s": tool.timeout_s,
        "background": tool.background.value,
    }
    if tool.environment is not None:
        facts["environment"] = tool.environment
    return facts


def _printable(name: str) -> str:
    """A name for a comment: nothing in it can end the line or leave ASCII."""
    return json.dumps(name)[1:-1]
