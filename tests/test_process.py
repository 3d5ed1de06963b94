"""No command can hang, flood, crash or mislead its host: real processes, each a way in which some product failed."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bundles import bundle, command
from processes import descriptors, gone, kind, running, zombies
from toolc_runtime import Result, Toolset

GRACE_S = 1.5  # what a call may take beyond its deadline


def run(tmp_path: Path, *argv: str, arguments: dict[str, Any] | None = None, **facts: Any) -> Result:
    """Call a command once."""
    files = facts.pop("files", {})
    with Toolset.load(bundle(tmp_path, {"probe": command(*argv, **facts)}, files)) as tools:
        return tools.call("probe", arguments or {})


def shell(tmp_path: Path, script: str, **facts: Any) -> Result:
    """Call a shell script once."""
    return run(tmp_path, "sh", "-c", script, **facts)


@pytest.fixture
def mark(request: pytest.FixtureRequest) -> Iterator[str]:
    """A number of seconds that no other sleep has, to know our processes by."""
    seconds = f"{400 + hash(request.node.name) % 500}.{os.getpid()}"
    yield seconds
    for pid in running(seconds):
        os.kill(pid, signal.SIGKILL)


# ---- ends


def test_a_background_process_that_holds_the_output_does_not_hold_the_call(tmp_path: Path, mark: str) -> None:
    """R01"""
    begun = time.monotonic()
    result = shell(tmp_path, f"sleep {mark} & echo hi")
    assert time.monotonic() - begun < 1.5
    assert (result.output, result.ok, result.details["drained"]) == ("hi\n", True, False)
    assert gone(mark)


def test_a_process_substitution_does_not_hold_the_call(tmp_path: Path) -> None:
    """R03"""
    result = run(tmp_path, "bash", "-c", "exec > >(cat) 2>&1; echo x")
    assert result.output == "x\n"


def test_a_timeout_takes_the_whole_process_tree(tmp_path: Path, mark: str) -> None:
    """R02, R05"""
    begun = time.monotonic()
    result = shell(tmp_path, f"sleep {mark} | cat & sleep {mark} | cat", timeout_s=0.5)
    assert time.monotonic() - begun < 0.5 + GRACE_S
    assert kind(result) == "timeout"
    assert gone(mark)


def test_a_process_that_ignores_the_signal_is_killed(tmp_path: Path, mark: str) -> None:
    """R11"""
    begun = time.monotonic()
    result = shell(tmp_path, f"trap '' TERM; while :; do sleep 0.1; done # {mark}", timeout_s=0.3)
    assert time.monotonic() - begun < 0.3 + GRACE_S
    assert kind(result) == "timeout"
    assert result.details["signal"] == "SIGKILL"
    assert gone(mark)


def test_a_timeout_takes_the_jobs_of_a_shell_too(tmp_path: Path, mark: str) -> None:
    result = run(tmp_path, "bash", "-c", f"set -m; sleep {mark} & sleep {mark} & wait", timeout_s=0.5)
    assert kind(result) == "timeout"
    assert gone(mark)


def test_a_process_has_a_second_to_clean_up(tmp_path: Path) -> None:
    result = shell(tmp_path, "trap 'echo bye; exit 7' TERM; sleep 9 & wait", timeout_s=0.3)
    assert kind(result) == "timeout"
    assert (result.output, result.exit_code) == ("bye\n", 7)


def test_what_was_written_before_a_timeout_is_kept(tmp_path: Path) -> None:
    """R13, R68"""
    result = run(tmp_path, "python3", "-c", "import time; print('part'); time.sleep(60)", timeout_s=1)
    assert kind(result) == "timeout"
    assert result.output == "part\n"
    assert str(result).startswith("part\n`probe` was stopped after 1 s")


def test_an_exit_status_that_looks_like_a_timeout_is_none(tmp_path: Path) -> None:
    for status in (124, 137, 143):
        result = shell(tmp_path / str(status), f"exit {status}")
        assert (kind(result), result.exit_code) == ("failed", status)


def test_a_signal_is_named(tmp_path: Path) -> None:
    result = shell(tmp_path, "kill -SEGV $$")
    assert (kind(result), result.exit_code, result.details["signal"]) == ("failed", None, "SIGSEGV")


def test_the_output_is_returned_whatever_the_status(tmp_path: Path) -> None:
    result = shell(tmp_path, "echo found two; echo oops >&2; exit 3")
    assert (result.output, result.ok, result.exit_code) == ("found two\noops\n", False, 3)
    assert str(result) == "found two\noops\n`probe` ended with exit status 3"


def test_a_kept_job_outlives_its_call_and_is_reported(tmp_path: Path, mark: str) -> None:
    result = shell(
        tmp_path, f"sleep {mark} >/dev/null 2>&1 & setsid sleep {mark} >/dev/null 2>&1 & echo on", background="keep"
    )
    assert (result.ok, result.output) == (True, "on\n")
    assert sorted(running(mark)) == result.details["survivors"] != []
    assert len(running(mark)) == 2


def test_a_kept_job_does_not_outlive_a_timeout(tmp_path: Path, mark: str) -> None:
    result = shell(tmp_path, f"sleep {mark} & wait", background="keep", timeout_s=0.3)
    assert kind(result) == "timeout"
    assert gone(mark)


def test_the_host_survives_its_timeouts(tmp_path: Path) -> None:
    """R06"""
    with Toolset.load(bundle(tmp_path, {"probe": command("sleep", "60", timeout_s=0.02)})) as tools:
        for _ in range(10):
            assert kind(tools.call("probe")) == "timeout"


def test_the_host_is_not_signalled_by_its_terminal_through_a_tool(tmp_path: Path) -> None:
    """R76, R23: a session of its own has no terminal."""
    result = shell(tmp_path, "cut -d' ' -f6 /proc/self/stat")
    assert int(result.output) != os.getsid(0)
    assert shell(tmp_path / "tty", "read x </dev/tty; echo $?").output.endswith("\n")


# ---- output


def test_a_flood_costs_no_memory(tmp_path: Path) -> None:
    """R14, R16: the reader goes on reading, and the program never blocks."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = shell(tmp_path, "head -c 60000000 /dev/zero | tr '\\0' y; echo")
    assert result.ok
    assert result.details["bytes"] == 60_000_001
    assert result.truncated
    assert len(result.output) < 70_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 << 10


