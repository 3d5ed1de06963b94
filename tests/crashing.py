"""Build again and again in child processes, each stopped at another call to the system, and see what is left each time.

    python crashing.py FOLDER kill|fail|interrupt

`kill` ends the child as `kill -9` does; at `fail` the disk is full for one call; `interrupt` is Ctrl-C. What is found
wrong is an AssertionError; the answer is how many builds were stopped. A program of its own, because it forks.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import toolsets
from toolc import lock
from toolc.emit import wrappers, write_bundle
from toolc.errors import ToolcError
from toolc.model import Toolset
from toolsets import Project, snapshot

assert wrappers.__name__, "loaded here once, and not by every child"

CALLS = frozenset({"open", "os.mkdir", "os.chmod", "os.rename", "os.remove", "os.rmdir", "os.scandir", "ctypes.dlsym"})
DONE, REFUSED, INTERRUPTED = 0, 3, 130
SAMPLE = 20


def audit(folder: Path, how: str, act: Callable[[str, int], None]) -> None:
    """Give `act` each call to the system that `how` can stop, and its number, before it is made."""
    numbers = itertools.count()

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in CALLS and (how != "fail" or needs_space(folder, event, arguments)):
            act(event, next(numbers))

    sys.addaudithook(hook)


def needs_space(folder: Path, event: str, arguments: tuple[object, ...]) -> bool:
    """Whether a full disk would refuse a call."""
    path, last = arguments[0], arguments[-1]
    if not isinstance(path, str | os.PathLike) or not os.fspath(path).startswith(str(folder)):
        return False
    return event in {"os.mkdir", "os.rename"} or (event == "open" and isinstance(last, int) and bool(last & os.O_CREAT))


def stop_at(folder: Path, how: str, point: int) -> None:
    """Let this process, or the call it makes, be stopped at one of its calls."""

    def act(_: str, number: int) -> None:
        if number != point:
            return
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "interrupt":
            raise KeyboardInterrupt
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    audit(folder, how, act)


def in_child(project: Project, toolset: Toolset, prepare: Callable[[], object]) -> int:
    """Build in a child process; its exit status, or minus the signal that ended it."""
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            prepare()
            write_bundle(toolset, lock.encode(toolset), [project.layer], project.out)
            status = DONE
        except ToolcError as error:
            status = REFUSED if "the disk is full" in str(error) else 70
        except KeyboardInterrupt:
            status = INTERRUPTED
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def calls_of_a_build(project: Project, toolset: Toolset, how: str) -> list[str]:
    """The calls that a build makes and that can be stopped, in order."""
    log = project.root / "calls"

    def write_down() -> None:
        file = log.open("w")
        audit(project.out.parent, how, lambda event, _: print(event, file=file, flush=True))

    assert in_child(project, toolset, write_down) == DONE
    return log.read_text().split()


def points(calls: list[str]) -> list[int]:
    """Where to stop: about the first and last call of each kind, and at others by chance."""
    edges = {calls.index(kind) for kind in set(calls)} | {
        len(calls) - 1 - calls[::-1].index(kind) for kind in set(calls)
    }
    around = {point + step for point in edges for step in (-1, 0, 1)} & set(range(len(calls)))
    rest = sorted(set(range(len(calls))) - around)
    return sorted(around | set(random.Random(1).sample(rest, min(SAMPLE, len(rest)))))


def main(folder: Path, how: str) -> int:
    """Stop builds over an old bundle, and look; the number of builds that were stopped."""
    project = toolsets.project(folder)
    project.build()
    old = snapshot(project.out)
    shutil.copytree(project.out, folder / "old")
    (folder / "team/words.py").write_text(toolsets.WORDS.replace("words", "terms"))
    (folder / "team/more.py").write_text("X = 1\n")
    project.build(folder / "reference/toolset")
    new = snapshot(folder / "reference/toolset")
    toolset = project.toolset
    calls = calls_of_a_build(project, toolset, how)
    stopped = 0
    for point in points(calls):
        shutil.rmtree(project.out.parent)
        shutil.copytree(folder / "old", project.out)
        status = in_child(project, toolset, partial(stop_at, project.out.parent, how, point))
        where = f"{how} at call {point} of {len(calls)}, {calls[point]}"
        left = snapshot(project.out)
        assert status in (DONE, -signal.SIGKILL, INTERRUPTED, REFUSED), f"{where}: status {status}"
        assert left in (old, new), f"{where}: neither the old nor the new bundle"
        if status == DONE:
            assert left == new, f"{where}: said to be done"
        if status == REFUSED:
            assert left == old, f"{where}: said to have failed"
        if status == REFUSED or (status == INTERRUPTED and left == old):
            assert [path.name for path in project.out.parent.iterdir()] == ["toolset"], f"{where}: something is left"
        stopped += status != DONE
        assert in_child(project, toolset, int) == DONE, f"{where}: the next build fails"
        assert snapshot(project.out) == new, f"{where}: the next build does not mend it"
        assert [path.name for path in project.out.parent.iterdir()] == ["toolset"], f"{where}: something stays"
    return stopped


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2]))
