"""The types of the standard library that JSON has no form for: a validated value goes in, one of the type comes out.

A value that the schema accepts and the type does not is `Refused`, in words that say what would do. Each type is
imported when a value of it is first made. What is read is one grammar on every Python: that of `formats.py`, not
whatever `fromisoformat` takes in one release and not in another.
"""

from __future__ import annotations

from .problems import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .problems import Path

_LONGEST_NUMBER = 4_300  # characters, as for integers


class Refused(Exception):
    """A value that cannot be converted: where in it, and what is so."""

    def __init__(self, *problems: tuple[Path, str]) -> None:
        self.problems: Sequence[tuple[Path, str]] = problems
        super().__init__(*problems)


def refused(words: str) -> Refused:
    """What is so with the value itself."""
    return Refused(((), words))


def _formatted(value: str, name: str) -> str:
    from .formats import FORMATS

    format_ = FORMATS[name]
    if not format_.check(value):
        raise refused(f"{show(value)} is not {format_.words}")
    return value


def _date(value: str) -> object:
    from datetime import date

    return date.fromisoformat(_formatted(value, "date"))


def _datetime(value: str) -> object:
    from datetime import datetime

    text = _formatted(value, "date-time")
    try:
        return datetime.fromisoformat(f"{text[:10]}T{text[11:].upper()}")
    except ValueError:  # an offset that leads out of the calendar
        raise refused(f"{show(value)} is not a date and time that can be reckoned with") from None


def _time(value: str) -> object:
    from datetime import time

    return time.fromisoformat(_formatted(value, "time").upper())


def _timedelta(value: str) -> object:
    import re
    from datetime import timedelta

    text = _formatted(value, "duration")
    parts = {unit: number for number, unit in re.findall(r"([\d.]+)([A-Z])", text.partition("T")[0])}
    clock = {unit: number for number, unit in re.findall(r"([\d.]+)([A-Z])", text.partition("T")[2])}
    if int(parts.get("Y", 0)) or int(parts.get("M", 0)):
        raise refused(f"{show(value)} has years or months, which differ in length; give weeks, days, hours or less")
    # In whole microseconds: a float would lose some of a long duration.
    seconds, _, fraction = clock.get("S", "0").partition(".")
    try:
        length = timedelta(
            weeks=int(parts.get("W", 0)),
            days=int(parts.get("D", 0)),
            hours=int(clock.get("H", 0)),
            minutes=int(clock.get("M", 0)),
            seconds=int(seconds),
            microseconds=int(f"{fraction:0<6}"[:6]),
        )
    except OverflowError:
        raise refused(f"{show(value)} is longer than a duration can be") from None
    return -length if text.startswith("-") else length


def _uuid(value: str) -> object:
    from uuid import UUID

    return UUID(_formatted(value, "uuid"))


def _decimal(value: float | str) -> object:
    import re
    from decimal import Decimal, InvalidOperation

    if not isinstance(value, str):
        return Decimal(repr(value))  # the shortest text of a float: 0.1 and not what is nearest to it in binary
    text = value.strip()
    number = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
    if len(text) <= _LONGEST_NUMBER and re.fullmatch(number, text):
        try:
            return Decimal(text)
        except InvalidOperation:  # an exponent beyond all bounds
            pass
    raise refused(f"{show(value)} is not a decimal number such as 12.50")


def _float(value: float) -> object:
    try:
        return float(value)
    except OverflowError:
        raise refused(f"{show(value)} is too large for a floating-point number") from None


def _integer(value: str) -> object:
    import re

    if len(value) > _LONGEST_NUMBER or not re.fullmatch("-?(0|[1-9][0-9]*)", value):
        raise refused(f"{show(value)} is not an integer")
    return int(value)


def _complex(value: str) -> object:
    try:
        return complex(value)
    except ValueError:
        raise refused(f"{show(value)} is not a complex number such as 1+2j") from None


def _path(value: str) -> object:
    from pathlib import Path

    return Path(_without_nul(value))


def _pure_path(value: str) -> object:
    from pathlib import PurePath

    return PurePath(_without_nul(value))


def _without_nul(value: str) -> str:
    if "\0" in value:
        raise refused("has a NUL character, which no path can have")
    return value


def _bytes(value: str) -> object:
    from binascii import Error, a2b_base64

    try:
        return a2b_base64(value.encode("ascii"), strict_mode=True)
    except (Error, UnicodeEncodeError):
        raise refused(f"{show(value)} is not base64") from None


def _address(value: str, version: int) -> object:
    from ipaddress import IPv4Address, IPv6Address

    text = _formatted(value, f"ipv{version}")
    return IPv4Address(text) if version == 4 else IPv6Address(text)


def _network(value: str, version: int) -> object:
    from ipaddress import IPv4Network, IPv6Network

    network: Callable[..., object] = IPv4Network if version == 4 else IPv6Network
    try:
        return network(value)
    except ValueError:
        pass
    try:
        meant = f"; the network of that address is {network(value, strict=False)}"
    except ValueError:
        meant = ""
    raise refused(
        f"{show(value)} is not an IPv{version} network such as {'10.0.0.0/8' if version == 4 else '2001:db8::/32'}"
        f"{meant}"
    )


def _regex(value: str) -> object:
    import re
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a later Python would read otherwise
            return re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        raise refused(f"{show(value)} is not a regular expression of Python: {error}") from None


def _deque(value: list[Any]) -> object:
    from collections import deque

    return deque(value)


def _set(value: list[Any], type_: type) -> object:
    try:
        made: object = type_(value)
    except TypeError:
        raise refused("has an item that cannot be a member of a set: a list, or an object that can change") from None
    return made


STANDARD: dict[str, Callable[[Any], object]] = {
    "bytes": _bytes,
    "complex": _complex,
    "date": _date,
    "datetime": _datetime,
    "decimal": _decimal,
    "deque": _deque,
    "float": _float,  # JSON may write 3 for 3.0
    "frozenset": lambda value: _set(value, frozenset),
    "int": _integer,  # of a name in a mapping, which JSON has as text
    "ipv4": lambda value: _address(value, 4),
    "ipv4-network": lambda value: _network(value, 4),
    "ipv6": lambda value: _address(value, 6),
    "ipv6-network": lambda value: _network(value, 6),
    "path": _path,
    "purepath": _pure_path,
    "regex": _regex,
    "set": lambda value: _set(value, set),
    "time": _time,
    "timedelta": _timedelta,
    "tuple": tuple,
    "uuid": _uuid,
}
