"""Teach git about locks: a folder goes in, the settings and attributes that are wanting come out, and can be applied.

Only the repository's own settings and the project's own `.gitattributes` are touched, and what is in the file stays.
"""

from __future__ import annotations

import os
import shlex
import stat
from dataclasses import dataclass
from pathlib import Path

from toolc import codes, git
from toolc.digest import LOCK
from toolc.emit.lockfile import write_lock
from toolc.errors import ToolcError
from toolc.git import GitRefused, Repository
from toolc.sides import project_root
from toolc.text import shown_path

_DRIVER = "toolset"
_SETTINGS = {
    # The name of the tool in the heading of a hunk, in the lock and in its outline.
    f"diff.{_DRIVER}.xfuncname": r'^    "([^"]+)": \{$|^tool .+$',
    f"diff.{_DRIVER}.textconv": "toolc git textconv",
    f"merge.{_DRIVER}.name": "toolc, fact by fact",
    f"merge.{_DRIVER}.driver": "toolc git merge %O %A %B %P",
}
_ATTRIBUTES = {
    "text": "set",
    "eol": "lf",
    "diff": _DRIVER,
    "merge": _DRIVER,
    "linguist-generated": "unset",
}


class AttributesUnusable(ToolcError):
    """A `.gitattributes` that is not ours to write. `why` is what is so."""

    code = codes.SYSTEM_REFUSED.id

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        self.why = why
        super().__init__(f"`{shown_path(path)}` cannot be written: {why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is wanting in a repository."""

    repository: Repository
    settings: tuple[tuple[str, str], ...]  # in the order in which they are shown and written
    attributes: Path
    line: str | None  # what `.gitattributes` lacks

    @property
    def done(self) -> bool:
        """Whether nothing is wanting."""
        return not self.settings and self.line is None

    @property
    def commands(self) -> tuple[str, ...]:
        """The settings as a shell would write them."""
        return tuple(f"git config --local {key} {shlex.quote(value)}" for key, value in self.settings)


def plan(folder: Path) -> Setup:
    """What the repository of a project lacks; raises `ToolcError` where there is none."""
    root = project_root(folder)
    repository = git.find(root)
    if repository is None:
        raise GitRefused("this folder is in no repository of git, so there is nothing to set up")
    lock = (root / LOCK).relative_to(repository.root.resolve()).as_posix()
    have = repository.attributes(lock, list(_ATTRIBUTES))
    wanting = [_spelled(name, value) for name, value in _ATTRIBUTES.items() if have.get(name) != value]
    return Setup(
        repository=repository,
        settings=tuple((key, value) for key, value in _SETTINGS.items() if repository.setting(key) != value),
        attributes=root / ".gitattributes",
        line=" ".join([LOCK, *wanting]) if wanting else None,
    )


def apply(setup: Setup) -> None:
    """Write what is wanting; raises `ToolcError`. The file first: attributes without a driver do no harm."""
    if setup.line is not None:
        before = _read(setup.attributes)
        gap = b"" if not before or before.endswith(b"\n") else b"\n"
        write_lock(setup.attributes, before + gap + setup.line.encode("ascii") + b"\n")
    for key, value in setup.settings:
        setup.repository.set(key, value)


def _spelled(name: str, value: str) -> str:
    if value in ("set", "unset"):
        return name if value == "set" else f"-{name}"
    return f"{name}={value}"


def _read(path: Path) -> bytes:
    """The bytes of `.gitattributes`; nothing where there is none."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):  # git follows no link here either
            raise AttributesUnusable(path, "it is not a file")
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise AttributesUnusable(path, os.strerror(error.errno or 0)) from None
