"""A tool's wrapper runs from anywhere, on a bare Python, by the same rules as a call from a host."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bundles import bundle, command, python
from commands import Ran, run
from processes import gone, running
from toolc.emit import wrappers
from toolc.model import CommandEntry, Level
from toolsets import tool, toolset

# The wrapper is to find its `python3` on the PATH and nothing of this test's interpreter besides.
BARE = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
CLOSED = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "What to\nsay."},
        "count": {"type": "integer", "default": 1},
        "how": {"anyOf": [{"enum": ["loud", "low"], "type": "string"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["text"],
    "additionalProperties": False,
}
FILES = {
    "words.py": """
import helper
from toolc import tool
@tool
def words(text, count=1):
    print("noise")
    return helper.times(text, count)
""",
    "helper.py": "def times(text, count):\n    return text * count\n",
    "echo/run.sh": "#!/bin/sh\npwd; printf '%s\\n' \"$TOOLC_HOST_CWD\"; cat\n",
}


def wrapper(tmp_path: Path, name: str = "probe", files: dict[str, str] | None = None, **facts: Any) -> Path:
    """The wrapper of a bundle's one tool."""
    return bundle(tmp_path, {name: facts}, files) / "bin" / name


def shell(tmp_path: Path, script: str, **facts: Any) -> Path:
    return wrapper(tmp_path, **command("sh", "-c", script, **facts))


def call(path: Path, *options: str, stdin: str = "{}", cwd: Path = Path("/"), **env: str) -> Ran:
    return run([str(path), *options], cwd=cwd, env=BARE | env, stdin=stdin)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return bundle(tmp_path, {"words": python("words", "words", schema=CLOSED), "echo": command("./run.sh")}, FILES)


# ---- the contract


def test_a_python_tool(made: Path) -> None:
    ran = call(made / "bin/words", stdin='{"text": "ab", "count": 2}')
    assert (ran.stdout, ran.stderr, ran.status) == ("abab\n", "noise\n", 0)


def test_a_command_tool(made: Path, tmp_path: Path) -> None:
    ran = call(made / "bin/echo", stdin='{"a": 1}', cwd=tmp_path)
    assert ran.stdout == f'{made}/tools/team/echo\n{tmp_path}\n{{"a":1}}\n'
    assert (ran.stderr, ran.status) == ("", 0)


@pytest.mark.parametrize(
    ("options", "stdin"),
    [
        (["--args", '{"text": "a"}'], "never read"),
        (['--args={"text": "a"}'], "never read"),
        (["--args", "-"], '{"text": "a"}'),
        ([], ' {"text":\n"a"} '),
    ],
    ids=["args", "args-equals", "args-stdin", "stdin"],
)
def test_arguments_come_on_stdin_or_as_an_option(options: list[str], stdin: str, made: Path) -> None:
    assert call(made / "bin/words", *options, stdin=stdin).stdout == "a\n"


@pytest.mark.parametrize("options", [["--nope"], ["{}"], ["--args"]], ids=str)
def test_a_command_line_that_is_not_understood(options: list[str], made: Path) -> None:
    ran = call(made / "bin/words", *options)
    assert (ran.stdout, ran.status) == ("", 2)
    assert "--help" in ran.stderr


def test_problems_of_the_arguments_are_the_answer(made: Path) -> None:
    ran = call(made / "bin/words", stdin='{"count": "many"}')
    assert ran.status == 1
    assert ran.stdout.count("\n- ") == 2
    assert call(made / "bin/words", stdin='{"text": "a", "count": "2"}').stdout == "aa\n"
    assert call(made / "bin/words", stdin="not json").status == 1


def test_help_and_schema_are_the_tools_own(made: Path) -> None:
    ran = call(made / "bin/words", "--help", stdin="")
    assert ran.status == 0
    for row in (
        "usage: words [--args JSON] [--yes]",
        "  text (string, required): What to say.",
        "  count (integer) [default: 1]",
        '  how ("loud" | "low" | null)',
        "  tags (array of string)",
    ):
        assert row in ran.stdout.splitlines()
    assert json.loads(call(made / "bin/words", "--schema", stdin="").stdout) == CLOSED


