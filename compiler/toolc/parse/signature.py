"""Parameters of a function go in; the schema of the tool's input, and how a property reaches the function, come out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from toolc import codes
from toolc.diagnostics import Diagnostic, Label, Reporter, Span
from toolc.model import Argument, Json, Schema
from toolc.parse.constants import NotStatic, fold, is_json
from toolc.parse.docstrings import Docstring, Documented
from toolc.parse.library import External, Library, Loaded
from toolc.parse.schemas import NULL, accepts_null, enumeration, fits, json_types, union
from toolc.parse.scope import Function
from toolc.parse.syntax import Module
from toolc.parse.types import NoJsonForm, Type, compile_type

# What every provider takes as the name of a property.
_PROPERTY_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")

_CHOICES = re.compile(r"\s*\(choices:\s*(\[.*\])\s*\)\s*$", re.DOTALL)
_DOCUMENTED_NAMES = {"array": "list", "boolean": "bool", "integer": "int", "number": "float", "string": "str"}

# What is called in place of a default to state constraints, as `Field(ge=1)`: to overlook them would be wrong.
_DESCRIBING = ("dataclasses.field", "fastapi.", "pydantic.", "typer.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The compiled parameters of a function."""

    input_schema: Schema
    arguments: Mapping[str, Argument] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parameter:
    node: ast.arg
    kind: str  # as in `Argument`
    default: ast.expr | None = None

    @property
    def name(self) -> str:
        return self.node.arg


def compile_signature(
    function: Function,
    tool: str,
    documentation: Docstring,
    overloads: Sequence[Function],
    home: Loaded,
    library: Library,
    reporter: Reporter,
) -> Signature:
    """Compile the parameters of the function behind `tool`; what cannot be compiled is reported and left out."""
    assert home.module is not None, "a tool comes from a file that parses"
    compiler = _Compiler(
        function=function,
        tool=tool,
        documentation=documentation,
        overloads=overloads,
        home=home,
        module=home.module,
        library=library,
        reporter=reporter,
    )
    return compiler.compile()


def compile_return(function: Function, tool: str, home: Loaded, library: Library, reporter: Reporter) -> Schema | None:
    """The schema of what the tool returns; None where the annotation says nothing, or nothing JSON can say."""
    assert home.module is not None, "a tool comes from a file that parses"
    if function.returns is None:
        return None
    try:
        compiled = compile_type(function.returns, home, library, _type_parameters(function))
    except NoJsonForm as error:
        reporter.report(
            Diagnostic(
                codes.RETURN_TYPE,
                f"tool `{tool}` returns `{home.module.shown(function.returns)}`, which toolc has no JSON form for; "
                "it gets no output schema",
                home.module.span(error.node),
            )
        )
        return None
    return compiled.schema or None


def parameter_names(function: Function) -> list[str]:
    """The names of a function's parameters."""
    return [parameter.name for parameter in _parameters(function)]


