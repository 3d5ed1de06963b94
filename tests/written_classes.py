"""Classes at random, of every kind that is a type of JSON: a file goes in, with a class more it comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from written import Writer, Written, built, plain

NAMES = ("name", "size", "tags", "kind", "when", "parts", "limit", "note", "owner", "ratio")
BOUNDS = {"integer": "ge=-5", "number": "lt=100", "string": "max_length=20"}  # by what they apply to
WORDS = ("How it is called.", "A part of the whole.", 'With "quotes" and ☃', "Two: words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A field of a class."""

    name: str
    type: Written
    default: str | None = None


def write_class(writer: Writer, depth: int) -> Written:
    """A class, and its name as a type."""
    kinds: list[Callable[[Writer, int], Written]] = [
        enum, enum, called_enum, dataclass_, dataclass_, typed_dict, called_typed_dict, named_tuple, attrs_class,
        model, model, model, generic_model, root_model, checked_dataclass, recursive, child, child,
    ]  # fmt: skip
    return writer.one(kinds)(writer, depth)


# --------------------------------------------------------------------------------------------------------------- enums


def enum(writer: Writer, _depth: int) -> Written:
    """An enum with members of one kind or of several."""
    name = writer.fresh("Choice")
    auto = writer.name("enum", "auto")
    bases, values = writer.one(
        [
            (writer.name("enum", "Enum"), ["'red'", "'dark blue'", "'a/b'"]),
            (writer.name("enum", "Enum"), ["1", "2", "-3"]),
            (writer.name("enum", "Enum"), ["'auto'", "0", "2.5"]),
            (writer.name("enum", "Enum"), ["0.5", "2.0"]),
            (writer.name("enum", "Enum"), [f"{auto}()"] * 3),
            (writer.name("enum", "Enum"), ["'on'", "None"]),
            (f"str, {writer.name('enum', 'Enum')}", ["'low'", "'high'"]),
            (f"int, {writer.name('enum', 'Enum')}", ["1", "10 * 2"]),
            (writer.name("enum", "IntEnum"), ["3", f"{auto}()"]),
            (writer.name("enum", "StrEnum"), ["'x'", f"{auto}()"]),
        ]
    )
    members = [f"M{number}" for number in range(len(values))]
    lines = [f"    {member} = {value}" for member, value in zip(members, values, strict=True)]
    if writer.chance(0.2):
        lines.append("    SAME = M0")
    if writer.chance(0.2):
        lines += ["", "    @property", "    def shown(self):", "        return str(self.value).title()"]
    text = all(value.startswith("'") for value in values) or "StrEnum" in bases
    known = plain(name, *(f"{name}.{member}" for member in members), hashable=True, is_name=text)
    return writer.define("\n".join([f"class {name}({bases}):", *lines]), known)


def called_enum(writer: Writer, _depth: int) -> Written:
    """An enum that a call makes."""
    name = writer.fresh("Made")
    base, members = writer.one([("Enum", "['A', 'B']"), ("Enum", "{'A': 'a', 'B': 2}"), ("StrEnum", "'A B'"),
                                ("IntEnum", "[('A', 5), ('B', 7)]")])  # fmt: skip
    known = plain(name, f"{name}.A", hashable=True, is_name=base == "StrEnum")
    return writer.define(f"{name} = {writer.name('enum', base)}('{name}', {members})", known)


# ------------------------------------------------------------------------------------------------------------- models


def attributes(writer: Writer, depth: int, *, optional: bool = True) -> list[Attribute]:
    """Fields, those without a default first."""
    names = writer.random.sample(NAMES, writer.one([1, 2, 2, 3]))
    found = []
    for name in names:
        type_ = writer.type(depth - 1, in_class=True)
        default = writer.one(type_.defaults) if optional and type_.defaults and writer.chance(0.4) else None
        found.append(Attribute(name=name, type=type_, default=default))
    return sorted(found, key=lambda attribute: attribute.default is not None)


def lines_of(stated: list[Attribute], *, factory: str = "", docstring: str | None = None) -> list[str]:
    """The body of a class. A default that can change is made by `factory`, if that is wanted."""
    lines = [f'    """{docstring}"""', ""] if docstring else []
    for attribute in stated:
        default = attribute.default
        if default is not None and factory and (default.endswith(("]", "}", ")")) or "." in default):
            default = f"{factory}(default_factory=lambda: {default})" if default.endswith((")", "]", "}")) else default
        lines.append(f"    {attribute.name}: {attribute.type.text}" + (f" = {default}" if default is not None else ""))
    return lines


def _class(
    writer: Writer, name: str, head: str, lines: list[str], stated: list[Attribute], *, twin: str = ""
) -> Written:
    bytes_ = any(attribute.type.holds_bytes for attribute in stated)
    known = Written(text=name, twin=twin or name, holds_bytes=bytes_)
    return writer.define("\n".join([head, *lines]), known)


def docstring(writer: Writer) -> str | None:
    return f"Of a class. {writer.one(WORDS)}".replace('"', "'") if writer.chance(0.3) else None


