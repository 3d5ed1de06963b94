"""Read the files that configure a project: a folder goes in, its config comes out, as it is written."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from toolc import codes
from toolc.diagnostics import Diagnostic, Label, Reporter, Span, Text

from .toml_places import Document, Pointer, TomlError, parse

LIMIT_BYTES = 1 << 20

# A `pyproject.toml` that holds no such word has no `[tool.toolc]`; whatever else is wrong with it is not ours to say.
_MENTION = re.compile(r"\btoolc\b")

_GLOB_KEY = re.compile(r"\s*([\w.-]*[*?][\w.*?-]*)\s*=")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """The config of a project, read but not yet checked."""

    root: Path  # its folder
    text: Text
    document: Document
    table: Pointer = ()  # where in the document it stands: `("tool", "toolc")` in a `pyproject.toml`

    @property
    def value(self) -> object:
        """What the config says."""
        value: object = self.document.value
        for key in self.table:
            assert isinstance(value, dict), "the table was seen when the file was chosen"
            value = value[key]
        return value

    def span(self, *pointer: str | int, key: bool = False) -> Span:
        """Where a value, or with `key` its key, stands."""
        return Span(self.text, *self.document.place((*self.table, *pointer), key=key))


class Unusable(Exception):
    """A config file that is there and cannot be used; the reporter knows why."""


def read_config(folder: Path, reporter: Reporter) -> ConfigFile | None:
    """The config in a folder; None where it has none. Raises `Unusable`."""
    toolc = load(folder, "toolc.toml", reporter)
    pyproject = _load_pyproject(folder, reporter, alone=toolc is None)
    if toolc is not None and pyproject is not None:
        reporter.report(
            Diagnostic(
                codes.TWO_CONFIGS,
                "this folder has two configs, `toolc.toml` and `[tool.toolc]` in `pyproject.toml`",
                pyproject.span(),
                labels=(Label(toolc.span(), "the other one"),),
                hint="move everything into one of them and delete the other",
            )
        )
        raise Unusable
    return toolc or pyproject


def _load_pyproject(folder: Path, reporter: Reporter, *, alone: bool) -> ConfigFile | None:
    """The config in a folder's `pyproject.toml`. Where it is not the only one, a broken file is no matter of ours."""
    try:
        file = load(folder, "pyproject.toml", reporter if alone else Reporter(), mention=_MENTION)
    except Unusable:
        if alone:
            raise
        return None
    if file is None:
        return None
    tool = file.document.value.get("tool")
    if not isinstance(tool, dict) or "toolc" not in tool:
        return None
    return ConfigFile(root=file.root, text=file.text, document=file.document, table=("tool", "toolc"))


def load(folder: Path, name: str, reporter: Reporter, *, mention: re.Pattern[str] | None = None) -> ConfigFile | None:
    """Read and parse a file of a folder; None where it is not there, or does not hold `mention`."""
    content = read_text(folder / name, name, reporter)
    if content is None or (mention is not None and mention.search(content) is None):
        return None
    text = Text(name, content)
    try:
        return ConfigFile(root=folder, text=text, document=parse(content))
    except TomlError as error:
        hint = _quote_hint(content, error.place[0])
        reporter.report(Diagnostic(codes.CONFIG_SYNTAX, error.message, Span(text, *error.place), hint=hint))
        raise Unusable from None


def _quote_hint(content: str, line: int) -> str | None:
    """What to write where the line at fault has a glob for a key, which TOML wants in quotes."""
    match = _GLOB_KEY.match(content.split("\n")[line - 1]) if line else None
    return f'write the key in quotes: `"{match[1]}"`' if match is not None else None


def read_text(path: Path, shown: str, reporter: Reporter) -> str | None:
    """The text of a configuration file, its line ends as `\\n`; None where it is not there.

    Raises `Unusable`.
    """
    try:
        data = _read(path)
        if data is None:
            return None
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        message = f"line {line} of `{shown}` has a byte that is not UTF-8"
    except _Refused as refused:
        message = f"`{shown}` {refused}"
    except OSError as error:
        message = f"`{shown}` cannot be read: {os.strerror(error.errno or 0)}"
    reporter.report(Diagnostic(codes.CONFIG_UNREADABLE, message, Span(Text(shown))))
    raise Unusable


class _Refused(Exception):
    """A file that is there and is not read: a predicate of its name."""


def _read(path: Path) -> bytes | None:
    """The bytes of a file, without ever waiting for one that is no regular file. A link is followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise _Refused("is a link to something that is not there") from None
        return None
    except OSError:
        if path.is_socket():
            raise _Refused("is a socket, not a file") from None
        raise
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise _Refused(f"is {_kind(mode)}, not a file")
        chunks = bytearray()
        while len(chunks) <= LIMIT_BYTES and (chunk := os.read(descriptor, LIMIT_BYTES)):
            chunks += chunk
    finally:
        os.close(descriptor)
    if len(chunks) > LIMIT_BYTES:
        raise _Refused(f"is larger than {LIMIT_BYTES >> 20} MiB")
    return bytes(chunks)


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a FIFO" if stat.S_ISFIFO(mode) else "a device"
