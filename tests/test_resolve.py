"""Resolution: which declaration carries a name, what it hides, and what is said about it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc import codes
from toolc.diagnostics import Reporter
from toolc.model import (
    Broken,
    ClashPolicy,
    Config,
    Declaration,
    Layer,
    OnInvalid,
    Parsed,
    Reason,
    Resolution,
    Scope,
)
from toolc.names import clash_key, closest
from toolc.resolve import resolve
from values import broken, command_tool, config, layer, python_tool, settings, told

BASE, TEAM, LOCAL = layer("base", 0), layer("team", 1), layer("local", 2)
HOME, OUTSIDE = layer("home", 3, Scope.USER), layer("elsewhere", 4, Scope.OUTSIDE)
VENDORED = layer("vendored", 5, Scope.VENDORED)


def resolved(
    *declarations: Declaration, config: Config, broken: tuple[Broken, ...] = ()
) -> tuple[Resolution, Reporter]:
    reporter = Reporter()
    return resolve(Parsed(declarations=declarations, broken=broken), config, reporter), reporter


def layers_in_force(resolution: Resolution) -> dict[str, str]:
    return {tool.winner.name: tool.winner.layer.name for tool in resolution.tools}


# ------------------------------------------------------------------------------------------------- layers and shadows


def test_the_last_layer_wins_and_lists_what_it_shadows_highest_first() -> None:
    resolution, reporter = resolved(
        python_tool("grep", BASE), python_tool("grep", LOCAL), command_tool("grep", TEAM), config=config()
    )

    (tool,) = resolution.tools
    assert tool.winner.layer == LOCAL
    assert [(shadow.declaration.shown, shadow.reason) for shadow in tool.shadows] == [
        ("team/grep/tool.json", Reason.PRECEDENCE),
        ("base/grep.py", Reason.PRECEDENCE),
    ]
    assert told(reporter, notes=True) == [codes.SHADOWS.id]


def test_two_in_one_layer_conflict_and_both_places_are_shown() -> None:
    one = python_tool("grep", TEAM, "search.py")
    two = command_tool("grep", TEAM)
    _, reporter = resolved(one, two, python_tool("grep", LOCAL), config=config())

    conflict = next(found for found in reporter.diagnostics if found.code is codes.CONFLICT_IN_LAYER)
    assert conflict.message == "`grep` is declared twice in the layer `team`"
    assert conflict.span == one.span
    assert [label.span for label in conflict.labels] == [two.span]


def test_each_further_declaration_in_a_layer_is_reported() -> None:
    _, reporter = resolved(*(python_tool("grep", TEAM, f"{stem}.py") for stem in "abc"), config=config())

    assert told(reporter) == [codes.CONFLICT_IN_LAYER.id] * 2


# --------------------------------------------------------------------------------------------------------- built-ins

WINS, LOSES = "wins", "loses"


@pytest.mark.parametrize(
    ("policy", "of", "in_file", "in_config", "outcome", "code"),
    [
        pytest.param("protect", TEAM, False, None, LOSES, codes.HIDDEN_BY_BUILTIN, id="protect"),
        pytest.param("protect", TEAM, True, None, LOSES, codes.OVERRIDE_IGNORED, id="protect-and-override"),
        pytest.param("protect", TEAM, False, True, LOSES, codes.OVERRIDE_IGNORED, id="protect-and-config"),
        pytest.param("explicit", TEAM, False, None, LOSES, codes.HIDDEN_BY_BUILTIN, id="explicit-without-override"),
        pytest.param("explicit", TEAM, True, None, WINS, codes.OVERRIDES_BUILTIN, id="explicit-with-override"),
        pytest.param("explicit", VENDORED, True, None, WINS, codes.OVERRIDES_BUILTIN, id="explicit-vendored"),
        pytest.param("explicit", TEAM, False, True, WINS, codes.OVERRIDES_BUILTIN, id="explicit-by-config"),
        pytest.param("explicit", TEAM, True, False, LOSES, codes.HIDDEN_BY_BUILTIN, id="explicit-config-says-no"),
        pytest.param("explicit", HOME, True, None, LOSES, codes.OVERRIDE_NEEDS_CONSENT, id="explicit-from-home"),
        pytest.param("explicit", OUTSIDE, True, None, LOSES, codes.OVERRIDE_NEEDS_CONSENT, id="explicit-outside"),
        pytest.param("explicit", HOME, True, True, WINS, codes.OVERRIDES_BUILTIN, id="explicit-home-consented"),
        pytest.param("replace", HOME, False, None, WINS, codes.OVERRIDES_BUILTIN, id="replace"),
        pytest.param("replace", TEAM, False, False, LOSES, codes.HIDDEN_BY_BUILTIN, id="replace-config-says-no"),
    ],
)
def test_a_tool_with_the_name_of_a_builtin(
    policy: str, of: Layer, in_file: bool, in_config: bool | None, outcome: str, code: Any
) -> None:
    project = config(
        builtins=["bash"],
        policy=ClashPolicy(policy),
        tools=[] if in_config is None else [settings("bash", override=in_config)],
    )
    resolution, reporter = resolved(python_tool("bash", of, override=in_file), config=project)

    assert told(reporter, notes=True) == [code.id]
    if outcome == WINS:
        assert [tool.overrides for tool in resolution.tools] == ["bash"]
        assert not resolution.hidden
    else:
        assert not resolution.tools
        (hidden,) = resolution.hidden
        assert [(shadow.declaration.layer, shadow.reason) for shadow in hidden.shadows] == [(of, Reason.BUILTIN)]


def test_a_loss_names_both_and_under_explicit_says_how_to_override() -> None:
    tools = (python_tool("bash", TEAM), command_tool("read", TEAM))
    _, reporter = resolved(*tools, config=config(builtins=["bash", "read"]))

    python, manifest = reporter.diagnostics
    assert python.message == "`bash` of the layer `team` is hidden by the host's built-in `bash`"
    assert python.hint is not None
    assert "`override=True` in its `@tool(...)`" in python.hint
    assert manifest.hint is not None
    assert "@tool" not in manifest.hint
    assert "`[tools.read] override = true`" in manifest.hint


def test_all_declarations_of_a_lost_name_are_hidden_by_the_builtin() -> None:
    resolution, _ = resolved(
        python_tool("bash", BASE, override=True), python_tool("bash", TEAM), config=config(builtins=["bash"])
    )

    (hidden,) = resolution.hidden
    assert [shadow.declaration.layer for shadow in hidden.shadows] == [TEAM, BASE]
    assert {shadow.reason for shadow in hidden.shadows} == {Reason.BUILTIN}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Bash", id="title"),
        pytest.param("BASH", id="upper"),
        pytest.param("\uff42\uff41\uff53\uff48", id="fullwidth"),
        pytest.param("b\u0430sh", id="cyrillic"),
    ],
)
def test_a_twin_of_a_builtin_counts_as_the_builtin(name: str) -> None:
    resolution, reporter = resolved(python_tool(name, TEAM), config=config(builtins=["bash"]))

    assert not resolution.tools
    assert told(reporter) == [codes.HIDDEN_BY_BUILTIN.id]


def test_a_removed_builtin_is_not_there_to_clash_with() -> None:
    resolution, reporter = resolved(
        python_tool("web_fetch", TEAM),
        config=config(builtins=["web_fetch"], removed=["web_fetch"], policy=ClashPolicy.PROTECT),
    )

    assert [tool.overrides for tool in resolution.tools] == [None]
    assert told(reporter, notes=True) == []


@pytest.mark.parametrize(
    ("builtins", "removed", "hint"),
    [
        pytest.param(["bash"], [], "did you mean the built-in `bash`?", id="misspelt"),
        pytest.param(["bash", "bsh"], ["bsh"], "the name is free without it: drop the override", id="removed"),
        pytest.param(
            [], [], 'name the host\'s built-ins, as `[builtins] names = ["bsh"]`, or drop the override', id="none-known"
        ),
        pytest.param(["write_file"], [], None, id="nothing-near"),
    ],
)
@pytest.mark.parametrize("by_config", [False, True], ids=["in-the-file", "in-the-config"])
def test_an_override_of_nothing_is_a_warning(
    builtins: list[str], removed: list[str], hint: str | None, by_config: bool
) -> None:
    tools = [settings("bsh", override=True)] if by_config else []
    tool = python_tool("bsh", TEAM, override=not by_config)
    resolution, reporter = resolved(tool, config=config(builtins=builtins, removed=removed, tools=tools))

    assert layers_in_force(resolution) == {"bsh": "team"}
    (warning,) = reporter.diagnostics
    assert warning.code is codes.OVERRIDE_OF_NOTHING
    assert warning.hint == hint
    assert warning.span == (tools[0].span if by_config else tool.span)


# ------------------------------------------------------------------------------------------------------------- twins


@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param("read-file", "read_file", id="hyphen-and-underscore"),
        pytest.param("Deploy", "deploy", id="case"),
        pytest.param("\uff46\uff49\uff4e\uff44", "find", id="fullwidth"),
        pytest.param("st\u0430tus", "status", id="cyrillic"),
        pytest.param("t\u03bfols", "tools", id="greek"),
        pytest.param("read\u200bfile", "readfile", id="zero-width"),
        pytest.param("read_fi1e", "read_file", id="digit-one"),
        pytest.param("STRASSE", "stra\u00dfe", id="sharp-s"),
        pytest.param("a\u2010b", "a_b", id="another-dash"),
    ],
)
def test_names_that_look_the_same_conflict(one: str, two: str) -> None:
    resolution, reporter = resolved(python_tool(one, BASE), python_tool(two, TEAM), config=config())

    (error,) = reporter.diagnostics
    assert error.code is codes.NAMES_ALIKE
    assert error.span.path == f"team/{two}.py"
    assert [label.span.path for label in error.labels] == [f"base/{one}.py"]
    assert error.message.isascii()
    assert {tool.winner.name for tool in resolution.tools} == {one, two}


@pytest.mark.parametrize(("one", "two"), [("mail", "mall"), ("read_file", "readfile"), ("step1", "step2")])
def test_names_a_reader_can_tell_apart_do_not_conflict(one: str, two: str) -> None:
    _, reporter = resolved(python_tool(one, BASE), python_tool(two, TEAM), config=config())

    assert told(reporter) == []


def test_twins_of_which_one_is_disabled_or_lost_do_not_conflict() -> None:
    disabled = config(tools=[settings("read-file", enabled=False)])
    _, reporter = resolved(command_tool("read-file", BASE), python_tool("read_file", TEAM), config=disabled)
    assert told(reporter) == []

    protected = config(builtins=["Read_File"], policy=ClashPolicy.PROTECT)
    _, reporter = resolved(command_tool("read-file", BASE), python_tool("read_file", TEAM), config=protected)
    assert told(reporter) == [codes.HIDDEN_BY_BUILTIN.id] * 2


# ---------------------------------------------------------------------------------------------------------- settings


def test_a_disabled_name_is_gone_from_every_layer() -> None:
    resolution, reporter = resolved(
        python_tool("deploy", BASE),
        python_tool("deploy", LOCAL),
        python_tool("deploy", LOCAL, "again.py"),
        config=config(builtins=["deploy"], tools=[settings("deploy", enabled=False)]),
    )

    assert not resolution.tools
    (hidden,) = resolution.hidden
    assert [(shadow.declaration.shown, shadow.reason) for shadow in hidden.shadows] == [
        ("local/again.py", Reason.DISABLED),
        ("local/deploy.py", Reason.DISABLED),
        ("base/deploy.py", Reason.DISABLED),
    ]
    assert told(reporter, notes=True) == []


@pytest.mark.parametrize(
    ("name", "fields", "code", "hint"),
    [
        pytest.param("deplyo", {"timeout_s": 5}, "SETTINGS_MATCH_NOTHING", "did you mean `deploy`?", id="typo"),
        pytest.param(
            "xyzzy",
            {"timeout_s": 5},
            "SETTINGS_MATCH_NOTHING",
            "`toolc list` shows the tools there are",
            id="nothing-near",
        ),
        pytest.param("deplyo", {"enabled": False}, "DISABLED_MATCHES_NOTHING", "did you mean `deploy`?", id="off"),
        pytest.param(
            "web_search",
            {"enabled": False},
            "DISABLED_MATCHES_NOTHING",
            '`web_search` is a built-in of the host: drop it with `[builtins] remove = ["web_search"]`',
            id="off-builtin",
        ),
        pytest.param(
            "web_search",
            {"timeout_s": 5},
            "SETTINGS_MATCH_NOTHING",
            "`web_search` is a built-in of the host, which these settings do not reach",
            id="settings-of-builtin",
        ),
    ],
)
def test_settings_of_a_tool_that_is_not_there(name: str, fields: dict[str, Any], code: str, hint: str | None) -> None:
    project = config(builtins=["web_search"], tools=[settings(name, **fields)])
    resolution, reporter = resolved(python_tool("deploy", TEAM), config=project)

    (found,) = reporter.diagnostics
    assert found.code is getattr(codes, code)
    assert found.hint == hint
    assert [(hidden.name, hidden.shadows) for hidden in resolution.hidden] == (
        [(name, ())] if "enabled" in fields else []
    )


# ------------------------------------------------------------------------------------------------------------ broken

SKIP = OnInvalid.SKIP


@pytest.mark.parametrize("of", [LOCAL, TEAM], ids=["higher", "same-layer"])
def test_leaving_out_a_broken_tool_must_not_put_another_in_its_place(of: Layer) -> None:
    good = python_tool("grep", TEAM)
    _, reporter = resolved(good, broken=(broken("grep", of, "other.py"),), config=config(on_invalid=SKIP))

    (error,) = reporter.diagnostics
    assert error.code is codes.BROKEN_CLAIMS_NAME
    assert error.span.path == of.shown("other.py")
    assert [label.span for label in error.labels] == [good.span]


@pytest.mark.parametrize(
    ("declarations", "fields"),
    [
        pytest.param((python_tool("grep", LOCAL),), {}, id="a-higher-layer-wins-anyway"),
        pytest.param((), {}, id="alone"),
        pytest.param((python_tool("grep", BASE),), {"tools": [settings("grep", enabled=False)]}, id="disabled"),
        pytest.param((python_tool("grep", BASE),), {"builtins": ["grep"], "policy": ClashPolicy.PROTECT}, id="builtin"),
    ],
)
def test_a_broken_tool_that_hides_nothing_is_left_out(
    declarations: tuple[Declaration, ...], fields: dict[str, Any]
) -> None:
    _, reporter = resolved(*declarations, broken=(broken("grep", TEAM),), config=config(on_invalid=SKIP, **fields))

    assert not reporter.has_errors


def test_without_skip_the_errors_of_a_broken_tool_are_enough() -> None:
    _, reporter = resolved(python_tool("grep", BASE), broken=(broken("grep", TEAM),), config=config())

    assert told(reporter) == []


def test_settings_of_a_broken_tool_are_about_something() -> None:
    project = config(tools=[settings("grep", timeout_s=5)])
    resolution, reporter = resolved(broken=(broken("grep", TEAM),), config=project)

    assert told(reporter) == []
    assert resolution.broken == ("grep",)


# -------------------------------------------------------------------------------------------------------------- laws

NAMES = st.sampled_from(["bash", "Bash", "read-file", "read_file", "grep", "deploy"])
LAYERS = st.sampled_from([BASE, TEAM, LOCAL, HOME, OUTSIDE])
DECLARATIONS = st.lists(
    st.builds(python_tool, NAMES, LAYERS, override=st.booleans()),
    unique_by=lambda declaration: (declaration.name, declaration.layer.name),
)
CONFIGS = st.builds(
    config,
    builtins=st.lists(NAMES, max_size=2),
    policy=st.sampled_from(ClashPolicy),
    removed=st.lists(NAMES, max_size=1),
    tools=st.lists(
        st.builds(
            settings,
            NAMES,
            enabled=st.sampled_from([None, False, True]),
            override=st.sampled_from([None, False, True]),
        ),
        unique_by=lambda tool: tool.name,
        max_size=3,
    ),
    on_invalid=st.sampled_from(OnInvalid),
)


@given(DECLARATIONS, st.lists(st.builds(broken, NAMES, LAYERS), max_size=3), CONFIGS, st.randoms(use_true_random=False))
def test_the_order_of_the_input_is_irrelevant(
    declarations: list[Declaration], claims: list[Broken], project: Config, dice: random.Random
) -> None:
    before, told_before = resolved(*declarations, broken=tuple(claims), config=project)
    dice.shuffle(declarations)
    dice.shuffle(claims)
    after, told_after = resolved(*declarations, broken=tuple(claims), config=project)

    assert after == before
    assert told_after.diagnostics == told_before.diagnostics


@given(DECLARATIONS, CONFIGS, NAMES, st.booleans())
def test_a_lower_layer_never_changes_the_winner(
    declarations: list[Declaration], project: Config, name: str, override: bool
) -> None:
    below = python_tool(name, layer("below", -1), override=override)
    before, _ = resolved(*declarations, config=project)
    after, _ = resolved(*declarations, below, config=project)

    for declared in {declaration.name for declaration in declarations}:
        assert layers_in_force(after).get(declared) == layers_in_force(before).get(declared)


@given(DECLARATIONS, CONFIGS)
def test_every_name_is_carried_or_hidden_and_every_declaration_is_accounted_for(
    declarations: list[Declaration], project: Config
) -> None:
    resolution, _ = resolved(*declarations, config=project)

    carried = {tool.winner.name for tool in resolution.tools}
    hidden = {entry.name for entry in resolution.hidden}
    assert not carried & hidden
    assert {declaration.name for declaration in declarations} <= carried | hidden

    accounted = [tool.winner for tool in resolution.tools]
    accounted += [shadow.declaration for tool in resolution.tools for shadow in tool.shadows]
    accounted += [shadow.declaration for entry in resolution.hidden for shadow in entry.shadows]
    assert sorted(map(repr, accounted)) == sorted(map(repr, declarations))


@given(DECLARATIONS, CONFIGS)
def test_no_two_tools_in_force_look_the_same_without_an_error(declarations: list[Declaration], project: Config) -> None:
    resolution, reporter = resolved(*declarations, config=project)

    keys = [clash_key(tool.winner.name) for tool in resolution.tools]
    assert len(set(keys)) == len(keys) or reporter.has_errors


# ------------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("written", "meant"),
    [("deplyo", "deploy"), ("Read-File", "read_file"), ("grpe", "grep"), ("qqqqqq", None), ("grep", None)],
)
def test_a_misspelt_name_finds_the_one_that_was_meant(written: str, meant: str | None) -> None:
    assert closest(written, ["deploy", "read_file", "grep"]) == meant
