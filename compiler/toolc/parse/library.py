"""The Python modules of a layer, and what a name in one of them refers to.

Modules are read through `source` when an import first asks for them, and each is parsed once for the whole layer. A
name leads to a definition in a module of the layer, or to the dotted name of something outside it; what is installed
on the build machine plays no part.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from toolc import codes, source
from toolc.diagnostics import Diagnostic, Reporter, Span
from toolc.model import Layer, SourceFile
from toolc.parse.scope import Assigned, Defined, Imported, Meaning, Scope, read_scope
from toolc.parse.script import Script, read_script
from toolc.parse.syntax import Module, read_module

_NODES_KEPT = 20_000
_CHAIN_LIMIT = 64  # modules that take a name from one another
NAME_PARTS_LIMIT = 64  # packages within packages, deeper than any layer


@dataclass(frozen=True, eq=False)
class Loaded:
    """A module of the layer. `module` and `scope` are None where it does not parse; `diagnostics` then say why."""

    file: SourceFile
    dotted: str
    module: Module | None
    scope: Scope | None
    script: Script
    diagnostics: tuple[Diagnostic, ...]

    @property
    def is_package(self) -> bool:
        """Whether this is an `__init__.py`."""
        return self.file.path.rpartition("/")[2] == "__init__.py"

    @property
    def package(self) -> str:
        """What a single leading dot means here; empty at the top of the layer."""
        return self.dotted if self.is_package else self.dotted.rpartition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """An import of what is not in the layer."""

    module: str
    full: str  # with the name that is taken from it
    guarded: bool  # in a `try` that goes on without it, or for type checkers only
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """What the imports of a module lead to."""

    modules: tuple[str, ...]  # their paths within the layer
    outside: tuple[Outside, ...]
    problems: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the layer, by its full name: `typing.Optional`, `builtins.int`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """A definition in a module of the layer; `name` is dotted for a class within a class."""

    home: Loaded
    name: str
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class LayerModule:
    """A module of the layer itself."""

    home: Loaded


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Bound in several ways, and which one counts is not known here."""

    name: str


Referent: TypeAlias = External | Local | LayerModule | Ambiguous


