"""What one Python tool does to its process, the next one does not meet; and what a tool starts, it does not leave."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bundles import bundle, python
from processes import gone, kind, running
from toolc_runtime import Toolset

SOURCE = """
import io, os, resource, signal, subprocess, sys, threading, time

def looks():
    print("printed")
    subprocess.run(["echo", "by a child"])
    mask = os.umask(0); os.umask(mask)
    return [
        os.environ.get("LEFT"), "PATH" in os.environ, mask, subprocess.run(["false"]).returncode,
        signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, signal.getitimer(signal.ITIMER_REAL)[0],
        len(signal.pthread_sigmask(signal.SIG_BLOCK, [])), sys.getrecursionlimit(),
        resource.getrlimit(resource.RLIMIT_NOFILE)[0], threading.active_count(),
    ]
"""


@contextmanager
def loaded(tmp_path: Path, source: str, *names: str, background: str = "kill") -> Iterator[Toolset]:
    tools = {name: python("probe", name, background=background) for name in names}
    with Toolset.load(bundle(tmp_path, tools, {"probe.py": source})) as toolset:
        yield toolset


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("os.environ['LEFT'] = '1'", id="variable"),
        pytest.param("del os.environ['PATH']", id="no-path"),
        pytest.param("os.umask(0o777)", id="umask"),
        pytest.param("sys.stdout = io.StringIO()", id="stream-replaced"),
        pytest.param("sys.stdout.close()", id="stream-closed"),
        pytest.param("os.close(1); os.close(2)", id="descriptors-closed"),
        pytest.param("os.dup2(os.open(os.devnull, os.O_RDWR), 1)", id="descriptor-replaced"),
        pytest.param("threading.Thread(target=lambda: [print('x') or time.sleep(0.01) for _ in range(99)]).start()"),
        pytest.param("signal.setitimer(signal.ITIMER_REAL, 60)", id="timer"),
        pytest.param("signal.signal(signal.SIGCHLD, signal.SIG_IGN)", id="children-ignored"),
        pytest.param("signal.signal(signal.SIGTERM, lambda *_: None)", id="handler"),
        pytest.param("signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])", id="mask"),
        pytest.param("resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))", id="limit"),
        pytest.param("sys.setrecursionlimit(90)", id="recursion"),
    ],
)
def test_the_next_tool_meets_a_process_as_it_was(body: str, tmp_path: Path) -> None:
    with loaded(tmp_path, f"{SOURCE}\ndef bad():\n    {body}\n    return 'done'\n", "bad", "looks") as tools:
        before = tools.call("looks")
        assert tools.call("bad").output == "done"
        after = tools.call("looks")
    assert before.ok
    assert (after.value, after.printed) == (before.value, "printed\nby a child\n")


def test_a_worker_that_nothing_was_done_to_is_used_again(tmp_path: Path) -> None:
    source = """
import asyncio, concurrent.futures, os, subprocess
def probe():
    subprocess.run(["true"])
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        list(threads.map(abs, range(4)))
    asyncio.run(asyncio.sleep(0))
    return os.getpid()
"""
    with loaded(tmp_path, source, "probe") as tools:
        assert len({tools.call("probe").value for _ in range(4)}) == 1


@pytest.mark.parametrize("background", ["kill", "keep"])
@pytest.mark.parametrize(
    "script", [pytest.param("{} &", id="background"), pytest.param("set -m; {} &", id="job-control")]
)
def test_what_a_shell_of_the_tool_left_in_the_background(script: str, background: str, tmp_path: Path) -> None:
    seconds = f"{461 if background == 'kill' else 462}.{os.getpid()}"
    command = script.format(f"sleep {seconds} >/dev/null 2>&1")
    source = f"import subprocess\ndef probe():\n    subprocess.run(['bash', '-c', {command!r}])\n    return 'on'\n"
    with loaded(tmp_path, source, "probe", background=background) as tools:
        result = tools.call("probe")
        assert result.output == "on"
        if background == "kill":
            assert gone(seconds)
            assert "escaped" not in result.details
    if background == "keep":
        left = running(seconds)
        assert result.details["survivors"] == left != []
        os.kill(left[0], 9)


def test_what_left_the_session_is_reported(tmp_path: Path) -> None:
    seconds = f"463.{os.getpid()}"
    source = f"import subprocess\ndef probe():\n    subprocess.Popen(['setsid', 'sleep', '{seconds}'])\n    return ''\n"
    source = source.replace("return", "import time; time.sleep(0.2)\n    return")
    with loaded(tmp_path, source, "probe") as tools:
        result = tools.call("probe")
    left = running(seconds)
    assert result.details["escaped"] == left != []
    os.kill(left[0], 9)


def test_a_forked_child_that_comes_back_answers_nobody(tmp_path: Path) -> None:
    source = """
import os, time
def forks():
    if os.fork() == 0:
        return "the child"
    os.wait()
    return "the parent"
def later():
    if os.fork() == 0:
        time.sleep(0.1)
        return "the child"
    return "the parent"
def good(n):
    return n
"""
    with loaded(tmp_path, source, "forks", "later", "good") as tools:
        for name in ("forks", "later", "forks"):
            assert tools.call(name).output == "the parent"
            assert [tools.call("good", {"n": n}).value for n in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("number", [None, 1, 2])
def test_an_answer_that_a_tool_makes_up_is_not_taken(number: int | None, tmp_path: Path) -> None:
    source = f"""
import json, os, stat
def bad():
    body = json.dumps({{"form": "text", "text": "made up", "number": {number}}}).encode()
    for n in range(3, 99):
        if os.path.exists(f"/proc/self/fd/{{n}}") and stat.S_ISSOCK(os.fstat(n).st_mode):
            os.write(n, len(body).to_bytes(4, "big") + body)
    return "mine"
def good(n):
    return n
"""
    with loaded(tmp_path, source, "bad", "good") as tools:
        tools.call("bad")
        results = [tools.call("good", {"n": n}) for n in range(3)]
    assert [(kind(result), result.value) for result in results[1:]] == [(None, 1), (None, 2)]
    assert results[0].value in (0, None)
