"""A diff for a person at a terminal: the verdict first, then each tool's changes, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from toolc.diff import grouping, words
from toolc.diff.grouping import Group
from toolc.diff.model import Absent, Diff, Finding, Verdict
from toolc.diff.words import Change, Edit
from toolc.render.diffs.wording import compared, cost, headline, introduced, prose, shown, tools_of, verdicts
from toolc.render.style import Role, Style, clean, clean_line

_ROLES: dict[Verdict, Role] = {
    Verdict.BREAKING: "error",
    Verdict.RISKY: "warning",
    Verdict.SAFE: "hint",
    Verdict.INFO: "faint",
}
_MARGIN = 12  # columns of the verdict, and of what stands under it


def render(diff: Diff, style: Style) -> str:
    """The whole diff, ending with a line break."""
    sides = f"{clean_line(diff.old.label)} -> {clean_line(diff.new.label)}"
    lines = [style.paint(f"{headline(diff)} ({sides})", "strong")]
    if (spent := cost(diff)) is not None:
        lines.append(style.paint(spent, "faint"))
    for tool, groups in groupby(sorted(grouping.groups(diff), key=_position), key=_heading):
        lines += ["", style.paint(tool, "strong")]
        for group in groups:
            lines += _group(group, diff, style)
    lines += _acknowledgements(diff)
    return "\n".join(lines) + "\n"


def _position(group: Group) -> tuple[int, str]:
    """The toolset first, then what is about several tools, then each tool."""
    match group.tools:
        case ():
            return (0, "")
        case (tool,):
            return (2, tool)
        case _:
            return (1, "")


def _heading(group: Group) -> str:
    if len(group.tools) > 1:
        return "several tools"
    return clean_line(group.tools[0]) if group.tools else "the toolset"


def _group(group: Group, diff: Diff, style: Style) -> Iterator[str]:
    finding = group.first
    reason = diff.acknowledged.get(finding.fingerprint)
    word = finding.gravity.value
    role = "faint" if reason is not None else _ROLES[finding.gravity]
    head = style.paint(f"  {word:<{_MARGIN - 2}}", role)
    yield f"{head}{clean_line(finding.message)} {style.paint(f'[{finding.rule.id}]', 'faint')}"
    if (about := tools_of(group)) != "":
        yield _under(clean_line(about), style)
    if (said := verdicts(finding)) != word:
        yield _under(said, style, "faint")
    for line in introduced(diff, finding):
        yield _under(f"+ {clean_line(line)}", style, "hint")
    yield from _change(finding, style)
    if not isinstance(finding.witness, Absent):
        yield _under(f"accepted before, refused now: {shown(finding.witness)}", style)
    for note in finding.notes:
        yield _under(clean_line(note), style)
    if reason is not None:
        yield _under(f"acknowledged: {clean_line(reason)}", style, "hint")
    elif finding.gravity.rank <= Verdict.RISKY.rank:
        prints = ", ".join(entry.fingerprint for entry in group.findings)
        yield _under(f"fingerprint {prints}", style, "faint")


def _acknowledgements(diff: Diff) -> Iterator[str]:
    if diff.expired:
        yield f"\nacknowledged until a day that is past: {', '.join(diff.expired)}"
    if diff.stale:
        yield f"\nacknowledged, but found no more: {', '.join(diff.stale)}"


def _change(finding: Finding, style: Style) -> Iterator[str]:
    old, new = prose(finding.old), prose(finding.new)
    if old is not None and new is not None and finding.rule.is_text:
        for line in _edited(words.diff(old, new), style).split("\n"):
            yield _under(line, style)
        return
    before, after = compared(finding)
    if not isinstance(before, Absent):
        yield _under(f"- {shown(before)}", style, "error")
    if not isinstance(after, Absent):
        yield _under(f"+ {shown(after)}", style, "hint")


def _edited(edits: Sequence[Edit], style: Style) -> str:
    """A text with its changed words marked: in colour, or in the brackets of git's word diff."""
    told = []
    for edit in edits:
        text = clean(edit.text)
        match edit.change:
            case Change.KEPT:
                told.append(text)
            case Change.REMOVED:
                told.append(style.paint(text, "error") if style.colour else f"[-{text}-]")
            case Change.ADDED:
                told.append(style.paint(text, "hint") if style.colour else f"{{+{text}+}}")
    return "".join(told)


def _under(text: str, style: Style, role: Role | None = None) -> str:
    return " " * _MARGIN + (text if role is None else style.paint(text, role))
