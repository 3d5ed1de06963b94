"""The formats that are asserted where a caller asks for it: those that a Python tool's arguments are converted from.

`date`, `time` and `date-time` are RFC 3339's, of which the offset may be missing; `duration` is ISO 8601's; `uuid`,
`ipv4` and `ipv6` are as their RFCs say; `base64` is a `contentEncoding`. All others are notes to the model.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LENGTH_LIMIT = 100  # of everything but base64: the longest of them has some forty characters

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})\Z", re.ASCII)
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)?\Z", re.ASCII)
_DURATION = re.compile(r"-?P(?=[\dT])(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.]\d+)?S)?)?)\Z", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}\Z")


class Format:
    """How a format is checked, and how it is called."""

    __slots__ = ("check", "words")

    def __init__(self, check: Callable[[str], bool], words: str) -> None:
        self.check = check
        self.words = words


def _short(matches: Callable[[str], object]) -> Callable[[str], bool]:
    return lambda text: len(text) <= _LENGTH_LIMIT and bool(matches(text))


def _is_date(text: str) -> bool:
    match = _DATE.match(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 1 <= month <= 12 and 1 <= day <= days[month - 1]


def _is_date_time(text: str) -> bool:
    return text[10:11] in ("T", "t", " ") and _is_date(text[:10]) and _TIME.match(text, 11) is not None


def _is_address(text: str, version: int) -> bool:
    from ipaddress import IPv4Address, IPv6Address

    try:
        address = (IPv4Address if version == 4 else IPv6Address)(text)
    except ValueError:
        return False
    return version == 4 or getattr(address, "scope_id", None) is None


def _is_base64(text: str) -> bool:
    return len(text) % 4 == 0 and _BASE64.match(text) is not None


FORMATS = {
    "date": Format(_short(_is_date), "a date such as 2024-01-31"),
    "time": Format(_short(_TIME.match), "a time such as 10:30:00"),
    "date-time": Format(_short(_is_date_time), "a date and time such as 2024-01-31T10:30:00Z"),
    "duration": Format(_short(_DURATION.match), "an ISO 8601 duration such as PT90S"),
    "uuid": Format(_short(_UUID.match), "a UUID"),
    "ipv4": Format(_short(lambda text: _is_address(text, 4)), "an IPv4 address"),
    "ipv6": Format(_short(lambda text: _is_address(text, 6)), "an IPv6 address"),
    "base64": Format(_is_base64, "base64"),
}
