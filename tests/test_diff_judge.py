"""What a project makes of findings: who calls, other severities, acknowledgements, groups, order."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from diffing import diff, one, toolset
from toolc.config import read_acknowledgements
from toolc.diagnostics import Reporter, Span, Text
from toolc.diff import acks
from toolc.diff.grouping import groups
from toolc.diff.judge import judge
from toolc.diff.model import Consumer, Finding, Rule, Verdict, found
from toolc.diff.rules import CATALOGUE
from toolc.model import Acknowledgement, Level
from toolsets import tool

B, R, S, I = Verdict.BREAKING, Verdict.RISKY, Verdict.SAFE, Verdict.INFO  # noqa: E741  # as the columns of the tables


def finding(
    callers: Verdict, hosts: Verdict, security: Verdict, *, narrows: bool = False, guarded: bool = False
) -> Finding:
    rule = Rule(
        id="T900",
        name="rule",
        title="a rule",
        callers=callers,
        hosts=hosts,
        security=security,
        narrows=narrows,
        guarded=guarded,
        explanation="",
    )
    return found(rule, "/tools/words", "it changed", tool="words")


def judged(
    subject: Finding, *, consumer: Consumer = Consumer.PINNED, wanted: Verdict | None = None, allow: bool = False
) -> tuple[Verdict, Verdict, Verdict]:
    severities = {} if wanted is None else {"T900": wanted}
    (result,) = judge([subject], consumer=consumer, severities=severities, allow_downgrade=allow)
    return result.callers, result.hosts, result.security


@pytest.mark.parametrize(
    ("subject", "live"),
    [
        pytest.param(finding(B, I, I, narrows=True), (R, I, I), id="what narrows a schema is risky"),
        pytest.param(finding(B, B, B, narrows=True), (R, B, B), id="for callers alone"),
        pytest.param(finding(R, I, I, narrows=True), (R, I, I), id="what is risky stays so"),
        pytest.param(finding(B, I, I), (B, I, I), id="nothing else is demoted"),
    ],
)
def test_a_live_consumer_reads_the_schema_anew(subject: Finding, live: tuple[Verdict, Verdict, Verdict]) -> None:
    assert judged(subject, consumer=Consumer.LIVE) == live
    assert judged(subject) == (subject.callers, subject.hosts, subject.security)


@pytest.mark.parametrize("rule", [rule for rule in CATALOGUE.values() if rule.narrows], ids=lambda rule: rule.id)
def test_only_rules_of_schemas_narrow(rule: Rule) -> None:
    assert rule.id[1] == "2"


@pytest.mark.parametrize(
    ("subject", "wanted", "verdicts"),
    [
        pytest.param(finding(B, I, I), R, (R, I, I), id="down"),
        pytest.param(finding(B, R, B), R, (R, R, R), id="down from whatever is worse"),
        pytest.param(finding(B, S, R), I, (I, I, I), id="to nothing"),
        pytest.param(finding(I, I, I), B, (B, I, I), id="up"),
        pytest.param(finding(I, I, R), B, (B, I, R), id="up beside what is as it was"),
        pytest.param(finding(I, I, B), B, (I, I, B), id="to where it is"),
    ],
)
def test_a_project_sets_the_worst_verdict_of_a_rule(
    subject: Finding, wanted: Verdict, verdicts: tuple[Verdict, Verdict, Verdict]
) -> None:
    assert judged(subject, wanted=wanted) == verdicts


def test_a_guarded_rule_goes_down_only_where_that_is_said_twice() -> None:
    guarded = finding(S, I, B, guarded=True)
    assert judged(guarded, wanted=I) == (S, I, B)
    assert judged(guarded, wanted=I, allow=True) == (I, I, I)
    assert judged(finding(S, I, R, guarded=True), wanted=B) == (B, I, R)


def test_a_severity_of_the_project_counts_after_the_consumer() -> None:
    assert judged(finding(B, I, I, narrows=True), consumer=Consumer.LIVE, wanted=B) == (B, I, I)


# -------------------------------------------------------------------------------------------------- acknowledgements

CHANGED = diff(one(), one(permission=Level.ALLOW, timeout_s=30))
ALLOWED, LONGER = CHANGED.findings


def ack(subject: Finding, **changes: object) -> Acknowledgement:
    plain = Acknowledgement(
        fingerprint=subject.fingerprint,
        rule=subject.rule.id,
        tool=subject.tool,
        reason="agreed",
        by="ada",
        span=Span(Text("toolset.acks.toml")),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "counts", "stale", "expired"),
    [
        pytest.param(ack(ALLOWED), True, False, False, id="it counts"),
        pytest.param(ack(ALLOWED, fingerprint="0" * 12), False, True, False, id="of no finding"),
        pytest.param(ack(ALLOWED, rule="T510"), False, True, False, id="it says another rule"),
        pytest.param(ack(ALLOWED, tool="other"), False, True, False, id="it says another tool"),
        pytest.param(ack(ALLOWED, expires=date(2027, 1, 31)), True, False, False, id="on its last day"),
        pytest.param(ack(ALLOWED, expires=date(2027, 1, 30)), False, False, True, id="a day later"),
    ],
)
def test_an_acknowledgement_is_of_one_change(given: Acknowledgement, counts: bool, stale: bool, expired: bool) -> None:
    applied = acks.apply([given], CHANGED.findings, today=date(2027, 1, 31))
    assert applied.reasons == ({ALLOWED.fingerprint: "agreed"} if counts else {})
    assert applied.stale == ((given.fingerprint,) if stale else ())
    assert applied.expired == ((given.fingerprint,) if expired else ())


def test_without_a_day_nothing_has_expired() -> None:
    assert acks.apply([ack(ALLOWED, expires=date(2000, 1, 1))], CHANGED.findings, today=None).reasons


def test_a_diff_carries_what_became_of_its_acknowledgements() -> None:
    given = [ack(ALLOWED), ack(LONGER, fingerprint="0" * 12)]
    found = diff(one(), one(permission=Level.ALLOW, timeout_s=30), acknowledgements=given)
    assert (found.acknowledged, found.stale, found.expired) == ({ALLOWED.fingerprint: "agreed"}, ("0" * 12,), ())


def test_an_acknowledgement_survives_other_words_and_another_verdict_but_no_other_value() -> None:
    same = replace(ALLOWED, message="in other words", notes=("more",), callers=Verdict.BREAKING)
    assert same.fingerprint == ALLOWED.fingerprint
    assert replace(ALLOWED, new="deny").fingerprint != ALLOWED.fingerprint
    assert replace(ALLOWED, new=None).fingerprint != replace(ALLOWED, new="").fingerprint


def test_the_lines_that_are_shown_acknowledge_the_finding(tmp_path: Path) -> None:
    of_the_toolset = diff(one(), replace(one(), name='a "b"')).findings[0]
    lines = "".join(acks.block(each, reason='so "be"\nit', by="ada") for each in (ALLOWED, of_the_toolset))
    assert len(tomllib.loads(lines)["ack"]) == 2
    (tmp_path / "toolset.acks.toml").write_text(lines)
    reporter = Reporter()
    read = read_acknowledgements(tmp_path, reporter)
    assert reporter.diagnostics == ()
    assert set(acks.apply(read, [ALLOWED, of_the_toolset], today=None).reasons) == {
        ALLOWED.fingerprint,
        of_the_toolset.fingerprint,
    }


def test_a_day_may_be_written_with_and_without_quotes(tmp_path: Path) -> None:
    plain = 'rule = "T301"\nreason = "r"\nby = "b"\n'
    (tmp_path / "toolset.acks.toml").write_text(
        f'[[ack]]\nfingerprint = "{"0" * 12}"\nexpires = 2027-01-31\n{plain}'
        f'[[ack]]\nfingerprint = "{"1" * 12}"\nexpires = "2027-01-31"\n{plain}'
    )
    read = read_acknowledgements(tmp_path, Reporter())
    assert [each.expires for each in read] == [date(2027, 1, 31)] * 2


def test_one_that_is_wrong_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    (tmp_path / "toolset.acks.toml").write_text(
        f'[[ack]]\nfingerprint = "{"0" * 12}"\nrule = "T301"\nreason = "r"\nby = "b"\n[[ack]]\nfingerprint = 1\n'
    )
    reporter = Reporter()
    assert [each.fingerprint for each in read_acknowledgements(tmp_path, reporter)] == ["0" * 12]
    assert reporter.has_errors


def test_a_project_without_acknowledgements_has_none(tmp_path: Path) -> None:
    assert read_acknowledgements(tmp_path, Reporter()) == ()


# ------------------------------------------------------------------------------------------------- groups and order


def test_findings_stand_by_tool_then_gravity_rule_and_place() -> None:
    before = toolset(tool("a"), tool("b"))
    after = replace(toolset(tool("b", timeout_s=30, permission=Level.ALLOW), tool("a", timeout_s=20)), version="2")
    assert [(each.tool, each.rule.id) for each in diff(before, after).findings] == [
        (None, "T110"),
        ("a", "T509"),
        ("b", "T403"),
        ("b", "T510"),
    ]


def test_a_group_holds_what_is_one_change_and_only_that() -> None:
    before = toolset(tool("a"), tool("b"), tool("c"), tool("d"))
    after = toolset(tool("a", timeout_s=30), tool("b", timeout_s=30), tool("c", timeout_s=40), tool("d", timeout_s=30))
    found = diff(before, after)
    assert [group.tools for group in groups(found)] == [("a", "b", "d"), ("c",)]
    acknowledged = replace(found, acknowledged={found.findings[0].fingerprint: "agreed"})
    assert [group.tools for group in groups(acknowledged)] == [("a",), ("b", "d"), ("c",)]
