"""Bring a schema into one form: the nodes a value has to satisfy go in, the alternatives it can be come out.

`type` lists, `anyOf`, references, `allOf` and enums all end as a list of shapes, each of one type; so two schemas that
say the same in other words have equal shapes. What has no such form (`not`, `if`, an overlapping `oneOf`, `contains`)
stays a condition on the shapes it applies to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from toolc.diff.schemas.meaning import meaning
from toolc.model import Json
from toolc_runtime.checks import key
from toolc_runtime.nodes import Node

# A place in the schema, as the nodes that a value there has to satisfy, each of them. Of none: anything goes.
Position: TypeAlias = tuple[Node, ...]

KINDS = ("string", "number", "boolean", "array", "object", "null")
_SHAPES_LIMIT = 64


class TooWide(Exception):
    """A schema of more alternatives than are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A keyword that is compared as a whole, and the schemas in it."""

    keyword: str
    owner: Node  # the node that has the keyword
    parts: tuple[Node, ...]  # none where more than they decides
    more: str = ""  # what else it says

    @property
    def subject(self) -> tuple[str, str]:
        """What has to be equal for two conditions to be compared with each other."""
        return (self.keyword, self.more if self.keyword == "dependentSchemas" else "")

    @property
    def said(self) -> tuple[str, str]:
        """All that the condition says."""
        return (self.keyword, " ".join([*map(meaning, self.parts), self.more]))

    @property
    def grows(self) -> bool:
        """Whether more satisfies it where more satisfies its parts."""
        return "maxContains" not in self.more


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Values of one type: those that the keywords of its sources for that type allow, and its conditions."""

    kind: str  # one of KINDS; `integer` is a whole number
    whole: bool = False
    values: tuple[Json, ...] | None = None  # the only ones it can be
    sources: tuple[Node, ...] = ()
    conditions: tuple[Condition, ...] = ()
    exclusive: bool = False  # written as a branch of `oneOf`


def accepts(position: Position, value: object) -> bool:
    """Whether a value satisfies every node of a position."""
    return all(node.valid(value, {}) for node in position)


def form(position: Position) -> tuple[Shape, ...]:
    """The alternatives of a position; none where nothing satisfies it. Raises `TooWide`."""
    shapes: tuple[Shape, ...] = tuple(Shape(kind=kind) for kind in KINDS)
    for node in position:
        shapes = _both(shapes, _alternatives(node))
    return _tidied(shapes, position)


def chain(position: Position) -> tuple[Node, ...]:
    """The nodes of a position with those that hold wherever they do: targets of references, members of `allOf`."""
    found: dict[Node, None] = {}
    for node in position:
        found[node] = None
        found.update(dict.fromkeys(chain(tuple(node.every))))
    return tuple(found)


def kind_of(value: object) -> str:
    """The type of a JSON value, numbers being one."""
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "number", float: "number", list: "array", dict: "object"}
    return names.get(type(value), "null")


def keyword_place(node: Node, keyword: str) -> tuple[str | int, ...]:
    """Where a keyword of a node stands in the schema."""
    return (*node.pointer, keyword)


# ------------------------------------------------------------------------------------------------------ one node


def _alternatives(node: Node) -> tuple[Shape, ...]:
    if node.always is not None:
        return tuple(Shape(kind=kind) for kind in KINDS) if node.always else ()
    shapes = tuple(_own(node))
    for below in node.every:
        shapes = _both(shapes, _alternatives(below))
    if node.any_of:
        shapes = _both(shapes, tuple(shape for branch in node.any_of for shape in _alternatives(branch)))
    if node.one_of:
        branches = [_alternatives(branch) for branch in node.one_of]
        union = tuple(replace(shape, exclusive=True) for branch in branches for shape in branch)
        shapes = _both(shapes, union)
        if not _apart(branches):
            overlapping = Condition(keyword="oneOf", owner=node, parts=tuple(node.one_of))
            shapes = tuple(_with(shape, overlapping) for shape in shapes)
    conditions = tuple(_conditions(node))
    return tuple(
        _with(shape, *(condition for kind, condition in conditions if kind in (None, shape.kind))) for shape in shapes
    )


def _own(node: Node) -> Iterable[Shape]:
    """The types that a node allows, with its enum among them."""
    for kind in KINDS:
        names = ("number", "integer") if kind == "number" else (kind,)
        if node.types and not set(names) & set(node.types):
            continue
        values = None if node.enum is None else tuple(value for value in node.enum if kind_of(value) == kind)
        if values == ():
            continue
        whole = kind == "number" and "integer" in node.types and "number" not in node.types
        yield Shape(kind=kind, whole=whole, values=values, sources=(node,))  # type: ignore[arg-type]


