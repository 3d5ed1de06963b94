"""Exit statuses: a command runs in here, and whatever ends it becomes a status and, for the user, words."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from types import FrameType

import click

from toolc.cli.console import OutputNotWritable, style_of, talk, write
from toolc.codes import CATALOGUE, SYSTEM_REFUSED
from toolc.errors import ToolcError
from toolc.render.style import clean

DONE, NO, USAGE, COULD_NOT, BUG, INTERRUPTED = 0, 1, 2, 3, 70, 130

TABLE = """\
Exit status:
  0    done
  1    the answer is no: errors found, a stale lock, a bundle that differs, a tool that failed
  2    the command line is not understood
  3    could not run: a lock that cannot be read, an output that cannot be written
  70   a bug in toolc; TOOLC_DEBUG=1 shows where
  130  interrupted (143: terminated)
"""


class Terminated(BaseException):
    """SIGTERM or SIGHUP, as an exception: what is half written or still runs is cleaned up on the way out."""

    def __init__(self, signum: int) -> None:
        self.signum = signum
        super().__init__(signum)


def run(command: Callable[[], object], arguments: Sequence[str]) -> int:
    """Run a command, report what stopped it, and return the exit status. `arguments` tell the form of the report."""
    with _terminable():
        try:
            status = command()
            return status if isinstance(status, int) else DONE
        except click.exceptions.NoArgsIsHelpError as error:
            talk(f"{error.format_message()}\n")
            return USAGE
        except click.ClickException as error:
            usage = _usage(error.ctx) if isinstance(error, click.UsageError) and error.ctx is not None else None
            return _failed(USAGE, "usage", error.format_message(), arguments, usage=usage)
        except ToolcError as error:
            return _failed(error.exit_status, error.code, str(error), arguments)
        except (click.Abort, KeyboardInterrupt):
            return INTERRUPTED
        except Terminated as terminated:
            return 128 + terminated.signum
        except SystemExit:
            # Only click exits so, having shown what it shows itself: `--help` to a reader that went away, a completion.
            return DONE
        except MemoryError as error:
            return _failed(COULD_NOT, SYSTEM_REFUSED.id, "there is not enough memory", arguments, bug=error)
        except OSError as error:
            # No place in the code expected it: a full disk, a limit, a file that vanished. No bug of ours either.
            where = f"`{error.filename}`: " if error.filename is not None else ""
            words = f"{where}{os.strerror(error.errno or 0)}"
            return _failed(COULD_NOT, SYSTEM_REFUSED.id, words, arguments, bug=error)
        except Exception as error:
            words = f"this is a bug in toolc: {type(error).__name__}: {error}"
            return _failed(BUG, "bug", words, arguments, bug=error)


def _failed(
    status: int,
    code: str,
    message: str,
    arguments: Sequence[str],
    *,
    usage: str | None = None,
    bug: BaseException | None = None,
) -> int:
    colour = next((value for value in _values("--color", arguments) if value in ("always", "never")), "auto")
    head = style_of(sys.stderr, colour).paint(f"error[{code}]" if code in CATALOGUE else "error", "error")
    lines = [usage, ""] if usage is not None else []
    lines.append(f"{head}: {clean(message)}")
    if bug is not None and os.environ.get("TOOLC_DEBUG") == "1":
        lines = ["".join(traceback.format_exception(bug)).rstrip(), *lines]
    elif status == BUG:
        lines.append("TOOLC_DEBUG=1 shows where it happened; please report it with that.")
    talk("\n".join(lines) + "\n")
    with suppress(OutputNotWritable):  # it cannot be told: the status has to do
        _record(code, message, arguments)
    return status


def _usage(context: click.Context) -> str:
    return f"{context.get_usage()}\nTry `{context.command_path} --help`."


def _values(option: str, arguments: Sequence[str]) -> list[str]:
    """What a command line gives for an option, be the rest of it understood or not."""
    apart = [value for flag, value in pairwise(arguments) if flag == option]
    joined = [argument.removeprefix(f"{option}=") for argument in arguments if argument.startswith(f"{option}=")]
    return [*apart, *joined]


def _record(code: str, message: str, arguments: Sequence[str]) -> None:
    """Write the failure as JSON where the command line asks for JSON, which may be one that could not be parsed."""
    record = None
    for value in _values("--format", arguments):
        form, _, file = value.partition("=")
        if form != "json":
            continue
        if record is None:
            from toolc.render import records

            record = records.dumps(records.failure(code, message))
        if not file:
            write(sys.stdout, record)
            continue
        with suppress(OSError):  # the words on stderr say what happened
            Path(file).write_text(record, encoding="utf-8", newline="\n")


@contextmanager
def _terminable() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminate(signum: int, _frame: FrameType | None) -> None:
        raise Terminated(signum)

    names = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    # What the caller ignores stays ignored: `nohup toolc ...` is to go on.
    previous = {
        number: signal.signal(number, terminate) for number in numbers if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
