"""What is offered to others' CI: the hooks of pre-commit, the action, the pair of workflows. Each script is run.

The scripts of the action run as a runner runs them, in a real repository; GitHub's API is a program that answers as
`gh api` does for one pull request, and keeps what it was sent.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from commands import Ran, environment, run, toolc
from projects import write
from repositories import Repo, copied, eight, source

ROOT = Path(__file__).parents[1]
ACTION = ROOT / ".github/actions/toolc-diff/action.yml"
WORKFLOWS = {name: ROOT / f"examples/ci/{name}.yml" for name in ("toolc-diff", "toolc-comment")}


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def steps(path: Path) -> list[dict[str, Any]]:
    """The steps of an action, or of the one job of a workflow."""
    file = loaded(path)
    holder = file["runs"] if "runs" in file else next(iter(file["jobs"].values()))
    found: list[dict[str, Any]] = holder["steps"]
    return found


def script(path: Path, sign: str) -> str:
    """The one script of a file that has a sign in it."""
    (found,) = [step["run"] for step in steps(path) if sign in step.get("run", "")]
    return str(found)


def bash(text: str, cwd: Path, **env: str) -> Ran:
    return run(["bash", "--noprofile", "--norc", "-c", text], cwd=cwd, env=environment(cwd / ".no-home", **env))


# ---------------------------------------------------------------------------------------------------------- pre-commit


def test_the_hooks_check_the_whole_project_and_write_nothing() -> None:
    hooks = {hook["id"]: hook for hook in loaded(ROOT / ".pre-commit-hooks.yaml")}

    assert {name: hook["entry"] for name, hook in hooks.items()} == {
        "toolc-check": "toolc check",
        "toolc-lock": "toolc lock --check",
    }
    for hook in hooks.values():
        assert hook["pass_filenames"] is False
        assert hook["always_run"] is True
        assert hook["language"] == "python"


def test_the_hooks_say_no_where_the_lock_is_stale_whatever_the_environment(original: Repo, tmp_path: Path) -> None:
    repo = copied(original, tmp_path)
    toggles = {"UV_FROZEN": "1", "TOOLC_FROZEN": "1", "CI": "1"}
    for hook in loaded(ROOT / ".pre-commit-hooks.yaml"):
        command = str(hook["entry"]).removeprefix("toolc ").split()
        assert toolc(*command, cwd=repo.root, home=repo.home, env=toggles).status == 0
    write(repo.root, {"tools/beta.py": source("beta", text="Do something else.")})
    before = repo.lock

    assert toolc("lock", "--check", cwd=repo.root, home=repo.home, env=toggles).status == 1
    assert repo.lock == before


# ---------------------------------------------------------------------------------------------------------- the action


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return eight(tmp_path_factory.mktemp("eight"))


def act(repo: Repo, temp: Path, **inputs: str) -> tuple[Ran, dict[str, str], str]:
    """Run the action's comparison as a runner would: what it said, its outputs, and the summary of the step."""
    temp.mkdir()
    # The program that pip makes: `python -m toolc` would look in the current folder first.
    write(temp, {"toolc-venv/bin/toolc": f'#!/bin/sh\nexec {Path(sys.executable).with_name("toolc")} "$@"\n'})
    files = {name: temp / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for file in files.values():
        file.write_text("")
    asked = {"PROJECT": ".", "BASE": "main", "CONSUMER": "pinned", "FAIL_ON": "breaking"} | inputs
    paths = {name: str(file) for name, file in files.items()}
    done = bash(script(ACTION, "GITHUB_OUTPUT"), repo.root, RUNNER_TEMP=str(temp), **asked, **paths)
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return done, outputs, files["GITHUB_STEP_SUMMARY"].read_text()


@pytest.fixture
def breaking(original: Repo, tmp_path: Path) -> Repo:
    """A branch that asks one argument more, and whose tools would leave a trace if anything ran them."""
    repo = copied(original, tmp_path)
    trace = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    names = ("sitecustomize", "toolc", "venv", "ensurepip", "pip")
    repo.branch("topic", lambda root: write(root, {"tools/alpha.py": source("alpha", parameters="text: str, n: int")}))
    repo.must("checkout", "-q", "topic")
    write(repo.root, {"tools/beta.py": trace + source("beta"), **{f"{name}.py": trace for name in names}})
    repo.must("add", "-A")
    repo.must("commit", "-qm", "a trap")
    return repo


@pytest.mark.parametrize(
    ("inputs", "status", "verdict"),
    [
        pytest.param({}, 1, "fail", id="breaking"),
        pytest.param({"FAIL_ON": "never"}, 0, "pass", id="only-reported"),
        pytest.param({"BASE": "HEAD"}, 0, "pass", id="nothing-changed"),
        pytest.param({"BASE": ""}, 1, "fail", id="from-where-the-branch-left"),
        pytest.param({"BASE": "0" * 40}, 3, None, id="no-such-commit"),
        pytest.param({"BASE": "--exit-zero"}, 3, None, id="an-option-for-a-commit"),
    ],
)
def test_the_action_compares_locks_and_says_what_came_of_it(
    breaking: Repo, tmp_path: Path, inputs: dict[str, str], status: int, verdict: str | None
) -> None:
    done, outputs, summary = act(breaking, tmp_path / "temp", **inputs)

    assert done.status == status, done.stderr
    assert outputs.get("verdict") == verdict
    if verdict is not None:
        assert summary == Path(outputs["markdown"]).read_text()
        assert summary.startswith("<!-- toolc-diff:")
        assert json.loads(Path(outputs["sarif"]).read_text())["version"] == "2.1.0"
        assert ("::error " in done.stdout) == (inputs.get("BASE") != "HEAD")
        rules = {finding["rule"] for finding in json.loads(Path(outputs["json"]).read_text())["findings"]}
        assert ("T201" in rules) == (inputs.get("BASE") != "HEAD")
    assert not (tmp_path / "ran").exists(), "nothing of the pull request ran"


def test_making_a_home_for_the_action_runs_nothing_of_the_pull_request(breaking: Repo, tmp_path: Path) -> None:
    temp, action = tmp_path / "temp", tmp_path / "action/.github/actions/toolc-diff"
    temp.mkdir()
    action.mkdir(parents=True)
    # There is no package at its root, so that pip stops there and nothing is downloaded.
    bash(script(ACTION, "GITHUB_ACTION_PATH"), breaking.root, RUNNER_TEMP=str(temp), GITHUB_ACTION_PATH=str(action))

    assert (temp / "toolc-venv/bin/pip").exists()
    assert not (tmp_path / "ran").exists()


def test_the_action_installs_what_it_came_with_and_takes_no_secret() -> None:
    text = ACTION.read_text()

    assert "$GITHUB_ACTION_PATH/../../.." in script(ACTION, "GITHUB_ACTION_PATH")
    assert (ACTION.parent / "../../..").resolve() == ROOT
    assert "secrets." not in text
    assert "github.token" not in text
    outputs = loaded(ACTION)["outputs"]
    assert outputs.keys() == {"verdict", "markdown", "sarif", "json"}
    for name, output in outputs.items():
        assert output["value"] == f"${{{{ steps.diff.outputs.{name} }}}}"


@pytest.mark.parametrize("path", [ACTION, *WORKFLOWS.values()], ids=["action", *WORKFLOWS])
def test_no_script_has_an_expression_that_a_pull_request_could_write(path: Path) -> None:
    for step in steps(path):
        assert "${{" not in step.get("run", ""), "what comes from outside is a variable, never text of the script"
        if "run" in step:
            checked = subprocess.run(["bash", "-n", "-c", step["run"]], capture_output=True, check=False)
            assert checked.returncode == 0, checked.stderr


# -------------------------------------------------------------------------------------------------------- the workflows


def test_only_the_workflow_that_checks_nothing_out_may_write() -> None:
    first, second = (loaded(path) for path in WORKFLOWS.values())
    # YAML 1.1 reads the key `on` as true.
    assert first[True].keys() == {"pull_request", "merge_group"}
    assert first["permissions"] == {"contents": "read"}
    assert second[True]["workflow_run"]["workflows"] == [first["name"]]
    assert second["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert not any("checkout" in step.get("uses", "") for step in steps(WORKFLOWS["toolc-comment"]))
    (checkout,) = [step for step in steps(WORKFLOWS["toolc-diff"]) if "checkout" in step.get("uses", "")]
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}


GITHUB = """\
#!{python}
import json, os, re, sys
arguments = sys.argv[2:]
state = json.load(open(os.environ["STATE"]))
path = next(word for word in arguments if word.startswith("repos/"))
if "-F" in arguments:
    body = open(arguments[arguments.index("-F") + 1].removeprefix("body=@")).read()
    state["sent"].append([("PATCH " if "PATCH" in arguments else "POST ") + path, body])
    json.dump(state, open(os.environ["STATE"], "w"))
elif path.endswith("/pulls/7"):
    print(state["head"])
else:
    for comment in state["comments"]:
        if comment["bot"] and comment["body"].startswith(os.environ["mark"]):
            print(comment["id"])
"""
COMMENT = "<!-- toolc-diff:demo -->\n1 breaking\n"


@pytest.mark.parametrize(
    ("number", "comment", "comments", "status", "sent"),
    [
        pytest.param("7", COMMENT, [], 0, "POST repos/o/r/issues/7/comments", id="a-first-comment"),
        pytest.param(
            "7",
            COMMENT,
            [{"id": 5, "bot": False, "body": COMMENT}, {"id": 6, "bot": True, "body": COMMENT}],
            0,
            "PATCH repos/o/r/issues/comments/6",
            id="its-own-is-updated",
        ),
        pytest.param("7/../../x", COMMENT, [], 1, None, id="a-number-that-is-a-path"),
        pytest.param("", COMMENT, [], 1, None, id="no-number"),
        pytest.param("7", "# Approved\n", [], 1, None, id="another-text"),
    ],
)
def test_the_comment_is_posted_once_and_then_updated(
    tmp_path: Path, number: str, comment: str, comments: list[dict[str, Any]], status: int, sent: str | None
) -> None:
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"head": "abc", "comments": comments, "sent": []}))
    write(tmp_path, {"bin/gh": GITHUB.format(python=sys.executable)})
    write(tmp_path, {"comment/number": f"{number}\n", "comment/comment.md": comment})
    path = f"{tmp_path / 'bin'}{os.pathsep}{environment(tmp_path)['PATH']}"
    text = script(WORKFLOWS["toolc-comment"], "gh api")
    done = bash(text, tmp_path, PATH=path, REPOSITORY="o/r", HEAD="abc", STATE=str(state))

    assert done.status == status, done.stderr
    assert json.loads(state.read_text())["sent"] == ([] if sent is None else [[sent, comment]])


