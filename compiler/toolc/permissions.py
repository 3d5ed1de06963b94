"""What may happen when a tool is called: its name and the config go in, the level and how it came about come out."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from toolc import codes
from toolc.diagnostics import Diagnostic
from toolc.model import Config, Level, PermissionRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One source that had a say, and the level in force after it."""

    origin: str
    level: Level
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The permission of a tool."""

    level: Level
    steps: tuple[Step, ...]  # weakest source first
    warnings: tuple[Diagnostic, ...] = ()


def decide(name: str, declared: Level | None, config: Config) -> Decision:
    """Decide the permission of the tool `name`, which itself asks for `declared`.

    The preset, the host's own files, `[permissions]` and `[tools.NAME]` each overrule what came before; the tool can
    only make the result stricter.
    """
    matching = [rule for rule in config.permissions if fnmatchcase(name, rule.pattern)]
    steps = [Step(origin=rule.origin, level=rule.level, note=_note(rule)) for rule in matching]
    # A config always has the rule of its preset; where a caller made one without, asking is the safe answer.
    level = matching[-1].level if matching else Level.ASK
    warnings = _nested_warnings(name, matching[-1]) if matching else ()

    settings = config.tools.get(name)
    if settings is not None and settings.permission is not None:
        level, warnings = settings.permission, ()
        origin = f"{settings.span.path} [tools.{name}]"
        steps.append(Step(origin=origin, level=level, note="`permission` is set for this tool"))

    if declared is not None:
        stricter = declared.strictness > level.strictness
        note = "makes it stricter" if stricter else f"`{declared}` is no stricter, so it changes nothing"
        level = declared if stricter else level
        steps.append(Step(origin="the tool itself", level=level, note=note))
    return Decision(level=level, steps=tuple(steps), warnings=warnings)


def _nested_warnings(name: str, rule: PermissionRule) -> tuple[Diagnostic, ...]:
    if not rule.nested or rule.span is None:
        return ()
    return (
        Diagnostic(
            codes.PERMISSION_NESTED,
            f"the permission of `{name}` depends on its arguments here; its strictest level, `{rule.level}`, is taken",
            rule.span,
            hint=f"state one level for `{name}` in `[permissions]` of the config",
        ),
    )


def _note(rule: PermissionRule) -> str:
    if rule.pattern == "*":
        return "the default for every tool"
    if rule.nested:
        return f"`{rule.pattern}` matches; the strictest of its levels"
    return f"`{rule.pattern}` matches"
