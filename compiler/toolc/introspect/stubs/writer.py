"""Spell out objects: functions, types and classes go in, source that names them comes out, a text for each module."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
import types
import typing
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .classes import UNKNOWN, Class, shape
from .literals import FOR_ITSELF, is_field, literal, stated

_EMPTY = inspect.Parameter.empty


@dataclasses.dataclass(kw_only=True)
class Module:
    """What a stub says, beside its imports."""

    statements: list[str] = dataclasses.field(default_factory=list)
    classes: dict[str, Class | None] = dataclasses.field(default_factory=dict)  # by qualified name


class Stubs:
    """The stubs so far. What is named in one is described in the stub of its module."""

    def __init__(self, *, namespace: str, opaque: Collection[str]) -> None:
        self.namespace = namespace
        self.opaque = opaque
        self.modules: dict[str, Module] = {}
        self.aliases: dict[str, str] = {}
        self.variables: dict[int, tuple[object, str]] = {}

    # ----------------------------------------------------------------------------------------------------------- text

    def text(self, dotted: str) -> str:
        """A stub as source."""
        lines = []
        for other, alias in self.aliases.items():
            if other in self.modules and other in sys.stdlib_module_names:
                # A module of the layer that is called like one of the standard library, which `import` would mean.
                lines.append(f"from {'.' * (dotted.count('.') + 1)} import {other} as {alias}\n")
            else:
                lines.append(f"import {other} as {alias}\n")
        lines += [f"{name} = {text}\n" for name, (_, text) in self.declared_variables()]
        module = self.modules[dotted]
        lines += self.nested("", module.classes, "")
        return "".join([*lines, *module.statements])

    def declared_variables(self) -> Iterator[tuple[str, tuple[object, str]]]:
        """The type variables that were named, each with the name it is declared by."""
        for number, declared in enumerate(self.variables.values()):
            yield f"_T{number}", declared

    def nested(self, outer: str, classes: Mapping[str, Class | None], indent: str) -> Iterator[str]:
        """The classes directly in another, each with those in it."""
        prefix = f"{outer}." if outer else ""
        names = {name[len(prefix) :].partition(".")[0]: None for name in classes if name.startswith(prefix)}
        for name in names:
            found = classes.get(prefix + name) or Class()
            bases = f"({', '.join(found.bases)})" if found.bases else ""
            if found.decorator:
                yield f"{indent}@{found.decorator}\n"
            yield f"{indent}class {name}{bases}:\n"
            inner = f"{indent}    "
            yield f"{inner}{found.document!r}\n" if found.document else f"{inner}pass\n"
            yield from (f"{inner}{line}\n" for line in found.body)
            yield from self.nested(prefix + name, classes, inner)

    # ---------------------------------------------------------------------------------------------------------- names

    def dotted(self, module: str) -> str:
        """The name of a module as the layer knows it."""
        return module.removeprefix(f"{self.namespace}.")

    def named(self, module: str, name: str) -> str:
        """A name in a module, as stubs refer to it."""
        alias = self.aliases.setdefault(module, f"_m{len(self.aliases)}")
        return f"{alias}.{name}"

    def place(self, value: Any) -> tuple[str, str] | None:
        """The module and the qualified name by which a class or an alias is found; None where by none."""
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", value.__name__)
        if isinstance(module, str) and _found(sys.modules.get(module), name) is value:
            if not module.startswith(f"{self.namespace}."):
                module = _public(module, name, value)
            return self.dotted(module), name
        for module in sorted(sys.modules):
            if module.startswith(f"{self.namespace}."):
                for attribute, held in list(vars(sys.modules[module]).items()):
                    if held is value and attribute.isidentifier():
                        return self.dotted(module), attribute
        return None

    def is_opaque(self, module: str) -> bool:
        """Whether the classes of a module are known by their names alone."""
        top = module.partition(".")[0]
        return top in self.opaque or top in sys.stdlib_module_names

    def reference(self, cls: Any) -> str:
        """A class by its name, described in the stub of its module where it has fields."""
        place = self.place(cls)
        if place is None:
            return UNKNOWN
        module, name = place
        if f"{self.namespace}.{module}" in sys.modules or not self.is_opaque(module):
            classes = self.modules.setdefault(module, Module()).classes
            if name not in classes:
                classes[name] = None
                classes[name] = self.described(cls)
                if classes[name] is None:
                    del classes[name]
        return self.named(module, name)

    # ------------------------------------------------------------------------------------------------------ functions

    def function(self, name: str, function: types.FunctionType, options: Mapping[str, object] | None) -> str:
        """A function, with its decorator if it is a tool's."""
        signature = inspect.signature(function)
        names = inspect.unwrap(function).__globals__
        given: list[str] = []
        previous = None
        for parameter in signature.parameters.values():
            if previous is parameter.POSITIONAL_ONLY and parameter.kind is not parameter.POSITIONAL_ONLY:
                given.append("/")
            if parameter.kind is parameter.KEYWORD_ONLY and previous not in (
                parameter.KEYWORD_ONLY,
                parameter.VAR_POSITIONAL,
            ):
                given.append("*")
            given.append(self.parameter(parameter, names))
            previous = parameter.kind
        if previous is inspect.Parameter.POSITIONAL_ONLY:
            given.append("/")
        returned = signature.return_annotation
        arrow = "" if returned is _EMPTY else f" -> {self.evaluated(returned, names)}"
        told = [f"{key}={text}" for key, value in (options or {}).items() if (text := literal(value)) is not None]
        decorator = "" if options is None else f"@{self.named('toolc', 'tool')}({', '.join(told)})\n"
        word = "async def" if inspect.iscoroutinefunction(function) else "def"
        document = function.__doc__ if isinstance(function.__doc__, str) else ""
        return f"{decorator}{word} {name}({', '.join(given)}){arrow}:\n    {document!r}\n"

    def parameter(self, parameter: inspect.Parameter, names: dict[str, Any]) -> str:
        """A parameter, with its type and its default."""
        stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
        text = f"{stars}{parameter.name}"
        if parameter.annotation is not _EMPTY:
            text += f": {self.evaluated(parameter.annotation, names)}"
        if parameter.default is not _EMPTY:
            text += f" = {self.default(parameter.default)}"
        return text

    def evaluated(self, annotation: object, names: dict[str, Any]) -> str:
        """An annotation, evaluated first if it is text."""
        holder = types.SimpleNamespace(__annotations__={"it": annotation})
        try:
            hints = typing.get_type_hints(holder, globalns=names, localns={}, include_extras=True)
        except Exception:  # text may hold any code
            return UNKNOWN
        return self.type(hints["it"])

    def default(self, value: object) -> str:
        """A default; `...` where it is nothing that source can say."""
        if is_field(value):
            return self.field(value, [])
        return literal(value) or "..."

    # ---------------------------------------------------------------------------------------------------------- types

    def type(self, hint: Any) -> str:
        """A type as source."""
        try:
            return self.spelled(hint)
        except Exception:  # a type is any object, and may answer with any exception
            return UNKNOWN

    def spelled(self, hint: Any) -> str:
        """A type as source; what is asked of it may raise anything."""
        if hint is None or hint is type(None):
            return "None"
        if hint is Ellipsis:
            return "..."
        if isinstance(hint, typing.NewType):
            return self.type(hint.__supertype__)
        if isinstance(hint, dataclasses.InitVar):
            return self.type(hint.type)
        if isinstance(hint, typing.TypeVar):
            return self.named("typing", "AnyStr") if hint is typing.AnyStr else self.variable(hint)
        if type(hint).__name__ == "TypeAliasType":
            return self.alias(hint)
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        generic = getattr(hint, "__pydantic_generic_metadata__", None)
        if isinstance(generic, dict) and generic.get("origin") is not None:
            origin, arguments = generic["origin"], generic["args"]
        if origin is typing.Annotated:
            return self.annotated(arguments[0], hint.__metadata__)
        if origin is typing.Literal:
            values = [self.choice(value) for value in arguments]
            return f"{self.named('typing', 'Literal')}[{', '.join(values)}]"
        if origin in (typing.Union, types.UnionType):
            return f"{self.named('typing', 'Union')}[{', '.join(map(self.type, arguments))}]"
        if origin is None:
            return self.plain(hint)
        base = self.plain(origin)
        if any(isinstance(argument, list) for argument in arguments):  # of `Callable`
            return base
        if not arguments:
            return f"{base}[()]" if origin is tuple and hint not in (typing.Tuple, tuple) else base  # noqa: UP006
        return f"{base}[{', '.join(map(self.type, arguments))}]"

    def plain(self, hint: Any) -> str:
        """A type without arguments."""
        if isinstance(hint, type):
            return self.reference(hint)
        name = getattr(hint, "_name", None)
        if getattr(hint, "__module__", None) in ("typing", "typing_extensions") and isinstance(name, str):
            return self.named("typing", name)
        return UNKNOWN

    def choice(self, value: object) -> str:
        """A value of a `Literal`."""
        if isinstance(value, enum.Enum):
            return f"{self.reference(type(value))}.{value.name}"
        return repr(value) if type(value) in FOR_ITSELF else UNKNOWN

    def variable(self, variable: Any) -> str:
        """A type variable, which every stub declares by the same name."""
        if id(variable) not in self.variables:
            self.variables[id(variable)] = (variable, "")  # its bound may name it
            parts = [repr(variable.__name__), *map(self.type, variable.__constraints__)]
            if variable.__bound__ is not None:
                parts.append(f"bound={self.type(variable.__bound__)}")
            default = getattr(variable, "__default__", None)  # PEP 696
            if default is not None and type(default).__name__ != "NoDefaultType":
                parts.append(f"default={self.type(default)}")
            text = f"{self.named('typing', 'TypeVar')}({', '.join(parts)})"
            self.variables[id(variable)] = (variable, text)
        return f"_T{list(self.variables).index(id(variable))}"

    def alias(self, alias: Any) -> str:
        """A name for a type, which may contain itself."""
        place = self.place(alias)
        if place is None or alias.__type_params__:
            return UNKNOWN
        module, name = place
        if not self.is_opaque(module) or str(alias.__module__).startswith(f"{self.namespace}."):
            made = self.modules.setdefault(module, Module())
            start = f"{name} = {self.named('typing', 'TypeAliasType')}("
            if not any(statement.startswith(start) for statement in made.statements):
                index = len(made.statements)
                made.statements.append(start)
                made.statements[index] = f"{start}{name!r}, {self.type(alias.__value__)})\n"
        return self.named(module, name)

    def annotated(self, hint: Any, metadata: Sequence[Any]) -> str:
        """A type with what stands beside it."""
        beside = [text for item in metadata if (text := self.metadata(item))]
        return (
            f"{self.named('typing', 'Annotated')}[{', '.join([self.type(hint), *beside])}]"
            if beside
            else self.type(hint)
        )

    def metadata(self, item: Any) -> str:
        """What stands beside a type in `Annotated`."""
        if isinstance(item, str):
            return repr(str(item))
        if is_field(item):
            return self.field(item, [])
        if isinstance(getattr(item, "documentation", None), str):
            return f"{self.named('typing', 'Doc')}({item.documentation!r})"
        constraints = stated(item)
        if constraints is not None:
            return self.call("pydantic", "Field", constraints)
        cls = item if isinstance(item, type) else type(item)
        place = self.place(cls)
        if place == ("pydantic", "StringConstraints"):
            given = {field.name: literal(getattr(item, field.name)) for field in dataclasses.fields(item)}
            return self.call(*place, {name: text for name, text in given.items() if text not in (None, "None")})
        return self.named(*place) if place is not None else ""

    def call(self, module: str, name: str, keywords: Mapping[str, str]) -> str:
        """A call of a function with keywords."""
        return f"{self.named(module, name)}({', '.join(f'{key}={text}' for key, text in keywords.items())})"

    def field(self, info: Any, beside: list[str]) -> str:
        """What pydantic's `Field` was given; what it says that no keyword can goes to `beside`."""
        keywords: dict[str, str] = {}
        if info.default_factory is not None:
            keywords["default_factory"] = UNKNOWN
        elif type(info.default).__name__ != "PydanticUndefinedType" and info.default is not Ellipsis:
            text = literal(info.default)
            keywords.update({"default_factory": UNKNOWN} if text is None else {"default": text})
        alias = info.validation_alias if info.validation_alias is not None else info.alias
        alias = getattr(alias, "choices", [alias])[0]
        for key, value in (
            ("validation_alias", alias),
            ("description", info.description),
            ("examples", info.examples),
            ("deprecated", info.deprecated or None),
            ("json_schema_extra", info.json_schema_extra),
        ):
            if value is not None and (text := literal(value)) is not None:
                keywords[key] = text
        for item in info.metadata:
            constraints = stated(item)
            if constraints is None:
                beside.append(self.metadata(item))
            else:
                keywords |= constraints
        return self.call("pydantic", "Field", keywords)

    # -------------------------------------------------------------------------------------------------------- classes

    def described(self, cls: Any) -> Class | None:
        """What a class is made of; None where it has no fields to tell."""
        try:
            found = shape(self, cls)
        except Exception:  # a class answers for itself
            return None
        variables = getattr(cls, "__parameters__", None)
        if found is not None and variables:
            spelled = ", ".join(map(self.type, variables))
            found.bases = [*found.bases, f"{self.named('typing', 'Generic')}[{spelled}]"]
        return found


def _found(module: object, name: str) -> object:
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _public(module: str, name: str, value: object) -> str:
    """The package outermost around a module that has the same thing by the same name."""
    parts = module.split(".")
    for count in range(1, len(parts)):
        outer = ".".join(parts[:count])
        if outer in sys.modules and _found(sys.modules[outer], name) is value:
            return outer
    return module
