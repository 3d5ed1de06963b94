"""Compiled types: a schema together with what has to be made of the values it accepts, and how such types combine.

A conversion is known by a JSON pointer from the schema it belongs to, so a type that becomes a part of another takes
its conversions along. What has a name, a model or a type that contains itself, is kept apart in `Definitions`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from toolc.diagnostics import Diagnostic
from toolc.model import Json, Schema
from toolc.parse.budget import Budget
from toolc.parse.library import Loaded, Local
from toolc.parse.schemas import NULL, Scalar, json_type


class NoJsonForm(Exception):
    """A type that no JSON value can stand for, as far as can be told. `node` is the part that is to blame."""

    def __init__(
        self,
        node: ast.expr,
        reason: str | None,
        hint: str | None = None,
        *,
        resolved: bool = True,
        importable: bool | None = None,
        origin: tuple[ast.expr, Loaded] | None = None,
    ) -> None:
        self.node = node
        self.reason = reason  # a clause, "`X` is ...", where there is more to say
        self.hint = hint
        self.resolved = resolved  # whether we know what it is
        # Whether importing may tell what it is: unless said otherwise, where we do not know.
        self.importable = not resolved if importable is None else importable
        self.origin = origin  # where the cause stands, if that is not where the tool names the type
        super().__init__(reason or type(node).__name__)

    def seen_from(self, node: ast.expr, home: Loaded, reason: str | None = None) -> NoJsonForm:
        """The same, for whoever named what stands in the module `home`."""
        origin = self.origin or (self.node, home)
        return type(self)(
            node,
            reason or self.reason,
            self.hint,
            resolved=self.resolved,
            importable=self.importable,
            origin=origin,
        )


class TooLarge(NoJsonForm):
    """A type that stands for more parts than a schema may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """A default that metadata gives. `node` is None where a factory makes it."""

    node: ast.expr | None
    home: Loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """A compiled annotation."""

    schema: Schema
    conversions: Mapping[str, str] = field(default_factory=dict)  # pointer from this schema -> what is made of it
    description: str | None = None  # from `Annotated`, as are:
    alias: str | None = None
    default: Default | None = None
    qualifiers: tuple[str, ...] = ()  # that stand around the type
    iterates: bool = False  # an iterator, for which a list arrives
    unenforced: tuple[str, ...] = ()  # the constraints that no schema states

    @property
    def described(self) -> Type:
        """As a part of another type: with its description in the schema."""
        if self.description is None:
            is_plain = self.alias is None and self.default is None
            return self if is_plain else replace(self, alias=None, default=None)
        schema: Schema = {**self.schema, "description": self.description}
        return Type(schema=schema, conversions=self.conversions)


Bindings: TypeAlias = Mapping[str, Type]  # the types that type variables stand for


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an expression stands, as far as it decides what its names mean."""

    home: Loaded
    bindings: Bindings = field(default_factory=dict)
    owner: Local | None = None  # the class whose body it stands in
    checked: bool = False  # whether its class applies what a schema cannot state


@dataclass(slots=True, kw_only=True)
class Definitions:
    """The named types of one schema, and what is to be said of their fields."""

    types: dict[str, Type | None] = field(default_factory=dict)  # None while it is being compiled
    names: dict[str, str] = field(default_factory=dict)  # what it is -> its name
    remarks: list[Diagnostic] = field(default_factory=list)
    untold: bool = False  # whether a part of a model that its class takes care of was left out, being no literal
    budget: Budget = field(default_factory=Budget)

    def name(self, wanted: str, identity: str, otherwise: str) -> str:
        """The name for a thing: the wanted one, or another if a different thing has it."""
        if identity not in self.names:
            taken = set(self.names.values())
            name = wanted if wanted not in taken else otherwise
            number = 2
            while name in taken:
                name = f"{otherwise}_{number}"
                number += 1
            self.names[identity] = name
        return self.names[identity]

    @contextmanager
    def undone_on_failure(self) -> Iterator[None]:
        """Forget what a type without JSON form has defined on the way."""
        types, names, remarks = dict(self.types), dict(self.names), list(self.remarks)
        try:
            yield
        except NoJsonForm:
            self.types, self.names, self.remarks = types, names, remarks
            raise

    @property
    def schemas(self) -> dict[str, Json]:
        """The named schemas that are complete."""
        return {name: compiled.schema for name, compiled in self.types.items() if compiled is not None}

    def used_by(self, schema: Schema) -> dict[str, Type]:
        """The named types that a schema refers to, directly or not, by name."""
        used: dict[str, Type] = {}
        pending = [*references(schema)]
        while pending:
            name = pending.pop()
            compiled = self.types.get(name)
            if name not in used and compiled is not None:
                used[name] = compiled
                pending.extend(references(compiled.schema))
        return dict(sorted(used.items()))


def references(schema: Json) -> Iterator[str]:
    """The names of the types that a schema refers to."""
    if isinstance(schema, dict):
        target = schema.get("$ref")
        if isinstance(target, str):
            yield target.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def part(whole: Type, pointer: str, schema: Schema) -> Type:
    """A schema that stands in another."""
    made = {
        place.removeprefix(pointer): kind
        for place, kind in whole.conversions.items()
        if f"{place}/".startswith(f"{pointer}/")
    }
    return Type(schema=schema, conversions=made)


def identify(arguments: Iterable[Type]) -> str:
    """What tells the uses of a generic type apart."""
    told = [[argument.schema, dict(sorted(argument.conversions.items()))] for argument in arguments]
    return json.dumps(told, sort_keys=True) if told else ""


def below(prefix: str, conversions: Mapping[str, str]) -> dict[str, str]:
    """Conversions, seen from where their schema stands."""
    return {f"{prefix}{pointer}": kind for pointer, kind in conversions.items()}


def escaped(name: str) -> str:
    """A name as a step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def reference(name: str) -> Type:
    """The type that is defined under a name."""
    return Type(schema={"$ref": f"#/$defs/{escaped(name)}"})