def _type_parameters(function: Function) -> Iterator[str]:
    """The names in brackets after the function's own, Python 3.12."""
    for parameter in getattr(function, "type_params", ()):
        yield parameter.name


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compiler:
    function: Function
    tool: str
    documentation: Docstring
    overloads: Sequence[Function]
    home: Loaded
    module: Module
    library: Library
    reporter: Reporter

    def compile(self) -> Signature:
        properties: dict[str, Json] = {}
        required: list[Json] = []
        arguments: dict[str, Argument] = {}
        additional: Json = False
        parameters = list(_parameters(self.function))
        self.check_documentation(parameters)
        spread = any(parameter.kind == "*" and parameter.node.annotation is not None for parameter in parameters)
        for parameter in parameters:
            if parameter.kind in ("*", "**") and parameter.node.annotation is None:
                self.warn_catch_all(parameter)
                continue
            schema = self.schema(parameter)
            if schema is None:
                continue
            if parameter.kind == "**":
                additional = schema or True
                continue
            self.check_name(parameter)
            properties[parameter.name] = schema
            if parameter.default is None and parameter.kind != "*":
                required.append(parameter.name)
            # Values for `*args` can only follow values that are passed by position too.
            if parameter.kind in ("positional", "*"):
                arguments[parameter.name] = Argument(parameter=parameter.name, kind=parameter.kind)
            elif spread and parameter.node not in self.function.args.kwonlyargs:
                arguments[parameter.name] = Argument(parameter=parameter.name, kind="positional")
        input_schema: Schema = {"type": "object", "properties": properties}
        if required:
            input_schema["required"] = required
        input_schema["additionalProperties"] = additional
        return Signature(input_schema=input_schema, arguments=arguments)

    # ---------------------------------------------------------------------------------------------------- a parameter

    def schema(self, parameter: _Parameter) -> Schema | None:
        """The property of a parameter, or None where it is not exposed."""
        if self.is_marked(parameter):
            return None
        try:
            compiled = self.type_of(parameter)
        except NoJsonForm as error:
            self.without_json_form(parameter, error)
            return None
        schema = compiled.schema
        if parameter.kind == "*":
            schema = {"type": "array", "items": schema}
        documented = self.documentation.parameters.get(parameter.name, Documented())
        description = compiled.description or documented.description
        if compiled.description is None:
            schema, description = _with_choices(schema, description)
        defaults = self.default(parameter, schema)
        if isinstance(parameter.default, ast.Constant) and parameter.default.value is None:
            schema = self.nullable(parameter, schema)
        self.remark(parameter, compiled)
        return {**schema, **({"description": description} if description else {}), **defaults}

    def type_of(self, parameter: _Parameter) -> Type:
        annotation = parameter.node.annotation
        documented = self.documentation.parameters.get(parameter.name, Documented())
        if annotation is not None:
            compiled = compile_type(annotation, self.home, self.library, _type_parameters(self.function))
            self.compare(parameter, compiled.schema, documented)
            return compiled
        from_overloads = [
            compile_type(other.node.annotation, self.home, self.library, _type_parameters(stub)).schema
            for stub in self.overloads
            for other in _parameters(stub)
            if other.name == parameter.name and other.node.annotation is not None
        ]
        if from_overloads:
            return Type(schema=union(from_overloads))
        schema = self.documented_type(documented)
        if schema is not None:
            return Type(schema=schema)
        self.report(
            Diagnostic(
                codes.UNTYPED_PARAMETER,
                f"parameter `{parameter.name}` of tool `{self.tool}` has no type, so any value is accepted",
                self.module.span(parameter.node),
                hint=f"annotate it, for example `{parameter.name}: str`",
            )
        )
        return Type(schema={})

    def without_json_form(self, parameter: _Parameter, error: NoJsonForm) -> None:
        annotation = parameter.node.annotation or parameter.default
        assert annotation is not None, "only an annotation or a default is compiled"
        shown = self.module.shown(annotation)
        because = f": {error.reason}" if error.reason else ""
        if parameter.default is not None or parameter.kind in ("*", "**"):
            kept = "keeps its default" if parameter.default is not None else "stays empty"
            self.report(
                Diagnostic(
                    codes.PARAMETER_HIDDEN,
                    f"parameter `{parameter.name}` of tool `{self.tool}` is hidden from the model and {kept}, "
                    f"as toolc has no JSON form for `{shown}`{because}",
                    self.module.span(error.node),
                )
            )
            return
        if error.resolved:
            message = (
                f"parameter `{parameter.name}` of tool `{self.tool}` has type `{shown}`, "
                f"which toolc has no JSON form for{because}"
            )
        else:
            message = (
                f"parameter `{parameter.name}` of tool `{self.tool}` has type `{shown}`, "
                f"which cannot be told from the source{because}"
            )
        code = codes.TYPE_WITHOUT_JSON if error.resolved else codes.TYPE_UNRESOLVED
        self.report(Diagnostic(code, message, self.module.span(error.node), hint=error.hint))

    # ------------------------------------------------------------------------------------------------------- defaults

    def is_marked(self, parameter: _Parameter) -> bool:
        """A call in place of a default may describe the parameter, or ask a framework for it; neither is a default."""
        if not isinstance(parameter.default, ast.Call):
            return False
        referent = self.library.refer(parameter.default.func, self.home)
        if not isinstance(referent, External):
            return False
        if referent.name.endswith(".Depends"):
            code, hint = codes.PARAMETER_HIDDEN, None
            message = "is hidden from the model: its value is for a framework to supply"
        elif referent.name.startswith(_DESCRIBING):
            code, hint = codes.TYPE_WITHOUT_JSON, "write the default itself, and the description in the docstring"
            message = f"is described by `{referent.name}(...)`, which toolc has no JSON form for"
        else:
            return False
        subject = f"parameter `{parameter.name}` of tool `{self.tool}`"
        self.report(Diagnostic(code, f"{subject} {message}", self.module.span(parameter.default), hint=hint))
        return True

    def default(self, parameter: _Parameter, schema: Schema) -> Schema:
        """The `default` of a property, in a schema of its own, where there is one that JSON can say."""
        if parameter.kind == "*":
            return {"default": []}
        if parameter.default is None:
            return {}
        if isinstance(parameter.default, ast.Constant) and parameter.default.value is None:
            return {"default": None}
        try:
            value = fold(parameter.default, self.home, self.library)
        except NotStatic as error:
            self.not_static(parameter, error.node, "cannot be told from the source")
            return {}
        if not is_json(value):
            self.not_static(parameter, parameter.default, "is not JSON")
            return {}
        if not fits(value, schema):
            self.report(
                Diagnostic(
                    codes.DEFAULT_OF_ANOTHER_TYPE,
                    f"the default of parameter `{parameter.name}` of tool `{self.tool}` is not of its type; "
                    "the schema leaves it out",
                    self.module.span(parameter.default),
                )
            )
            return {}
        return {"default": value}

    def not_static(self, parameter: _Parameter, node: ast.expr, why: str) -> None:
        place = node if node in ast.walk(self.function) else parameter.default
        assert place is not None, "only a default is folded"
        self.report(
            Diagnostic(
                codes.DEFAULT_NOT_STATIC,
                f"the default of parameter `{parameter.name}` of tool `{self.tool}` {why}; "
                "the parameter is optional, and the schema shows no default",
                self.module.span(place),
            )
        )

    def nullable(self, parameter: _Parameter, schema: Schema) -> Schema:
        if accepts_null(schema):
            return schema
        if parameter.node.annotation is not None:
            shown = self.module.shown(parameter.node.annotation)
            self.report(
                Diagnostic(
                    codes.IMPLICIT_OPTIONAL,
                    f"parameter `{parameter.name}` of tool `{self.tool}` has the default None and the type `{shown}`; "
                    "null is accepted too",
                    self.module.span(parameter.node),
                    hint=f"write `{shown} | None`",
                )
            )
        return union([schema, NULL])

    # ------------------------------------------------------------------------------------------------- what is odd

    def report(self, diagnostic: Diagnostic) -> None:
        self.reporter.report(diagnostic)

    def remark(self, parameter: _Parameter, compiled: Type) -> None:
        for qualifier in compiled.qualifiers:
            self.report(
                Diagnostic(
                    codes.QUALIFIER,
                    f"`{qualifier}` means nothing on parameter `{parameter.name}` of tool `{self.tool}`; "
                    "the type inside it counts",
                    self.module.span(parameter.node),
                )
            )
        if compiled.iterates:
            self.report(
                Diagnostic(
                    codes.ITERATOR_PARAMETER,
                    f"parameter `{parameter.name}` of tool `{self.tool}` is an iterator, and gets a list",
                    self.module.span(parameter.node),
                    hint="write `Iterable[...]` or `list[...]`",
                )
            )

    def warn_catch_all(self, parameter: _Parameter) -> None:
        self.report(
            Diagnostic(
                codes.CATCH_ALL,
                f"`{parameter.kind}{parameter.name}` of tool `{self.tool}` has no type and is not offered to the model",
                self.module.span(parameter.node),
                hint="give it a type to expose it",
            )
        )

    def check_name(self, parameter: _Parameter) -> None:
        if not _PROPERTY_NAME.fullmatch(parameter.name):
            self.report(
                Diagnostic(
                    codes.PARAMETER_NAME,
                    f"some providers refuse a parameter named `{parameter.name}`: they take ASCII letters, digits, "
                    "`_`, `.` and `-`, up to 64",
                    self.module.span(parameter.node),
                )
            )

    def check_documentation(self, parameters: Sequence[_Parameter]) -> None:
        if any(parameter.kind == "**" for parameter in parameters):
            return  # what is documented beyond the names may be one of its keys
        known = {parameter.name for parameter in parameters}
        for name in self.documentation.parameters:
            if name not in known:
                self.report(
                    Diagnostic(
                        codes.DOCUMENTED_UNKNOWN,
                        f"the docstring of tool `{self.tool}` describes `{name}`, which is no parameter of it",
                        self.docstring_span(name),
                    )
                )

    def compare(self, parameter: _Parameter, schema: Schema, documented: Documented) -> None:
        """The annotation counts; a docstring that says another type misleads whoever reads it."""
        said = self.documented_type(documented)
        if said is None:
            return
        written, stated = json_types(schema), json_types(said)
        if written and stated and not written & stated:
            annotation = parameter.node.annotation
            assert annotation is not None, "there is a type to compare with"
            self.report(
                Diagnostic(
                    codes.DOCUMENTED_TYPE,
                    f"the docstring of tool `{self.tool}` gives `{parameter.name}` the type `{documented.type}`; "
                    f"the annotation `{self.module.shown(annotation)}` counts",
                    self.docstring_span(parameter.name),
                    labels=(Label(self.module.span(annotation), "the annotation"),),
                )
            )

    def documented_type(self, documented: Documented) -> Schema | None:
        """The type that a docstring gives, if it is plain enough to be one."""
        if documented.type is None:
            return None
        text = re.split(r",\s*(?:optional|default\b|required)", documented.type, maxsplit=1)[0].strip()
        text = re.sub(r"\s+or\s+", " | ", re.sub(r"\blist of (\w+)\b", r"list[\1]", text))
        text = re.sub(r"[A-Za-z]+", lambda word: _DOCUMENTED_NAMES.get(word[0], word[0]), text)
        try:
            node = ast.parse(text, mode="eval").body
            if isinstance(node, ast.Set):
                folded = [fold(item, self.home, self.library) for item in node.elts]
                values = [value for value in folded if isinstance(value, (str, int))]
                return enumeration(values) if len(values) == len(folded) else None
            return compile_type(node, self.home, self.library).schema
        except (SyntaxError, ValueError, RecursionError, MemoryError, NoJsonForm, NotStatic):
            return None

    def docstring_span(self, name: str) -> Span:
        """Where the docstring names a parameter."""
        first = self.function.body[0]
        for number in range(first.lineno, (first.end_lineno or first.lineno) + 1):
            line = self.module.lines[number - 1] if number <= len(self.module.lines) else ""
            match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line)
            if match is not None:
                return Span(self.module.text, number, match.start() + 1, number, match.end() + 1)
        return self.module.name_span(self.function)


def _parameters(function: Function) -> Iterator[_Parameter]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    absent: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for node, default in zip(positional, [*absent, *arguments.defaults], strict=True):
        kind = "positional" if node in arguments.posonlyargs else "keyword"
        yield _Parameter(node=node, kind=kind, default=default)
    if arguments.vararg is not None:
        yield _Parameter(node=arguments.vararg, kind="*")
    for node, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _Parameter(node=node, kind="keyword", default=keyword_default)
    if arguments.kwarg is not None:
        yield _Parameter(node=arguments.kwarg, kind="**")


def _with_choices(schema: Schema, description: str) -> tuple[Schema, str]:
    """`Pick one (choices: ["a", "b"])` in a docstring, as Hugging Face's tools write it."""
    match = _CHOICES.search(description)
    if match is None or "enum" in schema or schema.get("type") not in ("string", "integer", "number", "boolean"):
        return schema, description
    try:
        values = ast.literal_eval(match[1])
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return schema, description
    if not isinstance(values, list) or not values or not all(fits(value, schema) for value in values):
        return schema, description
    return {**schema, "enum": values}, description[: match.start()].rstrip()
