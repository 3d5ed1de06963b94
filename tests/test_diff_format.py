"""Rules T801 to T807: the lock itself, each in both directions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from diffing import HOME, one, said, side, toolset, verdicts
from toolc.diff import compare
from toolc.diff.lock_format import restated
from toolc.diff.model import Side
from toolc.lock import encode
from toolc.model import Origin, Schema
from toolsets import tool

LOCK = encode(one())
SCHEMAS: tuple[Schema, ...] = ({}, {"properties": {}})  # which accept the same


def spelled(lock: bytes) -> Side:
    """A side whose lock has other bytes than its facts give."""
    return replace(side(one()), lock=lock)


@pytest.mark.parametrize(
    ("lock", "there", "back"),
    [
        pytest.param(
            LOCK.replace(b'"lock_version": 1', b'"lock_version": 2'),
            ["T801 info/risky/info", "T802 info/info/info", "T804 info/breaking/info"],
            ["T801 info/risky/info", "T802 info/info/info"],
            id="another version",
        ),
        pytest.param(
            LOCK.replace(b"  ", b"    "),
            ["T802 info/info/info", "T804 info/breaking/info"],
            ["T802 info/info/info"],
            id="another indent",
        ),
        pytest.param(
            LOCK.replace(b'"host": "none",', b'"host": "none",\n  "later": 1,'),
            ["T802 info/info/info", "T803 info/risky/risky"],
            ["T802 info/info/info"],
            id="a key of a newer toolc",
        ),
        pytest.param(
            b"\xff{",
            ["T801 info/risky/info", "T802 info/info/info", "T804 info/breaking/info"],
            ["T801 info/risky/info", "T802 info/info/info"],
            id="bytes that are no lock",
        ),
    ],
)
def test_bytes_that_say_the_same_are_told(lock: bytes, there: list[str], back: list[str]) -> None:
    plain, other = side(one()), spelled(lock)
    assert sorted(said(finding) for finding in compare(plain, other).findings) == there
    assert sorted(said(finding) for finding in compare(other, plain).findings) == back


def test_a_feature_that_readers_must_know_may_shut_them_out() -> None:
    required = replace(one(), requires=("colour",))
    assert verdicts(one(), required) == ["T805 info/breaking/info"]
    assert verdicts(required, one()) == ["T805 info/info/info"]


def test_a_lock_that_was_not_there_is_its_tools_and_what_hides_in_them() -> None:
    of_home = tool("words", origin=Origin(layer=HOME.name, path="words.py"))
    held = replace(toolset(of_home), name="acme", host="aru", version="1")
    assert verdicts(None, held) == ["T101 safe/safe/info", "T601 info/breaking/breaking", "T806 info/info/info"]
    assert verdicts(held, None) == ["T102 breaking/breaking/info", "T807 info/breaking/info"]


def test_two_sides_without_a_lock_have_nothing_to_say() -> None:
    assert verdicts(None, None) == []


def test_a_lock_that_is_written_otherwise_is_said_to_be_where_nothing_else_is_said() -> None:
    plain, other = (side(one(input_schema=schema)) for schema in SCHEMAS)
    assert [said(finding) for finding in restated(plain, other)] == ["T802 info/info/info"]
    assert list(restated(plain, plain)) == []
    assert list(restated(side(None), other)) == []
