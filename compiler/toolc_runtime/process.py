"""Run one command to its end: what to run, what to feed it and a deadline go in, a typed outcome comes out.

Three events are kept apart: the program ends, its output ends, its time ends. A call is over when the program has ended
and its output has, or a short grace after it; or when its time is up, and then at most a second and a half later.
"""

from __future__ import annotations

import os
import select
import time

from .child import SIGKILL, SIGTERM, Child, spawn
from .output import CEILING_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .child import Spawn
    from .output import Capture

CHUNK_BYTES = 64 << 10
DRAIN_GRACE_S = 0.25  # how long output may trail a program that has ended
KILL_AFTER_S = 1.0  # between TERM and KILL
REAP_WITHIN_S = 0.4
LONGEST_PAUSE_S = 3600.0  # `poll` takes no more than an int of milliseconds
_POLL_S = 0.02  # where the system cannot tell us that a process ended
_CLOSED = -1  # in place of a descriptor that is closed: its number may by now be another file's


class Command:
    """What to run, and how."""

    __slots__ = ("argv", "background", "call_id", "cwd", "env", "program", "stdin")

    def __init__(
        self,
        *,
        program: str,
        argv: Sequence[str],
        env: Mapping[str, str],
        cwd: str,
        stdin: bytes,
        background: str,
        call_id: str,
    ) -> None:
        self.program = program
        self.argv = argv
        self.env = env
        self.cwd = cwd
        self.stdin = stdin
        self.background = background
        self.call_id = call_id


class Outcome:
    """How a command ended. `ending` is `exited`, `timeout`, `output-limit` or `cancelled`."""

    __slots__ = ("drained", "ending", "exit_code", "signal", "survivors")

    def __init__(
        self, *, ending: str, returncode: int | None, drained: bool = True, survivors: Sequence[int] = ()
    ) -> None:
        self.ending = ending
        self.exit_code = returncode if returncode is not None and returncode >= 0 else None
        self.signal = -returncode if returncode is not None and returncode < 0 else None
        self.drained = drained  # False: something still held the output when the call returned
        self.survivors = tuple(survivors)  # processes that were left running, by number


def run(
    command: Command, capture: Capture, *, deadline: float, wake: Sequence[int] = (), start: Spawn = spawn
) -> Outcome:
    """Run a command; its output goes to `capture`. Raises `OSError` where it cannot be started.

    `deadline` is by the monotonic clock. A readable descriptor in `wake` cancels the call.
    """
    return _Run(command, capture, deadline, wake, start).to_its_end()


