"""Spell what a tool returns: values of Python's own types go in, what stands for them in JSON comes out.

Each type has the form that it has as an argument: a date is ISO 8601, bytes are base64, an enum's member is its value.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MICROSECONDS = 1_000_000


def scalar(value: object) -> object:
    """What stands for a value that JSON has no form for: JSON, or something nearer to it; the value itself for others.

    No module is imported for it: where there is a date, `datetime` is loaded.
    """
    if isinstance(value, bytes | bytearray | memoryview):
        from binascii import b2a_base64

        return b2a_base64(value, newline=False).decode("ascii")
    for module, name, spell in _SPELLED:
        type_ = getattr(sys.modules.get(module), name, None)
        if type_ is not None and isinstance(value, type_):
            return spell(value)
    return value


def _duration(value: Any) -> str:
    """ISO 8601, in days and less: what is longer has no fixed length."""
    micro = (value.days * 86_400 + value.seconds) * _MICROSECONDS + value.microseconds
    sign = "-" if micro < 0 else ""
    seconds, micro = divmod(abs(micro), _MICROSECONDS)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    fraction = f".{micro:06d}".rstrip("0") if micro else ""
    clock = f"{hours}H" if hours else ""
    clock += f"{minutes}M" if minutes else ""
    clock += f"{seconds}{fraction}S" if seconds or micro or not (days or clock) else ""
    return f"{sign}P{f'{days}D' if days else ''}{f'T{clock}' if clock else ''}"


_SPELLED: tuple[tuple[str, str, Callable[[Any], object]], ...] = (
    ("enum", "Enum", lambda value: value.value),
    ("datetime", "date", lambda value: value.isoformat()),  # a datetime is one too
    ("datetime", "time", lambda value: value.isoformat()),
    ("datetime", "timedelta", _duration),
    ("re", "Pattern", lambda value: value.pattern),
    ("collections", "deque", list),
)
