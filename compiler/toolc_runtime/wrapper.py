"""The program of `bin/<tool>`: the tool's facts, compiled into the wrapper, and a command line go in; the tool runs.

The arguments are one JSON object on standard input, or `--args`; what a model would be sent goes to standard output.
Everything that only some calls need is imported by those.
"""

from __future__ import annotations

# `signal` itself makes enums of all its numbers first; typeshed knows only that one.
import _signal  # type: ignore[import-not-found]
import os
import time

from . import commands, environ
from .checking import check
from .child import SIGHUP, SIGINT, SIGKILL, SIGTERM, Child, spawn_alone
from .digest import read_regular, sha256_hex
from .jsontext import loads, strict_loads
from .lockfile import LockedTool
from .output import Capture, keep_for
from .result import Result, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from .jsontext import Json
    from .output import Keep

OK, FAILED, USAGE, BUG = 0, 1, 2, 70
_HELP = "--help says what there is"
_STOPPING = (SIGHUP, SIGINT, SIGTERM)
_MOST_DESCRIPTORS = 1 << 16


class _UsageError(Exception):
    """A command line that is not understood."""


class _Stopped(BaseException):
    """A signal that ends the wrapper: what it started is ended first."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


class _Options:
    """A command line."""

    __slots__ = ("arguments", "show", "yes")

    def __init__(self, given: Sequence[str]) -> None:
        self.arguments: str | None = None  # JSON; None: on standard input
        self.show = ""
        self.yes = False
        rest = list(given)
        while rest:
            option = rest.pop(0)
            if option in ("-h", "--help"):
                self.show = "help"
            elif option == "--schema":
                self.show = "schema"
            elif option == "--yes":
                self.yes = True
            elif option == "--args" and rest:
                self.arguments = rest.pop(0)
            elif option.startswith("--args="):
                self.arguments = option[len("--args=") :]
            elif option == "--args":
                raise _UsageError(f"--args wants a JSON object; {_HELP}")
            else:
                raise _UsageError(f"there is no option or argument {option!r}; {_HELP}")
        if self.arguments == "-":
            self.arguments = None


def main(facts: str, root: str, given: Sequence[str]) -> NoReturn:
    """Run the tool of these facts from the bundle at `root`, and exit."""
    status = FAILED
    try:
        _open_streams()
        # What this process inherited beyond its three streams is nothing a tool should have.
        os.closerange(3, _MOST_DESCRIPTORS)
        _catch_signals()
        status = _main(facts, root, given)
    except _UsageError as error:
        status = USAGE
        _say(str(error))
    except _Stopped as stopped:
        status = 128 + stopped.number
    except Exception as error:
        if os.environ.get("TOOLC_DEBUG") == "1":
            raise
        status = BUG
        _say(f"this is a bug in toolc: {type(error).__name__}: {error}; TOOLC_DEBUG=1 shows where")
    # Not `sys.exit`: nothing is left to be done, and an interpreter that tears itself down takes its time.
    os._exit(status)


def _main(facts: str, root: str, given: Sequence[str]) -> int:
    options = _Options(given)
    value = loads(facts)
    assert isinstance(value, dict), "facts are an object"
    match value:
        case {"name": str(name), "tool": dict(entry), "host": str(host), "files": dict(files)}:
            tool = LockedTool(name, entry)
        case _:
            raise AssertionError("facts have the fields of facts")
    if options.show:
        from . import usage

        return _write(usage.schema_text(tool) if options.show == "schema" else usage.help_text(tool))
    if options.arguments is not None:
        _check_option(options.arguments)
    text = options.arguments if options.arguments is not None else _read_input()
    digests = {path: str(digest) for path, digest in files.items()}
    result = _call(tool, text, options.yes, os.path.realpath(root), digests, keep_for(host))
    if result.printed and result.printed != result.output:
        _say(result.printed.removesuffix("\n"))
    answer = str(result)
    written = _write(answer if not answer or answer.endswith("\n") else f"{answer}\n")
    if not result.ok and os.environ.get("TOOLC_DEBUG") == "1":
        for place in result.details.get("trace") or ():  # type: ignore[union-attr]  # it is a list of places
            _say(f"  at {place}")
    return written if result.ok else FAILED


def _check_option(text: str) -> None:
    """Refuse `--args` that are no object: a person typed them. What comes on standard input may be a model's."""
    try:
        if isinstance(strict_loads(text), dict):
            return
        why = "this is JSON, and no object"
    except ValueError as error:
        why = str(error)
    raise _UsageError(f"--args wants a JSON object: {why}; {_HELP}")


