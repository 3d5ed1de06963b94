"""Merging two locks: what is taken, what is left open and how that is written, and the laws of a merge."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from test_lock import ACME, EIGHT, LINT, LOCAL, SEARCH, TEAM, tool_named, toolsets, with_tools, without_tools
from toolc import lock
from toolc.lock.lines import merge_lines
from toolc.lock.markers import BrokenMarkers, split
from toolc.lock.shapes import LOCK, Fields, Named
from toolc.lock.threeway import merge_order
from toolc.lock.tree import Missing
from toolc.lock.write import facts, spell
from toolc.model import (
    Digest,
    Environment,
    Level,
    LockedLayer,
    LockedShadow,
    Mode,
    PythonEntry,
    Reason,
    Scope,
    Tool,
    Toolset,
)
from toolc.render.outline import outline

FILE = "tools/local/search.py"
OTHER = "tools/local/other.py"


def merge(base: Toolset | Missing, ours: Toolset, theirs: Toolset, now: Toolset | None = None) -> lock.Merge:
    old = base if isinstance(base, Missing) else lock.encode(base)
    return lock.merge(old, lock.encode(ours), lock.encode(theirs), now=now)


def clean(base: Toolset | Missing, ours: Toolset, theirs: Toolset) -> Toolset:
    """The lock of both, of which nothing may be open."""
    merged = merge(base, ours, theirs)
    assert merged.conflicts == (), merged.data.decode()
    return lock.decode(merged.data)


def search(**fields: Any) -> Toolset:
    return replace(ACME, tools={**ACME.tools, "search": replace(SEARCH, **fields)})


def schema(**properties: Any) -> dict[str, Any]:
    return {**SEARCH.input_schema, "properties": properties}


PATTERN, LIMIT = {"type": "string"}, {"type": "integer", "default": 10}


def entry(**fields: Any) -> PythonEntry:
    assert isinstance(SEARCH.entry, PythonEntry)
    return replace(SEARCH.entry, **fields)


# ---------------------------------------------------------------------------------------------------- what is taken


@pytest.mark.parametrize(
    ("ours", "theirs", "wanted"),
    [
        pytest.param(
            search(timeout_s=60),
            search(permission=Level.DENY),
            {"timeout_s": 60, "permission": Level.DENY},
            id="two-fields",
        ),
        pytest.param(
            search(description="Find.\n\nReturns the lines."),
            search(description="Find a text.\n\nReturns lines."),
            {"description": "Find.\n\nReturns lines."},
            id="two-lines-of-a-description",
        ),
        pytest.param(
            search(input_schema=schema(pattern=PATTERN, deep={}, limit=LIMIT)),
            search(input_schema=schema(pattern=PATTERN, limit=LIMIT, last={})),
            {"input_schema": schema(pattern=PATTERN, deep={}, limit=LIMIT, last={})},
            id="two-parameters-each-in-its-place",
        ),
        pytest.param(
            search(input_schema=schema(limit=LIMIT, pattern=PATTERN)),
            search(input_schema=schema(pattern={"type": "string", "minLength": 1}, limit=LIMIT)),
            {"input_schema": schema(limit=LIMIT, pattern={"type": "string", "minLength": 1})},
            id="one-moves-a-parameter-and-one-changes-it",
        ),
        pytest.param(
            search(input_schema={**SEARCH.input_schema, "required": ["limit", "pattern"]}),
            search(input_schema={**SEARCH.input_schema, "required": ["pattern", "deep"]}),
            {"input_schema": {**SEARCH.input_schema, "required": ["limit", "pattern", "deep"]}},
            id="two-required-names-in-their-order",
        ),
        pytest.param(
            search(env=("DSN", "TOKEN?")), search(env=("DSN?",)), {"env": ("DSN?", "TOKEN?")}, id="a-variable-each"
        ),
        pytest.param(
            search(annotations={"readOnlyHint": True, "idempotentHint": True, "title": "x"}),
            search(annotations={"readOnlyHint": True}),
            {"annotations": {"readOnlyHint": True, "title": "x"}},
            id="annotations-by-name",
        ),
        pytest.param(
            search(entry=entry(conversions={**entry().conversions, "/properties/a": "path"})),
            search(entry=entry(is_async=False)),
            {"entry": entry(is_async=False, conversions={**entry().conversions, "/properties/a": "path"})},
            id="execution-by-field",
        ),
        pytest.param(
            search(output_schema=None), search(timeout_s=1), {"output_schema": None, "timeout_s": 1}, id="gone"
        ),
    ],
)
def test_changes_of_different_facts_of_a_tool_are_both_taken(
    ours: Toolset, theirs: Toolset, wanted: dict[str, Any]
) -> None:
    assert clean(ACME, ours, theirs) == search(**wanted)


def test_tools_added_at_one_place_are_both_there() -> None:
    merged = clean(EIGHT, with_tools(tool_named("bear")), with_tools(tool_named("bison")))

    assert merged == with_tools(tool_named("bear"), tool_named("bison"))


def test_a_removed_tool_stays_removed() -> None:
    merged = clean(EIGHT, without_tools("beta"), with_tools(replace(tool_named("mu"), timeout_s=9)))

    assert [*merged.tools] == [name for name in sorted(EIGHT.tools) if name != "beta"]
    assert merged.tools["mu"].timeout_s == 9


def test_everything_beside_the_tools_merges_by_name() -> None:
    extra = LockedLayer(name="extra", path="extra", scope=Scope.PROJECT)
    ours = replace(
        ACME,
        version="1.5.0",
        layers=(*ACME.layers, extra),
        hidden={**ACME.hidden, "gone": ()},
        files={**ACME.files, OTHER: Digest(sha256="e" * 64)},
    )
    theirs = replace(
        ACME,
        host="none",
        subsets={"reviewer": ("run-linter", "search"), "all": ("search",)},
        python={"default": replace(ACME.python["default"], packages={"httpx": "0.28.1", "anyio": "4.0"})},
    )

    assert clean(ACME, ours, theirs) == replace(
        theirs, version="1.5.0", layers=ours.layers, hidden=ours.hidden, files=ours.files
    )


def test_locks_of_two_branches_that_had_none_are_one() -> None:
    ours, theirs = with_tools(tool_named("bear")), with_tools(tool_named("bison"))

    assert clean(lock.ABSENT, ours, theirs) == with_tools(tool_named("bear"), tool_named("bison"))


# ------------------------------------------------------------------------------------------------- what is left open


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "places"),
    [
        pytest.param(
            ACME,
            search(timeout_s=60),
            search(timeout_s=90),
            {"/tools/search/execution/timeout_s": "both sides changed it, differently"},
            id="one-fact-two-ways",
        ),
        pytest.param(
            EIGHT,
            without_tools("beta"),
            with_tools(replace(tool_named("beta"), timeout_s=9)),
            {"/tools/beta": "one side removed it, and the other changed it"},
            id="removed-and-changed",
        ),
        pytest.param(
            EIGHT,
            with_tools(replace(tool_named("new"), timeout_s=1)),
            with_tools(replace(tool_named("new"), timeout_s=2)),
            {"/tools/new/execution/timeout_s": "both sides changed it, differently"},
            id="added-twice",
        ),
        pytest.param(
            ACME,
            search(input_schema=schema(limit=LIMIT, pattern=PATTERN, x={})),
            search(input_schema=schema(pattern=PATTERN, y={}, limit=LIMIT)),
            {},
            id="one-moves-one-adds",
        ),
        pytest.param(
            search(input_schema=schema(a={}, b={}, c={})),
            search(input_schema=schema(b={}, a={}, c={})),
            search(input_schema=schema(a={}, c={}, b={})),
            {"/tools/search/input_schema/properties": "both sides changed it, differently"},
            id="two-orders",
        ),
        pytest.param(
            ACME,
            replace(
                ACME, tools={**ACME.tools, "search": replace(LINT, name="search", sources=(), origin=SEARCH.origin)}
            ),
            search(entry=entry(is_async=False)),
            {"/tools/search/execution": "both sides changed it, differently"},
            id="another-kind-of-tool",
        ),
        pytest.param(
            ACME,
            search(origin=replace(SEARCH.origin, path="a.py")),
            search(origin=replace(SEARCH.origin, layer="team")),
            {"/tools/search/origin": "both sides changed it, differently"},
            id="a-path-means-something-only-in-its-layer",
        ),
        pytest.param(
            ACME,
            replace(ACME, files={**ACME.files, FILE: Digest(sha256="e" * 64)}),
            replace(ACME, files={**ACME.files, FILE: Digest(sha256="f" * 64)}),
            {"/files/tools~1local~1search.py": "both sides changed it, differently"},
            id="a-file-that-both-changed",
        ),
    ],
)
def test_what_both_changed_is_left_open_and_named(
    base: Toolset, ours: Toolset, theirs: Toolset, places: dict[str, str]
) -> None:
    merged = merge(base, ours, theirs)

    assert [str(conflict) for conflict in merged.conflicts] == [f"`{at}`: {why}" for at, why in places.items()]
    if places:
        sides = split(merged.data.decode())
        assert sides is not None
        for text in (sides.ours, sides.theirs):
            assert spell(json.loads(text)) == text, "whichever side is taken, the rest is spelled as a lock is"


def test_the_markers_stand_round_the_lines_of_what_is_open_alone() -> None:
    merged = merge(ACME, search(timeout_s=60, permission=Level.DENY), search(timeout_s=90, annotations={}))
    text = merged.data.decode()

    assert text.count("<<<<<<<") == 1
    assert (
        "<<<<<<< ours\n"
        '        "timeout_s": 60,\n'
        "=======\n"
        '        "timeout_s": 90,\n'
        ">>>>>>> theirs\n"
        '        "background": "kill",\n'
    ) in text
    assert '"permission": "deny"' in text
    assert "idempotentHint" not in text


def test_a_comma_that_one_side_has_is_part_of_what_is_open() -> None:
    base = replace(EIGHT, tools={"alpha": tool_named("alpha"), "zeta": tool_named("zeta")})
    ours = replace(base, tools={"alpha": tool_named("alpha")})
    theirs = replace(base, tools={**base.tools, "zeta": replace(tool_named("zeta"), timeout_s=9)})
    text = merge(base, ours, theirs).data.decode()

    assert '<<<<<<< ours\n    }\n=======\n    },\n    "zeta": {\n' in text
    sides = split(text)
    assert sides is not None
    assert sides.ours == lock.encode(ours).decode()
    assert sides.theirs == lock.encode(theirs).decode()


# ------------------------------------------------------------------------------------------------- what others name

HELPER = Digest(sha256="9" * 64)
SHARED = replace(ACME, files={**ACME.files, OTHER: HELPER})
WITHOUT_PYTHON = replace(
    ACME,
    python={},
    files={path: digest for path, digest in ACME.files.items() if path.startswith("tools/")},
    tools={**ACME.tools, "search": replace(SEARCH, environment=None)},
)
PYTHON = replace(
    WITHOUT_PYTHON,
    python={"default": Environment(requires_python=">=3.11", requirements="requirements/default.txt", packages={})},
    files={**WITHOUT_PYTHON.files, "requirements/default.txt": HELPER},
)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "place"),
    [
        pytest.param(
            SHARED,
            ACME,
            replace(SHARED, tools={**ACME.tools, "search": replace(SEARCH, sources=(OTHER, FILE))}),
            "/files/tools~1local~1other.py",
            id="a-source",
        ),
        pytest.param(
            ACME,
            replace(ACME, tools={"search": SEARCH}),
            replace(ACME, subsets={"reviewer": ("run-linter", "search")}),
            "/tools/run-linter",
            id="a-tool-of-a-subset",
        ),
        pytest.param(
            PYTHON,
            WITHOUT_PYTHON,
            replace(PYTHON, tools={**PYTHON.tools, "search": replace(SEARCH, environment="default")}),
            "/python",
            id="an-environment",
        ),
        pytest.param(
            replace(EIGHT, layers=(*EIGHT.layers, LockedLayer(name="more", path="m", scope=Scope.PROJECT))),
            EIGHT,
            replace(
                EIGHT,
                layers=(*EIGHT.layers, LockedLayer(name="more", path="m", scope=Scope.PROJECT)),
                hidden={"x": (LockedShadow(layer="more", path="x.py", reason=Reason.DISABLED),)},
            ),
            "/layers/more",
            id="a-layer",
        ),
    ],
)
def test_what_one_side_removed_and_the_other_names_is_left_open(
    base: Toolset, ours: Toolset, theirs: Toolset, place: str
) -> None:
    for merged in (merge(base, ours, theirs), merge(base, theirs, ours)):
        named = {str(conflict).split("`")[1] for conflict in merged.conflicts}
        assert place in named
        assert all("still names it" in conflict.why for conflict in merged.conflicts)


# --------------------------------------------------------------------------------------------- what the project says


def test_the_project_decides_between_two_versions_and_says_so() -> None:
    merged = merge(ACME, search(timeout_s=60), search(timeout_s=90), now=search(timeout_s=90))

    assert merged.clean
    assert lock.decode(merged.data) == search(timeout_s=90)
    assert [conflict.place for conflict in merged.settled] == [("tools", "search", "execution", "timeout_s")]


def test_a_third_version_of_the_project_decides_nothing() -> None:
    merged = merge(ACME, search(timeout_s=60), search(timeout_s=90), now=search(timeout_s=120))

    assert not merged.clean
    assert merged.settled == ()


def test_the_digest_of_a_file_that_both_changed_is_that_of_the_file() -> None:
    def with_file(letter: str) -> Toolset:
        return replace(ACME, files={**ACME.files, FILE: Digest(sha256=letter * 64)})

    merged = merge(ACME, with_file("e"), with_file("f"), now=with_file("1"))

    assert lock.decode(merged.data) == with_file("1")
    assert len(merged.settled) == 1


def test_without_a_base_what_one_side_has_is_open_until_the_project_says() -> None:
    ours, theirs = without_tools("beta"), EIGHT
    merged = merge(lock.UNKNOWN, ours, theirs)

    assert [str(conflict) for conflict in merged.conflicts] == ["`/tools/beta`: only one side has it"]
    assert lock.decode(merge(lock.UNKNOWN, ours, theirs, now=ours).data) == ours
    assert lock.decode(merge(lock.UNKNOWN, ours, theirs, now=theirs).data) == theirs


# ----------------------------------------------------------------------------------------------------------- the laws
# Two branches of one lock: each a few of these changes, of which some collide and some break what others name.

Change = Callable[[Toolset], Toolset]
EXAMPLES = int(os.environ.get("TOOLC_MERGE_EXAMPLES", "20"))
TREE = replace(
    ACME,
    tools={**ACME.tools, **{name: tool_named(name) for name in ("alpha", "beta", "gamma")}},
    files={**ACME.files, OTHER: HELPER},
)


def on_tool(name: str, **changes: Any) -> Change:
    def change(toolset: Toolset) -> Toolset:
        if name not in toolset.tools:
            return toolset
        return replace(toolset, tools={**toolset.tools, name: replace(toolset.tools[name], **changes)})

    return change


def adding(tool: Tool) -> Change:
    return lambda toolset: replace(toolset, tools={**toolset.tools, tool.name: tool})


def removing(name: str) -> Change:
    def change(toolset: Toolset) -> Toolset:
        tools = {key: tool for key, tool in toolset.tools.items() if key != name}
        subsets = {key: tuple(set(names) & tools.keys()) for key, names in toolset.subsets.items()}
        return replace(toolset, tools=tools, subsets=subsets)

    return change


def with_fields(**changes: Any) -> Change:
    return lambda toolset: replace(toolset, **changes)


def with_digest(letter: str) -> Change:
    return lambda toolset: replace(toolset, files={**toolset.files, FILE: Digest(sha256=letter * 64)})


def without_helper(toolset: Toolset) -> Toolset:
    if any(OTHER in tool.sources for tool in toolset.tools.values()):
        return toolset
    return replace(toolset, files={path: digest for path, digest in toolset.files.items() if path != OTHER})


def naming_helper(toolset: Toolset) -> Toolset:
    return on_tool("beta", sources=(FILE, OTHER))(toolset) if OTHER in toolset.files else toolset


CHANGES: list[Change] = [
    *(adding(replace(tool_named(name), timeout_s=time)) for name in ("bear", "bison", "zebu") for time in (1, 2)),
    *(removing(name) for name in ("alpha", "beta", "gamma", "run-linter", "search")),
    *(on_tool("beta", timeout_s=time) for time in (1, 2)),
    *(on_tool("beta", description=text) for text in ("Find a text.\n\nReturns lines.", "Find.\n\nReturns the lines.")),
    *(on_tool("beta", input_schema=schema(**{name: {}, "pattern": PATTERN, "limit": LIMIT})) for name in "ab"),
    *(on_tool("search", input_schema=schema(limit=LIMIT, pattern=PATTERN, **{name: {}})) for name in "ab"),
    on_tool("search", output_schema=None, annotations={}),
    on_tool("search", entry=LINT.entry, mode=Mode.WORKER),
    on_tool("search", environment=None),
    *(on_tool("search", env=env) for env in ((), ("DSN?",), ("DSN", "TOKEN"))),
    *(with_digest(letter) for letter in "ef"),
    with_fields(version=None),
    with_fields(layers=(LOCAL, TEAM)),
    with_fields(layers=(TEAM, LOCAL, LockedLayer(name="more", path="m", scope=Scope.PROJECT))),
    with_fields(subsets={}),
    with_fields(builtins=None),
    with_fields(hidden={"old": (LockedShadow(layer="team", path="old.py", reason=Reason.DISABLED),)}),
    without_helper,
    naming_helper,
]
branches = st.lists(st.sampled_from(CHANGES), max_size=5).map(
    lambda changes: functools.reduce(lambda toolset, change: change(toolset), changes, TREE)
)
bases: st.SearchStrategy[Toolset | Missing] = st.sampled_from([TREE, TREE, lock.ABSENT, lock.UNKNOWN])
law = settings(max_examples=EXAMPLES, deadline=None)


@settings(max_examples=5, deadline=None)
@given(toolsets(), toolsets())
def test_a_side_that_changed_nothing_leaves_the_other(base: Toolset, side: Toolset) -> None:
    assert clean(base, base, side) == side
    assert clean(base, side, base) == side
    assert clean(base, side, side) == side
    assert clean(lock.UNKNOWN, side, side) == side


@law
@given(bases, branches, branches)
def test_the_sides_change_places_and_the_same_is_open(base: Toolset | Missing, one: Toolset, other: Toolset) -> None:
    there, back = merge(base, one, other), merge(base, other, one)

    assert [conflict.place for conflict in there.conflicts] == [conflict.place for conflict in back.conflicts]


@law
@given(bases, branches, branches)
def test_a_merge_is_a_lock_or_two_texts_spelled_as_one(base: Toolset | Missing, one: Toolset, other: Toolset) -> None:
    merged = merge(base, one, other)
    if merged.clean:
        assert lock.encode(lock.decode(merged.data)) == merged.data
        return
    sides = split(merged.data.decode())
    assert sides is not None
    for text in (sides.ours, sides.theirs):
        assert spell(json.loads(text)) == text


@law
@given(branches, branches)
def test_a_clean_merge_has_nothing_that_neither_side_has(one: Toolset, other: Toolset) -> None:
    merged = merge(TREE, one, other)
    if merged.clean:
        toolset = lock.decode(merged.data)
        for name in ("tools", "files", "subsets", "hidden", "python"):
            kept = getattr(toolset, name).keys()
            assert kept <= getattr(one, name).keys() | getattr(other, name).keys()
            assert kept >= getattr(one, name).keys() & getattr(other, name).keys()


@law
@given(branches, branches)
def test_a_project_that_gives_one_side_decides_everything(one: Toolset, other: Toolset) -> None:
    merged = merge(lock.UNKNOWN, one, other, now=one)

    assert merged.clean
    assert merged.data == lock.encode(one)


# -------------------------------------------------------------------------------------------------------- the parts


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        pytest.param("abc", "Abc", "abC", "AbC", id="apart"),
        pytest.param("abc", "Abc", "aBc", None, id="touching"),
        pytest.param("abc", "aXc", "aXc", "aXc", id="the-same"),
        pytest.param("abc", "ac", "abcd", "acd", id="removed-and-added"),
        pytest.param("", "x", "", "x", id="from-nothing"),
        pytest.param("abc", "xabc", "abcy", "xabcy", id="both-ends"),
        pytest.param("a" * 1001, "a" * 1001, "b", None, id="too-long-to-compare"),
    ],
)
def test_lines(base: str, ours: str, theirs: str, merged: str | None) -> None:
    assert merge_lines([*base], [*ours], [*theirs]) == (None if merged is None else [*merged])


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        pytest.param("ab", "axb", "ayb", "axyb", id="two-at-one-place"),
        pytest.param("ab", "ba", "abz", "baz", id="moved-and-added"),
        pytest.param("abc", "abc", "cab", "cab", id="theirs-moved"),
        pytest.param("abc", "bac", "acb", None, id="moved-differently"),
        pytest.param("abc", "bac", "bac", "bac", id="moved-alike"),
        pytest.param("", "xy", "yx", "xy", id="added-in-two-orders"),
    ],
)
def test_order(base: str, ours: str, theirs: str, merged: str | None) -> None:
    assert merge_order(base, ours, theirs) == (None if merged is None else [*merged])


def test_the_table_of_shapes_has_the_fields_of_a_lock_in_their_order() -> None:
    def check(shape: object, value: object) -> None:
        if isinstance(shape, Fields):
            assert isinstance(value, dict)
            assert [name for name in shape.fields if name in value] == [*value]
            for name in value:
                check(shape.fields[name], value[name])
        elif isinstance(shape, Named):
            assert isinstance(value, dict)
            for each in value.values():
                check(shape.each, each)

    check(LOCK, facts(ACME))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("<<<<<<< a\nx\n", 1, id="never-closed"),
        pytest.param("x\n=======\n", 2, id="never-opened"),
        pytest.param("<<<<<<< a\n<<<<<<< a\n", 2, id="opened-twice"),
        pytest.param("<<<<<<< a\n>>>>>>> b\n", 2, id="without-a-middle"),
        pytest.param("<<<<<<< a\n=======\n||||||| c\n", 3, id="a-base-too-late"),
    ],
)
def test_markers_that_no_merge_leaves(text: str, line: int) -> None:
    with pytest.raises(BrokenMarkers) as raised:
        split(text)
    assert raised.value.line == line


def test_markers_give_the_versions_back() -> None:
    two = split("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\nd\n")
    three = split("a\r\n<<<<<<< HEAD\r\nb\r\n||||||| x\r\n=======\r\nc\r\n>>>>>>> topic\r\n")

    assert two is not None
    assert three is not None
    assert (two.ours, two.theirs, two.base) == ("a\nb\nd\n", "a\nc\nd\n", None)
    assert (two.labels.ours, two.labels.theirs) == ("HEAD", "topic")
    assert (three.ours, three.theirs, three.base) == ("a\nb\n", "a\nc\n", "a\n")
    assert split("no markers\n") is None


# ------------------------------------------------------------------------------------------------------- the outline


@law
@given(branches, branches)
def test_the_outlines_of_two_locks_differ_exactly_where_the_locks_do(one: Toolset, other: Toolset) -> None:
    first, second = lock.encode(one), lock.encode(other)

    assert (outline(first) == outline(second)) == (first == second)
