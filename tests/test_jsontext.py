"""Strict JSON with places: what is read, what is refused, and where."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.jsontext import MAX_DEPTH, JsonError, Place, Pointer, parse
from toolc.model import Json

# What a UTF-8 file can hold.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def piece(text: str, place: Place) -> str:
    """The characters at a place."""
    line, column, end_line, end_column = place
    starts = [0]
    for row in text.split("\n"):
        starts.append(starts[-1] + len(row) + 1)
    return text[starts[line - 1] + column - 1 : starts[end_line - 1] + end_column - 1]


def parts(value: Json, pointer: Pointer = ()) -> list[tuple[Pointer, Json]]:
    """A value and everything in it."""
    found = [(pointer, value)]
    if isinstance(value, list):
        for index, item in enumerate(value):
            found += parts(item, (*pointer, index))
    elif isinstance(value, dict):
        for name, member in value.items():
            found += parts(member, (*pointer, name))
    return found


@given(VALUES, st.sampled_from([None, 0, 3]), st.booleans())
def test_what_the_standard_library_writes_is_read_as_it_was(value: Json, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text).value == json.loads(text) == value


@given(VALUES, st.sampled_from([None, 2]))
def test_the_text_at_the_place_of_a_value_is_that_value(value: Json, indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    document = parse(text)
    for pointer, part in parts(value):
        assert json.loads(piece(text, document.place(pointer))) == part
        if pointer and isinstance(pointer[-1], str):
            assert json.loads(piece(text, document.place(pointer, key=True))) == pointer[-1]


@given(TEXTS.filter(bool), st.booleans())
def test_the_text_at_the_place_of_a_character_is_that_character(value: str, ascii_only: bool) -> None:
    text = json.dumps({value: value}, ensure_ascii=ascii_only)
    document = parse(text)
    for key in (True, False):
        spelled = [piece(text, document.character((value,), index, key=key)) for index in range(len(value))]
        assert [json.loads(f'"{one}"') for one in spelled] == list(value)


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \n\\u/x', max_size=30))
def test_what_is_read_is_what_the_standard_library_reads(text: str) -> None:
    try:
        value = parse(text).value
    except JsonError:
        return
    assert value == json.loads(text)


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \n\\u/', max_size=30))
def test_only_what_is_stricter_here_is_refused(text: str) -> None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=once, parse_constant=lambda _: 1 / 0)
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, ArithmeticError, AssertionError):
        return
    assert parse(text).value == value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        pytest.param("", (1, 1, 1, 1), "the file is empty", id="empty"),
        pytest.param(" \n ", (2, 2, 2, 2), "the file is empty", id="blank"),
        pytest.param('{"a":\n [1', (2, 4, 2, 4), "the file ends inside what opens on line 2", id="cut off"),
        pytest.param('{"a" 1}', (1, 6, 1, 7), "a `:` is missing after `a`", id="no colon"),
        pytest.param('{"a": 1\n "b": 2}', (2, 2, 2, 3), "a `,` or `}` is missing here", id="no comma"),
        pytest.param("[1,\n]", (1, 3, 1, 4), "a comma stands before the closing `]`", id="comma at the end"),
        pytest.param(
            '{"a": 1,}', (1, 8, 1, 9), "a comma stands before the closing `}`", id="comma at the end of object"
        ),
        pytest.param("{a: 1}", (1, 2, 1, 3), "a name in double quotes is missing here", id="bare key"),
        pytest.param("{'a': 1}", (1, 2, 1, 3), "a string stands in single quotes", id="single quotes"),
        pytest.param("// x\n{}", (1, 1, 1, 5), "JSON has no comments", id="comment"),
        pytest.param("{} # x", (1, 4, 1, 7), "JSON has no comments", id="comment after the value"),
        pytest.param("{} {}", (1, 4, 1, 5), "something follows the end of the value", id="two values"),
        pytest.param('{"a": 1,\n "a": 2}', (2, 2, 2, 5), "`a` is there twice, first on line 1", id="key twice"),
        pytest.param('{"a": 1, "\\u0061": 2}', (1, 10, 1, 18), "`a` is there twice, first on line 1", id="key escaped"),
        pytest.param("[NaN]", (1, 2, 1, 5), "`NaN` is not a JSON value", id="NaN"),
        pytest.param("[-Infinity]", (1, 2, 1, 11), "`-Infinity` is not a JSON value", id="infinity"),
        pytest.param("[True]", (1, 2, 1, 6), "`True` is not a JSON value", id="Python's true"),
        pytest.param("[01]", (1, 2, 1, 4), "`01` is not a JSON value", id="leading zero"),
        pytest.param("[1.]", (1, 2, 1, 4), "`1.` is not a JSON value", id="no digit after the point"),
        pytest.param("[+1]", (1, 2, 1, 4), "`+1` is not a JSON value", id="plus sign"),
        pytest.param("[1e999]", (1, 2, 1, 7), "`1e999` is larger than a number can be", id="too large"),
        pytest.param("9" * 5000, (1, 1, 1, 5001), "a number has 5,000 digits, more than can be read", id="digits"),
        pytest.param(
            '"\\ud800"', (1, 1, 1, 9), "`\\u{d800}` is half of a surrogate pair, which is no character", id="surrogate"
        ),
        pytest.param('"a\\x"', (1, 3, 1, 5), "`\\x` is not an escape of JSON", id="escape"),
        pytest.param('"a\\u12"', (1, 3, 1, 5), "`\\u` is not an escape of JSON", id="short escape"),
        pytest.param('["a\n"]', (1, 2, 1, 4), "a string is not closed on its line", id="line break in a string"),
        pytest.param('"a\tb"', (1, 3, 1, 4), "a string has a bare control character", id="tab in a string"),
        pytest.param("\ufeff{}", (1, 1, 1, 2), "the file begins with a byte order mark", id="byte order mark"),
        pytest.param("[" * 200_000, (1, 65, 1, 66), "the nesting is deeper than 64 levels", id="deep lists"),
        pytest.param('{"a":' * 100_000, (1, 321, 1, 322), "the nesting is deeper than 64 levels", id="deep objects"),
    ],
)
def test_what_is_not_strict_json_is_refused_at_its_place(text: str, place: Place, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text)
    assert (caught.value.place, caught.value.message) == (place, message)


def test_a_text_as_deep_as_may_be_is_read() -> None:
    assert parse("[" * MAX_DEPTH + "]" * MAX_DEPTH).value


def test_an_unclosed_string_of_a_megabyte_is_refused_as_quickly_as_a_short_one() -> None:
    with pytest.raises(JsonError):
        parse('"' + 'a\\"' * 300_000)


@pytest.mark.parametrize(("text", "value"), [("-0", 0), ("1E2", 100.0), ("1e-999", 0.0), ('"\\ud83d\\ude00"', "😀")])
def test_unusual_spellings_are_read(text: str, value: Json) -> None:
    found = parse(text).value
    assert found == value and type(found) is type(value)
    assert not isinstance(found, float) or math.isfinite(found)


def test_a_pointer_that_leads_nowhere_has_the_place_of_its_last_part_that_is_there() -> None:
    document = parse('{"a": {"b": [1]}}')
    assert document.place(("a", "b", 7, "c")) == document.place(("a", "b"))
    assert document.place(("z",)) == document.place(()) == (1, 1, 1, 18)
    assert document.place(("a", "c"), key=True) == document.place(("a",))


def test_places_count_characters_and_not_bytes() -> None:
    assert parse('{"é😀": 1}').place(("é😀",)) == (1, 8, 1, 9)


def test_strings_come_in_reading_order_with_their_names() -> None:
    document = parse('{"a": ["x", {"b": "y"}], "c": 1}')
    assert list(document.strings()) == [
        (("a",), True, "a"),
        (("a", 0), False, "x"),
        (("a", 1, "b"), True, "b"),
        (("a", 1, "b"), False, "y"),
        (("c",), True, "c"),
    ]
