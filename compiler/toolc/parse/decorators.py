"""The arguments of `@tool(...)`: a decorator goes in, what it says of the tool comes out, each with its place.

An argument has to be readable without running anything: a literal, or a name that a literal is assigned to once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from toolc import codes
from toolc.diagnostics import Code, Diagnostic, Reporter, Span
from toolc.model import Background, Json, Level
from toolc.names import closest
from toolc.parse.constants import NotStatic, fold
from toolc.parse.docstrings import clean
from toolc.parse.library import External, Library, Loaded

_TIMEOUT_LIMIT_S = 10**9

TOOL_DECORATORS = frozenset({"aru.plugins.tool", "toolc.tool"})

# MCP 2025-06-18, ToolAnnotations.
_HINTS: Mapping[str, type] = {
    "title": str,
    "readOnlyHint": bool,
    "destructiveHint": bool,
    "idempotentHint": bool,
    "openWorldHint": bool,
}


@dataclass(slots=True, kw_only=True)
class Options:
    """What the decorator says; None, or empty, where it says nothing."""

    description: str | None = None
    description_span: Span | None = None
    name: str | None = None
    name_span: Span | None = None
    override: bool = False
    permission: Level | None = None
    timeout_s: float | None = None
    background: Background | None = None
    annotations: dict[str, Json] = field(default_factory=dict)


def is_tool_decorator(decorator: ast.expr, home: Loaded, library: Library) -> bool:
    """Whether this is `tool` of `toolc` or `aru.plugins`, under whatever name the file imports it."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    # A file may define a stand-in for where the real one is missing, so any of the meanings will do.
    return any(
        isinstance(referent, External) and referent.name in TOOL_DECORATORS
        for referent in library.alternatives(function, home)
    )


def read_options(
    decorator: ast.expr,
    home: Loaded,
    library: Library,
    reporter: Reporter,
    imported: Mapping[str, ast.expr] | None = None,
) -> Options:
    """Read the arguments of a tool decorator; each that cannot be used is reported at its place.

    `imported` are those that importing the file told, as literals, by name; None where it was not asked.
    """
    reader = _Reader(home=home, library=library, reporter=reporter, imported=imported)
    if isinstance(decorator, ast.Call):
        reader.call(decorator)
    return reader.options


