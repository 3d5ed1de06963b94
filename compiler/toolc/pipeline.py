"""The program: a project goes in, its locked toolset comes out. Each phase takes the values of the one before it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toolc import codes
from toolc.artifact import read_lock
from toolc.config import configure
from toolc.diagnostics import Diagnostic, Reporter, Severity
from toolc.diff import compare
from toolc.diff.model import Diff, Side
from toolc.digest import LOCK, sha256
from toolc.discover import discover
from toolc.emit import Bundle, definitions, write_bundle
from toolc.emit.lockfile import ensure_replaceable, write_lock
from toolc.errors import ToolcError
from toolc.lock import ForeignKeys, LockNotCanonical, decode, encode, foreign_keys
from toolc.lower import lower
from toolc.model import Compilation, OnInvalid, Toolset
from toolc.parse import parse
from toolc.resolve import resolve
from toolc.text import shown_path

DEFAULT_OUT = Path("dist/toolset")  # in the project root


class FileNamesNotUtf8(ToolcError):
    """This interpreter would give the files of a project other names than the rest of the world."""

    code = codes.SYSTEM_REFUSED.id

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        super().__init__(f"this Python reads the names of files as {encoding}, not as UTF-8; set `PYTHONUTF8=1`")


def compile_project(project: Path, *, user_layers: bool = True) -> Compilation:
    """Compile the project that holds the folder `project`, write nothing, and say everything that was learned.

    `user_layers=False` leaves out the layers under `~`, as `user-layers = "exclude"` does. Raises
    `FileNamesNotUtf8`.
    """
    if (encoding := sys.getfilesystemencoding()) != "utf-8":
        raise FileNamesNotUtf8(encoding)
    reporter = Reporter()
    root, config = configure(project, reporter, user_layers=user_layers)
    if config is None:
        return Compilation(root=root, config=None, resolution=None, toolset=None, diagnostics=reporter.diagnostics)
    candidates = discover(config, reporter)

    findings = Reporter()
    parsed = parse(candidates, config, findings)
    lenient = config.on_invalid is OnInvalid.SKIP
    reporter.adopt(findings.diagnostics, errors_as=Severity.WARNING if lenient else Severity.ERROR)

    resolution = resolve(parsed, config, reporter)
    toolset = lower(resolution, config, reporter)
    for finding in definitions.findings(toolset):
        reporter.report(finding)
    return Compilation(
        root=root,
        config=config,
        resolution=resolution,
        toolset=None if reporter.has_errors else toolset,
        diagnostics=reporter.diagnostics,
        compiled=toolset,
    )


def build(
    project: Path,
    *,
    out: Path | None = None,
    locked: bool = False,
    user_layers: bool = True,
    deny_warnings: bool = False,
    on_wait: Callable[[str], None] = lambda _: None,
) -> Built:
    """Compile a project and write its bundle, and its lock where that is stale.

    Nothing is written where there are errors, or where the lock is stale and `locked` says it must not be. `on_wait`
    is told, in words, where another build has to end first.
    """
    compilation = compile_project(project, user_layers=user_layers)
    if compilation.toolset is None or compilation.config is None or (deny_warnings and _has_warnings(compilation)):
        return Built(compilation=compilation)
    derived = derive_lock(compilation.toolset, compilation.root)
    if locked and derived.stale:
        return Built(compilation=compilation, lock=derived)
    derived.ensure_writable()
    # The bundle first: a lock that names a toolset which was never built would be the worse of the two halves.
    bundle = write_bundle(
        compilation.toolset,
        derived.data,
        compilation.config.layers,
        out or compilation.root / DEFAULT_OUT,
        on_wait=on_wait,
    )
    return Built(compilation=compilation, lock=derived, bundle=bundle, lock_written=derived.write())


def relock(project: Path, *, check: bool = False) -> Built:
    """Compile a project and write its lock where that is stale; with `check`, only say whether it is."""
    compilation = compile_project(project)
    if compilation.toolset is None:
        return Built(compilation=compilation)
    derived = derive_lock(compilation.toolset, compilation.root)
    if check:
        return Built(compilation=compilation, lock=derived)
    derived.ensure_writable()
    return Built(compilation=compilation, lock=derived, lock_written=derived.write())


def _has_warnings(compilation: Compilation) -> bool:
    return any(diagnostic.level is Severity.WARNING for diagnostic in compilation.diagnostics)


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What became of a build. Without a toolset there is no lock, and without a lock no bundle."""

    compilation: Compilation
    lock: DerivedLock | None = None
    lock_written: bool = False
    bundle: Bundle | None = None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What compiling it said."""
        return self.compilation.diagnostics


# ------------------------------------------------------------------------------------------ the lock
# The one that is committed, beside the one that the files of the project give.


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedLock:
    """The lock that the files of a project give, and how the committed one differs from it."""

    path: Path
    data: bytes
    changes: tuple[str, ...] = ()  # what is stale in the committed one, in sentences
    missing: bool = False  # there is no committed one
    foreign: tuple[str, ...] = ()  # keys of the committed one that writing would drop

    @property
    def stale(self) -> bool:
        """Whether the committed lock is another one, or missing."""
        return bool(self.changes)

    @property
    def digest(self) -> str:
        """The identity of the toolset."""
        return sha256(self.data)

    def ensure_writable(self) -> None:
        """Raise `ToolcError` where writing would lose something, before anything is written."""
        if self.stale:
            ensure_replaceable(self.path)
        if self.foreign:
            raise ForeignKeys(shown_path(self.path), keys=self.foreign)

    def write(self) -> bool:
        """Write the lock if it is stale, and say whether it was: one that is up to date is not touched."""
        if self.stale:
            write_lock(self.path, self.data)
        return self.stale


def derive_lock(toolset: Toolset, root: Path) -> DerivedLock:
    """The lock of a toolset, and how the committed one at the project root differs from it.

    Raises `ToolcError` where the committed one cannot be read, or a newer toolc wrote it.
    """
    path = root / LOCK
    data = encode(toolset)
    committed = read_lock(path)
    if committed is None:
        return DerivedLock(path=path, data=data, changes=(f"there is no `{LOCK}` yet",), missing=True)
    if committed == data:
        return DerivedLock(path=path, data=data)
    shown = shown_path(path)
    foreign = foreign_keys(committed, path=shown)
    try:
        before = Side(label=shown, path=shown, lock=committed, toolset=decode(committed, path=shown))
        found = _sentences(compare(before, Side(label=shown, path=shown, lock=data, toolset=toolset)))
    except LockNotCanonical as reformatted:
        found = (f"line {reformatted.line} is not spelled as toolc writes it",)
    if foreign and not found:
        found = ("it has keys that this toolc does not know",)
    return DerivedLock(path=path, data=data, changes=found, foreign=foreign)


def _sentences(diff: Diff) -> tuple[str, ...]:
    """What changed, each once, with the tool that it is about in front where the sentence does not name it."""
    return tuple(
        dict.fromkeys(
            finding.message
            if finding.tool is None or f"`{finding.tool}`" in finding.message
            else f"`{finding.tool}`: {finding.message}"
            for finding in diff.findings
        )
    )
