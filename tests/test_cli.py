"""The command line: which stream, which form, which exit status, for every command and everything that ends one."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import environment, run, toolc
from projects import CONFIG, WORD_COUNT, Answer, Cli, manifest, project, write
from toolc.cli import COMMANDS, failures, main


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line in a fresh folder, on no terminal, with an empty home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TOOLC_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return Cli(capture=capsys)


TWO_MISTAKES = {"tools/a/tool.json": "{", "tools/b/tool.json": manifest("other"), "tools/b/run.sh": "#!/bin/sh\n"}
SHOUT = manifest("shout", description="Shout\x1b[31m it", command=["./run.sh"])


# ------------------------------------------------------------------------------------------------ help and versions


def test_the_table_of_commands_says_what_each_says_of_itself() -> None:
    context = main.make_context("toolc", ["help"])
    for name, line in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None and command.help is not None
        assert command.help.split("\n\n")[0] == line, name


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_says_one_line_an_example_and_every_option(cli: Cli, name: str) -> None:
    answer = cli(name, "--help")
    assert (answer.status, answer.err) == (0, "")
    assert COMMANDS[name] in " ".join(answer.out.split())
    assert f"\n  toolc {name}" in answer.out or f"| toolc {name}" in answer.out
    context = main.make_context("toolc", ["help"])
    command = main.get_command(context, name)
    assert command is not None
    for option in command.params:
        if option.param_type_name == "option":
            assert option.help, f"--{option.name} of {name} says nothing of itself"


def test_help_shows_the_exit_statuses(cli: Cli) -> None:
    assert "could not run" in cli("--help").out
    assert cli("help", "exit-codes").out == failures.TABLE
    assert cli("help", "build").out == cli("build", "--help").out


def test_help_of_no_command_is_a_usage_error(cli: Cli) -> None:
    assert cli("help", "buidl").status == 2


def test_the_version(cli: Cli) -> None:
    assert cli("--version") == Answer(status=0, out="toolc 0.1.0\n", err="")


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_help_and_version_load_nothing_heavy(argument: str) -> None:
    program = (
        f"import sys; from toolc.cli import main; main.main([{argument!r}], standalone_mode=False);"
        " print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "click" in done.stderr.split()
    assert not {"jinja2", "jsonschema", "rich", "toolc.pipeline", "toolc.lock"} & set(done.stderr.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(cli: Cli, shell: str) -> None:
    answer = cli("completion", shell)
    assert answer.status == 0
    assert "_TOOLC_COMPLETE" in answer.out


@pytest.mark.parametrize("name", ["toolc", "tool", "toolset", "acks"])
def test_schema_prints_json_schema(cli: Cli, name: str) -> None:
    assert cli("schema", name).json["$schema"] == "https://json-schema.org/draft/2020-12/schema"


# ------------------------------------------------------------------------------------------------------ usage errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["buidl"], "did you mean `build`?", id="a command misspelt"),
        pytest.param(["check", "--formt", "json"], "--format", id="an option misspelt"),
        pytest.param(["check", "nowhere"], "there is no folder `nowhere`", id="no such project"),
        pytest.param(["check", ""], "is empty", id="a project of an unset variable"),
        pytest.param(["list", ""], "is empty", id="a list of an unset variable"),
        pytest.param(["build", "-o", ""], "is empty", id="an output of an unset variable"),
        pytest.param(["check", "--format", "json=a", "--format", "text=./a"], "two forms for the file", id="one file"),
        pytest.param(["check", "--format", "yaml"], "`yaml` is not one of", id="no such form"),
        pytest.param(["list", "--format", "concise"], "`concise` is not one of", id="a form of other commands"),
        pytest.param(["check", "--format", "text="], "names no file", id="a form without its file"),
        pytest.param(["check", "--format", "concise", "--format", "text"], "two forms for stdout", id="two forms"),
        pytest.param(["list", "nowhere"], "there is no file or folder `nowhere`", id="nothing to list"),
        pytest.param(["explain", "TC530"], "did you mean `TC503`", id="no such code"),
        pytest.param(["run", "b", "t", "--args", ""], "`{}` is no arguments", id="arguments of an unset variable"),
        pytest.param(["run", "b", "t", "--args", "{"], "--args: line 1, column", id="arguments that are no JSON"),
        pytest.param(["run", "b", "t", "--args", '{"a": 1, "a": 2}'], "--args: ", id="a repeated argument"),
        pytest.param(["run", "b", "t", "--args", "[1]"], "one JSON object", id="arguments that are no object"),
        pytest.param(["verify", "b", "--expect", ""], "`` is no digest", id="a digest of an unset variable"),
        pytest.param(["verify", "b", "--expect-toolset", "0" * 64], "0` is no digest", id="a digest without sha256"),
        pytest.param(["init", "--host", "aruu"], "did you mean `aru`?", id="a host misspelt"),
        pytest.param(["schema", "lok"], "lok", id="no such schema"),
    ],
)
def test_what_is_not_understood_exits_with_2(cli: Cli, arguments: list[str], words: str) -> None:
    answer = cli(*arguments)
    assert (answer.status, answer.out) == (2, "")
    assert words in answer.err
    assert "Traceback" not in answer.err


def test_a_usage_error_is_json_where_json_is_asked_for(cli: Cli) -> None:
    answer = cli("check", "nowhere", "--format", "json")
    assert answer.status == 2
    error = answer.json["error"]
    assert isinstance(error, dict)
    assert error.keys() == {"code", "message"}
    assert error["code"] == "usage"


def test_a_usage_error_reaches_the_report_file_too(cli: Cli, tmp_path: Path) -> None:
    assert cli("check", "nowhere", "--format=json=report.json").out == ""
    assert json.loads((tmp_path / "report.json").read_text()).keys() == {"error"}


def test_a_project_that_cannot_be_reached_is_not_said_to_be_missing(tmp_path: Path) -> None:
    project(tmp_path / "closed/project")
    (tmp_path / "closed").chmod(0)
    for command in ("check", "list", "build"):
        ran = toolc(command, "closed/project", cwd=tmp_path)
        assert (ran.status, ran.stderr.splitlines()[-1]) == (
            3,
            "error[TC700]: `closed/project` cannot be reached: Permission denied",
        )
    (tmp_path / "closed").chmod(0o755)


def test_what_may_not_be_read_is_told_by_the_command_and_not_as_usage(tmp_path: Path) -> None:
    project(tmp_path)
    assert toolc("lock", cwd=tmp_path).status == 0
    (tmp_path / "toolset.json").chmod(0)
    for command in ("list", "digest"):
        ran = toolc(command, "toolset.json", cwd=tmp_path)
        assert (ran.status, ran.stderr) == (3, "error[TC712]: `toolset.json` cannot be read: Permission denied\n")


def test_no_arguments_at_all_show_the_help_and_exit_with_2(cli: Cli) -> None:
    answer = cli()
    assert (answer.status, answer.out) == (2, "")
    assert "Commands:" in answer.err


# ------------------------------------------------------------------------------------------------------------- check


def test_check_of_a_good_project_says_so(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    assert cli("check") == Answer(status=0, out="1 tool, no errors\n", err="")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["toolc.toml", "tools"]


def test_check_shows_every_mistake_on_stdout_and_exits_with_1(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, TWO_MISTAKES)
    answer = cli("check")
    assert (answer.status, answer.err) == (1, "")
    assert "--> tools/a/tool.json:1:2" in answer.out
    assert "--> tools/b/tool.json:2:11" in answer.out
    assert answer.out.splitlines()[-1].startswith("2 errors")


def test_check_in_every_form_at_once(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, TWO_MISTAKES)
    answer = cli("check", "--format", "concise", "--format", "json=r.json", "--format", "text=r.txt")
    assert answer.status == 1
    assert [line.split(": ")[0] for line in answer.out.splitlines()] == [
        "tools/a/tool.json:1:2",
        "tools/b/tool.json:2:11",
    ]
    report = json.loads((tmp_path / "r.json").read_text())
    assert report.keys() == {"diagnostics", "summary"}
    assert report["summary"]["errors"] == 2
    assert "2 errors" in (tmp_path / "r.txt").read_text()


def test_check_finds_the_config_upward(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    assert cli("check", "tools").status == 0


def test_warnings_pass_unless_they_are_denied(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, {"tools/gone/tool.json": manifest("gone", command="no-such-program-anywhere")})
    assert "1 warning" in cli("check").out
    assert cli("check").status == 0
    assert cli("check", "--deny-warnings").status == 1
    denied = cli("build", "--deny-warnings")
    assert (denied.status, denied.out) == (1, "")
    assert "nothing was written: warnings count as errors here" in denied.err
    assert not (tmp_path / "dist").exists()
    assert not (tmp_path / "toolset.json").exists()


def test_a_quiet_command_shows_the_warnings_that_decide(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, {"tools/gone/tool.json": manifest("gone", command="no-such-program-anywhere")})
    assert "warning[" not in cli("check", "-q").out
    assert "warning[" in cli("check", "-q", "--deny-warnings").out
    assert "warning[" in cli("build", "-q", "--deny-warnings").err


def test_quiet_shows_errors_alone_and_verbose_the_notes(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, {"tools/notes.py": "def helper(text):\n    return text\n"})
    assert cli("check", "-q").out == ""
    hidden, shown = cli("check").out, cli("check", "-v").out
    assert "(-v shows them)" in hidden
    assert "note[" not in hidden
    assert "note[" in shown


# ------------------------------------------------------------------------------------------------- build and lock


def test_build_answers_on_stdout_and_talks_on_stderr(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    answer = cli("build")
    assert answer.status == 0
    path, toolset, bundle = answer.out.splitlines()
    assert path == "dist/toolset"
    assert toolset.startswith("toolset sha256:")
    assert bundle.startswith("bundle sha256:")
    assert "wrote `toolset.json`" in answer.err
    assert cli("digest", "dist/toolset").out == f"{toolset}\n{bundle}\n"
    assert cli("digest", "toolset.json").out == f"{toolset}\n"
    assert cli("verify", "dist/toolset").status == 0


def test_a_second_build_says_up_to_date_and_touches_nothing(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    first = cli("build")
    files = [path for path in (*tmp_path.rglob("*"), tmp_path) if "dist" in path.parts or path.name == "toolset.json"]
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in files}
    second = cli("build")
    assert (second.status, second.out) == (0, first.out)
    assert "up to date" in second.err
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in files} == before


def test_a_build_with_errors_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, TWO_MISTAKES)
    answer = cli("build")
    assert (answer.status, answer.out) == (1, "")
    assert "error[" in answer.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["toolc.toml", "tools"]


def test_a_given_folder_is_relative_to_where_one_stands(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path / "inner")
    assert cli("build", "inner", "-o", "out").out.splitlines()[0] == "out"
    assert (tmp_path / "out/bundle.json").is_file()
    assert cli("build", "inner").out.splitlines()[0] == "inner/dist/toolset"


def test_build_as_json(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    answer = cli("build", "--format", "json").json
    assert answer["path"] == "dist/toolset"
    assert answer["written"] is True
    lock = answer["lock"]
    assert isinstance(lock, dict)
    assert (lock["path"], lock["written"], lock["stale"]) == ("toolset.json", True, False)
    assert cli("build", "--format", "json").json["written"] is False


def test_locked_writes_nothing_where_the_lock_is_missing_or_stale(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    missing = cli("build", "--locked")
    assert (missing.status, missing.out) == (1, "")
    assert "`toolset.json` is missing" in missing.err
    assert not (tmp_path / "dist").exists()
    cli("lock")
    committed = (tmp_path / "toolset.json").read_bytes()
    write(tmp_path, {"tools/more.py": 'def more(n: int) -> str:\n    """More."""\n    return str(n)\n'})
    stale = cli("build", "--locked", "-q")
    assert stale.status == 1
    assert "`more`" in stale.err
    assert not (tmp_path / "dist").exists()
    assert (tmp_path / "toolset.json").read_bytes() == committed


def test_locked_builds_where_the_lock_is_current_and_never_touches_it(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    cli("lock")
    before = (tmp_path / "toolset.json").stat()
    assert cli("build", "--locked").status == 0
    after = (tmp_path / "toolset.json").stat()
    assert (tmp_path / "dist/toolset/bundle.json").is_file()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_what_is_stale_is_named_as_the_user_knows_it(cli: Cli, tmp_path: Path) -> None:
    config = CONFIG.replace('path = "tools"', 'path = "vendor/team"')
    project(tmp_path / "a project", {"vendor/team/lines.py": WORD_COUNT.replace("word", "line")}, config=config)
    assert cli("lock", "a project").status == 0
    write(tmp_path, {"a project/vendor/team/lines.py": WORD_COUNT.replace("word", "line") + "\n"})
    for command in (["build", "--locked"], ["lock", "--check"]):
        answer = cli(*command, "a project")
        assert answer.status == 1
        assert "  `line_count`: `vendor/team/lines.py` changed\n" in answer.out + answer.err
        assert "run `toolc lock 'a project'`, and commit it" in answer.out + answer.err
        assert answer.err.startswith("1 tool\n")


def test_lock_check_says_what_is_stale_and_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    assert cli("lock").status == 0
    assert cli("lock", "--check").status == 0
    write(
        tmp_path,
        {"tools/word_count.py": 'def word_count(text: str, by: str) -> str:\n    """Count."""\n    return ""\n'},
    )
    committed = (tmp_path / "toolset.json").read_bytes()
    answer = cli("lock", "--check")
    assert answer.status == 1
    assert "`word_count`" in answer.out
    assert (tmp_path / "toolset.json").read_bytes() == committed
    record = cli("lock", "--check", "--format", "json").json["lock"]
    assert isinstance(record, dict)
    assert record["stale"] is True
    assert record["changes"]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        pytest.param(lambda text: text.replace('"lock_version": 1', '"lock_version": 99'), "TC701", id="newer"),
        pytest.param(lambda text: text.replace('"requires": []', '"requires": ["magic"]'), "TC702", id="a feature"),
        pytest.param(lambda text: text.replace('"host"', '"extra": 1,\n  "host"'), "TC711", id="a foreign key"),
        pytest.param(lambda text: f"<<<<<<< ours\n{text}", "TC705", id="a merge conflict"),
    ],
)
def test_a_lock_of_a_newer_toolc_is_not_overwritten(cli: Cli, tmp_path: Path, edit: object, code: str) -> None:
    project(tmp_path)
    cli("lock")
    lock = tmp_path / "toolset.json"
    assert callable(edit)
    edited = edit(lock.read_text())
    assert edited != lock.read_text()
    lock.write_text(edited)
    for command in ("lock", "build"):
        answer = cli(command, "--format", "json")
        assert answer.status == 3
        error = answer.json["error"]
        assert isinstance(error, dict)
        assert error["code"] == code
        assert f"error[{code}]" in answer.err
    assert lock.read_text() == edited
    assert not (tmp_path / "dist").exists()


def test_a_reformatted_lock_is_stale_and_is_written_anew(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    cli("lock")
    lock = tmp_path / "toolset.json"
    canonical = lock.read_text()
    lock.write_text(json.dumps(json.loads(canonical)))
    assert cli("lock", "--check").status == 1
    assert cli("build", "--locked").status == 1
    assert cli("lock").status == 0
    assert lock.read_text() == canonical


def test_a_path_of_json_is_within_the_project_by_whatever_link_it_was_named(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    assert cli("build", "link", "-o", "link/x/../out", "--format", "json").json["path"] == "out"


def test_a_lock_without_end_is_not_read_into_memory(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "toolset.json").touch()
    os.truncate(tmp_path / "toolset.json", 8 << 30)
    for command in (["build"], ["lock"], ["lock", "--check"], ["digest", "toolset.json"]):
        answer = cli(*command)
        assert (answer.status, "larger than 64 MiB" in answer.err) == (3, True), command


def test_output_that_cannot_be_written_exits_with_3(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "file").write_text("")
    answer = cli("build", "-o", "file/below", "--format", "json")
    assert answer.status == 3
    assert answer.json.keys() == {"error"}
    assert not (tmp_path / "toolset.json").exists()


# -------------------------------------------------------------------------------------------------------------- list


def test_list_shows_the_same_of_a_project_a_lock_and_a_bundle(cli: Cli, tmp_path: Path) -> None:
    config = CONFIG + 'count = "deny"\n\n[subsets.words]\ninclude = ["word*"]\n'
    files = {"tools/count/tool.json": manifest("count"), "tools/count/run.sh": "#!/bin/sh\n"}
    project(tmp_path, files, config=config)
    cli("build")
    answers = [cli("list", target, "--format", "json").json for target in (".", "toolset.json", "dist/toolset")]
    assert answers[0] == answers[1] == answers[2]
    tools = answers[0]["tools"]
    assert isinstance(tools, list)
    assert [(tool["name"], tool["kind"], tool["permission"], tool["path"]) for tool in tools] == [
        ("count", "command", "deny", "tools/count/tool.json"),
        ("word_count", "python", "allow", "tools/word_count.py"),
    ]
    assert tools[1].keys() == {
        "name", "description", "kind", "layer", "path", "permission", "parameters", "returns", "shadows",
    }  # fmt: skip
    assert tools[1]["shadows"] == []
    assert "word_count" in cli("list").out
    assert "word_count" in cli("list", "--subset", "words").out
    assert " count " not in cli("list", "--subset", "words").out
    typo = cli("list", "--subset", "word")
    assert (typo.status, "did you mean `words`?" in typo.err) == (2, True)


def test_list_shows_what_compiled_in_spite_of_errors_and_exits_with_1(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, TWO_MISTAKES)
    answer = cli("list", "--format", "json")
    assert answer.status == 1
    tools, skipped = answer.json["tools"], answer.json["skipped"]
    assert isinstance(tools, list) and isinstance(skipped, list)
    assert [tool["name"] for tool in tools] == ["word_count"]
    assert {entry["path"] for entry in skipped} >= {"tools/a/tool.json"}
    assert all(entry.keys() == {"path", "reason", "code"} for entry in skipped)
    assert "error[" in answer.err


def test_list_all_adds_what_no_tool_carries(cli: Cli, tmp_path: Path) -> None:
    config = CONFIG + "\n[tools.word_count]\nenabled = false\n"
    project(tmp_path, {"tools/README.md": "words\n"}, config=config)
    assert "switched off" in cli("list", "--all").out
    assert "--all" in cli("list").out
    assert cli("list", "--all", "--format", "json").json["hidden"] == {
        "word_count": [{"layer": "tools", "path": "word_count.py", "reason": "disabled"}]
    }


def test_list_and_explain_are_json_even_where_the_config_cannot_be_used(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, config="[toolset\n")
    listed = cli("list", "--format", "json")
    assert (listed.status, listed.json) == (1, {"tools": [], "skipped": []})
    told = cli("explain", "word_count", "--format", "json")
    assert (told.status, told.json["path"], told.json["permission"]) == (1, None, None)
    diagnostics = told.json["diagnostics"]
    assert isinstance(diagnostics, list)
    assert [entry["code"] for entry in diagnostics] == ["TC102"]


def test_a_bundle_that_lost_its_index_is_not_taken_for_a_project(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    cli("build")
    (tmp_path / "tools/later.py").write_text((tmp_path / "tools/word_count.py").read_text().replace("word_", "late_"))
    (tmp_path / "dist/toolset/bundle.json").unlink()
    assert "late_count" not in cli("list", "dist/toolset").out
    assert cli("digest", "dist/toolset").status == 3


def test_a_project_with_a_bundle_json_of_its_own_is_no_bundle(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, {"bundle.json": "{}"})
    cli("lock")
    (tmp_path / "tools/later.py").write_text((tmp_path / "tools/word_count.py").read_text().replace("word_", "late_"))
    assert "late_count" in cli("list").out
    assert cli("digest", ".").status == 3


# --------------------------------------------------------------------------------------------- digest, verify, run


@pytest.mark.parametrize("command", [["digest"], ["verify"], ["run"], ["list"]], ids=lambda argv: str(argv[0]))
def test_what_is_no_bundle_exits_with_3(cli: Cli, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("hello\n")
    extra = ["tool"] if command == ["run"] else []
    for target in ("empty", "text") if command != ["list"] else ("text",):
        answer = cli(*command, target, *extra, "--format", "json")
        assert answer.status == 3, target
        error = answer.json["error"]
        assert isinstance(error, dict)
        assert error.keys() == {"code", "message"}


def test_verify_names_what_differs_and_exits_with_1(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    cli("build")
    source = tmp_path / "dist/toolset/tools/tools/word_count.py"
    source.write_text(source.read_text() + "#")
    answer = cli("verify", "dist/toolset")
    assert answer.status == 1
    assert "tools/tools/word_count.py" in answer.out
    assert cli("verify", "dist/toolset", "--format", "json").json["bundle"] is None


def test_verify_holds_the_expected_digests(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    _, toolset, bundle = (line.split()[-1] for line in cli("build").out.splitlines())
    assert cli("verify", "dist/toolset", "--expect", bundle, "--expect-toolset", toolset).status == 0
    assert cli("verify", "dist/toolset", "--expect", toolset).status == 1
    assert cli("verify", "dist/toolset", "--expect-toolset", bundle).status == 1


def test_run_prints_the_output_and_exits_with_0(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path)
    cli("build")
    answer = cli("run", "dist/toolset", "word_count", "--args", '{"text": "a b c"}')
    assert (answer.status, answer.out, answer.err) == (0, "3\n", "")
    record = cli("run", "dist/toolset", "word_count", "--args", '{"text": "a b c"}', "--format", "json").json
    assert list(record) == [
        "ok", "output", "value", "printed", "error", "exit_code", "duration_s", "truncated", "details",
    ]  # fmt: skip
    assert (record["ok"], record["output"], record["printed"], record["error"]) == (True, "3", "", None)


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        pytest.param(["nobody"], "unknown-tool", id="a tool that the bundle lacks"),
        pytest.param(["word_count"], "invalid-arguments", id="an argument missing"),
        pytest.param(["careful", "--args", '{"text": "a"}'], "not-approved", id="nobody there to ask"),
        pytest.param(["secret", "--yes"], "denied", id="denied, whatever is approved"),
    ],
)
def test_a_call_without_a_good_answer_exits_with_1(cli: Cli, tmp_path: Path, arguments: list[str], kind: str) -> None:
    tool = 'def {0}(text: str = "") -> str:\n    """Do {0}."""\n    return text\n'
    project(
        tmp_path,
        {"tools/careful.py": tool.format("careful"), "tools/secret.py": tool.format("secret")},
        config=CONFIG + 'careful = "ask"\nsecret = "deny"\n',
    )
    cli("build")
    answer = cli("run", "dist/toolset", *arguments)
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("error: ")
    error = cli("run", "dist/toolset", *arguments, "--format", "json").json["error"]
    assert isinstance(error, dict)
    assert error.keys() == {"kind", "message", "problems"}
    assert error["kind"] == kind


def test_yes_approves_what_would_be_asked(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, config=CONFIG + 'word_count = "ask"\n')
    cli("build")
    assert cli("run", "dist/toolset", "word_count", "--args", '{"text": "a"}', "--yes").out == "1\n"


def test_where_a_tool_raised_is_shown_to_who_asks(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, {"tools/boom.py": "def boom() -> str:\n    'Fail.'\n    return str(1 / 0)\n"})
    assert cli("build").status == 0
    brief = cli("run", "dist/toolset", "boom")
    assert (brief.status, brief.out) == (1, "")
    assert brief.err.endswith("hint: -v shows where\n")
    verbose = cli("run", "dist/toolset", "boom", "-v")
    assert verbose.err.endswith("  at tools/tools/boom.py:3, in boom\n")
    assert "hint" not in verbose.err


@pytest.mark.parametrize("built", [False, True], ids=["not-built", "built"])
def test_a_project_is_no_bundle_and_run_says_where_its_bundle_is(cli: Cli, tmp_path: Path, built: bool) -> None:
    project(tmp_path / "p")
    if built:
        assert cli("build", "p").status == 0
    answer = cli("run", "p", "word_count")
    assert answer.status == 3
    hint = "its bundle is `p/dist/toolset`" if built else "`toolc build p` makes its bundle, in `p/dist/toolset`"
    assert hint in answer.err


def test_arguments_come_from_stdin(tmp_path: Path) -> None:
    project(tmp_path)
    toolc("build", cwd=tmp_path)
    ran = toolc("run", "dist/toolset", "word_count", "--args", "-", cwd=tmp_path, stdin='{"text": "um dois três"}')
    assert (ran.status, ran.stdout) == (0, "3\n")


def at_a_terminal(argv: list[str], cwd: Path, keys: bytes) -> tuple[int, str]:
    """Run toolc on a terminal of its own, type `keys` once it asks, and return its status and all it showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execve(sys.executable, [sys.executable, "-m", "toolc", *argv], environment(cwd, TERM="xterm"))
    shown = b""
    typed = False
    until = time.monotonic() + 60
    while time.monotonic() < until and select.select([terminal], [], [], 60)[0]:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux: the other side is closed
            break
        if not part:
            break
        shown += part
        if b"[y/N]" in shown and not typed:
            os.write(terminal, keys)
            typed = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


