"""The values of a lock, each with its place: typed readers for data that anyone may have written.

JSON goes in; out comes what was asked for, or a `LockError` that says where the lock is another way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn, TypeVar

from toolc import jsontext
from toolc.lock.errors import LockShape, LockUnknownFact, LockUnsafeName
from toolc.model import Json
from toolc.names import path_problem

T = TypeVar("T")
Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file being read, and what was passed over in it."""

    path: str
    document: jsontext.Document
    foreign: list[str] = field(default_factory=list)  # JSON pointers of unknown keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value of the lock and where it stands. A reader returns what it was asked for, or raises with the place."""

    source: Source
    pointer: tuple[str | int, ...]
    value: Json

    def fields(self, required: Collection[str], optional: Collection[str] = (), *, closed: bool = False) -> Fields:
        """The keys of an object. Unknown ones are remembered, or refused where the object is closed."""
        names = self.members()
        for name in required:
            if name not in names:
                self.refuse(f"lacks `{name}`")
        known = {*required, *optional}
        for name in sorted(names.keys() - known):
            if closed:
                raise LockUnknownFact(self.source.path, where=self.where, key=name)
            self.source.foreign.append(pointer((*self.pointer, name)))
        return Fields(names)

    def members(self) -> dict[str, Node]:
        """The members of an object, whatever their names."""
        if not isinstance(self.value, dict):
            self.refuse("is not an object")
        return {key: self._member(key, value) for key, value in self.value.items()}

    def items(self) -> tuple[Node, ...]:
        """The items of a list."""
        if not isinstance(self.value, list):
            self.refuse("is not a list")
        return tuple(self._member(index, value) for index, value in enumerate(self.value))

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            self.refuse("is not a string")
        return self.value

    def texts(self) -> tuple[str, ...]:
        """A list of strings."""
        return tuple(item.text() for item in self.items())

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.refuse("is neither true nor false")
        return self.value

    def whole(self) -> int:
        """An integer."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.refuse("is not a whole number")
        return self.value

    def seconds(self) -> float:
        """A length of time."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool) or self.value <= 0:
            self.refuse("is not a number of seconds above 0")
        return self.value

    def word(self, words: type[Word]) -> Word:
        """One of a few words."""
        text = self.text()
        if text not in list(words):
            self.refuse(f"is `{text}`, which is none of {', '.join(f'`{word}`' for word in words)}")
        return words(text)

    def matching(self, pattern: re.Pattern[str], what: str) -> str:
        """A string that is of a form."""
        text = self.text()
        if pattern.fullmatch(text) is None:
            self.unsafe(f"is `{text}`, which is not {what}")
        return text

    def path_within(self, prefix: str = "") -> str:
        """A plain path that stays below the bundle, or below a folder of it."""
        text = self.text()
        problem = path_problem(text)
        if problem is not None:
            self.unsafe(f"is the path `{text}`: {problem}")
        if not text.startswith(prefix):
            self.unsafe(f"is the path `{text}`, which is not below `{prefix}`")
        return text

    def refuse(self, why: str) -> NoReturn:
        """Say that the value is not what a lock has here."""
        line, column, _, _ = self.source.document.place(self.pointer)
        raise LockShape(self.source.path, line=line, column=column, where=self.where, why=why)

    def unsafe(self, why: str) -> NoReturn:
        """Say that the value would lead out of the bundle."""
        line, column, _, _ = self.source.document.place(self.pointer)
        raise LockUnsafeName(self.source.path, line=line, column=column, where=self.where, why=why)

    @property
    def where(self) -> str:
        """The place as a JSON pointer."""
        return pointer(self.pointer)

    def _member(self, step: str | int, value: Json) -> Node:
        return Node(source=self.source, pointer=(*self.pointer, step), value=value)


@dataclass(frozen=True, slots=True)
class Fields:
    """The known keys of an object."""

    nodes: Mapping[str, Node]

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    def get(self, name: str, read: Callable[[Node], T], default: T) -> T:
        """The value of a key that may be absent."""
        node = self.nodes.get(name)
        return default if node is None else read(node)


def pointer(steps: Iterable[str | int]) -> str:
    """The steps from the root to a value, as a JSON pointer."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
