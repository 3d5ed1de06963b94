"""Make values that a schema accepts, at the borders of another schema: two positions go in, JSON values come out.

The plainest values come first, so that the first one that shows something shows it plainly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from toolc.diff.schemas.arrays import item, prefix_length
from toolc.diff.schemas.described import declared, fresh_name, patterns, property_at, required
from toolc.diff.schemas.forms import Position, Shape, TooWide, accepts, chain, form
from toolc.diff.schemas.texts import example, examples, of_format
from toolc.model import Json
from toolc_runtime.checks import key
from toolc_runtime.nodes import Node

_KEPT = (120, 24, 10, 5, 3, 2)  # values of a position, by how deep it is
_DEEPEST = 12
_LONGEST_TEXT = 20_000
_LONGEST_LIST = 300
_BUDGET = 60_000  # values that are made in all
_WORDS = ("a", "", "b", "A", "0", "1", "-", " ", "ab", "é", "a1", "null")


class Sampler:
    """Makes values, and remembers those it has made."""

    def __init__(self) -> None:
        self._known: dict[tuple[Position, Position, int], tuple[Json, ...]] = {}
        self._left = _BUDGET

    def accepted(self, position: Position, other: Position, depth: int = 0) -> tuple[Json, ...]:
        """Some values that a position accepts, near the borders of both positions."""
        place = (position, other, depth)
        if place not in self._known:
            self._known[place] = ()  # what leads back here gets by without
            self._known[place] = self._kept(position, other, depth) if depth <= _DEEPEST else ()
        return self._known[place]

    def _kept(self, position: Position, other: Position, depth: int) -> tuple[Json, ...]:
        try:
            shapes, others = form(position), form(other)
        except TooWide:
            return ()
        kept: dict[object, Json] = {}
        limit = _KEPT[min(depth, len(_KEPT) - 1)]
        for value in self._values(position, other, shapes, others, depth):
            self._left -= 1
            if self._left < 0 or len(kept) >= limit:
                break
            if key(value) not in kept and accepts(position, value):
                kept[key(value)] = value
        return tuple(kept.values())

    def _values(
        self, position: Position, other: Position, shapes: tuple[Shape, ...], others: tuple[Shape, ...], depth: int
    ) -> Iterator[Json]:
        queues = [iter(_told(chain(position) + chain(other)))]
        for shape in shapes:
            near = [shape, *(one for one in others if one.kind == shape.kind)]
            if shape.values is not None:
                queues.append(iter(shape.values))
            elif shape.kind == "null":
                queues.append(iter([None]))
            elif shape.kind == "boolean":
                queues.append(iter([False, True]))
            elif shape.kind == "number":
                queues.append(_numbers(near))
            elif shape.kind == "string":
                queues.append(_texts(near))
            elif shape.kind == "array":
                queues.append(self._arrays(shape, near, depth))
            else:
                queues.append(self.objects(shape, near, depth))
        while queues:  # in turn, so that every alternative is seen
            for queue in list(queues):
                values = list(islice(queue, 6))
                yield from values
                if len(values) < 6:
                    queues.remove(queue)

    def _arrays(self, shape: Shape, near: list[Shape], depth: int) -> Iterator[Json]:
        lengths = _around(near, ("minItems", "maxItems")) | {0, 1, 2, *(prefix_length(one) + 1 for one in near)}
        pools: list[tuple[Json, ...]] = []
        for count in sorted(length for length in lengths if 0 <= length <= _LONGEST_LIST):
            while len(pools) < count:
                pools.append(self._items(shape, near, len(pools), depth))
            if any(not pool for pool in pools[:count]):
                return
            plain = [pool[0] for pool in pools[:count]]
            yield plain
            yield [pool[i % len(pool)] for i, pool in enumerate(pools[:count])]  # each another one, if there are enough
            for i in range(min(count, 3)):
                for value in pools[i][1:]:
                    yield [*plain[:i], value, *plain[i + 1 :]]

    def _items(self, shape: Shape, near: list[Shape], index: int, depth: int) -> tuple[Json, ...]:
        """Values for one item; beyond the prefixes all are alike."""
        index = min(index, max(prefix_length(one) for one in near))
        position = item(shape, index)
        if position is None:
            return ()
        other = next((found for one in near[1:] if (found := item(one, index))), ())
        return self.accepted(position, other, depth + 1)

    def objects(self, shape: Shape, near: list[Shape], depth: int) -> Iterator[dict[str, Json]]:
        """Objects of a shape: with what they need, with one more, with all there is."""
        pools = self._pools(shape, near, depth)
        needed = [name for name in required(shape) if name in pools]
        if len(needed) < len(required(shape)):
            return
        plain = {name: pools[name][0] for name in needed}
        yield plain
        more = [name for name in pools if name not in plain]
        for name in more:
            yield {**plain, name: pools[name][0]}
        full = {name: pool[0] for name, pool in pools.items()}
        yield {name: value for name, value in full.items() if name in declared(shape) or name in plain}
        yield full
        for name in more:
            yield {other: value for other, value in full.items() if other != name}
        for count in sorted(_around(near, ("minProperties", "maxProperties"))):
            if len(plain) < count <= len(plain) + 50:
                yield _grown(plain, pools, more, shape, count)
        for name, pool in pools.items():
            for value in pool[1:]:
                yield {**plain, name: value}

    def _pools(self, shape: Shape, near: list[Shape], depth: int) -> dict[str, tuple[Json, ...]]:
        """Values for each property that there could be."""
        names = [name for one in near for name in (*required(one), *declared(one))]
        names += [text for one in near for source in patterns(one) for text in examples(source)[:3]]
        names += [name for node in _speaking(near) for name in _named(node)]
        pools: dict[str, tuple[Json, ...]] = {}
        for name in dict.fromkeys([*names, fresh_name(*near)]):
            position = property_at(shape, name)
            if position is not None:
                other = next((found for one in near[1:] if (found := property_at(one, name))), ())
                pool = self.accepted(position, other, depth + 1)
                if pool:
                    pools[name] = pool
        return pools


def _grown(plain: dict[str, Json], pools: dict[str, Any], more: list[str], shape: Shape, count: int) -> dict[str, Json]:
    """An object with so many properties, as far as there are names for them."""
    grown = dict(plain)
    spare = (f"extra{i}" for i in range(2, count + 3) if property_at(shape, f"extra{i}") == ())
    for name in (*more, *spare):
        if len(grown) < count:
            grown[name] = pools[name][0] if name in pools else 0
    return grown


def _told(nodes: tuple[Node, ...]) -> Iterator[Json]:
    """Values that the schemas name themselves."""
    for node in nodes:
        if "default" in node.keywords:
            yield node.keywords["default"]
        for below in _in_place(node, 4):
            yield from below.enum or ()  # type: ignore[misc]
        listed = node.keywords.get("examples")
        yield from listed if isinstance(listed, list) else ()


def _speaking(shapes: list[Shape]) -> list[Node]:
    """The nodes that shapes are made of, those of their conditions among them, the last shape's first."""
    found: dict[Node, None] = {}
    for shape in reversed(shapes):
        found.update(dict.fromkeys(shape.sources))
    for node in list(found):
        found.update(dict.fromkeys(_in_place(node, 4)))
    return list(found)


