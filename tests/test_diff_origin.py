"""Rules T601 to T621: layers, shadows, hidden names and built-ins, each in both directions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from diffing import AWAY, HOME, PROJECT, VENDORED, diff, one, toolset, verdicts
from toolc.diff.grouping import groups
from toolc.model import (
    ClashPolicy,
    Introspect,
    LockedBuiltins,
    LockedLayer,
    LockedShadow,
    Origin,
    Reason,
    Scope,
    Tool,
    Toolset,
)
from toolsets import tool


def of(layer: LockedLayer, **changes: Any) -> Tool:
    """The tool `words` of a layer."""
    return tool(
        "words",
        origin=Origin(layer=layer.name, path="words.py", **changes),
        sources=(f"tools/{layer.name}/words.py",),
    )


def from_layer(layer: LockedLayer, code: str = "pass\n", **changes: Any) -> Toolset:
    return toolset(of(layer, **changes), files={f"tools/{layer.name}/words.py": code})


def layers(*held: LockedLayer) -> Toolset:
    return replace(one(), layers=held)


def builtins(policy: ClashPolicy = ClashPolicy.EXPLICIT, **changes: Any) -> Toolset:
    return replace(one(), builtins=LockedBuiltins(policy=policy, **changes))


SHADOW = LockedShadow(layer="vendor", path="words.py", reason=Reason.PRECEDENCE)
OTHER = LockedShadow(layer="home", path="words.py", reason=Reason.PRECEDENCE)


@pytest.mark.parametrize(
    ("old", "new", "there", "back"),
    [
        pytest.param(
            from_layer(PROJECT),
            from_layer(VENDORED),
            ["T602 info/info/risky"],
            ["T602 info/info/risky"],
            id="another layer, the same content",
        ),
        pytest.param(
            from_layer(PROJECT),
            from_layer(VENDORED, "1\n"),
            ["T603 risky/info/breaking"],
            ["T603 risky/info/breaking"],
            id="another layer, another implementation",
        ),
        pytest.param(
            from_layer(PROJECT),
            from_layer(HOME),
            ["T601 info/breaking/breaking", "T602 info/info/risky"],
            ["T602 info/info/risky"],
            id="a layer under the home",
        ),
        pytest.param(
            from_layer(PROJECT),
            from_layer(AWAY, "1\n"),
            ["T601 info/breaking/breaking", "T603 risky/info/breaking"],
            ["T603 risky/info/breaking"],
            id="a layer elsewhere on the machine",
        ),
        pytest.param(
            from_layer(PROJECT),
            from_layer(PROJECT, shadows=(SHADOW,)),
            ["T604 info/info/risky"],
            ["T605 info/info/info"],
            id="a shadow",
        ),
        pytest.param(
            from_layer(PROJECT, shadows=(SHADOW, OTHER)),
            from_layer(PROJECT, shadows=(OTHER, SHADOW)),
            ["T608 info/info/info"],
            ["T608 info/info/info"],
            id="shadows in another order",
        ),
        pytest.param(
            from_layer(VENDORED),
            from_layer(PROJECT, "1\n", shadows=(SHADOW,)),
            ["T603 risky/info/breaking", "T604 info/info/risky"],
            ["T603 risky/info/breaking", "T605 info/info/info"],
            id="a tool that is replaced by one of a later layer",
        ),
        pytest.param(
            one(),
            one(origin=Origin(layer="team", path="other.py")),
            ["T609 info/info/info"],
            ["T609 info/info/info"],
            id="another file of its layer",
        ),
        pytest.param(
            layers(PROJECT),
            layers(VENDORED, PROJECT),
            ["T606 info/risky/risky"],
            ["T606 info/risky/risky"],
            id="a layer",
        ),
        pytest.param(
            layers(VENDORED, PROJECT),
            layers(PROJECT, VENDORED),
            ["T606 info/risky/risky"],
            ["T606 info/risky/risky"],
            id="the order of layers",
        ),
        pytest.param(
            layers(PROJECT),
            layers(replace(PROJECT, path="other")),
            ["T606 info/risky/risky"],
            ["T606 info/risky/risky"],
            id="the path of a layer",
        ),
        pytest.param(
            layers(PROJECT),
            layers(replace(PROJECT, scope=Scope.USER)),
            ["T620 info/breaking/breaking"],
            ["T621 info/info/risky"],
            id="a layer that lies outside now",
        ),
        pytest.param(
            layers(PROJECT),
            layers(replace(PROJECT, scope=Scope.VENDORED)),
            ["T621 info/info/risky"],
            ["T621 info/info/risky"],
            id="a layer that is vendored now",
        ),
        pytest.param(
            layers(PROJECT),
            layers(replace(PROJECT, introspect=Introspect.IMPORT)),
            ["T618 info/info/breaking"],
            ["T619 info/info/info"],
            id="a layer that asks to be imported",
        ),
        pytest.param(
            one(),
            replace(one(), hidden={"bash": (replace(SHADOW, reason=Reason.BUILTIN),)}),
            ["T610 info/info/info"],
            ["T611 info/info/info"],
            id="a hidden name",
        ),
        pytest.param(
            replace(one(), hidden={"bash": ()}),
            replace(one(), hidden={"bash": (replace(SHADOW, reason=Reason.DISABLED),)}),
            ["T612 info/info/info"],
            ["T612 info/info/info"],
            id="what is hidden under a name",
        ),
        pytest.param(
            builtins(),
            builtins(overridden=("words",)),
            ["T613 risky/risky/risky"],
            ["T614 risky/risky/info"],
            id="override",
        ),
        pytest.param(
            builtins(), builtins(removed=("bash",)), ["T615 risky/risky/info"], ["T616 safe/risky/risky"], id="removal"
        ),
        pytest.param(
            builtins(),
            builtins(ClashPolicy.REPLACE),
            ["T617 info/risky/risky"],
            ["T617 info/risky/risky"],
            id="clash policy",
        ),
        pytest.param(
            one(), builtins(), ["T617 info/risky/info"], ["T617 info/risky/risky"], id="a host that has built-ins"
        ),
    ],
)
def test_a_change_of_origin_and_its_reverse_are_judged(
    old: Toolset, new: Toolset, there: list[str], back: list[str]
) -> None:
    assert verdicts(old, new) == there
    assert verdicts(new, old) == back


def test_a_new_tool_from_under_the_home_is_told() -> None:
    assert verdicts(toolset(), from_layer(HOME)) == ["T101 safe/safe/info", "T601 info/breaking/breaking"]


def test_a_new_tool_that_hides_another_is_told() -> None:
    found = verdicts(toolset(), from_layer(PROJECT, shadows=(SHADOW,)))
    assert found == ["T101 safe/safe/info", "T604 info/info/risky"]


def test_a_layer_that_moved_out_is_said_once_with_its_tools() -> None:
    tools = [tool(name) for name in ("a", "b", "c")]
    before = replace(toolset(*tools), layers=(PROJECT,))
    after = replace(before, layers=(replace(PROJECT, scope=Scope.USER, path="~/tools"),))
    found = diff(before, after).findings
    assert [(finding.rule.id, finding.affects) for finding in found] == [
        ("T620", ("a", "b", "c")),
        ("T606", ("a", "b", "c")),
    ]


def test_who_accepts_another_implementation_accepts_that_one() -> None:
    found = [diff(from_layer(PROJECT), from_layer(VENDORED, code)).findings[0] for code in ("1\n", "2\n")]
    assert [finding.rule.id for finding in found] == ["T603", "T603"]
    assert found[0].fingerprint != found[1].fingerprint


def test_a_layer_with_another_name_is_one_group_of_its_tools() -> None:
    sides = []
    for layer in (PROJECT, replace(PROJECT, name="core")):
        tools = [
            tool(
                name,
                origin=Origin(layer=layer.name, path=f"{name}.py"),
                sources=(f"tools/{layer.name}/{name}.py",),
            )
            for name in ("a", "b", "c")
        ]
        sides.append(replace(toolset(*tools), layers=(layer,)))
    found = diff(sides[0], sides[1])
    assert [(group.first.rule.id, group.tools) for group in groups(found)] == [
        ("T606", ()),
        ("T606", ()),
        ("T602", ("a", "b", "c")),
    ]
