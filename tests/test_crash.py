"""A build that is killed, interrupted or out of space at any point leaves the old bundle or the new one."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import crashing
from commands import environment, toolc
from toolsets import snapshot

# A few here; `TOOLC_KILLS=200` for as many as it takes to believe it.
KILLS = int(os.environ.get("TOOLC_KILLS", "8"))

EXAMPLE = Path(__file__).parents[1] / "examples/quickstart"


@pytest.mark.parametrize("how", ["kill", "fail", "interrupt"])
def test_a_build_stopped_anywhere_leaves_a_whole_bundle_and_the_next_one_mends(how: str, tmp_path: Path) -> None:
    env = environment(tmp_path) | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, crashing.__file__, str(tmp_path / "project"), how],
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 10


def test_the_real_command_killed_at_random_moments(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("dist", "toolset.json"))
    source = project / "tools/words.py"
    out = project / "dist/toolset"
    built = []
    texts = [source.read_text(), source.read_text() + "\n# changed\n"]
    started = time.monotonic()
    for text in texts:
        source.write_text(text)
        assert toolc("build", cwd=project).status == 0
        built.append(snapshot(out))
    takes_s = (time.monotonic() - started) / 2
    chance = random.Random(1)
    for turn in range(KILLS):
        source.write_text(texts[turn % 2])
        build = subprocess.Popen(
            [sys.executable, "-m", "toolc", "build"],
            cwd=project,
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(takes_s * chance.uniform(0.5, 1.0))
        build.kill()
        build.wait()
        assert snapshot(out) in built
    ran = toolc("build", cwd=project)
    assert ran.status == 0, ran.stderr
    assert snapshot(out) == built[(KILLS - 1) % 2]
    assert [path.name for path in out.parent.iterdir()] == ["toolset"]
    assert toolc("build", "--locked", cwd=project).status == 0
