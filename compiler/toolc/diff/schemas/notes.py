"""Compare what a schema says that decides nothing about a call: defaults, and notes to the reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolc.diff.model import ABSENT, Absent, Rule, Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import Change, Site, change, keyword_said
from toolc.diff.schemas.meaning import notes_of
from toolc.diff.schemas.sensitive import Subject, subjects
from toolc.model import Json
from toolc_runtime.checks import key
from toolc_runtime.nodes import Node

_EVERYWHERE = frozenset({"/", "~", ".", "..", "*", "**", "", "0.0.0.0", "::", "0.0.0.0/0", "::/0"})


def compare_notes(site: Site, left: Sequence[Node], right: Sequence[Node]) -> Iterator[Change]:
    """The annotations of two sides, each said by one of its nodes."""
    before, after = _said(left), _said(right)
    for keyword in sorted(before.keys() | after.keys()):
        old, was = before.get(keyword, (ABSENT, None))
        new, now = after.get(keyword, (ABSENT, None))
        if key(old) == key(new):
            continue
        rule, callers, security = rules.ANNOTATION_CHANGED, Verdict.INFO, Verdict.INFO
        if keyword == "default":
            rule, callers, security = _default(site, old, new)
        yield change(
            rule,
            site,
            f"{site.label}: `{keyword}` {_happened(old, new)}",
            left=keyword_said(was, keyword),
            right=keyword_said(now, keyword),
            callers=callers,
            security=security,
        )


def _said(nodes: Sequence[Node]) -> dict[str, tuple[Json | Absent, Node]]:
    """What the nodes annotate; where two do, the outer one counts."""
    said: dict[str, tuple[Json | Absent, Node]] = {}
    for node in nodes:
        for keyword, value in notes_of(node).items():
            said.setdefault(keyword, (value, node))
    return said


def _happened(old: Json | Absent, new: Json | Absent) -> str:
    return "was added" if isinstance(old, Absent) else "is gone" if isinstance(new, Absent) else "changed"


def _default(site: Site, old: Json | Absent, new: Json | Absent) -> tuple[Rule, Verdict, Verdict]:
    """The rule for a default, and what it does. Of a value that has to be given, a default says nothing."""
    if isinstance(old, Absent):
        return rules.DEFAULT_ADDED, Verdict.INFO, Verdict.INFO
    if isinstance(new, Absent):
        return rules.DEFAULT_REMOVED, Verdict.INFO if site.required else Verdict.RISKY, Verdict.INFO
    if site.required:
        return rules.DEFAULT_CHANGED, Verdict.INFO, Verdict.INFO
    wider = (old is False and new is True) or _covers_more(site.name, old, new)
    return rules.DEFAULT_CHANGED, Verdict.RISKY, Verdict.BREAKING if wider else Verdict.RISKY


def _covers_more(name: str, old: Json, new: Json) -> bool:
    """Whether a path or an address now stands for more than it did."""
    if not subjects(name) & {Subject.PATH, Subject.HOST}:
        return False
    if isinstance(old, list) and isinstance(new, list):
        pairs = zip(old, new, strict=False)
        return len(new) > len(old) or any(_covers_more(name, before, after) for before, after in pairs)
    if not isinstance(old, str) or not isinstance(new, str):
        return False
    shorter = len(new) < len(old) and old.startswith(new)
    return shorter or "*" in new or (new in _EVERYWHERE and old not in _EVERYWHERE)
