"""Read where in a schema there is something to convert: a schema and the lock's `conversions` go in, steps come out.

A step is a subschema with the steps below it, references followed: a graph, since a schema may refer to itself.
"""

from __future__ import annotations

from .standard import STANDARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    from .finder import Layer

    Make: TypeAlias = "Callable[[Any], object]"

_CLASS = "class:"
_TYPES: dict[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number", "integer"),
    list: ("array",),
    dict: ("object",),
    type(None): ("null",),
}


class Step:
    """A subschema: what is made of its value, and the steps below it."""

    __slots__ = (
        "_accepts",
        "_class",
        "_document",
        "_kind",
        "_layer",
        "_make",
        "_reads_bytes",
        "additional",
        "branches",
        "bytes_below",
        "items",
        "live",
        "names",
        "prefix",
        "properties",
        "schema",
        "target",
    )

    def __init__(self, layer: Layer, document: Mapping[str, Any], schema: Mapping[str, Any], kind: str | None) -> None:
        self._layer = layer
        self._document = document  # that the subschema is a part of
        self.schema = schema
        self._kind = kind
        self.live = kind is not None  # there is something to convert, here or below
        self.bytes_below = kind == "bytes"  # there are bytes, here or below
        self.properties: dict[str, Step] = {}
        self.prefix: list[Step] = []
        self.branches: list[Step] = []
        self.additional: Step | None = None
        self.items: Step | None = None
        self.names: Step | None = None
        self.target: Step | None = None
        self._accepts: Callable[[object], bool] | None = None
        self._class: object = None
        self._make: Make | None = None
        self._reads_bytes: tuple[str | None] | None = None

    def below(self) -> Iterator[Step]:
        """The steps one below, in no order that matters."""
        yield from self.properties.values()
        yield from self.prefix
        yield from self.branches
        for step in (self.additional, self.items, self.names, self.target):
            if step is not None:
                yield step

    @property
    def is_bytes(self) -> bool:
        """Whether the value is text that stands for bytes."""
        return self._kind == "bytes"

    @property
    def reads_bytes(self) -> str | None:
        """How the model that is made here, which validates all that is below by itself, reads bytes; None for none."""
        if self._reads_bytes is None:
            self._reads_bytes = (None,)
            if self._kind is not None and self._kind.startswith(_CLASS):
                from .classes import reads_bytes

                self._reads_bytes = (reads_bytes(self._loaded()),)
        return self._reads_bytes[0]

    def make(self) -> Make | None:
        """What makes the value, the children of which are made."""
        if self._make is None and self._kind is not None:
            if self._kind.startswith(_CLASS):
                from .classes import maker

                names = None if self.schema.get("additionalProperties") else [*self.properties]
                self._make = maker(self._loaded(), names)
            else:
                self._make = STANDARD[self._kind]
        return self._make

    def _loaded(self) -> object:
        if self._class is None:
            from .classes import load_class

            assert self._kind is not None, "only a class is loaded"
            self._class = load_class(self._layer, self._kind[len(_CLASS) :])
        return self._class

    def accepts(self, value: object) -> bool:
        """Whether a value is as the subschema says. Asked only where branches cannot be told apart by type."""
        if self._accepts is None:
            from .schema import compile_schema

            # The branch alone, in the company of what it may refer to.
            check = compile_schema({**self.schema, "$defs": self._document.get("$defs", {})}, formats=True)
            self._accepts = lambda value: not check(value)
        return self._accepts(value)

    @property
    def is_null(self) -> bool:
        """Whether this is null alone, of which nothing is made."""
        return self.schema == {"type": "null"} and not self.live

    def may_be(self, value: object) -> bool:
        """Whether a value has a type that the subschema allows, as far as that is plain to see."""
        step = self
        while step.target is not None and "type" not in step.schema:
            step = step.target
        wanted = step.schema.get("type")
        if wanted is None:
            return True
        named = (wanted,) if isinstance(wanted, str) else wanted
        return any(name in named for name in _TYPES.get(type(value), ()))


def read(layer: Layer, schema: Mapping[str, Any], conversions: Mapping[str, str]) -> Step:
    """The step of a whole schema."""
    reader = _Reader(layer, schema, conversions)
    root = reader.of("", schema)
    # A step may refer back up to one that has not been told yet: again, until there is nothing new.
    news = True
    while news:
        news = False
        for step in reader.steps.values():
            live = step.live or any(below.live for below in step.below())
            bytes_below = step.bytes_below or any(below.bytes_below for below in step.below())
            news = news or (live, bytes_below) != (step.live, step.bytes_below)
            step.live, step.bytes_below = live, bytes_below
    return root


class _Reader:
    def __init__(self, layer: Layer, document: Mapping[str, Any], conversions: Mapping[str, str]) -> None:
        self.layer = layer
        self.document = document
        self.conversions = conversions
        self.steps: dict[str, Step] = {}  # by pointer: a place that is referred to twice, or by itself, is one step

    def of(self, pointer: str, schema: Mapping[str, Any]) -> Step:
        if pointer in self.steps:
            return self.steps[pointer]
        # The root's own entry is the context's: the arguments themselves stay a mapping.
        step = Step(self.layer, self.document, schema, self.conversions.get(pointer) if pointer else None)
        self.steps[pointer] = step
        for name, below in schema.get("properties", {}).items():
            if isinstance(below, dict):
                step.properties[name] = self.of(f"{pointer}/properties/{_escaped(name)}", below)
        for i, below in enumerate(schema.get("prefixItems", ())):
            step.prefix.append(self.of(f"{pointer}/prefixItems/{i}", below))
        for i, below in enumerate(schema.get("anyOf", ())):
            step.branches.append(self.of(f"{pointer}/anyOf/{i}", below))
        if isinstance(below := schema.get("additionalProperties"), dict):
            step.additional = self.of(f"{pointer}/additionalProperties", below)
        if isinstance(below := schema.get("propertyNames"), dict):
            step.names = self.of(f"{pointer}/propertyNames", below)
        if isinstance(below := schema.get("items"), dict):
            step.items = self.of(f"{pointer}/items", below)
        if isinstance(reference := schema.get("$ref"), str):
            step.target = self.referred(reference)
        return step

    def referred(self, reference: str) -> Step:
        pointer = reference.removeprefix("#")
        if "%" in pointer:
            from urllib.parse import unquote

            pointer = unquote(pointer)
        schema: Any = self.document
        for token in pointer.split("/")[1:]:
            name = token.replace("~1", "/").replace("~0", "~")
            schema = schema[int(name)] if isinstance(schema, list) else schema[name]
        return self.of(pointer, schema)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
