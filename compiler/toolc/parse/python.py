"""A Python file goes in; the tools it declares come out. Its syntax tree is read, and nothing of it is executed.

Only where its layer asks for that is the file imported too, by a process of its own, for what syntax cannot tell.
"""

from __future__ import annotations

import ast
import inspect
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span, Text
from toolc.model import (
    Broken,
    Config,
    Declaration,
    Introspect,
    Json,
    Naming,
    Parsed,
    PythonCandidate,
    PythonEntry,
    SourceFile,
)
from toolc.names import PROVIDER_NAME
from toolc.parse.budget import TOOLS_LIMIT, Budget
from toolc.parse.decorators import Options, read_options
from toolc.parse.docstrings import parse as parse_docstring
from toolc.parse.imported import Answer, Counterpart, import_file, places_of_made, show
from toolc.parse.imports import follow
from toolc.parse.included import included, warn_of_own_path
from toolc.parse.library import Library, Loaded
from toolc.parse.returns import compile_return
from toolc.parse.scope import Function
from toolc.parse.selection import Chosen, select
from toolc.parse.shape import parameter_names, parameters_shown
from toolc.parse.signature import compile_signature
from toolc.parse.syntax import Module
from toolc.parse.visible import check_visible


def parse_file(
    candidate: PythonCandidate, config: Config, reporter: Reporter, library: Library | None = None
) -> Parsed:
    """Compile the tools of a file. `library` is what is known of its layer, for a caller that parses several files."""
    file = candidate.file
    library = library or Library(file.layer, [file])
    stem = PurePosixPath(file.path).stem
    claim = Broken(name=stem, layer=file.layer, path=file.path, span=Span(Text(file.shown, file.text)))
    refusal = _refuse(file, stem, claim.span)
    if refusal is not None:
        reporter.report(refusal)
        return Parsed(declarations=(), broken=(claim,))
    home = library.load(file.path)
    assert home is not None, "discovery found the file"
    for diagnostic in home.diagnostics:
        reporter.report(diagnostic)
    if home.module is None:
        return Parsed(declarations=(), broken=(claim,))
    try:
        return _File(home=home, module=home.module, stem=stem, config=config, library=library).compile(reporter)
    except RecursionError:
        reporter.report(
            Diagnostic(codes.TOO_COMPLEX, f"`{file.path}` nests its code too deeply to be compiled", claim.span)
        )
        return Parsed(declarations=(), broken=(claim,))


