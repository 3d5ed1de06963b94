"""JSON Schema 2020-12, compiled: a schema goes in, a `Check` comes out that finds what is wrong with a value.

Formats and `contentEncoding` are annotations, as 2020-12 has them, unless `formats` asks for those of `formats.py`.
Regular expressions that could run away are not enforced (`unenforced` names them), nor is anything concluded from them.
"""

from __future__ import annotations

from .problems import SchemaError, fragment
from .reader import Reader
from .result import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from .nodes import Memo, Node
    from .problems import Path

__all__ = ["Check", "Problem", "SchemaError", "compile_schema", "unenforced"]


class Check:
    """A compiled schema: called with a value, it answers with the problems, none for a value that satisfies it."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    def __call__(self, value: object) -> list[Problem]:
        memo: Memo = {}
        try:
            if self.node.valid(value, memo):
                return []
            from .explain import explain

            return explain(self.node, value, memo)
        except RecursionError:
            return [Problem((), "is nested too deeply to be checked")]


def compile_schema(schema: object, *, formats: bool = False, by_place: Collection[str] = ()) -> Check:
    """Compile a schema; raises `SchemaError` for what is not compiled.

    `by_place` are JSON pointers to objects that a repair may also read from arrays, in the order of their properties.
    """
    reader = Reader(schema, formats=formats)
    root = reader.read()
    if by_place:
        for place, node in reader.nodes.items():
            node.by_place = fragment(place)[1:] in by_place
    return Check(root)


def unenforced(schema: object) -> list[tuple[Path, str]]:
    """The places of the regular expressions that are left to the model, and why; raises `SchemaError`."""
    reader = Reader(schema, formats=False)
    reader.read()
    return sorted(reader.unenforced.items(), key=lambda found: [str(token) for token in found[0]])
