"""Read JSON strictly and remember where everything stood: a text goes in, its value and the place of each part out.

The standard library keeps the last of two equal keys, accepts `NaN` and lone surrogates, overflows its stack on deep
nesting and forgets every place. A file that is reviewed and locked must mean one thing, and each mistake has a place.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from toolc.model import Json
from toolc.text import escape

Pointer: TypeAlias = tuple[str | int, ...]
Place: TypeAlias = tuple[int, int, int, int]  # line, column, end line, end column

MAX_DEPTH = 64

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_STRING_BODY = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?(?![0-9.A-Za-z_+-])")
_WORD = re.compile(r"[A-Za-z0-9_$.+-]++")
_SURROGATE = re.compile("[\ud800-\udfff]")
# One character of a string's value, as it is spelled between the quotes.
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)

_LITERALS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
_FOREIGN = {"True": "true", "False": "false", "None": "null", "undefined": "null"}


class JsonError(ValueError):
    """The first place where a text is not strict JSON. The message says what is so, the hint what to write."""

    def __init__(
        self, message: str, line: int, column: int, end_line: int, end_column: int, hint: str | None = None
    ) -> None:
        self.message = message
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column
        self.hint = hint
        super().__init__(f"{line}:{column}: {message}")

    @property
    def place(self) -> Place:
        """Where it is, as `Document.place` counts."""
        return (self.line, self.column, self.end_line, self.end_column)


class _Node(NamedTuple):
    """Where a value stands in the text, and where its parts do."""

    start: int
    end: int
    key: tuple[int, int] | None = None  # of a member: where its name stands
    members: Mapping[str, _Node] | None = None
    items: tuple[_Node, ...] = ()

    def part(self, step: str | int) -> _Node | None:
        if self.members is not None and isinstance(step, str):
            return self.members.get(step)
        if isinstance(step, int) and 0 <= step < len(self.items):
            return self.items[step]
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A JSON text that was read: its value, and the place of every part of it."""

    text: str = field(repr=False)
    value: Json
    _root: _Node = field(repr=False)
    _lines: tuple[int, ...] = field(repr=False)

    def place(self, pointer: Pointer, *, key: bool = False) -> Place:
        """Where a value stands, or the name of a member; of a pointer that leads nowhere, its last part that is there.

        Lines and columns count characters from 1; the end is exclusive.
        """
        node, complete = self._find(pointer)
        start, end = node.key if key and complete and node.key else (node.start, node.end)
        return _place(self._lines, start, end)

    def character(self, pointer: Pointer, index: int, *, key: bool = False) -> Place:
        """Where the character at `index` of a string's value is spelled, escapes included."""
        node, _ = self._find(pointer)
        start, end = node.key if key and node.key else (node.start, node.end)
        spelled = _CHARACTER.finditer(self.text, start + 1, end - 1)
        for position, match in enumerate(spelled):
            if position == index:
                return _place(self._lines, match.start(), match.end())
        return _place(self._lines, start, end)

    def strings(self) -> Iterator[tuple[Pointer, bool, str]]:
        """Every string of the document in reading order: its pointer, whether it is the name of a member, its text."""
        return _strings(self.value, ())

    def _find(self, pointer: Pointer) -> tuple[_Node, bool]:
        node = self._root
        for step in pointer:
            part = node.part(step)
            if part is None:
                return node, False
            node = part
        return node, True


def parse(text: str) -> Document:
    """Read a JSON text. Raises `JsonError` at the first place that is not strict JSON."""
    return _Reader(text).document()


def _strings(value: Json, pointer: Pointer) -> Iterator[tuple[Pointer, bool, str]]:
    if isinstance(value, str):
        yield pointer, False, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, (*pointer, index))
    elif isinstance(value, dict):
        for name, member in value.items():
            yield (*pointer, name), True, name
            yield from _strings(member, (*pointer, name))


def _place(lines: tuple[int, ...], start: int, end: int) -> Place:
    line, end_line = bisect_right(lines, start), bisect_right(lines, end)
    return (line, start - lines[line - 1] + 1, end_line, end - lines[end_line - 1] + 1)


