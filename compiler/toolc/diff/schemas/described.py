"""Say what a shape says of an object's properties: a shape goes in, names and positions come out.

Several nodes can describe one object (`allOf`, a reference with keywords beside it): each has a say in every property.
"""

from __future__ import annotations

from toolc.diff.schemas.changes import Said
from toolc.diff.schemas.forms import Position, Shape, keyword_place
from toolc.diff.schemas.meaning import pattern_nodes
from toolc_runtime.nodes import Node


def declared(shape: Shape) -> dict[str, Node]:
    """The properties that a shape names, in the order they were written, and a node that does."""
    found: dict[str, Node] = {}
    for node in shape.sources:
        for name in node.properties:
            found.setdefault(name, node)
    return found


def required(shape: Shape) -> dict[str, Node]:
    """The properties that have to be there, and a node that says so."""
    found: dict[str, Node] = {}
    for node in shape.sources:
        for name in node.required:
            found.setdefault(name, node)
    return found


def property_at(shape: Shape, name: str) -> Position | None:
    """What a property has to satisfy, declared or not; None where there can be none of the name."""
    nodes: list[Node] = []
    for source in shape.sources:
        own = [below for pattern, below in source.patterns if pattern.matches(name)]
        if name in source.properties:
            own.insert(0, source.properties[name])
        elif not own and source.additional is not None and not source.unmatched:
            own.append(source.additional)
        nodes += own
    return _position(nodes)


def undeclared(shape: Shape) -> Position | None:
    """What a property has to satisfy that nothing in the shape names; None where there can be none."""
    return _position([s.additional for s in shape.sources if s.additional is not None and not s.unmatched])


def _position(nodes: list[Node]) -> Position | None:
    if any(node.always is False for node in nodes):
        return None
    return tuple(dict.fromkeys(node for node in nodes if node.always is not True))


def patterns(shape: Shape) -> dict[str, Node]:
    """The patterns that names of properties are told by, and the nodes of their values."""
    return {source: node for owner in shape.sources for source, node in pattern_nodes(owner)}


def is_matched(shape: Shape, name: str) -> bool:
    """Whether `patternProperties` describes a name."""
    return any(pattern.matches(name) for node in shape.sources for pattern, _ in node.patterns)


def fresh_name(*shapes: Shape) -> str:
    """A name that none of the shapes knows."""
    taken = {name for shape in shapes for name in (*declared(shape), *required(shape))}
    names = ["extra", *(f"extra{i}" for i in range(2, 100)), "Z", "0", "-", "_", "é", " "]
    free = (name for name in names if name not in taken and not any(is_matched(shape, name) for shape in shapes))
    return next(free, "extra")


def keyword_of(shape: Shape, keyword: str) -> Said:
    """What a shape says with a keyword; where it has none, the place of the schema."""
    for node in shape.sources:
        if keyword in node.keywords:
            return Said(keyword_place(node, keyword), node.keywords[keyword])
    return Said(shape.sources[0].pointer if shape.sources else None)
