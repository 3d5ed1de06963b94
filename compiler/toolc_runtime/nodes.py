"""The graph that a schema is compiled to: a node a subschema, its keywords as attributes, its references as edges."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from .formats import Format
    from .patterns import Pattern
    from .problems import Path

    # What recursive nodes said of the values that one check has shown them; the value is kept, so its id stays its own.
    Memo: TypeAlias = "dict[tuple[Node, int], tuple[object, bool]]"
    Valid: TypeAlias = "Callable[[object, Memo], bool]"
    Keywords: TypeAlias = "dict[str, Any]"  # raw JSON, its types checked by the reader

TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")


class Node:
    """A subschema. Where its schema says nothing, the attribute is the class's: most schemas say little."""

    always: bool | None = None  # of the schemas `true` and `false`
    types: tuple[str, ...] = ()
    enum: Sequence[object] | None = None  # of `const` too
    pattern: Pattern | None = None
    format: Format | None = None  # where formats are asserted; of `contentEncoding` too
    required: tuple[str, ...] = ()
    dependent_required: Mapping[str, Sequence[str]] = {}
    properties: Mapping[str, Node] = {}
    patterns: Sequence[tuple[Pattern, Node]] = ()
    unmatched: bool = False  # a pattern of `patternProperties` is not enforced: no property is surely additional
    additional: Node | None = None
    names: Node | None = None
    prefix: Sequence[Node] = ()
    items: Node | None = None
    contains: Node | None = None
    target: Node | None = None  # of `$ref`
    all_of: Sequence[Node] = ()
    any_of: Sequence[Node] = ()
    one_of: Sequence[Node] = ()
    negated: Node | None = None
    condition: Node | None = None
    then: Node | None = None
    otherwise: Node | None = None
    dependent: Mapping[str, Node] = {}
    unevaluated_items: Node | None = None
    unevaluated_properties: Node | None = None

    by_place: bool = False  # an object that may be written as an array too
    recursive: bool = False  # something below refers back to it
    lenient: bool = False  # some pattern in it or below is not enforced: it accepts more than it says
    size: int = 0  # nodes in it and below, references written out; 0 while it is being read
    valid: Valid

    def __init__(self, pointer: Path, keywords: Keywords) -> None:
        self.pointer = pointer
        self.keywords = keywords

    def holds(self, value: object, memo: Memo) -> bool:
        """Whether the value satisfies the node, judged once a check where the node is recursive.

        Without that, two branches that both go down the same recursive reference would double the work at each level.
        """
        if not self.recursive or not isinstance(value, list | dict):
            return self.valid(value, memo)
        place = (self, id(value))
        known = memo.get(place)
        if known is None:
            memo[place] = known = (value, self.valid(value, memo))
        return known[1]

    @property
    def every(self) -> Sequence[Node]:
        """The nodes that a value must satisfy beside this one: the target of `$ref`, and `allOf`."""
        return self.all_of if self.target is None else (self.target, *self.all_of)

    def in_place(self) -> Iterator[Node]:
        """The nodes that look at the same value."""
        yield from self.every
        yield from self.any_of
        yield from self.one_of
        yield from self.dependent.values()
        yield from _given(self.negated, self.condition, self.then, self.otherwise)

    def children(self) -> Iterator[Node]:
        """All nodes one step below, those that look at the same value among them."""
        yield from self.in_place()
        yield from self.properties.values()
        yield from (node for _, node in self.patterns)
        yield from self.prefix
        yield from _given(self.additional, self.names, self.items, self.contains)
        yield from _given(self.unevaluated_items, self.unevaluated_properties)


def _given(*nodes: Node | None) -> Iterator[Node]:
    return (node for node in nodes if node is not None)
