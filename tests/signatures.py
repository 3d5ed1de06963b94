"""Write whole tool files at random: a seed goes in, a file with one tool comes out, and a twin of its function.

The twin is the same function as pydantic can take it: every parameter by keyword, `*rest: T` as a list, and a type that
pydantic has no schema for spelled as the one that toolc reads it as.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from written import BUILTINS, FLOAT, INT, STR, Writer, Written, built, plain
from written_classes import union_of, write_class

_SCALARS = [
    ("datetime", "date", "@(2024, 1, 5)", "name"),
    ("datetime", "datetime", "@(2024, 1, 5, 10)", "name"),
    ("datetime", "time", "@(10, 30)", ""),
    ("datetime", "timedelta", "@(hours=1)", ""),
    ("uuid", "UUID", "@(int=7)", "name"),
    ("decimal", "Decimal", "@('1.50')", ""),
    ("pathlib", "Path", "@('a/b')", "name"),
    ("pathlib", "PurePath", "@('a')", ""),
    ("ipaddress", "IPv4Address", "@('10.0.0.1')", "name"),
    ("ipaddress", "IPv6Network", "@('2001:db8::/32')", ""),
    ("re", "Pattern", "", ""),
    ("typing", "Any", "{'a': [1, None]}", "any"),
    ("typing", "Text", "'t'", "name"),
    ("builtins", "object", "0", "any"),
    ("builtins", "complex", "", ""),
    ("pydantic", "SecretStr", "", ""),
    ("pydantic", "AwareDatetime", "", ""),
]
# What pydantic has no schema for, and what it is read as. To us `5.0` is an integer everywhere, as to JSON Schema.
_TWINS = [("typing", "LiteralString", "str"), ("typing", "AnyStr", "str"), ("pydantic", "StrictInt", "int")]

# Spellings of a container, and those of which pydantic makes another thing than toolc: it is shown what toolc makes.
_SEQUENCES = {
    "list": [
        ("builtins", "list"), ("builtins", "list"), ("typing", "List"), ("typing", "Sequence"),
        ("collections.abc", "Sequence"), ("typing", "Iterable"), ("collections.abc", "Iterable"),
        ("collections.abc", "Collection"), ("typing", "MutableSequence"), ("collections.abc", "Iterator"),
        ("collections.abc", "Reversible"),
    ],
    "set": [("builtins", "set"), ("typing", "Set"), ("collections.abc", "Set"), ("typing", "AbstractSet")],
    "frozenset": [("builtins", "frozenset"), ("typing", "FrozenSet")],
    "tuple": [("builtins", "tuple"), ("typing", "Tuple")],
    "deque": [("collections", "deque"), ("typing", "Deque")],
}  # fmt: skip
_MADE = {
    ("collections.abc", "Collection"): "list",
    ("collections.abc", "Iterable"): "list",
    ("collections.abc", "Iterator"): "list",
    ("collections.abc", "Reversible"): "list",
    ("collections.abc", "Set"): "set",
    ("typing", "AbstractSet"): "set",
    ("typing", "Iterable"): "list",
    ("typing", "MutableSequence"): "list",
}
_MAPPINGS = [
    ("builtins", "dict"), ("builtins", "dict"), ("typing", "Dict"), ("typing", "Mapping"),
    ("collections.abc", "Mapping"), ("collections.abc", "MutableMapping"), ("collections", "OrderedDict"),
    ("collections", "defaultdict"), ("collections", "Counter"),
]  # fmt: skip

_CONSTRAINTS = {
    "integer": [
        ("pydantic", "Field(ge=0)"), ("pydantic", "Field(gt=-3, le=40)"), ("annotated_types", "Ge(1)"),
        ("annotated_types", "Interval(ge=0, lt=10)"), ("annotated_types", "MultipleOf(3)"),
        ("pydantic", "Field(multiple_of=2)"),
    ],
    "number": [
        ("pydantic", "Field(ge=0.5)"), ("annotated_types", "Lt(2)"), ("annotated_types", "Gt(-1.5)"),
        ("pydantic", "Field(multiple_of=0.5)"),
    ],
    "string": [
        ("pydantic", "Field(min_length=1, max_length=8)"), ("pydantic", "Field(pattern='^[a-z]+$')"),
        ("pydantic", "StringConstraints(min_length=2)"), ("annotated_types", "MinLen(1)"),
        ("annotated_types", "Len(1, 5)"),
    ],
    "array": [
        ("pydantic", "Field(min_length=1)"), ("annotated_types", "MaxLen(3)"), ("annotated_types", "Len(0, 4)"),
    ],
}  # fmt: skip
_CALLS = {
    "integer": ["conint(gt=0)", "conint(ge=1, le=9)"],
    "number": ["confloat(lt=1.5)"],
    "string": ["constr(min_length=1)", "constr(pattern='^x')"],
    "array": ["conlist({0}, min_length=1)", "conlist({0}, max_length=2)"],
}
_NAMED = ["PositiveInt", "NonNegativeInt", "NegativeFloat", "NonPositiveFloat"]
_UNDESCRIBED = ("Address", "Network", "Pattern")  # of these pydantic loses the description
_WORDS = ["How many.", "A 'quoted' word", 'With "quotes"', "Two\nlines", "naïve ☃"]
_PARAMETERS = ("query", "count", "path", "options", "items", "mode", "since", "user_id", "x", "verbose", "data_", "Y")
_DEPTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of the tool."""

    name: str
    type: Written
    kind: str  # `/`, ``, `*`, `*name` or `**name`
    default: str | None
    description: str | None = None  # in the docstring


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFile:
    """A file with the one tool `f`, which keeps what it is called with in `SEEN`."""

    text: str
    twin: str  # to append to the text: the function `_twin`
    parameters: tuple[Parameter, ...]


