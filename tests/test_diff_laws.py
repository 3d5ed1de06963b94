"""Laws of a diff: nothing is silent, equal locks say nothing, the rules are whole and known to the config."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diffing import side
from test_lock import ACME
from toolc import lock, resources
from toolc.diff import compare
from toolc.diff.model import Diff, Rule, Verdict
from toolc.diff.rules import CATALOGUE
from toolc.lock import LockError
from toolc.lock.write import facts, spell
from toolc.model import Mode, PythonEntry, Toolset

FACTS = facts(ACME)
PER_PLACE = 5
EXAMPLES = int(os.environ.get("TOOLC_DIFF_EXAMPLES", "60"))

# Words that a field of few words could have instead, and what else may stand where a text, name or path stands.
_WORDS = ("allow", "ask", "deny", "worker", "inprocess", "declared", "inherit", "kill", "keep", "project", "vendored")
_MORE_WORDS = ("user", "outside", "syntax", "import", "protect", "explicit", "replace", "builtin", "disabled")
_KINDS = ("positional", "keyword", "*", "**", f"sha256:{'e' * 64}", f"sha256:{'e' * 64} x")
_NAMES = ("local", "team", "search", "run-linter", "search.py", "tools/team/run-linter/lint")


def places(value: Any, here: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value of the lock, each schema as one."""
    yield here, value
    if here[2:3] in (("input_schema",), ("output_schema",)):
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*here, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*here, index))


def others(value: Any) -> Iterator[Any]:
    """What could stand in place of a value."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value / 2)
        case str():
            yield from (f"{value}x", *_WORDS, *_MORE_WORDS, *_KINDS, *_NAMES)
        case list():
            yield from ([*value, "A"], value[1:], value[:-1], value[::-1], [])
            yield from ([*value, {**item, key: "other"}] for item in value if isinstance(item, dict) for key in item)
        case dict():
            yield {**value, "extra": "x"}
            yield from ({key: item for key, item in value.items() if key != gone} for gone in value)


def changed(place: tuple[str | int, ...], value: Any) -> Toolset | None:
    """The toolset with one value exchanged; None where that is no lock."""
    lock_facts: Any = copy.deepcopy(FACTS)
    if not place:
        return None
    inner = lock_facts
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    try:
        return lock.decode(spell(lock_facts).encode())
    except LockError:
        return None


def changes() -> list[tuple[str, Toolset]]:
    found = {}
    for place, value in places(FACTS):
        toolsets = (changed(place, other) for other in others(value))
        valid = (each for each in toolsets if each is not None and lock.encode(each) != lock.encode(ACME))
        for number, toolset in enumerate(islice(valid, PER_PLACE)):
            found[f"{'/'.join(map(str, place))} #{number}"] = toolset
    return sorted(found.items())


CHANGES = changes()


def whole(old: Toolset, new: Toolset) -> Diff:
    return compare(side(old), side(new))


def test_there_are_changes_of_every_part_of_a_lock() -> None:
    parts = {re.sub(r"/(search|run-linter)/", "/*/", label.partition(" ")[0]) for label, _ in CHANGES}
    assert len(CHANGES) > 150
    assert {"toolset", "version", "host", "layers/0/path", "builtins/policy", "subsets/reviewer", "hidden"} <= parts
    assert {f"tools/*/{key}" for key in ("annotations", "permission", "execution", "sources")} <= parts
    assert {f"tools/*/execution/{key}" for key in ("env", "timeout_s", "background", "argv")} <= parts
    searches = [toolset.tools["search"] for _, toolset in CHANGES if "search" in toolset.tools]
    assert any(each.mode is Mode.WORKER for each in searches)
    assert any(isinstance(each.entry, PythonEntry) and not each.entry.is_async for each in searches)
    assert {"tools/*/origin/shadows", "layers", "python/default/requires_python", "python/default/packages"} <= parts


@pytest.mark.parametrize("direction", ["there", "back"])
def test_no_change_of_a_fact_is_silent(direction: str) -> None:
    silent = []
    for label, toolset in CHANGES:
        sides = (ACME, toolset) if direction == "there" else (toolset, ACME)
        if not whole(*sides).findings:
            silent.append(label)
    assert silent == []


@pytest.mark.parametrize("toolset", [toolset for _, toolset in CHANGES[::10]])
def test_a_lock_does_not_differ_from_itself(toolset: Toolset) -> None:
    found = whole(toolset, lock.decode(lock.encode(toolset)))
    assert (found.findings, found.stale) == ((), ())


@given(st.sampled_from(CHANGES), st.sampled_from(CHANGES))
@settings(max_examples=EXAMPLES, deadline=None)
def test_two_locks_differ_in_both_directions_or_in_none(one: tuple[str, Toolset], other: tuple[str, Toolset]) -> None:
    there, back = whole(one[1], other[1]).findings, whole(other[1], one[1]).findings
    assert bool(there) == bool(back) == (lock.encode(one[1]) != lock.encode(other[1]))
    for came, went in (("T101", "T102"), ("T102", "T101"), ("T806", "T807")):
        assert {found.tool for found in there if found.rule.id == came} == {
            found.tool for found in back if found.rule.id == went
        }
    assert len({found.fingerprint for found in there}) == len(there)
    assert whole(one[1], other[1]).findings == there


# ------------------------------------------------------------------------------------------------------------- rules


@pytest.mark.parametrize("rule", CATALOGUE.values(), ids=lambda rule: rule.id)
def test_a_rule_says_what_it_is_and_teaches(rule: Rule) -> None:
    assert re.fullmatch(r"T[0-9]{3}", rule.id)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert not rule.title.endswith(".")
    assert rule.explanation.endswith("\n") and len(rule.explanation) > 60
    assert not rule.guarded or rule.security is Verdict.BREAKING


def test_no_two_rules_have_one_id_or_name() -> None:
    assert len({rule.name for rule in CATALOGUE.values()}) == len(CATALOGUE)


def test_the_config_knows_the_rules_and_which_are_guarded() -> None:
    schema: Any = resources.schema("toolc")
    known = schema["$defs"]["rule-id"]["enum"]
    assert known == sorted(set(known))
    assert set(CATALOGUE) <= set(known)
    assert [rule for rule in known if rule not in CATALOGUE and rule[1] != "2"] == []
    guarded = schema["properties"]["diff"]["then"]["properties"]["severity"]["properties"]
    assert sorted(guarded) == sorted(rule.id for rule in CATALOGUE.values() if rule.guarded)


def test_every_rule_stands_in_a_table_of_these_tests() -> None:
    texts = "".join(path.read_text() for path in Path(__file__).parent.glob("test_diff_*.py"))
    ours = {rule for rule in CATALOGUE if not rule.startswith("T2")}
    assert sorted(rule for rule in ours if not re.search(rf"{rule} [a-z]+/[a-z]+/[a-z]+|\"{rule}\"", texts)) == []
