"""The layers of a project: what the config or the preset lists goes in, layers with their place and scope come out."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from toolc import codes
from toolc.diagnostics import Code, Diagnostic, Label, Reporter, Span
from toolc.model import Introspect, Layer, LayerKind, Scope
from toolc.text import FORBIDDEN, escape

# What tells one folder from another: its device and inode; its path, where it is not there.
_Identity: TypeAlias = tuple[int, int] | Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLayer:
    """A layer as the config or the preset lists it."""

    name: str
    path: str
    span: Span  # of its path
    name_span: Span
    kind: LayerKind = LayerKind.AUTO
    introspect: Introspect = Introspect.SYNTAX
    vendored: bool = False
    optional: bool = False

    @property
    def of_user(self) -> bool:
        """Whether it lies under `~`, and so depends on the machine."""
        return under_home(self.path)


def under_home(path: str) -> bool:
    """Whether a path, as it is written, lies under the user's home."""
    return path == "~" or path.startswith("~/")


def expand(path: str, root: Path) -> Path | None:
    """Where a path leads that is relative to `root`, absolute, or under `~`; None where there is no home."""
    if not under_home(path):
        return root / path
    home = _home()
    return home / path[2:] if home is not None else None


def _home() -> Path | None:
    if os.environ.get("HOME") == "":  # for which Python says `/`
        return None
    try:
        home = Path.home()
    except RuntimeError:  # neither $HOME nor an account
        return None
    return home if home.is_absolute() else None


def locate(listed: Sequence[ListedLayer], root: Path, reporter: Reporter) -> tuple[Layer, ...]:
    """The layers with their rank, scope and folder; what is wrong with one is reported, and it counts as absent."""
    layers: list[Layer] = []
    names: dict[str, ListedLayer] = {}
    folders: dict[_Identity, ListedLayer] = {}
    for entry in listed:
        problem = _path_problem(entry.path)
        if problem is not None:
            reporter.report(Diagnostic(codes.CONFIG_VALUE, problem, entry.span, hint=_path_hint(entry.path)))
            continue
        first = names.setdefault(entry.name, entry)
        if first is not entry:
            _report_same_name(entry, first, reporter)
            continue
        folder = _find(entry, root, reporter)
        first = folders.setdefault(folder.identity, entry)
        if first is not entry and (folder.present or not entry.optional):
            _report_same_folder(entry, first, reporter)
            continue
        scope = _scope(entry, folder.real, root)
        if scope is Scope.OUTSIDE:
            reporter.report(
                Diagnostic(
                    codes.LAYER_OUTSIDE,
                    f"the layer `{entry.name}` lies outside the project",
                    entry.span,
                    hint="copy the folder into the project",
                )
            )
        layers.append(
            Layer(
                name=entry.name,
                path=entry.path,
                root=folder.path,
                rank=len(layers),
                scope=scope,
                kind=entry.kind,
                introspect=entry.introspect,
                present=folder.present,
            )
        )
    return tuple(layers)


# ---------------------------------------------------------------------------------------------------- how it is written


def _path_problem(path: str) -> str | None:
    shown = escape(path)
    if FORBIDDEN.search(path) or "\n" in path or "\t" in path:
        return "the path of a layer has a character that cannot be seen"
    if "\\" in path:
        return f"the path `{shown}` has a `\\`"
    if path.startswith("~") and not under_home(path):
        return f"the path `{shown}` names the home of an account"
    return None


def _path_hint(path: str) -> str | None:
    if "\\" in path:
        return "write `/`, on Windows too: the lock is the same on every system"
    return "only `~/` is understood" if path.startswith("~") else None


# -------------------------------------------------------------------------------------------------- what is on the disk


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folder:
    """Where the path of a layer leads."""

    path: Path
    real: Path  # with links resolved
    identity: _Identity
    present: bool


def _find(entry: ListedLayer, root: Path, reporter: Reporter) -> _Folder:
    path = expand(entry.path, root)
    if path is None:
        _report_absent(entry, reporter, hint="`$HOME` is no folder")
        nowhere = root / entry.path
        return _Folder(path=nowhere, real=nowhere, identity=nowhere, present=False)
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        _report_absent(entry, reporter)
        real = path.resolve()
        return _Folder(path=path, real=real, identity=real, present=False)
    except OSError as error:  # a loop of links, a folder on the way that may not be entered, a name that is too long
        _report_unreadable(entry, error, reporter)
        return _Folder(path=path, real=path, identity=path, present=False)
    real, identity = path.resolve(), (status.st_dev, status.st_ino)
    if not stat.S_ISDIR(status.st_mode):
        _report(codes.LAYER_NOT_A_FOLDER, entry, "is not a folder", reporter)
        return _Folder(path=path, real=real, identity=identity, present=False)
    try:
        with os.scandir(path) as entries:
            next(entries, None)
    except OSError as error:
        _report_unreadable(entry, error, reporter)
        return _Folder(path=path, real=real, identity=identity, present=False)
    return _Folder(path=path, real=real, identity=identity, present=True)


def _scope(entry: ListedLayer, real: Path, root: Path) -> Scope:
    if entry.vendored:
        return Scope.VENDORED
    if entry.of_user:
        return Scope.USER
    return Scope.PROJECT if real.is_relative_to(root.resolve()) else Scope.OUTSIDE


# --------------------------------------------------------------------------------------------------- what is told of it


def _report(code: Code, entry: ListedLayer, predicate: str, reporter: Reporter, hint: str | None = None) -> None:
    message = f"the path `{escape(entry.path)}` of the layer `{entry.name}` {predicate}"
    reporter.report(Diagnostic(code, message, entry.span, hint=hint))


def _report_absent(entry: ListedLayer, reporter: Reporter, hint: str | None = None) -> None:
    if not entry.optional:
        otherwise = "create it, or state `optional = true` if it may be absent"
        _report(codes.LAYER_ABSENT, entry, "is not there", reporter, hint=hint or otherwise)


def _report_unreadable(entry: ListedLayer, error: OSError, reporter: Reporter) -> None:
    _report(codes.LAYER_UNREADABLE, entry, f"cannot be read: {os.strerror(error.errno or 0)}", reporter)


def _report_same_name(entry: ListedLayer, first: ListedLayer, reporter: Reporter) -> None:
    reporter.report(
        Diagnostic(
            codes.LAYER_NAME_TWICE,
            f"two layers have the name `{entry.name}`",
            entry.name_span,
            labels=(Label(first.name_span, "the first one"),),
        )
    )


def _report_same_folder(entry: ListedLayer, first: ListedLayer, reporter: Reporter) -> None:
    excludable = entry.of_user or first.of_user
    reporter.report(
        Diagnostic(
            codes.LAYERS_ARE_ONE,
            f"the layers `{first.name}` and `{entry.name}` are the same folder",
            entry.span,
            labels=(Label(first.span, f"`{first.name}` has this path"),),
            hint='write `user-layers = "exclude"` in `[toolset]`' if excludable else "take one of them out",
        )
    )
