"""The examples, built from their committed locks and run: by `toolc run`, by wrapper, and through the runtime."""

from __future__ import annotations

import json
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from commands import Ran, environment, run, toolc

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = sorted(path.name for path in EXAMPLES.iterdir() if (path / "toolc.toml").is_file())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A copy of every example, built from its committed lock."""
    projects = {}
    for name in NAMES:
        project = tmp_path_factory.mktemp("examples") / name
        shutil.copytree(EXAMPLES / name, project, ignore=shutil.ignore_patterns("dist"))
        ran = toolc("build", "--locked", cwd=project)
        assert ran.status == 0, ran.stderr
        projects[name] = project
    return projects


def run_tool(project: Path, tool: str, arguments: object, *options: str) -> Ran:
    return toolc("run", "dist/toolset", tool, "--args", json.dumps(arguments), *options, cwd=project)


def run_wrapper(project: Path, tool: str, arguments: object, cwd: Path, *options: str) -> Ran:
    """Run a wrapper with nothing in the environment but PATH."""
    path = environment(cwd)["PATH"]
    argv = [str(project / "dist/toolset/bin" / tool), *options]
    return run(argv, cwd=cwd, env={"PATH": path}, stdin=json.dumps(arguments))


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_built_from_its_committed_lock(name: str, built: dict[str, Path]) -> None:
    lock = (built[name] / "dist/toolset/toolset.json").read_bytes()
    assert lock == (EXAMPLES / name / "toolset.json").read_bytes()
    assert toolc("verify", "dist/toolset", cwd=built[name]).status == 0


@pytest.mark.parametrize(
    ("example", "tool", "arguments", "output"),
    [
        pytest.param("quickstart", "word_count", {"text": "to be or not to be"}, "6", id="python"),
        pytest.param("quickstart", "word_count", {"text": "to be or not to be", "unique": True}, "4", id="optional"),
        pytest.param(
            "quickstart", "line-stats", {"text": "a\nbcd"}, "2 lines, the longest has 3 characters", id="manifest"
        ),
        pytest.param("aru", "word_count", {"text": "um dois três"}, "3", id="bare-function"),
        pytest.param("shadowing", "summarize", {"text": "One. Two. Three."}, "One", id="shadowing"),
    ],
)
def test_a_tool_answers_by_command_and_by_wrapper(
    example: str, tool: str, arguments: object, output: str, built: dict[str, Path], tmp_path: Path
) -> None:
    ran = run_tool(built[example], tool, arguments)
    assert (ran.status, ran.stdout.rstrip("\n")) == (0, output), ran.stderr
    ran = run_wrapper(built[example], tool, arguments, tmp_path)
    assert (ran.status, ran.stdout.rstrip("\n")) == (0, output), ran.stderr


def test_the_deploy_tool_runs_a_script_of_the_hosts_project(built: dict[str, Path]) -> None:
    project = built["aru"]
    ran = run_tool(project, "deploy", {"environment": "production"}, "--yes")
    assert (ran.status, ran.stdout.rstrip("\n")) == (0, "deployed aru to production"), ran.stderr
    ran = run_wrapper(project, "deploy", {}, project, "--yes")
    assert (ran.status, ran.stdout.rstrip("\n")) == (0, "deployed aru to staging"), ran.stderr


def test_a_tool_that_must_be_asked_about_is_refused_without_a_yes(built: dict[str, Path]) -> None:
    project = built["aru"]
    ran = toolc("run", "dist/toolset", "deploy", "--args", "{}", "--format", "json", cwd=project)
    assert ran.status == 1
    assert json.loads(ran.stdout)["error"]["kind"] == "not-approved"
    assert run_wrapper(project, "deploy", {}, project).status == 1


@pytest.fixture
def server() -> Iterator[str]:
    """A real HTTP server on the loopback that answers with JSON."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"path": self.path, "greeting": "olá"}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()
        thread.join()


