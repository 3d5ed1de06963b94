"""Every command of the README, run from a fresh clone the way a newcomer would, its printed answer compared.

A block of ```console holds `$ ` commands and what they print. The blocks run in order, in one folder; `...` stands for
any lines. The one command not run here is the one that runs these tests: `.ci/run` calls it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import environment, toolc
from projects import write

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def steps() -> list[tuple[str, str]]:
    """The commands of the README in order, each with what it must print."""
    found = [step for block in BLOCK.findall((ROOT / "README.md").read_text()) for step in STEP.findall(block)]
    return [(command, printed) for command, printed in found if "pytest" not in command]


def matches(printed: str, wanted: str) -> bool:
    """Whether a command printed what the README says; a line of `...` stands for any lines."""
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in wanted.splitlines())
    return re.fullmatch(pattern, printed) is not None


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone: the files git knows, in a repository of their own."""
    folder = tmp_path_factory.mktemp("readme") / "toolc"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
            (folder / name).chmod((ROOT / name).stat().st_mode)
    identity = ["-c", "user.name=Newcomer", "-c", "user.email=newcomer@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "clone"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def test_every_command_of_the_readme_prints_what_it_says(clone: Path, tmp_path: Path) -> None:
    assert len(steps()) > 8
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    env = environment(tmp_path) | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    del env["COLUMNS"]
    env["PATH"] = f"{clone}/.venv/bin:{tmp_path}/bin:{env['PATH']}"
    for command, wanted in steps():
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=clone,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert matches(done.stdout, wanted), f"$ {command}\n{done.stdout}\n-- the README says\n{wanted}"


def test_the_configuration_of_the_readme_builds_where_its_tools_are(tmp_path: Path) -> None:
    (config,) = TOML.findall((ROOT / "README.md").read_text())
    text = "def {}(text: str) -> str:\n    'Do it.'\n    return text\n"
    tools = "\n".join(text.format(name) for name in ("deploy", "git_status"))
    write(tmp_path, {"toolc.toml": config, "vendor/team-tools/tools.py": tools})
    ran = toolc("check", "--deny-warnings", cwd=tmp_path)
    assert ran.status == 0, ran.stdout
    assert ran.stdout == "2 tools, no errors\n"