@pytest.mark.parametrize(("keys", "status"), [(b"y\n", 0), (b"n\n", 1), (b"\n", 1), (b"\x03", 130)])
def test_a_terminal_is_asked_before_a_tool_runs(tmp_path: Path, keys: bytes, status: int) -> None:
    project(tmp_path, config=CONFIG + 'word_count = "ask"\n')
    toolc("build", cwd=tmp_path)
    ended, shown = at_a_terminal(["run", "dist/toolset", "word_count", "--args", '{"text": "a b"}'], tmp_path, keys)
    assert ended == status, shown
    assert '"a b"' in shown
    assert ("2\r\n" in shown) == (status == 0)


# ----------------------------------------------------------------------------------------------- streams and colour


def colours(cli: Cli, *arguments: str) -> bool:
    answer = cli("check", *arguments)
    return "\x1b" in answer.out + answer.err


def test_colour_is_for_terminals_and_for_those_who_ask(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, TWO_MISTAKES)
    assert not colours(cli)
    assert colours(cli, "--color", "always")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert colours(cli)
    assert not colours(cli, "--color", "never")
    assert not colours(cli, "--format", "json")
    assert not colours(cli, "--color", "always", "--format", "json")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours(cli)


@pytest.mark.parametrize(
    ("extra", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)], ids=str
)
def test_a_terminal_gets_colour_unless_it_says_no(tmp_path: Path, extra: dict[str, str], coloured: bool) -> None:
    project(tmp_path, TWO_MISTAKES)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        env = environment(tmp_path, **{"TERM": "xterm", **extra})
        os.execve(sys.executable, [sys.executable, "-m", "toolc", "check"], env)
    shown = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        shown += part
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1
    assert (b"\x1b[" in shown) == coloured