def write_file(seed: int) -> ToolFile:
    """The file of a seed."""
    random = Random(seed)
    writer = _Types(random=random, deferred=random.random() < 0.3)
    parameters = _parameters(writer)
    style = random.choice([_google, _numpy, _sphinx, _epytext])
    text = writer.file(_function(parameters, style(parameters)))
    return ToolFile(text=text, twin=_twin(parameters), parameters=parameters)


# --------------------------------------------------------------------------------------------------------------- types


class _Types(Writer):
    __slots__ = ()

    def file(self, function: str) -> str:
        """The text of the file."""
        head = ["from __future__ import annotations"] if self.deferred else []
        # A function whose annotations are not evaluated may stand before what they name.
        first = self.deferred and " = " not in function and self.chance(0.5)
        parts = [function, *self.body] if first else [*self.body, function]
        rest = "\n\n\n".join(["LIMIT = 40\nNAME = 'limit'\nSEEN = []", *parts])
        return "\n".join([*head, *sorted(self.imports)]) + f"\n\n\n{rest}\n"

    def type(self, depth: int, *, in_class: bool = False) -> Written:
        if depth <= 0:
            return self.scalar(in_class=in_class)
        known = [each for each in self.known if each.is_shared or not in_class]
        if known and self.chance(0.15):
            return self.one(known)
        ways: list[Callable[[], Written]] = [
            lambda: self.scalar(in_class=in_class),
            lambda: self.annotated(depth, in_class=in_class),
            lambda: self.sequence(depth, in_class=in_class),
            lambda: self.mapping(depth, in_class=in_class),
            lambda: self.tuple(depth, in_class=in_class),
            lambda: self.union(depth, in_class=in_class),
            lambda: self.literal(in_class=in_class),
            lambda: self.alias(depth, in_class=in_class),
            lambda: self.a_class(depth, in_class=in_class),
        ]
        return self.random.choices(ways, weights=[4, 3, 3, 2, 2, 3, 2, 2, 4])[0]()

    def a_class(self, depth: int, *, in_class: bool) -> Written:
        made = write_class(self, depth)
        return made if made.is_shared or not in_class else STR

    def scalar(self, *, in_class: bool) -> Written:
        if self.chance(0.5):
            return self.one(BUILTINS)
        if not in_class and self.chance(0.1):
            module, name, twin = self.one(_TWINS)
            return Written(text=self.name(module, name), twin=twin, hashable=True)
        module, name, default, is_ = self.one(_SCALARS)
        text = self.name(module, name)
        defaults = [default.replace("@", text)] if default else []
        return plain(text, *defaults, hashable=is_ != "any", is_name=is_ == "name")

    def annotated(self, depth: int, *, in_class: bool) -> Written:
        if self.chance(0.15):
            return plain(self.name("pydantic", self.one(_NAMED)), hashable=True)
        base = self.one([STR, INT, FLOAT, self.type(depth - 1, in_class=in_class)])
        if base.constraints in _CALLS and base in (STR, INT, FLOAT) and self.chance(0.1):
            function, _, arguments = self.one(_CALLS[base.constraints]).partition("(")
            return plain(f"{self.name('pydantic', function)}({arguments}", hashable=True)
        given: list[str] = []
        if base.constraints and self.chance(0.8):
            module, text = self.one(_CONSTRAINTS[base.constraints])
            function, _, arguments = text.partition("(")
            given.append(f"{self.name(module, function)}({arguments}")
        twins = [*given]
        if not given or self.chance(0.4):
            words = self.one(_WORDS)
            if any(name in base.text for name in _UNDESCRIBED):
                base = STR
            twins.append(f"{self.name('pydantic', 'Field')}(description={words!r})")
            doc = f"{self.name('typing_extensions', 'Doc')}({words!r})"
            given.append(twins[-1] if in_class else self.one([repr(words), doc, twins[-1]]))
        shape = f"{self.name('typing', 'Annotated')}[{{0}}, %s]"
        escaped = [", ".join(each).replace("{", "{{").replace("}", "}}") for each in (given, twins)]
        return built(shape % escaped[0], base, twin=shape % escaped[1], hashable=base.hashable)

    def hashable(self, *, in_class: bool) -> Written:
        known = [each for each in self.known if each.hashable and (each.is_shared or not in_class)]
        if known and self.chance(0.3):
            return self.one(known)
        found = self.literal(in_class=in_class) if self.chance(0.2) else self.scalar(in_class=in_class)
        return found if found.hashable else STR

    def sequence(self, depth: int, *, in_class: bool) -> Written:
        kind = self.one(["list", "list", "list", "set", "frozenset", "tuple", "deque"])
        names = [each for each in _SEQUENCES[kind] if not in_class or each not in _MADE]
        module, name = self.one(names)
        text = self.name(module, name)
        twin = _MADE.get((module, name), text)
        default = {"list": "[]", "tuple": "()", "set": "set()", "frozenset": "frozenset()"}.get(kind)
        defaults = [default] if default else []
        constraints = "array" if kind == "list" else ""
        if self.chance(0.1):
            return built(text, twin=twin, defaults=defaults, constraints=constraints)
        if kind in ("set", "frozenset"):
            item = self.hashable(in_class=in_class)
        else:
            item = self.type(depth - 1, in_class=in_class)
        if not self.deferred and item.is_shared and "'" not in item.text and self.chance(0.05):
            item = plain(f"'{item.text}'", holds_bytes=item.holds_bytes, hashable=item.hashable)
        tail = ", ..." if kind == "tuple" else ""
        hashable = kind in ("frozenset", "tuple") and item.hashable
        return built(
            f"{text}[{{0}}{tail}]", item, twin=f"{twin}[{{0}}{tail}]", defaults=defaults, hashable=hashable,
            constraints=constraints,
        )  # fmt: skip

    def mapping(self, depth: int, *, in_class: bool) -> Written:
        module, name = self.one(_MAPPINGS)
        text = self.name(module, name)
        defaults = ["{}"] if name in ("dict", "Dict", "Mapping") else []
        if name == "Counter":
            return plain(f"{text}[str]")
        if self.chance(0.1) and name != "defaultdict":
            return plain(text, *defaults)
        names = [each for each in self.known if each.is_name and (each.is_shared or not in_class)]
        scalar = self.scalar(in_class=in_class)
        key = self.one([STR, STR, INT, *([scalar] if scalar.is_name else []), *names])
        if name == "defaultdict":  # pydantic has to know how its values begin
            value = self.one([STR, INT, FLOAT, plain("list[str]"), plain("dict[str, bool]")])
        else:
            value = self.type(depth - 1, in_class=in_class)
        return built(f"{text}[{{0}}, {{1}}]", key, value, defaults=defaults)

    def tuple(self, depth: int, *, in_class: bool) -> Written:
        text = self.name(*self.one(_SEQUENCES["tuple"]))
        items = [self.type(depth - 1, in_class=in_class) for _ in range(self.one([0, 1, 2, 2, 3]))]
        if not items:
            return plain(f"{text}[()]", "()", hashable=True)
        places = ", ".join(f"{{{index}}}" for index in range(len(items)))
        return built(f"{text}[{places}]", *items, hashable=all(item.hashable for item in items))

    def union(self, depth: int, *, in_class: bool) -> Written:
        parts = [self.type(depth - 1, in_class=in_class) for _ in range(self.one([1, 2, 2, 3]))]
        if in_class:  # in JSON without base64, which is what a model reads, any text is bytes
            parts = [STR if part.holds_bytes else part for part in parts]
        # Of a complex number and a string, both strings in JSON, the string counts.
        parts = [INT if "complex" in part.text else part for part in parts]
        if len(parts) == 1 and self.chance(0.5):
            return built(
                f"{self.name('typing', 'Optional')}[{{0}}]", *parts, defaults=["None", *parts[0].defaults],
                hashable=parts[0].hashable,
            )  # fmt: skip
        if len(parts) == 1 or self.chance(0.4):
            parts.insert(self.random.randrange(len(parts) + 1), plain("None", "None", hashable=True))
        return union_of(self, parts)

    def literal(self, *, in_class: bool) -> Written:
        values = self.one(
            [["'fast'", "'slow'"], ["1", "2", "-3"], ["'auto'", "0"], ["True"], ["'x'", "None"], ["'é'", "'A'", "'a'"],
             ["False", "'x'", "7"]]
        )  # fmt: skip
        # In one order: to `typing` two literals are one that differ in it, and the first to come counts.
        kept = self.random.sample(values, self.random.randrange(1, len(values) + 1))
        values = [value for value in values if value in kept]
        members = [
            each.defaults[0]
            for each in self.known
            if each.defaults and each.is_shared and each.defaults[0].startswith(f"{each.text}.")
        ]
        # A pydantic model takes no member of an enum from JSON where it has a `Literal` of it.
        if members and not in_class and self.chance(0.2):
            values = [self.one(members)]
        literal = self.name("typing", "Literal")
        text = ", ".join(values)
        if len(values) > 1 and self.chance(0.1):
            text = f"{literal}[{values[0]}], {', '.join(values[1:])}"
        named = all(value.startswith("'") for value in values)
        return plain(f"{literal}[{text}]", *values, hashable=True, is_name=named)

    def alias(self, depth: int, *, in_class: bool) -> Written:
        inner = self.type(depth - 1, in_class=in_class)
        if any(name in inner.text for name in ("complex", *_UNDESCRIBED)):
            return inner  # which has to be told by its name
        way = self.one(["alias", "annotated alias", "NewType", "TypeVar", "bound", "generic"])
        if way == "NewType" and inner.text.isidentifier() and inner.is_shared and inner.text[0].islower():
            name = self.fresh("Id")
            known = replace(inner, text=name, twin=name, defaults=(), constraints="")
            return self.define(f"{name} = {self.name('typing', 'NewType')}('{name}', {inner.text})", known)
        name = self.fresh("T" if way in ("TypeVar", "bound") else "Alias")
        variable = self.name("typing", "TypeVar")
        if way == "TypeVar":
            return self.define(f"{name} = {variable}('{name}', int, str)", plain(name, hashable=True))
        if way == "bound" and inner.is_shared:
            known = replace(inner, text=name, twin=name, defaults=(), constraints="", is_name=False)
            return self.define(f"{name} = {variable}('{name}', bound={inner.text})", known)
        if way == "generic":
            own, shape = self.fresh("T"), self.one(["list[{}]", "dict[str, {}]", "tuple[{}, int]"])
            self.body.append(f"{own} = {variable}('{own}')")
            self.body.append(f"{name} = {shape.format(own)}")
            if self.chance(0.2):
                return plain(name)
            return built(f"{name}[{{0}}]", inner)
        if not inner.is_shared:
            return inner
        annotation = f": {self.name('typing', 'TypeAlias')}" if way == "annotated alias" else ""
        known = replace(inner, text=name, twin=name, constraints="")
        return self.define(f"{name}{annotation} = {inner.text}", known)