class Library:
    """The modules of one layer, read on demand."""

    def __init__(self, layer: Layer, candidates: Iterable[SourceFile]) -> None:
        self._layer = layer
        self._files = {file.path: file for file in candidates}
        self._loaded: dict[str, Loaded | None] = {}
        self._asked_for: set[str] = set()  # since the last tool file was done with
        self._nodes = 0  # of the trees that are loaded
        self._names: frozenset[str] | None = None  # of what stands in the layer itself, once it was looked at
        self._depth = 0  # of modules that take a name from one another
        self.edges: dict[str, Edges] = {}  # by path, once they were followed
        self.overgrown: set[str] = set()  # the paths of modules that import more than a tool file may
        self._referents: dict[tuple[str, str, bool], Referent | None] = {}
        self.enums: dict[tuple[str, str], Mapping[str, object] | Exception | None] = {}  # their members, once read
        self.enums_open: set[tuple[str, str]] = set()  # that are being read

    def load(self, path: str) -> Loaded | None:
        """A module by its path within the layer; None where there is no such file.

        Raises `source.Refused`.
        """
        self._asked_for.add(path)
        if path not in self._loaded:
            try:
                # What was hashed is what is parsed: no file is read a second time.
                if path not in self._files:
                    self._files[path] = source.read_file(self._layer, path)
            except FileNotFoundError:
                self._loaded[path] = None
            else:
                loaded = self._loaded[path] = self._parse(self._files[path])
                self._nodes += len(loaded.module.nodes) if loaded.module is not None else 0
        return self._loaded[path]

    def settle(self) -> None:
        """Let go of syntax trees after a tool file, all but those it needed: the next one is likely to need the same.

        A tree is a hundred times its text, and a layer may have thousands of files. One that is asked for again is
        parsed again.
        """
        if self._nodes > _NODES_KEPT:
            self._loaded = {path: loaded for path, loaded in self._loaded.items() if path in self._asked_for}
            self._nodes = sum(len(kept.module.nodes) for kept in self._loaded.values() if kept and kept.module)
            self._referents.clear()
        self._asked_for.clear()

    def find(self, dotted: str) -> Loaded | None:
        """A module by its name, packages before files, as Python looks."""
        parts = dotted.split(".")
        if len(parts) > NAME_PARTS_LIMIT or not all(part.isidentifier() for part in parts):
            return None
        if self.names().isdisjoint((parts[0], f"{parts[0]}.py")):
            return None
        path = dotted.replace(".", "/")
        return self.load(f"{path}/__init__.py") or self.load(f"{path}.py")

    def names(self) -> frozenset[str]:
        """What stands in the layer itself. Raises `source.Refused`."""
        if self._names is None:
            self._names = frozenset(entry.name for entry in source.list_folder(self._layer))
        return self._names

    def find_import(self, name: str) -> Loaded | None:
        """The module an absolute import of this name means, if it is one of the layer.

        A file named like a module of the standard library does not take its place.
        """
        return None if name.partition(".")[0] in sys.stdlib_module_names else self.find(name)

    def _parse(self, file: SourceFile) -> Loaded:
        reporter = Reporter()
        module = read_module(file, reporter)
        dotted = file.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        script = read_script(file.text or "")
        scope = None
        if module is not None:
            try:
                scope = read_scope(module, oldest=script.oldest)
            except RecursionError:
                message = f"`{file.path}` nests its statements too deeply to be followed"
                reporter.report(Diagnostic(codes.TOO_COMPLEX, message, module.whole))
                module = None
        return Loaded(
            file=file, dotted=dotted, module=module, scope=scope, script=script, diagnostics=reporter.diagnostics
        )

    # ------------------------------------------------------------------------------------------------------- names

    def refer(self, expression: ast.expr, home: Loaded, *, for_types: bool = False) -> Referent | None:
        """What a name or a dotted name refers to; None where nothing binds it.

        `for_types` also sees what is bound only for type checkers.
        """
        match expression:
            case ast.Name(id=name):
                return self._lookup(name, home, for_types)
            case ast.Attribute(value=value, attr=attribute):
                return self._member(self.refer(value, home, for_types=for_types), attribute, for_types)
        return None

    def _lookup(self, name: str, home: Loaded, for_types: bool) -> Referent | None:
        key = (home.file.path, name, for_types)
        if key not in self._referents:
            self._referents[key] = None  # the answer for whoever asks again before there is one: a circle of imports
            if self._depth > _CHAIN_LIMIT:
                return None
            self._depth += 1
            try:
                self._referents[key] = self._look_up(name, home, for_types)
            finally:
                self._depth -= 1
        return self._referents[key]

    def _look_up(self, name: str, home: Loaded, for_types: bool) -> Referent | None:
        if home.scope is None:
            return None
        meanings = home.scope.names.get(name)
        if for_types:
            meanings = home.scope.typing_names.get(name, meanings)
        if meanings is None:
            return self._from_stars(name, home, for_types) or _builtin(name)
        found: dict[object, Referent] = {}
        for meaning in meanings:
            if meaning is None:
                continue
            referent = self._meaning(name, meaning, home, for_types)
            if referent is not None:
                found[_identity(referent)] = referent
        if len(found) > 1:
            return Ambiguous(name)
        return next(iter(found.values()), None)

    def alternatives(self, expression: ast.expr, home: Loaded) -> Iterator[Referent]:
        """Everything a name may refer to, other names it is assigned from included."""
        pending = [(expression, home)]
        seen: set[tuple[str, str]] = set()
        while pending:
            node, where = pending.pop()
            for referent in self._direct(node, where):
                match referent:
                    case Local(
                        home=other, name=name, meaning=Assigned(value=ast.Name() | ast.Attribute() as value)
                    ) if (other.file.path, name) not in seen:
                        seen.add((other.file.path, name))
                        pending.append((value, other))
                    case _:
                        yield referent

    def _direct(self, expression: ast.expr, home: Loaded) -> Iterator[Referent]:
        referent = self.refer(expression, home)
        if isinstance(referent, Ambiguous) and isinstance(expression, ast.Name) and home.scope is not None:
            for meaning in home.scope.names.get(expression.id, ()):
                if meaning is not None and (one := self._meaning(expression.id, meaning, home, False)) is not None:
                    yield one
        elif referent is not None:
            yield referent

    def _meaning(self, name: str, meaning: Meaning, home: Loaded, for_types: bool) -> Referent | None:
        if not isinstance(meaning, Imported):
            return Local(home, name, meaning)
        if meaning.level:
            base = relative(home, meaning.level, meaning.module)
            if base is None:
                return External(f"{'.' * meaning.level}{meaning.module}.{meaning.attribute}")
            module = self._found(base) if base else None
        else:
            base = meaning.module
            module = self._found_import(base)
        if meaning.attribute is None:
            return LayerModule(module) if module is not None else External(base)
        if module is not None:
            return self._member(LayerModule(module), meaning.attribute, for_types)
        full = f"{base}.{meaning.attribute}" if base else meaning.attribute
        submodule = self._found(full) if meaning.level else self._found_import(full)
        return LayerModule(submodule) if submodule is not None else External(_canonical(full))

    def _member(self, base: Referent | None, attribute: str, for_types: bool) -> Referent | None:
        match base:
            case External(name=name):
                submodule = self._found_import(f"{name}.{attribute}")
                return LayerModule(submodule) if submodule else External(_canonical(f"{name}.{attribute}"))
            case LayerModule(home=home):
                found = self._lookup(attribute, home, for_types)
                if found is not None and not _is_builtin(found, attribute):
                    return found
                submodule = self._found(f"{home.dotted}.{attribute}") if home.is_package else None
                return LayerModule(submodule) if submodule is not None else None
            case Local(meaning=Defined(node=ast.ClassDef())) as outer:
                return nested(outer, attribute)
        return None

    def _from_stars(self, name: str, home: Loaded, for_types: bool) -> Referent | None:
        assert home.scope is not None, "a module with names was parsed"
        for star in reversed(home.scope.stars):
            base = relative(home, star.level, star.module or "") if star.level else star.module or ""
            module = (self._found(base) if star.level else self._found_import(base)) if base else None
            if module is not None:
                found = self._member(LayerModule(module), name, for_types)
                if found is not None:
                    return found
            elif base and _exports(base, name):
                return External(_canonical(f"{base}.{name}"))
        return None

    def _found(self, dotted: str) -> Loaded | None:
        try:
            return self.find(dotted)
        except source.Refused:
            return None  # reported where the import is followed

    def _found_import(self, name: str) -> Loaded | None:
        try:
            return self.find_import(name)
        except source.Refused:
            return None


