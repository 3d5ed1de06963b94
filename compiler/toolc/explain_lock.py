"""The whole story of one name as a lock has it: a toolset and a name go in, who carries it and what it hides come out.

A lock holds what was decided, not why: the steps that led to a permission are in the project alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolc.explain import IN_FORCE, Chapter, Story
from toolc.listing import kind_of, shown
from toolc.model import LockedLayer, LockedShadow, Reason, Tool, Toolset
from toolc.names import closest


def story(name: str, toolset: Toolset) -> Story | None:
    """The story of a name, or None where the lock has nothing of it."""
    tool = toolset.tools.get(name)
    shadows = tool.origin.shadows if tool is not None else toolset.hidden.get(name)
    if tool is None and shadows is None:
        return None
    layers = {layer.name: layer for layer in toolset.layers}
    return Story(
        name=name,
        verdict=_verdict(name, tool, layers[tool.origin.layer] if tool is not None else None, shadows or ()),
        path=None if tool is None else shown(layers[tool.origin.layer], tool.origin.path),
        layers=tuple(_chapter(layer, tool, shadows or ()) for layer in toolset.layers),
        facts=tuple(_facts(name, tool, toolset)),
        permission=None,
        diagnostics=(),
    )


def nearest(name: str, toolset: Toolset) -> str | None:
    """The name that was probably meant."""
    return closest(name, {*toolset.tools, *toolset.hidden})


def _verdict(name: str, tool: Tool | None, layer: LockedLayer | None, shadows: Iterable[LockedShadow]) -> str:
    if tool is not None and layer is not None:
        kind = "Python function" if kind_of(tool) == "python" else "command"
        return f"`{name}` is the {kind} that `{shown(layer, tool.origin.path)}` declares, of the layer `{layer.name}`"
    if any(shadow.reason is Reason.BUILTIN for shadow in shadows):
        return f"no tool carries `{name}`: it is a built-in of the host"
    return f"no tool carries `{name}`: it is switched off, in every layer"


def _chapter(layer: LockedLayer, tool: Tool | None, shadows: Iterable[LockedShadow]) -> Chapter:
    declares = [(shown(layer, entry.path), entry.reason.value) for entry in shadows if entry.layer == layer.name]
    if tool is not None and tool.origin.layer == layer.name:
        declares.append((shown(layer, tool.origin.path), IN_FORCE))
    return Chapter(layer=layer, declares=tuple(sorted(declares)))


def _facts(name: str, tool: Tool | None, toolset: Toolset) -> Iterator[str]:
    if toolset.builtins is not None and name in toolset.builtins.overridden:
        yield f"it replaces the host's built-in `{name}`"
    if tool is None:
        return
    yield f"permission: {tool.permission.value}"
    yield f"a call may take {tool.timeout_s:g} s; what still runs after it: {tool.background.value}"
    yield f"environment: {tool.env_policy.value}" + (f", and {', '.join(tool.env)}" if tool.env else "")
    if inside := [subset for subset, members in sorted(toolset.subsets.items()) if name in members]:
        yield f"in {'the subset' if len(inside) == 1 else 'the subsets'} {', '.join(f'`{each}`' for each in inside)}"
    yield f"its files: {', '.join(tool.sources)}"
