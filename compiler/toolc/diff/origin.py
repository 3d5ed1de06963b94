"""Where tools come from and what they hide: two states go in, findings about layers, shadows and built-ins come out."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.diff.model import Finding, Verdict, found, given, pointer
from toolc.diff.rules import origin as rules
from toolc.model import Introspect, Json, LockedBuiltins, LockedLayer, LockedShadow, Scope, Tool, Toolset

_NOT_HELD = frozenset({Scope.USER, Scope.OUTSIDE})  # no checkout of the project has these files


# ------------------------------------------------------------------------------------------------------------- tools


def compare(old: Tool, new: Tool, before: Toolset, after: Toolset) -> Iterator[Finding]:
    """How the origin of a tool changed."""
    place = pointer("tools", new.name, "origin")
    if old.origin.layer != new.origin.layer:
        yield _moved(old, new, before, after)
        # Where the layer itself moved under `~`, that is said once, of the layer.
        if _scope(new, after) in _NOT_HELD and _scope(old, before) not in _NOT_HELD:
            yield _outside(new, after)
    elif old.origin.path != new.origin.path:
        yield found(
            rules.FILE_CHANGED,
            f"{place}/path",
            f"`{new.name}` is declared by `{new.origin.path}` now, not by `{old.origin.path}`",
            tool=new.name,
            old=old.origin.path,
            new=new.origin.path,
        )
    yield from _shadows(old, new)


def compare_added(tool: Tool, toolset: Toolset) -> Iterator[Finding]:
    """What there is to say of the origin of a new tool."""
    if _scope(tool, toolset) in _NOT_HELD:
        yield _outside(tool, toolset)
    for shadow in tool.origin.shadows:
        yield _newly_shadows(tool, shadow)


def _moved(old: Tool, new: Tool, before: Toolset, after: Toolset) -> Finding:
    was, now = _content(old, before), _content(new, after)
    same = was == now
    return found(
        rules.LAYER_CHANGED if same else rules.HIJACKED,
        pointer("tools", new.name, "origin", "layer"),
        f"`{new.name}` comes from the layer `{new.origin.layer}` now, not from `{old.origin.layer}`"
        + (", with the same content" if same else ", and is another implementation"),
        tool=new.name,
        # Who accepts another implementation accepts that one; of the same content the layer is all there is to accept.
        old=old.origin.layer if same else {"layer": old.origin.layer, "files": was},
        new=new.origin.layer if same else {"layer": new.origin.layer, "files": now},
    )


def _content(tool: Tool, toolset: Toolset) -> dict[str, Json]:
    """The digests of a tool's files, by their path within the layer they are of."""
    content: dict[str, Json] = {}
    for path in sorted(tool.sources):
        digest = toolset.files.get(path)
        within = path.split("/", 2)[-1]  # tools/<layer>/<path>
        content[within] = f"sha256:{digest.sha256}{' x' if digest.executable else ''}" if digest is not None else None
    return content


def _outside(tool: Tool, toolset: Toolset) -> Finding:
    path = next(layer.path for layer in toolset.layers if layer.name == tool.origin.layer)
    return found(
        rules.NOW_OUTSIDE,
        pointer("tools", tool.name, "origin", "layer"),
        f"`{tool.name}` comes from `{path}`, which is not in the project",
        tool=tool.name,
        new=tool.origin.layer,
    )


def _scope(tool: Tool, toolset: Toolset) -> Scope | None:
    return next((layer.scope for layer in toolset.layers if layer.name == tool.origin.layer), None)


def _shadows(old: Tool, new: Tool) -> Iterator[Finding]:
    before = {(shadow.layer, shadow.path): shadow for shadow in old.origin.shadows}
    after = {(shadow.layer, shadow.path): shadow for shadow in new.origin.shadows}
    for key, shadow in after.items():
        if key not in before:
            yield _newly_shadows(new, shadow)
    for key, shadow in before.items():
        if key not in after:
            yield found(
                rules.SHADOW_REMOVED,
                pointer("tools", new.name, "origin", "shadows"),
                f"`{new.name}` no longer hides `{shadow.path}` of the layer `{shadow.layer}`",
                tool=new.name,
                old=_spelled(shadow),
            )
    if before.keys() == after.keys() and old.origin.shadows != new.origin.shadows:
        yield found(
            rules.SHADOWS_CHANGED,
            pointer("tools", new.name, "origin", "shadows"),
            f"what `{new.name}` hides is hidden for another reason, or in another order",
            tool=new.name,
            old=[_spelled(shadow) for shadow in old.origin.shadows],
            new=[_spelled(shadow) for shadow in new.origin.shadows],
        )


def _newly_shadows(tool: Tool, shadow: LockedShadow) -> Finding:
    return found(
        rules.NEWLY_SHADOWS,
        pointer("tools", tool.name, "origin", "shadows"),
        f"`{tool.name}` hides `{shadow.path}` of the layer `{shadow.layer}` ({shadow.reason})",
        tool=tool.name,
        new=_spelled(shadow),
    )


def _spelled(shadow: LockedShadow) -> Json:
    return {"layer": shadow.layer, "path": shadow.path, "reason": shadow.reason.value}


# ------------------------------------------------------------------------------------------------------- the toolset


