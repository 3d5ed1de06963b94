"""Values as source: an object goes in, the literal that makes it comes out, or nothing where there is none."""

from __future__ import annotations

import dataclasses
import enum
import math
from typing import Any

_CONSTRAINTS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
FOR_ITSELF = (type(None), bool, int, str)


def literal(value: object) -> str | None:
    """A value as source, as far as it is made of what literals make; a member of an enum as its value."""
    if isinstance(value, enum.Enum):
        return literal(value.value)
    if type(value) in (*FOR_ITSELF, bytes) or (type(value) is float and math.isfinite(value)):
        return repr(value)
    items: list[str | None]
    if type(value) is list or type(value) is tuple:
        items = [literal(item) for item in value]
        if None in items:
            return None
        inner = ", ".join(map(str, items))
        return f"[{inner}]" if type(value) is list else f"({inner}{',' if len(items) == 1 else ''})"
    if type(value) is dict:
        items = [
            f"{key!r}: {text}" if type(key) is str and (text := literal(item)) is not None else None
            for key, item in value.items()
        ]
        return None if None in items else f"{{{', '.join(map(str, items))}}}"
    return None


def is_field(value: object) -> bool:
    """Whether this is what pydantic's `Field` makes."""
    return type(value).__name__ == "FieldInfo" and type(value).__module__.startswith("pydantic.")


def stated(item: Any) -> dict[str, str] | None:
    """The constraints that an item of metadata states, as keywords of `Field`; None where it is something else."""
    if type(item).__module__.partition(".")[0] not in ("annotated_types", "pydantic"):
        return None
    names = [field.name for field in dataclasses.fields(item)] if dataclasses.is_dataclass(item) else vars(item)
    values = {name: value for name in names if (value := getattr(item, name, None)) is not None}
    if not values or not values.keys() <= set(_CONSTRAINTS):
        return None
    told = {name: literal(getattr(value, "pattern", value)) for name, value in values.items()}
    return {name: text for name, text in told.items() if text is not None} if None not in told.values() else None
