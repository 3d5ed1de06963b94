"""Turn the choices of resolution and config into facts: a `Resolution` goes in, the `Toolset` of the lock comes out.

Here every default is filled in, globs become lists of names, and files get the paths they have in a bundle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TypeVar

from toolc import budget, codes
from toolc.diagnostics import Code, Diagnostic, Label, Reporter, Span, Text
from toolc.model import (
    CommandEntry,
    Config,
    Declaration,
    Digest,
    Level,
    LockedBuiltins,
    LockedLayer,
    LockedShadow,
    Mode,
    Origin,
    Resolution,
    Resolved,
    Shadow,
    SourceFile,
    Subset,
    Tool,
    Toolset,
)
from toolc.names import PROVIDER_NAME, TOOL_NAME, closest, is_device, path_key, path_problem, spelled
from toolc.permissions import decide

T = TypeVar("T")

_LARGEST_SHOWN = 3


def lower(resolution: Resolution, config: Config, reporter: Reporter) -> Toolset:
    """Lay down everything the lock says of a toolset."""
    winners = [resolved.winner for resolved in resolution.tools]
    tools = {resolved.winner.name: _tool(resolved, config, reporter) for resolved in resolution.tools}
    offered = {name: tool for name, tool in tools.items() if tool.permission is not Level.DENY}

    for winner in winners:
        _check_tool(winner, config, reporter)
    _check_permissions(resolution, config, reporter)
    _check_dependencies(config, reporter)
    if not tools and not resolution.broken:
        _report_empty(config, reporter)
    else:
        _check_budget(offered, config, reporter)
    return Toolset(
        name=config.toolset,
        version=config.version,
        host=config.host,
        layers=tuple(
            LockedLayer(name=layer.name, path=layer.path, scope=layer.scope, introspect=layer.introspect)
            for layer in config.layers
        ),
        builtins=_builtins(resolution, config),
        subsets={
            subset.name: _subset(subset, tools, offered, resolution, config, reporter) for subset in config.subsets
        },
        tools=tools,
        hidden={entry.name: _locked(entry.shadows) for entry in resolution.hidden},
        files=_files(winners, reporter),
    )


def _place(config: Config) -> Span:
    return config.span or Span(Text("."))  # without a config it is the project that is meant


# ------------------------------------------------------------------------------------------------------------- tools


def _tool(resolved: Resolved, config: Config, reporter: Reporter) -> Tool:
    """The tool as the lock has it: the project's word before the tool's, the tool's before the host's."""
    declaration = resolved.winner
    decision = decide(declaration.name, declaration.permission, config)
    for warning in decision.warnings:
        reporter.report(warning)
    tool = Tool(
        name=declaration.name,
        description=declaration.description,
        input_schema=declaration.input_schema,
        output_schema=declaration.output_schema,
        annotations=declaration.annotations,
        permission=decision.level,
        entry=declaration.entry,
        mode=Mode.WORKER if isinstance(declaration.entry, CommandEntry) else config.mode,
        env_policy=config.env_policy,
        env=_variables(declaration, config),
        timeout_s=_first(declaration.timeout_s, default=config.timeout_s),
        background=_first(declaration.background, default=config.background),
        origin=Origin(
            layer=declaration.layer.name,
            path=declaration.path,
            shadows=_locked(resolved.shadows),
        ),
        sources=tuple(sorted({source.bundle_path for source in declaration.sources})),
    )
    settings = config.tools.get(declaration.name)
    if settings is None:
        return tool
    return replace(
        tool,
        mode=tool.mode if isinstance(declaration.entry, CommandEntry) else _first(settings.mode, default=tool.mode),
        timeout_s=_first(settings.timeout_s, default=tool.timeout_s),
        background=_first(settings.background, default=tool.background),
    )


def _variables(declaration: Declaration, config: Config) -> tuple[str, ...]:
    """The variables a tool gets. It needs those it declares; those the project passes it gets where they are set."""
    needed = set(declaration.env)
    return tuple(sorted(needed | {f"{name}?" for name in config.env_pass if name not in needed}))


def _first(wish: T | None, *, default: T) -> T:
    return default if wish is None else wish


def _locked(shadows: Iterable[Shadow]) -> tuple[LockedShadow, ...]:
    return tuple(
        LockedShadow(layer=shadow.declaration.layer.name, path=shadow.declaration.path, reason=shadow.reason)
        for shadow in shadows
    )


def _builtins(resolution: Resolution, config: Config) -> LockedBuiltins | None:
    """What the host is to do with its own tools; None where the project knows of none."""
    builtins = config.builtins
    if not builtins.names and not builtins.removed:
        return None
    overridden = {resolved.overrides for resolved in resolution.tools if resolved.overrides is not None}
    return LockedBuiltins(policy=builtins.policy, overridden=tuple(sorted(overridden)), removed=builtins.removed)


def _check_tool(winner: Declaration, config: Config, reporter: Reporter) -> None:
    """Report a name that not every system or provider carries, and settings without effect."""
    name = winner.name
    assert TOOL_NAME.fullmatch(name), f"a front end let the name `{spelled(name)}` through"
    if is_device(name):
        message = f"`{name}` cannot have a wrapper: a file of that name is a device on Windows"
        reporter.report(Diagnostic(codes.PATH_NOT_PORTABLE, message, winner.span, hint="rename the tool"))
    if not PROVIDER_NAME.fullmatch(name):
        reporter.report(
            Diagnostic(
                codes.NAME_NOT_PORTABLE,
                f"`{name}` begins with a digit, and providers such as Gemini do not carry such a name",
                winner.span,
                hint="begin the name with a letter",
            )
        )
    settings = config.tools.get(name)
    if settings is not None and isinstance(winner.entry, CommandEntry):
        ineffective = {
            "python": settings.mode is not None,
            "environment": settings.environment is not None,
            "include": bool(settings.include),
        }
        for key, said in ineffective.items():
            if said:
                reporter.report(
                    Diagnostic(
                        codes.SETTING_NOT_FOR_COMMAND,
                        f"`{key}` changes nothing for `{name}`, which is a command",
                        settings.span,
                        labels=(Label(winner.span, "declared by this manifest"),),
                    )
                )


def _check_dependencies(config: Config, reporter: Reporter) -> None:
    environments = [f"`{name}`" for name, requirements in sorted(config.dependencies.items()) if requirements]
    if environments:
        reporter.report(
            Diagnostic(
                codes.DEPENDENCIES_NOT_LOCKED,
                f"the packages of {', '.join(environments)} are neither locked nor installed by this version of toolc",
                config.dependencies_span or _place(config),
                hint="have them in the host's own Python, which runs its tools; a wrapper has no packages",
            )
        )


def _report_empty(config: Config, reporter: Reporter) -> None:
    """Say that there are no tools, and which folders were looked at for them."""
    there, missing = (
        [f"`{layer.path}`" for layer in config.layers if layer.present is present] for present in (True, False)
    )
    hint = None
    if there:
        gone = f"; not there: {', '.join(missing)}" if missing else ""
        hint = f"looked in {', '.join(there)}{gone}; `toolc list --all` says what became of every file"
    elif missing:
        hint = f"tools are looked for in {', '.join(missing)}, and no such folder is there"
    message = "no layer declares a tool that is in force"
    reporter.report(Diagnostic(codes.TOOLSET_EMPTY, message, _place(config), hint=hint))


# --------------------------------------------------------------------------------------------- permissions, subsets


def _check_permissions(resolution: Resolution, config: Config, reporter: Reporter) -> None:
    """Report rules of the project's own `[permissions]` that are about nothing."""
    if config.incomplete:
        return
    # Rules of a host's permission file also speak of the host's own tools and categories.
    names = [resolved.winner.name for resolved in resolution.tools]
    others = {*resolution.broken, *(entry.name for entry in resolution.hidden)}
    for rule in config.permissions:
        if "[permissions]" not in rule.origin or rule.pattern == "*":
            continue
        if any(fnmatchcase(name, rule.pattern) for name in (*names, *others)):
            continue
        reporter.report(
            Diagnostic(
                codes.PERMISSION_MATCHES_NOTHING,
                f"the rule `{rule.pattern}` of `[permissions]` matches no tool",
                rule.span or _place(config),
                hint=_suggestion(rule.pattern, names, config),
            )
        )


