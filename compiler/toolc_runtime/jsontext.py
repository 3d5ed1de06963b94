"""JSON text in, values out, and back, without the cost of importing `json` (which compiles regular expressions).

`_json` is the scanner and encoder that `json` itself uses; an interpreter that lacks it gets `json`.
"""

from __future__ import annotations

from sys import modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_BLANK = " \t\n\r"


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


class _Settings:
    """What the C scanner reads from a `json.JSONDecoder`."""

    strict = True
    object_hook = None
    object_pairs_hook: Callable[[list[tuple[str, Json]]], Json] | None = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    memo: dict[str, str] = {}  # noqa: RUF012  (the scanner wants the attribute; it is never written)


class _UniqueKeys(_Settings):
    """The same, for text that somebody else wrote: an object that names a property twice is refused."""

    @staticmethod
    def object_pairs_hook(pairs: list[tuple[str, Json]]) -> Json:
        found: dict[str, Json] = dict(pairs)
        if len(found) < len(pairs):
            seen: set[str] = set()
            repeated = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise ValueError(f"{repeated[:40]!r} is there twice")
        return found


def _make_loads(settings: type[_Settings] = _Settings) -> Callable[[str], Json]:
    try:
        from _json import make_scanner
    except ImportError:
        import json

        hook = settings.object_pairs_hook
        return lambda text: json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=hook)

    # typeshed declares that a scanner is made of a scanner
    scan: Callable[[str, int], tuple[Json, int]] = make_scanner(settings)  # type: ignore[arg-type]

    def loads(text: str) -> Json:
        stripped = text.strip(_BLANK)
        try:
            value, end = scan(stripped, 0)
        except StopIteration as stop:
            raise ValueError(f"a value is expected at character {stop.value + 1}") from None
        except SystemError:
            # The scanner has its words for a mistake from this module, and fails without any where it is not loaded.
            if "json.decoder" in modules:
                raise
            import json.decoder  # noqa: F401  (imported for the scanner)

            return loads(text)
        if end != len(stripped):
            raise ValueError(f"text follows the value at character {end + 1}")
        return value

    return loads


def _make_dumps() -> Callable[[Any], str]:
    def refuse(value: object) -> object:
        raise TypeError(f"JSON has no form for a {type(value).__name__}")

    try:
        from _json import encode_basestring_ascii, make_encoder

        # What is seen on the way (None: a circle ends in RecursionError; a dict would be shared by threads), default,
        # strings, indent, separators, sort_keys, skipkeys, allow_nan.
        encode = make_encoder(None, refuse, encode_basestring_ascii, None, ":", ",", False, False, False)
        assert "".join(encode(["x"], 0)) == '["x"]'
    except (ImportError, TypeError, AssertionError):
        import json

        return lambda value: json.dumps(value, default=refuse, allow_nan=False, separators=(",", ":"))
    return lambda value: "".join(encode(value, 0))


_loads = _make_loads()
_strict_loads: Callable[[str], Json] | None = None
_dumps: Callable[[Any], str] | None = None


def loads(text: str) -> Json:
    """The value of a JSON text; raises `ValueError`, also for NaN and for nesting beyond the interpreter's depth."""
    try:
        return _loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def strict_loads(text: str) -> Json:
    """As `loads`, and refuses an object that names a property twice: of two answers, which one was meant?"""
    global _strict_loads
    if _strict_loads is None:
        _strict_loads = _make_loads(_UniqueKeys)
    try:
        return _strict_loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def dumps(value: Any) -> str:
    """Compact JSON in ASCII; raises `ValueError` or `TypeError` for what JSON has no form for."""
    global _dumps
    if _dumps is None:
        _dumps = _make_dumps()
    try:
        return _dumps(value)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
