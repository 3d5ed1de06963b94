"""The identities of a tool: a toolset goes in, three digests for each of its tools come out.

`interface` is what a model reads of the tool, `behaviour` what runs, `grant` what it may do unasked. The name is in
none of them, so that a renamed tool is recognised; whoever stores an approval stores it for the name and all three.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from toolc.lock.write import facts, spell
from toolc.model import Json, Toolset

_INTERFACE = ("description", "input_schema", "output_schema", "annotations")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDigests:
    """What identifies a tool, each as `sha256:<hex>`."""

    interface: str
    behaviour: str
    grant: str


def tool_digests(toolset: Toolset) -> Mapping[str, ToolDigests]:
    """The digests of every tool, by name."""
    lock = facts(toolset)
    tools, files, python = (_map(lock.get(key)) for key in ("tools", "files", "python"))
    return {name: _digests(_map(tool), files, python) for name, tool in tools.items()}


def _digests(tool: dict[str, Json], files: dict[str, Json], python: dict[str, Json]) -> ToolDigests:
    execution = _map(tool["execution"])
    environment = _map(python.get(str(execution.get("environment"))))
    sources = tool["sources"]
    assert isinstance(sources, list), "a tool has sources"
    behaviour: dict[str, Json] = {
        "execution": execution,
        "sources": [[path, files.get(str(path))] for path in sources],
        "environment": {**environment, "hashes": files.get(str(environment.get("requirements")))},
    }
    return ToolDigests(
        interface=_digest("interface", {key: tool[key] for key in _INTERFACE if key in tool}),
        behaviour=_digest("behaviour", behaviour),
        grant=_digest("grant", tool["permission"]),
    )


def _digest(domain: str, value: Json) -> str:
    """The sha256 of a fact as the lock spells it, told apart from other facts by its domain and its length."""
    spelled = spell(value).encode("utf-8")
    prefix = f"toolc.{domain}.v1\0{len(spelled)}\0".encode("ascii")
    return f"sha256:{hashlib.sha256(prefix + spelled).hexdigest()}"


def _map(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
