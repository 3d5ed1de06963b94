"""Lowering: how the choices of config and tools become the facts of the lock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolc import codes
from toolc.diagnostics import Reporter
from toolc.lower import lower
from toolc.model import (
    Background,
    ClashPolicy,
    Config,
    Declaration,
    Digest,
    EnvPolicy,
    Introspect,
    Layer,
    Level,
    LockedBuiltins,
    LockedLayer,
    LockedShadow,
    Mode,
    Origin,
    Parsed,
    PermissionRule,
    Reason,
    Scope,
    Subset,
    Toolset,
)
from toolc.resolve import resolve
from values import broken, command_tool, config, layer, python_tool, settings, source, told

BASE, TEAM = layer("base", 0), layer("team", 1)


def lowered(*declarations: Declaration, config: Config) -> tuple[Toolset, Reporter]:
    """The toolset of these declarations, and what lowering alone had to say."""
    resolution = resolve(Parsed(declarations=declarations, broken=()), config, Reporter())
    reporter = Reporter()
    return lower(resolution, config, reporter), reporter


# ------------------------------------------------------------------------------------------------------ who decides


@pytest.mark.parametrize(
    ("field", "host", "tool", "project", "locked"),
    [
        pytest.param("timeout_s", {}, {}, {}, 25, id="timeout-of-the-host"),
        pytest.param("timeout_s", {}, {"timeout_s": 5}, {}, 5, id="timeout-of-the-tool"),
        pytest.param("timeout_s", {}, {"timeout_s": 5}, {"timeout_s": 0.5}, 0.5, id="timeout-of-the-project"),
        pytest.param("background", {}, {}, {}, Background.KILL, id="background-of-the-host"),
        pytest.param(
            "background", {}, {"background": Background.KEEP}, {}, Background.KEEP, id="background-of-the-tool"
        ),
        pytest.param(
            "background",
            {"background": Background.KEEP},
            {"background": Background.KEEP},
            {"background": Background.KILL},
            Background.KILL,
            id="background-of-the-project",
        ),
        pytest.param("mode", {}, {}, {}, Mode.WORKER, id="mode-by-default"),
        pytest.param("mode", {"mode": Mode.INPROCESS}, {}, {}, Mode.INPROCESS, id="mode-of-the-toolset"),
        pytest.param(
            "mode", {"mode": Mode.INPROCESS}, {}, {"mode": Mode.WORKER}, Mode.WORKER, id="mode-of-the-project"
        ),
        pytest.param("permission", {}, {"permission": Level.ALLOW}, {}, Level.ASK, id="a-tool-cannot-loosen"),
        pytest.param("permission", {}, {"permission": Level.DENY}, {}, Level.DENY, id="a-tool-can-tighten"),
        pytest.param("permission", {}, {}, {"permission": Level.ALLOW}, Level.ALLOW, id="permission-of-the-project"),
        pytest.param("env_policy", {"env_policy": EnvPolicy.INHERIT}, {}, {}, EnvPolicy.INHERIT, id="env-policy"),
        pytest.param("env", {"env_pass": ("HOME",)}, {"env": ("DSN", "HOME")}, {}, ("DSN", "HOME"), id="env-needed"),
        pytest.param("env", {"env_pass": ("B", "Z")}, {"env": ("A", "Y")}, {}, ("A", "B?", "Y", "Z?"), id="env-passed"),
    ],
)
def test_the_project_comes_before_the_tool_and_the_tool_before_the_host(
    field: str, host: dict[str, Any], tool: dict[str, Any], project: dict[str, Any], locked: object
) -> None:
    tools = [settings("grep", **project)] if project else []
    toolset, _ = lowered(python_tool("grep", TEAM, **tool), config=config(TEAM, tools=tools, **host))

    assert getattr(toolset.tools["grep"], field) == locked


def test_a_command_has_no_mode_and_settings_about_one_are_reported() -> None:
    tools = [settings("lint", mode=Mode.INPROCESS, environment="default", include=("rules/*",))]
    toolset, reporter = lowered(command_tool("lint", TEAM), config=config(TEAM, mode=Mode.INPROCESS, tools=tools))

    assert toolset.tools["lint"].mode is Mode.WORKER
    assert told(reporter) == [codes.SETTING_NOT_FOR_COMMAND.id] * 3


# ------------------------------------------------------------------------------------------------- layers, built-ins


def test_every_layer_of_the_config_is_locked_as_it_was_written() -> None:
    layers = (
        Layer(name="away", path="~/tools", root=BASE.root, rank=0, scope=Scope.USER, present=False),
        Layer(
            name="vendor",
            path="vendor/x",
            root=TEAM.root,
            rank=1,
            scope=Scope.VENDORED,
            introspect=Introspect.IMPORT,
        ),
    )
    toolset, _ = lowered(config=config(*layers))

    assert toolset.layers == (
        LockedLayer(name="away", path="~/tools", scope=Scope.USER),
        LockedLayer(name="vendor", path="vendor/x", scope=Scope.VENDORED, introspect=Introspect.IMPORT),
    )


def test_the_lock_says_what_a_tool_shadows_and_what_is_hidden() -> None:
    project = config(BASE, TEAM, builtins=["bash"], policy=ClashPolicy.PROTECT)
    toolset, _ = lowered(
        python_tool("grep", BASE), command_tool("grep", TEAM), python_tool("bash", BASE), config=project
    )

    shadow = LockedShadow(layer="base", path="grep.py", reason=Reason.PRECEDENCE)
    assert toolset.tools["grep"].origin == Origin(layer="team", path="grep/tool.json", shadows=(shadow,))
    assert toolset.hidden == {"bash": (LockedShadow(layer="base", path="bash.py", reason=Reason.BUILTIN),)}


@pytest.mark.parametrize(
    ("fields", "locked"),
    [
        pytest.param({}, None, id="a-host-without-built-ins"),
        pytest.param({"builtins": ["read"]}, LockedBuiltins(policy=ClashPolicy.EXPLICIT), id="untouched"),
        pytest.param(
            {"removed": ["web"]}, LockedBuiltins(policy=ClashPolicy.EXPLICIT, removed=("web",)), id="removed-alone"
        ),
        pytest.param(
            {"builtins": ["bash", "grep"], "policy": ClashPolicy.REPLACE},
            LockedBuiltins(policy=ClashPolicy.REPLACE, overridden=("grep",)),
            id="overridden",
        ),
    ],
)
def test_the_lock_says_what_the_host_is_to_do_with_its_builtins(
    fields: dict[str, Any], locked: LockedBuiltins | None
) -> None:
    toolset, _ = lowered(python_tool("Grep", TEAM), config=config(TEAM, **fields))

    assert toolset.builtins == locked


# ----------------------------------------------------------------------------------------------------------- subsets


@pytest.mark.parametrize(
    ("include", "exclude", "names"),
    [
        pytest.param(("*",), (), ("grep", "read_a", "read_b"), id="all-but-denied"),
        pytest.param(("read*",), (), ("read_a", "read_b"), id="glob"),
        pytest.param(("read_?", "grep"), ("read_b",), ("grep", "read_a"), id="exclude-wins"),
        pytest.param(("read_[b]",), (), ("read_b",), id="set"),
    ],
)
def test_a_subset_is_a_sorted_list_of_offered_tools(
    include: tuple[str, ...], exclude: tuple[str, ...], names: tuple[str, ...]
) -> None:
    tools = [python_tool(name, TEAM) for name in ("read_b", "read_a", "grep", "secret")]
    project = config(
        TEAM,
        tools=[settings("secret", permission=Level.DENY)],
        subsets=(Subset(name="view", include=include, exclude=exclude),),
    )
    toolset, reporter = lowered(*tools, config=project)

    assert toolset.subsets == {"view": names}
    assert told(reporter) == []


def view(subset: Subset) -> tuple[Toolset, Reporter]:
    """A subset of a toolset that offers `read_a`, denies `secret` and loses `bash` to a built-in."""
    project = config(
        TEAM,
        builtins=["bash", "web_fetch"],
        tools=[settings("secret", permission=Level.DENY)],
        subsets=(subset,),
    )
    return lowered(*(python_tool(name, TEAM) for name in ("read_a", "secret", "bash")), config=project)


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        pytest.param("raed_a", "did you mean `read_a`?", id="typo"),
        pytest.param("zz*", None, id="nothing-near"),
        pytest.param("secret", "the tools it matches are denied, and a denied tool is in no subset", id="denied"),
        pytest.param("ba*", "the tools it matches are hidden by a built-in or disabled", id="hidden"),
        pytest.param("web*", "the built-ins of the host are not part of the toolset", id="built-in"),
    ],
)
def test_an_included_pattern_that_matches_nothing_is_a_warning(pattern: str, hint: str | None) -> None:
    _, reporter = view(Subset(name="view", include=("read_a", pattern)))

    (warning,) = reporter.diagnostics
    assert warning.code is codes.SUBSET_MATCHES_NOTHING
    assert warning.message == f"`{pattern}` of the subset `view` matches no tool that is offered"
    assert warning.hint == hint


@pytest.mark.parametrize(
    ("pattern", "warned"), [("raed_a", True), ("zz*", True), ("secret", False), ("bash", False), ("web*", False)]
)
def test_an_excluded_pattern_is_a_warning_only_where_it_is_about_nothing(pattern: str, warned: bool) -> None:
    toolset, reporter = view(Subset(name="view", exclude=(pattern,)))

    assert toolset.subsets == {"view": ("read_a",)}
    assert told(reporter) == ([codes.SUBSET_MATCHES_NOTHING.id] if warned else [])


def test_a_subset_that_excludes_everything_is_a_warning() -> None:
    project = config(TEAM, subsets=(Subset(name="none", exclude=("*",)),))
    toolset, reporter = lowered(python_tool("grep", TEAM), config=project)

    assert toolset.subsets == {"none": ()}
    assert told(reporter) == [codes.SUBSET_EMPTY.id]


# ------------------------------------------------------------------------------------------------------- permissions


@pytest.mark.parametrize(
    ("pattern", "warned"),
    [("deploi", True), ("git_*", True), ("deploy", False), ("dep*", False), ("*", False), ("bash", False)],
)
def test_a_rule_of_permissions_that_matches_nothing_is_a_warning(pattern: str, warned: bool) -> None:
    rule = PermissionRule(pattern=pattern, level=Level.DENY, origin="toolc.toml [permissions]")
    project = config(TEAM, builtins=["bash"], policy=ClashPolicy.PROTECT, permissions=(rule,))
    _, reporter = lowered(python_tool("deploy", TEAM), python_tool("bash", TEAM), config=project)

    assert told(reporter) == ([codes.PERMISSION_MATCHES_NOTHING.id] if warned else [])


def test_a_rule_of_the_hosts_own_file_may_be_about_the_hosts_own_tools() -> None:
    rule = PermissionRule(pattern="edit", level=Level.DENY, origin="aru.json")
    _, reporter = lowered(python_tool("deploy", TEAM), config=config(TEAM, permissions=(rule,)))

    assert told(reporter) == []


# ------------------------------------------------------------------------------------------------------------- files


def test_files_of_tools_in_force_ship_once_and_sorted() -> None:
    shared = source(TEAM, "lib/util.py", sha256="1" * 64)
    script = source(TEAM, "a.sh", sha256="2" * 64, executable=True)
    toolset, _ = lowered(
        python_tool("one", TEAM, sources=(source(TEAM, "one.py"), shared)),
        python_tool("two", TEAM, sources=(source(TEAM, "two.py"), shared, script)),
        python_tool("two", BASE),
        config=config(BASE, TEAM),
    )

    assert list(toolset.files.items()) == [
        ("tools/team/a.sh", Digest(sha256="2" * 64, executable=True)),
        ("tools/team/lib/util.py", Digest(sha256="1" * 64)),
        ("tools/team/one.py", Digest(sha256="0" * 64)),
        ("tools/team/two.py", Digest(sha256="0" * 64)),
    ]
    assert toolset.tools["two"].sources == ("tools/team/a.sh", "tools/team/lib/util.py", "tools/team/two.py")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param("web.py", "Web.py", id="case"),
        pytest.param("lib/a.py", "Lib/b.py", id="folders"),
        pytest.param("lib", "LIB/b.py", id="file-and-folder"),
        pytest.param("stra\u00dfe.txt", "STRASSE.txt", id="sharp-s"),
    ],
)
def test_paths_that_a_file_system_takes_for_one_are_an_error(one: str, two: str) -> None:
    sources = (source(TEAM, one), source(TEAM, two))
    _, reporter = lowered(python_tool("web", TEAM, sources=sources), config=config(TEAM))

    assert told(reporter) == [codes.PATHS_COLLIDE.id]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("cafe\u0301.txt", id="not-composed"),
        pytest.param("a\\b", id="backslash"),
        pytest.param("a:b", id="colon"),
        pytest.param("a\tb", id="control-character"),
        pytest.param("a\udcffb", id="not-utf-8"),
        pytest.param("folder./a", id="trailing-dot"),
        pytest.param("a ", id="trailing-space"),
        pytest.param("aux.py", id="device"),
        pytest.param("x/NUL", id="device-in-a-folder"),
        pytest.param("n" * 201, id="too-long"),
    ],
)
def test_a_path_that_not_every_file_system_can_hold_is_an_error(path: str) -> None:
    _, reporter = lowered(python_tool("web", TEAM, sources=(source(TEAM, path),)), config=config(TEAM))

    assert told(reporter) == [codes.PATH_NOT_PORTABLE.id]


def test_a_name_of_which_windows_can_have_no_wrapper_is_an_error() -> None:
    _, reporter = lowered(python_tool("aux", BASE, "tools.py"), config=config(BASE))
    assert told(reporter) == [codes.PATH_NOT_PORTABLE.id]


def test_a_file_that_two_tools_read_differently_is_an_error() -> None:
    _, reporter = lowered(
        python_tool("one", TEAM, sources=(source(TEAM, "util.py", sha256="1" * 64),)),
        python_tool("two", TEAM, sources=(source(TEAM, "util.py", sha256="2" * 64),)),
        config=config(TEAM),
    )

    assert told(reporter) == [codes.CHANGED_WHILE_BUILDING.id]


# ------------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(("name", "warned"), [("word_count", False), ("run-linter", False), ("2fa", True)])
def test_a_name_that_not_every_provider_carries_is_a_warning(name: str, warned: bool) -> None:
    _, reporter = lowered(command_tool(name, TEAM), config=config(TEAM))

    assert told(reporter) == ([codes.NAME_NOT_PORTABLE.id] if warned else [])


# ------------------------------------------------------------------------------------------------------------ budget


def test_the_budget_counts_the_compact_definitions_of_offered_tools() -> None:
    tools = [python_tool("one", TEAM), python_tool("two", TEAM, description="x" * 400), python_tool("no", TEAM)]
    denied = [settings("no", permission=Level.DENY)]
    offered = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
        }
        for tool in tools[:2]
    ]
    tokens = -(-len(json.dumps(offered, separators=(",", ":"))) // 4)

    _, reporter = lowered(*tools, config=config(TEAM, tools=denied, budget_tokens=tokens))
    assert told(reporter) == []

    _, reporter = lowered(*tools, config=config(TEAM, tools=denied, budget_tokens=tokens - 1))
    (error,) = reporter.diagnostics
    assert error.code is codes.BUDGET_EXCEEDED
    assert f"about {tokens} tokens, over the budget of {tokens - 1}" in error.message
    assert error.hint is not None
    assert error.hint.index("`two`") < error.hint.index("`one`")
    assert "`no`" not in error.hint


# -------------------------------------------------------------------------------------------------------------- notes


def test_an_empty_toolset_is_legal_with_a_note() -> None:
    toolset, reporter = lowered(config=config(TEAM))

    assert toolset.tools == {}
    assert told(reporter, notes=True) == [codes.TOOLSET_EMPTY.id]
    assert not reporter.has_errors


def test_a_toolset_whose_only_tool_has_errors_is_not_called_empty() -> None:
    project = config(TEAM, subsets=(Subset(name="view", include=("grep",)),))
    resolution = resolve(Parsed(declarations=(), broken=(broken("grep", TEAM),)), project, Reporter())
    reporter = Reporter()
    lower(resolution, project, reporter)

    assert told(reporter, notes=True) == []


def test_declared_dependencies_are_said_to_be_neither_locked_nor_installed() -> None:
    project = config(TEAM, dependencies={"default": ("httpx>=0.28",), "empty": ()})
    toolset, reporter = lowered(python_tool("grep", TEAM), config=project)

    assert toolset.tools["grep"].environment is None
    assert toolset.python == {}
    (note,) = reporter.diagnostics
    assert note.code is codes.DEPENDENCIES_NOT_LOCKED
    assert "`default`" in note.message
    assert "`empty`" not in note.message
