"""Read a schema: raw JSON Schema 2020-12 goes in, a graph of nodes comes out, with every reference followed.

What is not compiled is refused here with `SchemaError`, at its place: `$dynamicRef`, references that leave the schema
or lead nowhere or come back without taking a step into the value, metaschemas that are not JSON Schema's own (custom
vocabularies), keywords of the wrong type, regular expressions that are none, and schemas that would take too long.
Unknown keywords say nothing. A `$schema` of an older draft is read as 2020-12.
"""

from __future__ import annotations

from .checks import compile_node, key
from .nodes import TYPES, Node
from .problems import SchemaError
from .references import References

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .nodes import Keywords
    from .patterns import Pattern
    from .problems import Path

DEPTH_LIMIT = 64
SIZE_LIMIT = 10_000  # nodes, every reference written out
ENUM_LIMIT = 10_000


class Reader:
    """Reads the nodes of one schema, each once."""

    def __init__(self, schema: object, *, formats: bool) -> None:
        self.schema = schema
        self.formats = formats
        self.references = References(schema)
        self.nodes: dict[Path, Node] = {}
        self.unenforced: dict[Path, str] = {}  # patterns that are left to the model, and why

    def read(self) -> Node:
        """The node of the whole schema."""
        try:
            root = self.node(self.schema, (), (), 0)
            if any(node.recursive for node in self.nodes.values()):
                _refuse_loops(self.nodes.values())
        except RecursionError:
            raise SchemaError((), "is nested too deeply") from None
        if self.unenforced:
            _spread_leniency(self.nodes.values())
        return root

    def node(self, schema: object, pointer: Path, base: Path, depth: int) -> Node:
        """The node of the subschema at a place; `base` is the place of the resource that it is part of."""
        node = self.nodes.get(pointer)
        if node is not None:
            node.recursive = node.recursive or not node.size
            return node
        if depth > DEPTH_LIMIT:
            raise SchemaError(pointer, f"is nested more than {DEPTH_LIMIT} levels deep, references included")
        if len(self.nodes) >= SIZE_LIMIT:
            raise SchemaError((), f"has more than {SIZE_LIMIT:,} subschemas")
        if not isinstance(schema, dict | bool):
            raise SchemaError(pointer, "is not a schema: a schema is an object, `true` or `false`")
        node = self.nodes[pointer] = Node(pointer, schema if isinstance(schema, dict) else {})
        if isinstance(schema, bool):
            node.always = schema
        else:
            if pointer and "$id" in schema and pointer in self.references.index.uris:
                base = pointer
            _Keywords(self, node, base, depth).read()
        size = 1 + sum(child.size or 1 for child in node.children())
        if size > SIZE_LIMIT:
            raise SchemaError(pointer, f"has more than {SIZE_LIMIT:,} subschemas when its references are written out")
        node.valid = compile_node(node)
        node.size = size
        return node


