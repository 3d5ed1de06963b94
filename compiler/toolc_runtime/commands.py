"""Run a command tool: its facts and its checked arguments go in, a result comes out. Hosts and wrappers share this."""

from __future__ import annotations

import os
import time

from . import environ, process
from .child import NO_ROOM, find_program, spawn, why_not_started
from .output import Capture
from .result import Result, ToolError, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .child import Spawn
    from .lockfile import LockedTool
    from .output import Keep

_SIGNALS = {1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV"}
_SIGNALS |= {13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ"}


def signal_name(number: int) -> str:
    """The name of a signal, for messages."""
    return _SIGNALS.get(number, f"signal {number}")


class Place:
    """Where calls run: the bundle, and what they take from their host."""

    __slots__ = ("cwd", "environ", "root")

    def __init__(self, *, root: str, cwd: str, environ: Mapping[str, str]) -> None:
        self.root = root
        self.cwd = cwd
        self.environ = environ


def run(
    tool: LockedTool,
    arguments: str,
    place: Place,
    *,
    call_id: str,
    timeout_s: float,
    deadline: float,
    keep: Keep,
    wake: Sequence[int] = (),
    start: Spawn = spawn,
) -> Result:
    """Run a command tool. `arguments` is the JSON text it reads on its standard input."""
    begun = time.monotonic()
    env = environ.build(tool.env_policy, tool.env, place.environ)
    folder = os.path.join(place.root, tool.folder)
    scratch = _make_scratch(env)
    env |= {"TOOLC_HOST_CWD": place.cwd, "TOOLC_TOOL": tool.name, "TOOLC_CALL_ID": call_id}
    if scratch is not None:
        env["TOOLC_TMP"] = scratch
    capture = Capture(keep)
    program = None
    try:
        program = find_program(tool.argv[0], path=env["PATH"], folder=folder)
        command = process.Command(
            program=program,
            argv=tool.argv,
            env=env,
            cwd=folder,
            stdin=arguments.encode() + b"\n",
            background=tool.background,
            call_id=call_id,
        )
        outcome = process.run(command, capture, deadline=deadline, wake=wake, start=start)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return no_room(tool.name, error)
        return _not_started(error, tool, program, folder, time.monotonic() - begun)
    finally:
        if scratch is not None:
            remove_scratch(scratch)
    text = capture.finish()
    details = text.details
    details["drained"] = outcome.drained
    if outcome.signal is not None:
        details["signal"] = signal_name(outcome.signal)
    if outcome.survivors:
        details["survivors"] = list(outcome.survivors)
    return Result(
        output=text.text,
        error=_error(tool.name, outcome, timeout_s),
        exit_code=outcome.exit_code,
        duration_s=time.monotonic() - begun,
        truncated=text.truncated,
        details=details,
    )


def timed_out(name: str, timeout_s: float) -> ToolError:
    """What a model is told of a call whose time was up."""
    return ToolError(
        "timeout",
        f"`{name}` was stopped after {timeout_s:g} s, its limit; ask it for less at a time, or go on without it",
    )


def too_much_output(name: str) -> ToolError:
    """What a model is told of a tool that would not stop writing."""
    return ToolError("output-limit", f"`{name}` was stopped because it wrote more than 64 MiB; ask it for less")


def cancelled(name: str) -> ToolError:
    """What is said of a call that its host called off."""
    return ToolError("cancelled", f"the call of `{name}` was cancelled before it ended")


def no_room(name: str, error: OSError) -> Result:
    """The result of a call for which the system had no files, processes or memory left."""
    words = f"`{name}` did not run: the system has too little left for another call ({error.strerror}); try again later"
    return failure("unavailable", words)


def _error(name: str, outcome: process.Outcome, timeout_s: float) -> ToolError | None:
    if outcome.ending == "timeout":
        return timed_out(name, timeout_s)
    if outcome.ending == "output-limit":
        return too_much_output(name)
    if outcome.ending == "cancelled":
        return cancelled(name)
    if outcome.signal is not None:
        return ToolError("failed", f"`{name}` was ended by {signal_name(outcome.signal)}")
    if outcome.exit_code is None:
        why = "the host ignores SIGCHLD, or waits for processes that are not its own"
        return ToolError("failed", f"`{name}` ended, and whether it did well is not known: {why}")
    if outcome.exit_code:
        return ToolError("failed", f"`{name}` ended with exit status {outcome.exit_code}")
    return None


def _not_started(
    error: OSError | ValueError, tool: LockedTool, program: str | None, folder: str, duration_s: float
) -> Result:
    if not os.path.isdir(folder):
        why = "its folder in the bundle is not there any more"
    elif isinstance(error, OSError):
        why = why_not_started(error, tool.argv[0], program)
    else:  # a NUL in an argument or a variable
        why = f"`{tool.argv[0]}` cannot be started: {error}"
    result = failure("spawn-error", f"`{tool.name}` did not run: {why}; calling it again will not help")
    result.details["program"] = tool.argv[0]
    if isinstance(error, OSError) and error.errno is not None:
        result.details["errno"] = error.errno
    result.duration_s = duration_s
    return result


def _make_scratch(env: Mapping[str, str]) -> str | None:
    """A folder of the call's own; None where the system has no place for one."""
    for base in (env.get("TMPDIR"), "/tmp", "/var/tmp"):
        if not base or not os.path.isabs(base):
            continue
        path = os.path.join(base, f"toolc-{os.urandom(8).hex()}")
        try:
            os.mkdir(path, 0o700)
        except OSError:
            continue
        return path
    return None


def remove_scratch(path: str) -> None:
    """Remove a call's folder and whatever the tool left in it."""
    try:
        os.rmdir(path)
    except OSError:
        import shutil  # only for a tool that left something

        shutil.rmtree(path, ignore_errors=True)