def test_no_arguments_are_wanted_of_a_terminal_or_a_closed_input(tmp_path: Path) -> None:
    path = wrapper(tmp_path, **command("cat"))
    master, slave = os.openpty()
    for stdin in ("/dev/null", None):
        done = subprocess.run(
            [str(path)] if stdin else ["sh", "-c", '"$0" <&-', str(path)],
            stdin=slave if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=BARE,
            timeout=20,
            check=False,
        )
        assert done.stdout == b"{}\n"
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(
    ("script", "stdout", "status"),
    [
        pytest.param("echo found; exit 3", "found\n`probe` ended with exit status 3\n", 1, id="status"),
        pytest.param("printf none", "none\n", 0, id="no-line-end"),
        pytest.param(":", "", 0, id="silent"),
        pytest.param("printf '\\377\\033[2J'", "\ufffd\n", 0, id="bytes"),
    ],
)
def test_what_a_model_would_be_sent_goes_to_stdout(script: str, stdout: str, status: int, tmp_path: Path) -> None:
    ran = call(shell(tmp_path, script))
    assert (ran.stdout, ran.status) == (stdout, status)


def test_a_deadline_is_kept(tmp_path: Path) -> None:
    seconds = f"441.{os.getpid()}"
    begun = time.monotonic()
    ran = call(shell(tmp_path / "c", f"echo part; sleep {seconds} | cat", timeout_s=0.5))
    assert ran.status == 1
    assert ran.stdout.startswith("part\n`probe` was stopped after 0.5 s")
    source = f"import subprocess\ndef probe():\n    print('part')\n    subprocess.run(['sleep', '{seconds}'])\n"
    ran = call(wrapper(tmp_path / "p", files={"probe.py": source}, **python("probe", "probe", timeout_s=0.5)))
    assert (ran.status, ran.stdout.split("`")[0]) == (1, "part\n")
    assert time.monotonic() - begun < 6
    assert gone(seconds)