# ------------------------------------------------------------------------------------------------------------ function


def _parameters(writer: _Types) -> tuple[Parameter, ...]:
    names = writer.random.sample(_PARAMETERS, writer.one([1, 2, 3, 4]))
    found: list[Parameter] = []
    kinds = sorted((writer.one(["/", "", "", "", "*"]) for _ in names), key=["/", "", "*"].index)
    optional = False
    for name, kind in zip(names, kinds, strict=True):
        type_ = writer.type(_DEPTH)
        default = writer.one(type_.defaults) if type_.defaults and writer.chance(0.4) else None
        if default is None and type_ in BUILTINS and writer.chance(0.1):
            default = "None"  # an `Optional` that is not spelled out
        if optional and default is None and kind != "*":
            kind = "*"
        optional = optional or default is not None
        found.append(Parameter(name=name, type=type_, kind=kind, default=default))
    if writer.chance(0.1):
        found.append(Parameter(name="rest", type=writer.type(1), kind="*name", default=None))
    if writer.chance(0.1):
        found.append(Parameter(name="more", type=writer.type(1), kind="**name", default=None))
    order = ["/", "", "*name", "*", "**name"]
    described = [
        replace(
            each, description=writer.one([*_WORDS[:3], "First line\nand a second."]) if writer.chance(0.4) else None
        )
        for each in found
    ]
    return tuple(sorted(described, key=lambda each: order.index(each.kind)))


