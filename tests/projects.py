"""Small projects on disk, and the command line run in this process, for tests that need many of both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from toolc.cli import main

CONFIG = """\
[toolset]
name = "demo"
user-layers = "exclude"

[[layers]]
name = "tools"
path = "tools"

[permissions]
"*" = "allow"
"""
WORD_COUNT = '''\
def word_count(text: str) -> str:
    """Count the words of a text."""
    return str(len(text.split()))
'''


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files by their paths within a folder; one that starts with `#!` may be executed."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        if text.startswith("#!"):
            target.chmod(0o755)
    return folder


def project(folder: Path, files: Mapping[str, str] | None = None, *, config: str = CONFIG) -> Path:
    """A project with one good Python tool, and more files where a test gives them."""
    return write(folder, {"toolc.toml": config, "tools/word_count.py": WORD_COUNT, **(files or {})})


def manifest(name: str, **fields: object) -> str:
    """The text of a manifest."""
    return json.dumps({"name": name, "description": f"Do {name}.", "command": "./run.sh", **fields}, indent=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command line came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, object]:
        """The answer of `--format json`."""
        loaded = json.loads(self.out)
        assert isinstance(loaded, dict)
        return loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Cli:
    """The command line, in this process."""

    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str | Path) -> Answer:
        self.capture.readouterr()
        status = main.main([str(argument) for argument in arguments], standalone_mode=False)
        assert isinstance(status, int)
        out, err = self.capture.readouterr()
        return Answer(status=status, out=out, err=err)
