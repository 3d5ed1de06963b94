"""Choose, for every tool name, the declaration in force. The ranks of the layers decide; input order does not.

Declarations go in, a `Resolution` comes out: each name is either carried by one declaration, which lists those it
hides, or hidden, because a built-in of the host has the name or the project switched it off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from toolc import codes
from toolc.diagnostics import Diagnostic, Label, Reporter
from toolc.model import (
    Broken,
    Builtins,
    ClashPolicy,
    Config,
    Declaration,
    Hidden,
    OnInvalid,
    Parsed,
    PythonEntry,
    Reason,
    Resolution,
    Resolved,
    Scope,
    Shadow,
    ToolSettings,
)
from toolc.names import clash_key, closest, spelled


def resolve(parsed: Parsed, config: Config, reporter: Reporter) -> Resolution:
    """Say for every declared or disabled name who carries it, and report every clash."""
    declared = _by_name(parsed.declarations)
    claimed = _broken_by_name(parsed.broken)
    _check_settings(config, declared.keys() | claimed.keys(), reporter)

    disabled = {name for name, settings in config.tools.items() if settings.enabled is False}
    tools: list[Resolved] = []
    hidden = [Hidden(name=name, shadows=_shadows(declared.get(name, ()), Reason.DISABLED)) for name in disabled]
    for name, declarations in declared.items():
        if name in disabled:
            continue
        _check_layers(declarations, reporter)
        outcome = _against_builtins(declarations, config.builtins, config.tools.get(name), reporter)
        if isinstance(outcome, Hidden):
            hidden.append(outcome)
            continue
        tools.append(outcome)
        if config.on_invalid is OnInvalid.SKIP:
            _check_broken(outcome.winner, claimed.get(name, ()), reporter)
    _check_alike(tools, reporter)
    return Resolution(
        tools=tuple(sorted(tools, key=lambda resolved: resolved.winner.name)),
        hidden=tuple(sorted(hidden, key=lambda entry: entry.name)),
        broken=tuple(sorted(claimed.keys() - declared.keys() - disabled)),
        claims=tuple(claim for claims in claimed.values() for claim in claims),
    )


def _by_name(declarations: Iterable[Declaration]) -> dict[str, tuple[Declaration, ...]]:
    """The declarations of each name, highest rank first."""
    # Within a layer the order means nothing, as two of one name are an error there; it is fixed all the same.
    ordered = sorted(declarations, key=lambda d: (d.name, -d.layer.rank, d.path, d.span.line, d.span.column))
    return {name: tuple(group) for name, group in groupby(ordered, key=lambda d: d.name)}


def _broken_by_name(broken: Iterable[Broken]) -> dict[str, tuple[Broken, ...]]:
    ordered = sorted(broken, key=lambda b: (b.name, -b.layer.rank, b.path, b.span.line, b.span.column))
    return {name: tuple(group) for name, group in groupby(ordered, key=lambda b: b.name)}


def _shadows(declarations: Iterable[Declaration], reason: Reason) -> tuple[Shadow, ...]:
    return tuple(Shadow(declaration=declaration, reason=reason) for declaration in declarations)


# ------------------------------------------------------------------------------------------------- names and layers


def _check_layers(declarations: Sequence[Declaration], reporter: Reporter) -> None:
    """Report names declared twice in a layer, and what the winner shadows. All have one name, highest rank first."""
    firsts: list[Declaration] = []
    for _, group in groupby(declarations, key=lambda d: d.layer.rank):
        first, *others = group
        firsts.append(first)
        for second in others:
            reporter.report(
                Diagnostic(
                    codes.CONFLICT_IN_LAYER,
                    f"`{second.name}` is declared twice in the layer `{second.layer.name}`",
                    second.span,
                    labels=(Label(first.span, "first declared here"),),
                    hint="rename one of them, or move one to another layer",
                )
            )
    winner, *lower = firsts
    if lower:
        layers = ", ".join(f"`{declaration.layer.name}`" for declaration in lower)
        reporter.report(
            Diagnostic(
                codes.SHADOWS,
                f"`{winner.name}` of the layer `{winner.layer.name}` shadows that of {layers}",
                winner.span,
                labels=tuple(Label(declaration.span, "not in force") for declaration in lower),
            )
        )


def _check_alike(tools: Sequence[Resolved], reporter: Reporter) -> None:
    """Report tools that would all be offered under names that look the same."""
    winners = sorted(
        (resolved.winner for resolved in tools), key=lambda d: (clash_key(d.name), d.layer.rank, d.path, d.name)
    )
    for _, group in groupby(winners, key=lambda d: clash_key(d.name)):
        first, *others = group
        for other in others:
            reporter.report(
                Diagnostic(
                    codes.NAMES_ALIKE,
                    f"`{spelled(other.name)}` and `{spelled(first.name)}` are two names that look the same",
                    other.span,
                    labels=(Label(first.span, f"`{spelled(first.name)}` is declared here"),),
                    hint=f"rename one of them, or leave one out with `[tools.{first.name}] enabled = false`",
                )
            )


def _check_broken(winner: Declaration, claims: Sequence[Broken], reporter: Reporter) -> None:
    """Report that leaving out a declaration with errors would put another into force."""
    for claim in claims:
        if claim.layer.rank < winner.layer.rank:
            continue
        reporter.report(
            Diagnostic(
                codes.BROKEN_CLAIMS_NAME,
                f"`{claim.name}` of the layer `{claim.layer.name}` has errors, and leaving it out would put"
                f" `{winner.shown}` in its place",
                claim.span,
                labels=(Label(winner.span, "this one would be in force"),),
                hint=f"mend it or remove it, or leave the name out with `[tools.{claim.name}] enabled = false`",
            )
        )


# --------------------------------------------------------------------------------------------------------- built-ins


def _against_builtins(
    declarations: tuple[Declaration, ...], builtins: Builtins, settings: ToolSettings | None, reporter: Reporter
) -> Resolved | Hidden:
    """Let the winner among the layers meet the built-ins of the host."""
    # Only the winner does: were losers to a built-in dropped first, a lower layer could change who carries the name.
    winner, *lower = declarations
    builtin = _builtin_like(winner.name, builtins)
    wanted = _override(winner, settings)
    if builtin is None:
        if wanted:
            _report_override_of_nothing(winner, builtins, settings, reporter)
        return Resolved(winner=winner, shadows=_shadows(lower, Reason.PRECEDENCE))

    if not _wins(winner, builtins.policy, settings):
        _report_loss(winner, builtin, builtins.policy, settings, reporter)
        return Hidden(name=winner.name, shadows=_shadows(declarations, Reason.BUILTIN))
    reporter.report(
        Diagnostic(
            codes.OVERRIDES_BUILTIN,
            f"`{winner.name}` of the layer `{winner.layer.name}` replaces the host's built-in `{builtin}`",
            winner.span,
        )
    )
    return Resolved(winner=winner, shadows=_shadows(lower, Reason.PRECEDENCE), overrides=builtin)


def _wins(winner: Declaration, policy: ClashPolicy, settings: ToolSettings | None) -> bool:
    match policy:
        case ClashPolicy.PROTECT:
            return False
        case ClashPolicy.EXPLICIT:
            return _override(winner, settings) and _may_override(winner, settings)
        case ClashPolicy.REPLACE:
            return settings is None or settings.override is not False


def _builtin_like(name: str, builtins: Builtins) -> str | None:
    """The built-in of that name, or of one that looks the same, which the host keeps."""
    kept = [builtin for builtin in builtins.names if builtin not in builtins.removed]
    if name in kept:
        return name
    key = clash_key(name)
    return next((builtin for builtin in kept if clash_key(builtin) == key), None)


def _override(declaration: Declaration, settings: ToolSettings | None) -> bool:
    """Whether the tool is meant to replace a built-in; the project's word counts before the tool's."""
    if settings is not None and settings.override is not None:
        return settings.override
    return declaration.override


def _may_override(declaration: Declaration, settings: ToolSettings | None) -> bool:
    """Whether that is for it to say: files outside the project need the project's consent."""
    consent = settings is not None and settings.override is True
    return consent or declaration.layer.scope in (Scope.PROJECT, Scope.VENDORED)


