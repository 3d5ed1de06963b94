"""Values, names and places in few words, for whoever says what is wrong with them.

Whatever quotes a value shows a few characters of it at most: arguments can be huge, and can hold secrets.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Path: TypeAlias = "tuple[str | int, ...]"

_WHOLE = 10  # characters of a value that are shown whole
_START = 6  # and of a longer one
_KEY = 40  # of a property's name
_TEXT = 80  # of a schema's own text: a pattern, the members of an enum
_DIGITS_BITS = 64  # larger integers are not spelled out: str() of a huge one is slow, or refused by Python


class SchemaError(Exception):
    """A schema that is not compiled: the place in it, as the tokens of a JSON pointer, and why."""

    def __init__(self, pointer: Path, message: str) -> None:
        self.pointer = pointer
        self.message = message
        super().__init__(f"{fragment(pointer)}: {message}")


def fragment(pointer: Path) -> str:
    """A place in a schema as the fragment of a URI: `#/properties/a~1b`."""
    return "#" + "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in pointer)


def place(path: Path) -> str:
    """A place in the arguments, as a model would write it: `items[0].name`; empty for the arguments as a whole."""
    text = ""
    for token in path:
        if isinstance(token, int):
            text += f"[{token}]"
        elif token.replace("-", "_").isidentifier() and len(token) <= _KEY:
            text += f".{token}" if text else token
        else:
            text += f"[{quoted(token)}]"
    return text


def quoted(key: str) -> str:
    """A property's name in quotes, cut where it is long."""
    return repr(key) if len(key) <= _KEY else f"{key[:_KEY]!r}…"


def show(value: object) -> str:
    """A value in a few characters: `5.5`, `true`, `'five'`, `'sk-liv…' (51 characters)`, `an array`."""
    if isinstance(value, str):
        if len(value) <= _WHOLE:
            return repr(value)
        return f"'{repr(value[:_START])[1:-1]}…' ({len(value)} characters)"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if value.bit_length() > _DIGITS_BITS:
            return "a very large integer"
        digits = str(value)
        return digits if len(digits) <= _WHOLE else f"{digits[:_START]}… ({len(digits)} digits)"
    if isinstance(value, float):
        digits = repr(value)
        return digits if len(digits) <= _WHOLE else f"{digits[:_START]}…"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, dict):
        return "an object"
    return f"a value of type {type(value).__name__}"


def option(value: object) -> str:
    """A value out of a schema, which is no secret: strings and numbers up to the length of a line."""
    if isinstance(value, str):
        return repr(value) if len(value) <= _TEXT else f"{value[:_TEXT]!r}…"
    if isinstance(value, float) or (isinstance(value, int) and value.bit_length() <= _DIGITS_BITS):
        return repr(value) if not isinstance(value, bool) else show(value)
    return show(value)


def cut(text: str) -> str:
    """A schema's own text, up to the length of a line."""
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}…"


def counted(number: int, noun: str) -> str:
    """`1 item`, `2 items`, `2 properties`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def some(words: Sequence[str]) -> str:
    """The words that fit on a line, and how many more there are."""
    shown: list[str] = []
    for word in words:
        if shown and len(", ".join(shown)) + len(word) > 2 * _TEXT:
            return f"{', '.join(shown)} or {len(words) - len(shown)} more"
        shown.append(word)
    return ", ".join(shown)
