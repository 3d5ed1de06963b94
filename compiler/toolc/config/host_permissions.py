"""The permission files of a host: a preset and a project go in, rules and names that are switched off come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span, Text
from toolc.jsontext import Document, JsonError, parse
from toolc.model import Json, Level, PermissionRule
from toolc.names import TOOL_NAME, closest
from toolc.resources import PermissionFiles
from toolc.text import escape

from .files import Unusable, read_text
from .layers import expand

_DEFAULT = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A key of `permission`: one level, or a level for each pattern of arguments."""

    span: Span
    level: Level | None = None
    levels: Mapping[str, Level] = field(default_factory=dict)

    def strictest(self, default: Level) -> Level:
        """The level, or the strictest of the levels; arguments that no pattern matches have the default."""
        if self.level is not None:
            return self.level
        # `*` matches whatever the arguments are, so with it none is left to the default.
        levels = [*self.levels.values(), *([] if _DEFAULT in self.levels else [default])]
        return max(levels, key=lambda level: level.strictness)


@dataclass(frozen=True, slots=True, kw_only=True)
class _HostFile:
    """What one file says."""

    span: Span
    entries: Mapping[str, _Entry] | None = None  # by key, in the order of the file; None where it has no `permission`
    everything: bool = False  # `permission` is one level for all tools
    disabled: Mapping[str, Span] | None = None  # None where it has no `tools.disabled`

    @property
    def says_something(self) -> bool:
        """Whether a toolset depends on it."""
        return bool(self.entries or self.disabled)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPermissions:
    """What the files of a host say together."""

    rules: tuple[PermissionRule, ...] = ()  # weakest first
    disabled: Mapping[str, Span] = field(default_factory=dict)
    user_file: Span | None = None  # the file under `~` that counts, where one does


def read_host_permissions(
    files: PermissionFiles, root: Path, default: Level, reporter: Reporter, *, user_layers: bool
) -> HostPermissions:
    """What the host's files say of custom tools: those of the project, above those under `~` where these count.

    `default` is the level of the host where its files have none.
    """
    user = _first(files.user, root, reporter) if user_layers else None
    project = _first(files.project, root, reporter)
    return HostPermissions(
        rules=tuple(_rules(_merged(user, project), default, files.categories)),
        disabled=_disabled(user, project),
        user_file=user.span if user is not None and user.says_something else None,
    )


# --------------------------------------------------------------------------------------------------------- two files


def _merged(user: _HostFile | None, project: _HostFile | None) -> dict[str, _Entry]:
    """The entries of both; what the project says of a key counts, levels by argument are merged."""
    above = (project.entries if project is not None else None) or {}
    if user is None or (project is not None and project.everything):
        return dict(above)
    below = user.entries or {}
    # The keys that only the user has come first: among patterns that match a name, the last one decides.
    merged = {key: entry for key, entry in below.items() if key not in above}
    for key, entry in above.items():
        old = below.get(key)
        nested = old is not None and old.level is None and entry.level is None
        merged[key] = replace(entry, levels={**old.levels, **entry.levels}) if old is not None and nested else entry
    return merged


def _disabled(user: _HostFile | None, project: _HostFile | None) -> Mapping[str, Span]:
    """The names of the nearer list: a list is replaced, not merged."""
    for file in (project, user):
        if file is not None and file.disabled is not None:
            return file.disabled
    return {}


def _rules(
    entries: Mapping[str, _Entry], default: Level, categories: Mapping[str, tuple[str, ...]]
) -> Iterator[PermissionRule]:
    """One rule for an entry; `*` is the default, so the weakest, wherever it stands."""
    if _DEFAULT in entries:
        default = entries[_DEFAULT].strictest(default)
    for key, entry in sorted(entries.items(), key=lambda item: item[0] != _DEFAULT):
        for pattern in (key, *categories.get(key, ())):
            yield PermissionRule(
                pattern=pattern,
                level=entry.strictest(default),
                origin=entry.span.path,
                nested=entry.level is None,
                span=entry.span,
            )


# ---------------------------------------------------------------------------------------------------------- one file


