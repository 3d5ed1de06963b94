"""TOML with places: a text goes in, its values and the place of every key and value come out.

`tomllib` reads the values and says whether the text is TOML at all, but not where a value stands. So a scan of our own
notes the places. It comes first, because it also refuses nesting that would cost `tomllib` memory without bound, and
it takes more than TOML: where it stops, `tomllib` stops too, and says why.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Pointer: TypeAlias = tuple[str | int, ...]
Place: TypeAlias = tuple[int, int, int, int]  # line, column, end line, end column; from 1, the end exclusive

WHOLE_FILE: Place = (0, 0, 0, 0)

_DEPTH = 64  # of keys and values
_WORD_LENGTH = 1000  # of a number, a date, or `true`; Python does not convert much longer numbers

# Where `tomllib` says a mistake is: "... (at line 3, column 5)".
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_REASONS = {
    "Illegal character '\\n'": "the string has no end on this line",
    "Unterminated string": "the string has no end",
    "Invalid value": "this is not a value",
    "Invalid statement": "this is neither a key nor a table",
    "Invalid initial character for a key part": "here should be a key",
    "Invalid date or datetime": "there is no such date",
}

_BETWEEN = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# Up to two quotes may stand right before the three that end a multi-line string.
_STRING = re.compile(
    r"""
    \"{3} (?: [^\\] | \\. )*? \"{3} \"{0,2}
    | '{3} .*? '{3} '{0,2}
    | \" (?: [^"\\\n] | \\. )* \"
    | ' [^'\n]* '
    """,
    re.DOTALL | re.VERBOSE,
)
_OTHER_VALUE = re.compile(r"[^\s,\]}#]+(?:[ \t]+[^\s,\]}#]+)*")  # a date may hold a space


class TomlError(Exception):
    """The text is not TOML; `message` says why, in the words of the user."""

    def __init__(self, message: str, place: Place) -> None:
        self.message = message
        self.place = place
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a TOML text says, and where."""

    value: dict[str, Any]
    keys: Mapping[Pointer, Place]
    values: Mapping[Pointer, Place]

    def place(self, pointer: Pointer, *, key: bool = False) -> Place:
        """Where the value, or with `key` its key, stands; of what is not in the text, the table it would be in."""
        first, second = (self.keys, self.values) if key else (self.values, self.keys)
        for length in range(len(pointer), 0, -1):
            found = first.get(pointer[:length]) or second.get(pointer[:length])
            if found is not None:
                return found
        return WHOLE_FILE


def parse(text: str) -> Document:
    """Read a TOML text whose lines end in `\\n`. Raises `TomlError`."""
    scan = _Scan(text)
    scan.document()
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _located(str(error), text, scan) from None
    return Document(value=value, keys=scan.keys, values=scan.values)


def _located(message: str, text: str, scan: _Scan) -> TomlError:
    """The mistake that `tomllib` found, its place taken out of the message."""
    at = _AT.search(message)
    reason = message[: at.start()] if at else message
    reason = _REASONS.get(reason, reason[:1].lower() + reason[1:])
    if text.startswith("\ufeff"):
        return TomlError("the file begins with a byte order mark", (1, 1, 1, 2))
    if scan.repeated is not None and reason.startswith("cannot "):
        key, place = scan.repeated
        return TomlError(f"`{key}` is here a second time", place)
    if at is None:
        return TomlError(reason, WHOLE_FILE)
    if at[1] is None:
        last = text.rstrip("\n").split("\n")
        line, column = len(last), max(1, len(last[-1]))
    else:
        line, column = int(at[1]), int(at[2])
    return TomlError(reason, (line, column, line, column + 1))


class _NotToml(Exception):
    """The scan cannot go on."""