def _subset(
    subset: Subset,
    tools: Mapping[str, Tool],
    offered: Mapping[str, Tool],
    resolution: Resolution,
    config: Config,
    reporter: Reporter,
) -> tuple[str, ...]:
    """The names a subset stands for."""
    span = subset.span or _place(config)
    hidden = [entry.name for entry in resolution.hidden]
    # To exclude what is denied or hidden is no mistake: it is not in the view either way.
    gone = (*tools, *hidden, *config.builtins.names)
    unmatched = [pattern for pattern in dict.fromkeys(subset.include) if not _matching(pattern, offered)]
    unmatched += [pattern for pattern in dict.fromkeys(subset.exclude) if not _matching(pattern, gone)]
    unmatched = [pattern for pattern in unmatched if pattern != "*" and not _matching(pattern, resolution.broken)]
    for pattern in unmatched if not config.incomplete else ():
        hint: str | None
        if _matching(pattern, tools):
            hint = "the tools it matches are denied, and a denied tool is in no subset"
        elif _matching(pattern, hidden):
            hint = "the tools it matches are hidden by a built-in or disabled"
        else:
            hint = _suggestion(pattern, offered, config)
        reporter.report(
            Diagnostic(
                codes.SUBSET_MATCHES_NOTHING,
                f"`{pattern}` of the subset `{subset.name}` matches no tool that is offered",
                span,
                hint=hint,
            )
        )
    chosen = {name for pattern in subset.include for name in _matching(pattern, offered)}
    chosen -= {name for pattern in subset.exclude for name in _matching(pattern, offered)}
    if not chosen and offered and not unmatched:
        reporter.report(Diagnostic(codes.SUBSET_EMPTY, f"the subset `{subset.name}` holds no tool", span))
    return tuple(sorted(chosen))


