"""What one load of a bundle made: its lock, its workers, and how each kind of tool runs. `reload` replaces it whole."""

from __future__ import annotations

import os
import threading
import time

from . import calls, commands, environ, inprocess, process
from .bundle import Bundle
from .child import NO_ROOM
from .errors import BUNDLE_CHANGED, BundleError
from .output import Capture, keep_for
from .pool import Cancelled, Full, Pool
from .result import Result, failure
from .worker import Ended, Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .checking import Checked
    from .jsontext import Json
    from .lockfile import LockedTool

_CLOSE_WITHIN_S = 2.0


class Call:
    """A call that was found good: the tool, its checked arguments, and where and for how long it may run."""

    __slots__ = ("arguments", "call_id", "given_up", "in_process", "loaded", "text", "timeout_s", "tool")

    def __init__(
        self,
        loaded: Loaded,
        tool: LockedTool,
        checked: Checked,
        *,
        timeout_s: float,
        call_id: str,
        in_process: bool,
    ) -> None:
        self.loaded = loaded
        self.tool = tool
        self.arguments = checked.arguments
        self.text = checked.text
        self.timeout_s = timeout_s
        self.call_id = call_id
        self.in_process = in_process
        self.given_up = False  # nobody waits for it any more


class Loaded:
    """A loaded bundle that runs calls, in any thread, until it is retired."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.lock = bundle.lock
        self.keep = keep_for(bundle.lock.host)
        self.python_files: dict[str, dict[str, str]] = {}  # layer -> the files its tools are made of
        for tool in self.lock.tools.values():
            if tool.kind == "python":
                files = self.python_files.setdefault(tool.layer, {})
                files |= {path: self.lock.files[path] for path in tool.sources if path.endswith(".py")}
        self._retired = False
        self.released = False  # nothing runs, nor will
        self._cancelling = False
        self._begin()

    def _begin(self) -> None:
        self.pool = Pool(self._start_worker)
        self.inprocess = inprocess.Runner(self.bundle.root)
        self._closing, self._close_signal = os.pipe()  # the first becomes readable to cancel what runs
        self._guard = threading.Condition()
        self._running = 0
        self._can_end = 0  # of those that run: not in this process, and so over soon after they are cancelled

    def begin_anew(self) -> None:
        """In a child that the host forked: nothing runs here, and the workers are the parent's."""
        self.pool.disown()
        os.close(self._closing)
        os.close(self._close_signal)
        self._begin()

    def run(self, call: Call, wake: Sequence[int] = ()) -> Result:
        """Verify a tool's files and run it. A readable descriptor in `wake` cancels the call."""
        with self._guard:
            if self._retired:
                words = f"`{call.tool.name}` did not run: its toolset was closed or reloaded; call it again"
                return failure("unavailable", words)
            self._running += 1
            self._can_end += not call.in_process
        try:
            return self._cannot_run(call.tool) or self._run(call, (self._closing, *wake))
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            return commands.no_room(call.tool.name, error)
        finally:
            with self._guard:
                self._running -= 1
                self._can_end -= not call.in_process
                self._guard.notify_all()
                last = self._is_last()
            if last:
                self._release()

    def cancel(self) -> None:
        """Take no more calls, and cancel those that run."""
        with self._guard:
            self._retired = True
            self._cancelling = True
            if self._running:
                os.write(self._close_signal, b"x")

    def retire(self, *, wait: bool = False) -> None:
        """Take no more calls; those that run go on. With `wait`, until they have ended as far as they can be."""
        with self._guard:
            self._retired = True
            if wait:
                self._guard.wait_for(lambda: self._can_end == 0, _CLOSE_WITHIN_S)
            last = self._is_last()
        self.pool.close(_CLOSE_WITHIN_S if wait else 0)
        if last:
            self._release()

    def _is_last(self) -> bool:
        """Whether nothing runs here any more, nor will: said once, to the one who is then to release."""
        if self.released or self._running or not self._retired:
            return False
        self.released = True
        return True

    def _release(self) -> None:
        self.inprocess.close()
        os.close(self._closing)
        os.close(self._close_signal)

    def _cannot_run(self, tool: LockedTool) -> Result | None:
        """Why a tool cannot run now: its bundle, its environment or its variables."""
        if self.bundle.was_replaced():
            what = "was rebuilt since it was loaded" if self.bundle.is_there() else "is not where it was loaded from"
            return failure("corrupt", f"`{tool.name}` did not run: the bundle {what}; the host has to reload it")
        changed = self.bundle.first_change(tool.sources)
        if changed is not None:
            return failure("corrupt", f"`{tool.name}` did not run: {changed}")
        if tool.environment is not None:
            words = f"the Python packages of `{tool.name}` (environment `{tool.environment}`) are not installed"
            return failure("unavailable", f"{words}; `toolc install` does that, then it can be called again")
        if absent := environ.missing(tool.env, os.environ):
            words = f"`{tool.name}` did not run: the host does not have the variable `{absent[0]}`, which it declares"
            return failure("unavailable", words, missing=[*absent])
        return None

    def _run(self, call: Call, wake: Sequence[int]) -> Result:
        tool = call.tool
        deadline = time.monotonic() + call.timeout_s
        if tool.kind == "command":
            return commands.run(
                tool,
                call.text,
                commands.Place(root=self.bundle.root, cwd=_cwd(), environ=os.environ),
                call_id=call.call_id,
                timeout_s=call.timeout_s,
                deadline=deadline,
                keep=self.keep,
                wake=wake,
            )
        if call.in_process:
            return self.inprocess.run(
                tool,
                call.arguments,
                files=self.python_files[tool.layer],
                deadline=deadline,
                timeout_s=call.timeout_s,
                keep=self.keep,
                call_id=call.call_id,
                given_up=lambda: call.given_up or self._cancelling,
            )
        return self._run_in_worker(call, deadline, wake)

    def _run_in_worker(self, call: Call, deadline: float, wake: Sequence[int]) -> Result:
        tool = call.tool
        begun = time.monotonic()
        printed = Capture(self.keep)
        try:
            worker = self.pool.take(deadline, wake)
        except Cancelled:
            return Result(error=commands.cancelled(tool.name), duration_s=time.monotonic() - begun)
        except Full:
            words = f"`{tool.name}` did not run: every worker was busy for {call.timeout_s:g} s; try again later"
            return failure("unavailable", words)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise
            return failure("unavailable", f"`{tool.name}` did not run: no worker can be started: {error.strerror}")
        except BundleError as error:
            return failure("corrupt", f"`{tool.name}` did not run: {error.why}")
        returned: Worker | None = None
        try:
            request = self._request(call, worker, deadline)
            reply = worker.exchange(request, printed, deadline=deadline, wake=wake, number=worker.number)
            left = process.survivors(worker.child.pid, call.call_id) if reply.get("spawned") else []
            if left or reply.get("spent"):
                # What the tool left running shares the worker's session and its pipe, so the worker goes too.
                keep = tool.background == "keep"
                killed = [] if keep else process.survivors(worker.child.pid)
                worker.retire(keep=keep)
                left = [pid for pid in left if pid not in killed]
            else:
                returned = worker
        except Ended as ended:
            return calls.from_end(tool, ended, printed, call.timeout_s, time.monotonic() - begun)
        finally:
            self.pool.give_back(returned)
        return calls.from_reply(tool, reply, printed, self.keep, time.monotonic() - begun, left)

    def _request(self, call: Call, worker: Worker, deadline: float) -> bytes:
        tool = call.tool
        wanted = environ.build(tool.env_policy, tool.env, os.environ)
        wanted |= {"TOOLC_HOST_CWD": _cwd(), "TOOLC_TOOL": tool.name, "TOOLC_CALL_ID": call.call_id}
        changes: dict[str, str | None] = {key: value for key, value in wanted.items() if worker.env.get(key) != value}
        changes |= dict.fromkeys(worker.env.keys() - wanted.keys())
        worker.env = wanted
        files = self.python_files[tool.layer] if tool.layer not in worker.known else {}
        worker.known.add(tool.layer)
        worker.number += 1
        plan: dict[str, Json] | None = None
        if tool.conversions:
            plan = {"tool": tool.name}
            if tool.name not in worker.planned:  # it keeps what it made of this
                worker.planned.add(tool.name)
                plan |= {"schema": tool.input_schema, "conversions": dict(tool.conversions)}
        context: dict[str, Json] | None = None
        if tool.context:
            context = {"parameter": tool.context, "remaining_s": deadline - time.monotonic()}
        return calls.request(
            tool,
            call.arguments,
            root=self.bundle.root,
            files=files,
            env=changes,
            cwd=_cwd(),
            number=worker.number,
            plan=plan,
            context=context,
        )

    def _start_worker(self) -> Worker:
        changed = self.bundle.first_change(self.bundle.runtime_files())
        if changed is not None:
            raise BundleError(BUNDLE_CHANGED, self.bundle.root, changed)
        env = environ.build("declared", (), os.environ)
        return Worker.start(f"{self.bundle.root}/lib", env=env, cwd=_cwd())


def tool_digest(tool: LockedTool, files: Mapping[str, str]) -> str:
    """The identity of a tool: of all the lock says of it, and of the content of its sources."""
    import hashlib
    import json

    sources = [[path, files[path]] for path in tool.sources]
    text = json.dumps([tool.name, tool.entry, sources], sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(b'toolc.tool.v1' + bytes(1) + text.encode()).hexdigest()}"


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # the host's folder was removed under it
        return "/"
