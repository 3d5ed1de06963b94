"""Which tools and views a toolset has: two toolsets go in, who stayed, came, went or was renamed comes out, with the
findings about that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass

from toolc.diff.model import Finding, Verdict, found, given, pointer
from toolc.diff.rules import members as rules
from toolc.lock.write import spell
from toolc.model import CommandEntry, Json, Level, Tool, Toolset
from toolc.names import clash_key
from toolc.tool_digest import ToolDigests, tool_digests

SIMILAR = 0.8  # from here on two interfaces may be one under two names
_PAIRS_LIMIT = 10_000  # of tools that went and came; beyond that only equal digests are looked for

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Who is who on the two sides."""

    kept: tuple[tuple[Tool, Tool], ...]  # old and new, by the new name; those that were renamed among them
    added: tuple[Tool, ...]  # by name
    removed: tuple[Tool, ...]  # by name
    renamed: Mapping[str, str]  # old name -> new name
    resembling: Mapping[str, tuple[str, str]]  # new name -> the old one that it may have been, and why


def match(old: Toolset, new: Toolset) -> Membership:
    """Pair the tools of two sides by their names, then by their digests."""
    gone = sorted(old.tools.keys() - new.tools.keys())
    come = sorted(new.tools.keys() - old.tools.keys())
    before, after = tool_digests(old), tool_digests(new)
    renamed = _renamed(gone, come, before, after)
    added = tuple(new.tools[name] for name in come if name not in renamed.values())
    removed = tuple(old.tools[name] for name in gone if name not in renamed)
    names = {name: name for name in new.tools if name in old.tools} | {now: was for was, now in renamed.items()}
    return Membership(
        kept=tuple((old.tools[was], new.tools[now]) for now, was in sorted(names.items())),
        added=added,
        removed=removed,
        renamed=renamed,
        resembling=_resembling(removed, added, before, after),
    )


def names(old: Toolset, new: Toolset) -> frozenset[str]:
    """Every name of a tool that a text could mean: of both sides, hidden ones, and the built-ins we know of."""
    known: set[str] = set()
    for toolset in (old, new):
        known |= toolset.tools.keys() | toolset.hidden.keys()
        if toolset.builtins is not None:
            known |= {*toolset.builtins.overridden, *toolset.builtins.removed}
    return frozenset(known)


# ------------------------------------------------------------------------------------------------------------- tools


def compare(old: Toolset, new: Toolset, membership: Membership) -> Iterator[Finding]:
    """Tools that came, went or have another name."""
    digests = tool_digests(new) if membership.added else {}
    for tool in membership.added:
        yield _added(tool, digests[tool.name])
    for tool in membership.removed:
        yield found(
            rules.TOOL_REMOVED, pointer("tools", tool.name), f"`{tool.name}` was removed", tool=tool.name, old=tool.name
        )
    for was, now in sorted(membership.renamed.items()):
        yield found(
            rules.TOOL_RENAMED,
            pointer("tools", now),
            f"`{was}` is called `{now}` now",
            tool=now,
            old=was,
            new=now,
            notes=("approvals of the old name do not carry over",),
        )
    for now, (was, why) in sorted(membership.resembling.items()):
        yield found(
            rules.TOOL_PROBABLY_RENAMED,
            pointer("tools", now),
            f"`{now}` may be what `{was}` was: {why}",
            tool=now,
            old=was,
            new=now,
            notes=(f"`{was}` is listed as removed and `{now}` as added", "approvals do not carry over"),
        )
    yield from _collisions(old, new)


def _added(tool: Tool, digests: ToolDigests) -> Finding:
    # The digests are the value that was added: who accepts the tool accepts what it is, not whatever has its name.
    value: dict[str, Json] = {**asdict(digests)}
    reasons = []
    if tool.permission is Level.ALLOW:
        reasons.append("it runs unasked")
    if isinstance(tool.entry, CommandEntry):
        reasons.append("it starts a program")
    if tool.permission is Level.DENY:
        reasons = ["it is denied: nobody can call it"]
    offered = tool.permission is not Level.DENY
    return found(
        rules.TOOL_ADDED,
        pointer("tools", tool.name),
        f"`{tool.name}` was added",
        tool=tool.name,
        new=value,
        security=Verdict.RISKY if reasons and offered else None,
        notes=tuple(reasons),
    )


def _renamed(
    gone: Iterable[str], come: Iterable[str], before: Mapping[str, ToolDigests], after: Mapping[str, ToolDigests]
) -> dict[str, str]:
    """Old to new name of the tools that are the same by interface and behaviour."""
    # Of several that are equal, the first old name goes with the first new one: which it was, nobody can tell.
    unclaimed: dict[tuple[str, str], list[str]] = {}
    for name in come:
        unclaimed.setdefault((after[name].interface, after[name].behaviour), []).append(name)
    pairs = {}
    for name in gone:
        candidates = unclaimed.get((before[name].interface, before[name].behaviour))
        if candidates:
            pairs[name] = candidates.pop(0)
    return pairs