@pytest.mark.parametrize("kind", ["command", "python"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
def test_a_signal_ends_the_tool_and_then_the_wrapper(number: signal.Signals, kind: str, tmp_path: Path) -> None:
    seconds = f"{442 + number}.{os.getpid()}"
    source = f"import subprocess\ndef probe():\n    subprocess.run(['sleep', '{seconds}'])\n"
    facts = command("sleep", seconds) if kind == "command" else python("probe", "probe")
    path = wrapper(tmp_path, files={"probe.py": source}, **facts)
    for _ in range(6):  # the signal comes as soon as the tool is there, when the wrapper may not yet know its number
        started = subprocess.Popen([str(path)], stdin=subprocess.DEVNULL, env=BARE)
        while not running(seconds):
            pass
        started.send_signal(number)
        assert started.wait(10) == 128 + number
        assert gone(seconds)


def test_a_second_signal_does_not_save_the_tool(tmp_path: Path) -> None:
    seconds = f"459.{os.getpid()}"
    path = shell(tmp_path, f"trap '' TERM; sleep {seconds}; sleep {seconds}")
    started = subprocess.Popen([str(path)], stdin=subprocess.DEVNULL, env=BARE)
    while not running(seconds):
        time.sleep(0.01)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
        started.send_signal(number)
        time.sleep(0.05)
    assert started.wait(10) == 128 + signal.SIGINT
    assert gone(seconds)


def test_a_python_tool_and_what_its_shell_left_in_the_background(tmp_path: Path) -> None:
    for background, seconds in (("kill", f"453.{os.getpid()}"), ("keep", f"454.{os.getpid()}")):
        script = f"sleep {seconds} >/dev/null 2>&1 &"
        source = f"import subprocess\ndef probe():\n    subprocess.run(['sh', '-c', {script!r}])\n    return 'on'\n"
        facts = python("probe", "probe", background=background)
        ran = call(wrapper(tmp_path / background, files={"probe.py": source}, **facts))
        assert (ran.stdout, ran.status) == ("on\n", 0)
        if background == "kill":
            assert gone(seconds)
        else:
            (pid,) = running(seconds)
            os.kill(pid, signal.SIGKILL)


def test_a_forked_child_that_comes_back_answers_nobody(tmp_path: Path) -> None:
    source = (
        "import os\ndef probe():\n    if os.fork() == 0:\n        return 'child'\n    os.wait()\n    return 'parent'\n"
    )
    ran = call(wrapper(tmp_path, files={"probe.py": source}, **python("probe", "probe")))
    assert (ran.stdout, ran.status) == ("parent\n", 0)


def test_a_parent_that_ignores_its_children_costs_no_status(tmp_path: Path) -> None:
    # Without the `sh` of its first line, for some of them undo this by themselves.
    argv = [sys.executable, "-I", "-S", str(shell(tmp_path, "exit 3"))]
    program = f"import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv({argv[0]!r}, {argv!r})"
    ran = run([sys.executable, "-c", program], cwd=tmp_path, env=BARE, stdin="{}")
    assert (ran.stdout, ran.status) == ("`probe` ended with exit status 3\n", 1)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(closed: str, tmp_path: Path) -> None:
    echo = 'cat >"$0.in"; echo out; echo err >&2'
    both = {
        "command": command("sh", "-c", echo, str(tmp_path / "command")),
        "python": python("probe", "probe", schema={"type": "object"}),
    }
    source = (
        f"import os\ndef probe(a=0):\n    print('out')\n    open({str(tmp_path / 'python.in')!r}, 'w').write(repr(a))\n"
    )
    made = bundle(tmp_path, both, {"probe.py": source})
    for name, seen in (("command", '{"a":1}\n'), ("python", "1")):
        ran = run(["sh", "-c", f"{made / 'bin' / name} --args '{{\"a\": 1}}' {closed}"], cwd=tmp_path, env=BARE)
        assert ran.status == 0
        assert (tmp_path / f"{name}.in").read_text() == seen
        assert "out" in ran.stdout or ">&-" in closed.replace("2>&-", "")


def test_pipes_that_do_not_block(tmp_path: Path) -> None:
    path = shell(tmp_path, "wc -c; seq 20000")
    stdin, give = os.pipe()
    take, stdout = os.pipe()
    for descriptor in (stdin, stdout):
        os.set_blocking(descriptor, False)
    started = subprocess.Popen([str(path)], stdin=stdin, stdout=stdout, env=BARE)
    os.close(stdin)
    os.close(stdout)
    time.sleep(0.3)  # its input is empty, and then its output full
    os.write(give, b'{"text": "abc"}')
    os.close(give)
    time.sleep(0.3)
    with os.fdopen(take, "rb") as file:
        lines = file.read().split()
    assert started.wait(10) == 0
    assert lines[0] == str(len('{"text":"abc"}\n')).encode()
    assert lines[-1] == b"20000"


def test_an_output_that_could_not_be_written_is_no_success(tmp_path: Path) -> None:
    ran = run(["sh", "-c", f"{shell(tmp_path, 'echo out')} >/dev/full"], cwd=tmp_path, env=BARE, stdin="{}")
    assert ran.status == 1
    assert "standard output cannot be written" in ran.stderr


def test_a_job_in_the_background_is_killed_or_kept(tmp_path: Path) -> None:
    for background, seconds in (("kill", f"451.{os.getpid()}"), ("keep", f"452.{os.getpid()}")):
        ran = call(shell(tmp_path / background, f"sleep {seconds} >/dev/null 2>&1 & echo on", background=background))
        assert (ran.stdout, ran.status) == ("on\n", 0)
        if background == "kill":
            assert gone(seconds)
        else:
            (pid,) = running(seconds)
            os.kill(pid, signal.SIGKILL)


def test_what_asks_is_not_approved_where_nobody_can_be_asked(tmp_path: Path) -> None:
    path = shell(tmp_path, "echo ran", permission="ask")
    ran = call(path)
    assert ran.status == 1
    assert "--yes" in ran.stdout
    assert call(path, "--yes").stdout == "ran\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("{'text': 1}", "Expecting property name", id="quotes-of-python"),
        pytest.param("", "a value is expected at character 1", id="nothing"),
        pytest.param("[]", "this is JSON, and no object", id="a-list"),
        pytest.param('{"a": 1, "a": 2}', "'a' is there twice", id="a-name-twice"),
    ],
)
def test_an_option_that_is_no_json_object_is_a_mistake_of_the_command_line(text: str, why: str, tmp_path: Path) -> None:
    ran = call(shell(tmp_path, "echo ran"), "--args", text)
    assert (ran.stdout, ran.status) == ("", 2)
    assert ran.stderr.startswith("--args wants a JSON object: ")
    assert why in ran.stderr


def test_where_a_tool_raised_is_shown_to_whoever_debugs_it(tmp_path: Path) -> None:
    source = "def boom():\n    return 1 / 0\n"
    made = bundle(tmp_path, {"boom": python("boom", "boom")}, {"boom.py": source})
    ran = call(made / "bin/boom", "--args", "{}")
    assert (ran.status, ran.stderr) == (1, "")
    assert call(made / "bin/boom", "--args", "{}", TOOLC_DEBUG="1").stderr == "  at tools/team/boom.py:2, in boom\n"


