"""TOML with places: every value and key of a text is found where it stands, in whichever way TOML lets one write it."""

from __future__ import annotations

import string
import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import example, given
from hypothesis import strategies as st

from toolc.config.toml_places import WHOLE_FILE, Document, Place, Pointer, TomlError, parse

TEXT = '''\
# a comment = 1
title = "x"   # "another" = 'one'
[tools.deploy]
timeout = 5
include = ["a", 'b', # why
  """c
""""",
  1979-05-27 07:32:00 ]
"quoted.key" . 'and"more' = { inner.deep = [ [ 1, { a = '' } ], true ], "w\\u0041" = -0.5e3 }
[[layers]]
name = "first"
[[layers]]
name = "second"
[layers.more]
z = \'\'\'
it's\'\'\'
[[layers.more.inner]]
[[layers.more.inner]]
ok = inf
[ "with space" . "#]" ]
t=07:32:00'''


def covered(text: str, place: Place) -> str:
    """The text at a place."""
    line, column, end_line, end_column = place
    lines = text.split("\n")[line - 1 : end_line]
    lines[-1] = lines[-1][: end_column - 1]
    lines[0] = lines[0][column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("pointer", "value", "key"),
    [
        pytest.param(("title",), '"x"', "title", id="bare"),
        pytest.param(("tools",), "tools", "tools", id="table-that-is-only-implied"),
        pytest.param(("tools", "deploy"), "[tools.deploy]", "deploy", id="table"),
        pytest.param(("tools", "deploy", "timeout"), "5", "timeout", id="in-a-table"),
        pytest.param(("tools", "deploy", "include", 1), "'b'", "'b'", id="item"),
        pytest.param(("tools", "deploy", "include", 2), '"""c\n"""""', '"""c\n"""""', id="multi-line-string"),
        pytest.param(("tools", "deploy", "include", 3), "1979-05-27 07:32:00", "1979-05-27 07:32:00", id="date"),
        pytest.param(("tools", "deploy", "quoted.key"), '"quoted.key"', '"quoted.key"', id="dotted-key-first-part"),
        pytest.param(
            ("tools", "deploy", "quoted.key", 'and"more', "inner", "deep", 0, 1, "a"), "''", "a", id="inline-table"
        ),
        pytest.param(("tools", "deploy", "quoted.key", 'and"more', "inner", "deep", 1), "true", "true", id="boolean"),
        pytest.param(("tools", "deploy", "quoted.key", 'and"more', "wA"), "-0.5e3", '"w\\u0041"', id="escaped-key"),
        pytest.param(("layers", 0), "[[layers]]", "layers", id="array-of-tables"),
        pytest.param(("layers", 1, "name"), '"second"', "name", id="in-an-array-of-tables"),
        pytest.param(("layers", 1, "more"), "[layers.more]", "more", id="table-in-an-array-of-tables"),
        pytest.param(("layers", 1, "more", "z"), "'''\nit's'''", "z", id="literal-multi-line-string"),
        pytest.param(("layers", 1, "more", "inner", 1, "ok"), "inf", "ok", id="array-of-tables-in-one"),
        pytest.param(("with space", "#]", "t"), "07:32:00", "t", id="at-the-end-without-a-line-break"),
    ],
)
def test_a_value_and_its_key_are_found(pointer: Pointer, value: str, key: str) -> None:
    document = parse(TEXT)
    assert covered(TEXT, document.place(pointer)) == value
    assert covered(TEXT, document.place(pointer, key=True)) == key


def test_the_place_of_what_is_not_there_is_the_table_it_would_be_in() -> None:
    document = parse(TEXT)
    assert document.place(("layers", 0, "path")) == document.place(("layers", 0))
    assert document.place(("tools", "deploy", "x", "y"), key=True) == document.place(("tools", "deploy"), key=True)
    assert document.place(("nothing",)) == document.place(()) == WHOLE_FILE


def pointers(value: object, here: Pointer = ()) -> list[tuple[Pointer, object]]:
    """Every value below another, with its pointer."""
    found = [] if here == () else [(here, value)]
    members: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        members = list(value.items())
    elif isinstance(value, list):
        members = list(enumerate(value))
    return found + [inner for key, member in members for inner in pointers(member, (*here, key))]


def stands(text: str, document: Document, pointer: Pointer, value: object) -> bool:
    """Whether the text at the place of a pointer, read alone, is the value."""
    spelled = covered(text, document.place(pointer))
    return bool(tomllib.loads(f"it = {spelled}")["it"] == value)


def test_every_leaf_of_the_sample_stands_where_it_is_said_to() -> None:
    document = parse(TEXT)
    leaves = [(pointer, value) for pointer, value in pointers(document.value) if not isinstance(value, dict)]
    leaves = [(pointer, value) for pointer, value in leaves if pointer in document.values and value != float("inf")]
    assert len(leaves) > 15
    for pointer, value in leaves:
        assert stands(TEXT, document, pointer, value), pointer


keys = st.text(string.ascii_letters + "-_.\"'# =[]é\n", max_size=6)
leaves = st.one_of(st.text(max_size=8), st.integers(-(2**40), 2**40), st.booleans(), st.dates())
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3))


@given(st.dictionaries(keys, values, max_size=5))
@example({"a": [{"b": [{"c": 1}, {"c": 2}]}, {"b": []}]})
def test_every_leaf_of_any_document_stands_where_it_is_said_to(data: dict[str, Any]) -> None:
    text = tomli_w.dumps(data).replace("\r\n", "\n")
    document = parse(text)
    assert document.value == data
    for pointer, value in pointers(data):
        if not isinstance(value, dict | list):
            assert stands(text, document, pointer, value)
        assert covered(text, document.place(pointer, key=True)) != ""


@given(st.text("ab.=[]{}\"'#,1 \n\\\t\u00e9", max_size=40))
def test_any_text_is_read_or_refused_as_tomllib_does(text: str) -> None:
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(TomlError):
            parse(text)
    else:
        assert parse(text).value == value
