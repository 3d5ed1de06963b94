"""What `toolc explain` tells: the story of a name, or a page of the catalogue."""

from __future__ import annotations

from toolc.diagnostics import Code
from toolc.diff.model import Rule
from toolc.explain import HAS_ERRORS, IN_FORCE, Chapter, Story
from toolc.permissions import Decision
from toolc.render import text
from toolc.render.style import Style, clean_line, role_of

_STATES = {
    IN_FORCE: "in force",
    HAS_ERRORS: "has errors",
    "precedence": "hidden by a later layer",
    "builtin": "hidden by the host's built-in",
    "disabled": "switched off",
}


def code(entry: Code, style: Style) -> str:
    """A page of the catalogue."""
    head = style.paint(f"{entry.severity}[{entry.id}]", role_of(entry.severity))
    return f"{head}: {style.paint(entry.title, 'strong')}\n\n{entry.explanation.rstrip()}\n"


def rule(entry: Rule, style: Style) -> str:
    """A page of the rules of the diff."""
    verdicts = f"callers {entry.callers}, hosts {entry.hosts}, security {entry.security}"
    head = f"{style.paint(f'{entry.id} {entry.name}', 'strong')}: {entry.title}"
    return f"{head}\n{verdicts}, unless the finding says otherwise\n\n{entry.explanation.rstrip()}\n"


def name(entry: Story, style: Style) -> str:
    """The verdict first, then what led to it."""
    lines = [style.paint(clean_line(entry.verdict), "strong"), "", "layers, the last wins:"]
    width = max((len(chapter.layer.name) for chapter in entry.layers), default=0)
    for chapter in entry.layers:
        lines += _chapter(chapter, width, style)
    if not entry.layers:
        lines.append("  none")
    lines += ["", "also:", *(f"  {clean_line(fact)}" for fact in entry.facts)] if entry.facts else []
    if entry.permission is not None:
        lines += ["", *_permission(entry.permission, style)]
    told = "\n".join(lines) + "\n"
    if entry.diagnostics:
        told += "\nreported:\n\n" + text.render(entry.diagnostics, style)
    return told


def _chapter(chapter: Chapter, width: int, style: Style) -> list[str]:
    layer = chapter.layer
    head = f"  {clean_line(layer.name):<{width}}  "
    if not chapter.declares:
        said = "does not declare it" if chapter.present else "is not there"
        return [f"{head}{style.paint(f'{clean_line(layer.path)}: {said}', 'faint')}"]
    return [
        f"{head if first else ' ' * len(head)}{clean_line(path)}: "
        + style.paint(_STATES[state], "hint" if state == IN_FORCE else "warning")
        for first, (path, state) in zip((True, *[False] * len(chapter.declares)), chapter.declares, strict=False)
    ]


def _permission(decision: Decision, style: Style) -> list[str]:
    width = max((len(step.origin) for step in decision.steps), default=0)
    lines = [f"permission: {style.paint(decision.level.value, 'strong')}, step by step:"]
    lines += [
        f"  {clean_line(step.origin):<{width}}  {step.level.value:<5}  {clean_line(step.note)}"
        for step in decision.steps
    ]
    return lines
