"""Short ways to make the values that phases hand on, for tests of one phase alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from toolc.diagnostics import Diagnostic, Reporter, Severity, Span, Text
from toolc.model import (
    Broken,
    Builtins,
    ClashPolicy,
    CommandEntry,
    Config,
    Declaration,
    Layer,
    Level,
    PermissionRule,
    PythonEntry,
    Scope,
    SourceFile,
    ToolSettings,
)

CONFIG_FILE = Text("toolc.toml")


def layer(name: str, rank: int, scope: Scope = Scope.PROJECT) -> Layer:
    """A layer of the project; no file is needed where nothing is read."""
    path = f"~/{name}" if scope is Scope.USER else name
    return Layer(name=name, path=path, root=Path("/project") / name, rank=rank, scope=scope)


def source(of: Layer, path: str, *, sha256: str = "0" * 64, executable: bool = False) -> SourceFile:
    """A file of a layer."""
    return SourceFile(layer=of, path=path, sha256=sha256, executable=executable)


def python_tool(name: str, of: Layer, path: str | None = None, **fields: Any) -> Declaration:
    """A function of a Python file as a tool."""
    path = path or f"{name}.py"
    entry = PythonEntry(module=path.removesuffix(".py"), function=name)
    return _declaration(name, of, path, {"entry": entry, **fields})


def command_tool(name: str, of: Layer, **fields: Any) -> Declaration:
    """A manifest as a tool."""
    return _declaration(name, of, f"{name}/tool.json", {"entry": CommandEntry(argv=("./run",)), **fields})


def _declaration(name: str, of: Layer, path: str, fields: dict[str, Any]) -> Declaration:
    defaults: dict[str, Any] = {
        "span": Span(Text(of.shown(path)), 1, 1, 1, 2),
        "description": f"Does {name}.",
        "input_schema": {"type": "object", "properties": {}, "additionalProperties": False},
        "sources": (source(of, path),),
    }
    return Declaration(name=name, layer=of, path=path, **defaults | fields)


def broken(name: str, of: Layer, path: str | None = None) -> Broken:
    """A declaration with errors."""
    path = path or f"{name}.py"
    return Broken(name=name, layer=of, path=path, span=Span(Text(of.shown(path)), 1, 1, 1, 2))


def settings(name: str, **fields: Any) -> ToolSettings:
    """`[tools.NAME]` of the config."""
    return ToolSettings(name=name, span=Span(CONFIG_FILE, 1, 1, 1, 2), **fields)


def config(
    *layers: Layer,
    builtins: Iterable[str] = (),
    policy: ClashPolicy = ClashPolicy.EXPLICIT,
    removed: Iterable[str] = (),
    tools: Iterable[ToolSettings] = (),
    **fields: Any,
) -> Config:
    """A config with these layers and built-ins, which asks before every call."""
    ask = PermissionRule(pattern="*", level=Level.ASK, origin="preset none")
    fields.setdefault("permissions", (ask,))
    return Config(
        root=Path("/project"),
        toolset="acme",
        layers=layers,
        builtins=Builtins(names=tuple(sorted(builtins)), policy=policy, removed=tuple(sorted(removed))),
        tools={tool.name: tool for tool in tools},
        **fields,
    )


def told(reporter: Reporter, *, notes: bool = False) -> list[str]:
    """The codes of what was reported, in the order of the report."""
    return [diagnostic.code.id for diagnostic in kept(reporter.diagnostics, notes=notes)]


def kept(diagnostics: Iterable[Diagnostic], *, notes: bool) -> list[Diagnostic]:
    """The diagnostics, without the notes unless they are wanted."""
    return [diagnostic for diagnostic in diagnostics if notes or diagnostic.level is not Severity.NOTE]
