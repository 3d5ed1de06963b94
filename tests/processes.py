"""What a test asks of the processes and descriptors that a call may have left behind."""

from __future__ import annotations

import os
import time
from pathlib import Path

from toolc_runtime import Result


def kind(result: Result) -> str | None:
    return result.error.kind if result.error is not None else None


def running(mark: str) -> list[int]:
    """The processes whose command line holds a mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                line = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_bytes().rpartition(b")")[2].split()[0]
            except OSError:
                continue
            if mark.encode() in line and state != b"Z":
                found.append(int(entry.name))
    return found


def gone(mark: str) -> bool:
    """Whether the marked processes end; a killed process takes a moment to."""
    end = time.monotonic() + 2
    while running(mark) and time.monotonic() < end:
        time.sleep(0.01)
    return not running(mark)


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def zombies() -> list[int]:
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return [pid for pid in map(int, path.read_text().split()) if b") Z" in Path(f"/proc/{pid}/stat").read_bytes()]
