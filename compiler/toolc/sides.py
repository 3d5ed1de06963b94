"""What is compared: the arguments of `toolc diff` go in, two sides come out, each read where it stands.

A side is a lock file, a bundle, a project, a revision (`REF` or `REF:path`) or nothing, where there was no lock. With
the lock come the files that it names, as far as they are at hand and are the ones that it means.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from toolc import artifact, codes, git, lock
from toolc.diff.model import Side
from toolc.digest import LOCK, WHOLE_LIMIT_BYTES
from toolc.errors import ToolcError
from toolc.git import GitRefused, Repository
from toolc.model import Scope, Toolset
from toolc.text import shown_path

_CONFIGS = (LOCK, "toolc.toml")
_EMPTY = Toolset(name="toolset")


class SideUndecided(ToolcError):
    """A name that is both a path and a revision."""

    code = codes.SIDE_UNDECIDED.id

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"`{name}` is a path and a revision too: write `./{name}` for the path, `{name}:{LOCK}` for the revision"
        )


class SideMissing(ToolcError):
    """A name that is neither a path nor a revision."""

    code = codes.GIT_REFUSED.id

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"`{name}` is neither a path nor a revision of a repository here")


def sides(old: str | None = None, new: str | None = None, *, folder: Path) -> tuple[Side, Side]:
    """The two sides that are meant, seen from a folder; raises `ToolcError`.

    Without arguments the old side is the lock in the commit where this branch left the main one, and the new side is
    the lock in the work tree, which also stands in for a new side that is not given.
    """
    here = _Here(folder=folder)
    if old is None:
        repository = here.repository()
        main = repository.main_branch()
        return here.revision(repository.merge_base(main, "HEAD"), label=f"the merge base with {main}"), here.lock()
    if new is None and (ends := _range(old)) is not None and not here.is_path(old):
        first, last, from_base = ends
        repository = here.repository()
        start = repository.merge_base(first, last) if from_base else repository.need(first)
        return here.revision(start, label=first), here.revision(repository.need(last), label=last)
    before = here.named(old)
    if new is not None:
        return before, here.named(new)
    return before, here.same(old) or here.lock()


def _range(text: str) -> tuple[str, str, bool] | None:
    """The ends of `A..B` or `A...B`, and whether the first is where the two parted."""
    for dots in ("...", ".."):
        first, found, last = text.partition(dots)
        if found and "/" not in f"{first[-1:]}{last[:1]}":  # `a/../b` is a path
            return first or "HEAD", last or "HEAD", dots == "..."
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Here:
    """The folder from which arguments are read."""

    folder: Path

    def named(self, name: str) -> Side:
        """The side that an argument means."""
        if self.is_path(name):
            plain = not name.startswith((".", "/")) and os.sep not in name
            if plain and (repository := self._repository()) is not None and repository.commit(name) is not None:
                raise SideUndecided(name)
            return _at_path(self.folder / name)
        revision, colon, path = name.partition(":")
        repository = self._repository()
        if repository is None or (not colon and repository.commit(revision) is None):
            raise SideMissing(name)
        commit = repository.need(revision or "HEAD")
        return self.revision(commit, label=revision, path=path) if colon else self.revision(commit, label=revision)

    def same(self, name: str) -> Side | None:
        """What stands now at the path that `REF:path` names; None for other names, and where nothing does."""
        _, colon, path = name.partition(":")
        if self.is_path(name) or not colon or not path:
            return None
        repository = self.repository()
        file = repository.root / self._inside(repository, path)
        file = file / LOCK if file.is_dir() else file
        return _at_path(file) if file.is_file() else None

    def is_path(self, name: str) -> bool:
        """Whether something stands at the path."""
        with suppress(OSError, ValueError):
            return os.path.lexists(self.folder / name)
        return False

    def lock(self) -> Side:
        """The lock of the project that holds the folder; an empty side where the project has none."""
        root = self._project()
        data = artifact.read_lock(root / LOCK)
        if data is None:
            return Side(label=f"no {LOCK}", path=_shown(root / LOCK, self.folder), toolset=_EMPTY)
        return _at_path(root / LOCK)

    def revision(self, commit: str, *, label: str, path: str | None = None) -> Side:
        """The lock in a commit: at a path, or where the project's own lock stands; an empty side where it has none."""
        repository = self.repository()
        if path is None:
            inside = (self._project() / LOCK).resolve().relative_to(repository.root.resolve()).as_posix()
        else:
            inside = self._inside(repository, path)
            if inside == "." or repository.is_folder(commit, inside):
                inside = str(PurePosixPath(inside, LOCK))
        data = repository.blob(commit, inside)
        if data is None and path is not None:
            raise GitRefused(f"there is no file `{inside}` at `{label}`")
        if data is None and (before := repository.renamed_from(commit, inside)) is not None:
            inside = before
            data = repository.blob(commit, inside)
        told = f"{inside} at {label}"
        place = _shown(repository.root / inside, self.folder)
        if data is None:
            return Side(label=f"no lock at {label}", path=place, toolset=_EMPTY)
        toolset = lock.decode(data, path=told)
        parent = PurePosixPath(inside).parent

        def fetch(within: PurePosixPath) -> bytes | None:
            return repository.blob(commit, os.path.normpath(parent / within).replace(os.sep, "/"))

        return Side(label=told, path=place, lock=data, toolset=toolset, read=_reader(toolset, fetch))

    def _inside(self, repository: Repository, path: str) -> str:
        """A path within a revision as git reads it: from the top, or from the folder where it begins with `./`."""
        start = self.folder.resolve().relative_to(repository.root.resolve()) if path.startswith("./") else Path()
        return os.path.normpath(start / path).replace(os.sep, "/")

    def repository(self) -> Repository:
        """The repository that the folder is in; raises `ToolcError` where it is in none."""
        found = self._repository()
        if found is None:
            raise GitRefused("this folder is in no repository of git, so there is nothing to compare with")
        return found

    def _repository(self) -> Repository | None:
        return git.find(self.folder)

    def _project(self) -> Path:
        return project_root(self.folder)


