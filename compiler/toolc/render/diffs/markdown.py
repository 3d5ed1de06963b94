"""A diff as the comment of a pull request: the verdict first, then the worst, nothing of the tools' text rendered.

Data stands in code spans and fences only, fences longer than any run of backticks in them: a description cannot mention
anyone, load a picture, or pose as a verdict. GitHub refuses a comment of more than 65,536 characters, so what is least
grave is told in less words first, and what was left out is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolc.diff import grouping, words
from toolc.diff.grouping import Group
from toolc.diff.model import Absent, Diff, Finding, Verdict
from toolc.diff.words import Change
from toolc.render.diffs.wording import compared, cost, headline, introduced, prose, shown, tools_of, verdicts
from toolc.render.style import clip
from toolc.text import escape

LIMIT = 60_000  # characters; GitHub's own is 65,536

# Words, and nothing that a forge would make a link of.
_PLAIN = re.compile(r"(?:(?!://|www\.)[A-Za-z0-9 ,.;:()'%/+-])*")
_MARKED = {Change.KEPT: "{}", Change.REMOVED: "[-{}-]", Change.ADDED: "{{+{}+}}"}
_MARKS = {
    Verdict.BREAKING: "\u274c",
    Verdict.RISKY: "\u26a0\ufe0f",
    Verdict.SAFE: "\u2705",
    Verdict.INFO: "\u2139\ufe0f",
}


def render(diff: Diff) -> str:
    """The comment. Its first line is a mark by which the next run finds it again."""
    groups = sorted(grouping.groups(diff), key=lambda group: group.first.gravity.rank)
    told = [group for group in groups if group.first.fingerprint not in diff.acknowledged]
    spent = cost(diff)
    head = [
        f"<!-- toolc-diff:{re.sub('[^A-Za-z0-9_.]', '-', diff.new.toolset.name)} -->",
        f"### {_MARKS[told[0].first.gravity if told else Verdict.SAFE]} {_inline(headline(diff))}",
        "",
        f"{_code(diff.old.label)} \u2192 {_code(diff.new.label)}",
        *(["", _inline(spent)] if spent is not None else []),
        "",
    ]
    foot = ["", *_acknowledgements(diff, [group for group in groups if group not in told])]
    room = LIMIT - sum(len(line) + 1 for line in [*head, *foot])
    return "\n".join([*head, *_fitting(told, diff, room), *foot]).rstrip() + "\n"


def _fitting(groups: Sequence[Group], diff: Diff, room: int) -> list[str]:
    """The changes, the worst first, in as many characters: the least grave in one line, or not at all, where needed."""
    told = [_full(group, diff) for group in groups]
    used = sum(len(text) + 1 for text in told)
    for position in range(len(told) - 1, -1, -1):
        if used <= room:
            break
        brief = _brief(groups[position])
        used += len(brief) - len(told[position])
        told[position] = brief
    if used <= room:
        return told
    room -= len(_left_out(len(told)))
    kept = len(told)
    while kept and used > room:
        kept -= 1
        used -= len(told[kept]) + 1
    return [*told[:kept], _left_out(len(told) - kept)]


def _left_out(number: int) -> str:
    return f"\n\u2026 and {number} more, none graver than these: `toolc diff` shows them."


def _brief(group: Group) -> str:
    finding = group.first
    subject = tools_of(group) or ("the toolset" if finding.tool is None else f"`{finding.tool}`")
    return f"- **{verdicts(finding)}** {_inline(clip(subject, 300))}: {_inline(finding.message)} [{finding.rule.id}]"


def _full(group: Group, diff: Diff) -> str:
    finding = group.first
    lines = [_brief(group), *(f"  - {_inline(note)}" for note in finding.notes)]
    if not isinstance(finding.witness, Absent):
        lines += ["  - accepted before, refused now:", "", *_fence(shown(finding.witness), "json"), ""]
    if finding.gravity.rank <= Verdict.RISKY.rank:
        lines.append(f"  - fingerprint {', '.join(f'`{entry.fingerprint}`' for entry in group.findings)}")
    change = "\n".join(f"+ {line}" for line in introduced(diff, finding)) or _change(finding)
    if change:
        lines += ["", "  <details><summary>what changed</summary>", "", *_fence(change, "diff"), "", "  </details>"]
    return "\n".join([*lines, ""])


def _change(finding: Finding) -> str:
    old, new = prose(finding.old), prose(finding.new)
    if old is not None and new is not None and finding.rule.is_text:
        return "".join(_MARKED[edit.change].format(edit.text) for edit in words.diff(old, new))
    sides = zip("-+", compared(finding), strict=True)
    return "\n".join(f"{sign} {shown(value)}" for sign, value in sides if not isinstance(value, Absent))


def _acknowledgements(diff: Diff, groups: Sequence[Group]) -> list[str]:
    lines = [f"{_brief(group)}: {_inline(diff.acknowledged[group.first.fingerprint])}" for group in groups]
    if lines:
        lines = ["<details><summary>acknowledged</summary>", "", *lines, "", "</details>", ""]
    if diff.expired:
        lines.append(f"Acknowledged until a day that is past: {_codes(diff.expired)}  ")
    if diff.stale:
        lines.append(f"Acknowledged, but found no more: {_codes(diff.stale)}  ")
    return lines


# ------------------------------------------------------------------------------------------------- data as data


def _inline(text: str) -> str:
    """Words of ours that quote data in backticks. Where they hold anything else that could be markup, all is quoted."""
    parts = escape(text).replace("\n", " ").split("`")
    if len(parts) % 2 and all(_PLAIN.fullmatch(part) for part in parts[::2]):
        return "".join(_code(part) if position % 2 else part for position, part in enumerate(parts))
    return _code("`".join(parts))


def _code(text: str) -> str:
    """A code span, whatever the text: its delimiters are longer than any run of backticks in it."""
    text = escape(text).replace("\n", " ").strip() or " "
    ticks = "`" * (_longest_run(text) + 1)
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _codes(names: Sequence[str]) -> str:
    return ", ".join(_code(name) for name in names)


def _fence(text: str, language: str) -> list[str]:
    """A fenced block, whatever the text."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return [f"  {fence}{language}", *(f"  {line}" for line in escape(text).split("\n")), f"  {fence}"]


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