@dataclass(slots=True, kw_only=True)
class _Reader:
    home: Loaded
    library: Library
    reporter: Reporter
    imported: Mapping[str, ast.expr] | None
    options: Options = field(default_factory=Options)

    def call(self, call: ast.Call) -> None:
        readers: dict[str, Callable[[ast.expr, object], None]] = {
            "description": self.description,
            "override": self.override,
            "name": self.name,
            "timeout": self.timeout,
            "permission": self.permission,
            "background": self.background,
            "annotations": self.annotations,
        }
        named = [("description", argument) for argument in call.args[:1]]
        for extra in call.args[1:]:
            self.report(
                codes.OPTION_UNKNOWN, "`tool` takes one argument without a name, the description", self.span(extra)
            )
        written = {keyword.arg for keyword in call.keywords} | {name for name, _ in named}
        for keyword in call.keywords:
            if keyword.arg is None and self.imported is not None:
                for name in self.imported.keys() & readers.keys() - written:
                    readers[name](keyword.value, fold(self.imported[name], self.home, self.library))
            elif keyword.arg is None:
                self.report(
                    codes.OPTION_NOT_LITERAL,
                    "the arguments of `tool` are read from the source, so `**` cannot stand here",
                    self.span(keyword),
                    "write each argument out",
                )
            elif keyword.arg not in readers:
                near = closest(keyword.arg, readers)
                self.report(
                    codes.OPTION_UNKNOWN,
                    f"`tool` has no argument `{keyword.arg}`",
                    self.span(keyword),
                    f"did you mean `{near}`?"
                    if near
                    else f"it has {', '.join(f'`{name}`' for name in sorted(readers))}",
                )
            else:
                named.append((keyword.arg, keyword.value))
        for name, node in named:
            try:
                value = self.value(name, node)
            except NotStatic as error:
                self.report(
                    codes.OPTION_NOT_LITERAL,
                    f"`{name}` of `tool` is not a literal, and "
                    + ("nothing is executed" if self.imported is None else "importing the file does not help")
                    + " to find its value",
                    self.span(error.node if error.node in ast.walk(call) else node),
                    "write the value itself, or the name of a constant that is assigned once",
                )
                continue
            if value is not None:
                readers[name](node, value)

    def value(self, name: str, node: ast.expr) -> object:
        """The value of an argument. Raises `NotStatic` where neither the source nor the import tells it."""
        told = self.imported.get(name) if self.imported is not None else None
        if told is None:
            return fold(node, self.home, self.library)
        found = fold(told, self.home, self.library)
        try:
            value = fold(node, self.home, self.library)
        except NotStatic:
            return found
        if value != found:
            message = f"`{name}` of `tool` is {value!r} in the source, and {found!r} once the file is imported"
            self.report(codes.IMPORT_DISAGREES, message, self.span(node))
        return value

    def description(self, node: ast.expr, value: object) -> None:
        if not isinstance(value, str):
            self.wrong(node, "description", "a string")
            return
        # An empty one says nothing, and the docstring counts.
        self.options.description = clean(value).strip() or None
        self.options.description_span = self.span(node)

    def override(self, node: ast.expr, value: object) -> None:
        if isinstance(value, bool):
            self.options.override = value
        else:
            self.wrong(node, "override", "True or False")

    def name(self, node: ast.expr, value: object) -> None:
        if isinstance(value, str):
            self.options.name, self.options.name_span = value, self.span(node)
        else:
            self.wrong(node, "name", "a string")

    def timeout(self, node: ast.expr, value: object) -> None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= _TIMEOUT_LIMIT_S:
            self.options.timeout_s = float(value)
        else:
            self.wrong(node, "timeout", "a number of seconds above 0")

    def permission(self, node: ast.expr, value: object) -> None:
        if isinstance(value, str) and value in list(Level):
            self.options.permission = Level(value)
        else:
            self.wrong(node, "permission", '"allow", "ask" or "deny"')

    def background(self, node: ast.expr, value: object) -> None:
        if isinstance(value, str) and value in list(Background):
            self.options.background = Background(value)
        else:
            self.wrong(node, "background", '"kill" or "keep"')

    def annotations(self, node: ast.expr, value: object) -> None:
        if not isinstance(value, dict):
            self.wrong(node, "annotations", "a dictionary of MCP's hints")
            return
        for key, hint in value.items():
            if key not in _HINTS:
                near = closest(str(key), _HINTS)
                self.report(
                    codes.OPTION_VALUE,
                    f"`annotations` of `tool` has no hint `{key}`",
                    self.span(node),
                    f"did you mean `{near}`?" if near else f"the hints are {', '.join(f'`{name}`' for name in _HINTS)}",
                )
            elif isinstance(hint, (str, bool)) and isinstance(hint, _HINTS[key]):
                self.options.annotations[key] = hint
            else:
                wanted = "a string" if _HINTS[key] is str else "True or False"
                self.wrong(node, f"annotations[{key!r}]", wanted)

    def wrong(self, node: ast.expr, name: str, wanted: str) -> None:
        self.report(codes.OPTION_VALUE, f"`{name}` of `tool` is to be {wanted}", self.span(node))

    def report(self, code: Code, message: str, span: Span, hint: str | None = None) -> None:
        self.reporter.report(Diagnostic(code, message, span, hint=hint))

    def span(self, node: ast.expr | ast.keyword) -> Span:
        assert self.home.module is not None, "a decorator comes from a file that parses"
        return self.home.module.span(node)