class _Interrupt:
    """Where a signal goes while the tool runs: an exception could come between its start and the note of its number."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.cancel: int | None = None  # a pipe's end; its other end cancels the call

    def arm(self) -> int:
        """Stop raising; the descriptor that becomes readable instead."""
        wake, self.cancel = os.pipe()
        return wake


_interrupt = _Interrupt()


def _call(tool: LockedTool, text: str | None, yes: bool, root: str, files: dict[str, str], keep: Keep) -> Result:
    """The same steps as `Toolset.call`, for one tool and one call."""
    if text is None:
        return failure("invalid-arguments", f"the arguments of `{tool.name}` are not UTF-8")
    if tool.permission == "deny":
        return failure("denied", f"`{tool.name}` is denied in its toolset")
    checked = check(tool, text)
    if isinstance(checked, Result):
        return checked
    if tool.permission != "allow" and not yes:
        said = _ask(tool, checked.text)
        if said is None:
            words = f"`{tool.name}` needs the user's approval: --yes gives it for one call, and a terminal is asked"
            return failure("not-approved", words)
        if not said:
            return failure("not-approved", f"`{tool.name}` was not approved, and did not run")
    if absent := environ.missing(tool.env, os.environ):
        words = f"`{tool.name}` did not run: there is no variable `{absent[0]}`, which it declares"
        return failure("unavailable", words)
    if tool.environment is not None:
        words = f"the Python packages of `{tool.name}` (environment `{tool.environment}`) are not installed"
        return failure("unavailable", f"{words}; `toolc install` does that, then it can be called again")
    changed = _first_change(root, tool, files)
    if changed is not None:
        return failure("corrupt", f"`{tool.name}` did not run: {changed}")
    call_id = os.urandom(8).hex()
    wake = _interrupt.arm()
    deadline = time.monotonic() + tool.timeout_s
    if tool.kind == "python":
        result = _run_in_child(tool, checked.arguments, root, files, call_id, deadline, keep, wake)
    else:
        result = _run_command(tool, checked.text, root, call_id, deadline, keep, wake)
    if _interrupt.number is not None:
        raise _Stopped(_interrupt.number)
    return result


def _run_command(
    tool: LockedTool, arguments: str, root: str, call_id: str, deadline: float, keep: Keep, wake: int
) -> Result:
    return commands.run(
        tool,
        arguments,
        commands.Place(root=root, cwd=_cwd(), environ=os.environ),
        call_id=call_id,
        timeout_s=tool.timeout_s,
        deadline=deadline,
        keep=keep,
        wake=(wake,),
        start=spawn_alone,
    )


def _run_in_child(
    tool: LockedTool,
    arguments: dict[str, Json],
    root: str,
    files: dict[str, str],
    call_id: str,
    deadline: float,
    keep: Keep,
    wake: int,
) -> Result:
    """Call a Python tool in a child of this process, which has the interpreter and the arguments already."""
    from . import calls, process
    from .worker import Ended, Worker

    begun = time.monotonic()
    env = environ.build(tool.env_policy, tool.env, os.environ)
    env |= {"TOOLC_HOST_CWD": _cwd(), "TOOLC_TOOL": tool.name, "TOOLC_CALL_ID": call_id}
    answer, child_answer = os.pipe()
    output, child_output = os.pipe()
    pid = os.fork()
    if pid == 0:
        # A parent that is gone is felt only where nobody else holds its ends.
        os.close(answer)
        os.close(output)
        _be_the_child(lambda: _invoke(tool, arguments, root, files, call_id, deadline), child_answer, child_output, env)
    os.close(child_answer)
    os.close(child_output)
    worker = Worker(Child(pid), answer, output)
    printed = Capture(keep)
    try:
        reply = worker.exchange(b"", printed, deadline=deadline, wake=(wake,))
    except Ended as ended:
        return calls.from_end(tool, ended, printed, tool.timeout_s, time.monotonic() - begun)
    left = process.survivors(pid, call_id) if tool.background == "keep" else []
    if not left:
        worker.child.signal_group(SIGKILL)
    worker.child.reap(process.REAP_WITHIN_S)
    return calls.from_reply(tool, reply, printed, keep, time.monotonic() - begun, left)


def _be_the_child(invoke: Callable[[], bytes], answer: int, output: int, env: dict[str, str]) -> NoReturn:
    from . import channel

    own = os.getpid()
    try:
        os.setsid()
        for number in _STOPPING:
            _handle(number, None)  # the handlers are the parent's
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ.clear()
        os.environ.update(env)
        reply = invoke()
        if os.getpid() == own:  # else the tool forked, and its child came back from the function too
            channel.send(answer, reply)
        os._exit(OK)
    finally:
        os._exit(BUG)


def _invoke(
    tool: LockedTool, arguments: dict[str, Json], root: str, files: dict[str, str], call_id: str, deadline: float
) -> bytes:
    from .channel import encode_reply
    from .finder import Layer
    from .invoke import Call, flush, invoke

    layer = Layer(root, tool.layer, files)
    layer.install()
    plan = context = None
    if tool.conversions:
        from .convert import Plan

        plan = Plan(layer, tool.input_schema, tool.conversions)
    if tool.context:
        from .context import ToolContext

        context = (tool.context, ToolContext(name=tool.name, call_id=call_id, cwd=_cwd(), deadline=deadline))
    call = Call(
        module=tool.module,
        function=tool.function,
        arguments=arguments,
        kinds=tool.argument_kinds,
        plan=plan,
        context=context,
    )
    reply = invoke(layer, call)
    flush()
    return encode_reply(reply)


def _first_change(root: str, tool: LockedTool, files: dict[str, str]) -> str | None:
    """What is so with the first source that is not as the lock says. Python files are checked as they are loaded."""
    for path in tool.sources:
        if tool.kind == "python" and path.endswith(".py"):
            continue
        try:
            found = sha256_hex(read_regular(f"{root}/{path}"))
        except OSError as error:
            return f"`{path}` cannot be read: {error.strerror}"
        if found != files[path]:
            return f"`{path}` is not the file that the lock names"
    return None


def _ask(tool: LockedTool, arguments: str) -> bool | None:
    """Ask whoever sits at the terminal; None where nobody does."""
    try:
        if not os.isatty(2):
            return None
        with open("/dev/tty", "r+b", buffering=0) as terminal:
            terminal.write(f"{tool.name} {arguments[:2000]}\nrun it? [y/N] ".encode())
            return terminal.readline(64).strip().lower() in (b"y", b"yes")
    except OSError:
        return None


def _read_input() -> str | None:
    """Standard input, whole; a terminal and a closed input are an empty object. None where it is not UTF-8."""
    if os.isatty(0):
        return "{}"
    data = bytearray()
    while True:
        try:
            chunk = os.read(0, 1 << 16)
        except BlockingIOError:  # whoever started this may have set its pipes so
            _wait_for(0, writing=False)
            continue
        except OSError as error:
            # Never an empty object: the tool would run with arguments that nobody gave.
            raise _UsageError(f"standard input cannot be read: {error.strerror}") from None
        if not chunk:
            break
        data += chunk
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _write(text: str) -> int:
    """Print to standard output; the exit status that follows from it."""
    data = memoryview(text.encode("utf-8"))
    while data:
        try:
            data = data[os.write(1, data) :]
        except BlockingIOError:
            _wait_for(1, writing=True)
        except BrokenPipeError:  # the reader has gone, and nobody is left to be told
            return FAILED
        except OSError as error:
            _say(f"standard output cannot be written: {error.strerror}")
            return FAILED
    return OK


def _wait_for(descriptor: int, *, writing: bool) -> None:
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLOUT if writing else select.POLLIN)
    poll.poll()


def _say(text: str) -> None:
    try:
        os.write(2, f"{text}\n".encode())
    except OSError:
        return


def _catch_signals() -> None:
    def stop(number: int, _frame: object) -> None:
        # One is enough: another must not interrupt the ending of what was started.
        for each in _STOPPING:
            _handle(each, _ignore)
        if _interrupt.cancel is None:
            raise _Stopped(number)
        _interrupt.number = number
        os.write(_interrupt.cancel, b"x")

    for number in _STOPPING:
        _handle(number, stop)
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)  # a parent that ignores it would cost us the exit status


def _ignore(_number: int, _frame: object) -> None:
    return


def _open_streams() -> None:
    """Put something in the place of a stream that was closed: a pipe of ours would get its number."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def _handle(number: int, handler: Callable[[int, object], None] | None) -> None:
    """Handle a signal; None: as the system does. One that is ignored on purpose, as `nohup` does, stays so."""
    if _signal.getsignal(number) != _signal.SIG_IGN:
        _signal.signal(number, _signal.SIG_DFL if handler is None else handler)


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return "/"
