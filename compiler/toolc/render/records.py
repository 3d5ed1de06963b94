"""Answers as JSON: the shapes that scripts rely on. Text stays ASCII, so that any stream carries it and no control
character of the data reaches a terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from toolc.diagnostics import Code, Diagnostic, Severity, Span
from toolc.model import Json, LockedShadow

if TYPE_CHECKING:
    from toolc.artifact import Digests
    from toolc.diff.model import Rule
    from toolc.explain import Story
    from toolc.listing import Listing
    from toolc.pipeline import Built
    from toolc.scaffold import Scaffold
    from toolc.tool_digest import ToolDigests

Record: TypeAlias = "dict[str, Json]"


def dumps(record: Json) -> str:
    """The record as it is printed."""
    return json.dumps(_readable(record), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _readable(value: Json) -> Json:
    """The same, with bytes that are no text spelled out: strict readers refuse the lone surrogates they decode to."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case list():
            return [_readable(item) for item in value]
        case dict():
            return {str(_readable(key)): _readable(item) for key, item in value.items()}
        case _:
            return value


def check(diagnostics: Sequence[Diagnostic]) -> Record:
    """Every diagnostic, notes among them, and how many there are of each severity."""
    return {"diagnostics": [diagnostic(entry) for entry in diagnostics], "summary": summary(diagnostics)}


def diagnostic(entry: Diagnostic) -> Record:
    """One diagnostic; what has no place in its file has null for line and columns."""
    return {
        "code": entry.code.id,
        "severity": entry.level.value,
        "message": entry.message,
        **_place(entry.span),
        "hint": entry.hint,
        "labels": [{"message": label.message, **_place(label.span)} for label in entry.labels],
    }


def summary(diagnostics: Sequence[Diagnostic]) -> Record:
    """`{"errors": 2, "warnings": 1, "notes": 0}`."""
    return {f"{severity}s": sum(1 for entry in diagnostics if entry.level is severity) for severity in Severity}


def listed(listing: Listing, *, everything: bool) -> Record:
    """The list of tools; with `everything`, the names that no tool carries too."""
    record: Record = {
        "tools": [
            {
                "name": row.name,
                "description": row.description,
                "kind": row.kind,
                "layer": row.layer,
                "path": row.path,
                "permission": row.permission,
                "parameters": dict(row.parameters),
                "returns": None if row.returns is None else dict(row.returns),
                "shadows": _shadows(row.shadows),
            }
            for row in listing.tools
        ],
        "skipped": [{"path": entry.path, "reason": entry.reason, "code": entry.code} for entry in listing.skipped],
    }
    if everything:
        record["hidden"] = {name: _shadows(shadows) for name, shadows in listing.hidden}
    return record


def built(outcome: Built) -> Record:
    """What a build came to; null where nothing was written."""
    bundle = outcome.bundle
    return {
        "path": None if bundle is None else _relative(bundle.path, outcome.compilation.root),
        "toolset": None if bundle is None else bundle.toolset_digest,
        "bundle": None if bundle is None else bundle.bundle_digest,
        "written": bundle is not None and bundle.written,
        **locked(outcome),
    }


def locked(outcome: Built) -> Record:
    """What became of the lock, and the diagnostics."""
    lock = outcome.lock
    return {
        "lock": None
        if lock is None
        else {
            "path": _relative(lock.path, outcome.compilation.root),
            "toolset": lock.digest,
            "stale": lock.stale and not outcome.lock_written,
            "written": outcome.lock_written,
            "changes": list(lock.changes),
        },
        **check(outcome.diagnostics),
    }


def verified(diagnostics: Sequence[Diagnostic], digests: Digests | None) -> Record:
    """The faults of a bundle; its digests where it has none."""
    return {
        "toolset": None if digests is None else digests.toolset,
        "bundle": None if digests is None else digests.bundle,
        **check(diagnostics),
    }


def identities(digests: Digests, tools: Mapping[str, ToolDigests] | None = None) -> Record:
    """The digests by their words; a lock alone has no bundle's. Those of the tools only where they were asked for."""
    record: Record = {"toolset": digests.toolset, "bundle": digests.bundle}
    if tools is not None:
        record["tools"] = {
            name: {"interface": entry.interface, "behaviour": entry.behaviour, "grant": entry.grant}
            for name, entry in tools.items()
        }
    return record


def code(entry: Code) -> Record:
    """An entry of the catalogue."""
    return {
        "code": entry.id,
        "severity": entry.severity.value,
        "title": entry.title,
        "explanation": entry.explanation,
    }


def rule(entry: Rule) -> Record:
    """A rule of the diff."""
    return {
        "rule": entry.id,
        "name": entry.name,
        "callers": entry.callers.value,
        "hosts": entry.hosts.value,
        "security": entry.security.value,
        "title": entry.title,
        "explanation": entry.explanation,
    }


def story(entry: Story) -> Record:
    """Everything there is to say of one name."""
    permission: Record | None = None
    if entry.permission is not None:
        permission = {
            "level": entry.permission.level.value,
            "steps": [
                {"origin": step.origin, "level": step.level.value, "note": step.note} for step in entry.permission.steps
            ],
        }
    return {
        "name": entry.name,
        "verdict": entry.verdict,
        "path": entry.path,
        "layers": [
            {
                "name": chapter.layer.name,
                "path": chapter.layer.path,
                "scope": chapter.layer.scope.value,
                "present": chapter.present,
                "declares": [{"path": path, "state": state} for path, state in chapter.declares],
            }
            for chapter in entry.layers
        ],
        "facts": list(entry.facts),
        "permission": permission,
        "diagnostics": [diagnostic(found) for found in entry.diagnostics],
    }


def started(scaffold: Scaffold) -> Record:
    """The files that `init` wrote, and those it found."""
    return {"host": scaffold.host, "created": list(scaffold.created), "kept": list(scaffold.kept)}


def failure(error_code: str, message: str) -> Record:
    """Why a command could not do its work."""
    return {"error": {"code": error_code, "message": message}}


def _relative(path: Path, root: Path) -> str:
    """A path as JSON has it: relative to the project root where it lies in it, by whatever link it was named."""
    path = Path(os.path.realpath(path))
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _place(span: Span) -> Record:
    known = span.line > 0
    return {
        "path": span.path,
        "line": span.line if known else None,
        "column": span.column if known else None,
        "end_line": span.end_line if known else None,
        "end_column": span.end_column if known else None,
    }


def _shadows(shadows: Sequence[LockedShadow]) -> list[Json]:
    return [{"layer": shadow.layer, "path": shadow.path, "reason": shadow.reason.value} for shadow in shadows]
