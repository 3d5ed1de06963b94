"""Read Python: the text of a file goes in, its syntax tree comes out, or a diagnostic that says why there is none.

Nothing is executed, and the work is bounded: what would cost the parser its stack or the machine its memory is refused.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from dataclasses import dataclass
from functools import cached_property

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span, Text
from toolc.model import SourceFile

# A tree takes about a kilobyte for each of these; without a limit a file of 2 MiB could ask for gigabytes.
_PIECES_LIMIT = 100_000
_PIECE = re.compile(r"\w+|[^\w\s]")
_TEXT_LIMIT = 100_000  # characters of a type in quotes
_SHOWN_LIMIT = 80
_LONG_NUMBER = re.compile(r"0[bBoOxX][0-9a-fA-F_]{3500}")

# Python joins the parts of a name that it imports one by one, in a time that grows with their square.
_NAME_PARTS_LIMIT = 1_000
_LONG_NAME = re.compile(rf"\b(?:\w++[ \t]*+\.[ \t]*+){{{_NAME_PARTS_LIMIT}}}")

# `ast.walk` asks every field of every node; these are the ones that hold no node, or none that says anything.
_CHILDLESS = frozenset({"arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module"}) | {
    *("name", "op", "ops", "simple", "tag", "type_comment"),
}
_CHILDREN: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: ()}
_BLOCKS = frozenset({"body", "cases", "finalbody", "handlers", "orelse"})

_LINE_END = re.compile(r"\r\n|\r|\n")
_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263, in the first or second line
_BOM = "\ufeff"

# Statements that an older Python stumbles over, told by the line it stops at.
_NEWER = (
    ((3, 12), re.compile(r"^\s*type\s+\w+\s*(\[.*\]\s*)?="), "`type` statements"),
    ((3, 12), re.compile(r"^\s*(async\s+def|def|class)\s+\w+\s*\["), "type parameters in brackets"),
    ((3, 13), re.compile(r"^\s*(type|async\s+def|def|class)\s+\w+\s*\[[^\]]*="), "defaults of type parameters"),
    ((3, 14), re.compile(r"^\s*except\s+[\w.]+\s*,[^:]*:"), "`except` without parentheses"),
    ((3, 14), re.compile(r"(?<![\w'\"])[tT][rR]?['\"]"), "template strings"),
)


@dataclass(frozen=True, eq=False)
class Module:
    """A Python file with its syntax tree."""

    file: SourceFile
    text: Text
    tree: ast.Module

    @cached_property
    def lines(self) -> list[str]:
        """The lines as Python counts them."""
        return _LINE_END.split(self.file.text or "")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree but contexts and operators, in no order to rely on."""
        nodes: list[ast.AST] = [self.tree]
        for node in nodes:
            kind = node.__class__
            if kind not in _CHILDREN:
                _CHILDREN[kind] = tuple(name for name in kind._fields if name not in _CHILDLESS)
            for name in _CHILDREN[kind]:
                child = getattr(node, name, None)
                if child.__class__ is list:
                    nodes.extend([item for item in child if isinstance(item, ast.AST)])
                elif isinstance(child, ast.AST):
                    nodes.append(child)
        return nodes

    @cached_property
    def own_path(self) -> ast.Name | None:
        """Where the file asks for its own path."""
        return next((node for node in self.nodes if isinstance(node, ast.Name) and node.id == "__file__"), None)

    @property
    def whole(self) -> Span:
        """The file, without a place in it."""
        return Span(self.text)

    def span(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias) -> Span:
        """The place of a node."""
        end_line = node.end_lineno or node.lineno
        end = self._column(end_line, node.end_col_offset or node.col_offset)
        return Span(self.text, node.lineno, self._column(node.lineno, node.col_offset), end_line, end)

    def name_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """The place of the name in a definition."""
        start = self._column(node.lineno, node.col_offset) - 1
        match = re.compile(r"(?:async\s+)?(?:def|class)\s+(\w+)").match(self._line(node.lineno), start)
        if match is None:  # the name stands on a line of its own, after a backslash
            return Span(self.text, node.lineno, start + 1, node.lineno, start + 1)
        return Span(self.text, node.lineno, match.start(1) + 1, node.lineno, match.end(1) + 1)

    def written(self, span: Span) -> str:
        """What stands at a place of one line."""
        return self._line(span.line)[span.column - 1 : span.end_column - 1]

    def shown(self, node: ast.expr) -> str:
        """An expression as its author wrote it, on one line and not too long."""
        span = self.span(node)
        return shortened(self.written(span)) if span.line == span.end_line else unparsed(node)

    def _line(self, line: int) -> str:
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def _column(self, line: int, offset: int) -> int:
        """The column of a byte offset, which is how the syntax tree counts."""
        text = self._line(line)
        if line == 1 and text.startswith(_BOM):
            text = text[1:]
            offset_of_bom = 1
        else:
            offset_of_bom = 0
        if not text.isascii():
            offset = len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))
        return offset + 1 + offset_of_bom


