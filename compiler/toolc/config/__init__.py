"""Decide how a project is compiled: a folder goes in, its config comes out, with the host's answers where it is silent.

`files` reads `toolc.toml`, `check` reports what is wrong in it and keeps the rest, `layers` finds the folders and
judges their scope, `host_permissions` reads what the host itself was told, `acknowledgements` what reviewers answered
for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolc import codes, resources
from toolc.diagnostics import Diagnostic, Reporter, Span, Text
from toolc.model import (
    Acknowledgement,
    Background,
    Builtins,
    ClashPolicy,
    Config,
    DiffSettings,
    EnvPolicy,
    Introspect,
    LayerKind,
    Level,
    Mode,
    Naming,
    OnInvalid,
    PermissionRule,
    Subset,
    ToolSettings,
)
from toolc.names import closest
from toolc.resources import Preset

from .acknowledgements import read_acknowledgements
from .check import check
from .files import ConfigFile, Unusable, read_config
from .host_permissions import HostPermissions, read_host_permissions
from .layers import ListedLayer, locate

__all__ = ["configure", "configure_review", "read_acknowledgements"]

_LAYER_LOST = (codes.LAYER_ABSENT, codes.LAYER_NOT_A_FOLDER, codes.LAYER_UNREADABLE)


def configure(project: Path, reporter: Reporter, *, user_layers: bool = True) -> tuple[Path, Config | None]:
    """The root of the project that holds the folder `project`, and its config; None where nothing can go on.

    `user_layers=False` leaves out the layers under `~`, as `user-layers = "exclude"` does.
    """
    folder = project.resolve()
    for root in (folder, *folder.parents):
        try:
            file = read_config(root, reporter)
        except Unusable:
            return root, None
        if file is not None:
            said = check(file, reporter)
            if said is None:
                return root, None
            preset = resources.preset(said.get("toolset", {}).get("host", "none"))
            return root, _config(root, preset, file, said, reporter, user_layers=user_layers)
    detected = _detect(folder, reporter)
    if detected is None:
        return folder, None
    return folder, _config(folder, detected, None, {}, reporter, user_layers=user_layers)


def configure_review(project: Path, reporter: Reporter) -> tuple[DiffSettings, tuple[Acknowledgement, ...]] | None:
    """How the project that holds a folder judges changes of its lock, and what its reviewers have acknowledged.

    A project without a config judges as the rules do. None where the config, or the file of acknowledgements, is
    wrong: a mistake there could let a change pass.
    """
    folder = project.resolve()
    for root in (folder, *folder.parents):
        try:
            file = read_config(root, reporter)
        except Unusable:
            return None
        if file is None:
            continue
        said = check(file, reporter)
        if said is None:
            return None
        settings, acknowledgements = _diff(said), read_acknowledgements(root, reporter)
        return None if reporter.has_errors else (settings, acknowledgements)
    acknowledgements = read_acknowledgements(folder, reporter)
    return None if reporter.has_errors else (DiffSettings(), acknowledgements)


def _detect(project: Path, reporter: Reporter) -> Preset | None:
    """The preset of the host whose folders the project has."""
    presets = [resources.preset(name) for name in resources.presets()]
    found = [(preset, folder) for preset in presets for folder in preset.detect if (project / folder).is_dir()]
    hosts = {preset.name: preset for preset, _ in found}
    folders = ", ".join(f"`{folder}`" for _, folder in found)
    if not found:
        reporter.report(
            Diagnostic(
                codes.CONFIG_MISSING,
                "there is no `toolc.toml` here or above, and no tools folder of a known host",
                Span(Text(".")),
                hint="`toolc init` writes a config and an example tool",
            )
        )
        return None
    if len(hosts) > 1:
        lines = " or ".join(f'`host = "{name}"`' for name in sorted(hosts))
        reporter.report(
            Diagnostic(
                codes.HOST_UNDECIDED,
                f"there is no `toolc.toml`, and the folders {folders} belong to different hosts",
                Span(Text(".")),
                hint=f"write a `toolc.toml` with `[toolset]` and {lines}",
            )
        )
        return None
    (preset,) = hosts.values()
    reporter.report(
        Diagnostic(
            codes.HOST_DETECTED,
            f"there is no `toolc.toml`; because of {folders} the preset of the host `{preset.name}` is used",
            Span(Text(found[0][1])),
        )
    )
    return preset


# ------------------------------------------------------------------------------------------------------- the config


def _config(
    root: Path, preset: Preset, file: ConfigFile | None, said: dict[str, Any], reporter: Reporter, *, user_layers: bool
) -> Config:
    """What the config says, and the preset where it says nothing. `said` has been checked."""
    toolset: dict[str, Any] = said.get("toolset", {})
    env: dict[str, Any] = said.get("env", {})
    user_layers = user_layers and toolset.get("user-layers", "include") == "include"

    listed = _layers_of_config(said["layers"], file) if file and "layers" in said else _layers_of_preset(preset, file)
    if not listed and file is not None:
        message = "the config has no layers, so the toolset is empty"
        hint = "list the folders that hold tools, each under `[[layers]]`"
        reporter.report(Diagnostic(codes.NO_LAYERS, message, file.span("layers", key=True), hint=hint))
    layers = locate([entry for entry in listed if user_layers or not entry.of_user], root, reporter)

    host = HostPermissions()
    if preset.permission_files is not None:
        host = read_host_permissions(
            preset.permission_files, root, preset.permission, reporter, user_layers=user_layers
        )

    present = {layer.name for layer in layers if layer.present}
    of_user = {entry.path: entry.span for entry in listed if entry.of_user and entry.name in present}
    if host.user_file is not None:
        of_user[host.user_file.path] = host.user_file
    _warn_of_user_files(of_user, reporter)

    return Config(
        root=root,
        toolset=toolset.get("name", "toolset"),
        version=toolset.get("version"),
        host=preset.name,
        layers=layers,
        incomplete=any(diagnostic.code in _LAYER_LOST for diagnostic in reporter.diagnostics),
        naming=Naming(toolset.get("naming", preset.naming)),
        on_invalid=OnInvalid(toolset.get("on-invalid", OnInvalid.ERROR)),
        budget_tokens=int(toolset["budget"]) if "budget" in toolset else None,
        mode=Mode(toolset.get("python", Mode.WORKER)),
        builtins=_builtins(said.get("builtins", {}), preset, file, reporter),
        permissions=(
            PermissionRule(pattern="*", level=preset.permission, origin=f"preset {preset.name}"),
            *host.rules,
            *(_rules_of_config(said["permissions"], file) if file and "permissions" in said else ()),
        ),
        env_policy=EnvPolicy(env.get("policy", preset.env_policy)),
        env_pass=_names(env.get("pass")),
        timeout_s=preset.timeout_s,
        background=preset.background,
        tools=_tools(said.get("tools", {}), file, host.disabled),
        subsets=tuple(
            Subset(
                name=name,
                include=_strings(subset.get("include", ["*"])),
                exclude=_strings(subset.get("exclude")),
                span=file.span("subsets", name, key=True) if file else None,
            )
            for name, subset in sorted(said.get("subsets", {}).items())
        ),
        dependencies={name: _strings(packages) for name, packages in sorted(said.get("dependencies", {}).items())},
        dependencies_span=file.span("dependencies", key=True) if file and "dependencies" in said else None,
        diff=_diff(said),
        acknowledgements=read_acknowledgements(root, reporter),
        span=file.span() if file else None,
    )


def _diff(said: dict[str, Any]) -> DiffSettings:
    table: dict[str, Any] = said.get("diff", {})
    return DiffSettings(
        severity=dict(sorted(table.get("severity", {}).items())),
        allow_security_downgrade=table.get("allow-security-downgrade", False),
    )


def _layers_of_config(tables: list[dict[str, Any]], file: ConfigFile) -> list[ListedLayer]:
    return [
        ListedLayer(
            name=table["name"],
            path=table["path"],
            span=file.span("layers", index, "path"),
            name_span=file.span("layers", index, "name"),
            kind=LayerKind(table.get("kind", LayerKind.AUTO)),
            introspect=Introspect(table.get("introspect", Introspect.SYNTAX)),
            vendored=table.get("vendored", False),
            optional=table.get("optional", False),
        )
        for index, table in enumerate(tables)
    ]


def _layers_of_preset(preset: Preset, file: ConfigFile | None) -> list[ListedLayer]:
    return [
        ListedLayer(name=layer.name, path=layer.path, span=span, name_span=span, optional=True)
        for layer in preset.layers
        for span in [file.span("toolset", "host") if file else Span(Text(layer.path))]
    ]


def _warn_of_user_files(files: Mapping[str, Span], reporter: Reporter) -> None:
    """Say once that the toolset depends on the machine."""
    if files:
        paths = ", ".join(f"`{path}`" for path in files)
        reporter.report(
            Diagnostic(
                codes.USER_LAYERS,
                f"this toolset depends on the user's own files: {paths}",
                next(iter(files.values())),
                hint='leave them out with `user-layers = "exclude"` in `[toolset]`',
            )
        )


def _builtins(said: dict[str, Any], preset: Preset, file: ConfigFile | None, reporter: Reporter) -> Builtins:
    names = _names([*preset.builtins, *said.get("names", [])])
    for index, name in enumerate(said.get("remove", [])):
        if file is not None and name is not None and name not in names:
            near = closest(name, names)
            reporter.report(
                Diagnostic(
                    codes.BUILTIN_UNKNOWN,
                    f"the host `{preset.name}` is not known to have a built-in `{name}`",
                    file.span("builtins", "remove", index),
                    hint=f"did you mean `{near}`?" if near else "if it has one, add it to `names`",
                )
            )
    return Builtins(
        names=names,
        policy=ClashPolicy(said.get("policy", preset.policy)),
        removed=_names(said.get("remove")),
        span=file.span("builtins") if file and said else None,
    )


def _rules_of_config(permissions: str | dict[str, str], file: ConfigFile) -> list[PermissionRule]:
    origin = f"{file.text.path} [permissions]"
    if isinstance(permissions, str):
        return [PermissionRule(pattern="*", level=Level(permissions), origin=origin, span=file.span("permissions"))]
    return [
        PermissionRule(
            pattern=pattern,
            level=Level(level),
            origin=origin,
            span=file.span("permissions", pattern, key=True),
        )
        for pattern, level in permissions.items()
    ]


def _tools(said: dict[str, Any], file: ConfigFile | None, disabled: Mapping[str, Span]) -> dict[str, ToolSettings]:
    """The settings of each tool; a name that the host's file switches off is off unless the config says otherwise."""
    tools = {name: _settings(name, settings, file.span("tools", name)) for name, settings in said.items() if file}
    for name, span in disabled.items():
        settings = tools.get(name, ToolSettings(name=name, span=span))
        if settings.enabled is None:
            tools[name] = replace(settings, enabled=False)
    return dict(sorted(tools.items()))


def _settings(name: str, said: dict[str, Any], span: Span) -> ToolSettings:
    return ToolSettings(
        name=name,
        span=span,
        timeout_s=said.get("timeout"),
        permission=Level(said["permission"]) if "permission" in said else None,
        enabled=said.get("enabled"),
        override=said.get("override"),
        background=Background(said["background"]) if "background" in said else None,
        include=_strings(said.get("include")),
        environment=said.get("environment"),
        mode=Mode(said["python"]) if "python" in said else None,
    )


def _strings(items: list[str | None] | None) -> tuple[str, ...]:
    """The items of an array in their order, without those that were wrong."""
    return tuple(item for item in items or () if item is not None)


def _names(items: list[str | None] | None) -> tuple[str, ...]:
    """The items of an array of names, sorted, each once, without those that were wrong."""
    return tuple(sorted(set(_strings(items))))
