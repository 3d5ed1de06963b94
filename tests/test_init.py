"""`toolc init`: what it writes builds and runs, and what is there stays."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from projects import Cli, write
from toolc.resources import presets
from toolc.scaffold import layer_of


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line in a fresh folder, with an empty home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    return Cli(capture=capsys)


def test_init_build_run(cli: Cli) -> None:
    started = cli("init")
    assert started.status == 0
    assert "created toolc.toml" in started.out
    assert "next: toolc build" in started.err
    checked = cli("check", "--deny-warnings")
    assert checked.status == 0, checked.out
    assert cli("build").status == 0
    assert cli("run", "dist/toolset", "word_count", "--args", '{"text": "a b"}').out == "2\n"
    assert cli("run", "dist/toolset", "line-count", "--args", '{"text": "a\\nb\\nc"}').out == "3\n"


def test_a_second_init_overwrites_nothing(cli: Cli, tmp_path: Path) -> None:
    cli("init")
    write(tmp_path, {"toolc.toml": "# mine\n"})
    again = cli("init")
    assert (again.status, again.out) == (0, "")
    assert "kept `toolc.toml`" in again.err
    assert (tmp_path / "toolc.toml").read_text() == "# mine\n"


def test_init_leaves_a_project_with_a_config_in_pyproject_alone(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": '[tool.toolc.toolset]\nname = "x"\n'})
    answer = cli("init")
    assert (answer.status, answer.out) == (0, "")
    assert "kept `pyproject.toml`" in answer.err


def test_init_keeps_the_files_it_meets(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {".gitattributes": "*.png binary\n", ".gitignore": "*.o\n"})
    record = cli("init", "--format", "json").json
    assert record["kept"] == [".gitattributes", ".gitignore"]
    assert (tmp_path / ".gitignore").read_text() == "*.o\n"
    assert (tmp_path / ".gitattributes").read_text() == "*.png binary\n"


def test_init_makes_the_folder_it_is_given(cli: Cli, tmp_path: Path) -> None:
    assert "created new/demo/toolc.toml" in cli("init", "new/demo").out
    assert (tmp_path / "new/demo/.gitattributes").read_text().splitlines()[-1] == (
        "toolset.json text eol=lf -linguist-generated"
    )
    assert (tmp_path / "new/demo/.gitignore").read_text().splitlines()[-1] == "/dist/"


@pytest.mark.parametrize("host", presets())
def test_a_project_for_each_host_checks_clean(cli: Cli, tmp_path: Path, host: str) -> None:
    assert cli("init", "--host", host).status == 0
    config = tomllib.loads((tmp_path / "toolc.toml").read_text())
    assert config["toolset"]["user-layers"] == "exclude"
    assert config["toolset"].get("host", "none") == host
    assert (tmp_path / layer_of(host) / "word_count.py").is_file()
    checked = cli("check", "--deny-warnings")
    assert checked.status == 0, checked.out


def test_a_workspace_of_a_host_gets_its_config_and_no_examples(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {".pequenin/tools/mine/tool.json": "{}"})
    record = cli("init", "--format", "json").json
    assert (record["host"], record["created"]) == ("pequeroku", ["toolc.toml", ".gitattributes", ".gitignore"])
    assert "permissions" not in tomllib.loads((tmp_path / "toolc.toml").read_text())


def test_folders_of_two_hosts_are_for_the_user_to_choose(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {".pequenin/tools/a/tool.json": "{}", ".aru/tools/b.py": ""})
    answer = cli("init")
    assert answer.status == 2
    assert "--host aru or --host pequeroku" in answer.err
    assert not (tmp_path / "toolc.toml").exists()


def test_a_folder_that_cannot_be_written_exits_with_3(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {"file": ""})
    answer = cli("init", "file/below")
    assert answer.status == 3
    assert "error[TC700]" in answer.err


def test_a_folder_for_examples_that_cannot_be_made_is_said_and_leaves_no_config(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "tools").symlink_to("nowhere")
    answer = cli("init")
    assert (answer.status, answer.out) == (3, "")
    assert "`tools" in answer.err
    assert not (tmp_path / "toolc.toml").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_pyproject_that_is_a_fifo_is_not_waited_for(cli: Cli, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    assert cli("init").status == 0


@pytest.mark.parametrize(("folder", "said"), [("-x", "./-x"), ("a b", "'a b'")])
def test_the_next_command_can_be_pasted(cli: Cli, folder: str, said: str) -> None:
    assert cli("init", "--", folder).err == f"next: toolc build {said}\n"