def test_no_command_prints_an_escape_that_came_from_data(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, {"tools/shout/tool.json": SHOUT, "tools/x\x1b[31m.py": "def x(:\n", "tools/\u202ey.py": "1 +\n"})
    for arguments in (
        ["check", "-v"],
        ["check", "--format", "concise"],
        ["list", "--all"],
        ["explain", "shout"],
        ["build"],
    ):
        answer = cli(*arguments)
        assert answer.status in (0, 1), answer
        assert "\x1b" not in answer.out + answer.err, arguments
        assert "\u202e" not in answer.out + answer.err, arguments


def test_no_colour_is_for_what_stops_a_command_too(tmp_path: Path) -> None:
    for option in (["--color", "never"], ["--color=never"]):
        assert "\x1b" not in toolc("check", "nowhere", *option, cwd=tmp_path, env={"FORCE_COLOR": "1"}).stderr
    assert "\x1b" in toolc("check", "nowhere", cwd=tmp_path, env={"FORCE_COLOR": "1"}).stderr


def test_an_ascii_terminal_gets_names_spelled_out(tmp_path: Path) -> None:
    project(tmp_path, {"tools/ação.py": "def x(:\n"})
    ran = toolc("check", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii", "LANG": "C"})
    assert ran.status == 1
    assert "tools/a\\xe7\\xe3o.py" in ran.stdout


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    project(tmp_path, {f"tools/t{number}/tool.json": "{" for number in range(400)})
    child = subprocess.Popen(
        [sys.executable, "-m", "toolc", "check"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None and child.stderr is not None
    child.stdout.read(10)
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(60) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_stdout_exits_with_3(tmp_path: Path) -> None:
    project(tmp_path)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "toolc", "check"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        3,
        "error[TC700]: the output cannot be written: No space left on device\n",
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_stderr_does_not_keep_the_answer_back(tmp_path: Path) -> None:
    project(tmp_path)
    ran = run(
        ["sh", "-c", f'exec "{sys.executable}" -m toolc build 2>/dev/full'], cwd=tmp_path, env=environment(tmp_path)
    )
    assert (ran.status, ran.stdout.splitlines()[0]) == (0, "dist/toolset")


@pytest.mark.parametrize("command", ["--help", "completion bash", "schema toolc"])
def test_help_for_a_reader_that_went_away_is_no_fault_either(tmp_path: Path, command: str) -> None:
    shell = f'{{ "{sys.executable}" -m toolc {command}; echo $? >status; }} | true'
    assert run(["sh", "-c", shell], cwd=tmp_path, env=environment(tmp_path)).stderr == ""
    assert (tmp_path / "status").read_text() == "0\n"


def test_arguments_from_a_stdin_that_is_not_there_are_a_usage_error(tmp_path: Path) -> None:
    shell = f'exec "{sys.executable}" -m toolc run b t --args - <&-'
    ran = run(["sh", "-c", shell], cwd=tmp_path, env=environment(tmp_path))
    assert (ran.status, "--args: there is no stdin to read" in ran.stderr) == (2, True)


def test_without_any_stdout_a_command_still_tells_its_status(tmp_path: Path) -> None:
    project(tmp_path)
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m toolc check >&-'],
        cwd=tmp_path,
        env=environment(tmp_path),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


# ------------------------------------------------------------------------------------------------------ sudden ends


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["INT", "TERM", "HUP"],
)
def test_a_signal_ends_a_call_with_its_own_status(tmp_path: Path, number: int, status: int) -> None:
    started = tmp_path / "started"
    run = f"#!/bin/sh\necho $$ >'{started}.new'; mv '{started}.new' '{started}'\nexec sleep 60\n"
    project(tmp_path, {"tools/slow/tool.json": manifest("slow"), "tools/slow/run.sh": run})
    assert toolc("build", cwd=tmp_path).status == 0
    child = subprocess.Popen(
        [sys.executable, "-m", "toolc", "run", "dist/toolset", "slow"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 60
    while not started.exists() and time.monotonic() < until:
        time.sleep(0.01)
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == status
    assert b"Traceback" not in err
    assert is_gone(int(started.read_text()))  # the tool does not outlive the command that ran it


def is_gone(pid: int) -> bool:
    """Whether a process ends; one that was killed takes a moment to."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def ended_by(error: BaseException, *arguments: str) -> int:
    def command() -> None:
        raise error

    return failures.run(command, arguments)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        pytest.param(KeyboardInterrupt(), 130, "", id="interrupted"),
        pytest.param(failures.Terminated(signal.SIGTERM), 143, "", id="terminated"),
        pytest.param(ZeroDivisionError("by zero"), 70, "this is a bug in toolc: ZeroDivisionError: by zero", id="bug"),
        pytest.param(RecursionError("deep"), 70, "a bug in toolc", id="a deep bug"),
        pytest.param(MemoryError(), 3, "error[TC700]: there is not enough memory", id="no memory"),
        pytest.param(OSError(28, "full", "x"), 3, "error[TC700]: `x`: No space left on device", id="the system"),
    ],
)
def test_what_ends_a_command_is_a_status_and_never_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, words: str
) -> None:
    monkeypatch.delenv("TOOLC_DEBUG", raising=False)
    assert ended_by(error) == status
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err


def test_a_bug_is_json_where_json_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended_by(ZeroDivisionError("x"), "check", "--format=json") == 70
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bug"


def test_debug_shows_where_a_bug_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLC_DEBUG", "1")
    assert ended_by(ZeroDivisionError("x")) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err