def dataclass_(writer: Writer, depth: int) -> Written:
    """A dataclass of the standard library."""
    name, stated = writer.fresh("Data"), attributes(writer, depth)
    options = writer.one(["", "", "()", "(frozen=True)", "(kw_only=True)", "(slots=True, order=True)"])
    head = f"@{writer.name('dataclasses', 'dataclass')}{options}\nclass {name}:"
    lines = lines_of(stated, factory=writer.name("dataclasses", "field"), docstring=docstring(writer))
    return _class(writer, name, head, lines, stated)


def checked_dataclass(writer: Writer, depth: int) -> Written:
    """A dataclass of pydantic's."""
    name, stated = writer.fresh("Checked"), attributes(writer, depth)
    writer.imports.add("import pydantic.dataclasses")
    head = f"@pydantic.dataclasses.dataclass\nclass {name}:"
    return _class(writer, name, head, lines_of(stated, factory=writer.name("pydantic", "Field")), stated)


def typed_dict(writer: Writer, depth: int) -> Written:
    """A `TypedDict`, with and without what has to be there."""
    name, stated = writer.fresh("Keys"), attributes(writer, depth, optional=False)
    total = writer.one(["", "", ", total=False"])
    lines = [f'    """{text}"""' for text in [docstring(writer)] if text]
    for attribute in stated:
        around = writer.one(["", "", "Required", "NotRequired", "ReadOnly"])
        module = "typing_extensions" if around == "ReadOnly" else "typing"
        text = f"{writer.name(module, around)}[{attribute.type.text}]" if around else attribute.type.text
        lines.append(f"    {attribute.name}: {text}")
    # Before Python 3.12 pydantic asks for the one of `typing_extensions`.
    head = f"class {name}({writer.name('typing_extensions', 'TypedDict')}{total}):"
    return _class(writer, name, head, lines, stated)


def called_typed_dict(writer: Writer, depth: int) -> Written:
    """A `TypedDict` that a call makes, whose keys need not be names."""
    name, stated = writer.fresh("Called"), attributes(writer, depth, optional=False)
    keys = ", ".join(f"'{each.name}-{index}': {each.type.text}" for index, each in enumerate(stated))
    total = writer.one(["", ", total=False"])
    text = f"{name} = {writer.name('typing_extensions', 'TypedDict')}('{name}', {{{keys}}}{total})"
    return _class(writer, name, text, [], stated)


def named_tuple(writer: Writer, depth: int) -> Written:
    """A `NamedTuple`."""
    name, stated = writer.fresh("Point"), attributes(writer, depth)
    if writer.chance(0.3):
        fields = ", ".join(f"('{each.name}', {each.type.text})" for each in stated)
        return _class(writer, name, f"{name} = {writer.name('typing', 'NamedTuple')}('{name}', [{fields}])", [], stated)
    head = f"class {name}({writer.name('typing', 'NamedTuple')}):"
    return _class(writer, name, head, lines_of(stated, docstring=docstring(writer)), stated)


def attrs_class(writer: Writer, depth: int) -> Written:
    """A class of attrs. Pydantic knows none: its twin is the dataclass with the same fields."""
    name, stated = writer.fresh("Attr"), attributes(writer, depth)
    decorator, factory = writer.one([("define", "field"), ("frozen", "field"), ("define(kw_only=True)", "field")])
    body = lines_of(stated, docstring=docstring(writer))
    lines = [
        f"{line.partition(' = ')[0]} = {writer.name('attrs', factory)}(factory=lambda: {line.partition(' = ')[2]})"
        if line.endswith(("]", "}", ")")) and " = " in line
        else line
        for line in body
    ]
    function, _, options = decorator.partition("(")
    head = f"@{writer.name('attrs', function)}{'(' if options else ''}{options}\nclass {name}:"
    return _class(writer, name, head, lines, stated, twin=f"as_dataclass({name})")


def model(writer: Writer, depth: int) -> Written:
    """A pydantic model, with aliases, constraints and a configuration."""
    name, stated = writer.fresh("Model"), attributes(writer, depth)
    return _class(writer, name, f"class {name}({writer.name('pydantic', 'BaseModel')}):",
                  model_lines(writer, stated), stated)  # fmt: skip


def model_lines(writer: Writer, stated: list[Attribute]) -> list[str]:
    """The body of a model."""
    field = writer.name("pydantic", "Field")
    lines = [f'    """{text}"""' for text in [docstring(writer)] if text]
    settings = [writer.one(["", "", "extra='forbid'", "extra='allow'", "extra='ignore'", "frozen=True"])]
    if writer.chance(0.1):
        writer.imports.add("from pydantic.alias_generators import to_camel")
        settings.append("alias_generator=to_camel")
    if any(each.type.holds_bytes for each in stated):
        # A strict model that reads bytes from text has no JSON for those that are none.
        settings.append(writer.one(["", "val_json_bytes='base64'", "strict=True, val_json_bytes='base64'"]))
    told = ", ".join(setting for setting in settings if setting)
    if told:
        lines.append(f"    model_config = {writer.name('pydantic', 'ConfigDict')}({told})")
    for each in stated:
        arguments = [f"default={each.default}"] if each.default is not None else []
        if each.default is not None and each.default.endswith(("]", "}", ")")):
            arguments = [f"default_factory=lambda: {each.default}"]
        said = [
            writer.one(["", "", f"alias='{each.name}Alias'", f"validation_alias='{each.name}-x'"]),
            writer.one(["", "", f"description={writer.one(WORDS)!r}"]),
            writer.one(["", BOUNDS.get(each.type.constraints, "")]),
        ]  # fmt: skip
        told = ", ".join([*arguments, *(text for text in said if text)])
        if told and writer.chance(0.7):
            lines.append(f"    {each.name}: {each.type.text} = {field}({told})")
        else:
            lines.append(f"    {each.name}: {each.type.text}" + (f" = {each.default}" if each.default else ""))
    return lines