def plain(schema: Schema, kind: str | None = None) -> Type:
    """A schema, and what is made of its values."""
    return Type(schema=schema, conversions={"": kind} if kind else {})


def array(items: Type, kind: str | None = None, **keywords: Json) -> Type:
    """An array with items of one type."""
    inner = items.described
    made = {**({"": kind} if kind else {}), **below("/items", inner.conversions)}
    return Type(schema={"type": "array", "items": inner.schema, **keywords}, conversions=made)


def fixed(items: Sequence[Type], kind: str, rest: Type | None = None) -> Type:
    """An array with items of given types, one each, and any number more of another type if there is one."""
    described = [item.described for item in items]
    schema: Schema = {"type": "array"}
    if described:
        schema["prefixItems"] = [item.schema for item in described]
    schema["minItems"] = len(described)
    made = {"": kind}
    if rest is None:
        schema["maxItems"] = len(described)
    else:
        schema["items"] = rest.described.schema
        made |= below("/items", rest.described.conversions)
    for index, item in enumerate(described):
        made |= below(f"/prefixItems/{index}", item.conversions)
    return Type(schema=schema, conversions=made)


def mapping(names: Type, values: Type, kind: str | None = None) -> Type:
    """An object with values of one type; `names` is what its names are, of which every one is a string."""
    inner = values.described
    made = {**({"": kind} if kind else {}), **below("/additionalProperties", inner.conversions)}
    schema: Schema = {"type": "object", "additionalProperties": inner.schema or True}
    told = {keyword: value for keyword, value in names.schema.items() if keyword != "type"}
    if told:
        schema["propertyNames"] = told
        made |= below("/propertyNames", names.conversions)
    return Type(schema=schema, conversions=made)


def union(types: Iterable[Type]) -> Type:
    """What any of the types accepts: flat, without repetitions, null last.

    Of two types with one schema, the one whose values need no conversion stands for both.
    """
    distinct: dict[str, Type] = {}
    for member in types:
        for branch in _branches(member.described):
            key = json.dumps(branch.schema)
            if key not in distinct or (distinct[key].conversions and not branch.conversions):
                distinct[key] = branch
    ordered = sorted(distinct.values(), key=lambda branch: branch.schema == NULL)
    if len(ordered) == 1:
        return ordered[0]
    made: dict[str, str] = {}
    for index, branch in enumerate(ordered):
        made |= below(f"/anyOf/{index}", branch.conversions)
    return Type(schema={"anyOf": [branch.schema for branch in ordered]}, conversions=made)


def _branches(member: Type) -> Iterable[Type]:
    branches = member.schema.get("anyOf")
    if not isinstance(branches, list) or len(member.schema) > 1:
        yield member
        return
    whole = member.conversions.get("")  # what is made of all branches is made of each
    for index, branch in enumerate(branches):
        assert isinstance(branch, dict), "the branches of a union are schemas"
        made = part(member, f"/anyOf/{index}", branch).conversions
        yield Type(schema=branch, conversions=made if whole is None or branch == NULL else {"": whole, **made})


def without_decimal_text(member: Type) -> Type:
    """The type without the strings that stand for decimal numbers."""
    if "decimal" not in member.conversions.values():
        return member
    kept = [b for b in _branches(member) if (b.schema.get("type"), b.conversions.get("")) != ("string", "decimal")]
    narrowed = union(kept)
    return replace(member, schema=narrowed.schema, conversions=narrowed.conversions)


def enumeration(values: Iterable[Scalar], kind: str | None = None) -> Type:
    """The type of some scalars: grouped by JSON type, each group in its order, null last."""
    groups: dict[str, dict[Scalar, None]] = {}  # by type: to Python, True is 1
    for value in values:
        groups.setdefault(json_type(value), {})[value] = None
    return union(
        plain(dict(NULL), kind) if name == "null" else plain({"type": name, "enum": [*group]}, kind)
        for name, group in groups.items()
    )
