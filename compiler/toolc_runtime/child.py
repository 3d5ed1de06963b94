"""One child process: a program, its variables and its descriptors go in, the leader of a session of its own comes out.

Nothing here waits for ever, and a process is signalled only while it has not been reaped: until then its number, and
its group's, cannot belong to anybody else.
"""

from __future__ import annotations

import errno
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Spawn = Callable[..., "Child"]

# `signal` costs an enum for each number; these four are the same on every POSIX system.
SIGHUP, SIGINT, SIGKILL, SIGTERM = 1, 2, 9, 15

# What the system has too little of for now: files of this process or of all, processes, memory.
NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM})

_ABSENT_PIDFD = -1
_unreaped: list[int] = []  # processes that outlived even their KILL (stuck in the kernel); tried again at each spawn


class Child:
    """A process of its own session and group, not yet reaped."""

    __slots__ = ("_reaped", "lost", "pid", "pidfd", "returncode")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None  # negative: the signal that ended it
        # Whether somebody else reaped it, and its status with it: a host that ignores SIGCHLD, or waits for children
        # that are not its own.
        self.lost = False
        self._reaped = False
        self.pidfd = _ABSENT_PIDFD
        if hasattr(os, "pidfd_open"):
            try:
                self.pidfd = os.pidfd_open(pid)
            except OSError:  # no descriptors left, or forbidden by the container: polled instead
                self.pidfd = _ABSENT_PIDFD

    @property
    def watched(self) -> bool:
        """Whether `pidfd` becomes readable when the process ends."""
        return self.pidfd != _ABSENT_PIDFD

    def has_exited(self) -> bool:
        """Whether the process has ended. It is left unreaped, so that its group can still be signalled."""
        if self._reaped:
            return True
        if not hasattr(os, "waitid"):  # macOS
            return self._collect(os.WNOHANG)
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            self._reaped = self.lost = True
            return True

    def signal_group(self, number: int) -> None:
        """Signal every process of the group."""
        if self._reaped:
            return
        # 0, 1 and -1 would reach the host itself, or everything.
        assert self.pid > 1, "a child has a number of its own"
        try:
            if os.getpgid(self.pid) != os.getpgrp():
                os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def signal_alone(self, number: int) -> None:
        """Signal this process and nothing that it started."""
        if self._reaped:
            return
        try:
            os.kill(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def reap(self, within_s: float) -> None:
        """Collect the status of a process that has ended or was killed; give up after so many seconds."""
        end = time.monotonic() + within_s
        pause = 0.0005
        while not self._reaped and not self._collect(os.WNOHANG):
            if time.monotonic() >= end:
                _unreaped.append(self.pid)
                break
            time.sleep(pause)
            pause = min(pause * 2, 0.02)
        if self.watched:
            os.close(self.pidfd)
            self.pidfd = _ABSENT_PIDFD

    def _collect(self, options: int) -> bool:
        try:
            pid, status = os.waitpid(self.pid, options)
        except ChildProcessError:
            self._reaped = self.lost = True
            return True
        if pid == 0:
            return False
        self._reaped = True
        self.returncode = os.waitstatus_to_exitcode(status)
        return True


def spawn(program: str, argv: Sequence[str], *, env: Mapping[str, str], cwd: str, stdin: int, output: int) -> Child:
    """Start a program from a host that may have threads. Both its streams are `output`. Raises `OSError`."""
    import subprocess

    _collect_leftovers()
    started = subprocess.Popen(
        argv,
        executable=program,
        stdin=stdin,
        stdout=output,
        stderr=output,
        env=env,
        cwd=cwd,
        close_fds=True,
        start_new_session=True,
    )
    child = Child(started.pid)
    # The process is ours from here on: `Popen` would warn that nobody waited for it, and wait itself.
    started.returncode = 0
    return child


def spawn_alone(
    program: str, argv: Sequence[str], *, env: Mapping[str, str], cwd: str, stdin: int, output: int
) -> Child:
    """Start a program from a process that is ours alone: it has no threads, so it may change its own folder.

    Several times cheaper than `spawn`, which loads `subprocess`.
    """
    os.chdir(cwd)
    # Signals that this process inherited as ignored stay ignored through exec; a tool expects none to be.
    stop = 19 if sys.platform == "linux" else 17
    defaults = [number for number in range(1, 32) if number not in (SIGKILL, stop)]
    pid = os.posix_spawn(
        program,
        list(argv),
        env,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, stdin, 0),
            (os.POSIX_SPAWN_DUP2, output, 1),
            (os.POSIX_SPAWN_DUP2, output, 2),
        ],
        setsid=True,
        setsigdef=defaults,
        setsigmask=(),
    )
    return Child(pid)


def find_program(word: str, *, path: str, folder: str) -> str:
    """The file that a command's first word names: `./x` in the tool's folder, a bare word on its PATH.

    Raises `OSError` with the reason the last candidate could not be run.
    """
    if "/" in word:
        return os.path.join(folder, word)
    reason = errno.ENOENT
    for place in path.split(os.pathsep):
        if not place:
            continue
        candidate = os.path.join(folder, place, word)
        if os.access(candidate, os.X_OK) and not os.path.isdir(candidate):
            return candidate
        if os.path.isfile(candidate):
            reason = errno.EACCES
    raise OSError(reason, os.strerror(reason), word)


def why_not_started(error: OSError, word: str, program: str | None) -> str:
    """What is so when a program cannot be started, in words."""
    if error.errno == errno.ENOENT:
        if program is None:
            return f"`{word}` is not found on the tool's PATH"
        if not os.path.exists(program):
            return f"`{word}` is not there"
        line = _first_line(program)
        if line.startswith("#!") and line.endswith("\r"):
            return f"the first line of `{word}` ends with a carriage return, so its interpreter is not found"
        interpreter = line[2:].split()[0] if line[2:].split() else "its interpreter"
        return f"`{interpreter}`, which `{word}` names in its first line, is not there"
    if error.errno == errno.EACCES and program is not None and os.path.isdir(program):
        return f"`{word}` is a folder"
    if error.errno == errno.EACCES:
        return f"`{word}` is not executable"
    if error.errno == errno.ENOEXEC:
        return f"`{word}` is no program: its first line does not begin with `#!`"
    return f"`{word}` cannot be started: {error.strerror}"


def _first_line(program: str) -> str:
    try:
        with open(program, "rb") as file:
            return file.readline(256).rstrip(b"\n").decode("utf-8", "replace")
    except OSError:
        return ""


def _collect_leftovers() -> None:
    for pid in list(_unreaped):
        try:
            done = os.waitpid(pid, os.WNOHANG)[0] != 0
        except ChildProcessError:
            done = True
        if done and pid in _unreaped:
            _unreaped.remove(pid)
