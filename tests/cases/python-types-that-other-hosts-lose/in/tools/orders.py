"""Types that a map of six bare ones turns into strings, and defaults that are no JSON."""

from pathlib import Path
from typing import Any, Dict, List, Literal, Optional, Union

from orders_constants import DEFAULT_REGION, MAX_ROWS

Status = Literal["draft", "open", "on hold", "paid", "sent", "returned", "lost", "closed"]


def find_orders(
    tags: list[str] = (),
    status: Optional[Status] = None,
    columns: List[Literal["order date", "ship date", "total (EUR)"]] = ["order date"],
    options: Optional[Union[bool, Dict[str, Any]]] = None,
    maxRows: int = MAX_ROWS,
    region: str = DEFAULT_REGION,
    out: Path = Path("."),
    retries: "Optional[int]" = 3,
) -> str:
    """Find orders.

    Args:
        tags: Every one of them has to be on the order
        status: Where the order is on its way
        columns: What to show of each
        options: True for all, or one by one
        maxRows: How many at most
        region: Where it was placed
    """
    return repr((tags, status, columns, options, maxRows, region, out, retries))
