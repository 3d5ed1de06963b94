"""Turn what a worker answers, or how it ended, into a result. Hosts and wrappers share this."""

from __future__ import annotations

from . import channel
from .checking import not_as_declared
from .commands import cancelled, signal_name, timed_out, too_much_output
from .jsontext import loads
from .output import Capture, clean
from .result import Problem, Result, ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .jsontext import Json
    from .lockfile import LockedTool
    from .output import Keep
    from .worker import Ended


def request(
    tool: LockedTool,
    arguments: Mapping[str, Json],
    *,
    root: str,
    files: Mapping[str, str],
    env: Mapping[str, str | None],
    cwd: str,
    number: int,
    plan: Mapping[str, Json] | None = None,
    context: Mapping[str, Json] | None = None,
) -> bytes:
    """The frame that asks a worker for one call. `env` are the changes to its environment; the reply has `number`.

    `plan` says what is made of the arguments first, `context` what the tool is told about the call if it asks.
    """
    return channel.encode(
        {
            "plan": None if plan is None else dict(plan),
            "context": None if context is None else dict(context),
            "number": number,
            "root": root,
            "layer": tool.layer,
            "files": dict(files),
            "env": dict(env),
            "cwd": cwd,
            "module": tool.module,
            "function": tool.function,
            "arguments": dict(arguments),
            "kinds": {name: list(pair) for name, pair in tool.argument_kinds.items()},
        }
    )


def from_reply(
    tool: LockedTool,
    reply: Mapping[str, Json],
    printed: Capture,
    keep: Keep,
    duration_s: float,
    left_running: Sequence[int] = (),
) -> Result:
    """The result of a call that was answered. `left_running` are the processes that go on after it, by number."""
    shown = printed.finish()
    result = Result(printed=shown.text, duration_s=duration_s, truncated=shown.truncated)
    if shown.text:
        result.details["printed"] = shown.details
    if left_running:
        result.details["survivors" if tool.background == "keep" else "escaped"] = [*left_running]
    match reply:
        case {"error": {"kind": "invalid-arguments", "problems": list(problems)}}:
            result.error = not_as_declared(tool.name, [_problem(problem) for problem in problems]).error
        case {"error": {"kind": str(kind), "message": str(message), "trace": list(trace)}}:
            result.error = _error(tool.name, kind, message)
            if trace:
                result.details["trace"] = trace
            result.output = shown.text
        case {"form": "none"}:
            result.output = shown.text
            result.details |= shown.details
        case {"form": str(form), "text": str(text)}:
            if not text.isascii():  # half a surrogate pair is a string to Python and to nobody else
                text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
            _take_text(result, text, keep)
            if form == "json":
                value = reply.get("value")
                result.value = loads(value if isinstance(value, str) else text)
            else:
                result.value = text
        case _:
            result.error = ToolError("failed", f"the worker of `{tool.name}` answered in a way its host does not know")
    return result


def from_end(tool: LockedTool, ended: Ended, printed: Capture, timeout_s: float, duration_s: float) -> Result:
    """The result of a call whose worker had to be ended, or ended itself."""
    shown = printed.finish()
    result = Result(
        output=shown.text, printed=shown.text, duration_s=duration_s, truncated=shown.truncated, details=shown.details
    )
    if ended.reason == "timeout":
        result.error = timed_out(tool.name, timeout_s)
    elif ended.reason == "cancelled":
        result.error = cancelled(tool.name)
    elif ended.reason == "output-limit":
        result.error = too_much_output(tool.name)
    elif ended.reason == "protocol":
        words = f"`{tool.name}` wrote into, or closed, what its worker talks to its host through"
        result.error = ToolError("failed", f"{words}: a file of the process that it did not open itself")
    elif ended.returncode is not None and ended.returncode < 0:
        result.details["signal"] = signal_name(-ended.returncode)
        result.error = ToolError(
            "failed", f"the process of `{tool.name}` was ended by {signal_name(-ended.returncode)}"
        )
    elif ended.returncode is None:
        result.error = ToolError("failed", f"the process of `{tool.name}` ended before it answered")
    else:
        result.exit_code = ended.returncode
        result.error = ToolError(
            "failed", f"the process of `{tool.name}` ended itself, with exit status {ended.returncode}"
        )
    return result


def _problem(told: Json) -> Problem:
    """A problem as a worker tells it. Its words may be those of the tool's own classes."""
    match told:
        case {"path": list(path), "message": str(message)}:
            return Problem(tuple(step for step in path if isinstance(step, str | int)), clean(message))
    return Problem((), "are not as the tool declares them")


def _error(name: str, kind: str, message: str) -> ToolError:
    if kind == "output-limit":
        return too_much_output(name)
    if kind == "cancelled":
        return cancelled(name)
    if kind in ("corrupt", "unavailable"):
        return ToolError(kind, f"`{name}` did not run: {clean(message)}")
    return ToolError("failed", f"`{name}` failed: {clean(message)}")


def _take_text(result: Result, text: str, keep: Keep) -> None:
    capture = Capture(keep)
    capture.feed(text.encode("utf-8"))
    shown = capture.finish()
    result.output = shown.text
    result.truncated = result.truncated or shown.truncated
    result.details |= shown.details
