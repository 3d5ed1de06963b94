"""Permissions: what the files of a host say, and which of all sources decides about a tool."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc import codes
from toolc.config import configure
from toolc.diagnostics import Reporter, Span, Text
from toolc.model import Config, Level, PermissionRule
from toolc.permissions import decide
from values import config, kept, settings, told

ALLOW, ASK, DENY = Level.ALLOW, Level.ASK, Level.DENY
PRESET = PermissionRule(pattern="*", level=ASK, origin="preset aru")
ARU = '[toolset]\nhost = "aru"\n'


def rule(pattern: str, level: Level, origin: str = "toolc.toml [permissions]") -> PermissionRule:
    return PermissionRule(pattern=pattern, level=level, origin=origin)


# ---------------------------------------------------------------------------------------------------------- who decides


@pytest.mark.parametrize(
    ("rules", "level"),
    [
        pytest.param([], ASK, id="preset"),
        pytest.param([rule("deploy", ALLOW, "aru.json")], ALLOW, id="host-file"),
        pytest.param([rule("deploy", ALLOW, "aru.json"), rule("*", DENY)], DENY, id="config-above-host-file"),
        pytest.param([rule("deploy", DENY), rule("dep*", ALLOW)], ALLOW, id="last-match"),
        pytest.param([rule("dep*", ALLOW), rule("deploy", DENY)], DENY, id="last-match-is-a-name"),
        pytest.param([rule("Deploy", DENY), rule("DEP*", DENY)], ASK, id="case-counts"),
        pytest.param([rule("d?ploy", DENY)], DENY, id="question-mark"),
        pytest.param([rule("[a-e]eploy", DENY)], DENY, id="class"),
        pytest.param([rule("[!a-e]eploy", DENY)], ASK, id="negated-class"),
    ],
)
def test_the_last_rule_that_matches_decides(rules: list[PermissionRule], level: Level) -> None:
    assert decide("deploy", None, config(permissions=(PRESET, *rules))).level is level


def test_the_settings_of_a_tool_stand_above_every_rule() -> None:
    stated = config(permissions=(PRESET, rule("*", DENY)), tools=[settings("deploy", permission=ALLOW)])
    assert decide("deploy", None, stated).level is ALLOW
    assert decide("other", None, stated).level is DENY


@pytest.mark.parametrize("declared", Level)
@pytest.mark.parametrize("configured", Level)
def test_a_tool_can_only_make_its_permission_stricter(declared: Level, configured: Level) -> None:
    stated = config(permissions=(PRESET, rule("*", configured)))
    assert decide("deploy", declared, stated).level is max(declared, configured, key=lambda level: level.strictness)


@given(
    st.lists(st.tuples(st.sampled_from(["*", "a", "b", "a*", "?"]), st.sampled_from(Level)), max_size=6),
    st.none() | st.sampled_from(Level),
)
def test_the_last_step_of_the_story_is_the_decision(pairs: list[tuple[str, Level]], declared: Level | None) -> None:
    stated = config(permissions=(PRESET, *(rule(pattern, level) for pattern, level in pairs)))
    decision = decide("a", declared, stated)
    assert decision.steps[-1].level is decision.level
    assert decision.steps[0].origin == "preset aru"


def test_each_source_that_had_a_say_is_a_step() -> None:
    stated = config(
        permissions=(PRESET, rule("deploy", ALLOW, "aru.json"), rule("x", DENY), rule("dep*", ALLOW)),
        tools=[settings("deploy", permission=ALLOW)],
    )
    assert [(step.origin, step.level, step.note) for step in decide("deploy", DENY, stated).steps] == [
        ("preset aru", ASK, "the default for every tool"),
        ("aru.json", ALLOW, "`deploy` matches"),
        ("toolc.toml [permissions]", ALLOW, "`dep*` matches"),
        ("toolc.toml [tools.deploy]", ALLOW, "`permission` is set for this tool"),
        ("the tool itself", DENY, "makes it stricter"),
    ]
    (*_, step) = decide("deploy", ALLOW, stated).steps
    assert (step.level, step.note) == (ALLOW, "`allow` is no stricter, so it changes nothing")


def nested(level: Level) -> PermissionRule:
    return PermissionRule(pattern="deploy", level=level, origin="aru.json", nested=True, span=Span(Text("aru.json"), 1))


def test_a_level_by_argument_that_decides_is_a_warning() -> None:
    decision = decide("deploy", None, config(permissions=(PRESET, nested(DENY))))
    (warning,) = decision.warnings
    assert (decision.level, warning.code) == (DENY, codes.PERMISSION_NESTED)
    assert "`deploy`" in warning.message
    assert "`deny`" in warning.message


def test_a_level_by_argument_that_is_overruled_is_no_warning() -> None:
    by_rule = config(permissions=(PRESET, nested(DENY), rule("*", ALLOW)))
    by_settings = config(permissions=(PRESET, nested(DENY)), tools=[settings("deploy", permission=ALLOW)])
    for stated in (by_rule, by_settings):
        assert (decide("deploy", None, stated).level, decide("deploy", None, stated).warnings) == (ALLOW, ())


# ------------------------------------------------------------------------------------------------ the files of the host


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An Aru project, and beside it an empty home."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in ("home/.aru", "project/.aru/tools"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path / "project"


def configured(project: Path, toml: str = ARU) -> tuple[Config, Reporter]:
    (project / "toolc.toml").write_text(toml)
    reporter = Reporter()
    _, config = configure(project, reporter)
    assert config is not None
    return config, reporter


def levels(config: Config, *names: str) -> list[Level]:
    return [decide(name, None, config).level for name in names]


@pytest.mark.parametrize(
    ("permission", "expected"),
    [
        pytest.param("allow", [ALLOW, ALLOW], id="one-level-for-all"),
        pytest.param(None, [ASK, ASK], id="null"),
        pytest.param({}, [ASK, ASK], id="nothing"),
        pytest.param({"*": "deny"}, [DENY, DENY], id="default"),
        pytest.param({"deploy": "allow"}, [ALLOW, ASK], id="by-name"),
        pytest.param({"deploy": "allow", "*": "deny"}, [ALLOW, DENY], id="default-that-stands-last"),
        pytest.param({"*": "deny", "deploy": "allow"}, [ALLOW, DENY], id="default-that-stands-first"),
        pytest.param({"dep*": "deny", "*": "allow"}, [DENY, ALLOW], id="glob"),
        pytest.param({"dep*": "deny", "deploy": "allow"}, [ALLOW, ASK], id="last-match"),
        pytest.param({"deploy": {"*": "allow", "prod*": "deny"}}, [DENY, ASK], id="strictest-by-argument"),
        pytest.param({"deploy": {"*": "allow"}}, [ALLOW, ASK], id="one-level-by-argument"),
        pytest.param({"deploy": {"staging": "allow"}}, [ASK, ASK], id="other-arguments-have-the-hosts-default"),
        pytest.param(
            {"deploy": {"x": "allow"}, "*": "deny"}, [DENY, DENY], id="other-arguments-have-the-files-default"
        ),
        pytest.param({"deploy": {"x": "deny"}, "*": "allow"}, [DENY, ALLOW], id="a-laxer-default-changes-nothing"),
        pytest.param({"deploy": {}}, [ASK, ASK], id="no-level-by-argument"),
        pytest.param({"bash": {"rm *": "deny"}, "read": "deny"}, [ASK, ASK], id="built-ins-of-the-host"),
    ],
)
def test_every_shape_of_a_permission_counts(permission: object, expected: list[Level], project: Path) -> None:
    (project / "aru.json").write_text(json.dumps({"permission": permission, "model": "x"}))
    config, reporter = configured(project)
    assert told(reporter) == []
    assert levels(config, "deploy", "other") == expected


def test_a_kind_of_built_ins_stands_for_each_of_them(project: Path) -> None:
    (project / "aru.json").write_text('{"permission": {"edit": "deny", "edit_file": "allow", "web_search": "deny"}}')
    config, _ = configured(project)
    assert levels(config, "edit", "edit_file", "edit_files", "web_search") == [DENY, ALLOW, DENY, DENY]


@pytest.mark.parametrize(
    ("files", "level"),
    [
        pytest.param({"aru.json": "allow", ".aru/config.json": "deny"}, ALLOW, id="the-first-that-is-there"),
        pytest.param({".aru/config.json": "deny"}, DENY, id="the-second"),
        pytest.param({"../home/.aru/aru.json": "allow", "../home/.aru/config.json": "deny"}, ALLOW, id="of-the-user"),
        pytest.param({"../home/.aru/config.json": "deny", "aru.json": "allow"}, ALLOW, id="the-project-above-the-user"),
    ],
)
def test_which_file_counts(files: dict[str, str], level: Level, project: Path) -> None:
    for path, said in files.items():
        (project / path).write_text(json.dumps({"permission": said}))
    config, _ = configured(project)
    assert levels(config, "deploy") == [level]


@pytest.mark.parametrize(
    ("user", "own", "expected"),
    [
        pytest.param({"a": "deny"}, {"b": "deny"}, [DENY, DENY, ASK], id="both-count"),
        pytest.param({"a": "deny"}, {"*": "allow"}, [DENY, ALLOW, ALLOW], id="a-default-is-below-every-name"),
        pytest.param({"a": "deny", "*": "deny"}, {"*": "allow"}, [DENY, ALLOW, ALLOW], id="two-defaults"),
        pytest.param({"a": "deny"}, "allow", [ALLOW, ALLOW, ALLOW], id="one-level-for-all-replaces"),
        pytest.param("deny", {"a": "allow"}, [ALLOW, DENY, DENY], id="names-above-one-level-for-all"),
        pytest.param({"a": {"x": "deny"}}, {"a": {"y": "ask"}}, [DENY, ASK, ASK], id="levels-by-argument-are-merged"),
        pytest.param({"a": {"x": "deny"}}, {"a": {"x": "ask"}}, [ASK, ASK, ASK], id="level-by-argument-replaced"),
        pytest.param({"a": {"x": "deny"}}, {"a": "allow"}, [ALLOW, ASK, ASK], id="level-replaces-levels-by-argument"),
        pytest.param({"[ab]": "deny"}, {"a": "allow"}, [ALLOW, DENY, ASK], id="glob-of-the-user"),
    ],
)
def test_the_users_file_is_merged_below_the_projects(
    user: object, own: object, expected: list[Level], project: Path
) -> None:
    (project / "../home/.aru/aru.json").write_text(json.dumps({"permission": user}))
    (project / "aru.json").write_text(json.dumps({"permission": own}))
    config, reporter = configured(project)
    assert told(reporter) == [codes.USER_LAYERS.id]
    assert levels(config, "a", "b", "c") == expected
    excluded, reporter = configured(project, ARU + 'user-layers = "exclude"\n')
    assert told(reporter) == []
    assert all("~" not in rule.origin for rule in excluded.permissions)


def test_the_configs_own_rules_stand_above_the_hosts(project: Path) -> None:
    (project / "aru.json").write_text('{"permission": {"a": "deny", "b": "deny", "c": "deny"}}')
    toml = f'{ARU}[permissions]\n"a" = "allow"\n[tools.b]\npermission = "allow"\n'
    config, _ = configured(project, toml)
    assert levels(config, "a", "b", "c") == [ALLOW, ALLOW, DENY]
    assert levels(configured(project, f'permissions = "allow"\n{ARU}')[0], "a", "b", "c") == [ALLOW, ALLOW, ALLOW]


def test_a_host_without_a_permission_file_reads_none(project: Path) -> None:
    (project / "aru.json").write_text("not json")
    config, reporter = configured(project, '[toolset]\nhost = "pequeroku"\n')
    assert told(reporter) == []
    assert levels(config, "deploy") == [ALLOW]


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        pytest.param(
            '{"permission": {"a": "alow"}}',
            '"alow"',
            "`permission.a` takes `allow`, `ask`, `deny` or an object, not `alow`",
            "did you mean `allow`?",
            id="unknown-level",
        ),
        pytest.param(
            '{"permission": {"a": {"x": "never"}}}',
            '"never"',
            "`permission.a.x` takes `allow`, `ask` or `deny`, not `never`",
            None,
            id="unknown-level-by-argument",
        ),
        pytest.param(
            '{"permission": {"a": {"x": {"y": "ask"}}}}',
            '{"y": "ask"}',
            "`permission.a.x` takes `allow`, `ask` or `deny`, not an object",
            None,
            id="levels-by-argument-of-an-argument",
        ),
        pytest.param(
            '{"permission": {"a": true}}',
            "true",
            "`permission.a` takes `allow`, `ask`, `deny` or an object, not `true`",
            None,
            id="boolean",
        ),
        pytest.param(
            '{"permission": "Allow"}',
            '"Allow"',
            "`permission` takes `allow`, `ask`, `deny` or an object, not `Allow`",
            "did you mean `allow`?",
            id="unknown-level-for-all",
        ),
        pytest.param(
            '{"permission": ["a"]}',
            '["a"]',
            "`permission` takes `allow`, `ask`, `deny` or an object, not a list",
            None,
            id="list",
        ),
        pytest.param(
            '{"tools": {"disabled": "deploy"}}',
            '"deploy"',
            "`tools.disabled` takes a list of names, not a string",
            None,
            id="disabled-is-no-list",
        ),
        pytest.param(
            '{"tools": {"disabled": ["deploy", 5]}}',
            "5",
            "each item of `tools.disabled` is a name, not a number",
            None,
            id="disabled-number",
        ),
        pytest.param("[1]", "[1]", "`aru.json` holds a list where an object should be", None, id="no-object"),
    ],
)
def test_what_is_no_permission_is_an_error_at_its_place(
    text: str, place: str, message: str, hint: str | None, project: Path
) -> None:
    (project / "aru.json").write_text(text)
    _, reporter = configured(project)
    (diagnostic,) = kept(reporter.diagnostics, notes=False)
    assert (diagnostic.code, diagnostic.message, diagnostic.hint) == (codes.HOST_FILE_SHAPE, message, hint)
    assert text[diagnostic.span.column - 1 : diagnostic.span.end_column - 1] == place


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"permission": {"deploy": "deny",}}', id="comma-too-many"),
        pytest.param('{"permission": {"deploy": "deny"}', id="cut-off"),
        pytest.param('{"permission": {"deploy": "allow", "deploy": "deny"}}', id="key-twice"),
        pytest.param("", id="empty"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param('{"x": ' + "9" * 5000 + "}", id="long-number"),
    ],
)
def test_a_file_that_is_not_json_is_never_taken_for_absent(text: str, project: Path) -> None:
    (project / "aru.json").write_text(text)
    (project / ".aru/config.json").write_text('{"permission": "allow"}')
    config, reporter = configured(project)
    assert told(reporter) == [codes.HOST_FILE_SYNTAX.id]
    assert levels(config, "deploy") == [ASK]


def test_a_file_that_cannot_be_read_is_never_taken_for_absent(project: Path) -> None:
    os.mkfifo(project / "aru.json")
    (project / ".aru/config.json").write_text('{"permission": "allow"}')
    config, reporter = configured(project)
    assert told(reporter) == [codes.CONFIG_UNREADABLE.id]
    assert levels(config, "deploy") == [ASK]


# ------------------------------------------------------------------------------------------------------------ disabled


def test_a_tool_that_the_host_has_disabled_is_off_unless_the_config_says_otherwise(project: Path) -> None:
    (project / "aru.json").write_text('{"tools": {"disabled": ["a", "b", "c", "a", "no tool", "mcp:x"]}}')
    toml = f"{ARU}[tools.b]\nenabled = true\n[tools.c]\ntimeout = 5\n"
    config, reporter = configured(project, toml)
    assert told(reporter) == []
    assert {name: tool.enabled for name, tool in config.tools.items()} == {"a": False, "b": True, "c": False}
    assert config.tools["c"].timeout_s == 5
    assert (config.tools["a"].span.path, config.tools["a"].span.column) == ("aru.json", 25)


@pytest.mark.parametrize(
    ("own", "disabled"),
    [
        pytest.param('{"tools": {"disabled": []}}', [], id="an-empty-list-replaces"),
        pytest.param('{"tools": {}}', ["a"], id="no-list"),
        pytest.param('{"tools": null}', ["a"], id="no-tools"),
    ],
)
def test_the_list_of_the_project_replaces_the_users(own: str, disabled: list[str], project: Path) -> None:
    (project / "../home/.aru/aru.json").write_text('{"tools": {"disabled": ["a"]}}')
    (project / "aru.json").write_text(own)
    config, _ = configured(project)
    assert list(config.tools) == disabled
