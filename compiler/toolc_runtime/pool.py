"""The workers of a toolset: a call takes a warm one or waits for it, and gives it back if it is still good."""

from __future__ import annotations

import os
import select
import threading
import time

from .worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MOST_WORKERS = 8
_LOOK_EVERY_S = 0.05  # a condition cannot be waited for together with descriptors


class Full(Exception):
    """Every worker was busy for as long as the call could wait."""


class Cancelled(Exception):
    """The call was called off while it waited."""


class Pool:
    """Up to one worker for each processor, started when they are needed. The last one used goes out first."""

    def __init__(self, start: Callable[[], Worker]) -> None:
        self._start = start
        self._room = threading.Condition()
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()  # idle and busy; the closed ones leave it in time
        self._busy = 0
        self._size = max(2, min(_MOST_WORKERS, os.cpu_count() or 1))
        self._closed = False

    def take(self, deadline: float, wake: Sequence[int] = ()) -> Worker:
        """A worker of the caller's own. A readable descriptor in `wake` ends the waiting.

        Raises `Full`, `Cancelled`, and `OSError` where no worker can be started.
        """
        with self._room:
            while self._busy >= self._size:
                if _is_readable(wake):
                    raise Cancelled
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Full
                self._room.wait(min(left, _LOOK_EVERY_S))
            self._busy += 1
            self._workers.difference_update([worker for worker in self._workers if worker.closed])
            while self._idle:
                worker = self._idle.pop()
                if not worker.child.has_exited():
                    return worker
                worker.retire(keep=False)
        try:
            worker = self._start()
        except BaseException:
            self._leave()
            raise
        with self._room:
            self._workers.add(worker)
        return worker

    def give_back(self, worker: Worker | None) -> None:
        """Return a worker; None for one that is gone."""
        if worker is not None:
            with self._room:
                if not self._closed:
                    self._idle.append(worker)
                    worker = None
            if worker is not None:
                worker.retire(keep=False)
        self._leave()

    def close(self, within_s: float = 0.0) -> None:
        """End the idle workers, and the busy ones as they come back; wait for these so long."""
        end = time.monotonic() + within_s
        with self._room:
            self._closed = True
            idle, self._idle = self._idle, []
            while self._busy and self._room.wait(end - time.monotonic()):
                pass
        for worker in idle:
            worker.retire(keep=False)

    def disown(self) -> None:
        """In a child that the host forked: close the ends of its parent's workers, which are not this process's."""
        for worker in self._workers:
            worker.close()

    def _leave(self) -> None:
        with self._room:
            self._busy -= 1
            self._room.notify_all()


def _is_readable(descriptors: Sequence[int]) -> bool:
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
