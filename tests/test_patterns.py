"""Regular expressions of schemas: they mean what ECMA-262 says, and none of them can run away."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc_runtime.patterns import PatternError, UnenforceableError, compile_pattern


@pytest.mark.parametrize(
    ("source", "found", "not_found"),
    [
        pytest.param("", ["", "a"], [], id="empty"),
        pytest.param("a", ["a", "bab"], ["", "b"], id="not anchored"),
        pytest.param("^a$", ["a"], ["a\n", "ab", "b\na"], id="the end is the end, not before a last line break"),
        pytest.param(r"^\d$", ["0"], ["٣", "a"], id="digits are ASCII"),
        pytest.param(r"^\w$", ["a", "_", "9"], ["é"], id="word characters are ASCII"),
        pytest.param(r"^\W$", ["é", "-"], ["a"], id="and what is not one"),
        pytest.param(r"^\s$", [" ", "\t", "\u00a0", "\ufeff", "\u2029"], ["\x1c", "\x85", "a"], id="white space"),
        pytest.param("^.$", ["a", "\x0b", "\U0001f600"], ["\n", "\r", "\u2028"], id="a dot is anything on a line"),
        pytest.param("^[^]$", ["\n"], [""], id="[^] is anything"),
        pytest.param("[]", [], ["", "a"], id="[] is nothing"),
        pytest.param(r"^[a\-z\]]+$", ["a-z]"], ["b"], id="escapes in a set"),
        pytest.param(r"^[\w-]+$", ["a-b"], ["a b"], id="a class beside a hyphen"),
        pytest.param(r"^[\b]$", ["\b"], ["b"], id="a backspace in a set"),
        pytest.param(r"^\cJ\x41\u0042\u{43}\0\/$", ["\nABC\0/"], [], id="escapes of characters"),
        pytest.param(r"^\ud83d\ude00$", ["\U0001f600"], [], id="a surrogate pair is a character"),
        pytest.param("^\U0001f600{2}$", ["\U0001f600" * 2], ["\U0001f600"], id="beyond the basic plane"),
        pytest.param(r"\bword\b", ["a word."], ["words", "sword"], id="word boundaries"),
        pytest.param(r"é\b", ["éa"], ["é"], id="boundaries are ASCII, too"),
        pytest.param("^a{2}$", ["aa"], ["a", "a{2}"], id="exactly two"),
        pytest.param("^a{,2}$", ["a{,2}"], ["aa"], id="braces that say nothing are braces"),
        pytest.param("^{a}$", ["{a}"], [], id="a brace with nothing before it"),
        pytest.param("^(?<year>[0-9]{4})-(?:0|1)$", ["2024-1"], ["2024-2"], id="groups"),
        pytest.param("^a+?b*?$", ["aab"], ["b"], id="lazy"),
        pytest.param("^(a|)$", ["", "a"], ["b"], id="an empty branch"),
        pytest.param(r"^\p{L}+$", ["Grüße", "λ"], ["a1"], id="letters"),
        pytest.param(r"^\p{Letter}\P{gc=Nd}$", ["ab"], ["a1", "11"], id="categories by name"),
        pytest.param(r"^[\p{Lu}_]$", ["A", "_"], ["a"], id="a category in a set"),
        pytest.param(".*a+.*", ["bab"], ["b"], id="open ends"),
        pytest.param("a+(b|c)*$", ["aab", "a"], ["b"], id="an open start"),
    ],
)
def test_a_pattern_means_what_ecma_says(source: str, found: list[str], not_found: list[str]) -> None:
    pattern = compile_pattern(source)
    assert [text for text in found if not pattern.matches(text)] == []
    assert [text for text in not_found if pattern.matches(text)] == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param("[a", "middle of an expression", id="an open set"),
        pytest.param("(a", "without its `)`", id="an open group"),
        pytest.param("a)", "without its `(`", id="a closed group"),
        pytest.param("*a", "nothing to repeat", id="a star first"),
        pytest.param("{2}", "nothing to repeat", id="a number first"),
        pytest.param("a**", "two repetitions in a row at character 3", id="two stars"),
        pytest.param("a++", "two repetitions", id="possessive"),
        pytest.param("^*", "takes no character", id="a repeated anchor"),
        pytest.param("a{3,2}", "wrong way round", id="bounds"),
        pytest.param("[z-a]", "backwards", id="range"),
        pytest.param(r"\x1", "hexadecimal", id="half an escape"),
        pytest.param(r"\u{110000}", "number", id="no character"),
        pytest.param(r"\ud800\u0041", "surrogate", id="half a pair"),
        pytest.param(r"\c1", "without a letter", id="control"),
        pytest.param(r"\p", "name in braces", id="no property"),
        pytest.param("a\\", "middle of an expression", id="a backslash at the end"),
    ],
)
def test_what_is_no_pattern_is_refused(source: str, words: str) -> None:
    with pytest.raises(PatternError, match=re.escape(words)):
        compile_pattern(source)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("^(a+)+$", id="nested"),
        pytest.param("^(a|aa)*$", id="overlapping branches"),
        pytest.param("^(a|a)*$", id="equal branches"),
        pytest.param("^(?:a|b|ab)+$", id="a branch of two others"),
        pytest.param("^(?:[a-z]+,?)+$", id="an optional separator"),
        pytest.param(r"^(\w+\s?)*$", id="words"),
        pytest.param("^(([a-z])+.)+[A-Z]([a-z])+$", id="class names"),
        pytest.param("^(?:(?:a{0,9}){0,9}){0,9}$", id="counted"),
        pytest.param("(?:a?){20}a{20}", id="optional and counted"),
        pytest.param("^(a|b|c*|d*)+$", id="empty in two ways"),
        pytest.param("^.*.*.*.*x$", id="a high degree"),
        pytest.param("^" + "(?:a|ab|abc)" * 20 + "$", id="many forks in a row"),
        pytest.param("|".join(f"word{i}" for i in range(2_000)), id="very long"),
        pytest.param("(" * 200 + "a" + ")" * 200, id="very deep"),
        pytest.param("^(?:" + "[ab]{100}" * 9 + ")$", id="very large"),
        pytest.param("a{1000000}", id="a very large number"),
        pytest.param("a{99999999999999999999}", id="a number beyond counting"),
        pytest.param("^(?=a)", id="lookahead"),
        pytest.param("(?<!a)b", id="lookbehind"),
        pytest.param(r"(a)\1", id="back reference"),
        pytest.param(r"(?<x>a)\k<x>", id="named back reference"),
        pytest.param("(?i)a", id="flags"),
        pytest.param("(?P<x>a)", id="Python's groups"),
        pytest.param(r"\Aa\Z", id="Python's anchors"),
        pytest.param(r"\p{Script=Greek}", id="a property that is no category"),
    ],
)
def test_what_could_run_away_or_is_not_ecma_is_not_enforced(source: str) -> None:
    with pytest.raises(UnenforceableError):
        compile_pattern(source)


@pytest.mark.parametrize(
    ("source", "at_least"),
    [
        pytest.param("^[a-z0-9]+(-[a-z0-9]+)*$", 50_000, id="kebab-case"),
        pytest.param(r"^\d{4}-\d{2}-\d{2}$", None, id="a date"),
        pytest.param("^#[0-9a-fA-F]{6}$", None, id="a colour"),
        pytest.param(r"^\d{1,3}(\.\d{1,3}){3}$", None, id="an address"),
        pytest.param(r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$", 100_000, id="a version"),
        pytest.param(r"^\S+(\s+\S+)*$", 30_000, id="words"),
        pytest.param("^https?://.*", None, id="a prefix"),
        pytest.param(r"\.(jpg|png)$", 40_000, id="a suffix"),
        pytest.param(r"\s+$", 50_000, id="blanks at the end"),
        pytest.param("^.*$", 1_000_000, id="a line"),
        pytest.param("^.{1,100}$", None, id="a short line"),
        pytest.param(r"^[^@]+@[^@]+\.[^@]+$", 200, id="a quadratic one, as far as that is quick"),
        pytest.param("^(GET|POST|PUT|PATCH)$", None, id="words that begin alike"),
    ],
)
def test_a_usual_pattern_is_enforced_on_texts_of_usual_length(source: str, at_least: int | None) -> None:
    limit = compile_pattern(source).limit
    assert limit is None if at_least is None else limit is not None and limit >= at_least


def test_a_text_beyond_the_limit_does_not_match() -> None:
    pattern = compile_pattern("^a+b?a+$")
    assert pattern.limit is not None
    assert pattern.matches("a" * pattern.limit)
    assert not pattern.matches("a" * (pattern.limit + 1))


ATOMS = st.sampled_from(["a", "b", "[ab]", "[^b]", ".", r"\d", r"\w", r"\W", "^", "$", r"\b", "-"])
COUNTS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "+?", "*?"])


def patterns(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeated = st.tuples(inner, COUNTS).map(lambda pair: pair[0] if pair[0] in ("^", "$", r"\b") else "".join(pair))
    sequence = st.lists(repeated, min_size=1, max_size=4).map("".join)
    return st.lists(sequence, min_size=1, max_size=3).map("|".join).map(lambda choice: f"(?:{choice})")


@settings(deadline=None, max_examples=500)
@given(st.recursive(ATOMS, patterns, max_leaves=12), st.lists(st.text("ab1- ", max_size=8), min_size=5, max_size=5))
def test_a_pattern_that_both_dialects_read_alike_finds_the_same(source: str, texts: list[str]) -> None:
    try:
        pattern = compile_pattern(source)
    except UnenforceableError:
        return
    python = re.compile(source.replace("$", r"\Z"), re.ASCII)
    for text in texts:
        assert pattern.matches(text) == (python.search(text) is not None), text
