"""Parameters of a function go in; the schema of the tool's input, and how a property reaches the function, come out."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from toolc import codes
from toolc.diagnostics import Diagnostic, Label, Reporter
from toolc.model import Argument, Introspect, Schema
from toolc.parse.budget import FILE_LIMIT, PARAMETERS_LIMIT, Budget, weigh
from toolc.parse.constants import NotStatic, fold
from toolc.parse.constraints import describes, read_field
from toolc.parse.defaults import NotJson, OfAnotherType, static_default
from toolc.parse.docstrings import Docstring, Documented
from toolc.parse.documented import docstring_span, documented_type, with_choices
from toolc.parse.enforced import complaints
from toolc.parse.imported import Counterpart, settle, show
from toolc.parse.injected import CONTEXT, UNTYPED, injected_type, injecting_default
from toolc.parse.library import Library, Loaded
from toolc.parse.schemas import NULL, accepts_null, json_types
from toolc.parse.scope import Function
from toolc.parse.shape import Parameter, Shape, Signature, list_parameters
from toolc.parse.syntax import Module
from toolc.parse.typed import Definitions, NoJsonForm, TooLarge, Type, array, below, escaped, part, union
from toolc.parse.types import compile_type, unpacked_type

_UNKNOWN_LIMIT = 32  # names of a docstring that are reported one by one

# What every provider takes as the name of a property.
_PROPERTY_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def compile_signature(
    function: Function,
    tool: str,
    documentation: Docstring,
    overloads: Sequence[Function],
    home: Loaded,
    library: Library,
    budget: Budget,
    reporter: Reporter,
    counterpart: Counterpart | None = None,
) -> Signature:
    """Compile the parameters of the function behind `tool`; what cannot be compiled is reported and left out.

    `counterpart` is the function as importing its file left it, where its layer asks for that.
    """
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
        counterpart=counterpart,
        definitions=Definitions(budget=budget),
    )
    return compiler.compile()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Described:
    parameter: Parameter
    type: Type
    unpacked: Type | None = None  # the keys of `**options: Unpack[...]`


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
    counterpart: Counterpart | None
    definitions: Definitions

    def compile(self) -> Signature:
        parameters = [self.with_default(parameter) for parameter in list_parameters(self.function)]
        if len(parameters) > PARAMETERS_LIMIT:
            self.report(
                Diagnostic(
                    codes.TOO_LARGE,
                    f"tool `{self.tool}` has {len(parameters):,} parameters, and a tool takes up to "
                    f"{PARAMETERS_LIMIT:,}",
                    self.module.name_span(self.function),
                )
            )
            return Shape().signature(self.definitions)
        self.check_documentation(parameters)
        shape = Shape()
        spread = any(parameter.kind == "*" and parameter.node.annotation is not None for parameter in parameters)
        for parameter in parameters:
            if parameter.kind in ("*", "**") and parameter.node.annotation is None:
                self.warn_catch_all(parameter)
            elif not self.is_injected(parameter, shape):
                # Values for `*args` can only follow values that are passed by position too.
                by_place = spread and parameter.kind == "keyword" and not parameter.only_by_name
                self.add(replace(parameter, kind="positional") if by_place else parameter, shape)
        for remark in self.definitions.remarks:
            self.report(remark)
        signature = shape.signature(self.definitions)
        self.check_enforced(signature, parameters)
        return signature

    def check_enforced(self, signature: Signature, parameters: Sequence[Parameter]) -> None:
        """Report what the runtime would not check of a schema that the source states word by word."""
        nodes = {parameter.name: parameter.node for parameter in parameters}
        for complaint in complaints(signature.input_schema):
            name = str(complaint.pointer[1]) if complaint.pointer[:1] == ("properties",) else ""
            argument = signature.arguments.get(name)
            node = nodes.get(argument.parameter if argument is not None else name)
            subject = f"parameter `{name}` of tool `{self.tool}`" if node is not None else f"tool `{self.tool}`"
            code = codes.SCHEMA_REFUSED if complaint.refused else codes.CONSTRAINT_NOT_ENFORCED
            message = f"a pattern of {subject} is not enforced at a call: it {complaint.message}"
            if complaint.refused:
                message = f"no value can be checked for {subject}: its `{complaint.keyword}` {complaint.message}"
            span = self.module.span(node) if node is not None else self.module.name_span(self.function)
            self.report(Diagnostic(code, message, span))

    def add(self, parameter: Parameter, shape: Shape) -> None:
        """Add what a parameter is to the model."""
        try:
            described = self.described(parameter)
        except NoJsonForm as error:
            self.without_json_form(parameter, error)
            return
        if described.unpacked is not None:
            self.add_unpacked(parameter, described.unpacked, shape)
        elif parameter.kind == "**":
            compiled = self.finished(described)
            shape.additional = compiled.schema or True
            shape.conversions |= below("/additionalProperties", compiled.conversions)
        else:
            name = described.type.alias or parameter.name
            self.check_name(parameter, name)
            if not self.is_new(parameter, name, shape):
                return
            shape.add(name, self.finished(described), required=not described.parameter.has_default)
            if parameter.kind in ("positional", "*") or name != parameter.name:
                shape.arguments[name] = Argument(parameter=parameter.name, kind=parameter.kind)

    def add_unpacked(self, parameter: Parameter, keys: Type, shape: Shape) -> None:
        """The keys of `**options: Unpack[Options]`, each a property."""
        properties = keys.schema["properties"]
        required = keys.schema.get("required", [])
        assert isinstance(properties, dict) and isinstance(required, list), "a TypedDict was compiled"
        for name, schema in properties.items():
            assert isinstance(schema, dict), "a field has a schema"
            if self.is_new(parameter, name, shape):
                said = self.documentation.parameters.get(name, Documented()).description
                if said:
                    schema = {**schema, "description": schema.get("description", said)}
                shape.add(name, part(keys, f"/properties/{escaped(name)}", schema), required=name in required)

    def is_new(self, parameter: Parameter, name: str, shape: Shape) -> bool:
        if name not in shape.properties:
            return True
        message = f"two parameters of tool `{self.tool}` are called `{name}` in JSON"
        self.report(Diagnostic(codes.PROPERTY_TWICE, message, self.module.span(parameter.node)))
        return False

    # ---------------------------------------------------------------------------------------------------- a parameter

    def is_injected(self, parameter: Parameter, shape: Shape) -> bool:
        """Whether a program gives the value, not the model; the parameter is then no property."""
        annotation, default = parameter.node.annotation, parameter.default
        span = self.module.span(parameter.node)
        subject = f"parameter `{parameter.name}` of tool `{self.tool}`"
        marker = injecting_default(default, self.home, self.library)
        if marker is not None:
            message = f"{subject} is hidden from the model: its value is for a framework to supply"
            self.report(Diagnostic(codes.PARAMETER_HIDDEN, message, self.module.span(default) if default else span))
            return True
        name = injected_type(annotation, self.home, self.library) if annotation is not None else None
        if annotation is None and parameter.name in UNTYPED and default is not None:
            name = parameter.name
        if name is None or parameter.kind in ("*", "**"):
            return False
        if name == CONTEXT and "" not in shape.conversions:
            shape.conversions[""] = f"context:{parameter.name}"
        elif name == CONTEXT:
            self.report(Diagnostic(codes.INJECTED_REQUIRED, f"{subject} asks for a second `{CONTEXT}`", span))
        elif default is None:
            message = f"{subject} is for `{name}`, which its framework supplies and toolc cannot"
            hint = "give it a default, or ask for `toolc.ToolContext`"
            self.report(Diagnostic(codes.INJECTED_REQUIRED, message, span, hint=hint))
        else:
            whom = f"`{name}`" if annotation is not None else "a framework that knows it by its name"
            message = f"{subject} is for {whom}, so the model does not see it, and it keeps its default"
            self.report(Diagnostic(codes.PARAMETER_INJECTED, message, span))
        return True

    def described(self, parameter: Parameter) -> _Described:
        """The type of a parameter, with what `Field(...)` in place of a default says of it. Raises `NoJsonForm`."""
        annotation = parameter.node.annotation
        if parameter.kind == "**" and annotation is not None:
            unpacked = unpacked_type(annotation, self.home, self.library, self.definitions)
            if unpacked is not None:
                return _Described(parameter=parameter, type=unpacked, unpacked=unpacked)
        compiled = self.type_of(parameter)
        default = parameter.default
        if isinstance(default, ast.Call) and describes(default, self.home, self.library):
            metadata = read_field(default, self.home, self.library)
            compiled = metadata.apply(compiled)
            stated = metadata.default
            parameter = replace(
                parameter, default=stated.node if stated is not None else None, by_factory=stated is not None
            )
        if parameter.kind == "*":
            compiled = replace(array(compiled), description=None)
        return _Described(parameter=parameter, type=compiled)

    def finished(self, described: _Described) -> Type:
        """The property of a parameter: its type with its description and its default."""
        parameter, compiled = described.parameter, described.type
        documented = self.documentation.parameters.get(parameter.name, Documented())
        schema, description = compiled.schema, compiled.description or documented.description
        if compiled.description is None:
            schema, description = with_choices(schema, description)
        compiled = replace(compiled, schema=schema)
        defaults = self.default(parameter, compiled)
        if isinstance(parameter.default, ast.Constant) and parameter.default.value is None:
            compiled = self.nullable(parameter, compiled)
        self.remark(parameter, described.type)
        schema = {**compiled.schema, **({"description": description} if description else {}), **defaults}
        if defaults:
            self.charge(parameter, schema)
        return Type(schema=schema, conversions=compiled.conversions)

    def charge(self, parameter: Parameter, schema: Schema) -> None:
        """Count a default, which may be a constant that is written once and used a thousand times."""
        if not self.definitions.budget.spend(weigh(schema.get("default"), FILE_LIMIT)):
            assert parameter.default is not None, "there is a default"
            message = (
                f"what the tools of this file take has more than {FILE_LIMIT:,} parts together with the default of "
                f"parameter `{parameter.name}` of tool `{self.tool}`"
            )
            self.report(Diagnostic(codes.TOO_LARGE, message, self.module.span(parameter.default)))

    def type_of(self, parameter: Parameter) -> Type:
        annotation = parameter.node.annotation
        documented = self.documentation.parameters.get(parameter.name, Documented())
        found = self.counterpart.annotation(parameter.name) if self.counterpart is not None else None
        if self.counterpart is not None and found is not None:
            compiled = self.settled(parameter, found, self.counterpart)
            if annotation is not None:
                self.compare(parameter, compiled.schema, documented)
            return compiled
        if annotation is not None:
            compiled = self.compiled(annotation, self.function)
            self.compare(parameter, compiled.schema, documented)
            return compiled
        from_overloads = [
            self.compiled(other.node.annotation, stub)
            for stub in self.overloads
            for other in list_parameters(stub)
            if other.name == parameter.name and other.node.annotation is not None
        ]
        if from_overloads:
            return union(from_overloads)
        said = documented_type(documented, self.home, self.library, self.definitions.budget)
        if said is not None:
            return said
        self.report(
            Diagnostic(
                codes.UNTYPED_PARAMETER,
                f"parameter `{parameter.name}` of tool `{self.tool}` has no type, so any value is accepted",
                self.module.span(parameter.node),
                hint=f"annotate it, for example `{parameter.name}: str`",
            )
        )
        return Type(schema={})

    def compiled(self, annotation: ast.expr, function: Function) -> Type:
        parameters = getattr(function, "type_params", ())
        return compile_type(annotation, self.home, self.library, self.definitions, parameters)

    # -------------------------------------------------------------------------------------------------- once imported

    def settled(self, parameter: Parameter, found: ast.expr, counterpart: Counterpart) -> Type:
        """The type of a parameter that importing the file told as `found`. Raises `NoJsonForm`."""
        annotation = parameter.node.annotation
        span = self.module.span(annotation or parameter.node)
        from_import = partial(counterpart.compile_type, found, place=span)
        if annotation is None:
            return from_import(self.definitions)
        type_parameters = getattr(self.function, "type_params", ())

        def from_source(into: Definitions) -> Type:
            return compile_type(annotation, self.home, self.library, into, type_parameters)

        def disagree(both: str) -> None:
            message = f"parameter `{parameter.name}` of tool `{self.tool}` {both}"
            self.report(Diagnostic(codes.IMPORT_DISAGREES, message, span))

        return settle(from_source, from_import, self.definitions, disagree)

    def with_default(self, parameter: Parameter) -> Parameter:
        """The parameter with the default that importing the file told, where the source does not tell its value."""
        found = self.counterpart.parameter(parameter.name) if self.counterpart is not None else None
        if found is None or found.default is None or parameter.default is None:
            return parameter
        if injecting_default(parameter.default, self.home, self.library) is not None:
            return parameter
        try:
            imported = fold(found.default, self.home, self.library)  # it is a literal
        except NotStatic:
            return parameter
        try:
            value = fold(parameter.default, self.home, self.library)
        except NotStatic:
            return replace(parameter, default=ast.copy_location(found.default, parameter.default))
        if repr(value) != repr(imported):
            message = (
                f"the default of parameter `{parameter.name}` of tool `{self.tool}` is {show(value)} by its source, "
                f"and {show(imported)} once the file is imported"
            )
            self.report(Diagnostic(codes.IMPORT_DISAGREES, message, self.module.span(parameter.default)))
        return parameter

    def without_json_form(self, parameter: Parameter, error: NoJsonForm) -> None:
        shown = self.module.shown(parameter.node.annotation or error.node)  # of an overload, or of `Field(...)`
        because = f": {error.reason}" if error.reason else ""
        if isinstance(error, TooLarge):
            message = f"the type `{shown}` of parameter `{parameter.name}` of tool `{self.tool}` is too large{because}"
            self.report(Diagnostic(codes.TOO_LARGE, message, self.module.span(error.node), hint=error.hint))
            return
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
        layer, hint = self.home.file.layer, error.hint
        if hint is None and error.importable and layer.introspect is Introspect.SYNTAX:
            hint = f'`introspect = "import"` for the layer `{layer.name}` would let a build import the file to find out'
        labels: tuple[Label, ...] = ()
        if error.origin is not None and error.origin[1].module is not None:
            labels = (Label(error.origin[1].module.span(error.origin[0]), "here"),)
        self.report(Diagnostic(code, message, self.module.span(error.node), labels=labels, hint=hint))

    # ------------------------------------------------------------------------------------------------------- defaults

    def default(self, parameter: Parameter, compiled: Type) -> Schema:
        """The `default` of a property, in a schema of its own, where there is one that JSON can say."""
        if parameter.kind == "*":
            return {"default": []}
        if parameter.default is None:
            return {}
        if isinstance(parameter.default, ast.Constant) and parameter.default.value is None:
            return {"default": None}
        try:
            named = self.definitions.schemas
            return {"default": static_default(parameter.default, self.home, self.library, compiled, named)}
        except NotStatic as error:
            self.not_static(parameter, error.node, "cannot be told from the source")
        except NotJson:
            self.not_static(parameter, parameter.default, "is not JSON")
        except OfAnotherType:
            self.report(
                Diagnostic(
                    codes.DEFAULT_OF_ANOTHER_TYPE,
                    f"the default of parameter `{parameter.name}` of tool `{self.tool}` is not of its type; "
                    "the schema leaves it out",
                    self.module.span(parameter.default),
                )
            )
        return {}

    def not_static(self, parameter: Parameter, node: ast.expr, why: str) -> None:
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

    def nullable(self, parameter: Parameter, compiled: Type) -> Type:
        if accepts_null(compiled.schema, self.definitions.schemas):
            return compiled
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
        return union([replace(compiled, description=None), Type(schema=NULL)])

    # ------------------------------------------------------------------------------------------------- what is odd

    def report(self, diagnostic: Diagnostic) -> None:
        self.reporter.report(diagnostic)

    def remark(self, parameter: Parameter, compiled: Type) -> None:
        for qualifier in compiled.qualifiers:
            self.report(
                Diagnostic(
                    codes.QUALIFIER,
                    f"`{qualifier}` means nothing on parameter `{parameter.name}` of tool `{self.tool}`; "
                    "the type inside it counts",
                    self.module.span(parameter.node),
                )
            )
        if compiled.unenforced:
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(compiled.unenforced))
            self.report(
                Diagnostic(
                    codes.CONSTRAINT_NOT_ENFORCED,
                    f"a call does not check what {names} asks of parameter `{parameter.name}` of tool `{self.tool}`: "
                    "no schema states it",
                    self.module.span(parameter.node),
                    hint="check the value in the tool",
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

    def warn_catch_all(self, parameter: Parameter) -> None:
        self.report(
            Diagnostic(
                codes.CATCH_ALL,
                f"`{parameter.kind}{parameter.name}` of tool `{self.tool}` has no type and is not offered to the model",
                self.module.span(parameter.node),
                hint="give it a type to expose it",
            )
        )

    def check_name(self, parameter: Parameter, name: str) -> None:
        if not _PROPERTY_NAME.fullmatch(name):
            self.report(
                Diagnostic(
                    codes.PARAMETER_NAME,
                    f"some providers refuse a parameter named `{name}`: they take ASCII letters, digits, "
                    "`_`, `.` and `-`, up to 64",
                    self.module.span(parameter.node),
                )
            )

    def check_documentation(self, parameters: Sequence[Parameter]) -> None:
        if any(parameter.kind == "**" for parameter in parameters):
            return  # what is documented beyond the names may be one of its keys
        known = {parameter.name for parameter in parameters}
        unknown = [name for name in self.documentation.parameters if name not in known]
        for name in unknown[:_UNKNOWN_LIMIT]:
            more = len(unknown) - _UNKNOWN_LIMIT
            others = f", and {more:,} more of the kind" if more > 0 and name == unknown[_UNKNOWN_LIMIT - 1] else ""
            self.report(
                Diagnostic(
                    codes.DOCUMENTED_UNKNOWN,
                    f"the docstring of tool `{self.tool}` describes `{name}`, which is no parameter of it{others}",
                    docstring_span(name, self.function, self.module),
                )
            )

    def compare(self, parameter: Parameter, schema: Schema, documented: Documented) -> None:
        """The annotation counts; a docstring that says another type misleads whoever reads it."""
        said = documented_type(documented, self.home, self.library, self.definitions.budget)
        if said is None:
            return
        written, stated = json_types(schema), json_types(said.schema)
        if written and stated and not written & stated:
            annotation = parameter.node.annotation
            assert annotation is not None, "there is a type to compare with"
            self.report(
                Diagnostic(
                    codes.DOCUMENTED_TYPE,
                    f"the docstring of tool `{self.tool}` gives `{parameter.name}` the type `{documented.type}`; "
                    f"the annotation `{self.module.shown(annotation)}` counts",
                    docstring_span(parameter.name, self.function, self.module),
                    labels=(Label(self.module.span(annotation), "the annotation"),),
                )
            )
