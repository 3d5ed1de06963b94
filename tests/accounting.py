"""Compile Python files that were not written for toolc, and account for every function of their top levels.

    python accounting.py [SECONDS]

compiles the standard library and every package that is importable here, for as long as it is given, and prints the
counts: of the files as they are, and with every function of their top levels made a tool. What has no account, or
raises, is printed and is exit status 1.
"""

from __future__ import annotations

import ast
import itertools
import random
import site
import sys
import sysconfig
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from toolc.codes import NO_TOOLS
from toolc.diagnostics import Diagnostic, Reporter, Severity, Span
from toolc.model import Config, Layer, PythonCandidate, PythonEntry, Scope
from toolc.parse import parse
from toolc.source import Refused, read_file

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Counts:
    """What became of some files and of the functions at their top level."""

    files: int = 0
    refused: int = 0  # files that are not compiled, each for a reason that is told
    functions: int = 0
    tools: int = 0
    explained: int = 0
    lost: list[str] = field(default_factory=list)  # functions that nothing is said of, and files that raise

    def __str__(self) -> str:
        return (
            f"{self.files} files ({self.refused} refused with a reason), {self.functions} functions at top level: "
            f"{self.tools} compiled, {self.explained} explained, {len(self.lost)} lost"
        )


def library_files() -> list[Path]:
    """The modules of the standard library, by path."""
    root = Path(sysconfig.get_path("stdlib"))
    return sorted(path for path in root.rglob("*.py") if "site-packages" not in path.parts)


def installed_files() -> list[Path]:
    """The modules of the packages that can be imported here, by path."""
    return sorted({path for root in site.getsitepackages() for path in Path(root).rglob("*.py")})


def account(paths: Iterable[Path], *, as_tools: bool = False) -> Counts:
    """Compile files one by one, each as the only file of a layer, and say what became of their functions.

    `as_tools` decorates all the functions with `tool` first.
    """
    counts = Counts()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        layer = Layer(name="tools", path="tools", root=root, rank=0, scope=Scope.PROJECT)
        for path in paths:
            counts.files += 1
            # A name that any module may have: what is wrong with names is told of the file, before it is read.
            data = path.read_bytes()
            (root / "module.py").write_bytes(decorated(data) if as_tools else data)
            try:
                _account_file(layer, path, counts)
            except Exception:  # the very thing that is looked for
                counts.lost.append(f"{path}: {traceback.format_exc()}")
    return counts


def _account_file(layer: Layer, path: Path, counts: Counts) -> None:
    reporter = Reporter()
    try:
        file = read_file(layer, "module.py")
    except Refused:
        counts.refused += 1
        return
    config = Config(root=layer.root, toolset="all", layers=(layer,))
    parsed = parse([PythonCandidate(file=file)], config, reporter)
    compiled = {entry.entry.function for entry in parsed.declarations if isinstance(entry.entry, PythonEntry)}
    told = reporter.diagnostics
    if not parsed.declarations and any(diagnostic.code.skips and diagnostic.code != NO_TOOLS for diagnostic in told):
        counts.refused += 1
        return
    # Of definitions that are alike in all arms of a condition, the error is told of one.
    broken = {entry.name for entry in parsed.broken if any(d.level is Severity.ERROR for d in told)}
    # A note about the file as a whole, that nothing in it is a tool or what else there is of a kind, explains the rest.
    whole = any(diagnostic.span.line == 0 for diagnostic in told)
    lines = {span.line for diagnostic in told for span in _spans(diagnostic)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse((file.text or "").removeprefix("\ufeff"))
    for function in top_functions(tree.body):
        counts.functions += 1
        if function.name in compiled:
            counts.tools += 1
        elif whole or function.name in broken or not lines.isdisjoint(_own_lines(function)) or _is_quiet(function):
            counts.explained += 1
        else:
            counts.lost.append(f"{path}:{function.lineno}: {function.name}")


def _spans(diagnostic: Diagnostic) -> list[Span]:
    return [diagnostic.span, *(label.span for label in diagnostic.labels)]


def _own_lines(function: Function) -> range:
    """The lines of a function from its first decorator to where its body begins."""
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return range(first, max(function.body[0].lineno, function.lineno + 1))


def _is_quiet(function: Function) -> bool:
    """Whether a rule of the documentation says that nothing is said of such functions: private ones, and stubs."""
    return function.name.startswith("_") or any(
        ast.unparse(decorator).rpartition(".")[2] == "overload" for decorator in function.decorator_list
    )


def decorated(data: bytes) -> bytes:
    """A file with every function of its top level made a tool; as it was, where Python cannot read it."""
    try:
        text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            functions = list(top_functions(ast.parse(text).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return data
    lines = text.split("\n")
    for function in reversed(functions):
        first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        lines.insert(first - 1, " " * function.col_offset + "@a_tool")
    # At the end, where a name means what it means for the whole file, and where no `from __future__` has to be first.
    return "\n".join([*lines, "from toolc import tool as a_tool", ""]).encode()


def top_functions(statements: Iterable[ast.stmt]) -> Iterator[Function]:
    """The functions that a module defines when it is loaded, wherever in its statements they stand."""
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement
        elif not isinstance(statement, ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                yield from top_functions(getattr(statement, name, ()))
            for part in [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]:
                yield from top_functions(part.body)


def main(seconds: float) -> int:
    """Compile all that there is in the time given, in an order of its own, and print the counts."""
    end = time.monotonic() + seconds
    status = 0
    for name, paths in (("standard library", library_files()), ("installed packages", installed_files())):
        random.Random(1).shuffle(paths)
        for as_tools in (False, True):
            counts = account(itertools.takewhile(lambda _: time.monotonic() < end, paths), as_tools=as_tools)
            how = "all of them tools" if as_tools else "as they are"
            print(f"{name}, {counts.files} of {len(paths)}, {how}: {counts}")
            print(*counts.lost, sep="\n", end="\n" if counts.lost else "")
            status |= bool(counts.lost)
    return status


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else float("inf")))
