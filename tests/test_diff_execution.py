"""Rules T501 to T521: what runs, and the files it is made of, each in both directions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from diffing import PROJECT, VENDORED, diff, digest, one, said, side, toolset, verdicts
from toolc.diff import compare
from toolc.diff.execution import is_shell
from toolc.model import Argument, Background, CommandEntry, Environment, Mode, Origin, PythonEntry, Toolset
from toolsets import tool


def command(*argv: str) -> dict[str, Any]:
    return {"entry": CommandEntry(argv=argv)}


def python(**changes: Any) -> dict[str, Any]:
    return {"entry": replace(PythonEntry(module="words", function="words"), **changes)}


ENTRY = ["T505 risky/risky/risky"]


@pytest.mark.parametrize(
    ("old", "new", "there", "back"),
    [
        pytest.param(python(), python(module="other"), ENTRY, ENTRY, id="another module"),
        pytest.param(python(), python(function="other"), ENTRY, ENTRY, id="another function"),
        pytest.param(python(), python(is_async=True), ["T519 info/info/info"], ["T519 info/info/info"], id="async"),
        pytest.param(
            python(),
            python(arguments={"text": Argument(parameter="text", kind="positional")}),
            ["T520 risky/info/info"],
            ["T520 risky/info/info"],
            id="how an argument arrives",
        ),
        pytest.param(
            python(conversions={"/properties/text": "date"}),
            python(conversions={"/properties/text": "path"}),
            ["T521 risky/info/info"],
            ["T521 risky/info/info"],
            id="what a value becomes",
        ),
        pytest.param(
            {"mode": Mode.WORKER},
            {"mode": Mode.INPROCESS},
            ["T518 risky/risky/risky"],
            ["T518 risky/risky/risky"],
            id="mode",
        ),
        pytest.param(
            {"timeout_s": 25}, {"timeout_s": 60.5}, ["T510 info/info/info"], ["T509 risky/info/info"], id="timeout"
        ),
        pytest.param({"timeout_s": 25}, {"timeout_s": 25.0}, [], [], id="the same timeout, spelled as a float"),
        pytest.param(
            {"background": Background.KILL},
            {"background": Background.KEEP},
            ["T516 info/risky/risky"],
            ["T517 risky/info/info"],
            id="background",
        ),
        pytest.param(
            command("./run", "-a"),
            command("./run", "-b"),
            ["T506 risky/info/risky"],
            ["T506 risky/info/risky"],
            id="an option",
        ),
        pytest.param(
            command("./run"),
            command("./walk"),
            ["T506 risky/info/breaking"],
            ["T506 risky/info/breaking"],
            id="program",
        ),
        pytest.param(
            command("./run"),
            command("sh", "-c", "./run | cat"),
            ["T506 risky/info/breaking", "T507 info/info/breaking"],
            ["T506 risky/info/breaking"],
            id="a shell",
        ),
        pytest.param(
            command("sh", "-c", "./run"),
            command("sh", "-c", "./run | cat"),
            ["T506 risky/info/risky"],
            ["T506 risky/info/risky"],
            id="another text for the shell",
        ),
        pytest.param(
            python(), command("./run"), ["T508 risky/risky/breaking"], ["T508 risky/risky/breaking"], id="kind"
        ),
        pytest.param(
            python(),
            command("sh", "-c", "./run"),
            ["T507 info/info/breaking", "T508 risky/risky/breaking"],
            ["T508 risky/risky/breaking"],
            id="kind, with a shell",
        ),
    ],
)
def test_a_change_of_execution_and_its_reverse_are_judged(
    old: dict[str, Any], new: dict[str, Any], there: list[str], back: list[str]
) -> None:
    assert verdicts(one(**old), one(**new)) == there
    assert verdicts(one(**new), one(**old)) == back


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param(("/bin/bash", "-c", "ls"), id="with its folder"),
        pytest.param(("bash", "-euo", "pipefail", "-c", "ls"), id="after options that are joined"),
        pytest.param(("bash", "-o", "pipefail", "-c", "ls"), id="after an option with a value"),
        pytest.param(("zsh", "-lc", "ls"), id="joined with another option"),
        pytest.param(("busybox", "sh", "-c", "ls"), id="busybox"),
        pytest.param(("env", "A=1", "dash", "-c", "ls"), id="started by env"),
        pytest.param(("env", "-S", "ls -l"), id="split by env"),
        pytest.param(("timeout", "5", "sh", "-c", "ls"), id="started by timeout"),
        pytest.param(("cmd.exe", "/c", "dir"), id="cmd"),
        pytest.param(("C:\\Windows\\System32\\cmd.exe", "/C", "dir"), id="cmd with its folder"),
        pytest.param(("powershell", "-NoProfile", "-Command", "ls"), id="powershell"),
        pytest.param(("pwsh", "-enc", "bABzAA=="), id="powershell, encoded"),
    ],
)
def test_a_command_line_goes_through_a_shell(argv: tuple[str, ...]) -> None:
    assert is_shell(argv)


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param(("grep", "-c", "x"), id="another program's -c"),
        pytest.param(("sh", "run.sh", "-c"), id="an argument of the script"),
        pytest.param(("bash", "--", "-c"), id="after the options have ended"),
        pytest.param(("env", "A=1", "ls"), id="env that starts a program"),
        pytest.param(("echo", "sh", "-c"), id="words that another program is given"),
        pytest.param(("env",) * 200, id="starters without end"),
        pytest.param((), id="nothing"),
    ],
)
def test_a_command_line_goes_through_no_shell(argv: tuple[str, ...]) -> None:
    assert not is_shell(argv)


def test_another_environment_is_a_risk_for_hosts() -> None:
    locked = {
        name: Environment(requires_python=">=3.11", requirements=f"requirements/{name}.txt", packages={})
        for name in ("default", "data")
    }
    before, after = (replace(one(environment=name), python=locked) for name in ("default", "data"))
    assert verdicts(before, after) == ["T513 info/risky/info"]


# ------------------------------------------------------------------------------------------------------------- files

SOURCE = "tools/team/words.py"
SHARED = "T504"
OURS = tool("words")
THEIRS = tool("words", origin=Origin(layer="vendor", path="words.py"), sources=("tools/vendor/words.py",))


def test_code_of_this_project_that_changed_is_told_and_no_more() -> None:
    before, after = (toolset(OURS, files={SOURCE: text}) for text in ("pass\n", "1\n"))
    (finding,) = diff(before, after).findings
    assert (said(finding), finding.tool, finding.pointer) == (
        "T501 info/info/info",
        "words",
        "/files/tools~1team~1words.py",
    )


def test_vendored_code_that_changed_is_risky() -> None:
    before, after = (toolset(THEIRS, files={"tools/vendor/words.py": text}) for text in ("pass\n", "1\n"))
    assert verdicts(before, after) == ["T502 risky/info/risky"]


@pytest.mark.parametrize(
    ("layer", "verdict"),
    [pytest.param(PROJECT, "info/info/info", id="ours"), pytest.param(VENDORED, "risky/info/risky", id="vendored")],
)
def test_a_shared_file_is_listed_once_with_the_tools_it_reaches(layer: Any, verdict: str) -> None:
    shared = f"tools/{layer.name}/common.py"
    tools = [tool(name, sources=(SOURCE, shared)) for name in ("a", "b", "c")]
    before, after = (toolset(*tools, files={shared: text}) for text in ("pass\n", "1\n"))
    (finding,) = diff(before, after).findings
    assert (said(finding), finding.tool, finding.affects) == (f"{SHARED} {verdict}", None, ("a", "b", "c"))


def test_a_file_that_became_executable_is_a_risk_and_its_reverse_none_to_trust() -> None:
    plain = one()
    marked = replace(plain, files={SOURCE: digest("pass\n", executable=True)})
    assert verdicts(plain, marked) == ["T514 info/risky/risky"]
    assert verdicts(marked, plain) == ["T514 info/risky/info"]


def test_a_file_that_another_tool_has_too_is_a_source_more() -> None:
    other = "tools/team/other.py"
    before = toolset(tool("words"), tool("other", sources=(other,)))
    after = toolset(tool("words", sources=(SOURCE, other)), tool("other", sources=(other,)))
    assert verdicts(before, after) == ["T515 info/info/risky"]
    assert verdicts(after, before) == ["T515 info/info/risky"]


def test_a_file_that_came_or_went_is_a_change_of_the_tool() -> None:
    more = toolset(tool("words", sources=(SOURCE, "tools/team/more.py")))
    assert verdicts(one(), more) == ["T501 info/info/info"]
    assert verdicts(more, one()) == ["T501 info/info/info"]


def test_the_files_of_a_tool_that_came_or_went_are_not_listed() -> None:
    more = toolset(tool("words"), tool("new", sources=("tools/team/new.py",)))
    assert verdicts(one(), more) == ["T101 safe/safe/info"]
    assert verdicts(more, one()) == ["T102 breaking/breaking/info"]


def test_a_file_that_no_tool_names_is_not_passed_over() -> None:
    before = one()
    after = replace(before, files={**before.files, "tools/team/stray.py": digest("x")})
    assert verdicts(before, after) == ["T501 info/info/info"]


def with_file(text: str | bytes, path: str = "tools/vendor/words.py") -> tuple[Toolset, dict[str, str | bytes]]:
    held = tool("words", origin=Origin(layer="vendor", path=path.rpartition("/")[2]), sources=(path,))
    return replace(toolset(held), files={path: digest(text)}), {path: text}


def judged(old: str | bytes, new: str | bytes, path: str = "tools/vendor/words.py") -> list[str]:
    """The rules of the findings where both files are at hand."""
    sides = [side(held, files=files) for held, files in (with_file(old, path), with_file(new, path))]
    return [finding.rule.id for finding in compare(*sides).findings]


CODE = 'def f(a):\n    """Say."""\n    return a + 1\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(CODE, f"# A comment.\n{CODE}", id="a comment"),
        pytest.param(CODE, CODE.replace("a + 1", "(a+1)"), id="layout"),
        pytest.param(CODE, CODE.replace("Say.", "Say more."), id="a docstring"),
        pytest.param(CODE, CODE.replace('    """Say."""\n', ""), id="no docstring"),
        pytest.param('class A:\n    """A."""\n', "class A:\n    pass\n", id="a class of a docstring alone"),
        pytest.param('x = "\\d"\n', 'x =  "\\d"\n', id="an odd escape, which warns"),
    ],
)
def test_what_python_does_not_see_is_told_apart(old: str, new: str) -> None:
    assert judged(old, new) == ["T503"]
    assert judged(new, old) == ["T503"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(CODE, CODE.replace("+ 1", "+ 2"), id="another number"),
        pytest.param(CODE, CODE.replace("return a", "return not a"), id="another expression"),
        pytest.param("x = '''a'''\n", "x = '''b'''\n", id="a text that is no docstring"),
        pytest.param("def f():\n    1\n    'a'\n", "def f():\n    1\n    'b'\n", id="a text that is not the first"),
        pytest.param(
            f"{CODE}print(f.__doc__)\n", f"{CODE.replace('Say', 'Do')}print(f.__doc__)\n", id="a read docstring"
        ),
        pytest.param(
            "exec(open(__file__).read()[1:])\n", "#\nexec(open(__file__).read()[1:])\n", id="a file that reads itself"
        ),
        pytest.param("pass\n", "# coding: utf-7\npass\n", id="another encoding"),
        pytest.param("def f(:\n", "def f(: \n", id="no Python"),
        pytest.param(b"x = '\xff'\n", b"x =  '\xff'\n", id="no UTF-8"),
        pytest.param("x = 1\0\n", "x =  1\0\n", id="a NUL"),
        pytest.param("(" * 5000, "(" * 5001, id="nested without end"),
        pytest.param("x = " + "-" * 50_000 + "1", "x =  " + "-" * 50_000 + "1", id="signs without end"),
        pytest.param("1\n" * 200_000, "1 \n" * 200_000, id="too large to look at"),
    ],
)
def test_whatever_may_do_something_else_is_a_change(old: str | bytes, new: str | bytes) -> None:
    assert judged(old, new) == ["T502"]


def test_json_that_says_the_same_is_told_apart() -> None:
    path = "tools/vendor/words/tool.json"
    assert judged('{"a": 1}', '{\n  "a": 1\n}\n', path) == ["T503"]
    assert judged('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', path) == ["T502"]
    assert judged('{"a": 1}', '{"a": 2}', path) == ["T502"]
    assert judged("[" * 100_000, "[" * 100_001, path) == ["T502"]


def test_files_that_are_not_the_locks_are_not_believed() -> None:
    before, _ = with_file(CODE)
    after, _ = with_file(CODE.replace("+ 1", "+ 2"))
    wrong = {"tools/vendor/words.py": CODE}
    (finding,) = compare(side(before, files=wrong), side(after, files=wrong)).findings
    assert finding.rule.id == "T502"
    assert finding.notes == ("the files of both sides are not at hand, so how it changed is not known",)