def project_root(folder: Path) -> Path:
    """The folder that holds the lock of the project that a folder is in, or would."""
    folder = folder.resolve()
    for candidate in (folder, *folder.parents):
        if any((candidate / name).is_file() for name in _CONFIGS):
            return candidate
    return folder


def _at_path(path: Path) -> Side:
    """A lock file, a bundle, or a project with a lock."""
    toolset = artifact.toolset(path)
    file = path / LOCK if path.is_dir() else path
    root = file.parent
    if artifact.is_bundle(root):
        return Side(
            label=shown_path(path),
            path=_shown(file, Path.cwd()),
            lock=artifact.read_lock(file),
            toolset=toolset,
            read=lambda inside: _genuine(toolset, inside, _file(root / inside)),
        )
    return Side(
        label=shown_path(path),
        path=_shown(file, Path.cwd()),
        lock=artifact.read_lock(file),
        toolset=toolset,
        read=_reader(toolset, lambda within: _file(root / within)),
    )


def _reader(toolset: Toolset, fetch: Callable[[PurePosixPath], bytes | None]) -> Callable[[str], bytes | None]:
    """Read bundle paths where the sources stand: in the layer's own folder, below or beside the lock's."""
    folders = {layer.name: layer.path for layer in toolset.layers if layer.scope in (Scope.PROJECT, Scope.VENDORED)}

    def read(inside: str) -> bytes | None:
        _, _, rest = inside.partition("/")
        name, _, within = rest.partition("/")
        if name not in folders or not within or PurePosixPath(folders[name]).is_absolute():
            return None
        return _genuine(toolset, inside, fetch(PurePosixPath(folders[name], within)))

    return read


def _genuine(toolset: Toolset, inside: str, data: bytes | None) -> bytes | None:
    """The bytes that a lock means by a path; None where what stands there are others."""
    wanted = toolset.files.get(inside)
    if data is None or wanted is None:
        return None
    for candidate in (data, data.replace(b"\r\n", b"\n")):
        if hashlib.sha256(candidate).hexdigest() == wanted.sha256:
            return candidate
    return None


def _file(path: Path) -> bytes | None:
    """The bytes of a regular file of a reasonable size."""
    with suppress(OSError, ValueError):
        if path.is_file() and path.stat().st_size <= WHOLE_LIMIT_BYTES:
            return path.read_bytes()
    return None


def _shown(path: Path, folder: Path) -> str:
    """A path as forges want it, relative to where we stand."""
    with suppress(ValueError):
        return Path(os.path.relpath(path, folder)).as_posix()
    return path.as_posix()
