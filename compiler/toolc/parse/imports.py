"""What a tool file needs beside itself: its imports are followed through the layer, and come out as files to ship.

Every `import` counts, also one inside a function or a `try`. What is neither standard library, nor a module of the
layer, nor declared as a dependency is worth a warning: at call time it may not be there.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span, Text
from toolc.model import SourceFile
from toolc.parse.budget import MODULES_LIMIT
from toolc.parse.library import NAME_PARTS_LIMIT, Edges, Library, Loaded, Outside, relative
from toolc.parse.scope import is_typing_test
from toolc.parse.syntax import shortened, statements_in
from toolc.source import Refused

# What the runtime provides wherever a tool runs, by the name that an import begins with.
_PROVIDED = {"aru": "aru.plugins", "toolc": "toolc", "toolc_runtime": "toolc_runtime"}

_REQUIREMENT_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")

# Distributions whose modules have another name. Only a warning hangs on it, so the well-known ones are enough.
_DISTRIBUTIONS = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "crypto": "pycryptodome",
    "cv2": "opencv",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "fitz": "pymupdf",
    "git": "gitpython",
    "github": "pygithub",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "openssl": "pyopenssl",
    "pil": "pillow",
    "pkg-resources": "setuptools",
    "pptx": "python-pptx",
    "serial": "pyserial",
    "sklearn": "scikit-learn",
    "telegram": "python-telegram-bot",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Import:
    """A module that some statement asks for."""

    node: ast.Import | ast.ImportFrom
    alias: ast.alias
    module: str  # absolute, or after the dots
    level: int = 0
    guarded: bool = False  # in a `try` that goes on without it, or for type checkers only


def follow(home: Loaded, library: Library, dependencies: Collection[str], reporter: Reporter) -> tuple[SourceFile, ...]:
    """The files of the layer that a module can come to import, itself included, by path."""
    distributions = {_normal(match[1]) for text in dependencies if (match := _REQUIREMENT_NAME.match(text))}
    found: dict[str, SourceFile] = {}
    pending = [home.file.path]
    while pending:
        path = pending.pop()
        current = library.load(path) if path not in found else None
        if current is None:
            continue
        found[path] = current.file
        if len(found) > MODULES_LIMIT or path in library.overgrown:
            library.overgrown.add(home.file.path)
            message = f"`{home.file.path}` imports more than {MODULES_LIMIT:,} modules of its layer, directly or not"
            reporter.report(Diagnostic(codes.TOO_LARGE, message, Span(Text(home.file.shown, home.file.text))))
            break
        if current.module is None:
            for diagnostic in current.diagnostics:
                reporter.report(diagnostic)
            continue
        if path not in library.edges:
            library.edges[path] = _edges(current, library)
        edges = library.edges[path]
        for problem in edges.problems:
            reporter.report(problem)
        for outside in edges.outside:
            _judge(outside, distributions, reporter)
        pending.extend(module for module in edges.modules if module not in found)
    return tuple(found[path] for path in sorted(found))


def _edges(home: Loaded, library: Library) -> Edges:
    """What the imports of a module lead to."""
    assert home.module is not None, "imports are read from what parses"
    problems = Reporter()
    modules: dict[str, None] = {}
    outside: dict[Outside, None] = {}
    for wanted in _imports(home.module.tree):
        span = home.module.span(wanted.alias if isinstance(wanted.node, ast.Import) else wanted.node)
        try:
            found = _resolve(wanted, home, library)
        except Refused as refused:
            problems.report(Diagnostic(refused.code, refused.message, span, hint=refused.hint))
            continue
        if found is None:
            message = (
                f"this import leads out of the layer `{home.file.layer.name}`, so it fails when the tool is called"
            )
            problems.report(Diagnostic(codes.RELATIVE_IMPORT, message, span))
            continue
        modules.update(dict.fromkeys(module.file.path for module in found))
        if not found and not wanted.level and wanted.module.partition(".")[0] not in sys.stdlib_module_names:
            is_from = isinstance(wanted.node, ast.ImportFrom)
            full = f"{wanted.module}.{wanted.alias.name}" if is_from else wanted.module
            outside[Outside(module=wanted.module, full=full, guarded=wanted.guarded, span=span)] = None
    return Edges(modules=tuple(modules), outside=tuple(outside), problems=problems.diagnostics)


def _resolve(wanted: _Import, home: Loaded, library: Library) -> list[Loaded] | None:
    """The modules of the layer that one import brings in; None where it leads out of the layer. Raises `Refused`."""
    if wanted.level:
        base = relative(home, wanted.level, wanted.module)
        if base is None:
            return None
        name = f"{base}.{wanted.alias.name}" if base else wanted.alias.name
        return _chain(base, library) + _chain(name, library, only_last=True)
    if wanted.module.partition(".")[0] in sys.stdlib_module_names:
        return []
    modules = _chain(wanted.module, library)
    if isinstance(wanted.node, ast.ImportFrom):
        modules += _chain(f"{wanted.module}.{wanted.alias.name}", library, only_last=True)
    return modules


def _judge(wanted: Outside, distributions: Collection[str], reporter: Reporter) -> None:
    """Report a module from outside the layer that will not be there when the tool is called."""
    top = wanted.module.partition(".")[0]
    if wanted.guarded:
        return
    if top in _PROVIDED:
        if {wanted.module, wanted.full}.isdisjoint(_PROVIDED.values()):
            message = (
                f"`{shortened(wanted.module)}` belongs to the host and is not in a bundle; only `tool` is provided, "
                "from `aru.plugins` or `toolc`"
            )
            reporter.report(Diagnostic(codes.IMPORT_OF_HOST, message, wanted.span))
    elif not _is_declared(wanted.module, distributions):
        reporter.report(
            Diagnostic(
                codes.IMPORT_NOT_DECLARED,
                f"`{shortened(top)}` is neither in the standard library, nor in the layer, nor among the declared "
                "dependencies",
                wanted.span,
                hint="put the module into the layer, or have its package in the host's own Python: a wrapper has none",
            )
        )


def _chain(dotted: str, library: Library, *, only_last: bool = False) -> list[Loaded]:
    """A module of the layer and the packages around it, as importing it runs them all. Raises `Refused`."""
    parts = dotted.split(".")
    if not dotted or len(parts) > NAME_PARTS_LIMIT:
        return []
    prefixes = [dotted] if only_last else [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return [module for prefix in prefixes if (module := library.find(prefix)) is not None]


def _imports(tree: ast.Module) -> Iterator[_Import]:
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, guarded = pending.pop()
        match node:
            case ast.Import():
                for alias in node.names:
                    yield _Import(node=node, alias=alias, module=alias.name, guarded=guarded)
            case ast.ImportFrom():
                for alias in node.names:
                    yield _Import(node=node, alias=alias, module=node.module or "", level=node.level, guarded=guarded)
            case ast.Try() if any(_catches_import_error(handler) for handler in node.handlers):
                pending.extend((child, True) for child in node.body)
                # A backport, for Pythons that do not have the module yet, is not missed where they do.
                pending.extend((child, guarded or _is_standard(node.body)) for child in node.handlers)
                pending.extend((child, guarded) for child in [*node.orelse, *node.finalbody])
            case ast.If() if is_typing_test(node.test):
                pending.extend((child, True) for child in node.body)
                pending.extend((child, guarded) for child in node.orelse)
            case _:
                pending.extend((child, guarded) for child in statements_in(node))


def _is_standard(statements: Sequence[ast.stmt]) -> bool:
    """Whether these are imports of the standard library and nothing else."""
    for statement in statements:
        match statement:
            case ast.Import(names=aliases):
                modules = [alias.name for alias in aliases]
            case ast.ImportFrom(module=str(module), level=0):
                modules = [module]
            case _:
                return False
        if not all(module.partition(".")[0] in sys.stdlib_module_names for module in modules):
            return False
    return True


def _catches_import_error(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    named = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
    return bool(named & {"BaseException", "Exception", "ImportError", "ModuleNotFoundError"})


def _is_declared(module: str, distributions: Collection[str]) -> bool:
    """Whether a distribution is declared that seems to hold the module."""
    top = _normal(module.partition(".")[0])
    known = _DISTRIBUTIONS.get(top, top)
    for distribution in distributions:
        if distribution in (top, known, f"python-{top}", f"py{top}", f"{top}-python") or distribution.startswith(
            f"{known}-"
        ):
            return True
        # `google.cloud.storage` is in google-cloud-storage, `azure.identity` in azure-identity.
        if distribution.startswith(f"{top}-") or _normal(module).startswith(f"{distribution}-"):
            return True
    return False


def _normal(name: str) -> str:
    """A name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