def relative(home: Loaded, level: int, module: str) -> str | None:
    """The absolute name of a relative import; None where it climbs out of the layer."""
    package = home.package.split(".") if home.package else []
    if level - 1 > len(package):
        return None
    kept = package[: len(package) - (level - 1)]
    return ".".join([*kept, *([module] if module else [])])


def nested(outer: Local, name: str) -> Local | None:
    """The class that is defined by this name in the body of another."""
    if isinstance(outer.meaning, Defined) and isinstance(outer.meaning.node, ast.ClassDef):
        node = _classes_within(outer.meaning.node).get(name)
        if node is not None:
            return Local(outer.home, f"{outer.name}.{name}", Defined(node))
    return None


@lru_cache(maxsize=16)  # every field of a class asks
def _classes_within(definition: ast.ClassDef) -> Mapping[str, ast.ClassDef]:
    return {node.name: node for node in definition.body if isinstance(node, ast.ClassDef)}


def _exports(module: str, name: str) -> bool:
    """Whether `from module import *` brings in this name, as far as it matters to a signature."""
    if module in {"aru.plugins", "toolc"}:
        return name == "tool"
    return module in {"collections.abc", "typing", "typing_extensions"} and name[:1].isupper()


def _builtin(name: str) -> External | None:
    return External(f"builtins.{name}") if hasattr(builtins, name) else None


def _is_builtin(referent: Referent, name: str) -> bool:
    return isinstance(referent, External) and referent.name == f"builtins.{name}"


def _canonical(name: str) -> str:
    """One name for what the backport of `typing` repeats."""
    return f"typing.{name.removeprefix('typing_extensions.')}" if name.startswith("typing_extensions.") else name


def _identity(referent: Referent) -> object:
    match referent:
        case External(name=name):
            return name
        case LayerModule(home=home):
            return home.file.path
        case Local(meaning=meaning):
            return meaning
        case Ambiguous(name=name):
            return ("ambiguous", name)
