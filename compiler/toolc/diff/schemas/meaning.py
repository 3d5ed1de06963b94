"""Spell out what a schema means: a node goes in, JSON comes out that is equal where only the spelling differs.

References are written where they point, `const` is an `enum` of one, `type` is a sorted list, `required` a sorted set,
and what is said to people and models alone is left out. Two recursive schemas are equal where they recur alike.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from toolc_runtime.nodes import Node

# Said to people and models, and judged as text.
TEXTS = frozenset({"title", "description", "examples", "$comment"})
# Where a schema lives, which is no part of what it says.
_PLUMBING = frozenset({"$defs", "definitions", "$schema", "$id", "$anchor", "$dynamicAnchor", "$ref"})

_ONE = {
    "additionalProperties": "additional",
    "contains": "contains",
    "else": "otherwise",
    "if": "condition",
    "items": "items",
    "not": "negated",
    "propertyNames": "names",
    "then": "then",
    "unevaluatedItems": "unevaluated_items",
    "unevaluatedProperties": "unevaluated_properties",
}
_SEVERAL = {"allOf": "all_of", "anyOf": "any_of", "oneOf": "one_of", "prefixItems": "prefix"}
_ASSERTIONS = frozenset(
    {"type", "enum", "const", "required", "pattern", "format", "contentEncoding", "uniqueItems", "dependentRequired"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"}
    | {"minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties"}
    | {*_ONE, *_SEVERAL, "properties", "patternProperties", "dependentSchemas"}
)


def notes_of(node: Node) -> dict[str, Any]:
    """The keywords of a node that assert nothing: `default`, `deprecated`, and all that JSON Schema does not know."""
    return {
        keyword: value for keyword, value in node.keywords.items() if keyword not in _ASSERTIONS | TEXTS | _PLUMBING
    }


@lru_cache(maxsize=20_000)
def meaning(node: Node, *, annotated: bool = False) -> str:
    """What the node says, in one line; with the keywords that assert nothing only where they are asked for."""
    return json.dumps(_meaning(node, (), annotated), ensure_ascii=False, separators=(",", ":"))


def follow(node: Node) -> Node:
    """What a reference leads to, where its node says nothing more than a text or a place."""
    while node.target is not None and node.keywords.keys() <= TEXTS | _PLUMBING:
        node = node.target
    return node


def same(left: tuple[Node, ...], right: tuple[Node, ...]) -> bool:
    """Whether two positions are one schema in two places, with all that it says but its texts."""
    return len(left) == len(right) and all(
        meaning(one, annotated=True) == meaning(other, annotated=True) for one, other in zip(left, right, strict=True)
    )


def _meaning(node: Node, above: tuple[Node, ...], annotated: bool) -> Any:
    if node.always is not None:
        return node.always
    if node in above:
        return {"$recurs": len(above) - above.index(node)}
    inside = (*above, node)

    def below(child: Node) -> Any:
        return _meaning(child, inside, annotated)

    said: dict[str, Any] = {}
    for keyword, value in node.keywords.items():
        if keyword in _ONE:
            child = getattr(node, _ONE[keyword])
            if child is not None:  # `then` without `if` says nothing
                said[keyword] = below(child)
        elif keyword in _SEVERAL:
            said[keyword] = [below(child) for child in getattr(node, _SEVERAL[keyword])]
        elif keyword == "properties":
            said[keyword] = {name: below(child) for name, child in node.properties.items()}
        elif keyword == "dependentSchemas":
            said[keyword] = {name: below(child) for name, child in node.dependent.items()}
        elif keyword == "patternProperties":
            said[keyword] = {source: below(child) for source, child in pattern_nodes(node)}
            said.update({f"{keyword} {source}": value[source] for source in value if source not in said[keyword]})
        elif keyword in ("enum", "const"):
            said["enum"] = _number(node.enum)  # both together are what both have
        elif keyword in _ASSERTIONS or (annotated and keyword not in TEXTS | _PLUMBING):
            said[keyword] = _spelled(keyword, value)
    if not said and node.target is None:
        return True
    if node.target is not None:
        target = below(node.target)
        if not said:
            return target
        said["allOf"] = [target, *said.get("allOf", [])]
    return said


def pattern_nodes(node: Node) -> list[tuple[str, Node]]:
    """The patterns of `patternProperties` that are enforced, in the order they were written, and their nodes."""
    by_place = {below.pointer[-1]: below for _, below in node.patterns}
    return [(source, by_place[source]) for source in node.keywords.get("patternProperties", {}) if source in by_place]


def _spelled(keyword: str, value: Any) -> Any:
    if keyword == "type":
        return sorted({value} if isinstance(value, str) else set(value))
    if keyword == "required":
        return sorted(set(value))
    return _number(value)


def _number(value: Any) -> Any:
    """1.0 is 1, at any depth."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_number(item) for item in value]
    if isinstance(value, dict):
        return {name: _number(item) for name, item in value.items()}
    return value