def _function(parameters: tuple[Parameter, ...], docstring: str) -> str:
    told: list[str] = []
    before = ""
    for each in parameters:
        if before == "/" and each.kind != "/":
            told.append("/")
        if each.kind == "*" and before not in ("*", "*name"):
            told.append("*")
        stars = {"*name": "*", "**name": "**"}.get(each.kind, "")
        told.append(f"{stars}{each.name}: {each.type.text}" + (f" = {each.default}" if each.default else ""))
        before = each.kind
    if before == "/":
        told.append("/")
    return f"def f({', '.join(told)}) -> str:\n{docstring}    SEEN.append(locals())\n    return ''"


def _twin(parameters: tuple[Parameter, ...]) -> str:
    told = ["*"] if any(each.kind != "**name" for each in parameters) else []
    for each in parameters:
        written = each.type.twin
        if each.kind == "*name":
            told.append(f"{each.name}: list[{written}] = []")
        elif each.kind == "**name":
            told.append(f"**{each.name}: {written}")
        else:
            if each.default == "None" and "None" not in each.type.defaults:
                written = f"_Optional[{written}]"
            told.append(f"{each.name}: {written}" + (f" = {each.default}" if each.default else ""))
    return f"\n\nfrom typing import Optional as _Optional\n\n\ndef _twin({', '.join(told)}):\n    return locals()\n"