def compare_toolset(old: Toolset, new: Toolset) -> Iterator[Finding]:
    """How layers, hidden names and the host's built-ins changed."""
    yield from _layers(old, new)
    yield from _hidden(old, new)
    yield from _builtins(old.builtins, new.builtins)


def _layers(old: Toolset, new: Toolset) -> Iterator[Finding]:
    before = {layer.name: layer for layer in old.layers}
    after = {layer.name: layer for layer in new.layers}
    places = {layer.name: index for index, layer in enumerate(new.layers)}
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            place, layer = pointer("layers", places[name]), after[name]
            message = f"the layer `{name}` was added (`{layer.path}`)"
            yield found(rules.LAYERS_CHANGED, place, message, new=_described(layer))
        elif name not in after:
            place, layer = pointer("layers", old.layers.index(before[name])), before[name]
            message = f"the layer `{name}` was removed (`{layer.path}`)"
            yield found(rules.LAYERS_CHANGED, place, message, old=_described(layer))
        else:
            yield from _layer(before[name], after[name], places[name], new)
    order = [name for name in before if name in after]
    order_now = [name for name in after if name in before]
    if order != order_now:
        message = "the order of the layers changed, and with it who wins a clash of names"
        yield found(rules.LAYERS_CHANGED, pointer("layers"), message, old=[*order], new=[*order_now])


def _layer(old: LockedLayer, new: LockedLayer, index: int, toolset: Toolset) -> Iterator[Finding]:
    name = new.name
    affects = tuple(sorted(tool.name for tool in toolset.tools.values() if tool.origin.layer == name))
    if old.path != new.path:
        yield found(
            rules.LAYERS_CHANGED,
            pointer("layers", index, "path"),
            f"the layer `{name}` is `{new.path}` now, not `{old.path}`",
            old=old.path,
            new=new.path,
            affects=affects,
        )
    if old.scope is not new.scope:
        widened = new.scope in _NOT_HELD and old.scope not in _NOT_HELD
        yield found(
            rules.SCOPE_WIDENED if widened else rules.SCOPE_CHANGED,
            pointer("layers", index, "scope"),
            f"the scope of the layer `{name}` changed from `{old.scope}` to `{new.scope}`",
            old=old.scope.value,
            new=new.scope.value,
            affects=affects,
        )
    if old.introspect is not new.introspect:
        imports = new.introspect is Introspect.IMPORT
        said = "asks to be imported when it is built" if imports else "is read without being imported"
        yield found(
            rules.IMPORT_INTRODUCED if imports else rules.IMPORT_DROPPED,
            pointer("layers", index, "introspect"),
            f"the layer `{name}` {said} now",
            old=old.introspect.value,
            new=new.introspect.value,
            affects=affects,
        )


def _described(layer: LockedLayer) -> Json:
    return {
        "name": layer.name,
        "path": layer.path,
        "scope": layer.scope.value,
        "introspect": layer.introspect.value,
    }


def _hidden(old: Toolset, new: Toolset) -> Iterator[Finding]:
    for name in sorted(old.hidden.keys() | new.hidden.keys()):
        before, after = (_hiding(side, name) for side in (old, new))
        place = pointer("hidden", name)
        if before is None:
            message = f"no tool carries the name `{name}`: it is lost to a built-in, or disabled"
            yield found(rules.NAME_HIDDEN, place, message, new=after)
        elif after is None:
            yield found(rules.NAME_FREED, place, f"the name `{name}` is no longer lost or disabled", old=before)
        elif before != after:
            message = f"other declarations of `{name}` are hidden, or for another reason"
            yield found(rules.HIDDEN_CHANGED, place, message, old=before, new=after)


def _hiding(toolset: Toolset, name: str) -> list[Json] | None:
    return [_spelled(shadow) for shadow in toolset.hidden[name]] if name in toolset.hidden else None


def _builtins(old: LockedBuiltins | None, new: LockedBuiltins | None) -> Iterator[Finding]:
    before, after = (side.policy.value if side is not None else None for side in (old, new))
    if before != after:
        yield found(
            rules.POLICY_CHANGED,
            pointer("builtins", "policy"),
            f"the clash policy changed from {_said(before)} to {_said(after)}",
            old=given(before),
            new=given(after),
            # That there are built-ins to clash with at all is said of a host; it replaces nothing by itself.
            security=Verdict.INFO if before is None else None,
        )
    overridden = [set(side.overridden) if side else set() for side in (old, new)]
    removed = [set(side.removed) if side else set() for side in (old, new)]
    place = pointer("builtins", "overridden")
    for name in sorted(overridden[1] - overridden[0]):
        message = f"the host's built-in `{name}` is replaced by the tool of that name"
        yield found(rules.BUILTIN_OVERRIDDEN, place, message, new=name, affects=(name,))
    for name in sorted(overridden[0] - overridden[1]):
        message = f"the host's built-in `{name}` is no longer replaced"
        yield found(rules.BUILTIN_BACK, place, message, old=name)
    place = pointer("builtins", "removed")
    for name in sorted(removed[1] - removed[0]):
        yield found(rules.BUILTIN_DROPPED, place, f"the host is to drop its built-in `{name}`", new=name)
    for name in sorted(removed[0] - removed[1]):
        yield found(rules.BUILTIN_RESTORED, place, f"the host is to keep its built-in `{name}`", old=name)


def _said(value: str | None) -> str:
    return "none" if value is None else f"`{value}`"