def _matching(pattern: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if fnmatchcase(name, pattern)]


def _suggestion(pattern: str, names: Iterable[str], config: Config) -> str | None:
    if _matching(pattern, config.builtins.names):
        return "the built-ins of the host are not part of the toolset"
    near = closest(pattern, names)
    return f"did you mean `{near}`?" if near is not None else None


# ------------------------------------------------------------------------------------------------------------- files


def _files(winners: Sequence[Declaration], reporter: Reporter) -> dict[str, Digest]:
    """What ships, by bundle path."""
    files: dict[str, SourceFile] = {}
    for winner in winners:
        for source in winner.sources:
            known = files.setdefault(source.bundle_path, source)
            if known.sha256 != source.sha256:
                _report_file(
                    codes.CHANGED_WHILE_BUILDING, f"`{source.shown}` changed while it was read", source, reporter
                )
    _check_paths(files, reporter)
    return {path: Digest(sha256=file.sha256, executable=file.executable) for path, file in sorted(files.items())}


def _check_paths(files: Mapping[str, SourceFile], reporter: Reporter) -> None:
    """Report paths that could not stand in every file system, alone or beside another."""
    # Folders are compared too: `Lib/a.py` and `lib/b.py` would land in one folder, or in two, by file system.
    spellings: dict[str, tuple[str, SourceFile]] = {}
    for path, file in sorted(files.items()):
        problem = path_problem(path)
        if problem is not None:
            _report_file(codes.PATH_NOT_PORTABLE, f"`{file.shown}` cannot be shipped: {problem}", file, reporter)
            continue
        segments = path.split("/")
        for end in range(1, len(segments) + 1):
            spelling = "/".join(segments[:end])
            known, owner = spellings.setdefault(path_key(spelling), (spelling, file))
            if known != spelling:
                message = f"`{file.shown}` and `{owner.shown}` have paths that some file systems take for one"
                _report_file(codes.PATHS_COLLIDE, message, file, reporter)
                break


def _report_file(code: Code, message: str, file: SourceFile, reporter: Reporter) -> None:
    reporter.report(Diagnostic(code, message, Span(Text(file.shown))))


# ------------------------------------------------------------------------------------------------------------ budget


def _check_budget(offered: Mapping[str, Tool], config: Config, reporter: Reporter) -> None:
    """Report definitions that cost more of a prompt than the project allows."""
    if config.budget_tokens is None:
        return
    sizes = {name: budget.characters(tool) for name, tool in offered.items()}
    total = budget.tokens(budget.characters_of_all(offered.values()))
    if total <= config.budget_tokens:
        return
    largest = sorted(sizes, key=lambda name: (-sizes[name], name))[:_LARGEST_SHOWN]
    reporter.report(
        Diagnostic(
            codes.BUDGET_EXCEEDED,
            f"the definitions of {len(offered)} tools take about {total:,} tokens, over the budget of"
            f" {config.budget_tokens:,}",
            _place(config),
            hint="the largest are " + ", ".join(f"`{name}` with {budget.tokens(sizes[name]):,}" for name in largest),
        )
    )
