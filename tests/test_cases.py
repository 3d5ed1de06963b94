"""The golden cases: every folder of `cases/` is a project, what is run in it, and what must come out.

in/      the project, copied to a fresh folder first
home/    the user's home; without one it is empty
setup    a shell script, run in the copy: links, FIFOs and modes, which git cannot hold
run      the command lines, one a line; without it `toolc check`
keep     the files of the project that are part of the answer, one a line; without it `toolset.json`
want/    output.txt and the kept files, written by `pytest --accept` and read in review
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import Ran, environment, toolc
from toolc import codes

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.name for path in CASES.iterdir() if (path / "in").is_dir() or (path / "setup").is_file())


def lines(path: Path, default: str) -> list[str]:
    """The lines of a case's file that say something."""
    text = path.read_text() if path.is_file() else default
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def transcript(command: str, ran: Ran, project: Path, home: Path) -> str:
    """A command and its answer, as `want/output.txt` has them; the fresh folders have stable names there."""
    text = f"$ {command}\n{ran.stdout}"
    if ran.stderr:
        text += f"--- stderr\n{ran.stderr}"
    if not text.endswith("\n"):
        text += "\n(no newline)\n"
    text += f"--- exit {ran.status}\n"
    # The bundle's digest covers the runtime's bytes: it changes with every edit of the runtime.
    text = re.sub(r"bundle +sha256:[0-9a-f]{64}", "bundle sha256:<digest>", text)
    return text.replace(str(project), "<project>").replace(str(home), "<home>")


def play(case: Path, folder: Path) -> dict[str, bytes]:
    """Run a case in `folder`; the files of its answer by name."""
    project, home = folder / "project", folder / "home"
    for source, target in ((case / "in", project), (case / "home", home)):
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            target.mkdir()
    if (case / "setup").is_file():
        subprocess.run(["sh", "-e", case / "setup"], cwd=project, env=environment(home), check=True, timeout=60)
    output = ""
    for command in lines(case / "run", "toolc check"):
        program, *arguments = shlex.split(command)
        assert program == "toolc", f"{case.name}/run has a line that does not run toolc: {command}"
        output += transcript(command, toolc(*arguments, cwd=project, home=home), project, home)
    answer = {"output.txt": output.encode()}
    for name in lines(case / "keep", "toolset.json"):
        if (project / name).is_file():
            answer[name] = (project / name).read_bytes()
    return answer


@pytest.mark.parametrize("name", NAMES)
def test_a_case_gives_what_its_want_holds(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    answer = play(CASES / name, tmp_path)
    want = CASES / name / "want"
    if request.config.getoption("--accept"):
        shutil.rmtree(want, ignore_errors=True)
        for path, data in answer.items():
            (want / path).parent.mkdir(parents=True, exist_ok=True)
            (want / path).write_bytes(data)
    wanted = {
        path.relative_to(want).as_posix(): path.read_bytes().decode("utf-8", "backslashreplace")
        for path in want.rglob("*")
        if path.is_file()
    }
    assert {path: data.decode("utf-8", "backslashreplace") for path, data in answer.items()} == wanted


def test_every_code_has_a_golden_case() -> None:
    shown = "".join(path.read_text() for path in CASES.glob("*/want/output.txt"))
    missing = sorted(code for code in codes.CATALOGUE if code not in shown)
    assert missing == [], "these codes are in no want/output.txt"
