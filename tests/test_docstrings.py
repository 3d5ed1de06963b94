"""Docstrings are taken apart: the description for the model, and what is said of each parameter."""

from __future__ import annotations

from pathlib import Path

import pytest

from python_layer import compile_text
from toolc.parse.docstrings import clean, parse

STYLES = {
    "google": """Sum two.

    Args:
        a (int): First,
            continued.
        b: Second.

    Returns:
        x
    """,
    "google-without-a-blank-line": """Sum two.
    Args:
        a (int): First,
            continued.
        b: Second.
    """,
    "google-at-the-margin": """Sum two.

    Args:
    a (int): First,
      continued.
    b: Second.
    """,
    "google-with-bullets": """Sum two.

    Arguments:
      - a (int): First,
        continued.
      - b: Second.
    """,
    "google-with-dashes": """Sum two.

    Params:
        a (int) - First,
            continued.
        b -- Second.
    """,
    "google-in-two-sections": """Sum two.

    Args:
        a (int): First,
            continued.

    Keyword Args:
        b: Second.
    """,
    "numpy": """Sum two.

    Parameters
    ----------
    a : int
        First,
        continued.
    b
        Second.

    Returns
    -------
    int
    """,
    "numpy-in-two-sections": """Sum two.

    Parameters
    ----------
    a : int
        First,
        continued.

    Other Parameters
    ----------------
    b
        Second.
    """,
    "sphinx": """Sum two.

    :param int a: First,
        continued.
    :param b: Second.
    :returns: x
    """,
    "sphinx-with-types-apart": """Sum two.

    :param a: First,
        continued.
    :type a: int
    :param b: Second.
    :rtype: int
    """,
    "epytext": """Sum two.

    @param a: First,
        continued.
    @type a: int
    @param b: Second.
    @return: x
    """,
}


@pytest.mark.parametrize("text", [pytest.param(text, id=style) for style, text in STYLES.items()])
def test_every_style_says_the_same(text: str) -> None:
    docstring = parse(text, ["a", "b"])
    assert docstring.description == "Sum two."
    assert {name: entry.description for name, entry in docstring.parameters.items()} == {
        "a": "First,\ncontinued.",
        "b": "Second.",
    }
    assert docstring.parameters["a"].type == "int"


@pytest.mark.parametrize(
    ("text", "description"),
    [
        pytest.param("One line.", "One line.", id="one-line"),
        pytest.param("\n    First.\n\n      Indented.\n    ", "First.\n\n  Indented.", id="inner-indentation-stays"),
        pytest.param(
            "Do it.\n\nNote:\n    Slow.\n\nArgs:\n    a: A.", "Do it.\n\nNote:\n    Slow.", id="a-note-is-text"
        ),
        pytest.param("Do it.\n\nRaises:\n    E: x\n\nMore.", "Do it.", id="text-after-a-section-is-not"),
        pytest.param("Do it, for\nexample: so.", "Do it, for\nexample: so.", id="a-colon-in-a-sentence"),
        pytest.param("Do it.\n\nReturns: x", "Do it.\n\nReturns: x", id="a-header-stands-alone"),
        pytest.param("Returns\n-------\nint", "", id="nothing-but-a-section"),
        pytest.param("@mention of\n:class:`x`", "@mention of\n:class:`x`", id="marks-that-are-no-fields"),
        pytest.param("", "", id="empty"),
    ],
)
def test_the_description_is_all_text_before_the_first_section(text: str, description: str) -> None:
    assert parse(text, ["a"]).description == description


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        pytest.param("Args:\n    a: One:\n        - b: two", {"a": "One:\n- b: two"}, id="bullets-inside-an-entry"),
        pytest.param(
            "Args:\n    a: One.\n\n        Two.\n    b: B.", {"a": "One.\n\nTwo.", "b": "B."}, id="paragraphs"
        ),
        pytest.param("Args:\n    a: See\n    https://x.y", {"a": "See\nhttps://x.y"}, id="sloppy-continuation"),
        pytest.param("Args:\n    a, b: Both.", {"a": "Both.", "b": "Both."}, id="two-names-in-one-entry"),
        pytest.param("Args:\n    *a: A.\n    **b: B.", {"a": "A.", "b": "B."}, id="stars"),
        pytest.param("Args:\n    a: A.\n\nArgs:\n    b: B.", {"a": "A.", "b": "B."}, id="a-section-twice"),
        pytest.param("Args:\n    a: A.\n    a: Again.", {"a": "A."}, id="an-entry-twice"),
        pytest.param("Args:\n\ta: A.\n\tb: B.", {"a": "A.", "b": "B."}, id="tabs"),
        pytest.param("Args:\n    a (dict[str, int], optional): A.", {"a": "A."}, id="a-type-with-brackets"),
        pytest.param("Args:", {}, id="nothing-in-the-section"),
    ],
)
def test_entries_are_told_from_what_continues_them(text: str, entries: dict[str, str]) -> None:
    parsed = parse(f"Do it.\n\n{text}", ["a", "b"])
    assert {name: entry.description for name, entry in parsed.parameters.items()} == entries
    assert parsed.description == "Do it."


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Args:\n    a" + " " * 50_000 + "x", id="spaces-after-a-name"),
        pytest.param("Args:\n    a (" + ") " * 50_000 + "x", id="brackets-after-a-name"),
        pytest.param("Args:\n    a" + ", a" * 30_000 + "x y", id="names-after-a-name"),
        pytest.param("Args:\n" * 50_000, id="headers"),
    ],
)
def test_no_docstring_takes_longer_than_its_length_deserves(text: str) -> None:
    assert parse(text, ["a"]).description == ""


def test_a_text_loses_the_indentation_of_where_it_stands() -> None:
    assert clean("\n    One.\n      Two.\n    ") == "One.\n  Two."


def test_a_docstring_type_that_is_plain_stands_in_for_an_annotation(tmp_path: Path) -> None:
    compiled = compile_text(
        tmp_path,
        '''def f(a, b, c, d, e) -> str:
    """F.

    Args:
        a (integer): A.
        b (list of str): B.
        c (str or None, optional): C.
        d ({'x', 'y'}): D.
        e (some odd thing): E.
    """
''',
    )
    properties = compiled.tool.input_schema["properties"]
    assert properties == {
        "a": {"type": "integer", "description": "A."},
        "b": {"type": "array", "items": {"type": "string"}, "description": "B."},
        "c": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "C."},
        "d": {"type": "string", "enum": ["x", "y"], "description": "D."},
        "e": {"description": "E."},
    }
    assert compiled.says == ["TC433"]


def test_what_a_docstring_gets_wrong_is_shown_in_the_docstring(tmp_path: Path) -> None:
    compiled = compile_text(
        tmp_path,
        'def f(a: int) -> str:\n    """F.\n\n    Args:\n        a (str): A.\n        old: Gone.\n    """\n',
    )
    assert compiled.place("TC452") == "a"
    assert compiled.one("TC452").span.line == 5
    assert compiled.place("TC451") == "old"


def test_documented_keys_of_double_star_arguments_are_not_unknown(tmp_path: Path) -> None:
    text = 'def f(**more: int) -> str:\n    """F.\n\n    Args:\n        depth: D.\n    """\n'
    assert compile_text(tmp_path, text).says == []


def test_choices_must_be_of_the_type(tmp_path: Path) -> None:
    text = 'def f(a: int) -> str:\n    """F.\n\n    Args:\n        a: A (choices: ["x"])\n    """\n'
    properties = compile_text(tmp_path, text).tool.input_schema["properties"]
    assert properties == {"a": {"type": "integer", "description": 'A (choices: ["x"])'}}
