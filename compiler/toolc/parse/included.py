"""Files a tool reads though nothing imports them: the globs of `include` go in, files of the layer come out."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span, Text
from toolc.model import Layer, SourceFile, ToolSettings
from toolc.parse.library import Loaded
from toolc.source import Refused, read_file
from toolc.text import escape

_NEVER = frozenset({"__pycache__", ".git"})


def included(settings: ToolSettings, layer: Layer, reporter: Reporter) -> tuple[SourceFile, ...]:
    """The files of the layer that the tool's `include` names, by path."""
    found: dict[str, SourceFile] = {}
    files = list(_files(layer, reporter)) if settings.include else []
    for pattern in settings.include:
        if pattern.startswith(("/", "~")) or "\\" in pattern or ":" in pattern or ".." in PurePosixPath(pattern).parts:
            reporter.report(
                Diagnostic(
                    codes.INCLUDE_LEAVES_LAYER,
                    f"`{pattern}` in `include` of `{settings.name}` leads out of the layer `{layer.name}`",
                    settings.span,
                    hint="write it relative to the layer's folder, and keep the files inside it",
                )
            )
            continue
        matches = [path for path in files if _matches(path, pattern)]
        if not matches:
            reporter.report(
                Diagnostic(
                    codes.INCLUDE_WITHOUT_FILES,
                    f"`{pattern}` in `include` of `{settings.name}` matches no file of the layer `{layer.name}`",
                    settings.span,
                )
            )
        for path in matches:
            try:
                found[path] = read_file(layer, path)
            except (Refused, FileNotFoundError) as error:
                refused = error if isinstance(error, Refused) else Refused(codes.FILE_UNREADABLE, f"`{path}` is gone")
                reporter.report(Diagnostic(refused.code, refused.message, settings.span, hint=refused.hint))
    return tuple(found[path] for path in sorted(found))


def warn_of_own_path(home: Loaded, reporter: Reporter) -> None:
    """Say so where a file asks where it lies: what it looks for beside itself is not shipped unless it is named."""
    assert home.module is not None, "only what parses is searched"
    if home.module.own_path is not None:
        reporter.report(
            Diagnostic(
                codes.FILE_WITHOUT_INCLUDE,
                f"`{home.file.path}` looks for files beside itself, and no `include` says which to ship",
                home.module.span(home.module.own_path),
                hint='name them under `[tools.NAME]` in toolc.toml, for example include = ["templates/*.txt"]',
            )
        )


def _files(layer: Layer, reporter: Reporter) -> Iterator[str]:
    """Every file of the layer, by path. Links to folders are not followed; a folder that cannot be read is told."""

    def refuse(error: OSError) -> None:
        where = Path(error.filename).relative_to(layer.root).as_posix()
        message = f"`{escape(where)}` cannot be read: {error.strerror}"
        reporter.report(Diagnostic(codes.FILE_UNREADABLE, message, Span(Text(escape(layer.shown(where))))))

    for folder, folders, files in os.walk(layer.root, onerror=refuse):
        folders[:] = sorted(name for name in folders if name not in _NEVER)
        for name in sorted(files):
            yield (Path(folder) / name).relative_to(layer.root).as_posix()


def _matches(path: str, pattern: str) -> bool:
    """Whether a glob names the path: `*` stays within a folder, `**` is any number of folders.

    What begins with a dot has to be named with it, so that `*` does not ship a `.env`.
    """
    parts = path.split("/")
    reached = {0}  # how many parts the pattern can have used up so far
    for piece in pattern.split("/"):
        if piece == "**":
            for index in range(min(reached, default=len(parts)), len(parts)):
                if index in reached and not parts[index].startswith("."):
                    reached.add(index + 1)
        elif piece not in ("", "."):
            reached = {index + 1 for index in reached if index < len(parts) and _names(piece, parts[index])}
    return len(parts) in reached


def _names(piece: str, part: str) -> bool:
    return part.startswith(".") <= piece.startswith(".") and fnmatch.fnmatchcase(part, piece)