def test_the_async_fetcher_talks_to_a_real_server(built: dict[str, Path], server: str, tmp_path: Path) -> None:
    for ran in (
        run_tool(built["aru"], "fetch_json", {"url": f"{server}/a"}),
        run_wrapper(built["aru"], "fetch_json", {"url": f"{server}/a"}, tmp_path),
    ):
        assert ran.status == 0, ran.stderr
        assert json.loads(ran.stdout) == {"path": "/a", "greeting": "olá"}


def test_the_linter_reports_a_real_fault(built: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text("import os\n")
    for ran in (
        run_tool(built["pequeroku"], "run-linter", {"path": str(tmp_path / "faulty.py")}),
        run_wrapper(built["pequeroku"], "run-linter", {"path": "faulty.py"}, tmp_path),
    ):
        assert ran.status == 1
        assert "F401" in ran.stdout


def test_the_linter_says_so_where_there_is_no_ruff(built: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "python3").symlink_to(sys.executable)
    wrapper = built["pequeroku"] / "dist/toolset/bin/run-linter"
    ran = run(["/bin/sh", str(wrapper)], cwd=tmp_path, env={"PATH": str(tmp_path)}, stdin='{"path": "a.py"}')
    assert ran.status == 1
    assert ran.stdout.startswith("this tool needs ruff, and there is none on the PATH\n")


def test_a_background_job_outlives_its_call(built: dict[str, Path], tmp_path: Path) -> None:
    for call, name in ((run_tool, "a"), (run_wrapper, "b")):
        file = tmp_path / name
        extra = (tmp_path,) if call is run_wrapper else ()
        ran = call(built["pequeroku"], "background-job", {"file": str(file), "seconds": 1.5}, *extra)
        assert (ran.status, ran.stdout.rstrip("\n")) == (0, "started"), ran.stderr
        assert not file.exists(), "the call waited for its job"
        for _ in range(100):
            if file.exists():
                break
            time.sleep(0.1)
        assert file.read_text() == "done\n"


def test_the_shadowing_example_tells_who_won(built: dict[str, Path]) -> None:
    lock = json.loads((built["shadowing"] / "toolset.json").read_text())
    assert sorted(lock["tools"]) == ["bash", "summarize"]
    assert lock["tools"]["summarize"]["origin"] == {
        "layer": "team",
        "path": "text.py",
        "shadows": [{"layer": "base", "path": "text.py", "reason": "precedence"}],
    }
    assert lock["builtins"] == {"policy": "explicit", "overridden": ["bash"], "removed": []}
    assert {name: [loser["reason"] for loser in losers] for name, losers in lock["hidden"].items()} == {
        "lint": ["disabled"],
        "read": ["builtin"],
    }
    checked = toolc("check", cwd=built["shadowing"])
    assert checked.status == 0
    assert "`read`" in checked.stdout


def test_a_command_that_puts_itself_in_the_background_gets_its_arguments(tmp_path: Path) -> None:
    """The form PequeRoku's document recommends: `setsid ... &`, with nothing changed in the manifest."""
    folder = tmp_path / ".pequenin/tools/long-job"
    folder.mkdir(parents=True)
    (folder / "job.py").write_text(
        "import json, sys, time\nn = json.load(sys.stdin)\ntime.sleep(1)\nopen(n['file'], 'w').write('done')\n"
    )
    manifest = {
        "name": "long-job",
        "description": "Start a long job.",
        "parameters": {"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]},
        "command": "setsid nohup python3 job.py >/dev/null 2>&1 &",
    }
    (folder / "tool.json").write_text(json.dumps(manifest))
    assert toolc("build", cwd=tmp_path).status == 0
    file = tmp_path / "answer"
    ran = run_tool(tmp_path, "long-job", {"file": str(file)})
    assert ran.status == 0, ran.stderr
    assert not file.exists()
    for _ in range(100):
        if file.exists() and file.read_text():
            break
        time.sleep(0.1)
    assert file.read_text() == "done"