def test_an_endless_flood_is_stopped(tmp_path: Path) -> None:
    result = run(tmp_path, "yes")
    assert kind(result) == "output-limit"
    assert result.output.startswith("y\ny\n")


def test_the_beginning_and_the_end_are_kept_and_the_counts_are_true(tmp_path: Path) -> None:
    """R17"""
    result = shell(tmp_path, "seq 100000")
    whole = "".join(f"{number}\n" for number in range(1, 100001))
    assert result.output.startswith("1\n2\n")
    assert result.output.endswith("99999\n100000\n")
    assert (result.details["bytes"], result.details["lines"]) == (len(whole), 100_000)
    cut, lines = result.details["cut_bytes"], result.details["cut_lines"]
    assert f"[{cut} bytes, {lines} line breaks left out]\n" in result.output
    head, _, tail = result.output.partition(f"\n[{cut} bytes, {lines} line breaks left out]\n")
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(head) + len(tail) + int(str(cut)) == len(whole)
    assert head.count("\n") + tail.count("\n") + int(str(lines)) == 100_000


def test_pequeroku_keeps_the_last_lines(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"probe": command("seq", "9000")}, lock={"host": "pequeroku"})
    with Toolset.load(made) as tools:
        result = tools.call("probe")
    marker, _, rest = result.output.partition("\n")
    assert marker == f"[{result.details['cut_bytes']} bytes, 7000 line breaks left out]"
    assert rest == "".join(f"{number}\n" for number in range(7001, 9001))


@pytest.mark.parametrize(
    ("octal", "text"),
    [
        pytest.param("\\360\\237", "\ufffd", id="half-a-character"),
        pytest.param("caf\\351", "caf\ufffd", id="latin-1"),
        pytest.param("\\303\\251 \\360\\237\\230\\200", "é 😀", id="utf-8"),
        pytest.param("\\202\\240", "\ufffd\ufffd", id="shift-jis"),
        pytest.param("h\\000i\\000", "h\ufffdi\ufffd", id="utf-16"),
    ],
)
def test_any_bytes_become_text(octal: str, text: str, tmp_path: Path) -> None:
    """R27"""
    result = shell(tmp_path, f"printf '{octal}'")
    assert (result.ok, result.output) == (True, text)
    result.output.encode("utf-8")


