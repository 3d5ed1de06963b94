"""The parameters of a function as they stand, and the signature that is made of them piece by piece."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from toolc.model import Argument, Json, Schema
from toolc.parse.scope import Function
from toolc.parse.typed import Definitions, Type, below, escaped


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The compiled parameters of a function."""

    input_schema: Schema
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    conversions: Mapping[str, str] = field(default_factory=dict)  # as in `PythonEntry`


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a function."""

    node: ast.arg
    kind: str  # as in `Argument`
    default: ast.expr | None = None
    by_factory: bool = False  # it has a default, though none that can be seen
    only_by_name: bool = False

    @property
    def name(self) -> str:
        """Its name in the function."""
        return self.node.arg

    @property
    def has_default(self) -> bool:
        """Whether a call may leave it out."""
        return self.default is not None or self.by_factory or self.kind == "*"


@dataclass(slots=True, kw_only=True)
class Shape:
    """What the parameters have made of the signature so far."""

    properties: dict[str, Json] = field(default_factory=dict)
    required: list[Json] = field(default_factory=list)
    additional: Json = False
    arguments: dict[str, Argument] = field(default_factory=dict)
    conversions: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, compiled: Type, *, required: bool) -> None:
        """Add a property."""
        self.properties[name] = compiled.schema
        self.conversions |= below(f"/properties/{escaped(name)}", compiled.conversions)
        if required:
            self.required.append(name)

    def signature(self, definitions: Definitions) -> Signature:
        """The signature, with the named types that it refers to."""
        schema: Schema = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = self.required
        schema["additionalProperties"] = self.additional
        conversions = dict(self.conversions)
        used = definitions.used_by(schema)
        if used:
            schema["$defs"] = {name: compiled.schema for name, compiled in used.items()}
        for name, compiled in used.items():
            conversions |= below(f"/$defs/{escaped(name)}", compiled.conversions)
        return Signature(input_schema=schema, arguments=self.arguments, conversions=conversions)


def parameter_names(function: Function) -> list[str]:
    """The names of a function's parameters."""
    return [parameter.name for parameter in list_parameters(function)]


def parameters_shown(function: Function) -> str:
    """The parameters of a function with their kinds, as a signature without types and defaults."""
    arguments = function.args
    bare = ast.arguments(
        posonlyargs=[ast.arg(arg=node.arg) for node in arguments.posonlyargs],
        args=[ast.arg(arg=node.arg) for node in arguments.args],
        vararg=ast.arg(arg=arguments.vararg.arg) if arguments.vararg else None,
        kwonlyargs=[ast.arg(arg=node.arg) for node in arguments.kwonlyargs],
        kw_defaults=[node and ast.Constant(value=Ellipsis) for node in arguments.kw_defaults],
        kwarg=ast.arg(arg=arguments.kwarg.arg) if arguments.kwarg else None,
        defaults=[ast.Constant(value=Ellipsis) for _ in arguments.defaults],
    )
    return ast.unparse(bare)


def list_parameters(function: Function) -> Iterator[Parameter]:
    """The parameters of a function, in their order."""
    arguments = function.args
    positional = [("positional", node) for node in arguments.posonlyargs]
    positional += [("keyword", node) for node in arguments.args]
    absent: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for (kind, node), default in zip(positional, [*absent, *arguments.defaults], strict=True):
        yield Parameter(node=node, kind=kind, default=default)
    if arguments.vararg is not None:
        yield Parameter(node=arguments.vararg, kind="*")
    for node, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Parameter(node=node, kind="keyword", default=keyword_default, only_by_name=True)
    if arguments.kwarg is not None:
        yield Parameter(node=arguments.kwarg, kind="**")
