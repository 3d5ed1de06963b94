"""The variables a tool gets, from the manifest and the config through the lock to a real process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import toolc
from toolc_runtime import Toolset

CONFIG = """
[toolset]
user-layers = "exclude"
[permissions]
"*" = "allow"
[env]
pass = ["AWS_PROFILE"]
[[layers]]
name = "t"
path = "tools"
"""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Two tools that print their environment; `query` says that it needs a variable."""
    for name, extra in (("show", {}), ("query", {"env": ["DSN"]})):
        folder = tmp_path / "tools" / name
        folder.mkdir(parents=True)
        manifest = {"name": name, "description": "Show the environment.", "command": "env", **extra}
        (folder / "tool.json").write_text(json.dumps(manifest))
    (tmp_path / "toolc.toml").write_text(CONFIG)
    ran = toolc("build", cwd=tmp_path)
    assert ran.status == 0, ran.stderr
    return tmp_path / "dist/toolset"


def test_what_a_tool_needs_is_reported_where_it_is_missing(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DSN", raising=False)
    with Toolset.load(bundle) as tools:
        result = tools.call("query")
        assert result.error is not None
        assert result.error.kind == "unavailable"
        assert "DSN" in result.error.message
        monkeypatch.setenv("DSN", "db://x")
        assert "DSN=db://x" in tools.call("query").output


def test_what_the_project_passes_may_be_missing(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with Toolset.load(bundle) as tools:
        unset = tools.call("show")
        assert unset.ok
        assert "AWS_PROFILE" not in unset.output
        assert "secret" not in unset.output
        monkeypatch.setenv("AWS_PROFILE", "work")
        assert "AWS_PROFILE=work" in tools.call("show").output


def test_no_value_is_in_the_lock(bundle: Path) -> None:
    lock = json.loads((bundle / "toolset.json").read_text())
    assert lock["tools"]["query"]["execution"]["env"] == ["AWS_PROFILE?", "DSN"]