class _Scan:
    """One pass over a text.

    `keys` and `values` have the first place of each pointer, `repeated` is the first key that stands twice.
    """

    def __init__(self, text: str) -> None:
        self.keys: dict[Pointer, Place] = {}
        self.values: dict[Pointer, Place] = {}
        self.repeated: tuple[str | int, Place] | None = None
        self._text = text
        self._at = 0
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._lengths: dict[Pointer, int] = {}  # of arrays of tables, so far

    def document(self) -> None:
        """Note the places of the text, as far as it is TOML."""
        table: Pointer = ()
        try:
            self._skip(_BETWEEN)
            while self._at < len(self._text):
                if self._next() == "[":
                    table = self._header()
                else:
                    self._key_and_value(table)
                self._skip(_BETWEEN)
        except _NotToml:
            return

    def _header(self) -> Pointer:
        """Read `[a.b]` or `[[a.b]]`; the pointer of the table it opens."""
        start = self._at
        is_array = self._text.startswith("[[", start)
        self._at += 2 if is_array else 1
        pointer: Pointer = ()
        place = WHOLE_FILE
        for part, place in self._dotted_key():
            pointer = (*self._latest(pointer), part)
            self.keys.setdefault(pointer, place)
        if is_array:
            self._lengths[pointer] = self._lengths.get(pointer, 0) + 1
            pointer = self._latest(pointer)
            self.keys.setdefault(pointer, place)
            self._take("]")
        self._take("]")
        self._note(pointer, start, place)
        return pointer

    def _latest(self, pointer: Pointer) -> Pointer:
        """The pointer itself, or the latest table where it is an array of tables."""
        return (*pointer, self._lengths[pointer] - 1) if pointer in self._lengths else pointer

    def _key_and_value(self, table: Pointer) -> None:
        pointer = table
        place = WHOLE_FILE
        for part, place in self._dotted_key():
            pointer = (*pointer, part)
            self.keys.setdefault(pointer, place)
        self._take("=")
        self._skip(_BLANK)
        self._value(pointer, place)

    def _dotted_key(self) -> list[tuple[str, Place]]:
        """Read a key; its parts, and where each stands."""
        parts: list[tuple[str, Place]] = []
        while True:
            self._skip(_BLANK)
            start = self._at
            part = self._skip(_BARE_KEY) or self._skip(_STRING)
            if not part:
                raise _NotToml
            parts.append((_unquoted(part), self._place(start)))
            self._check_depth(len(parts))
            self._skip(_BLANK)
            if self._next() != ".":
                return parts
            self._at += 1

    def _value(self, pointer: Pointer, key: Place) -> None:
        start = self._at
        self._check_depth(len(pointer))
        match self._next():
            case "[":
                self._members("]", pointer)
            case "{":
                self._members("}", pointer)
            case '"' | "'":
                self._skip(_STRING)
            case _:
                word = self._skip(_OTHER_VALUE)
                if len(word) > _WORD_LENGTH:
                    raise TomlError("this number has too many digits", self._place(start))
        if self._at == start:
            raise _NotToml
        self._note(pointer, start, key)

    def _members(self, end: str, pointer: Pointer) -> None:
        """Read an array or an inline table up to its `end`."""
        self._at += 1
        index = 0
        self._skip(_BETWEEN)
        while self._next() != end:
            if end == "]":
                self._value((*pointer, index), self._place(self._at))
                index += 1
            else:
                self._key_and_value(pointer)
            self._skip(_BETWEEN)
            if self._next() != end:
                self._take(",")
                self._skip(_BETWEEN)
        self._at += 1

    def _note(self, pointer: Pointer, start: int, key: Place) -> None:
        """Note that the value of `pointer` stands from `start` to here."""
        if pointer in self.values:
            self.repeated = self.repeated or (pointer[-1], key)
        else:
            self.values[pointer] = self._place(start)

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self, character: str) -> None:
        if self._next() != character:
            raise _NotToml
        self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match[0]

    def _check_depth(self, depth: int) -> None:
        if depth > _DEPTH:
            raise TomlError(f"this is nested more than {_DEPTH} deep", self._place(self._at, self._at + 1))

    def _place(self, start: int, end: int | None = None) -> Place:
        return (*self._position(start), *self._position(self._at if end is None else end))

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1


def _unquoted(key: str) -> str:
    if key[0] not in "\"'":
        return key
    try:
        value = tomllib.loads(f"key = {key}")["key"]
    except tomllib.TOMLDecodeError:
        raise _NotToml from None
    assert isinstance(value, str), "a quoted key is a string"
    return value
