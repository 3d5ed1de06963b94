"""`toolc explain`: the story of a name is what the phases decided, and every code has a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from projects import CONFIG, WORD_COUNT, Cli, manifest, project
from toolc import explain
from toolc.codes import CATALOGUE
from toolc.pipeline import compile_project

LAYERS = """\
[toolset]
name = "demo"
user-layers = "exclude"

[[layers]]
name = "low"
path = "low"

[[layers]]
name = "absent"
path = "absent"
optional = true

[[layers]]
name = "high"
path = "tools"

[builtins]
names = ["bash", "read"]
remove = ["read"]

[permissions]
"*" = "ask"
"word*" = "allow"

[tools.word_count]
timeout = 60

[tools.off]
enabled = false

[subsets.text]
include = ["word*"]
"""


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line in a project with three layers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    tool = 'def {0}(text: str) -> str:\n    """Do {0}."""\n    return text\n'
    project(
        tmp_path,
        {
            "low/word_count.py": WORD_COUNT,
            "low/off.py": tool.format("off"),
            "tools/bash.py": tool.format("bash"),
            "tools/TC503/tool.json": manifest("TC503"),
        },
        config=LAYERS,
    )
    return Cli(capture=capsys)


def story(name: str, folder: Path) -> explain.Story:
    compilation = compile_project(folder)
    assert compilation.config is not None
    told = explain.story(name, compilation, compilation.config)
    assert told is not None
    return told


@pytest.mark.usefixtures("cli")
def test_the_story_names_a_declaration_with_errors(tmp_path: Path) -> None:
    (tmp_path / "tools/word_count.py").write_text("def word_count(text: object()) -> str:\n    return text\n")
    (chapter,) = (chapter for chapter in story("word_count", tmp_path).layers if chapter.layer.name == "high")
    assert chapter.declares == (("tools/word_count.py", "has errors"),)


@pytest.mark.usefixtures("cli")
def test_the_story_has_every_layer_in_order_and_what_each_declares(tmp_path: Path) -> None:
    told = story("word_count", tmp_path)
    assert [(chapter.layer.name, chapter.declares) for chapter in told.layers] == [
        ("low", (("low/word_count.py", "precedence"),)),
        ("absent", ()),
        ("high", (("tools/word_count.py", "in force"),)),
    ]
    assert told.path == "tools/word_count.py"


@pytest.mark.usefixtures("cli")
def test_the_story_has_each_step_of_the_permission(tmp_path: Path) -> None:
    permission = story("word_count", tmp_path).permission
    assert permission is not None
    assert permission.level == "allow"
    assert [step.level.value for step in permission.steps][-2:] == ["ask", "allow"]
    assert "toolc.toml" in permission.steps[-1].origin


@pytest.mark.usefixtures("cli")
@pytest.mark.parametrize(
    ("name", "verdict", "fact"),
    [
        pytest.param(
            "word_count", "is the Python function that `tools/word_count.py` declares", "timeout = 60", id="a tool"
        ),
        pytest.param("word_count", "of the layer `high`", "in the subset `text`", id="its subsets"),
        pytest.param(
            "bash", "no tool carries `bash`: it is the host's built-in", "under the clash policy", id="a loser"
        ),
        pytest.param(
            "off", "no tool carries `off`: it is switched off in `toolc.toml`", "enabled = false", id="disabled"
        ),
        pytest.param("read", "the host is to drop its built-in `read`", "is to drop", id="a built-in that goes"),
    ],
)
def test_the_story_says_who_carries_the_name_and_why(tmp_path: Path, name: str, verdict: str, fact: str) -> None:
    told = story(name, tmp_path)
    assert verdict in told.verdict
    assert fact in " / ".join(told.facts)


def test_the_text_and_the_json_tell_the_same(cli: Cli) -> None:
    text = cli("explain", "word_count")
    assert text.status == 0
    assert "low/word_count.py: hidden by a later layer" in text.out
    assert "tools/word_count.py: in force" in text.out
    assert "permission: allow" in text.out
    record = cli("explain", "word_count", "--format", "json").json
    assert record["path"] == "tools/word_count.py"
    assert record["layers"] != []


def test_an_unknown_name_is_a_usage_error_with_a_suggestion(cli: Cli) -> None:
    answer = cli("explain", "word_cuont")
    assert (answer.status, answer.out) == (2, "")
    assert "did you mean `word_count`?" in answer.err


def test_a_name_that_is_not_there_may_be_in_what_did_not_compile(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "tools/broken.py").write_text("def lost(x) -> str\n")
    answer = cli("explain", "lost")
    assert answer.status == 2
    assert "error[TC401]" in answer.err


def test_a_name_is_not_suggested_for_itself(cli: Cli) -> None:
    assert "did you mean" not in cli("explain", "--tool", "TC503").err


def test_a_name_that_was_reported_is_explained_by_its_reports(cli: Cli, tmp_path: Path) -> None:
    project(
        tmp_path,
        {"tools/clash/tool.json": manifest("clash"), "tools/clash.py": WORD_COUNT.replace("word_count", "clash")},
    )
    answer = cli("explain", "clash")
    assert answer.status == 0
    assert "error[TC503]" in answer.out


def test_codes_come_first_and_tool_forces_a_name(cli: Cli) -> None:
    assert "a name is declared twice" in cli("explain", "TC503").out
    assert cli("explain", "tc503").out == cli("explain", "TC503").out
    assert cli("explain", "--tool", "TC503").out != cli("explain", "TC503").out


def test_codes_need_no_project(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert cli("explain", "TC503").status == 0


def test_without_a_config_a_name_has_no_story(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "toolc.toml").write_text("[toolset\n")
    answer = cli("explain", "word_count")
    assert (answer.status, answer.out) == (1, "")
    assert "error[" in answer.err


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_every_code_has_a_page_worth_reading(cli: Cli, code: str) -> None:
    answer = cli("explain", code)
    assert answer.status == 0
    entry = CATALOGUE[code]
    assert answer.out.startswith(f"{entry.severity}[{code}]: {entry.title}\n\n")
    assert len(entry.explanation.split()) >= 10
    assert cli("explain", code, "--format", "json").json["explanation"] == entry.explanation
    assert not entry.title.endswith(".")


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("TC530", "TC503"),
        ("TC582", "TC502"),
        ("TC504x", "TC504"),
        ("T503", "TC503"),
        ("TC999", None),
        ("TC599", "TC509"),
    ],
)
def test_a_code_that_is_none_gets_a_suggestion_where_one_is_near(asked: str, meant: str | None) -> None:
    assert explain.nearest_code(asked) == meant


def test_why_a_function_of_a_file_without_tools_was_passed_over_is_told(cli: Cli, tmp_path: Path) -> None:
    project(tmp_path, {"tools/sums.py": "def add(a: int) -> int:\n    return a\n"}, config=CONFIG)
    answer = cli("explain", "add")
    assert answer.status == 0
    assert "`add`: it is not decorated with `tool`, and returns `int`, not `str`" in answer.out


def test_the_config_of_these_tests_is_read(tmp_path: Path) -> None:
    assert compile_project(project(tmp_path, config=CONFIG)).toolset is not None
