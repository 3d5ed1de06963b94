"""Hosts that are not as one would wish: they fork, ignore their children, run out of descriptors, forget to close."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bundles import bundle, command, python
from processes import descriptors, gone, running
from toolc_runtime import Toolset

PYTHON = """
import os, subprocess, time
def word():
    return "word"
def slow():
    time.sleep(0.8)
    return "slow"
def status():
    return subprocess.run(["false"]).returncode
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    tools = {name: python("probe", name) for name in ("word", "slow", "status")}
    commands = {"ends": command("true"), "fails": command("sh", "-c", "echo out; exit 3")}
    return bundle(tmp_path, {**tools, **commands}, {"probe.py": PYTHON, "fails/data": "read before its first call"})


def host(program: str, *arguments: str) -> str:
    """What a host prints that is a process of its own."""
    program = f"import os, signal, sys, threading, time\nfrom toolc_runtime import Toolset\n{program}"
    ran = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=30)
    assert ran.stderr == ""
    return ran.stdout


def test_a_host_that_forks_leaves_its_calls_to_the_parent(made: Path) -> None:
    program = """
tools = Toolset.load(sys.argv[1])
print(tools.call("word"), flush=True)
running = []
thread = threading.Thread(target=lambda: running.append(str(tools.call("slow"))))
thread.start()
time.sleep(0.3)
if not (child := os.fork()):
    with tools:
        print("child", tools.call("word"), tools.call("fails").exit_code, flush=True)
    os._exit(0)
os.waitpid(child, 0)
thread.join()
print(running, tools.call("word"))
tools.close()
"""
    assert host(program, str(made)) == "word\nchild word 3\n['slow'] word\n"
    assert gone(str(made))


def test_the_children_of_a_host_do_not_keep_its_workers(made: Path) -> None:
    program = """
tools = Toolset.load(sys.argv[1])
tools.call("word")
if not os.fork():
    os.close(1); os.close(2)
    time.sleep(3)
    os._exit(0)
os._exit(0)
"""
    host(program, str(made))
    boot = str(made / "lib/toolc_runtime/boot.py")
    end = time.monotonic() + 2
    while running(boot) and time.monotonic() < end:
        time.sleep(0.01)
    assert [pid for pid in running(boot) if b"boot.py\0" in Path(f"/proc/{pid}/cmdline").read_bytes()] == []


def test_a_status_that_the_host_threw_away_is_not_taken_for_a_good_one(made: Path) -> None:
    seconds = f"471.{os.getpid()}"
    made = bundle(made.parent / "more", {"probe": command("sh", "-c", f"sleep {seconds} & echo out; exit 3")})
    program = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
with Toolset.load(sys.argv[1]) as tools:
    result = tools.call("probe")
    print(result.error.kind, result.exit_code, result.output, "SIGCHLD" in str(result))
"""
    assert host(program, str(made)) == "failed None out\n True\n"
    assert gone(seconds)


def test_a_python_tool_waits_for_its_children_whatever_its_host_does(made: Path) -> None:
    program = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with Toolset.load(sys.argv[1]) as tools:
    print(tools.call("status"))
"""
    assert host(program, str(made)) == "1\n"


def test_a_host_without_descriptors_is_told_to_wait_and_loses_none(made: Path) -> None:
    program = """
import resource
tools = Toolset.load(sys.argv[1])
for name in ("ends", "word"):
    assert tools.call(name).ok, name
before = len(os.listdir("/proc/self/fd"))
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
kinds = set()

for more in range(12):
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + more, hard))
    try:
        kinds |= {result.error and result.error.kind for result in [tools.call("ends"), tools.call("fails")]}
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
print(sorted(map(str, kinds)), len(os.listdir("/proc/self/fd")) - before)
"""
    assert host(program, str(made)) == "['None', 'failed', 'unavailable'] 0\n"


def test_a_host_whose_streams_are_closed(made: Path, tmp_path: Path) -> None:
    program = """
for descriptor in (0, 1, 2):
    os.close(descriptor)
with Toolset.load(sys.argv[1]) as tools:
    said = [str(tools.call(name)) for name in ("word", "ends", "fails", "status")]
with open(sys.argv[2], "w") as file:
    file.write(repr(said))
"""
    host(program, str(made), str(tmp_path / "said"))
    assert (tmp_path / "said").read_text() == repr(["word", "", "out\n`fails` ended with exit status 3", "1"])


def test_a_toolset_that_is_dropped_leaves_nothing(made: Path) -> None:
    before = descriptors()
    for _ in range(3):
        tools = Toolset.load(made)
        assert tools.call("word").ok
        del tools
    gc.collect()
    assert descriptors() == before
    assert gone(str(made))


def test_toolsets_in_many_threads_and_loops(made: Path) -> None:
    wrong: list[str] = []

    def many() -> None:
        async def some(tools: Toolset) -> None:
            results = await asyncio.gather(*(tools.acall(name) for name in ("word", "ends", "status") * 3))
            wrong.extend(str(result) for result in results if str(result) not in ("word", "", "1"))

        with Toolset.load(made) as tools:
            asyncio.run(some(tools))

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert gone(str(made))