def test_an_undecodable_byte_does_not_hide_the_status(tmp_path: Path) -> None:
    """R28"""
    result = shell(tmp_path, "printf '\\377'; exit 3")
    assert (result.exit_code, result.details["encoding_errors"]) == (3, 1)


def test_nothing_in_the_output_can_drive_a_terminal(tmp_path: Path) -> None:
    """R30"""
    result = shell(
        tmp_path, "printf 'a\\0b\\033[2J\\033]0;title\\007c\\033[31mred\\033[0m\\001\\177\\302\\233A\\td\\r\\n'"
    )
    assert result.output == "a\ufffdbcred\td\r\n"
    assert all(character >= " " or character in "\t\r\n" for character in result.output)


def test_both_streams_are_one_in_order(tmp_path: Path) -> None:
    assert shell(tmp_path, "echo 1; echo 2 >&2; echo 3").output == "1\n2\n3\n"


def test_a_c_locale_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R29"""
    monkeypatch.setenv("LANG", "C")
    assert run(tmp_path, "python3", "-c", "print('é😀')").output == "é😀\n"


# ---- input


def test_five_mebibytes_of_arguments_reach_the_tool(tmp_path: Path) -> None:
    """R18: nothing of them is on the command line."""
    result = run(tmp_path, "wc", "-c", arguments={"text": "x" * (5 << 20)})
    assert result.output.strip() == str((5 << 20) + len('{"text":""}\n'))


def test_a_tool_that_does_not_read_its_input_is_content(tmp_path: Path) -> None:
    """R20"""
    assert run(tmp_path, "true", arguments={"text": "x" * (5 << 20)}).ok


def test_a_tool_that_echoes_its_input_does_not_lock_up(tmp_path: Path) -> None:
    """R22"""
    result = run(tmp_path, "cat", arguments={"text": "x" * (8 << 20)})
    assert (result.ok, result.details["bytes"]) == (True, (8 << 20) + len('{"text":""}\n'))


def test_the_input_ends(tmp_path: Path) -> None:
    """R23"""
    assert shell(tmp_path, "cat >/dev/null; echo done").output == "done\n"


@pytest.mark.parametrize(
    "value", ["; touch x", "$(touch x)", "`touch x`", "a\nb", "--flag", "a\0b", "é\u2028", "'\"\\"], ids=ascii
)
def test_arguments_reach_the_tool_and_nothing_else(value: str, tmp_path: Path) -> None:
    """A21"""
    script = "import json, sys; print(ascii(json.load(sys.stdin)['v']))"
    result = run(tmp_path, "python3", "-I", "-c", script, arguments={"v": value})
    assert result.output == f"{value!a}\n"
    assert not (tmp_path / "bundle/tools/team/probe/x").exists()


# ---- starts


@pytest.mark.parametrize(
    ("argv", "content", "words"),
    [
        pytest.param("no-such-program", None, "`no-such-program` is not found on the tool's PATH", id="not-on-path"),
        pytest.param("./absent", None, "`./absent` is not there", id="absent"),
        pytest.param("./plain", "echo", "`./plain` is not executable", id="not-executable"),
        pytest.param("./folder", ..., "`./folder` is a folder", id="folder"),
        pytest.param("./crlf", "#!/bin/sh\r\necho\r\n", "ends with a carriage return", id="crlf-shebang"),
        pytest.param("./lost", "#!/no/such/sh\n", "`/no/such/sh`, which `./lost` names", id="lost-interpreter"),
    ],
)
def test_a_program_that_cannot_start_says_why(argv: str, content: Any, words: str, tmp_path: Path) -> None:
    """R19, R48"""
    files = {f"probe/{argv[2:]}": content} if isinstance(content, str) else {}
    if content is ...:
        files = {"probe/folder/x": ""}
    result = run(tmp_path, argv, files=files)
    assert kind(result) == "spawn-error"
    assert words in str(result)
    assert (result.output, result.details["program"]) == ("", argv)
    assert isinstance(result.details["errno"], int)


def test_a_folder_that_went_away_is_said(tmp_path: Path) -> None:
    with Toolset.load(bundle(tmp_path, {"probe": command("true")})) as tools:
        assert tools.call("probe").ok
        (tmp_path / "bundle/tools/team/probe").rmdir()
        result = tools.call("probe")
    assert (kind(result), "its folder in the bundle is not there" in str(result)) == ("spawn-error", True)


def test_a_file_without_a_first_line_is_no_program(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"probe": command("./bare")}, {"probe/bare": "echo hi\n"})
    (made / "tools/team/probe/bare").chmod(0o755)
    with Toolset.load(made) as tools:
        result = tools.call("probe")
    assert kind(result) == "spawn-error"
    assert "`#!`" in str(result)


def test_a_tool_has_its_three_streams_and_nothing_else(tmp_path: Path) -> None:
    """R43"""
    with Path(os.devnull).open() as file:
        os.set_inheritable(file.fileno(), True)
        result = shell(tmp_path, "ls /proc/$$/fd")
    assert result.output == "0\n1\n2\n"


def test_the_signals_of_a_tool_are_at_their_defaults(tmp_path: Path) -> None:
    """D1: Python ignores SIGPIPE, and that would pass through exec."""
    result = run(tmp_path, "python3", "-I", "-c", "print(open('/proc/self/stat').read() and 0)")
    assert result.ok
    ignored = shell(tmp_path / "s", "grep SigIgn /proc/$$/status").output.split()[1]
    assert int(ignored, 16) & (1 << (signal.SIGPIPE - 1)) == 0


# ---- its surroundings


def test_the_folder_and_the_variables_of_a_command(tmp_path: Path) -> None:
    variables = "echo $TOOLC_HOST_CWD; echo $TOOLC_TOOL; echo $TOOLC_CALL_ID; echo $TOOLC_TMP"
    result = shell(tmp_path, f"pwd; {variables}; touch $TOOLC_TMP/x")
    assert result.ok
    folder, host, tool, call_id, scratch = result.output.splitlines()
    assert folder == str(tmp_path / "bundle/tools/team/probe")
    assert (host, tool) == (str(Path.cwd()), "probe")
    assert len(call_id) == 16
    assert not Path(scratch).exists()


def test_a_declared_environment_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A25, R24"""
    for name in ("OPENAI_API_KEY", "LD_PRELOAD_X", "BASH_ENV", "PYTHONPATH", "MINE"):
        monkeypatch.setenv(name, "value-of-the-host")
    result = run(tmp_path, "env", env=("MINE",))
    variables = dict(line.split("=", 1) for line in result.output.splitlines() if "=" in line)
    assert variables["MINE"] == "value-of-the-host"
    assert variables["PAGER"] == "cat"
    assert variables.keys().isdisjoint({"OPENAI_API_KEY", "LD_PRELOAD_X", "BASH_ENV", "PYTHONPATH"})