def _refuse(file: SourceFile, stem: str, span: Span) -> Diagnostic | None:
    if "." in stem:
        return Diagnostic(
            codes.MODULE_NAME,
            f"`{file.path}` has a dot in its name, so it cannot be imported as a module",
            span,
            hint=f"rename it to `{stem.replace('.', '_')}.py`",
        )
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    home: Loaded
    module: Module
    stem: str
    config: Config
    library: Library
    budget: Budget = field(default_factory=Budget)

    @property
    def file(self) -> SourceFile:
        return self.home.file

    def compile(self, reporter: Reporter) -> Parsed:
        own, found = Reporter(), Reporter()
        sources: tuple[SourceFile, ...] = ()
        answer: Answer | None = None
        made: Mapping[str, Span] = {}
        imports = self.file.layer.introspect is Introspect.IMPORT
        if imports:
            sources = self.sources(found)
            answer = self.imported(sources, found)
            made = places_of_made(answer.tools, self.home) if answer is not None else {}
        selection = select(self.home, self.library, own, made, answer.listed if answer is not None else None)
        if len(selection.tools) + len(made) > TOOLS_LIMIT:
            count = len(selection.tools) + len(made)
            message = f"`{self.file.path}` has {count:,} tools, and a file has up to {TOOLS_LIMIT:,}"
            reporter.report(Diagnostic(codes.TOO_LARGE, message, self.module.whole))
            return Parsed(declarations=(), broken=(self.broken(self.stem, self.module.whole),))
        if selection.tools and not imports:
            sources = self.sources(found)
        reporter.adopt(own.diagnostics)
        reporter.adopt(found.diagnostics)

        declarations: list[Declaration] = []
        broken = [self.broken(name, self.module.whole) for name in selection.missing]
        names: list[str] = []
        total = len(selection.tools) + len(made)
        if found.has_errors and not total and imports:
            broken.append(self.broken(self.stem, self.module.whole))  # what tools it makes is not known
        for chosen in [*selection.tools, *(answer.tools[name] for name in made if answer is not None)]:
            findings = Reporter()
            if answer is not None and chosen.function.name in made:
                declaration = self.declare_made(chosen, answer, made[chosen.function.name], total, sources, findings)
            else:
                counterpart = answer.counterpart(chosen.function) if answer is not None else None
                declaration = self.declare(chosen, total, sources, findings, counterpart)
            reporter.adopt(findings.diagnostics)
            names.append(declaration.name)
            if chosen.sound and not findings.has_errors and not found.has_errors:
                declarations.append(declaration)
            else:
                broken.append(self.broken(declaration.name, declaration.span))
        if total and not any(self.includes(name) for name in names):
            for source in sources:
                loaded = self.library.load(source.path)
                if loaded is not None and loaded.module is not None:
                    warn_of_own_path(loaded, reporter)
        return Parsed(declarations=tuple(declarations), broken=tuple(broken))

    def broken(self, name: str, span: Span) -> Broken:
        return Broken(name=name, layer=self.file.layer, path=self.file.path, span=span)

    def includes(self, name: str) -> bool:
        settings = self.config.tools.get(name)
        return settings is not None and bool(settings.include)

    def sources(self, reporter: Reporter) -> tuple[SourceFile, ...]:
        """The modules that any tool of the file may import: one module is loaded as a whole."""
        script = self.home.script
        if script.line:
            line = Span(self.module.text, script.line, 1, script.line, len(self.module.lines[script.line - 1]) + 1)
            if script.problem is not None:
                reporter.report(Diagnostic(codes.SCRIPT_BLOCK, script.problem, line))
            elif script.dependencies:
                message = "the packages that this block names are neither locked nor installed by this version of toolc"
                hint = "have them in the host's own Python, which runs its tools; a wrapper has no packages"
                reporter.report(Diagnostic(codes.SCRIPT_NOT_INSTALLED, message, line, hint=hint))
        declared = [name for names in self.config.dependencies.values() for name in names]
        return follow(self.home, self.library, [*declared, *script.dependencies], reporter)

    def imported(self, sources: Iterable[SourceFile], reporter: Reporter) -> Answer | None:
        """The file as importing it leaves it, among the files that would ship with it."""
        if reporter.has_errors:
            return None
        layer = self.file.layer
        message = f'the Python files of the layer `{layer.name}` are executed, as it says `introspect = "import"`'
        reporter.report(Diagnostic(codes.LAYER_IMPORTED, message, self.config.span or self.module.whole))
        asked = [settings for settings in self.config.tools.values() if settings.include]
        beside = [file for settings in asked for file in included(settings, layer, Reporter())]
        shipped = {file.path: file for file in [*sources, *beside]}
        return import_file(self.home, [*shipped.values()], self.library, reporter)

    def declare_made(
        self,
        chosen: Chosen,
        answer: Answer,
        place: Span,
        tools: int,
        sources: Iterable[SourceFile],
        reporter: Reporter,
    ) -> Declaration:
        """The declaration of a tool that running the file makes: read from the stub, and shown where it is assigned."""
        assert answer.home.module is not None, "a stub is read only where it parses"
        stub = replace(self, home=answer.home, module=answer.home.module, library=answer.library)
        findings = Reporter()
        declaration = stub.declare(chosen, tools, sources, findings)
        reporter.adopt(replace(finding, span=place, labels=()) for finding in findings.diagnostics)
        return replace(declaration, span=place, description_span=place)

    def declare(
        self,
        chosen: Chosen,
        tools: int,
        sources: Iterable[SourceFile],
        reporter: Reporter,
        counterpart: Counterpart | None = None,
    ) -> Declaration:
        """The declaration of one tool; of use only where no error was reported.

        `counterpart` is its function as importing the file left it, where the layer asks for that.
        """
        function = chosen.function
        options = Options()
        if chosen.decorator is not None:
            told = counterpart.options if counterpart is not None else None
            options = read_options(chosen.decorator, self.home, self.library, reporter, told)
        name = options.name or self.name(function, tools)
        span = options.name_span or self.module.name_span(function)
        self.check_name(name, span, options, function, reporter)

        docstring = _docstring(function)
        if counterpart is not None:
            self.compare(function, name, docstring, counterpart, reporter)
        text = str(docstring.value) if docstring else counterpart.document if counterpart is not None else ""
        documentation = parse_docstring(text, parameter_names(function))
        scope = self.home.scope
        assert scope is not None, "the file was parsed"
        overloads = scope.overloads.get(function.name, ())
        signature = compile_signature(
            function, name, documentation, overloads, self.home, self.library, self.budget, reporter, counterpart
        )
        description = options.description or documentation.description
        if not description:
            reporter.report(
                Diagnostic(
                    codes.NO_DESCRIPTION,
                    f"tool `{name}` has no description, so the model is told only its name",
                    self.module.name_span(function),
                    hint="begin the function with a docstring that says when to use it and what it returns",
                )
            )
            description = name
        settings = self.config.tools.get(name)
        extra = included(settings, self.file.layer, reporter) if settings is not None and settings.include else ()
        declaration = Declaration(
            name=name,
            layer=self.file.layer,
            path=self.file.path,
            span=span,
            description=description,
            description_span=options.description_span
            if options.description
            else (self.module.span(docstring) if docstring else None),
            input_schema=signature.input_schema,
            output_schema=compile_return(function, name, self.home, self.library, self.budget, reporter, counterpart),
            entry=PythonEntry(
                module=self.home.dotted,
                function=function.name,
                is_async=isinstance(function, ast.AsyncFunctionDef),
                arguments=signature.arguments,
                conversions=signature.conversions,
            ),
            sources=tuple(sorted({file.path: file for file in [*sources, *extra]}.values(), key=lambda f: f.path)),
            annotations=options.annotations,
            override=options.override,
            permission=options.permission,
            timeout_s=options.timeout_s,
            background=options.background,
        )
        check_visible(name, _texts(declaration), function, self.module, reporter)
        return declaration

    def compare(
        self,
        function: Function,
        name: str,
        docstring: ast.Constant | None,
        counterpart: Counterpart,
        reporter: Reporter,
    ) -> None:
        """Report where the parameters or the docstring are not those that the source shows."""
        span = self.module.name_span(function)
        one, other = parameters_shown(function), parameters_shown(counterpart.function)
        if one != other and not counterpart.says_nothing:
            message = f"tool `{name}` takes `({one})` by its source, and `({other})` once the file is imported"
            reporter.report(Diagnostic(codes.IMPORT_DISAGREES, message, span))
        written = inspect.cleandoc(str(docstring.value)) if docstring is not None else ""
        if docstring is not None and counterpart.document and counterpart.document != written:
            shown = f"{show(written)} by its source, and {show(counterpart.document)} once the file is imported"
            message = f"the docstring of tool `{name}` is {shown}"
            reporter.report(Diagnostic(codes.IMPORT_DISAGREES, message, self.module.span(docstring)))

    # ---------------------------------------------------------------------------------------------------------- names

    def name(self, function: Function, tools: int) -> str:
        """The name of a tool whose decorator gives none."""
        if self.config.naming is Naming.FUNCTION:
            return function.name
        if tools == 1 or function.name in (self.stem, "default"):
            return self.stem
        return f"{self.stem}_{function.name}"

    def check_name(self, name: str, span: Span, options: Options, function: Function, reporter: Reporter) -> None:
        if options.name is None and self.module.written(self.module.name_span(function)) not in ("", function.name):
            reporter.report(
                Diagnostic(
                    codes.NAME_FOLDED,
                    f"the name is written in characters that Python reads as `{function.name}`",
                    span,
                    hint=f"write `{function.name}`",
                )
            )
        if PROVIDER_NAME.fullmatch(name):
            return
        if len(name) > 64:
            message = f"`{name}` has {len(name)} characters; the name of a tool has 64 at most"
        elif not name:
            message = "the name of a tool is not empty"
        else:
            message = (
                f"`{name}` cannot be the name of a tool: it has ASCII letters, digits, `_` and `-`, "
                "and begins with a letter or `_`"
            )
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
        slug = re.sub(r"[^A-Za-z0-9_-]+", "_", plain).strip("_")
        usable = PROVIDER_NAME.fullmatch(slug) is not None
        hint = f'give it another with `@tool(name="{slug}")`' if usable else "give it another with `@tool(name=...)`"
        reporter.report(Diagnostic(codes.TOOL_NAME, message, span, hint=hint))


def _docstring(function: Function) -> ast.Constant | None:
    match function.body:
        case [ast.Expr(value=ast.Constant(value=str()) as docstring), *_]:
            return docstring
    return None


def _texts(declaration: Declaration) -> list[tuple[str, Json]]:
    """What the model sees of a tool, each with the words that say what it is."""
    properties = declaration.input_schema.get("properties")
    rest: dict[str, Json] = {key: value for key, value in declaration.input_schema.items() if key != "properties"}
    named = properties.items() if isinstance(properties, dict) else ()
    return [
        ("the description", declaration.description),
        *((f"parameter `{name}`", [name, schema]) for name, schema in named),
        ("the schema of the input", [rest.get("additionalProperties"), rest.get("$defs")]),
        ("the schema of the output", declaration.output_schema),
        ("the annotations", dict(declaration.annotations)),
    ]