def test_a_comment_for_a_commit_that_is_not_the_newest_is_not_posted(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"head": "abc", "comments": [], "sent": []}))
    write(tmp_path, {"bin/gh": GITHUB.format(python=sys.executable)})
    write(tmp_path, {"comment/number": "7\n", "comment/comment.md": COMMENT})
    path = f"{tmp_path / 'bin'}{os.pathsep}{environment(tmp_path)['PATH']}"
    text = script(WORKFLOWS["toolc-comment"], "gh api")
    done = bash(text, tmp_path, PATH=path, REPOSITORY="o/r", HEAD="old", STATE=str(state))

    assert (done.status, json.loads(state.read_text())["sent"]) == (0, [])


def test_the_first_workflow_keeps_the_comment_and_the_number(tmp_path: Path) -> None:
    write(tmp_path, {"diff.md": COMMENT})
    text = script(WORKFLOWS["toolc-diff"], "NUMBER")
    done = bash(text, tmp_path, COMMENT=str(tmp_path / "diff.md"), NUMBER="7", RUNNER_TEMP=str(tmp_path))

    assert done.status == 0, done.stderr
    assert (tmp_path / "comment/comment.md").read_text() == COMMENT
    assert re.fullmatch(r"[0-9]+\n", (tmp_path / "comment/number").read_text())