class _Reader:
    """A recursive-descent reader of one text; each method takes a position and returns a value and its node."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = (0, *(match.end() for match in re.finditer("\n", text)))

    def document(self) -> Document:
        """document = value; nothing but space around it."""
        if self._text.startswith("\ufeff"):
            raise self._error("the file begins with a byte order mark", 0, 1, "save it as UTF-8 without one")
        start = self._skip(0)
        if start == len(self._text):
            raise self._error("the file is empty", start, start)
        value, root = self._value(start, 1)
        rest = self._skip(root.end)
        if rest < len(self._text):
            raise self._unexpected(rest, "something follows the end of the value")
        return Document(self._text, value, root, self._lines)

    def _value(self, start: int, depth: int) -> tuple[Json, _Node]:
        """value = object | array | string | number | true | false | null"""
        opening = self._text[start : start + 1]
        if opening == '"':
            text, end = self._string(start)
            return text, _Node(start, end)
        if opening in ("{", "["):
            if depth > MAX_DEPTH:
                raise self._error(f"the nesting is deeper than {MAX_DEPTH} levels", start, start + 1)
            return self._object(start, depth) if opening == "{" else self._array(start, depth)
        word = _WORD.match(self._text, start)
        if word is None:
            raise self._unexpected(start, "a value is missing here")
        if word[0] in _LITERALS:
            return _LITERALS[word[0]], _Node(start, word.end())
        return self._number(start, word[0]), _Node(start, word.end())

    def _object(self, start: int, depth: int) -> tuple[Json, _Node]:
        """object = "{" [ string ":" value { "," string ":" value } ] "}" """
        values: dict[str, Json] = {}
        nodes: dict[str, _Node] = {}
        at = self._skip(start + 1)
        if self._text.startswith("}", at):
            return values, _Node(start, at + 1, members=nodes)
        while True:
            if not self._text.startswith('"', at):
                raise self._unexpected(at, "a name in double quotes is missing here", start)
            name, end = self._string(at)
            if name in nodes:
                line = _place(self._lines, *(nodes[name].key or (start, start)))[0]
                raise self._error(f"`{_cut(name)}` is there twice, first on line {line}", at, end, "keep one of them")
            colon = self._skip(end)
            if not self._text.startswith(":", colon):
                raise self._unexpected(colon, f"a `:` is missing after `{_cut(name)}`", start)
            values[name], node = self._value(self._skip(colon + 1), depth + 1)
            nodes[name] = node._replace(key=(at, end))
            at = self._skip(node.end)
            if self._text.startswith("}", at):
                return values, _Node(start, at + 1, members=nodes)
            at = self._comma(at, start, "}")

    def _array(self, start: int, depth: int) -> tuple[Json, _Node]:
        """array = "[" [ value { "," value } ] "]" """
        values: list[Json] = []
        nodes: list[_Node] = []
        at = self._skip(start + 1)
        if self._text.startswith("]", at):
            return values, _Node(start, at + 1)
        while True:
            value, node = self._value(at, depth + 1)
            values.append(value)
            nodes.append(node)
            at = self._skip(node.end)
            if self._text.startswith("]", at):
                return values, _Node(start, at + 1, items=tuple(nodes))
            at = self._comma(at, start, "]")

    def _comma(self, at: int, opened: int, closing: str) -> int:
        """The position behind a comma and the space after it."""
        if not self._text.startswith(",", at):
            raise self._unexpected(at, f"a `,` or `{closing}` is missing here", opened)
        following = self._skip(at + 1)
        if self._text.startswith(closing, following):
            raise self._error(f"a comma stands before the closing `{closing}`", at, at + 1, "remove the comma")
        return following

    def _string(self, start: int) -> tuple[str, int]:
        match = _STRING.match(self._text, start)
        if match is None:
            raise self._bad_string(start)
        raw = match[0]
        # The pattern has seen to the grammar; the standard library's decoder knows the escapes.
        text = str(json.loads(raw)) if "\\" in raw else raw[1:-1]
        if surrogate := _SURROGATE.search(text):
            message = f"`{escape(surrogate[0])}` is half of a surrogate pair, which is no character"
            raise self._error(message, start, match.end(), "write both halves, or the character itself")
        return text, match.end()

    def _number(self, start: int, word: str) -> int | float:
        end = start + len(word)
        match = _NUMBER.fullmatch(self._text, start, end)
        if match is None:
            raise self._bad_word(start, word)
        if match[1] is None and match[2] is None:
            try:
                return int(word)
            except ValueError:  # Python's own limit on digits, a guard against slow conversion
                message = f"a number has {len(word):,} digits, more than can be read"
                raise self._error(message, start, end) from None
        number = float(word)
        if number in (float("inf"), float("-inf")):
            raise self._error(f"`{_cut(word)}` is larger than a number can be", start, end)
        return number

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _error(self, message: str, start: int, end: int, hint: str | None = None) -> JsonError:
        return JsonError(message, *_place(self._lines, start, end), hint)

    def _unexpected(self, at: int, missing: str, opened: int | None = None) -> JsonError:
        """What to say of a place where something else should stand."""
        found = self._text[at : at + 1]
        if not found:
            where = "" if opened is None else f" inside what opens on line {_place(self._lines, opened, opened)[0]}"
            return self._error(f"the file ends{where}", at, at)
        if found == "#" or self._text.startswith(("//", "/*"), at):
            end = self._text.find("\n", at)
            return self._error("JSON has no comments", at, end if end >= 0 else len(self._text), "remove the comment")
        if found == "'":
            return self._error("a string stands in single quotes", at, at + 1, 'write `"`')
        word = _WORD.match(self._text, at)
        return self._error(missing, at, word.end() if word else at + 1)

    def _bad_string(self, start: int) -> JsonError:
        body = _STRING_BODY.match(self._text, start)
        stop = body.end() if body else start + 1
        char = self._text[stop : stop + 1]
        if char == "\\":
            spelled = self._text[stop : stop + 2]
            hint = "write a backslash as `\\\\`" if len(spelled) == 2 and spelled[1] != "u" else None
            return self._error(f"`{escape(spelled)}` is not an escape of JSON", stop, stop + len(spelled), hint)
        if char in ("", "\n"):
            return self._error(
                "a string is not closed on its line", start, stop, 'end it with `"`; write a line break as `\\n`'
            )
        hint = f"write `{json.dumps(char)[1:-1]}`"
        return self._error("a string has a bare control character", stop, stop + 1, hint)

    def _bad_word(self, start: int, word: str) -> JsonError:
        message = f"`{_cut(word)}` is not a JSON value"
        hint = f"write `{_FOREIGN[word]}`" if word in _FOREIGN else None
        return self._error(message, start, start + len(word), hint)


def _cut(text: str) -> str:
    """A piece of the file, short and printable."""
    return escape(text if len(text) <= 40 else text[:39] + "…").replace("\n", "\\n")
