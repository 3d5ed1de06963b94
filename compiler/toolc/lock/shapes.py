"""How the parts of a lock are merged: the fields that there are, in their order, and what kind of value each holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from toolc.lock.write import NAMED_SCHEMAS, SINGLE_SCHEMAS


@dataclass(frozen=True, slots=True)
class Whole:
    """A value that is one version or the other."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a text."""


@dataclass(frozen=True, slots=True)
class Names:
    """A list of names, each there or not; sorted, or in an order that means something."""

    ordered: bool = False
    marked: bool = False  # a `?` after a name is a fact about it


@dataclass(frozen=True, slots=True)
class Named:
    """An object keyed by names that users chose: two versions may each have added some."""

    each: Shape
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of objects that each have a `name`; its order means something."""

    each: Shape


@dataclass(frozen=True, slots=True)
class Fields:
    """An object of known keys, in this order. Where `alike` differs, the rest of two versions does not mix."""

    fields: Mapping[str, Shape] = field(hash=False)
    alike: str | None = None


@dataclass(frozen=True, slots=True)
class Keywords:
    """A JSON Schema, its keywords in the order in which they were written."""


Shape: TypeAlias = Whole | Lines | Names | Named | Rows | Fields | Keywords

WHOLE = Whole()
NAMES = Names()

_EXECUTION = Fields(
    {
        "kind": WHOLE,
        "module": WHOLE,
        "function": WHOLE,
        "async": WHOLE,
        "mode": WHOLE,
        "arguments": Named(WHOLE),
        "conversions": Named(WHOLE),
        "argv": WHOLE,
        "env_policy": WHOLE,
        "env": Names(marked=True),
        "timeout_s": WHOLE,
        "background": WHOLE,
        "environment": WHOLE,
    },
    alike="kind",
)
_TOOL = Fields(
    {
        "description": Lines(),
        "input_schema": Keywords(),
        "output_schema": Keywords(),
        "annotations": Named(WHOLE),
        "permission": WHOLE,
        "execution": _EXECUTION,
        "origin": WHOLE,  # a path means something only in its layer
        "sources": NAMES,
    }
)
LOCK = Fields(
    {
        "lock_version": WHOLE,
        "requires": NAMES,
        "toolset": WHOLE,
        "version": WHOLE,
        "host": WHOLE,
        "layers": Rows(WHOLE),
        "builtins": Fields({"policy": WHOLE, "overridden": NAMES, "removed": NAMES}),
        "subsets": Named(NAMES),
        "tools": Named(_TOOL),
        "hidden": Named(WHOLE),
        "python": Named(Fields({"requires_python": WHOLE, "requirements": WHOLE, "packages": Named(WHOLE)})),
        "files": Named(WHOLE),
    }
)


def keyword_shape(keyword: str) -> Shape:
    """How the value of a keyword of JSON Schema is merged."""
    if keyword in NAMED_SCHEMAS:
        return Named(Keywords(), ordered=keyword != "$defs")
    if keyword in SINGLE_SCHEMAS:
        return Keywords()
    return Names(ordered=True) if keyword == "required" else WHOLE
