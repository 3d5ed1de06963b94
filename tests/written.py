"""What is written at random of a tool file: a type with its spellings, and a file that grows by what its types need.

A type is written twice: as the file has it, and as its twin for pydantic has it where pydantic knows no such type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A type as a file spells it."""

    text: str
    twin: str  # the same, as pydantic takes it
    defaults: tuple[str, ...] = ()  # expressions for values of the type
    hashable: bool = False
    holds_bytes: bool = False
    is_name: bool = False  # JSON has it as a string that may be the name in an object
    constraints: str = ""  # which constraints apply to it: those of `number`, `integer`, `string` or `array`

    @property
    def is_shared(self) -> bool:
        """Whether pydantic reads it as it stands, which a type in a class has to be."""
        return self.text == self.twin


def plain(
    text: str,
    *defaults: str,
    hashable: bool = False,
    is_name: bool = False,
    holds_bytes: bool = False,
    constraints: str = "",
) -> Written:
    """A type that pydantic reads as it stands."""
    return Written(
        text=text,
        twin=text,
        defaults=defaults,
        hashable=hashable,
        is_name=is_name,
        holds_bytes=holds_bytes,
        constraints=constraints,
    )


def built(
    shape: str,
    *parts: Written,
    twin: str | None = None,
    defaults: Sequence[str] = (),
    hashable: bool = False,
    constraints: str = "",
) -> Written:
    """A type made of others, each of which has its place in the shape: `dict[{0}, {1}]`."""
    return Written(
        text=shape.format(*(part.text for part in parts)),
        twin=(twin or shape).format(*(part.twin for part in parts)),
        defaults=tuple(defaults),
        hashable=hashable,
        holds_bytes=any(part.holds_bytes for part in parts),
        constraints=constraints,
    )


STR = plain("str", "'x'", "''", "NAME", hashable=True, is_name=True, constraints="string")
INT = plain("int", "5", "-1", "LIMIT", "2 * 30", hashable=True, constraints="integer")
FLOAT = plain("float", "0.5", "1", "-2.0", "LIMIT / 4", hashable=True, constraints="number")
BOOL = plain("bool", "True", "False", hashable=True)
BYTES = plain("bytes", "b'hi'", hashable=True, holds_bytes=True)
BUILTINS = (STR, STR, INT, INT, FLOAT, BOOL, BYTES)


@dataclass(slots=True, kw_only=True)
class Writer:
    """A file as far as it is written."""

    random: Random
    imports: set[str] = field(default_factory=set)
    body: list[str] = field(default_factory=list)  # classes and names for types, in their order
    known: list[Written] = field(default_factory=list)  # what the body defines
    prefixes: dict[str, str] = field(default_factory=dict)  # module -> how this file reaches its names
    owners: dict[str, str] = field(default_factory=dict)  # imported name -> its module
    made: int = 0
    deferred: bool = False  # `from __future__ import annotations`

    def chance(self, share: float) -> bool:
        """True in that share of the cases."""
        return self.random.random() < share

    def one(self, choices: Sequence[T]) -> T:
        """One of several."""
        return self.random.choice(choices)

    def fresh(self, stem: str) -> str:
        """A name that the file does not have."""
        self.made += 1
        return f"{stem}{self.made}"

    def name(self, module: str, name: str) -> str:
        """The name of a module's, imported in the way this file does it."""
        if module == "builtins":
            return name
        if module not in self.prefixes:
            short = f"{module.replace('.', '_')}_"
            way = self.one(["", "", f"import {module}", f"import {module} as {short}"])
            self.prefixes[module] = "" if not way else f"{module}." if way == f"import {module}" else f"{short}."
            self.imports |= {way} - {""}
        if self.prefixes[module]:
            return f"{self.prefixes[module]}{name}"
        shown = f"{name}_" if self.chance(0.1) else name
        if self.owners.setdefault(shown, module) != module:
            shown = f"{module.replace('.', '_')}_{name}"
        self.imports.add(f"from {module} import {name}" + (f" as {shown}" if shown != name else ""))
        return shown

    def define(self, text: str, known: Written) -> Written:
        """Add a definition to the file; what it defines may be named again."""
        self.body.append(text)
        self.known.append(known)
        return known

    def type(self, depth: int, *, in_class: bool = False) -> Written:
        """Some type, of no more than a depth; one `in_class` is shared with pydantic."""
        raise NotImplementedError