def test_an_inherited_environment_loads_no_strangers_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "LD_X", "BASH_ENV", "PYTHONPATH", "NODE_OPTIONS", "BASH_FUNC_x%%"):
        monkeypatch.setenv(name, "value-of-the-host")
    result = run(tmp_path, "env", env_policy="inherit")
    assert "OPENAI_API_KEY=value-of-the-host\n" in result.output
    assert result.output.count("value-of-the-host") == 1
    assert "PYTHONDONTWRITEBYTECODE=1\n" in result.output


def test_a_declared_variable_that_is_missing_is_said(tmp_path: Path) -> None:
    result = run(tmp_path, "env", env=("TOOLC_TEST_ABSENT",))
    assert kind(result) == "unavailable"
    assert "`TOOLC_TEST_ABSENT`" in str(result)


# ---- many of them


def test_nothing_is_left_behind_by_many_calls(tmp_path: Path) -> None:
    """R36, R41, R42, R69"""
    tools_ = {
        "ok": command("true"),
        "fails": command("false"),
        "late": command("sleep", "60", timeout_s=0.05),
        "absent": command("./absent"),
        "own": command("sh", "-c", "touch $TOOLC_TMP/x && ls $TOOLC_TMP | wc -l"),
    }
    with Toolset.load(bundle(tmp_path, tools_)) as tools:
        for name in tools_:
            tools.call(name)
        before = descriptors()
        wrong: list[Result] = []

        def many() -> None:
            for _ in range(8):
                for name, ending in (("ok", None), ("fails", "failed"), ("late", "timeout"), ("absent", "spawn-error")):
                    result = tools.call(name)
                    if kind(result) != ending:
                        wrong.append(result)
                if tools.call("own").output.strip() != "1":
                    wrong.append(tools.call("own"))

        threads = [threading.Thread(target=many) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert zombies() == []
        assert descriptors() == before


def test_an_event_loop_is_not_held(tmp_path: Path, mark: str) -> None:
    """R08"""

    async def main() -> None:
        made = bundle(tmp_path, {"probe": command("sh", "-c", f"sleep {mark} | cat", timeout_s=0.4)})
        with Toolset.load(made) as tools:
            ticks = 0
            call = asyncio.ensure_future(tools.acall("probe"))
            while not call.done():
                await asyncio.sleep(0.02)
                ticks += 1
            assert kind(call.result()) == "timeout"
            assert ticks >= 10

    asyncio.run(main())
    assert gone(mark)


def test_cancelling_ends_the_tool_before_it_is_felt(tmp_path: Path, mark: str) -> None:
    """R10, R39"""

    async def main(tools: Toolset, delay_s: float) -> None:
        call = asyncio.ensure_future(tools.acall("probe"))
        await asyncio.sleep(delay_s)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    with Toolset.load(bundle(tmp_path, {"probe": command("sleep", mark)})) as tools:
        before = None
        for delay_ms in (0, 1, 3, 10, 30):
            asyncio.run(main(tools, delay_ms / 1000))
            assert gone(mark)
            before = before or descriptors()
        assert descriptors() == before
        assert zombies() == []


def test_closing_cancels_what_runs(tmp_path: Path, mark: str) -> None:
    tools = Toolset.load(bundle(tmp_path, {"probe": command("sleep", mark)}))
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(tools.call("probe")))
    thread.start()
    while not running(mark):
        time.sleep(0.01)
    tools.close()
    thread.join()
    assert [kind(result) for result in results] == ["cancelled"]
    assert gone(mark)


