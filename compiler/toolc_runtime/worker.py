"""The outside of a worker: a process that calls Python tools, one at a time, and can be ended at any moment."""

from __future__ import annotations

import os
import select
import sys
import time

from . import channel
from .child import SIGKILL, Child, spawn
from .output import CEILING_BYTES
from .process import CHUNK_BYTES, LONGEST_PAUSE_S, REAP_WITHIN_S, kill_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .jsontext import Json
    from .output import Capture

_POLL_S = 0.02


class Ended(Exception):
    """A worker that is of no more use. `reason` is `timeout`, `cancelled`, `output-limit`, `crashed` or `protocol`."""

    def __init__(self, reason: str, returncode: int | None = None) -> None:
        self.reason = reason
        self.returncode = returncode
        super().__init__(reason)


class Worker:
    """A running worker: its process, the channel to it, and the pipe of what its tools print."""

    def __init__(self, child: Child, channel_fd: int, output_fd: int) -> None:
        self.child = child
        self.channel = channel_fd
        self.output = output_fd
        self.env: dict[str, str] = {}  # what its environment is, as far as this host set it
        self.known: set[str] = set()  # the layers whose files it was told of
        self.planned: set[str] = set()  # the tools whose conversions it was told of
        self.number = 0  # of the last request
        os.set_blocking(self.channel, False)
        os.set_blocking(self.output, False)

    @classmethod
    def start(cls, lib: str, *, env: Mapping[str, str], cwd: str) -> Worker:
        """Start a worker of the runtime in the folder `lib`. Raises `OSError`."""
        import socket  # a wrapper has a worker too, and no use for this

        argv = [sys.executable, "-I", "-B", "-u", "-X", "utf8", f"{lib}/toolc_runtime/boot.py"]
        ours, theirs = socket.socketpair()
        with ours, theirs:
            output, child_output = os.pipe()
            try:
                child = spawn(sys.executable, argv, env=env, cwd=cwd, stdin=theirs.fileno(), output=child_output)
            except BaseException:
                os.close(output)
                raise
            finally:
                os.close(child_output)
            worker = cls(child, ours.detach(), output)
        worker.env = dict(env)
        return worker

    def exchange(
        self, request: bytes, capture: Capture, *, deadline: float, wake: Sequence[int] = (), number: int | None = None
    ) -> dict[str, Json]:
        """Send a request and wait for the reply that has its number; what is printed meanwhile goes to `capture`.

        Raises `Ended`; the worker has then been killed.
        """
        try:
            reply = self._exchange(request, capture, deadline, wake)
            if reply.pop("number", None) != number:  # written by the tool, or by a child of an earlier one
                raise Ended("protocol")
            # The tool's streams are flushed before the answer is sent: what it printed is all here.
            self._take_output(capture)
        except Ended as ended:
            self.kill()
            self._take_output(capture)
            self.close()
            raise Ended(ended.reason, self.child.returncode) from None
        except BaseException:
            self.kill()
            self.close()
            raise
        return reply

    def kill(self) -> None:
        """End the worker and every process of its session."""
        self.child.signal_group(SIGKILL)
        kill_session(self.child.pid)
        self.child.reap(REAP_WITHIN_S)

    def retire(self, *, keep: bool) -> None:
        """End the worker; with `keep`, alone: what its tool started in the background goes on."""
        if keep:
            self.child.signal_alone(SIGKILL)
            self.child.reap(REAP_WITHIN_S)
        else:
            self.kill()
        self.close()

    @property
    def closed(self) -> bool:
        """Whether this host has finished with the worker."""
        return self.channel < 0

    def close(self) -> None:
        """Close this host's ends of the worker's channel and pipe."""
        for descriptor in (self.channel, self.output):
            if descriptor >= 0:
                os.close(descriptor)
        self.channel = self.output = -1

    def _exchange(self, request: bytes, capture: Capture, deadline: float, wake: Sequence[int]) -> dict[str, Json]:
        rest = memoryview(request)
        reader = channel.Reader()
        poll = select.poll()
        poll.register(self.channel, select.POLLIN | (select.POLLOUT if rest else 0))
        poll.register(self.output, select.POLLIN)
        if self.child.watched:
            poll.register(self.child.pidfd, select.POLLIN)
        for descriptor in wake:
            poll.register(descriptor, select.POLLIN)
        while True:
            now = time.monotonic()
            if now >= deadline:
                raise Ended("timeout")
            pause = deadline - now if self.child.watched else min(deadline - now, _POLL_S)
            ready = dict(poll.poll(min(pause, LONGEST_PAUSE_S) * 1000 + 1))
            if not ready.keys().isdisjoint(wake):
                raise Ended("cancelled")
            if self.output in ready and not self._take_output(capture):
                poll.unregister(self.output)  # the tool closed its streams
            if capture.size_bytes > CEILING_BYTES:
                raise Ended("output-limit")
            if rest and ready.get(self.channel, 0) & select.POLLOUT:
                rest = rest[self._write(rest) :]
                if not rest:
                    poll.modify(self.channel, select.POLLIN)
            if ready.get(self.channel, 0) & ~select.POLLOUT:
                chunk = self._read(self.channel)
                if chunk == b"":
                    raise Ended("crashed" if self._ends_within(REAP_WITHIN_S) else "protocol")
                try:
                    reply = reader.feed(chunk) if chunk else None
                except channel.ProtocolError:
                    raise Ended("protocol") from None
                if reply is not None:
                    return reply
            elif self.child.has_exited() if not ready or self.child.pidfd in ready else False:
                raise Ended("crashed")

    def _ends_within(self, seconds: float) -> bool:
        """Whether the process ends by itself. Its files are closed a moment before that can be seen."""
        end = time.monotonic() + seconds
        while not self.child.has_exited():
            if time.monotonic() >= end:
                return False
            time.sleep(0.002)
        return True

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self.channel, data[:CHUNK_BYTES])
        except BlockingIOError:
            return 0
        except (BrokenPipeError, ConnectionResetError):
            raise Ended("crashed") from None

    def _take_output(self, capture: Capture) -> bool:
        """Take what was printed so far; False when nothing more can come."""
        while chunk := self._read(self.output):
            capture.feed(chunk)
            if capture.size_bytes > CEILING_BYTES:
                return True
        return chunk is None

    @staticmethod
    def _read(descriptor: int) -> bytes | None:
        """The next bytes; None when there are none yet, empty at the end."""
        try:
            return os.read(descriptor, CHUNK_BYTES)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            return b""
