"""Each type of the standard library is made of what JSON has for it, wherever in a schema it lies, and spelled back."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from converting import converted, plan
from toolc_runtime import quick
from toolc_runtime.formats import FORMATS
from toolc_runtime.lockfile import CONVERSIONS
from toolc_runtime.plain import scalar
from toolc_runtime.standard import STANDARD, Refused

TEXT = {"type": "string"}
NULL = {"type": "null"}

# ---- the types of the standard library

STANDARD_VALUES = [
    pytest.param("date", "2024-01-05", "datetime.date(2024, 1, 5)", id="date"),
    pytest.param("datetime", "2024-01-05T10:00:00", "datetime.datetime(2024, 1, 5, 10, 0)", id="datetime-naive"),
    pytest.param(
        "datetime",
        "2024-01-05T10:00:00Z",
        "datetime.datetime(2024, 1, 5, 10, 0, tzinfo=datetime.timezone.utc)",
        id="datetime-z",
    ),
    pytest.param(
        "datetime",
        "2024-01-05t10:00:00z",
        "datetime.datetime(2024, 1, 5, 10, 0, tzinfo=datetime.timezone.utc)",
        id="datetime-lower-case",
    ),
    pytest.param("datetime", "2024-01-05 10:00:00", "datetime.datetime(2024, 1, 5, 10, 0)", id="datetime-with-a-space"),
    pytest.param(
        "datetime",
        "2024-01-05T10:00:00.123456789",
        "datetime.datetime(2024, 1, 5, 10, 0, 0, 123456)",
        id="datetime-in-nanoseconds",
    ),
    pytest.param(
        "datetime",
        "2024-01-05T10:00:00-01:30",
        "datetime.datetime(2024, 1, 5, 10, 0, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=81000)))",
        id="datetime-with-an-offset",
    ),
    pytest.param("time", "10:30:00", "datetime.time(10, 30)", id="time"),
    pytest.param("time", "10:30:00Z", "datetime.time(10, 30, tzinfo=datetime.timezone.utc)", id="time-z"),
    pytest.param("timedelta", "PT90S", "datetime.timedelta(seconds=90)", id="seconds"),
    pytest.param(
        "timedelta", "P1DT2H3M4.5S", "datetime.timedelta(days=1, seconds=7384, microseconds=500000)", id="all"
    ),
    pytest.param("timedelta", "-P2W", "datetime.timedelta(days=-14)", id="negative-weeks"),
    pytest.param("timedelta", "PT5M", "datetime.timedelta(seconds=300)", id="minutes-are-not-months"),
    pytest.param("timedelta", "P0Y0M1D", "datetime.timedelta(days=1)", id="no-years"),
    pytest.param(
        "uuid",
        "12345678-1234-5678-1234-567812345678",
        "UUID('12345678-1234-5678-1234-567812345678')",
        id="uuid",
    ),
    pytest.param("decimal", "12.50", "Decimal('12.50')", id="decimal-text-keeps-its-zeros"),
    pytest.param("decimal", 0.1, "Decimal('0.1')", id="decimal-of-a-float-is-what-was-written"),
    pytest.param("decimal", 10**30, f"Decimal('{10**30}')", id="decimal-of-a-long-integer"),
    pytest.param("decimal", "-1e-3", "Decimal('-0.001')", id="decimal-with-exponent"),
    pytest.param("float", 3, "3.0", id="float-of-a-whole-number"),
    pytest.param("int", "-12", "-12", id="integer-of-a-name"),
    pytest.param("complex", "1+2j", "(1+2j)", id="complex"),
    pytest.param("path", "a/../b", "PosixPath('a/../b')", id="path"),
    pytest.param("purepath", "a", "PurePosixPath('a')", id="purepath"),
    pytest.param("bytes", "aGk=", "b'hi'", id="bytes"),
    pytest.param("bytes", "", "b''", id="no-bytes"),
    pytest.param("ipv4", "127.0.0.1", "IPv4Address('127.0.0.1')", id="ipv4"),
    pytest.param("ipv6", "::1", "IPv6Address('::1')", id="ipv6"),
    pytest.param("ipv4-network", "10.0.0.0/8", "IPv4Network('10.0.0.0/8')", id="ipv4-network"),
    pytest.param("ipv6-network", "2001:db8::/32", "IPv6Network('2001:db8::/32')", id="ipv6-network"),
    pytest.param("regex", "a+", "re.compile('a+')", id="regex"),
    pytest.param("set", [1], "{1}", id="set"),
    pytest.param("frozenset", ["a"], "frozenset({'a'})", id="frozenset"),
    pytest.param("tuple", [1, "a"], "(1, 'a')", id="tuple"),
    pytest.param("deque", [1, 2], "deque([1, 2])", id="deque"),
]


@pytest.mark.parametrize(("kind", "value", "made"), STANDARD_VALUES)
def test_a_value_arrives_as_the_type_that_is_declared(kind: str, value: object, made: str) -> None:
    assert repr(converted({}, {"": kind}, value)) == made


def test_every_kind_that_a_lock_may_name_is_one_that_is_made_and_tried() -> None:
    assert CONVERSIONS == STANDARD.keys() == {case.values[0] for case in STANDARD_VALUES}


def test_a_format_that_is_asserted_is_not_waved_through() -> None:
    assert FORMATS.keys() - {"base64"} == quick.ASSERTED  # a `contentEncoding`, at which it stops anyway
    schema: dict[str, Any] = {"type": "object", "properties": {"x": {"type": "string", "format": "date"}}}
    assert not quick.surely_good(schema, {"x": "2024-01-05"})
    assert quick.surely_good({"properties": {"x": {"type": "string", "format": "path"}}}, {"x": "a"})


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        pytest.param("date", "2024-02-30", "'2024-02-30' is not a date such as 2024-01-31", id="no-such-day"),
        pytest.param("date", "20240105", "'20240105' is not a date", id="a-form-of-newer-pythons"),
        pytest.param("date", "2024-01-05\n", "is not a date", id="a-line-break"),
        pytest.param("datetime", "2024-13-01T00:00:00Z", "is not a date and time", id="no-such-month"),
        pytest.param("time", "25:00:00", "is not a time", id="no-such-hour"),
        pytest.param("timedelta", "90", "'90' is not an ISO 8601 duration such as PT90S", id="a-bare-number"),
        pytest.param("timedelta", "P1M", "has years or months, which differ in length", id="a-month"),
        pytest.param("timedelta", "P9999999999D", "is longer than a duration can be", id="a-very-long-time"),
        pytest.param("uuid", "1234", "'1234' is not a UUID", id="uuid"),
        pytest.param("decimal", "NaN", "'NaN' is not a decimal number such as 12.50", id="nan"),
        pytest.param("decimal", "1_000", "is not a decimal number", id="underscore"),
        pytest.param("decimal", "\N{ARABIC-INDIC DIGIT ONE}", "is not a decimal number", id="digits-of-another-script"),
        pytest.param("decimal", "9" * 5000, "is not a decimal number", id="too-many-digits"),
        pytest.param("decimal", f"1e{'9' * 30}", "is not a decimal number", id="an-exponent-beyond-bounds"),
        pytest.param("float", 10**400, "a very large integer is too large for a floating-point number", id="float"),
        pytest.param("int", "1_000", "'1_000' is not an integer", id="integer-with-an-underscore"),
        pytest.param("complex", "i", "'i' is not a complex number such as 1+2j", id="complex"),
        pytest.param("path", "a\0b", "has a NUL character, which no path can have", id="nul"),
        pytest.param("bytes", "h!", "'h!' is not base64", id="base64"),
        pytest.param("bytes", "aGk", "'aGk' is not base64", id="base64-without-padding"),
        pytest.param("bytes", "ä===", "is not base64", id="base64-beyond-ascii"),
        pytest.param("ipv4", "1.2.3", "'1.2.3' is not an IPv4 address", id="ipv4"),
        pytest.param("ipv6", "fe80::1%eth0", "is not an IPv6 address", id="ipv6-with-a-zone"),
        pytest.param("ipv4-network", "10.1.0.0/8", "the network of that address is 10.0.0.0/8", id="host-bits"),
        pytest.param("ipv6-network", "x", "'x' is not an IPv6 network such as 2001:db8::/32", id="ipv6-network"),
        pytest.param("regex", "(", "'(' is not a regular expression of Python: missing )", id="regex"),
        pytest.param("set", [[1]], "has an item that cannot be a member of a set", id="a-set-of-lists"),
    ],
)
def test_a_value_that_cannot_be_made_is_a_problem_in_words(kind: str, value: object, words: str) -> None:
    (problem,) = converted({}, {"": kind}, value)
    assert problem.startswith("x: ")
    assert words in problem


def test_a_secret_is_not_repeated_in_a_problem() -> None:
    with pytest.raises(Refused) as caught:
        STANDARD["decimal"]("sk-live-0123456789")
    assert "0123456789" not in str(caught.value.problems)


# ---- where in a schema

DATE = {"type": "string", "format": "date"}
DAY = "datetime.date(2024, 1, 5)"
TREE = {
    "type": "object",
    "properties": {"at": DATE, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
}


@pytest.mark.parametrize(
    ("schema", "conversions", "value", "made"),
    [
        pytest.param({"type": "array", "items": DATE}, {"/items": "date"}, ["2024-01-05"], f"[{DAY}]", id="items"),
        pytest.param(
            {"type": "array", "items": DATE},
            {"": "frozenset", "/items": "date"},
            ["2024-01-05", "2024-01-05"],
            f"frozenset({{{DAY}}})",
            id="children-before-what-holds-them",
        ),
        pytest.param(
            {"type": "array", "prefixItems": [DATE, TEXT], "items": DATE},
            {"": "tuple", "/prefixItems/0": "date", "/items": "date"},
            ["2024-01-05", "2024-01-05", "2024-01-05"],
            f"({DAY}, '2024-01-05', {DAY})",
            id="prefix-items-and-the-rest",
        ),
        pytest.param(
            {"type": "object", "properties": {"a/b~": DATE}},
            {"/properties/a~1b~0": "date"},
            {"a/b~": "2024-01-05", "other": "2024-01-05"},
            f"{{'a/b~': {DAY}, 'other': '2024-01-05'}}",
            id="a-name-that-a-pointer-escapes",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": DATE},
            {"/additionalProperties": "date"},
            {"a": "2024-01-05"},
            f"{{'a': {DAY}}}",
            id="additional-properties",
        ),
        pytest.param(
            {"type": "object", "propertyNames": DATE, "additionalProperties": DATE},
            {"/propertyNames": "date", "/additionalProperties": "date"},
            {"2024-01-05": "2024-01-05"},
            f"{{{DAY}: {DAY}}}",
            id="names",
        ),
        pytest.param({"anyOf": [DATE, NULL]}, {"/anyOf/0": "date"}, "2024-01-05", DAY, id="optional"),
        pytest.param({"anyOf": [DATE, NULL]}, {"/anyOf/0": "date"}, None, "None", id="optional-and-null"),
        pytest.param(
            {"anyOf": [DATE, TEXT]}, {"/anyOf/0": "date"}, "tomorrow", "'tomorrow'", id="the-branch-that-accepts"
        ),
        pytest.param(
            {"anyOf": [TEXT, DATE]}, {"/anyOf/1": "date"}, "2024-01-05", "'2024-01-05'", id="the-first-of-two"
        ),
        pytest.param(
            {"anyOf": [DATE, {"type": "array", "items": DATE}]},
            {"/anyOf/0": "date", "/anyOf/1/items": "date"},
            ["2024-01-05"],
            f"[{DAY}]",
            id="branches-of-two-types",
        ),
        pytest.param(
            {"anyOf": [{"type": "number"}, TEXT]}, {"": "decimal"}, 1.5, "Decimal('1.5')", id="a-union-as-a-whole"
        ),
        pytest.param(
            {"$ref": "#/$defs/Tree"},
            {"/$defs/Tree/properties/at": "date", "/$defs/Tree/properties/children": "tuple"},
            {"at": "2024-01-05", "children": [{"children": [{"at": "2024-01-05"}]}]},
            f"{{'at': {DAY}, 'children': ({{'children': ({{'at': {DAY}}},)}},)}}",
            id="a-schema-that-refers-to-itself",
        ),
    ],
)
def test_a_conversion_is_found_wherever_it_lies(
    schema: dict[str, Any], conversions: dict[str, str], value: object, made: str
) -> None:
    before = json.dumps(value)
    assert repr(converted(schema, conversions, value, {"Tree": TREE})) == made
    assert json.dumps(value) == before, "the value that was given stays as it is"


def test_only_the_arguments_that_came_are_converted() -> None:
    schema = {"type": "object", "properties": {"x": DATE, "y": TEXT}}
    arguments = {"y": "a"}
    assert plan(schema, {"/properties/x": "date"}).carry_out(arguments) == ({"y": "a"}, [])


def test_what_has_no_conversion_below_is_passed_on_as_it_is() -> None:
    schema = {"type": "object", "properties": {"x": DATE, "y": {"type": "array", "items": TEXT}}}
    arguments: dict[str, Any] = {"x": "2024-01-05", "y": ["a"]}
    made, _ = plan(schema, {"/properties/x": "date"}).carry_out(arguments)
    assert made["y"] is arguments["y"]


def test_every_problem_is_told_at_its_place_and_the_first_thirty_of_many() -> None:
    bad = converted({"type": "array", "items": TEXT}, {"/items": "uuid"}, ["a"] * 40)
    assert bad[0] == "x[0]: 'a' is not a UUID"
    assert len(bad) == 31
    assert bad[-1] == "and 10 more problems"


def test_two_names_that_become_one_are_a_problem() -> None:
    schema = {"type": "object", "propertyNames": TEXT}
    names = {"12345678-1234-5678-1234-56781234567a": 1, "12345678-1234-5678-1234-56781234567A": 2}
    (problem,) = converted(schema, {"/propertyNames": "uuid"}, names)
    assert problem.endswith(": is the same as a name before it")


def test_a_problem_below_keeps_what_holds_it_from_being_made() -> None:
    schema = {"type": "array", "items": {"type": "array"}}
    assert converted(schema, {"": "set", "/items": "uuid"}, ["a"]) == ["x[0]: 'a' is not a UUID"]


# ---- what comes back


@pytest.mark.parametrize(
    ("kind", "value", "spelled"),
    [
        pytest.param("date", date(2024, 1, 5), "2024-01-05", id="date"),
        pytest.param("datetime", datetime(2024, 1, 5, 10, tzinfo=UTC), "2024-01-05T10:00:00+00:00", id="datetime"),
        pytest.param("time", time(10, 30), "10:30:00", id="time"),
        pytest.param("timedelta", timedelta(days=1, hours=2, minutes=3, seconds=4.5), "P1DT2H3M4.5S", id="timedelta"),
        pytest.param("timedelta", timedelta(days=-14), "-P14D", id="negative-timedelta"),
        pytest.param("timedelta", timedelta.max, "P999999999DT23H59M59.999999S", id="the-longest-timedelta"),
        pytest.param("timedelta", timedelta(), "PT0S", id="no-time"),
        pytest.param("bytes", b"hi", "aGk=", id="bytes"),
        pytest.param("regex", re.compile("a+"), "a+", id="regex"),
    ],
)
def test_a_value_is_spelled_as_it_would_be_given(kind: str, value: object, spelled: str) -> None:
    assert scalar(value) == spelled
    assert STANDARD[kind](spelled) == value
