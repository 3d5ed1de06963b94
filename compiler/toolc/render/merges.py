"""What `lock --resolve` and git's driver say: what was merged, what the project decided, what is left to decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolc.lock.node import pointer
from toolc.render.records import Record, check
from toolc.render.style import clean_line
from toolc.text import shown_path

if TYPE_CHECKING:
    from toolc.lock import Conflict
    from toolc.merging import Driven, Resolved

CHECK = "now run `toolc lock --check`: a merge of two locks need not be the lock of the merged files"
DECIDE = (
    "decide it in the tool's file or in `toolc.toml` and run `toolc lock --resolve`, or take a side in the lock by hand"
)


def answer(resolved: Resolved) -> str:
    """The lock, where it is one."""
    return "" if resolved.conflicts else f"{shown_path(resolved.path)}\n"


def talk(resolved: Resolved) -> Iterator[str]:
    """What was done, line by line."""
    path = shown_path(resolved.path)
    if resolved.merge is None:
        yield f"`{path}` has no conflict markers: there is nothing to resolve"
        return
    for conflict in resolved.merge.settled:
        yield clean_line(f"{conflict}; took what the project gives")
    if not resolved.conflicts:
        yield f"merged `{path}`"
        yield CHECK
        return
    if not resolved.compiled:
        yield "the project does not compile as it stands, so it could decide nothing: `toolc check` says why"
    yield DECIDE


def driven(driven: Driven, path: str) -> Iterator[str]:
    """What the driver did, line by line."""
    name = clean_line(path)
    if driven.refused is not None:
        yield f"{clean_line(driven.refused)}; `{name}` was merged by its lines"
        return
    for conflict in driven.conflicts:
        yield clean_line(f"{path}: {conflict}")
    yield f"merged `{name}`; {CHECK}" if driven.clean else "after the merge run `toolc lock --resolve`"


def record(resolved: Resolved) -> Record:
    """What became of the lock, as JSON."""
    merge = resolved.merge
    return {
        "resolved": None if merge is None else merge.clean,
        "conflicts": [_conflict(conflict) for conflict in resolved.conflicts],
        "settled": [_conflict(conflict) for conflict in merge.settled] if merge is not None else [],
        **check(resolved.diagnostics),
    }


def _conflict(conflict: Conflict) -> Record:
    return {"pointer": pointer(conflict.place), "why": conflict.why}
