"""The whole story of one name: a compilation and a name go in, who declares it, who wins, why, and what it may do come
out. Nothing is decided here; this tells what the phases decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from toolc.codes import CATALOGUE
from toolc.diagnostics import Code, Diagnostic
from toolc.diff.model import Rule
from toolc.diff.rules import CATALOGUE as RULES
from toolc.model import (
    Broken,
    ClashPolicy,
    Compilation,
    Config,
    Declaration,
    Hidden,
    Layer,
    LockedLayer,
    PythonEntry,
    Reason,
    Resolution,
    Resolved,
    Shadow,
    Tool,
    ToolSettings,
)
from toolc.names import clash_key, closest
from toolc.permissions import Decision, decide

CODE = re.compile(r"(?i)TC?[0-9]+")  # of a diagnostic, or of a rule of the diff
IN_FORCE, HAS_ERRORS = "in force", "has errors"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """What one layer says of the name."""

    layer: Layer | LockedLayer
    declares: tuple[tuple[str, str], ...] = ()  # (path as the user knows it, "in force" or why not), by path

    @property
    def present(self) -> bool:
        """Whether the layer is there; of a lock's layers nobody knows, and nothing depends on it."""
        return not isinstance(self.layer, Layer) or self.layer.present


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything there is to say of one name."""

    name: str
    verdict: str  # who carries it, in a sentence
    path: str | None  # of the declaration in force
    layers: tuple[Chapter, ...]  # in precedence order, the last wins
    facts: tuple[str, ...]  # of the host's built-ins, the project's settings, the compiled tool
    permission: Decision | None  # of a tool; with each step that led to it
    diagnostics: tuple[Diagnostic, ...]  # those that name it


def code(text: str) -> Code | None:
    """The entry of the catalogue, if the text is one of its codes."""
    return CATALOGUE.get(text.upper())


def rule(text: str) -> Rule | None:
    """The rule of a diff, if the text is the id of one."""
    return RULES.get(text.upper())


def story(name: str, compilation: Compilation, config: Config) -> Story | None:
    """The story of a name, or None where nothing in the project and its host has it."""
    resolution = compilation.resolution or Resolution(tools=(), hidden=())
    resolved = next((entry for entry in resolution.tools if entry.winner.name == name), None)
    hidden = next((entry for entry in resolution.hidden if entry.name == name), None)
    claims = tuple(claim for claim in resolution.claims if claim.name == name)
    diagnostics = tuple(entry for entry in compilation.diagnostics if _is_about(entry, name))
    builtin = _builtin_like(name, config)
    if not (resolved or hidden or builtin or diagnostics or claims or name in config.tools):
        return None
    shadows = resolved.shadows if resolved else hidden.shadows if hidden else ()
    winner = resolved.winner if resolved else None
    declared = winner or (shadows[0].declaration if shadows else None)
    toolset = compilation.compiled
    tool = toolset.tools.get(name) if toolset is not None else None
    return Story(
        name=name,
        verdict=_verdict(name, resolved, hidden, builtin, config, diagnostics),
        path=winner.shown if winner else None,
        layers=tuple(_chapter(layer, winner, shadows, claims) for layer in config.layers),
        facts=tuple(_facts(name, builtin, config, tool, toolset.subsets if toolset is not None else {})),
        permission=decide(name, declared.permission, config) if declared else None,
        diagnostics=diagnostics,
    )


def untold(name: str, diagnostics: tuple[Diagnostic, ...]) -> Story:
    """The story of a name in a project whose config leaves open which tools are meant."""
    return Story(
        name=name,
        verdict=f"what the config of the project says cannot be used, so nothing is known of `{name}`",
        path=None,
        layers=(),
        facts=(),
        permission=None,
        diagnostics=diagnostics,
    )


def nearest(name: str, compilation: Compilation, config: Config, *, codes: bool = True) -> str | None:
    """The name that was probably meant, or with `codes` the code."""
    names = {*config.tools, *config.builtins.names}
    if compilation.resolution is not None:
        names |= {entry.winner.name for entry in compilation.resolution.tools}
        names |= {entry.name for entry in compilation.resolution.hidden}
        names |= set(compilation.resolution.broken)
    return closest(name, names) or (nearest_code(name) if codes else None)


def nearest_code(text: str) -> str | None:
    """The code that was probably meant."""
    if not CODE.fullmatch(text) or len(text) != len("TC000"):
        return closest(text.upper(), [*CATALOGUE, *RULES])
    # Two digits that changed places, or the only code with one other digit; what is next to it may be about anything.
    phase, one, other = text[2], text[3], text[4]
    if (swapped := f"TC{phase}{other}{one}") in CATALOGUE:
        return swapped
    slips = [code for code in CATALOGUE if code[2] == phase and (code[3] == one) != (code[4] == other)]
    return slips[0] if len(slips) == 1 else None


# ---------------------------------------------------------------------------------------------------------- chapters


def _chapter(layer: Layer, winner: Declaration | None, shadows: Iterable[Shadow], claims: Iterable[Broken]) -> Chapter:
    declares = [(shadow.declaration.shown, shadow.reason.value) for shadow in shadows if _of(layer, shadow.declaration)]
    declares += [(layer.shown(claim.path), HAS_ERRORS) for claim in claims if claim.layer.name == layer.name]
    if winner is not None and _of(layer, winner):
        declares.append((winner.shown, IN_FORCE))
    return Chapter(layer=layer, declares=tuple(sorted(declares)))


def _of(layer: Layer, declaration: Declaration) -> bool:
    return declaration.layer.name == layer.name


def _verdict(
    name: str,
    resolved: Resolved | None,
    hidden: Hidden | None,
    builtin: str | None,
    config: Config,
    diagnostics: tuple[Diagnostic, ...],
) -> str:
    if resolved is not None:
        winner = resolved.winner
        kind = "Python function" if isinstance(winner.entry, PythonEntry) else "command"
        return f"`{name}` is the {kind} that `{winner.shown}` declares, of the layer `{winner.layer.name}`"
    if hidden is not None and any(shadow.reason is Reason.BUILTIN for shadow in hidden.shadows):
        policy = config.builtins.policy.value
        return f"no tool carries `{name}`: it is the host's built-in `{builtin}`, and the clash policy is `{policy}`"
    if hidden is not None:
        settings = config.tools.get(name)
        where = f" in `{settings.span.path}`" if settings is not None else ""
        return f"no tool carries `{name}`: it is switched off{where}, in every layer"
    if builtin is not None:
        if builtin in config.builtins.removed:
            return f"the host is to drop its built-in `{builtin}`, and no layer declares a tool `{name}`"
        host = "the host" if config.host == "none" else f"the host `{config.host}`"
        return f"`{builtin}` is a built-in of {host}; no layer declares a tool `{name}`"
    if diagnostics:
        return f"no tool carries `{name}`: what was reported says why"
    return f"no layer declares a tool `{name}`; the project has settings for it"


# ------------------------------------------------------------------------------------------------------------- facts


def _facts(
    name: str, builtin: str | None, config: Config, tool: Tool | None, subsets: Mapping[str, tuple[str, ...]]
) -> Iterable[str]:
    if builtin is not None:
        yield _builtin_fact(builtin, config)
    elif config.builtins.names:
        yield "the host has no built-in of this name"
    if (settings := config.tools.get(name)) is not None and (said := _settings(settings)):
        yield f"the project sets {said} (`{settings.span.path}`)"
    if tool is not None:
        yield f"a call may take {tool.timeout_s:g} s; what still runs after it: {tool.background.value}"
        passed = f", and {', '.join(map(_variable, tool.env))}" if tool.env else ""
        yield f"environment: {tool.env_policy.value}{passed}"
    if inside := sorted(subset for subset, members in subsets.items() if name in members):
        yield f"in {'the subset' if len(inside) == 1 else 'the subsets'} {', '.join(f'`{each}`' for each in inside)}"


def _builtin_fact(builtin: str, config: Config) -> str:
    if builtin in config.builtins.removed:
        return f"the host is to drop its built-in `{builtin}`"
    rule = {
        ClashPolicy.PROTECT: "the built-in always wins",
        ClashPolicy.EXPLICIT: "a tool wins only where an override is asked for",
        ClashPolicy.REPLACE: "a tool wins",
    }[config.builtins.policy]
    return f"the host has a built-in `{builtin}`; under the clash policy `{config.builtins.policy.value}` {rule}"


def _settings(settings: ToolSettings) -> str:
    said: dict[str, str | None] = {
        "enabled": None if settings.enabled is None else str(settings.enabled).lower(),
        "override": None if settings.override is None else str(settings.override).lower(),
        "permission": settings.permission,
        "timeout": None if settings.timeout_s is None else f"{settings.timeout_s:g}",
        "background": settings.background,
        "python": settings.mode,
        "environment": settings.environment,
        "include": ", ".join(settings.include) or None,
    }
    return ", ".join(f"{key} = {value}" for key, value in said.items() if value is not None)


def _builtin_like(name: str, config: Config) -> str | None:
    """The host's built-in of this name, or of one that looks the same."""
    names = (*config.builtins.names, *config.builtins.removed)
    if name in names:
        return name
    key = clash_key(name)
    return next((builtin for builtin in names if clash_key(builtin) == key), None)


def _is_about(diagnostic: Diagnostic, name: str) -> bool:
    """Whether a diagnostic names the tool, or is about a file that is called after it."""
    path = PurePosixPath(diagnostic.span.path)
    if path.stem == name or (path.name == "tool.json" and path.parent.name == name):
        return True
    return any(f"`{name}`" in text for text in (diagnostic.message, *(label.message for label in diagnostic.labels)))


def _variable(name: str) -> str:
    return f"`{name[:-1]}` where it is set" if name.endswith("?") else f"`{name}`"
