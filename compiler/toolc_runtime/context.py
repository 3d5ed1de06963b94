"""What a tool is told about its call, where it asks: a parameter annotated `ToolContext` is filled in, never shown.

`from toolc import ToolContext` finds this class wherever the tool runs.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_NEVER = float("inf")


class Cancelled(BaseException):
    """The call is not wanted any more. Not an `Exception`: what a tool catches for its own reasons is not this."""


class ToolContext:
    """The call that a tool runs in. A test of a tool makes one with as much as it needs: `ToolContext()`.

    `name` is the tool's, `call_id` what the host calls this call, `cwd` the folder the host works in, `deadline` the
    moment by `time.monotonic()` after which nobody waits for the answer.

    What is promised: a tool in a worker or behind a wrapper is killed when its call is cancelled or overdue, so it
    need not look. A tool in the host's own process cannot be killed; there `cancelled` becomes true and `check()`
    raises, and a long loop that asks for them is the only way to stop.
    """

    __slots__ = ("_given_up", "call_id", "cwd", "deadline", "name")

    def __init__(
        self,
        *,
        name: str = "",
        call_id: str = "",
        cwd: str | None = None,
        deadline: float = _NEVER,
        given_up: Callable[[], bool] | None = None,
    ) -> None:
        """`given_up` says whether the host has called the call off."""
        self.name = name
        self.call_id = call_id
        self.cwd = cwd if cwd is not None else _cwd()
        self.deadline = deadline
        self._given_up = given_up

    def __repr__(self) -> str:
        return f"ToolContext(name={self.name!r}, call_id={self.call_id!r}, cwd={self.cwd!r})"

    @property
    def remaining_s(self) -> float:
        """The seconds until the deadline, 0 after it."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def cancelled(self) -> bool:
        """Whether the host has called the call off, or its deadline has passed."""
        return (self._given_up is not None and self._given_up()) or time.monotonic() >= self.deadline

    def check(self) -> None:
        """Go on, or raise where the call is not wanted any more."""
        if self.cancelled:
            raise Cancelled(f"the call of `{self.name}` is not wanted any more")


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # the folder was removed
        return "/"