def statements_in(node: ast.AST) -> list[ast.AST]:
    """The statements directly within a statement, and what groups them: handlers of a `try`, cases of a `match`."""
    inner: list[ast.AST] = []
    for name in node._fields:
        if name in _BLOCKS:
            inner += getattr(node, name)
    return inner


def read_module(file: SourceFile, reporter: Reporter) -> Module | None:
    """Parse a file; None, and a diagnostic, where it is not Python this build can read."""
    text = Text(file.shown, file.text)
    source = file.text
    assert source is not None, f"{file.path} was read as text"
    problem = _refuse(source, text)
    if problem is not None:
        reporter.report(problem)
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a string is the linter's business
            tree = ast.parse(source.removeprefix(_BOM))
    except SyntaxError as error:
        reporter.report(_syntax_error(error, text))
        return None
    except (RecursionError, MemoryError):
        reporter.report(
            Diagnostic(codes.TOO_COMPLEX, f"`{file.path}` nests its expressions too deeply to be parsed", Span(text))
        )
        return None
    except ValueError as error:
        reporter.report(Diagnostic(codes.SYNTAX_ERROR, f"Python cannot read `{file.path}`: {error}", Span(text)))
        return None
    return Module(file=file, text=text, tree=tree)


def read_expression(text: str) -> ast.expr | None:
    """An expression that stands in a string, as types in quotes do; None where it is none."""
    if len(text) > _TEXT_LIMIT:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree.body


def unparsed(node: ast.AST) -> str:
    """The source of an expression on one line, not too long; as much of it as Python can write out."""
    try:
        text = " ".join(ast.unparse(node).split())
    except (ValueError, RecursionError):  # a number of more than 4,300 digits, or deep nesting
        text = f"<{type(node).__name__.lower()}>"
    return shortened(text)


def dumped(node: ast.AST) -> str:
    """What tells expressions apart, wherever they stand."""
    try:
        return ast.dump(node)
    except (ValueError, RecursionError):  # as above; nothing else is taken to be like it
        return f"{type(node).__name__} {id(node)}"


def shortened(text: str) -> str:
    """A text that is not too long to be shown in a sentence."""
    return text if len(text) <= _SHOWN_LIMIT else f"{text[: _SHOWN_LIMIT - 3]}..."


def _refuse(source: str, text: Text) -> Diagnostic | None:
    """What is told from the characters alone."""
    for number, line in enumerate(_LINE_END.split(source, maxsplit=2)[:2], start=1):
        cookie = _COOKIE.match(line.removeprefix(_BOM))
        if cookie and cookie[1].lower().replace("_", "-") not in {"utf-8", "utf8", "utf-8-sig"}:
            return Diagnostic(
                codes.ENCODING_COOKIE,
                f"the file says its encoding is `{shortened(cookie[1])}`; tool files are UTF-8",
                Span(text, number, cookie.start(1) + 1, number, cookie.end(1) + 1),
                hint="save the file as UTF-8 and remove the encoding line",
            )
    nul = source.find("\0")
    if nul >= 0:
        before = _LINE_END.split(source[:nul])
        line_number, column = len(before), len(before[-1]) + 1
        return Diagnostic(
            codes.SYNTAX_ERROR, "a NUL character stands here", Span(text, line_number, column, line_number, column + 1)
        )
    if len(source) > _PIECES_LIMIT and sum(1 for _ in _PIECE.finditer(source)) > _PIECES_LIMIT:
        return Diagnostic(
            codes.TOO_COMPLEX,
            f"the file has more than {_PIECES_LIMIT:,} words and signs, more than a build parses",
            Span(text),
            hint="move data out of the Python file",
        )
    if source.count(".") >= _NAME_PARTS_LIMIT and (long_name := _LONG_NAME.search(source)):
        line_number = len(_LINE_END.split(source[: long_name.start()]))
        message = f"a name here has more than {_NAME_PARTS_LIMIT:,} parts, more than a build parses"
        return Diagnostic(codes.TOO_COMPLEX, message, Span(text, line_number, 1, line_number, 1))
    return None


def _syntax_error(error: SyntaxError, text: Text) -> Diagnostic:
    lines = _LINE_END.split(text.content or "")
    line = min(max(error.lineno or 1, 1), len(lines))
    shown = lines[line - 1]
    column = max(error.offset or 1, 1)
    end_line = error.end_lineno or line
    end_column = error.end_offset or 0
    if end_line != line or end_column <= column:
        end_line, end_column = line, column + 1
    span = Span(text, line, column, end_line, end_column)
    for version, pattern, what in _NEWER:
        if sys.version_info < version and pattern.search(shown):
            needed = ".".join(map(str, version))
            ours = ".".join(map(str, sys.version_info[:2]))
            return Diagnostic(
                codes.NEWER_SYNTAX,
                f"{what} need Python {needed}; this build runs on {ours}",
                span,
                hint=f"build with Python {needed} or newer",
            )
    return Diagnostic(codes.SYNTAX_ERROR, f"Python cannot read this: {error.msg}", span)
