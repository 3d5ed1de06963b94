"""Write the Python files of a layer to disk and compile them, for tests of the Python front end alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolc.diagnostics import Diagnostic, Reporter, Severity
from toolc.model import Config, Declaration, Introspect, Layer, Parsed, PythonCandidate, PythonEntry, Scope
from toolc.parse import parse
from toolc.source import read_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """What the files of a layer declare, and what is said of them."""

    parsed: Parsed
    diagnostics: tuple[Diagnostic, ...]

    @property
    def tools(self) -> dict[str, Declaration]:
        """The declarations by name."""
        return {declaration.name: declaration for declaration in self.parsed.declarations}

    @property
    def tool(self) -> Declaration:
        """The only declaration there is."""
        (declaration,) = self.parsed.declarations
        return declaration

    @property
    def entry(self) -> PythonEntry:
        """How the only declaration is called."""
        assert isinstance(self.tool.entry, PythonEntry)
        return self.tool.entry

    @property
    def broken(self) -> list[str]:
        """The names that declarations with errors claim."""
        return [broken.name for broken in self.parsed.broken]

    @property
    def says(self) -> list[str]:
        """The codes of what is more than a note, in the order of their places."""
        return [diagnostic.code.id for diagnostic in self.diagnostics if diagnostic.level is not Severity.NOTE]

    @property
    def notes(self) -> list[str]:
        """The notes, as sentences."""
        return [diagnostic.message for diagnostic in self.diagnostics if diagnostic.level is Severity.NOTE]

    def one(self, code: str) -> Diagnostic:
        """The only diagnostic of a code."""
        (found,) = [diagnostic for diagnostic in self.diagnostics if diagnostic.code.id == code]
        return found

    def place(self, code: str) -> str:
        """What stands at the place of the only diagnostic of a code."""
        span = self.one(code).span
        assert span.line == span.end_line
        return (span.text.content or "").split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


def compile_files(
    root: Path, files: Mapping[str, str], *, introspect: Introspect = Introspect.SYNTAX, **config: Any
) -> Compiled:
    """Compile the tool files among some files of a layer: those directly in it that do not begin with `_`."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    layer = Layer(name="tools", path="tools", root=root, rank=0, scope=Scope.PROJECT, introspect=introspect)
    candidates = [
        PythonCandidate(file=read_file(layer, path))
        for path in sorted(files)
        if path.endswith(".py") and "/" not in path and not path.startswith("_")
    ]
    reporter = Reporter()
    parsed = parse(candidates, Config(root=root, toolset="demo", layers=(layer,), **config), reporter)
    return Compiled(parsed=parsed, diagnostics=reporter.diagnostics)


def compile_text(root: Path, text: str, **config: Any) -> Compiled:
    """Compile one tool file."""
    return compile_files(root, {"tools.py": text}, **config)
