"""Two small toolsets and what a diff says of them, for the tests of the rules."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolc import lock
from toolc.diff import compare
from toolc.diff.model import Diff, Finding, Side
from toolc.model import Digest, LockedLayer, Scope, Tool, Toolset
from toolsets import tool

PROJECT = LockedLayer(name="team", path="team", scope=Scope.PROJECT)
VENDORED = LockedLayer(name="vendor", path="vendor/tools", scope=Scope.VENDORED)
HOME = LockedLayer(name="home", path="~/.aru/tools", scope=Scope.USER)
AWAY = LockedLayer(name="away", path="../shared", scope=Scope.OUTSIDE)


def digest(content: str | bytes, *, executable: bool = False) -> Digest:
    """The digest of a file of this content."""
    data = content.encode() if isinstance(content, str) else content
    return Digest(sha256=hashlib.sha256(data).hexdigest(), executable=executable)


def toolset(*tools: Tool, files: Mapping[str, str] | None = None, **fields: Any) -> Toolset:
    """A toolset of the four layers, with a file for every source that `files` does not have."""
    contents = {source: "pass\n" for each in tools for source in each.sources} | dict(files or {})
    plain = Toolset(
        name="test",
        layers=(HOME, AWAY, VENDORED, PROJECT),
        tools={each.name: each for each in tools},
        files={path: digest(content) for path, content in contents.items()},
    )
    return replace(plain, **fields)


def one(**changes: Any) -> Toolset:
    """A toolset of the tool `words`."""
    return toolset(tool("words", **changes))


def side(held: Toolset | None, *, files: Mapping[str, str | bytes] | None = None) -> Side:
    """A side of a diff: a toolset, or no lock at all; `files` are those that are at hand."""
    contents = {path: data.encode() if isinstance(data, str) else data for path, data in (files or {}).items()}
    if held is None:
        return Side(label="nothing", path="toolset.json", toolset=Toolset(name="toolset"))
    return Side(label="lock", path="toolset.json", lock=lock.encode(held), toolset=held, read=contents.get)


def diff(old: Toolset | None, new: Toolset | None, **options: Any) -> Diff:
    """What changed from one to the other."""
    return compare(side(old), side(new), **options)


def said(finding: Finding) -> str:
    """A finding as the tables of the tests have it: its rule, and its verdicts for callers, hosts and security."""
    return f"{finding.rule.id} {finding.callers}/{finding.hosts}/{finding.security}"


def verdicts(old: Toolset | None, new: Toolset | None, **options: Any) -> list[str]:
    """The findings of a diff, as tables have them, sorted."""
    return sorted(said(finding) for finding in diff(old, new, **options).findings)
