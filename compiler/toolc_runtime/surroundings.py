"""What belongs to a process as a whole: taken before a call and after it, and compared.

A warm worker keeps its modules from call to call; that is what it is for. But what one tool did to the process itself
(its variables, streams, signals, limits, threads) the next tool must not meet, so after that the worker is not used
again.
"""

from __future__ import annotations

# `signal` itself makes enums of all its numbers first; typeshed knows only that one.
import _signal  # type: ignore[import-not-found]
import _thread
import os
import resource
import sys

_SIGNALS = range(1, 32)
_IGNORED_BY_PYTHON = {_signal.SIGPIPE, _signal.SIGXFSZ}
_LIMITS = (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)


def surroundings() -> tuple[object, ...]:
    """Everything that is compared. Equal before and after: the worker is as good as it was."""
    umask = os.umask(0o077)
    os.umask(umask)
    return (
        dict(getattr(os.environ, "_data", os.environ)),  # as bytes: to decode them all costs more than the rest here
        *((stream, getattr(stream, "closed", None)) for stream in (sys.stdin, sys.stdout, sys.stderr)),
        *(_file(descriptor) for descriptor in (0, 1, 2)),
        umask,
        _thread._count(),
        [_signal.getsignal(number) for number in _SIGNALS],
        _signal.pthread_sigmask(_signal.SIG_BLOCK, ()),
        _signal.getitimer(_signal.ITIMER_REAL) == (0.0, 0.0),  # what is left of a running timer is never twice the same
        [resource.getrlimit(limit) for limit in _LIMITS],
        sys.getrecursionlimit(),
    )


def restore_signals() -> None:
    """Let every signal do what it does by itself: what a host ignores or holds back is its own affair."""
    for number in _SIGNALS:
        if _signal.getsignal(number) == _signal.SIG_IGN and number not in _IGNORED_BY_PYTHON:
            _signal.signal(number, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def children_so_far() -> object:
    """Changes with every child process that was waited for."""
    return resource.getrusage(resource.RUSAGE_CHILDREN)


def has_children() -> bool:
    """Whether there is a child process that was not waited for, ended or not."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _file(descriptor: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(descriptor)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)
