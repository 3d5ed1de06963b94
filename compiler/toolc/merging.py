"""Merge the lock of a project: the versions that a merge left open go in, the merged lock is written.

What both sides changed is never decided in silence, and never derived anew: it is left open, or it is the version that
the project gives as it stands, which is told.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from toolc import codes, git, lock
from toolc.artifact import read_lock
from toolc.diagnostics import Diagnostic, Span, Text
from toolc.digest import LOCK
from toolc.emit.lockfile import ensure_replaceable, write_lock
from toolc.errors import ToolcError
from toolc.lock import Conflict, Merge
from toolc.lock.markers import BrokenMarkers, Labels, Versions, split
from toolc.lock.tree import Missing
from toolc.pipeline import compile_project
from toolc.text import shown_path


class MergeImpossible(ToolcError):
    """A lock of which there are no two versions. `why` is what is so."""

    code = codes.MERGE_IMPOSSIBLE.id

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        self.why = why
        super().__init__(f"`{shown_path(path)}` cannot be merged: {why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What became of a lock that a merge had left open."""

    root: Path
    path: Path
    merge: Merge | None = None  # None: there were no markers in it
    compiled: bool = False  # whether the project could say what holds

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """What is still open."""
        return () if self.merge is None else self.merge.conflicts

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is still open, one error each."""
        where = Span(Text(LOCK, ""))
        return tuple(Diagnostic(codes.MERGE_OPEN, str(conflict), where) for conflict in self.conflicts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """What the driver makes of three files."""

    data: bytes
    clean: bool  # nothing is open in it
    conflicts: tuple[Conflict, ...] = ()
    refused: str | None = None  # why it was merged by its lines


def resolve(project: Path) -> Resolved:
    """Merge the lock of a project in which a merge left its markers, and write what comes of it.

    Raises `MergeImpossible`, and `LockError` where a version cannot be read.
    """
    compilation = compile_project(project)
    path = compilation.root / LOCK
    data = read_lock(path)
    if data is None:
        raise MergeImpossible(path, "there is no such file")
    ensure_replaceable(path)
    versions = _versions(path, data)
    if versions is None:
        return Resolved(root=compilation.root, path=path)
    merge = lock.merge(
        versions.base,
        versions.ours,
        versions.theirs,
        path=shown_path(path),
        labels=versions.labels,
        now=compilation.toolset,
        in_pieces=versions.in_pieces,
    )
    if merge.data != data:
        write_lock(path, merge.data)
    return Resolved(root=compilation.root, path=path, merge=merge, compiled=compilation.toolset is not None)


def drive(base: Path, ours: Path, theirs: Path, *, path: str) -> Driven:
    """Merge three files as git's driver; nothing is written.

    What toolc does not read as a lock is merged by its lines, as git would alone.
    """
    old, our, their = (_read(file) for file in (base, ours, theirs))
    try:
        # Git gives an empty file for a version that is not there.
        merge = lock.merge(old or lock.ABSENT, our, their, path=path)
    except lock.LockError as error:
        data, clean = git.merge_lines(ours, base, theirs)
        return Driven(data=data, clean=clean, refused=str(error))
    return Driven(data=merge.data, clean=merge.clean, conflicts=merge.conflicts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Versions:
    """What is merged."""

    base: bytes | Missing
    ours: bytes
    theirs: bytes
    labels: Labels
    in_pieces: bool = False  # each is what its lines left of a lock


def _versions(path: Path, data: bytes) -> _Versions | None:
    """The versions of a lock with markers; None where it has none."""
    marked: Versions | None = None
    broken = 0
    try:
        marked = split(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise MergeImpossible(path, "it is not UTF-8") from None
    except BrokenMarkers as error:
        broken = error.line
    if marked is None and not broken:
        return None
    stages = _stages(path)
    if 2 in stages and 3 in stages:
        # The index has them whole; outside the markers the two sides are merged by lines already, right or wrong.
        labels = Labels() if marked is None else marked.labels
        return _Versions(base=stages.get(1, lock.ABSENT), ours=stages[2], theirs=stages[3], labels=labels)
    if marked is None:
        raise MergeImpossible(path, f"line {broken} is a conflict marker without the others")
    return _Versions(
        base=lock.UNKNOWN if marked.base is None else marked.base.encode(),
        ours=marked.ours.encode(),
        theirs=marked.theirs.encode(),
        labels=marked.labels,
        in_pieces=True,
    )


def _stages(path: Path) -> dict[int, bytes]:
    with suppress(git.GitRefused):  # the markers have to do
        if (repository := git.find(path.parent)) is not None:
            return repository.stages(path.resolve().relative_to(repository.root.resolve()).as_posix())
    return {}


def _read(path: Path) -> bytes:
    data = read_lock(path)
    if data is None:
        raise MergeImpossible(path, "there is no such file")
    return data
