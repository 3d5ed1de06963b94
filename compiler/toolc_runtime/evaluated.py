"""Which parts of a value a node has looked at, for `unevaluatedProperties` and `unevaluatedItems`.

`None` stands for all of them. Only nodes that the value satisfies have looked at anything.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .nodes import Memo, Node


def properties(node: Node, value: dict[str, object], memo: Memo) -> set[str] | None:
    """The names of the properties that the other keywords of the node have looked at."""
    if node.additional is not None or node.unmatched:
        return None
    seen = {name for name in value if name in node.properties or any(p.matches(name) for p, _ in node.patterns)}
    for below in _applied(node, value, memo):
        names = None if below.unevaluated_properties is not None else properties(below, value, memo)
        if names is None:
            return None
        seen |= names
    return seen


def items(node: Node, value: list[object], memo: Memo) -> set[int] | None:
    """The indices of the items that the other keywords of the node have looked at."""
    if node.items is not None:
        return None
    seen = set(range(min(len(node.prefix), len(value))))
    if node.contains is not None:
        seen |= {i for i, item in enumerate(value) if node.contains.holds(item, memo)}
    for below in _applied(node, value, memo):
        indices = None if below.unevaluated_items is not None else items(below, value, memo)
        if indices is None:
            return None
        seen |= indices
    return seen


def _applied(node: Node, value: object, memo: Memo) -> Iterator[Node]:
    """The nodes for the same value that it satisfies."""
    yield from node.every
    yield from (below for below in (*node.any_of, *node.one_of) if below.holds(value, memo))
    if node.condition is not None:
        if node.condition.holds(value, memo):
            yield node.condition
            if node.then is not None:
                yield node.then
        elif node.otherwise is not None:
            yield node.otherwise
    if isinstance(value, dict):
        yield from (below for name, below in node.dependent.items() if name in value)