def _report_loss(
    winner: Declaration, builtin: str, policy: ClashPolicy, settings: ToolSettings | None, reporter: Reporter
) -> None:
    name = winner.name
    code = codes.HIDDEN_BY_BUILTIN
    hidden = f"`{name}` of the layer `{winner.layer.name}` is hidden by the host's built-in `{builtin}`"
    consent = f"`[tools.{name}] override = true`"
    if settings is not None and settings.override is False:
        hint = f"`[tools.{name}] override = false` says so; rename the tool, or leave it out with `enabled = false`"
    elif policy is ClashPolicy.PROTECT:
        if _override(winner, settings):
            code = codes.OVERRIDE_IGNORED
            hidden += ", and its override is ignored: the policy is `protect`"
        hint = f'rename the tool, or let the host drop its own with `[builtins] remove = ["{builtin}"]`'
    elif _override(winner, settings):
        code = codes.OVERRIDE_NEEDS_CONSENT
        hidden += ": its `override=True` does not count from outside the project"
        hint = f"if the project agrees to that override, write {consent}"
    else:
        own = "`override=True` in its `@tool(...)`, or " if isinstance(winner.entry, PythonEntry) else ""
        hint = f"if it is meant to replace the built-in, write {own}{consent}; else rename it"
    reporter.report(Diagnostic(code, hidden, winner.span, hint=hint))


