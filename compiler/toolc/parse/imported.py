"""What importing a tool file tells: the file goes in, its functions come out as the import left them.

The answer is stubs, Python source with everything evaluated, which are compiled by the rules for any source. So there
is one compiler of types, and what it makes of both can be compared: where the source tells nothing the import is
believed, and where both tell something they have to agree.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span
from toolc.introspect import NoAnswer, introspect
from toolc.model import Json, Layer, SourceFile
from toolc.parse.injected import FRAMEWORKS
from toolc.parse.library import Library, Loaded
from toolc.parse.scope import Assigned, Defined, Function, Imported, Meanings, read_scope
from toolc.parse.selection import Chosen, select
from toolc.parse.shape import Parameter, list_parameters
from toolc.parse.syntax import dumped, read_module
from toolc.parse.typed import Definitions, NoJsonForm, Type, references
from toolc.parse.types import compile_type

# Packages whose types are known by name, or fill in parameters: what their classes are made of says nothing.
_OPAQUE = FRAMEWORKS | {
    "annotated_doc",
    "annotated_types",
    "aru",
    "attr",
    "attrs",
    "pydantic",
    "pydantic_core",
    "toolc",
    "toolc_runtime",
    "typing_extensions",
}
_SHOWN_LIMIT = 100
_LEAST = ("minItems", "minLength", "minProperties")  # of 0 says nothing
_REMARKS = ("default", "deprecated", "description", "examples")  # in a schema, and no part of what it accepts


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterpart:
    """A function as importing its file left it."""

    function: Function
    home: Loaded
    library: Library

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of a name."""
        return next((found for found in list_parameters(self.function) if found.name == name), None)

    def annotation(self, name: str) -> ast.expr | None:
        """The annotation of a parameter."""
        found = self.parameter(name)
        return found.node.annotation if found is not None else None

    def compile_type(self, annotation: ast.expr, definitions: Definitions, place: Span) -> Type:
        """Compile an annotation of the function; `place` is where the source has it. Raises `NoJsonForm`."""
        before = len(definitions.remarks)
        compiled = compile_type(annotation, self.home, self.library, definitions)
        definitions.remarks[before:] = [
            replace(remark, span=place, labels=()) for remark in definitions.remarks[before:]
        ]
        return compiled

    @property
    def options(self) -> Mapping[str, ast.expr]:
        """What the tool decorator was given, by name."""
        for decorator in self.function.decorator_list:
            if isinstance(decorator, ast.Call):
                return {keyword.arg: keyword.value for keyword in decorator.keywords if keyword.arg is not None}
        return {}

    @property
    def document(self) -> str:
        """The docstring."""
        return ast.get_docstring(self.function) or ""

    @property
    def says_nothing(self) -> bool:
        """Whether it takes anything, as the inside of a decorator does."""
        kinds = [(parameter.kind, parameter.node.annotation) for parameter in list_parameters(self.function)]
        return kinds == [("*", None), ("**", None)]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A tool file as importing it left it."""

    home: Loaded
    library: Library

    @cached_property
    def tools(self) -> Mapping[str, Chosen]:
        """The functions that are tools by what they have become, by name."""
        return {chosen.function.name: chosen for chosen in select(self.home, self.library, Reporter()).tools}

    @cached_property
    def listed(self) -> Sequence[str] | None:
        """The names in its `__all__`, where it has one."""
        for node in self.home.module.tree.body if self.home.module is not None else ():
            match node:
                case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items)):
                    return [str(item.value) for item in items if isinstance(item, ast.Constant)]
        return None

    def counterpart(self, function: Function) -> Counterpart | None:
        """What a function of the source has become; None where it is no function any more."""
        for found in self.functions():
            if found.name == function.name:
                return Counterpart(function=found, home=self.home, library=self.library)
        return None

    def functions(self) -> Iterator[Function]:
        """The functions at the top level."""
        assert self.home.module is not None, "a stub is read only where it parses"
        return (
            node for node in self.home.module.tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        )


def import_file(home: Loaded, sources: Sequence[SourceFile], library: Library, reporter: Reporter) -> Answer | None:
    """Import a tool file; `sources` are the files it may import. None, and a diagnostic, where that gives no answer."""
    assert home.module is not None, "what does not parse is not imported"
    layer = home.file.layer
    try:
        # Once more in another process: what differs from one to the next has no place in a lock.
        first, second = (introspect(layer, home.dotted, sources, _OPAQUE) for _ in range(2))
    except NoAnswer as problem:
        reporter.report(
            Diagnostic(codes.IMPORT_STOPPED, f"`{home.file.path}` {problem.message}", _place(problem, home, library))
        )
        return None
    answer = _read(first, home, layer)
    if first != second:
        what, span = _differing(answer, _read(second, home, layer), home)
        message = f"{what} is not the same from one import of `{home.file.path}` to the next"
        reporter.report(Diagnostic(codes.IMPORT_UNSTEADY, message, span))
        return None
    return answer


def _place(problem: NoAnswer, home: Loaded, library: Library) -> Span:
    assert home.module is not None, "what does not parse is not imported"
    found = library.load(problem.path) if problem.path and problem.path.endswith(".py") else None
    module = found.module if found is not None else None
    if module is None or not 0 < problem.line <= len(module.lines):
        return home.module.whole
    text = module.lines[problem.line - 1]
    return Span(module.text, problem.line, len(text) - len(text.lstrip()) + 1, problem.line, len(text.rstrip()) + 1)


def _differing(first: Answer | None, second: Answer | None, home: Loaded) -> tuple[str, Span]:
    """What differs between two imports of a file, and where the source has it."""
    assert home.module is not None, "what does not parse is not imported"
    defined = {
        node.name: node for node in home.module.tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for function in first.functions() if first is not None else ():
        other = second.counterpart(function) if second is not None else None
        if other is None or dumped(function) == dumped(other.function):
            continue
        source = defined.get(function.name)
        span = home.module.name_span(source) if source is not None else home.module.whole
        stated = {parameter.name: parameter for parameter in list_parameters(source)} if source is not None else {}
        for parameter in list_parameters(function):
            twin, written = other.parameter(parameter.name), stated.get(parameter.name)
            if twin is not None and written is not None and _told(parameter) != _told(twin):
                place = home.module.span(written.default or written.node)
                return f"parameter `{parameter.name}` of tool `{function.name}`", place
        return f"tool `{function.name}`", span
    return "what its types are made of", home.module.whole


def _told(parameter: Parameter) -> list[str]:
    return [dumped(node) for node in (parameter.node, parameter.default) if node is not None]


def _read(stubs: Mapping[str, str], home: Loaded, layer: Layer) -> Answer | None:
    modules: dict[str, Loaded] = {}
    for dotted, text in stubs.items():
        path = home.file.path if dotted == home.dotted else f"{dotted.replace('.', '/')}.py"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        file = SourceFile(layer=layer, path=path, sha256=digest, text=text)
        module = read_module(file, Reporter())
        if module is not None:
            with suppress(RecursionError):
                scope = read_scope(module, oldest=home.script.oldest)
                modules[path] = Loaded(
                    file=file, dotted=dotted, module=module, scope=scope, script=home.script, diagnostics=()
                )
    library = _Stubs(layer, modules)
    own = library.load(home.file.path)
    return Answer(home=own, library=library) if own is not None else None


class _Stubs(Library):
    """A library of stubs alone: no file is read for them."""

    def __init__(self, layer: Layer, modules: Mapping[str, Loaded]) -> None:
        super().__init__(layer, ())
        self._modules = modules

    def load(self, path: str) -> Loaded | None:
        return self._modules.get(path)

    def names(self) -> frozenset[str]:
        return frozenset(path.partition("/")[0] for path in self._modules)


# ------------------------------------------------------------------------------------------------------- made by code


def places_of_made(names: Iterable[str], home: Loaded) -> dict[str, Span]:
    """Of the names that an import gave to functions, those that no definition and no import does, and their places."""
    assert home.module is not None and home.scope is not None, "what does not parse is not imported"
    places: dict[str, Span] = {}
    for name in names:
        meanings = home.scope.names.get(name)
        if meanings is None and not home.scope.stars:
            places[name] = home.module.whole
        elif meanings is not None and _is_made(meanings):
            places[name] = home.module.span(next(meaning.node for meaning in meanings if meaning is not None))
    return places


def _is_made(meanings: Meanings) -> bool:
    """Whether a name is bound to what code makes: not to a definition, an import, or another name for one of these."""
    for meaning in meanings:
        match meaning:
            case None | Defined() | Imported() | Assigned(value=ast.Name() | ast.Attribute()):
                return False
    return True


# --------------------------------------------------------------------------------------------------------- comparing


def settle(
    from_source: Callable[[Definitions], Type],
    from_import: Callable[[Definitions], Type],
    definitions: Definitions,
    disagree: Callable[[str], None],
) -> Type:
    """The type that the source tells; where it tells none, the import's. Raises `NoJsonForm` where neither does.

    `disagree` is given a clause that tells both, where they are not the same.
    """
    in_source, in_import = Definitions(budget=definitions.budget), Definitions(budget=definitions.budget)
    try:
        told = from_source(in_source)
    except NoJsonForm:
        with suppress(NoJsonForm):
            return from_import(definitions)
        raise
    try:
        found = from_import(in_import)
    except NoJsonForm:
        return from_source(definitions)
    if in_source.untold:
        compiled = from_import(definitions)
        _describe(definitions, in_source)
        return compiled
    if _whole(told, in_source, numbered=True) != _whole(found, in_import, numbered=True):
        disagree(_both(_whole(told, in_source), _whole(found, in_import)))
    return from_source(definitions)


def show(value: object) -> str:
    """A value as JSON where it is some, not too long."""
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError):
        return _cut(repr(value))


def _describe(definitions: Definitions, in_source: Definitions) -> None:
    """Give the fields of models the descriptions that only their source has, in strings below them."""
    for name, compiled in definitions.types.items():
        told = in_source.types.get(name)
        properties = compiled.schema.get("properties") if compiled is not None else None
        described = told.schema.get("properties") if told is not None else None
        if compiled is None or not isinstance(properties, dict) or not isinstance(described, dict):
            continue
        for key, schema in properties.items():
            remark = described.get(key)
            if isinstance(schema, dict) and isinstance(remark, dict) and isinstance(remark.get("description"), str):
                schema.setdefault("description", remark["description"])


def _whole(compiled: Type, definitions: Definitions, *, numbered: bool = False) -> Json:
    """A type with all that it refers to, and what is made of its values; without what only remarks on it.

    `numbered` replaces the names of models, in which the arguments of generic ones stand as each way spells them.
    """
    used = definitions.used_by(compiled.schema)
    names = {name: name for name in used}
    if numbered:
        found = dict.fromkeys(references(compiled.schema))
        for _ in used:  # as many rounds as there are models reach all of them
            found |= {inner: None for known in [*found] for inner in references(used[known].schema)}
        names = {name: str(number) for number, name in enumerate(found)}
    schemas: dict[str, Json] = {names[name]: _bare(inner.schema, names) for name, inner in used.items()}
    made: dict[str, Json] = dict(compiled.conversions)
    made |= {f"{names[name]} {at}": kind for name, inner in used.items() for at, kind in inner.conversions.items()}
    return {"schema": _bare(compiled.schema, names), "$defs": schemas, "made": made}


def _bare(schema: Json, names: Mapping[str, str]) -> Json:
    """A schema without what only remarks on it, its models under other names."""
    if isinstance(schema, list):
        return [_bare(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bare: dict[str, Json] = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, dict):
            bare[key] = {name: _bare(inner, names) for name, inner in value.items()}
        elif key == "$ref":
            bare[key] = names[next(references(schema))]
        elif key not in _REMARKS and not (key in _LEAST and value == 0):
            bare[key] = _bare(value, names)
    return bare


def _both(one: Json, other: Json) -> str:
    """What two types are, where they first differ, and the place of that in models."""
    steps: list[str] = []
    while isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        key = next(key for key in one if one[key] != other[key])
        if steps and steps[0] == "schema":
            break
        steps.append(key)
        one, other = one[key], other[key]
    at = f"has at `{'/'.join(steps[1:])}`" if steps[1:] else "is"
    return f"{at} {show(one)} by its source, and {show(other)} once the file is imported"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_LIMIT else f"{text[: _SHOWN_LIMIT - 3]}..."
