"""Rules T101 to T115: tools, renames, views, and the names of the toolset, each in both directions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from diffing import diff, one, toolset, verdicts
from toolc.diff.members import match
from toolc.model import CommandEntry, Level, Origin, PythonEntry, Tool, Toolset
from toolsets import tool

COMMAND = tool("run", entry=CommandEntry(argv=("./run",)))


@pytest.mark.parametrize(
    ("old", "new", "there", "back"),
    [
        pytest.param(
            toolset(), one(), ["T101 safe/safe/info"], ["T102 breaking/breaking/info"], id="a tool that is asked for"
        ),
        pytest.param(
            toolset(),
            one(permission=Level.ALLOW),
            ["T101 safe/safe/risky"],
            ["T102 breaking/breaking/info"],
            id="a tool that runs unasked",
        ),
        pytest.param(
            toolset(), toolset(COMMAND), ["T101 safe/safe/risky"], ["T102 breaking/breaking/info"], id="a command"
        ),
        pytest.param(
            toolset(),
            toolset(replace(COMMAND, permission=Level.DENY)),
            ["T101 safe/safe/info"],
            ["T102 breaking/breaking/info"],
            id="a command that is denied",
        ),
        pytest.param(
            one(),
            replace(one(), name="other"),
            ["T109 info/risky/risky"],
            ["T109 info/risky/risky"],
            id="the toolset's name",
        ),
        pytest.param(
            one(), replace(one(), version="2"), ["T110 info/info/info"], ["T110 info/info/info"], id="the version"
        ),
        pytest.param(
            one(), replace(one(), host="aru"), ["T111 info/risky/risky"], ["T111 info/risky/risky"], id="the host"
        ),
        pytest.param(
            one(),
            replace(one(), subsets={"reviewer": ("words",)}),
            ["T112 safe/info/info"],
            ["T113 breaking/breaking/info"],
            id="a view",
        ),
        pytest.param(
            replace(one(), subsets={"reviewer": ()}),
            replace(one(), subsets={"reviewer": ("words",)}),
            ["T114 safe/info/risky"],
            ["T115 breaking/info/info"],
            id="a member of a view",
        ),
    ],
)
def test_a_change_of_members_and_its_reverse_are_judged(
    old: Toolset, new: Toolset, there: list[str], back: list[str]
) -> None:
    assert verdicts(old, new) == there
    assert verdicts(new, old) == back


def test_a_removed_tool_is_not_lost_to_a_view_again() -> None:
    tools = [tool("words"), tool("lines")]
    before = replace(toolset(*tools), subsets={"reviewer": ("lines", "words")})
    after = replace(toolset(tools[0]), subsets={"reviewer": ("words",)})
    assert verdicts(before, after) == ["T102 breaking/breaking/info"]


def test_names_that_look_the_same_are_told_where_they_begin_to() -> None:
    before, after = toolset(tool("read_file")), toolset(tool("read_file"), tool("read-file"))
    assert verdicts(before, after) == ["T101 safe/safe/info", "T108 breaking/breaking/breaking"]
    assert "T108" not in str(verdicts(after, after))


# ----------------------------------------------------------------------------------------------------------- renames


def named(name: str, **changes: object) -> Tool:
    """A tool whose name is nowhere in what it is."""
    return replace(tool(name), **{"description": "Count the words of a text, by language.", **changes})  # type: ignore[arg-type]


def test_a_rename_is_one_change() -> None:
    before = replace(toolset(named("words")), subsets={"reviewer": ("words",)})
    after = replace(toolset(named("count")), subsets={"reviewer": ("count",)})
    (finding,) = diff(before, after).findings
    assert (finding.rule.id, finding.tool, finding.old, finding.new) == ("T103", "count", "words", "count")
    assert finding.notes == ("approvals of the old name do not carry over",)


def test_what_else_changed_with_a_rename_is_told() -> None:
    before, after = toolset(named("words")), toolset(named("count", permission=Level.ALLOW))
    assert verdicts(before, after) == ["T103 breaking/breaking/risky", "T403 safe/info/breaking"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        pytest.param({"description": "Something else."}, "it runs the same program", id="the same program"),
        pytest.param({"timeout_s": 26}, "a model reads the same of it", id="the same interface"),
        pytest.param(
            {"timeout_s": 26, "description": "Count the words of a text, by script."},
            "what a model reads of it is 94% the same",
            id="much the same interface",
        ),
    ],
)
def test_what_may_be_a_rename_is_removed_and_added_and_told(changes: dict[str, object], why: str) -> None:
    before, after = toolset(named("words")), toolset(named("count", **changes))
    findings = diff(before, after).findings
    assert sorted(finding.rule.id for finding in findings) == ["T101", "T102", "T104"]
    (hint,) = (finding for finding in findings if finding.rule.id == "T104")
    assert hint.message == f"`count` may be what `words` was: {why}"


def test_two_tools_that_take_the_same_are_no_rename() -> None:
    before = toolset(tool("words", description="Count the words of a text."))
    after = toolset(
        tool("upper", description="Shout it in capitals.", entry=PythonEntry(module="upper", function="upper"))
    )
    assert [finding.rule.id for finding in diff(before, after).findings] == ["T101", "T102"]


def test_of_several_candidates_the_most_alike_is_chosen_and_each_once() -> None:
    before = toolset(named("a"), named("b", description="Read a page of the web and say what it is about."))
    after = toolset(
        named("x", timeout_s=26, description="Read a page of the web and say what it is."),
        named("y", timeout_s=26),
    )
    membership = match(before, after)
    assert {now: was for now, (was, _) in membership.resembling.items()} == {"x": "b", "y": "a"}


def test_a_thousand_tools_that_came_and_went_are_matched_by_digest_alone() -> None:
    old = [named(f"old_{number}", description=f"Tool {number} of many.") for number in range(300)]
    new = [named(f"new_{number}", description=f"Tool {number} of many.") for number in range(300)]
    membership = match(toolset(*old), toolset(*new))
    assert membership.renamed == {f"old_{number}": f"new_{number}" for number in range(300)}
    changed = [replace(each, timeout_s=1, description=f"{each.description} More.") for each in new]
    assert match(toolset(*old), toolset(*changed)).resembling == {}


def test_a_tool_that_moved_and_was_renamed_is_no_rename() -> None:
    moved = named("count", origin=Origin(layer="vendor", path="words.py"), sources=("tools/vendor/words.py",))
    assert "T103" not in str(verdicts(toolset(named("words")), toolset(moved)))


def test_who_accepts_a_new_tool_accepts_what_it_is() -> None:
    fingerprints = {
        diff(toolset(), toolset(tool("words"), files={"tools/team/words.py": code})).findings[0].fingerprint
        for code in ("pass\n", "1\n", "1\n")
    }
    assert len(fingerprints) == 2