def _docstring(lines: list[str]) -> str:
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f'    """Do it.\n\n{body}\n    """\n' if lines else '    """Do it."""\n'


def _said(parameters: tuple[Parameter, ...]) -> list[tuple[str, list[str]]]:
    return [(each.name, each.description.split("\n")) for each in parameters if each.description is not None]


def _google(parameters: tuple[Parameter, ...]) -> str:
    said = _said(parameters)
    lines = [
        f"    {name}: {first}" if i == 0 else f"        {first}" for name, text in said for i, first in enumerate(text)
    ]
    return _docstring(["Args:", *lines] if said else [])


def _numpy(parameters: tuple[Parameter, ...]) -> str:
    said = _said(parameters)
    lines = [line for name, text in said for line in (name, *(f"    {part}" for part in text))]
    return _docstring(["Parameters", "----------", *lines] if said else [])


def _sphinx(parameters: tuple[Parameter, ...]) -> str:
    return _fields(parameters, ":")


def _epytext(parameters: tuple[Parameter, ...]) -> str:
    return _fields(parameters, "@")


def _fields(parameters: tuple[Parameter, ...], mark: str) -> str:
    lines = []
    for name, (first, *rest) in _said(parameters):
        lines += [f"{mark}param {name}: {first}", *(f"    {part}" for part in rest)]
    return _docstring(lines)
