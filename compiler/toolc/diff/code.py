"""What changed in the files that tools run: two sides go in, one finding a file comes out, with the tools it reaches.

The lock says that a file changed and not how. Where the bytes of both sides are at hand, a change that Python does not
see (comments, layout, docstrings) is told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolc.diff import reformatting
from toolc.diff.members import Membership
from toolc.diff.model import ABSENT, Absent, Finding, Rule, Side, Verdict, found, pointer
from toolc.diff.rules import execution as rules
from toolc.model import Digest, Scope, Tool, Toolset


def compare(old: Side, new: Side, membership: Membership) -> Iterator[Finding]:
    """The files that changed, and the tools that other files can change now.

    Files that only tools have that came or went are part of those. So are those of a tool that comes from another
    layer: there it is another tool, and `origin` says so.
    """
    before, after = old.toolset, new.toolset
    requirements = {environment.requirements for side in (before, after) for environment in side.python.values()}
    stayed = [(was, now) for was, now in membership.kept if was.origin.layer == now.origin.layer]
    users = _users(stayed)
    excused = _excused(membership, stayed)
    for path in sorted(before.files.keys() | after.files.keys()):
        affects = users.get(path, ())
        was, now = before.files.get(path), after.files.get(path)
        if was == now or (not affects and path in excused):
            continue
        if path not in requirements and (was is None or now is None or was.sha256 != now.sha256):
            yield _changed(path, affects, old, new)
        if was is not None and now is not None and was.executable != now.executable:
            yield _executable(path, affects, now, after)
    for was_tool, now_tool in stayed:
        yield from _sources(was_tool, now_tool, before, after)


def _users(pairs: list[tuple[Tool, Tool]]) -> Mapping[str, tuple[str, ...]]:
    """For each file, the tools that it can change on either side, by name."""
    users: dict[str, set[str]] = {}
    for old, new in pairs:
        for path in (*old.sources, *new.sources):
            users.setdefault(path, set()).add(new.name)
    return {path: tuple(sorted(tools)) for path, tools in users.items()}


def _excused(membership: Membership, stayed: list[tuple[Tool, Tool]]) -> set[str]:
    """The files of tools that came, went or moved."""
    moved = [tool for pair in membership.kept if pair not in stayed for tool in pair]
    return {path for tool in (*membership.added, *membership.removed, *moved) for path in tool.sources}


# ------------------------------------------------------------------------------------------------------------- files


def _changed(path: str, affects: tuple[str, ...], old: Side, new: Side) -> Finding:
    was, now = old.toolset.files.get(path), new.toolset.files.get(path)
    verb = "was added" if was is None else "was removed" if now is None else "changed"
    held = _held(path, new.toolset if now is not None else old.toolset)
    notes: list[str] = []
    rule = _rule(affects, held=held)
    callers = security = None
    if rule is rules.SHARED_CODE_CHANGED and not held:
        callers = security = Verdict.RISKY
    if was is not None and now is not None:
        kept = reformatting.is_reformatting(path, old.read(path), new.read(path), was, now)
        if kept is None:
            notes.append("the files of both sides are not at hand, so how it changed is not known")
        elif kept:
            rule, callers, security = rules.CODE_REFORMATTED, None, None
    return found(
        rule,
        pointer("files", path),
        f"`{(old if now is None else new).toolset.shown(path)}` {verb}"
        + (" in comments, docstrings or layout alone" if rule is rules.CODE_REFORMATTED else ""),
        tool=affects[0] if len(affects) == 1 else None,
        old=_spelled(was),
        new=_spelled(now),
        callers=callers,
        security=security,
        notes=tuple(notes),
        affects=affects,
    )


def _rule(affects: tuple[str, ...], *, held: bool) -> Rule:
    if len(affects) > 1:
        return rules.SHARED_CODE_CHANGED
    return rules.CODE_CHANGED if held else rules.FOREIGN_CODE_CHANGED


def _held(path: str, toolset: Toolset) -> bool:
    """Whether the file is of a layer whose changes are in this project's own review."""
    folders = path.split("/")  # tools/<layer>/<path>
    return any([each.name] == folders[1:2] and each.scope is Scope.PROJECT for each in toolset.layers)


def _executable(path: str, affects: tuple[str, ...], now: Digest, after: Toolset) -> Finding:
    return found(
        rules.MODE_OF_FILE_CHANGED,
        pointer("files", path),
        f"`{after.shown(path)}` is {'executable now' if now.executable else 'no longer executable'}",
        tool=affects[0] if len(affects) == 1 else None,
        old=not now.executable,
        new=now.executable,
        security=None if now.executable else Verdict.INFO,
        affects=affects,
    )


def _sources(old: Tool, new: Tool, before: Toolset, after: Toolset) -> Iterator[Finding]:
    """Files that a tool gained or lost and that are not new or gone themselves."""
    gained = sorted(path for path in {*new.sources} - {*old.sources} if path in before.files)
    lost = sorted(path for path in {*old.sources} - {*new.sources} if path in after.files)
    for paths, said in ((gained, "can be changed by"), (lost, "can no longer be changed by")):
        for path in paths:
            yield found(
                rules.SOURCES_CHANGED,
                pointer("tools", new.name, "sources"),
                f"`{new.name}` {said} `{after.shown(path)}`",
                tool=new.name,
                old=path if paths is lost else ABSENT,
                new=path if paths is gained else ABSENT,
            )


def _spelled(digest: Digest | None) -> str | Absent:
    return ABSENT if digest is None else f"sha256:{digest.sha256}"
