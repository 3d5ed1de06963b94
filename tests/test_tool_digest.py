"""The three digests of a tool: what is in each, and what is in none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from diffing import digest, one, toolset
from toolc.model import CommandEntry, Environment, Level, Origin, Toolset
from toolc.tool_digest import ToolDigests, tool_digests
from toolsets import tool

REQUIREMENTS = "requirements/default.txt"


def digests(held: Toolset) -> ToolDigests:
    (only,) = tool_digests(held).values()
    return only


def locked(version: str = "1", content: str = "") -> Toolset:
    plain = one(environment="default")
    environment = Environment(requires_python=">=3.11", requirements=REQUIREMENTS, packages={"httpx": version})
    files = {**plain.files, REQUIREMENTS: digest(content)}
    return replace(plain, python={"default": environment}, files=files)


@pytest.mark.parametrize(
    ("other", "changed"),
    [
        pytest.param(one(description="Another."), {"interface"}, id="description"),
        pytest.param(one(input_schema={"type": "object"}), {"interface"}, id="input schema"),
        pytest.param(one(output_schema={}), {"interface"}, id="output schema"),
        pytest.param(one(annotations={"title": "A"}), {"interface"}, id="annotations"),
        pytest.param(one(entry=CommandEntry(argv=("./run",))), {"behaviour"}, id="entry"),
        pytest.param(one(timeout_s=26), {"behaviour"}, id="timeout"),
        pytest.param(one(env=("A",)), {"behaviour"}, id="variables"),
        pytest.param(toolset(tool("words"), files={"tools/team/words.py": "1"}), {"behaviour"}, id="content"),
        pytest.param(one(permission=Level.ALLOW), {"grant"}, id="permission"),
        pytest.param(one(origin=Origin(layer="team", path="b.py")), set(), id="origin"),
        pytest.param(toolset(tool("words"), host="aru", version="2"), set(), id="the toolset around it"),
        pytest.param(toolset(replace(tool("words"), name="count")), set(), id="its name"),
    ],
)
def test_a_fact_is_in_one_digest_or_in_none(other: Toolset, changed: set[str]) -> None:
    before, after = digests(one()), digests(other)
    fields = ("interface", "behaviour", "grant")
    assert {field for field in fields if getattr(before, field) != getattr(after, field)} == changed


@pytest.mark.parametrize(
    "other", [pytest.param(locked("2"), id="a version"), pytest.param(locked(content="more"), id="the hashes")]
)
def test_the_packages_of_a_tool_are_in_its_behaviour(other: Toolset) -> None:
    assert digests(other).behaviour != digests(locked()).behaviour


def test_a_digest_is_of_its_domain() -> None:
    found: dict[str, Any] = {name: getattr(digests(one()), name) for name in ("interface", "behaviour", "grant")}
    assert len(set(found.values())) == 3
    assert all(value.startswith("sha256:") and len(value) == 71 for value in found.values())