def generic_model(writer: Writer, _depth: int) -> Written:
    """A model of something, and the one that it is used with."""
    variable, name = writer.fresh("T"), writer.fresh("Box")
    base, generic = writer.name("pydantic", "BaseModel"), writer.name("typing", "Generic")
    writer.body.append(f"{variable} = {writer.name('typing', 'TypeVar')}('{variable}')")
    writer.body.append(
        f"class {name}({base}, {generic}[{variable}]):\n    item: {variable}\n    more: list[{variable}] = []"
    )
    inner = writer.type(0, in_class=True)
    if writer.chance(0.5):
        child = writer.fresh("Of")
        return writer.define(f"class {child}({name}[{inner.text}]):\n    count: int = 1", plain(child))
    given = writer.one(["int", "str", "bool", "dict[str, int]"])
    writer.known.append(plain(f"{name}[{given}]"))
    return writer.known[-1]


def root_model(writer: Writer, depth: int) -> Written:
    """A model that stands for a value."""
    name, inner = writer.fresh("Root"), writer.type(depth - 1, in_class=True)
    if inner.holds_bytes:  # a model that is bytes has no JSON form
        return model(writer, depth)
    return writer.define(f"class {name}({writer.name('pydantic', 'RootModel')}[{inner.text}]):\n    pass", plain(name))


def recursive(writer: Writer, depth: int) -> Written:
    """A class that holds some of itself."""
    name, stated = writer.fresh("Tree"), attributes(writer, depth - 1, optional=False)
    quoted = name if writer.deferred else f"'{name}'"
    itself = writer.one([f"list[{quoted}]", f"dict[str, {quoted}]", f"{writer.name('typing', 'Optional')}[{quoted}]"])
    kind = writer.one(["dataclass", "model", "TypedDict"])
    if kind == "TypedDict":
        head = f"class {name}({writer.name('typing_extensions', 'TypedDict')}):"
        lines = [*lines_of(stated), f"    below: {writer.name('typing_extensions', 'NotRequired')}[{itself}]"]
    elif kind == "model":
        head = f"class {name}({writer.name('pydantic', 'BaseModel')}):"
        lines = [*lines_of(stated), f"    below: {itself} = None"]
    else:
        head = f"@{writer.name('dataclasses', 'dataclass')}\nclass {name}:"
        lines = [*lines_of(stated), f"    below: {itself}"]
    if kind == "model" and "Optional" not in itself:
        lines[-1] = f"    below: {itself} = {'[]' if itself.startswith('list') else '{}'}"
    return _class(writer, name, head, lines, stated)


def child(writer: Writer, depth: int) -> Written:
    """A class that inherits fields, of which it may state one anew."""
    stated, more = attributes(writer, depth, optional=False), attributes(writer, depth, optional=False)
    base, name = writer.fresh("Base"), writer.fresh("Child")
    kind = writer.one(["dataclass", "model", "TypedDict"])
    if kind == "TypedDict":
        mine = [each for each in more if each.name not in {inherited.name for inherited in stated}] or more
        mine = mine if {e.name for e in mine}.isdisjoint(e.name for e in stated) else []
        head = f"class {base}({writer.name('typing_extensions', 'TypedDict')}{writer.one(['', ', total=False'])}):"
        writer.body.append("\n".join([head, *lines_of(stated)]))
        return _class(writer, name, f"class {name}({base}):", lines_of(mine) or ["    pass"], stated + more)
    if kind == "model":
        writer.body.append("\n".join([f"class {base}({writer.name('pydantic', 'BaseModel')}):",
                                      *lines_of(stated)]))  # fmt: skip
        return _class(writer, name, f"class {name}({base}):", lines_of(more), stated + more)
    decorator = f"@{writer.name('dataclasses', 'dataclass')}\n"
    writer.body.append("\n".join([f"{decorator}class {base}:", *lines_of(stated)]))
    return _class(writer, name, f"{decorator}class {name}({base}):", lines_of(more), stated + more)


def union_of(writer: Writer, parts: list[Written]) -> Written:
    """A union, in one of its spellings."""
    places = [f"{{{index}}}" for index in range(len(parts))]
    ways = [f"{writer.name('typing', 'Union')}[{', '.join(places)}]", " | ".join(places)]
    defaults = [default for part in parts for default in part.defaults]
    return built(writer.one(ways), *parts, defaults=defaults, hashable=all(part.hashable for part in parts))
