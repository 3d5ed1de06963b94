"""Rules T401 to T412: permission and environment, each in both directions."""

from __future__ import annotations

from typing import Any

import pytest

from diffing import diff, one, toolset, verdicts
from toolc.diff.access import SECRET
from toolc.diff.grouping import groups
from toolc.model import EnvPolicy, Level
from toolsets import tool

ALLOW = {"permission": Level.ALLOW}
ASK = {"permission": Level.ASK}
DENY = {"permission": Level.DENY}


@pytest.mark.parametrize(
    ("old", "new", "there", "back"),
    [
        pytest.param(ASK, ALLOW, ["T403 safe/info/breaking"], ["T404 risky/risky/info"], id="ask, allow"),
        pytest.param(DENY, ALLOW, ["T403 safe/info/breaking"], ["T405 breaking/breaking/info"], id="deny, allow"),
        pytest.param(DENY, ASK, ["T412 safe/safe/risky"], ["T405 breaking/breaking/info"], id="deny, ask"),
        pytest.param(
            {"env_policy": EnvPolicy.DECLARED},
            {"env_policy": EnvPolicy.INHERIT},
            ["T401 safe/info/breaking"],
            ["T402 risky/risky/info"],
            id="environment declared, inherited",
        ),
        pytest.param(
            {}, {"env": ("CITY",)}, ["T406 safe/risky/risky"], ["T407 safe/info/info"], id="a variable needed"
        ),
        pytest.param(
            {}, {"env": ("CITY?",)}, ["T406 safe/info/risky"], ["T407 safe/info/info"], id="one where it is set"
        ),
        pytest.param(
            {}, {"env": ("API_TOKEN",)}, ["T406 safe/risky/breaking"], ["T407 safe/info/info"], id="one like a secret"
        ),
        pytest.param(
            {"env": ("CITY?",)}, {"env": ("CITY",)}, ["T410 info/risky/info"], ["T411 info/info/info"], id="now needed"
        ),
        pytest.param({"env": ("A", "B?")}, {"env": ("B?", "A")}, [], [], id="another order, which is none"),
    ],
)
def test_a_change_of_access_and_its_reverse_are_judged(
    old: dict[str, Any], new: dict[str, Any], there: list[str], back: list[str]
) -> None:
    assert verdicts(one(**old), one(**new)) == there
    assert verdicts(one(**new), one(**old)) == back


@pytest.mark.parametrize(
    "name", ["GITHUB_TOKEN", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "OPENAI_API_KEY"]
)
def test_a_name_looks_like_a_secret(name: str) -> None:
    assert SECRET.search(name)


@pytest.mark.parametrize("name", ["HOME", "AWS_PROFILE", "LANG", "KEYBOARD", "MONKEY_BAR"])
def test_a_name_does_not_look_like_a_secret(name: str) -> None:
    assert not SECRET.search(name)


def test_one_line_of_a_policy_is_one_group_of_all_its_tools() -> None:
    names = [f"tool_{number}" for number in range(37)]
    before = toolset(*(tool(name) for name in names), tool("other", permission=Level.DENY))
    after = toolset(*(tool(name, permission=Level.ALLOW) for name in (*names, "other")))
    found = diff(before, after)
    assert [(group.first.rule.id, len(group.tools)) for group in groups(found)] == [("T403", 1), ("T403", 37)]
    assert sum(len(group.findings) for group in groups(found)) == len(found.findings)