def test_closing_waits_until_nothing_runs(tmp_path: Path, mark: str) -> None:
    """Also what was begun before a reload."""
    made = bundle(tmp_path, {"probe": command("sh", "-c", f"trap '' TERM; sleep {mark}; sleep {mark}")})
    tools = Toolset.load(made)
    threads = []
    for _ in range(2):
        threads.append(threading.Thread(target=tools.call, args=("probe",)))
        threads[-1].start()
        while len(running(mark)) < 2 * len(threads):
            time.sleep(0.01)
        tools.reload()
    tools.close()
    assert running(f"TERM; sleep {mark}") == []  # the shells; what they started may take a moment to be gone
    for thread in threads:
        thread.join()


HOST = """
import sys
from toolc_runtime import Toolset
with Toolset.load(sys.argv[1]) as tools:
    tools.call("probe")
"""


@pytest.mark.parametrize(
    ("script", "interrupts"),
    [
        pytest.param("sleep {mark}", 1, id="once"),
        pytest.param("trap '' TERM; sleep {mark}; sleep {mark}", 2, id="twice, with a tool that ignores the first"),
    ],
)
def test_an_interrupted_host_leaves_no_tool_behind(script: str, interrupts: int, tmp_path: Path, mark: str) -> None:
    made = bundle(tmp_path, {"probe": command("sh", "-c", script.format(mark=mark))})
    host = subprocess.Popen([sys.executable, "-c", HOST, str(made)], stderr=subprocess.PIPE)
    while not running(mark):
        time.sleep(0.01)
    for _ in range(interrupts):
        host.send_signal(signal.SIGINT)
        time.sleep(0.2)
    _, err = host.communicate(timeout=60)
    assert b"KeyboardInterrupt" in err
    assert gone(mark)


def test_a_result_is_json(tmp_path: Path) -> None:
    shown = shell(tmp_path, "echo hi; exit 3").as_dict()
    assert json.loads(json.dumps(shown)) == shown
    assert shown["error"] == {
        "kind": "failed",
        "message": "`probe` ended with exit status 3",
        "problems": [],
    }