class _Run:
    """The state of one running command."""

    def __init__(self, command: Command, capture: Capture, deadline: float, wake: Sequence[int], start: Spawn) -> None:
        self.command = command
        self.capture = capture
        self.deadline = deadline
        self.wake = wake
        self.ending = "exited"
        self.exited_at: float | None = None
        self.kill_at: float | None = None  # set with the TERM
        self.killed = False
        self.rest = memoryview(command.stdin)
        self.open: set[int] = set()
        try:
            child_in, self.input = self._pipe()
            self.output, child_out = self._pipe()
            os.set_blocking(self.input, False)
            os.set_blocking(self.output, False)
            # What fits is written before the start: a program that ends at once cannot break this pipe.
            self._write()
            self.child: Child = start(
                command.program, command.argv, env=command.env, cwd=command.cwd, stdin=child_in, output=child_out
            )
        except BaseException:
            self._close(*self.open)
            raise
        self._close(child_in, child_out)

    def to_its_end(self) -> Outcome:
        """Feed, read and wait; then leave nothing behind but what is to be kept."""
        try:
            self._pump()
        except BaseException:  # Ctrl-C or SIGTERM in the host: what it started must not outlive it
            self._end_in_haste()
            raise
        keep = self.ending == "exited" and self.command.background == "keep"
        drained = self.output == _CLOSED
        if not keep:
            self.child.signal_group(SIGKILL)
            if self.ending != "exited" or not drained or self.child.lost:
                kill_session(self.child.pid)
            self._read()  # what the killed had still written
        self._close(*self.open)
        left = survivors(self.child.pid, self.command.call_id) if keep else ()
        self.child.reap(REAP_WITHIN_S)
        return Outcome(ending=self.ending, returncode=self.child.returncode, drained=drained, survivors=left)

    def _pump(self) -> None:
        poll = select.poll()
        poll.register(self.output, select.POLLIN)
        if self.input != _CLOSED:
            poll.register(self.input, select.POLLOUT)
        if self.child.watched:
            poll.register(self.child.pidfd, select.POLLIN)
        for descriptor in self.wake:
            poll.register(descriptor, select.POLLIN)
        while not self._is_over():
            ready = {descriptor for descriptor, _ in poll.poll(self._pause_ms())}
            output, input_ = self.output, self.input
            if output in ready and not self._read():
                poll.unregister(output)
            if input_ in ready and not self._write():
                poll.unregister(input_)
            if self.exited_at is None and self.child.has_exited():
                self.exited_at = time.monotonic()
                if self.child.watched:
                    poll.unregister(self.child.pidfd)
            if self.kill_at is None:
                self._stop_if_needed(cancelled=not ready.isdisjoint(self.wake))
                if self.kill_at is not None:
                    for descriptor in self.wake:
                        poll.unregister(descriptor)

    def _stop_if_needed(self, *, cancelled: bool) -> None:
        if self.exited_at is not None:
            return
        if cancelled:
            self.ending = "cancelled"
        elif self.capture.size_bytes > CEILING_BYTES:
            self.ending = "output-limit"
        elif time.monotonic() >= self.deadline:
            self.ending = "timeout"
        else:
            return
        self.kill_at = time.monotonic() + KILL_AFTER_S
        self.child.signal_group(SIGTERM)

    def _is_over(self) -> bool:
        now = time.monotonic()
        if self.kill_at is not None and now >= self.kill_at and not self.killed:
            self.killed = True
            self.child.signal_group(SIGKILL)
        if self.exited_at is None:
            return self.killed and self.kill_at is not None and now >= self.kill_at + REAP_WITHIN_S
        return self.output == _CLOSED or now >= self._drained_by(self.exited_at)

    def _drained_by(self, exited_at: float) -> float:
        end = exited_at + DRAIN_GRACE_S
        return end if self.kill_at is not None else min(end, max(self.deadline, exited_at))

    def _pause_ms(self) -> float:
        now = time.monotonic()
        if self.exited_at is not None:
            until = self._drained_by(self.exited_at)
        elif self.kill_at is None:
            until = self.deadline
        else:
            until = self.kill_at if not self.killed else self.kill_at + REAP_WITHIN_S
        if self.exited_at is None and not self.child.watched:
            until = min(until, now + _POLL_S)
        return min(max(0.0, until - now), LONGEST_PAUSE_S) * 1000 + 1

    def _read(self) -> bool:
        """Take what is there; False when the output has ended."""
        if self.output == _CLOSED:
            return False
        # A flood must not keep us from the clock, so no more than a few chunks at a time.
        for _ in range(16):
            try:
                chunk = os.read(self.output, CHUNK_BYTES)
            except BlockingIOError:
                return True
            if not chunk:
                self._close(self.output)
                self.output = _CLOSED
                return False
            self.capture.feed(chunk)
        return True

    def _write(self) -> bool:
        """Give what is taken; False when the input is finished with, all of it taken or not."""
        try:
            while self.rest:
                self.rest = self.rest[os.write(self.input, self.rest[:CHUNK_BYTES]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:  # the program does not read its input, or no more of it
            self.rest = self.rest[:0]
        self._close(self.input)
        self.input = _CLOSED
        return False

    def _end_in_haste(self) -> None:
        try:
            self.child.signal_group(SIGTERM)
            end = time.monotonic() + KILL_AFTER_S
            while time.monotonic() < end and not self.child.has_exited():
                time.sleep(0.01)
        finally:  # a second Ctrl-C ends the waiting, not the killing
            self.child.signal_group(SIGKILL)
            kill_session(self.child.pid)
            self.child.reap(REAP_WITHIN_S)
            self._close(*self.open)

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self.open.update(ends)
        return ends

    def _close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            if descriptor in self.open:
                self.open.discard(descriptor)
                os.close(descriptor)


def survivors(leader: int, call_id: str | None = None) -> list[int]:
    """The processes of a call that still run, by number: those of its session and, with `call_id`, of its mark.

    Where there is no `/proc` this is not known, and empty.
    """
    mark = f"TOOLC_CALL_ID={call_id}".encode("utf-8", "surrogateescape")
    found = []
    try:
        numbers = sorted(int(name) for name in os.listdir("/proc") if name.isdecimal())
    except OSError:
        return []
    for pid in numbers:
        if pid == leader or pid == os.getpid():
            continue
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                # The program's name stands in brackets and may hold anything, brackets and blanks too.
                state, _, group, session = file.read().rpartition(b")")[2].split()[:4]
            if state in (b"Z", b"X"):
                continue
            if int(group) == leader or int(session) == leader:
                found.append(pid)
                continue
            if call_id is None or pid < leader:  # numbers rise: what has left the session was started after its leader
                continue
            with open(f"/proc/{pid}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    found.append(pid)
        except (OSError, ValueError):
            continue
    return found


def kill_session(leader: int) -> None:
    """Kill what is of a leader's session and not of its group: a shell with job control gives each job its own."""
    for pid in survivors(leader):
        try:
            os.kill(pid, SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
