"""List the layers: the config goes in, the files that may be tools come out, each read and hashed once.

A layer's top level is listed once. A `.py` file is a candidate, and so is a folder with a `tool.json`, which is shipped
whole. Everything else that is seen gets a reason. The result does not depend on the order of the file system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from toolc import codes, source
from toolc.diagnostics import Code, Diagnostic, Reporter, Span, Text
from toolc.model import Candidate, Config, Layer, LayerKind, ManifestCandidate, PythonCandidate, SourceFile
from toolc.source import Entry, Kind
from toolc.text import FORBIDDEN, escape

MANIFEST = "tool.json"
MAX_DEPTH = 8  # folders below a tool's folder
MAX_FILES = 10_000  # in a tool's folder


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a file is passed over: how a sentence that begins with its name goes on."""

    code: Code
    sentence: str
    hint: str | None = None


_PRIVATE = Reason(codes.NAME_PRIVATE, "begins with `_`: it is for tool files to import, and not searched for tools")
_NOT_A_TOOL = Reason(codes.NOT_A_TOOL, "is neither a `.py` file nor a folder with a `tool.json`")
_OTHER_LANGUAGE = Reason(
    codes.OTHER_LANGUAGE,
    "is not a tool by itself: only `.py` files and folders with a `tool.json` are compiled",
    "give it a folder of its own, with a `tool.json` whose `command` runs it",
)
_SCRIPT = Reason(
    codes.OTHER_LANGUAGE,
    "is a program, and not a tool by itself: only `.py` files and folders with a `tool.json` are compiled",
    _OTHER_LANGUAGE.hint,
)
_LATE_FIRST_LINE = Reason(
    codes.OTHER_LANGUAGE,
    "is a program whose `#!` is not on its first line, so that no system runs it, and not a tool by itself",
    "begin the file with it, and give it a folder of its own, with a `tool.json` whose `command` runs it",
)
_SAYS_IN_COMMENTS = Reason(
    codes.DESCRIBES_ITSELF,
    "says in comments what it takes, which is not read",
    "give it a folder of its own, with a `tool.json` that says it; the arguments are JSON on its standard input",
)
_SAYS_WHEN_RUN = Reason(
    codes.DESCRIBES_ITSELF,
    "says what it takes when it is run, and a build runs nothing",
    "give it a folder of its own, with a `tool.json` that says it; the arguments are JSON on its standard input",
)
_FOLDER = Reason(codes.FOLDER_WITHOUT_MANIFEST, "is a folder without a `tool.json`")
_PYTHON_FOLDER = Reason(
    codes.FOLDER_WITHOUT_MANIFEST,
    "is a folder of Python files: tool files may import from it, and it is not searched for tools",
)
_NO_PYTHON = Reason(codes.KIND_NOT_SEARCHED, 'is a Python file, and the layer is of `kind = "manifest"`')
_NO_MANIFESTS = Reason(codes.KIND_NOT_SEARCHED, 'has a `tool.json`, and the layer is of `kind = "python"`')
_LOOSE_MANIFEST = Reason(
    codes.NEAR_MISS_MARKER,
    "stands in the layer itself, where it is not read",
    "move it, and the files of the tool, into a folder that has the tool's name",
)
_BUNDLE = Reason(
    codes.NEAR_MISS_MARKER,
    "describes the tools of a folder as another system reads them, and is not read",
    "give each program a folder of its own, with a `tool.json`; its arguments are JSON on standard input",
)
_MISSPELT = Reason(
    codes.NEAR_MISS_MARKER,
    "is not read: a manifest is named exactly `tool.json`",
    "write a `tool.json` with the keys `name`, `description`, `parameters` and `command`",
)
_SKILL = Reason(
    codes.NEAR_MISS_MARKER,
    "is a skill, text for the agent to read, and not a tool",
    "to make a program beside it a tool, write a `tool.json` with `name`, `description`, `parameters` and `command`",
)
_DEEP_MANIFEST = Reason(
    codes.MANIFEST_TOO_DEEP,
    "stands too deep to be found: a manifest is at `<name>/tool.json` in its layer",
    "move the tool's folder up into the layer, or make the folder that holds it a layer of its own",
)
_INNER_MANIFEST = Reason(
    codes.MANIFEST_TOO_DEEP, "stands inside a tool's folder: it is shipped as a file of that tool and is no tool itself"
)
_CACHE = Reason(codes.NOT_SHIPPED, "is a cache and is not shipped")
_VERSIONING = Reason(codes.NOT_SHIPPED, "is version control data and is not shipped")
_LEFTOVER = Reason(codes.NOT_SHIPPED, "is a leftover of an editor or file manager and is not shipped")
_SECRET = Reason(
    codes.NOT_SHIPPED,
    "may hold a secret and is not shipped",
    "name the variables the tool needs under `env` in its `tool.json`",
)

