"""Run the real command line in a process of its own, the way a user would."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command answered."""

    stdout: str
    stderr: str
    status: int


def mortal() -> None:
    """Let file permissions hold for this process even where it is root's, from its next exec on."""
    if sys.platform == "linux" and os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)


def environment(home: Path, **extra: str) -> dict[str, str]:
    """A plain environment: the interpreter's own scripts first on PATH, an empty home, no colours."""
    scripts = str(Path(sys.executable).parent)
    plain = {
        "PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
    }
    return plain | extra


def toolc(
    *arguments: str,
    cwd: Path,
    home: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout_s: float = 120,
) -> Ran:
    """Run `toolc` in `cwd`. `env` is added to the plain environment; `home` defaults to a folder that is not there."""
    return run(
        [sys.executable, "-m", "toolc", *arguments],
        cwd=cwd,
        env=environment(home or cwd / ".no-home", **(env or {})),
        stdin=stdin,
        timeout_s=timeout_s,
    )


def run(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: str = "", timeout_s: float = 120) -> Ran:
    """Run any command, its streams apart, its file permissions in force."""
    done = subprocess.run(
        argv,
        cwd=cwd,
        env=dict(env),
        input=stdin.encode(),
        capture_output=True,
        timeout=timeout_s,
        check=False,
        preexec_fn=mortal,
    )
    return Ran(
        stdout=done.stdout.decode("utf-8", "backslashreplace"),
        stderr=done.stderr.decode("utf-8", "backslashreplace"),
        status=done.returncode,
    )