def _resembling(
    removed: tuple[Tool, ...],
    added: tuple[Tool, ...],
    before: Mapping[str, ToolDigests],
    after: Mapping[str, ToolDigests],
) -> dict[str, tuple[str, str]]:
    """New name to the old one that it may have been, and why; each name at most once, the most alike first."""
    scores = []
    thorough = len(removed) * len(added) <= _PAIRS_LIMIT
    words = {side: {tool.name: _words(tool) for tool in tools} for side, tools in enumerate((removed, added))}
    for old in removed:
        for new in added:
            if before[old.name].behaviour == after[new.name].behaviour:
                scores.append((2.0, old.name, new.name, "it runs the same program"))
            elif before[old.name].interface == after[new.name].interface:
                scores.append((1.5, old.name, new.name, "a model reads the same of it"))
            elif thorough and (alike := _similarity(words[0][old.name], words[1][new.name])) >= SIMILAR:
                scores.append((alike, old.name, new.name, f"what a model reads of it is {alike:.0%} the same"))
    pairs: dict[str, tuple[str, str]] = {}
    taken: set[str] = set()
    for _, was, now, why in sorted(scores, key=lambda score: (-score[0], score[1], score[2])):
        if was not in taken and now not in pairs:
            taken.add(was)
            pairs[now] = (was, why)
    return pairs


def _words(tool: Tool) -> tuple[Counter[str], Counter[str]]:
    """The words of a description, and those of the schema."""
    return Counter(_WORD.findall(tool.description.lower())), Counter(_WORD.findall(spell(tool.input_schema).lower()))


def _similarity(old: tuple[Counter[str], Counter[str]], new: tuple[Counter[str], Counter[str]]) -> float:
    """How much of two interfaces is common, 0 to 1. The description counts as much as the schema: many tools take one
    text, and few say the same of it."""
    shares = []
    for before, after in zip(old, new, strict=True):
        total = before.total() + after.total()
        shares.append(2 * (before & after).total() / total if total else 1.0)
    return sum(shares) / len(shares)


def _collisions(old: Toolset, new: Toolset) -> Iterator[Finding]:
    """Names that look the same on the new side, and did not collide before."""
    by_key: dict[str, list[str]] = {}
    for name in sorted(new.tools):
        by_key.setdefault(clash_key(name), []).append(name)
    for alike in by_key.values():
        if len(alike) > 1 and not all(name in old.tools for name in alike):
            said = " and ".join(f"`{name}`" for name in alike)
            yield found(
                rules.NAMES_COLLIDE,
                pointer("tools", alike[-1]),
                f"{said} look the same to a reader or a provider",
                new=[*alike],
                affects=tuple(alike),
            )


# ------------------------------------------------------------------------------------------------------- the toolset


def compare_toolset(old: Toolset, new: Toolset, membership: Membership) -> Iterator[Finding]:
    """The name, version, host and views of the toolset."""
    for rule, key, before, after, what in (
        (rules.TOOLSET_RENAMED, "toolset", old.name, new.name, "the name of the toolset"),
        (rules.VERSION_CHANGED, "version", old.version, new.version, "the version of the toolset"),
        (rules.HOST_CHANGED, "host", old.host, new.host, "the host of the toolset"),
    ):
        if before != after:
            message = f"{what} changed from {_said(before)} to {_said(after)}"
            yield found(rule, pointer(key), message, old=given(before), new=given(after))
    yield from _subsets(old, new, membership)


def _subsets(old: Toolset, new: Toolset, membership: Membership) -> Iterator[Finding]:
    went = {tool.name for tool in membership.removed}
    for name in sorted(old.subsets.keys() | new.subsets.keys()):
        place = pointer("subsets", name)
        if name not in old.subsets:
            members = [*sorted(new.subsets[name])]
            yield found(rules.SUBSET_ADDED, place, f"the subset `{name}` was added", new=[*members])
            continue
        if name not in new.subsets:
            members = [*sorted(old.subsets[name])]
            yield found(rules.SUBSET_REMOVED, place, f"the subset `{name}` was removed", old=[*members])
            continue
        before = {membership.renamed.get(tool, tool) for tool in old.subsets[name]}
        after = {*new.subsets[name]}
        for tool in sorted(after - before):
            message = f"the subset `{name}` has `{tool}` now"
            yield found(rules.SUBSET_GAINED, place, message, new=tool, affects=(tool,))
        for tool in sorted(before - after - went):
            message = f"the subset `{name}` no longer has `{tool}`"
            yield found(rules.SUBSET_LOST, place, message, old=tool, affects=(tool,))


def _said(value: str | None) -> str:
    return "none" if value is None else f"`{value}`"
