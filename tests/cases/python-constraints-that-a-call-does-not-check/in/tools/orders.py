"""Constraints that pydantic would apply, and that no schema states, or no call checks."""

from decimal import Decimal
from typing import Annotated

from annotated_types import Predicate, Unit
from pydantic import AfterValidator, BaseModel, Field, StringConstraints


def even(number: int) -> int:
    assert number % 2 == 0
    return number


class Line(BaseModel):
    """A line of an order. The model checks its own fields, whatever a schema states."""

    sku: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    pairs: Annotated[int, AfterValidator(even)] = 2


def order(
    line: Line,
    code: Annotated[str, Field(pattern=r"^(\w)\1$")],
    weight: Annotated[float, Unit("kg"), Field(gt=0)] = 1,
    price: Annotated[Decimal, Field(ge=0, max_digits=6, decimal_places=2)] = 0,
    count: Annotated[int, Predicate(even)] = 2,
    limit: Annotated[int, Field(ge=1, le=10)] = 0,
) -> str:
    """Order something."""
    return f"{line} {code} {weight} {price} {count} {limit}"


def refused(
    name: Annotated[str, Field(pattern="[a-z")],
    note: Annotated[str, Field(json_schema_extra={"maxLength": "long"})] = "",
) -> str:
    """Nothing could be checked by this."""
    return name + note
