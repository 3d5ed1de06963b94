"""`Toolset.acall`: the steps of a call, off the event loop. Cancelling the task ends the tool before it is felt."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

from .commands import no_room
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .loaded import Call
    from .toolset import Approve, Toolset

_THREADS = 32


async def acall(tools: Toolset, call: Call, approver: Approve | None) -> Result:
    """Approve and run a call that was found good."""
    loop = asyncio.get_running_loop()
    executor = _executor(tools)
    if call.tool.permission == "ask":
        decision: object = None
        if approver is not None:
            # A thread, since an approver may well ask a person.
            decision = await loop.run_in_executor(executor, approver, tools.request(call))
            if not isinstance(decision, bool) and hasattr(decision, "__await__"):
                decision = await decision
        if decision is not True:
            return tools.not_approved(call, asked=approver is not None)
    if call.in_process:
        return await _without_end(tools, call, executor)
    try:
        wake, cancel = os.pipe()
    except OSError as error:
        return no_room(call.tool.name, error)
    thread = executor.submit(tools.run, call, (wake,))
    running = asyncio.wrap_future(thread)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        if not thread.cancel():  # it has begun
            os.write(cancel, b"x")
        # The tool is ended within the second and a half of its kill; the caller is cancelled after that, not before.
        await asyncio.wait([running])
        raise
    finally:
        _close_after(running, wake, cancel)


async def _without_end(tools: Toolset, call: Call, executor: ThreadPoolExecutor) -> Result:
    """A call in the host's own process: nothing can end it, so at its deadline the waiting ends."""
    loop = asyncio.get_running_loop()
    running = loop.run_in_executor(executor, tools.run, call)
    try:
        done, _ = await asyncio.wait([running], timeout=call.timeout_s)
    except asyncio.CancelledError:
        call.given_up = True
        raise
    return running.result() if done else tools.overdue(call)


def _close_after(running: asyncio.Future[Result], *descriptors: int) -> None:
    """Close what a thread may still be watching, once it does not."""

    def close(_: object) -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    if running.done():
        close(running)
    else:
        running.add_done_callback(close)


def _executor(tools: Toolset) -> ThreadPoolExecutor:
    return tools.executor(lambda: ThreadPoolExecutor(_THREADS, thread_name_prefix="toolc"))
