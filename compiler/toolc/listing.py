"""What `toolc list` shows: a compilation or a toolset goes in, its tools, what was left out, and why, come out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from toolc.diagnostics import Diagnostic
from toolc.model import Layer, LockedLayer, LockedShadow, PythonEntry, Schema, Scope, Tool, Toolset


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A tool of the list."""

    name: str
    description: str
    kind: str  # "python" | "command"
    layer: str
    path: str  # of the declaring file, as the user knows it
    scope: Scope
    permission: str
    parameters: Schema
    returns: Schema | None
    shadows: tuple[LockedShadow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A file that was seen and is in no tool."""

    path: str
    reason: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The tools by name, the names no tool carries, and the files left out, by path."""

    tools: tuple[Row, ...]
    hidden: tuple[tuple[str, tuple[LockedShadow, ...]], ...] = ()
    skipped: tuple[Skipped, ...] = ()


def listing(
    toolset: Toolset, diagnostics: Sequence[Diagnostic] = (), *, names: Collection[str] | None = None
) -> Listing:
    """The list of a toolset; with `names`, of these tools only. The diagnostics say what was left out of it."""
    layers = {layer.name: layer for layer in toolset.layers}
    return Listing(
        tools=tuple(
            _row(tool, layers[tool.origin.layer])
            for name, tool in sorted(toolset.tools.items())
            if names is None or name in names
        ),
        hidden=tuple(sorted(toolset.hidden.items())),
        skipped=tuple(
            Skipped(path=diagnostic.span.path, reason=diagnostic.message, code=diagnostic.code.id)
            for diagnostic in diagnostics
            if diagnostic.code.skips
        ),
    )


def kind_of(tool: Tool) -> str:
    """What runs the tool, in the lock's word."""
    return "python" if isinstance(tool.entry, PythonEntry) else "command"


def shown(layer: Layer | LockedLayer, path: str) -> str:
    """A file of a layer as the user knows it."""
    return f"{layer.path.rstrip('/')}/{path}"


def _row(tool: Tool, layer: LockedLayer) -> Row:
    return Row(
        name=tool.name,
        description=tool.description,
        kind=kind_of(tool),
        layer=layer.name,
        path=shown(layer, tool.origin.path),
        scope=layer.scope,
        permission=tool.permission.value,
        parameters=tool.input_schema,
        returns=tool.output_schema,
        shadows=tool.origin.shadows,
    )