def test_a_terminal_is_asked(tmp_path: Path) -> None:
    import pty

    path = shell(tmp_path, "echo ran", permission="ask")
    for answer, status in (("y", 0), ("n", 1), ("", 1)):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(str(path), [str(path), "--args", "{}"], BARE)
        shown = b""
        while b"[y/N]" not in shown:
            shown += os.read(terminal, 1000)
        os.write(terminal, f"{answer}\n".encode())
        rest = b""
        with contextlib.suppress(OSError):  # a terminal whose last program has ended says so
            while more := os.read(terminal, 1000):
                rest += more
        assert (b"was not approved, and did not run" in rest) == (status == 1)
        assert b"--yes" not in rest
        _, ended = os.waitpid(pid, 0)
        os.close(terminal)
        assert os.waitstatus_to_exitcode(ended) == status


def test_a_denied_tool_runs_for_nobody(tmp_path: Path) -> None:
    """A build makes no wrapper of one; a wrapper made by other means does not run it."""
    made = wrappers.render(
        toolset(denied := tool("denied", permission=Level.DENY, entry=CommandEntry(argv=("echo", "ran")), sources=())),
        denied,
    )
    folder = bundle(tmp_path, {"probe": command("true")})
    path = folder / "bin/denied"
    path.write_bytes(made)
    path.chmod(0o755)
    ran = call(path, "--yes", stdin='{"text": "a"}')
    assert ran.status == 1
    assert "denied" in ran.stdout


def test_a_changed_source_is_refused_by_its_name(made: Path) -> None:
    for path, name in (("words.py", "words"), ("helper.py", "words"), ("echo/run.sh", "echo")):
        file = made / "tools/team" / path
        before = file.read_bytes()
        file.write_bytes(before + b"\n")
        ran = call(made / "bin" / name, stdin='{"text": "a"}')
        assert ran.status == 1
        assert f"tools/team/{path}" in ran.stdout
        file.write_bytes(before)


# ---- from anywhere


@pytest.mark.parametrize(
    "name", ["with space", "quo'te\"s", "$(touch x)`touch x`", "new\nline", "ünï", "-dash", "%s{}\\"], ids=ascii
)
def test_any_path_will_do(name: str, tmp_path: Path) -> None:
    """A20"""
    made = bundle(tmp_path / name, {"words": python("words", "words"), "echo": command("./run.sh")}, FILES)
    for cwd, folder in ((tmp_path, str(made / "bin")), (made / "bin", "."), (tmp_path, f"./{name}/bundle/bin")):
        ran = run([f"{folder}/words"], cwd=cwd, env=BARE, stdin='{"text": "a"}')
        assert (ran.stdout, ran.status) == ("a\n", 0)
        ran = run([f"{folder}/echo"], cwd=cwd, env=BARE, stdin="{}")
        assert ran.stdout == f"{made}/tools/team/echo\n{cwd}\n{{}}\n"
    assert not list(tmp_path.rglob("x"))