class _Keywords:
    """Reads the keywords of one subschema into its node."""

    def __init__(self, reader: Reader, node: Node, base: Path, depth: int) -> None:
        self.reader = reader
        self.node = node
        self.base = base
        self.depth = depth

    def read(self) -> None:
        node = self.node
        for keyword, value in node.keywords.items():
            read = _READERS.get(keyword)
            if read is not None:
                read(self, keyword, value)
        if node.condition is None:
            node.then = node.otherwise = None
        if "const" in node.keywords and "enum" in node.keywords:
            constant = key(node.keywords["const"])
            node.enum = [member for member in node.keywords["enum"] if key(member) == constant][:1]

    def refusal(self, message: str, *tokens: str) -> SchemaError:
        return SchemaError((*self.node.pointer, *tokens), message)

    # ------------------------------------------------------------------------------------------------- subschemas

    def below(self, schema: object, *tokens: str | int) -> Node:
        return self.reader.node(schema, (*self.node.pointer, *tokens), self.base, self.depth + 1)

    def one(self, keyword: str, value: object) -> None:
        if keyword == "items" and isinstance(value, list):
            raise self.refusal("is a list: 2020-12 writes `prefixItems` for it", keyword)
        setattr(self.node, _ONE[keyword], self.below(value, keyword))

    def several(self, keyword: str, value: object) -> None:
        if not isinstance(value, list) or not value:
            raise self.refusal("is not a list of schemas", keyword)
        setattr(self.node, _SEVERAL[keyword], tuple(self.below(schema, keyword, i) for i, schema in enumerate(value)))

    def named(self, keyword: str, value: object) -> None:
        schemas = self.mapping(keyword, value).items()
        setattr(self.node, _NAMED[keyword], {name: self.below(schema, keyword, name) for name, schema in schemas})

    def pattern_properties(self, keyword: str, value: object) -> None:
        pairs = []
        for source, schema in self.mapping(keyword, value).items():
            node = self.below(schema, keyword, source)
            pattern = self.compiled(source, keyword, source)
            if pattern is None:
                self.node.unmatched = True
            else:
                pairs.append((pattern, node))
        self.node.patterns = pairs

    def reference(self, keyword: str, value: object) -> None:
        pointer = (*self.node.pointer, keyword)
        schema, place, base = self.reader.references.find(self.text(keyword, value), pointer, self.base)
        self.node.target = self.reader.node(schema, place, base, self.depth + 1)

    # ------------------------------------------------------------------------------------------------- assertions

    def mapping(self, keyword: str, value: object) -> Keywords:
        if not isinstance(value, dict):
            raise self.refusal("is not an object", keyword)
        return value

    def strings(self, keyword: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.refusal("is not a list of strings", keyword)
        return tuple(dict.fromkeys(value))

    def text(self, keyword: str, value: object) -> str:
        if not isinstance(value, str):
            raise self.refusal("is not a string", keyword)
        return value

    def typed(self, keyword: str, value: object) -> None:
        types = self.strings(keyword, [value] if isinstance(value, str) else value)
        if not types or not set(types) <= set(TYPES):
            raise self.refusal(f"is none of the types, which are {', '.join(TYPES)}", keyword)
        self.node.types = types

    def enumerated(self, keyword: str, value: object) -> None:
        if not isinstance(value, list):
            raise self.refusal("is not a list", keyword)
        if len(value) > ENUM_LIMIT:
            raise self.refusal(f"has more than {ENUM_LIMIT:,} members", keyword)
        self.node.enum = value

    def constant(self, _: str, value: object) -> None:
        self.node.enum = [value]

    def requires(self, keyword: str, value: object) -> None:
        self.node.required = self.strings(keyword, value)

    def requires_with(self, keyword: str, value: object) -> None:
        named = self.mapping(keyword, value).items()
        self.node.dependent_required = {name: self.strings(keyword, required) for name, required in named}

    def count(self, keyword: str, value: Any) -> None:
        if not _is_number(value) or value < 0 or value != value // 1:
            raise self.refusal("is not a whole number from 0 up", keyword)

    def number(self, keyword: str, value: Any) -> None:
        if not _is_number(value) or (keyword == "multipleOf" and value <= 0):
            raise self.refusal("is not a number, or not one above 0", keyword)

    def flag(self, keyword: str, value: object) -> None:
        if not isinstance(value, bool):
            raise self.refusal("is not `true` or `false`", keyword)

    def matching(self, keyword: str, value: object) -> None:
        self.node.pattern = self.compiled(self.text(keyword, value), keyword)

    def formatted(self, keyword: str, value: object) -> None:
        name = self.text(keyword, value)
        if self.reader.formats:
            from .formats import FORMATS

            self.node.format = FORMATS.get(name, self.node.format)

    def compiled(self, source: str, *tokens: str) -> Pattern | None:
        """The pattern; None, and noted, where it is not enforced."""
        from .patterns import PatternError, UnenforceableError, compile_pattern

        try:
            return compile_pattern(source)
        except PatternError as error:
            raise self.refusal(f"is no regular expression: it {error}", *tokens) from None
        except UnenforceableError as error:
            self.reader.unenforced[(*self.node.pointer, *tokens)] = str(error)
            self.node.lenient = True
            return None

    # ------------------------------------------------------------------------------------------------------- core

    def dynamic(self, keyword: str, _: object) -> None:
        raise self.refusal("is not supported: write `$ref` in its place", keyword)

    def definitions(self, keyword: str, value: object) -> None:
        # They are read where something refers to them.
        for name, schema in self.mapping(keyword, value).items():
            if not isinstance(schema, dict | bool):
                raise self.refusal("is not a schema", keyword, name)

    def dialect(self, keyword: str, value: object) -> None:
        if self.text(keyword, value).partition("://")[2].partition("/")[0] != "json-schema.org":
            raise self.refusal("names a metaschema that is not JSON Schema's own", keyword)

    def identifier(self, keyword: str, value: object) -> None:
        if "#" in self.text(keyword, value).removesuffix("#"):
            raise self.refusal("is not a URI without a fragment", keyword)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0
    )  # not NaN, not infinite


# Keywords that hold a schema, a list of schemas, or schemas by name, and the attribute of the node that they fill.
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
_NAMED = {"properties": "properties", "dependentSchemas": "dependent"}
_COUNTS = (
    "minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties",
)  # fmt: skip
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")

_READERS: dict[str, Callable[[_Keywords, str, Any], object]] = {
    **dict.fromkeys(_ONE, _Keywords.one),
    **dict.fromkeys(_SEVERAL, _Keywords.several),
    **dict.fromkeys(_NAMED, _Keywords.named),
    **dict.fromkeys(_COUNTS, _Keywords.count),
    **dict.fromkeys(_BOUNDS, _Keywords.number),
    **dict.fromkeys(("$anchor", "$dynamicAnchor"), _Keywords.text),
    **dict.fromkeys(("contentEncoding", "format"), _Keywords.formatted),
    **dict.fromkeys(("$defs", "definitions"), _Keywords.definitions),
    "$dynamicRef": _Keywords.dynamic,
    "$id": _Keywords.identifier,
    "$ref": _Keywords.reference,
    "$schema": _Keywords.dialect,
    "const": _Keywords.constant,
    "dependentRequired": _Keywords.requires_with,
    "enum": _Keywords.enumerated,
    "pattern": _Keywords.matching,
    "patternProperties": _Keywords.pattern_properties,
    "required": _Keywords.requires,
    "type": _Keywords.typed,
    "uniqueItems": _Keywords.flag,
}


def _refuse_loops(nodes: Iterable[Node]) -> None:
    """Refuse references that come back to where they started without a step into the value."""
    done: set[Node] = set()

    def visit(node: Node, above: set[Node]) -> None:
        if node in above:
            raise SchemaError(node.pointer, "refers back to itself without taking a step into the value")
        if node not in done:
            for below in node.in_place():
                visit(below, {*above, node})
            done.add(node)

    for node in nodes:
        visit(node, set())


def _spread_leniency(nodes: Iterable[Node]) -> None:
    """Mark what refers to something lenient, round recursive references too, until nothing changes."""
    spreading = True
    while spreading:
        spreading = False
        for node in nodes:
            if not node.lenient and any(child.lenient for child in node.children()):
                node.lenient = spreading = True
