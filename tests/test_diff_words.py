"""The comparison of texts by words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.diff.words import Change, Edit, diff, is_rewrapped

TEXT = st.text(alphabet="ab \n\t.-\u200b\u00e9", max_size=40)


def told(old: str, new: str) -> str:
    """The edits in one line: [-removed-] and {+added+}."""
    marks = {Change.KEPT: "{}", Change.REMOVED: "[-{}-]", Change.ADDED: "{{+{}+}}"}
    return "".join(marks[edit.change].format(edit.text) for edit in diff(old, new))


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        pytest.param("Count the words.", "Count all words.", "Count [-the-]{+all+} words.", id="one word"),
        pytest.param("Count.", "Count. Twice.", "Count.{+ Twice.+}", id="a sentence more"),
        pytest.param("a b", "a  b", "a[- -]{+  +}b", id="white space"),
        pytest.param("a", "a\u202e", "a{+\u202e+}", id="an invisible character"),
        pytest.param("", "a", "{+a+}", id="from nothing"),
        pytest.param("a", "", "[-a-]", id="to nothing"),
        pytest.param("", "", "", id="nothing"),
        pytest.param("a b c d", "a x c y", "a [-b-]{+x+} c [-d-]{+y+}", id="two places"),
    ],
)
def test_texts_are_compared_by_words(old: str, new: str, edits: str) -> None:
    assert told(old, new) == edits


@given(TEXT, TEXT)
def test_the_edits_hold_every_character_of_both_texts(old: str, new: str) -> None:
    edits = diff(old, new)
    assert "".join(edit.text for edit in edits if edit.change is not Change.ADDED) == old
    assert "".join(edit.text for edit in edits if edit.change is not Change.REMOVED) == new
    assert all(edit.text for edit in edits)
    assert all(one.change is not other.change for one, other in pairwise(edits))


def test_texts_too_long_to_match_are_exchanged_between_what_they_share() -> None:
    old, new = "same " + "a b " * 5000 + "end", "same " + "c d " * 5000 + "end"
    edits = diff(old, new)
    assert [edit.change for edit in edits] == [Change.KEPT, Change.REMOVED, Change.ADDED, Change.KEPT]
    assert edits[0] == Edit(change=Change.KEPT, text="same ")


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        pytest.param("a b", "a\n b\n", True, id="lines"),
        pytest.param("ab", "a b", False, id="a blank more"),
        pytest.param("a b", "a\u00a0b", False, id="a blank that does not break"),
        pytest.param("a b", "a\u200b b", False, id="a blank of no width"),
        pytest.param("a\x0bb", "a b", False, id="a control character"),
    ],
)
def test_only_plain_white_space_is_white_space(old: str, new: str, same: bool) -> None:
    assert is_rewrapped(old, new) is same