def test_links_to_a_wrapper_and_to_its_folder(made: Path, tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(made / "bin/words")
    (tmp_path / "two").symlink_to("one")
    (tmp_path / "folder").symlink_to(made / "bin")
    for path in ("one", "two", "folder/words"):
        assert call(tmp_path / path, stdin='{"text": "a"}').stdout == "a\n"


def test_a_wrapper_found_on_the_path(made: Path) -> None:
    env = {"PATH": f"{made}/bin:{BARE['PATH']}"}
    assert run(["sh", "-c", "words"], cwd=Path("/"), env=env, stdin='{"text": "a"}').stdout == "a\n"


def test_an_environment_of_nothing_but_a_path(made: Path) -> None:
    ran = run(["env", "-i", f"PATH={BARE['PATH']}", str(made / "bin/echo")], cwd=Path("/"), env=BARE, stdin="{}")
    assert (ran.status, ran.stderr) == (0, "")


def test_nothing_is_written_into_the_bundle(made: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in made.rglob("*")}
    for name in ("words", "echo"):
        assert call(made / "bin" / name, stdin='{"text": "a"}', PYTHONDONTWRITEBYTECODE="").status == 0
    assert {path: path.stat().st_mtime_ns for path in made.rglob("*")} == before


def test_a_read_only_bundle(made: Path) -> None:
    for path in (made, *made.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    for name in ("words", "echo"):
        assert call(made / "bin" / name, stdin='{"text": "a"}').status == 0
    for path in (made, *made.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)


def test_the_folder_it_is_called_from_may_be_gone(made: Path, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    script = 'cd gone && rmdir ../gone && "$0"'
    ran = run(["sh", "-c", script, str(made / "bin/words")], cwd=tmp_path, env=BARE, stdin='{"text": "a"}')
    assert ran.stdout == "a\n"


def test_modules_beside_the_caller_are_not_imported(made: Path, tmp_path: Path) -> None:
    for name in ("json", "os", "helper", "sitecustomize", "toolc_runtime"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported a stranger')\n")
    ran = call(made / "bin/words", stdin='{"text": "a"}', cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert (ran.stdout, ran.status) == ("a\n", 0)


def test_the_interpreter_can_be_named(made: Path, tmp_path: Path) -> None:
    named = tmp_path / "my python"
    named.symlink_to(os.path.realpath(sys.executable))
    ran = run([str(made / "bin/words")], cwd=tmp_path, env={"PATH": "/nowhere", "TOOLC_PYTHON": str(named)}, stdin="{}")
    assert ran.status == 1  # it ran, and found that `text` is missing
    assert "text" in ran.stdout


def test_an_inherited_descriptor_does_not_reach_the_tool(tmp_path: Path) -> None:
    """R43"""
    path = shell(tmp_path, "ls /proc/$$/fd")
    ran = run(["sh", "-c", 'exec 7</dev/null 9</dev/null; exec "$0"', str(path)], cwd=tmp_path, env=BARE, stdin="{}")
    assert ran.stdout == "0\n1\n2\n"


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    """D20"""
    path = shell(tmp_path, "seq 100000")
    ran = run(["sh", "-c", '"$0" </dev/null | head -1', str(path)], cwd=tmp_path, env=BARE)
    assert (ran.stdout, ran.stderr) == ("1\n", "")


# ---- the text itself


def text_of(name: str = "probe", **changes: Any) -> str:
    return wrappers.render(toolset(changed := tool(name, sources=(), **changes)), changed).decode("ascii")


def test_the_facts_of_a_hostile_tool_are_a_literal_and_nothing_more() -> None:
    """S21"""
    hostile = "'''\"\"\"\\\n{{ 7 * 7 }}{% raw %}\u2028\u202e#\x00$(x)"
    text = text_of(description=hostile, entry=CommandEntry(argv=("sh", "-c", hostile)))
    (literal,) = [
        node.value.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "FACTS"
        and isinstance(node.value, ast.Constant)
    ]
    assert isinstance(literal, str)
    facts = json.loads(literal)
    assert "\n".join(facts["tool"]["description"]) == hostile
    assert facts["tool"]["execution"]["argv"] == ["sh", "-c", hostile]
    assert text.isascii()
    assert text == text_of(description=hostile, entry=CommandEntry(argv=("sh", "-c", hostile)))


def test_a_hostile_name_of_a_toolset_stays_in_its_comment() -> None:
    named = toolset(plain := tool("probe", sources=()))
    text = wrappers.render(type(named)(name="a\nimport os\u2028x", tools=named.tools), plain).decode("ascii")
    assert "\nimport os\\u2028" not in text
    ast.parse(text)


def test_the_text_has_no_place_of_its_machine(made: Path) -> None:
    text = (made / "bin/words").read_text()
    assert str(made) not in text
    assert sys.executable not in text
    assert re.match(r"#!/bin/sh\n''''exec ", text)


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.8", "3.10"])
def test_an_old_python_is_told_in_one_line(version: str, made: Path) -> None:
    found = [path for path in (Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python") if path.exists()]
    if not found:
        pytest.skip(f"there is no Python {version} here")
    ran = run([str(found[0]), str(made / "bin/words")], cwd=Path("/"), env=BARE)
    assert (ran.stdout, ran.status) == ("", 3)
    assert ran.stderr == f"words needs Python 3.11 or newer, and this is {version}\n"


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_python_that_is_supported(version: str, made: Path) -> None:
    found = [path for path in (Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python") if path.exists()]
    if not found:
        pytest.skip(f"there is no Python {version} here")
    for name in ("words", "echo"):
        ran = call(made / "bin" / name, stdin='{"text": "a"}', TOOLC_PYTHON=str(found[0]))
        assert (ran.status, ran.stderr) == (0, "noise\n" if name == "words" else "")