def _conditions(node: Node) -> Iterable[tuple[str | None, Condition]]:
    """What a node says that is compared as a whole, and the one type it is about."""

    if node.negated is not None:
        yield None, Condition(keyword="not", owner=node, parts=(node.negated,))
    if node.condition is not None and (node.then is not None or node.otherwise is not None):
        branches = [branch for branch in (node.then, node.otherwise) if branch is not None]
        more = " ".join(keyword for keyword in ("then", "else") if keyword in node.keywords)
        yield None, Condition(keyword="if", owner=node, parts=(node.condition, *branches), more=more)
    if node.contains is not None:
        counts = [f"{word} {node.keywords[word]:g}" for word in ("minContains", "maxContains") if word in node.keywords]
        yield "array", Condition(keyword="contains", owner=node, parts=(node.contains,), more=" ".join(counts))
    if node.names is not None:
        yield "object", Condition(keyword="propertyNames", owner=node, parts=(node.names,))
    for name, below in node.dependent.items():
        yield "object", Condition(keyword="dependentSchemas", owner=node, parts=(below,), more=name)
    # These depend on what stands beside them: all of it has to be the same.
    for keyword, kind, given in (
        ("patternProperties", "object", node.unmatched),
        ("unevaluatedItems", "array", node.unevaluated_items is not None),
        ("unevaluatedProperties", "object", node.unevaluated_properties is not None),
    ):
        if given:
            yield kind, Condition(keyword=keyword, owner=node, parts=(), more=meaning(node))


def _with(shape: Shape, *conditions: Condition) -> Shape:
    return replace(shape, conditions=(*shape.conditions, *conditions)) if conditions else shape


# ------------------------------------------------------------------------------------------------- several nodes


def _both(left: tuple[Shape, ...], right: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The shapes of what satisfies a shape of each side."""
    if len(left) * len(right) > _SHAPES_LIMIT * len(KINDS):
        raise TooWide
    return tuple(_meet(one, other) for one in left for other in right if one.kind == other.kind)


def _meet(left: Shape, right: Shape) -> Shape:
    values = left.values
    if values is None:
        values = right.values
    elif right.values is not None:
        allowed = {key(value) for value in right.values}
        values = tuple(value for value in values if key(value) in allowed)
    return Shape(
        kind=left.kind,
        whole=left.whole or right.whole,
        values=values,
        sources=tuple(dict.fromkeys((*left.sources, *right.sources))),
        conditions=(*left.conditions, *right.conditions),
        exclusive=left.exclusive or right.exclusive,
    )


def _tidied(shapes: tuple[Shape, ...], position: Position) -> tuple[Shape, ...]:
    """One shape for all the single values of a type, without those that other keywords refuse."""
    tidy: list[Shape] = []
    listed: dict[str, int] = {}  # where the shape of single values of a type is
    for shape in shapes:
        if shape.values is None:
            tidy.append(shape)
            continue
        values = {key(value): value for value in shape.values if accepts(position, value)}
        if shape.kind in listed:
            place = listed[shape.kind]
            values = {key(value): value for value in tidy[place].values or ()} | values
            sources = tuple(dict.fromkeys((*tidy[place].sources, *shape.sources)))
            tidy[place] = replace(tidy[place], values=tuple(values.values()), sources=sources)
        elif values:
            listed[shape.kind] = len(tidy)
            tidy.append(replace(shape, values=tuple(values.values())))
    return tuple(
        replace(shape, values=None) if shape.kind == "null" or _is_every_boolean(shape) else shape for shape in tidy
    )


def _is_every_boolean(shape: Shape) -> bool:
    return shape.kind == "boolean" and shape.values is not None and len(shape.values) == 2


def _apart(branches: list[tuple[Shape, ...]]) -> bool:
    """Whether no value is surely of two branches: then one of them is as good as any of them."""
    return all(
        _are_apart(one, other)
        for i, branch in enumerate(branches)
        for another in branches[i + 1 :]
        for one in branch
        for other in another
    )


def _are_apart(one: Shape, other: Shape) -> bool:
    if one.kind != other.kind:
        return True
    if one.values is not None and other.values is not None:
        return not {key(value) for value in one.values} & {key(value) for value in other.values}
    return one.kind == "object" and any(_tells_apart(name, one, other) for name in _required(one) & _required(other))


def _required(shape: Shape) -> set[str]:
    return {name for node in shape.sources for name in node.required}


def _tells_apart(name: str, one: Shape, other: Shape) -> bool:
    """Whether a property that both have to have can never have one value in both."""
    first, second = _listed(name, one), _listed(name, other)
    return first is not None and second is not None and not first & second


def _listed(name: str, shape: Shape) -> set[object] | None:
    """The single values that a property of a shape can have; None where they are not listed."""
    for node in shape.sources:
        below = node.properties.get(name)
        if below is not None and below.enum is not None:
            return {key(value) for value in below.enum}
    return None