def _report_override_of_nothing(
    winner: Declaration, builtins: Builtins, settings: ToolSettings | None, reporter: Reporter
) -> None:
    by_project = settings is not None and settings.override is True
    removed = next((name for name in builtins.removed if clash_key(name) == clash_key(winner.name)), None)
    hint: str | None
    if removed is not None:
        why = f"the project has the host drop `{removed}`"
        hint = "the name is free without it: drop the override"
    else:
        why = "the host has no built-in of that name"
        near = closest(winner.name, builtins.names)
        hint = f"did you mean the built-in `{near}`?" if near else None
        if not builtins.names:
            hint = f'name the host\'s built-ins, as `[builtins] names = ["{winner.name}"]`, or drop the override'
    reporter.report(
        Diagnostic(
            codes.OVERRIDE_OF_NOTHING,
            f"the override of `{winner.name}` replaces nothing: {why}",
            settings.span if settings is not None and by_project else winner.span,
            labels=(Label(winner.span, "the tool"),) if by_project else (),
            hint=hint,
        )
    )


# ---------------------------------------------------------------------------------------------------------- settings


def _check_settings(config: Config, names: Iterable[str], reporter: Reporter) -> None:
    """Report `[tools.NAME]` tables about names that no layer declares."""
    if config.incomplete:
        return
    known = set(names)
    builtins: Mapping[str, str] = {clash_key(name): name for name in reversed(config.builtins.names)}
    for name, settings in sorted(config.tools.items()):
        if name in known:
            continue
        off = settings.enabled is False
        near = closest(name, known)
        builtin = builtins.get(clash_key(name))
        hint = None
        if near is not None:
            hint = f"did you mean `{near}`?"
        elif builtin is not None and builtin not in config.builtins.removed:
            hint = f'`{builtin}` is a built-in of the host: drop it with `[builtins] remove = ["{builtin}"]`'
            if not off:
                hint = f"`{builtin}` is a built-in of the host, which these settings do not reach"
        elif not off:
            hint = "`toolc list` shows the tools there are" if known else "there is no tool in any layer yet"
        reporter.report(
            Diagnostic(
                codes.DISABLED_MATCHES_NOTHING if off else codes.SETTINGS_MATCH_NOTHING,
                f"no layer declares a tool `{name}`" + (" to leave out" if off else ""),
                settings.span,
                hint=hint,
            )
        )