# Compared with the name in lower case. The first that matches counts.
_EXCLUDED: tuple[tuple[str, Reason | None], ...] = (
    *((name, _VERSIONING) for name in (".git", ".hg", ".svn", ".bzr", ".jj")),
    *((name, _CACHE) for name in ("__pycache__", "*.pyc", "*.pyo", ".*_cache", ".cache", ".tox", ".nox", ".venv")),
    ("*.egg-info", _CACHE),
    *((name, _LEFTOVER) for name in (".ds_store", "thumbs.db", "desktop.ini", "*~", ".#*", ".*.sw[a-p]")),
    *((name, None) for name in (".env.example", ".env.sample", ".env.template")),
    *((name, _SECRET) for name in (".env", ".env.*", ".envrc", ".netrc", ".pypirc")),
    *(
        (name, _SECRET)
        for name in ("*.pem", "*.key", "*.p12", "*.pfx", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*")
    ),
)
# `id_map.json` is data; `id_deploy` is how a private key is named.
_KEY_NAME = re.compile(r"id_[a-z0-9_-]+")

_MARKERS = {
    **dict.fromkeys(("tools.json", "manifest.json", "tool.jsonc", "tool.json5", "tool.yaml", "tool.yml"), _MISSPELT),
    **dict.fromkeys(("tool.toml", "tools.yaml", "tools.yml", MANIFEST), _MISSPELT),
    "skill.md": _SKILL,
}
# How programs describe themselves: argc's comments, and the variable by which Amp's toolboxes are asked.
_COMMENTED = re.compile(rb"^\s*(?:#|//)\s*@(?:arg|cmd|describe|flag|option)\b", re.MULTILINE)
_ASKED_BY_VARIABLE = re.compile(rb"\bTOOLBOX_ACTION\b")
_FIRST_LINE = re.compile(rb"\s*#!")
_BUNDLE_KEY = re.compile(rb"^tools:", re.MULTILINE)
_PROGRAMS = frozenset(
    (
        *(".bash", ".bat", ".cmd", ".fish", ".ps1", ".sh", ".zsh"),
        *(".cjs", ".cts", ".js", ".jsx", ".mjs", ".mts", ".ts", ".tsx"),
        *(".go", ".java", ".kt", ".lua", ".php", ".pl", ".rb", ".rs"),
    )
)


def discover(config: Config, reporter: Reporter) -> tuple[Candidate, ...]:
    """Every file and folder of the present layers that may be a tool, by rank and path."""
    layers = sorted((layer for layer in config.layers if layer.present), key=lambda layer: layer.rank)
    return tuple(candidate for layer in layers for candidate in _Search(layer, reporter).candidates())


class _Search:
    """The search of one layer."""

    def __init__(self, layer: Layer, reporter: Reporter) -> None:
        self._layer = layer
        self._reporter = reporter

    def candidates(self) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        for entry in self._entries(""):
            candidate = self._candidate(entry)
            if isinstance(candidate, PythonCandidate):
                found[candidate.file.path] = candidate
            elif candidate is not None:
                found[candidate.manifest.path] = candidate
        return [found[path] for path in sorted(found)]

    def _candidate(self, entry: Entry) -> Candidate | None:
        """What a name at the top level of the layer stands for."""
        if reason := _exclusion(entry):
            self._pass_over("", entry.name, reason)
        elif entry.kind is Kind.FOLDER:
            return self._folder(entry.name)
        elif entry.name.endswith(".py") and not entry.name.startswith((".", "_")):
            return self._python(entry)
        elif self._is_ordinary(entry.name, entry.kind):
            self._pass_over("", entry.name, _file_reason(entry.name, self._head("", entry.name)))
        return None

    def _python(self, entry: Entry) -> PythonCandidate | None:
        if self._layer.kind is LayerKind.MANIFEST:
            self._pass_over("", entry.name, _NO_PYTHON)
            return None
        file = self._read(entry.name, entry.kind)
        return PythonCandidate(file=file) if file else None

    # ------------------------------------------------------------------------------------------------------ folders

    def _folder(self, folder: str) -> ManifestCandidate | None:
        entries = list(self._entries(folder))
        if all(entry.name != MANIFEST or entry.kind is Kind.FOLDER for entry in entries):
            self._explain_folder(folder, entries)
            return None
        if self._layer.kind is LayerKind.PYTHON:
            self._pass_over("", folder, _NO_MANIFESTS)
            return None
        files: dict[str, SourceFile] = {}
        for path, kind in self._shipped(folder, entries):
            if file := self._read(path, kind):
                files[path] = file
        manifest = files.get(f"{folder}/{MANIFEST}")
        if manifest is None:  # it could not be read, which has been reported
            return None
        return ManifestCandidate(folder=folder, manifest=manifest, files=tuple(files[path] for path in sorted(files)))

    def _shipped(self, folder: str, entries: list[Entry]) -> list[tuple[str, Kind]]:
        """Every file of a tool's folder that ships; of a folder with too many, the manifest alone."""
        files: list[tuple[str, Kind]] = []
        pending = [(folder, entries)]
        while pending:
            current, entries = pending.pop()
            for entry in entries:
                path = f"{current}/{entry.name}"
                if reason := self._exclusion_of(path, entry):
                    self._pass_over(current, entry.name, reason)
                elif entry.kind is not Kind.FOLDER:
                    files.append((path, entry.kind))
                    if entry.name == MANIFEST and current != folder:
                        self._pass_over(current, entry.name, _INNER_MANIFEST)
                elif path.count("/") > MAX_DEPTH:
                    message = f"`{escape(path)}` is more than {MAX_DEPTH} folders below the tool's folder"
                    self._report(codes.TOO_DEEP, message, path)
                else:
                    pending.append((path, list(self._entries(path))))
            if len(files) > MAX_FILES:
                self._report(codes.TOO_MANY_FILES, f"`{escape(folder)}` has more than {MAX_FILES:,} files", folder)
                return [(path, kind) for path, kind in files if path == f"{folder}/{MANIFEST}"]
        return files

    def _exclusion_of(self, path: str, entry: Entry) -> Reason | None:
        reason = _exclusion(entry)
        if reason is None and entry.kind is Kind.LINK:
            # A link is shipped as what it leads to, so a secret under another name is still a secret.
            try:
                target = source.link_target(self._layer.root, path)
            except source.Refused:
                return None  # reading it says what is wrong
            reason = _exclusion(Entry(PurePosixPath(target).name, Kind.FILE))
        return reason

    def _explain_folder(self, folder: str, entries: list[Entry]) -> None:
        """Say why a folder is no tool, and what its author may have meant."""
        files = [entry.name for entry in entries if entry.kind is not Kind.FOLDER]
        markers = {name: _MARKERS[name.lower()] for name in files if name.lower() in _MARKERS}
        for name in files:
            if name.lower() in ("config.yaml", "config.yml") and _BUNDLE_KEY.search(self._head(folder, name)):
                markers[name] = _BUNDLE
        nested = list(self._nested_manifests(folder, entries))
        for name, reason in markers.items():
            self._pass_over(folder, name, reason)
        for path in nested:
            self._pass_over(str(PurePosixPath(path).parent), MANIFEST, _DEEP_MANIFEST)
        if not markers and not nested:
            has_python = any(name.endswith(".py") for name in files)
            self._pass_over("", folder, _PYTHON_FOLDER if has_python else _FOLDER)

    def _nested_manifests(self, folder: str, entries: list[Entry]) -> Iterator[str]:
        """The manifests below a folder that is no tool, as far as a look is worth its time."""
        looked_at = 0
        pending = [(folder, entries)]
        while pending and looked_at < MAX_FILES:
            current, entries = pending.pop()
            looked_at += len(entries)
            for entry in entries:
                path = f"{current}/{entry.name}"
                if entry.kind is Kind.FILE and entry.name == MANIFEST and current != folder:
                    yield path
                skipped = _exclusion(entry) or entry.name == "node_modules"
                if entry.kind is Kind.FOLDER and not skipped and path.count("/") <= MAX_DEPTH:
                    pending.append((path, list(self._entries(path))))

    # -------------------------------------------------------------------------------------------------------- files

    def _entries(self, folder: str) -> tuple[Entry, ...]:
        try:
            return source.list_folder(self._layer, folder)
        except source.Refused as refused:
            self._report(refused.code, refused.message, folder, refused.hint)
            return ()

    def _read(self, path: str, kind: Kind) -> SourceFile | None:
        """The file, or nothing where it has been reported that it cannot be read."""
        if kind is not Kind.LINK and not self._is_ordinary(path, kind):
            return None
        if unreadable := FORBIDDEN.search(path):
            not_utf8 = "\ud800" <= unreadable[0] <= "\udfff"
            what = "a name that is not UTF-8" if not_utf8 else f"`{escape(unreadable[0])}` in its name"
            self._report(codes.NAME_UNREADABLE, f"`{escape(path)}` has {what}", path, "rename it")
            return None
        try:
            return source.read_file(self._layer, path)
        except source.Refused as refused:
            self._report(refused.code, refused.message, path, refused.hint)
        except FileNotFoundError:
            self._report(codes.FILE_UNREADABLE, f"`{escape(path)}` was removed during the build", path)
        return None

    def _head(self, folder: str, name: str) -> bytes:
        """How a file that is no tool begins, for saying more of it; nothing where that cannot be read."""
        try:
            return source.read_head(self._layer, f"{folder}/{name}" if folder else name)
        except (source.Refused, OSError):
            return b""

    def _is_ordinary(self, path: str, kind: Kind) -> bool:
        """Whether a name stands for a regular file, or a link to one inside the layer; reported if not."""
        if kind is Kind.LINK:
            try:
                source.link_target(self._layer.root, path)
            except source.Refused as refused:
                self._report(refused.code, refused.message, path, refused.hint)
                return False
        elif kind is not Kind.FILE:
            self._report(codes.FILE_NOT_REGULAR, f"`{escape(path)}` is {kind.value}, not a file", path)
            return False
        return True

    # ------------------------------------------------------------------------------------------------------ telling

    def _report(self, code: Code, message: str, path: str, hint: str | None = None) -> None:
        self._reporter.report(Diagnostic(code, message, self._span(path), hint=hint))

    def _span(self, path: str) -> Span:
        return Span(Text(escape(self._layer.shown(path) if path else self._layer.path)))

    def _pass_over(self, folder: str, name: str, reason: Reason) -> None:
        """A note for a file or folder that is no tool: each is named, none is lost in a number."""
        path = f"{folder}/{name}" if folder else name
        self._report(reason.code, f"`{escape(name)}` {reason.sentence}", path, reason.hint)


def _exclusion(entry: Entry) -> Reason | None:
    """Why a name is never shipped, wherever it stands in a layer."""
    folded = entry.name.lower()
    for pattern, reason in _EXCLUDED:
        if fnmatchcase(folded, pattern):
            return reason
    return _SECRET if entry.kind is not Kind.FOLDER and _KEY_NAME.fullmatch(folded) else None


def _file_reason(name: str, head: bytes) -> Reason:
    """Why a file at the top level of a layer is no tool; `head` is how it begins."""
    if name == MANIFEST:
        return _LOOSE_MANIFEST
    if name.startswith("_") and name.endswith(".py"):
        return _PRIVATE
    suffix = PurePosixPath(name.lower()).suffix
    if suffix in _PROGRAMS or (not suffix and _FIRST_LINE.match(head)):
        if _ASKED_BY_VARIABLE.search(head):
            return _SAYS_WHEN_RUN
        if _COMMENTED.search(head):
            return _SAYS_IN_COMMENTS
        if not head.startswith(b"#!") and _FIRST_LINE.match(head):
            return _LATE_FIRST_LINE
        return _OTHER_LANGUAGE if suffix else _SCRIPT
    return _MARKERS.get(name.lower(), _NOT_A_TOOL)