def _first(paths: tuple[str, ...], root: Path, reporter: Reporter) -> _HostFile | None:
    """What the first of these files that is there says."""
    for shown in paths:
        path = expand(shown, root)
        try:
            content = read_text(path, shown, reporter) if path is not None else None
            if content is not None:
                return _read(Text(shown, content), content, reporter)
        except Unusable:
            return None
    return None


def _read(text: Text, content: str, reporter: Reporter) -> _HostFile | None:
    try:
        document = parse(content)
    except JsonError as error:
        reporter.report(Diagnostic(codes.HOST_FILE_SYNTAX, error.message, Span(text, *error.place), hint=error.hint))
        return None
    if not isinstance(document.value, dict):
        message = f"`{text.path}` holds {_kind(document.value)} where an object should be"
        reporter.report(Diagnostic(codes.HOST_FILE_SHAPE, message, Span(text, *document.place(()))))
        return None
    return _FileReader(text, document, reporter).file(document.value)


class _FileReader:
    """Takes a file apart, and reports at its place what is none of the shapes that mean something."""

    def __init__(self, text: Text, document: Document, reporter: Reporter) -> None:
        self._text = text
        self._document = document
        self._reporter = reporter

    def file(self, value: dict[str, Json]) -> _HostFile:
        """What the file says."""
        permission = value.get("permission")
        return _HostFile(
            span=Span(self._text),
            entries=self._entries(permission),
            everything=isinstance(permission, str),
            disabled=self._disabled(value.get("tools")),
        )

    def _entries(self, permission: Json) -> dict[str, _Entry] | None:
        if permission is None:
            return None
        if not isinstance(permission, dict):
            level = self._level(permission, "permission", object_too=True)
            return {_DEFAULT: _Entry(span=self._span("permission"), level=level)} if level is not None else {}
        entries = {}
        for key, value in permission.items():
            if isinstance(value, dict):
                levels = {
                    pattern: level
                    for pattern, inner in value.items()
                    if (level := self._level(inner, "permission", key, pattern)) is not None
                }
                if levels:
                    entries[key] = _Entry(span=self._span("permission", key, key=True), levels=levels)
            elif (level := self._level(value, "permission", key, object_too=True)) is not None:
                entries[key] = _Entry(span=self._span("permission", key, key=True), level=level)
        return entries

    def _level(self, value: Json, *pointer: str, object_too: bool = False) -> Level | None:
        """A level, or None and a report."""
        levels = [level.value for level in Level]
        if isinstance(value, str) and value in levels:
            return Level(value)
        said = f"`{escape(value)}`" if isinstance(value, str) else _kind(value)
        takes = "`allow`, `ask`, `deny` or an object" if object_too else "`allow`, `ask` or `deny`"
        near = closest(value, levels) if isinstance(value, str) else None
        self._report(
            f"`{escape('.'.join(pointer))}` takes {takes}, not {said}",
            self._span(*pointer),
            hint=f"did you mean `{near}`?" if near is not None else None,
        )
        return None

    def _disabled(self, tools: Json) -> dict[str, Span] | None:
        if not isinstance(tools, dict) or "disabled" not in tools:
            return None  # the host keeps other things under `tools`, too
        names = tools["disabled"]
        if not isinstance(names, list):
            self._report(f"`tools.disabled` takes a list of names, not {_kind(names)}", self._span("tools", "disabled"))
            return None
        disabled: dict[str, Span] = {}
        for index, name in enumerate(names):
            span = self._span("tools", "disabled", index)
            if not isinstance(name, str):
                self._report(f"each item of `tools.disabled` is a name, not {_kind(name)}", span)
            elif TOOL_NAME.fullmatch(name):  # a name that no tool of ours can have is one of the host's own
                disabled.setdefault(name, span)
        return disabled

    def _span(self, *pointer: str | int, key: bool = False) -> Span:
        return Span(self._text, *self._document.place(pointer, key=key))

    def _report(self, message: str, span: Span, hint: str | None = None) -> None:
        self._reporter.report(Diagnostic(codes.HOST_FILE_SHAPE, message, span, hint=hint))


def _kind(value: Json) -> str:
    match value:
        case None:
            return "`null`"
        case bool():
            return f"`{str(value).lower()}`"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case dict():
            return "an object"
