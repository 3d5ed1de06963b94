"""The workers of a toolset: a call takes a warm one or waits for it, and gives it back if it is still good."""

from __future__ import annotations

import os
import threading
import time

from .worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_WORKERS = 8


class Full(Exception):
    """Every worker was busy for as long as the call could wait."""


class Pool:
    """Up to one worker for each processor, started when they are needed. The last one used goes out first."""

    def __init__(self, start: Callable[[], Worker]) -> None:
        self._start = start
        self._room = threading.Condition()
        self._idle: list[Worker] = []
        self._busy = 0
        self._size = max(2, min(_MOST_WORKERS, os.cpu_count() or 1))
        self._closed = False

    def take(self, deadline: float) -> Worker:
        """A worker of the caller's own. Raises `Full`, and `OSError` where none can be started."""
        with self._room:
            while self._busy >= self._size:
                if not self._room.wait(deadline - time.monotonic()):
                    raise Full
            self._busy += 1
            while self._idle:
                worker = self._idle.pop()
                if not worker.child.has_exited():
                    return worker
                worker.retire(keep=False)
        try:
            return self._start()
        except BaseException:
            self._leave()
            raise

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

    def _leave(self) -> None:
        with self._room:
            self._busy -= 1
            self._room.notify_all()
