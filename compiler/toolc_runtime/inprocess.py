"""Run Python tools in the host itself: the fastest way, and one that promises less.

A call runs in the caller's thread and cannot be ended: one that is overdue is a `timeout` when it returns, and until
then further calls of its tool are `unavailable`. What the tool prints goes where the host's own prints go, and what it
does to the process (its folder, its signals, `os._exit`) it does to the host.
"""

from __future__ import annotations

import threading
import time

from . import calls
from .commands import timed_out
from .finder import Layer
from .invoke import Call, invoke
from .output import Capture
from .result import Result, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .context import ToolContext
    from .convert import Plan
    from .jsontext import Json
    from .lockfile import LockedTool
    from .output import Keep


class Runner:
    """The layers of one toolset, imported into this process as they are needed."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._layers: dict[str, Layer] = {}
        self._deadlines: dict[str, list[float]] = {}  # tool -> of the calls that run
        self._guard = threading.Lock()

    def run(
        self,
        tool: LockedTool,
        arguments: Mapping[str, Json],
        *,
        files: Mapping[str, str],
        deadline: float,
        timeout_s: float,
        keep: Keep,
        call_id: str = "",
        given_up: Callable[[], bool] | None = None,
    ) -> Result:
        """Call the function of a tool in this thread. `given_up` is what its context asks, where it wants one."""
        begun = time.monotonic()
        with self._guard:
            layer = self._layers.get(tool.layer)
            if layer is None:
                layer = self._layers[tool.layer] = Layer(self._root, tool.layer, files)
                layer.install()
            running = self._deadlines.setdefault(tool.name, [])
            if any(end < begun for end in running):
                return failure("unavailable", f"an earlier call of `{tool.name}` is overdue and still runs")
            running.append(deadline)
        try:
            reply = invoke(
                layer,
                Call(
                    module=tool.module,
                    function=tool.function,
                    arguments=arguments,
                    kinds=tool.argument_kinds,
                    plan=_plan(layer, tool) if tool.conversions else None,
                    context=_context(tool, call_id, deadline, given_up) if tool.context else None,
                ),
            )
        finally:
            with self._guard:
                running.remove(deadline)
        duration_s = time.monotonic() - begun
        result = calls.from_reply(tool, reply, Capture(keep), keep, duration_s)
        if time.monotonic() > deadline:
            result.error = timed_out(tool.name, timeout_s)
        return result

    def close(self) -> None:
        """Forget what was imported."""
        with self._guard:
            for layer in self._layers.values():
                layer.remove()
            self._layers.clear()


def _plan(layer: Layer, tool: LockedTool) -> Plan:
    """What is made of a tool's arguments. Two threads may make it at once; they make the same."""
    plan = layer.plans.get(tool.name)
    if plan is None:
        from .convert import Plan

        plan = layer.plans[tool.name] = Plan(layer, tool.input_schema, tool.conversions)
    return plan


def _context(
    tool: LockedTool, call_id: str, deadline: float, given_up: Callable[[], bool] | None
) -> tuple[str, ToolContext]:
    from .context import ToolContext

    return tool.context, ToolContext(name=tool.name, call_id=call_id, deadline=deadline, given_up=given_up)