def _in_place(node: Node, depth: int) -> Iterator[Node]:
    for below in node.in_place():
        yield below
        if depth:
            yield from _in_place(below, depth - 1)


def _named(node: Node) -> Iterator[str]:
    """Names that conditions speak of."""
    for name, others in node.dependent_required.items():
        yield from (name, *others)
    yield from node.dependent
    for below in node.in_place():
        yield from below.properties
        yield from below.required


def _around(shapes: list[Shape], keywords: tuple[str, ...]) -> set[int]:
    """The numbers next to what some keywords say."""
    said = (
        int(node.keywords[word]) for one in shapes for node in one.sources for word in keywords if word in node.keywords
    )
    return {near for value in said for near in (value - 1, value, value + 1)}


def _numbers(near: list[Shape]) -> Iterator[Json]:
    bounds = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    nodes = _speaking(near)
    said = [node.keywords[word] for node in nodes for word in bounds if word in node.keywords]
    divisors = [node.keywords["multipleOf"] for node in nodes if "multipleOf" in node.keywords]
    listed = [value for shape in near for value in shape.values or ()]
    yield from (0, 1, -1, 2)
    for value in said:
        yield from (value, value + 1, value - 1, value + 0.5, value - 0.5)
        yield from (int(value // 1), int(value // 1) + 1)
        for divisor in divisors:
            yield from (divisor * (value // divisor + step) for step in (0, 1, 2, -1))
    for divisor in divisors:
        yield from (divisor * factor for factor in (1, 2, 3, 5, -1))
    yield from (0.5, 1.5, 0.1, 1e10, -1e10, 7)
    yield from (value for value in listed if isinstance(value, int | float))


def _texts(near: list[Shape]) -> Iterator[Json]:
    nodes = _speaking(near)
    found = [node.keywords["pattern"] for node in nodes if "pattern" in node.keywords]
    formats = [node.keywords[word] for node in nodes for word in ("format", "contentEncoding") if word in node.keywords]
    lengths = sorted(length for length in _around(near, ("minLength", "maxLength")) if 0 <= length <= _LONGEST_TEXT)
    yield from _WORDS[:3]
    for pattern in found:
        yield from examples(pattern)[:30]
    for name in formats:
        yield from of_format(name)
    for length in lengths:
        yield "a" * length
    for pattern in found:
        base = example(pattern)
        for length in lengths:
            if base:  # a longer text of the same characters often matches too
                yield (base + base[-1] * length)[:length]
                yield (base[0] * length + base)[-length:] if length else ""
    yield from _WORDS[3:]
