"""Find what a reference in a schema leads to: a reference and where it stands go in, a place in the schema comes out.

Only places of the schema itself are found: nothing is fetched. A resource is the schema, or a subschema with an `$id`.
"""

from __future__ import annotations

from .problems import SchemaError, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .problems import Path

# Keywords that hold a schema, a list of schemas, and schemas by name.
ONE = (
    "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
    "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems")
MAPPED = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")


class References:
    """The places of one schema."""

    def __init__(self, schema: object) -> None:
        self.schema = schema
        self._index: _Index | None = None

    @property
    def index(self) -> _Index:
        """Gathered when a reference first needs it: `#/$defs/NAME` needs none."""
        if self._index is None:
            self._index = _Index(self.schema)
        return self._index

    def find(self, reference: str, pointer: Path, base: Path) -> tuple[object, Path, Path]:
        """The subschema that the `$ref` at `pointer` in the resource `base` leads to, its place, and its resource."""
        uri, _, fragment = reference.partition("#")
        resource: Path | None = base
        if uri:
            resource = self.index.resources.get(_joined(self.index.uris[base], uri))
        if resource is None:
            raise SchemaError(pointer, f"refers to {option(reference)}, which is outside this schema")
        if fragment and not fragment.startswith("/"):
            place = self.index.anchors.get((self.index.uris[resource], fragment))
        else:
            place, resource = self._walk(fragment, resource)
        if place is None:
            raise SchemaError(pointer, f"refers to {option(reference)}, which is not in this schema")
        return self._at(place), place, resource

    def _at(self, pointer: Path) -> Any:
        value: Any = self.schema
        for token in pointer:
            value = value[token]
        return value

    def _walk(self, fragment: str, base: Path) -> tuple[Path | None, Path]:
        """The place that a JSON pointer leads to, None where there is nothing, and the resource it is part of."""
        if "%" in fragment:
            from urllib.parse import unquote

            fragment = unquote(fragment)
        value = self._at(base)
        pointer = base
        for text in fragment.split("/")[1:]:
            token: str | int = text.replace("~1", "/").replace("~0", "~")
            if isinstance(value, list) and text.isascii() and text.isdigit() and len(text) < 6:
                token = int(text)
            found = token in value if isinstance(value, dict) else isinstance(token, int) and token < len(value)
            if not found:
                return None, base
            value = value[token]
            pointer = (*pointer, token)
            # An `$id` in a place that is no subschema (an enum, an example) starts no resource.
            if isinstance(value, dict) and "$id" in value and pointer in self.index.uris:
                base = pointer
        return pointer, base


class _Index:
    """Where the resources and the anchors of a schema are. A schema without an `$id` has the empty URI."""

    def __init__(self, schema: object) -> None:
        self.uris: dict[Path, str] = {(): ""}  # of the resource that starts at a place
        self.resources: dict[str, Path] = {"": ()}
        self.anchors: dict[tuple[str, str], Path] = {}
        self._gather(schema, (), "")

    def _gather(self, schema: object, pointer: Path, uri: str) -> None:
        if not isinstance(schema, dict):
            return
        if isinstance(identifier := schema.get("$id"), str):
            uri = _joined(uri, identifier.rstrip("#"))
            self.uris[pointer] = uri
            self.resources[uri] = pointer
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(anchor := schema.get(keyword), str):
                self.anchors[uri, anchor] = pointer
        for keyword, value in schema.items():
            if keyword in ONE:
                self._gather(value, (*pointer, keyword), uri)
            elif keyword in SEVERAL and isinstance(value, list):
                for i, below in enumerate(value):
                    self._gather(below, (*pointer, keyword, i), uri)
            elif keyword in MAPPED and isinstance(value, dict):
                for name, below in value.items():
                    self._gather(below, (*pointer, keyword, name), uri)


def _joined(base: str, uri: str) -> str:
    from urllib.parse import urljoin

    try:
        return urljoin(base, uri)
    except ValueError:  # what is no URI leads nowhere
        return uri
