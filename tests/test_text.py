"""Which characters nobody can see are told, and which are ordinary writing."""

from __future__ import annotations

import pytest

from toolc.text import Verdict, escape, judge

FORBIDDEN, DOUBTFUL = Verdict.FORBIDDEN, Verdict.DOUBTFUL


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Find text.\n\tIn files.", id="tab and line break"),
        pytest.param("👨‍👩‍👧‍👦 and 👩🏽‍⚕️", id="families and professions"),
        pytest.param("❤️‍🔥 ✈︎ 1️⃣ #️⃣ 🏳️‍🌈", id="selectors"),
        pytest.param("می‌خواهم", id="Persian"),
        pytest.param("क्‍ष ක්‍ය", id="Hindi and Sinhala"),
        pytest.param("שלום עולם\u200f!", id="Hebrew with a mark"),
        pytest.param("ᠠ᠋", id="Mongolian variant"),
        pytest.param("日本語 ü é ß", id="letters"),
    ],
)
def test_ordinary_writing_passes(text: str) -> None:
    assert list(judge(text)) == []


@pytest.mark.parametrize(
    ("text", "position", "verdict"),
    [
        pytest.param("a\u202eb", 1, FORBIDDEN, id="override of direction"),
        pytest.param("a\u2066b", 1, FORBIDDEN, id="isolate"),
        pytest.param("ab\u200b", 2, FORBIDDEN, id="zero width space"),
        pytest.param("\U000e0041", 0, FORBIDDEN, id="tag"),
        pytest.param("a\x1b[2J", 1, FORBIDDEN, id="escape of a terminal"),
        pytest.param("a\x85b", 1, FORBIDDEN, id="C1 control"),
        pytest.param("a\r\nb", 1, FORBIDDEN, id="carriage return"),
        pytest.param("\ufeffa", 0, FORBIDDEN, id="byte order mark"),
        pytest.param("a\ue000", 1, FORBIDDEN, id="private use"),
        pytest.param("a\udcff", 1, FORBIDDEN, id="lone surrogate"),
        pytest.param("a\u200db", 1, DOUBTFUL, id="joiner between Latin letters"),
        pytest.param("\u200d", 0, DOUBTFUL, id="joiner alone"),
        pytest.param("😀\u200dx", 1, DOUBTFUL, id="joiner before a letter"),
        pytest.param("می\u200c\u200c", 3, DOUBTFUL, id="second joiner in a row"),
        pytest.param("a\ufe0f", 1, DOUBTFUL, id="selector after a letter"),
        pytest.param("❤\ufe0f\ufe0f", 2, DOUBTFUL, id="second selector in a row"),
        pytest.param("1\ufe0f", 1, DOUBTFUL, id="selector after a digit that is no keycap"),
        pytest.param("x\U000e0101", 1, DOUBTFUL, id="selector of a supplementary plane"),
        pytest.param("co\u00adop", 2, DOUBTFUL, id="soft hyphen"),
        pytest.param("a\u200eb", 1, DOUBTFUL, id="direction mark among Latin letters"),
        pytest.param("\u3164", 0, DOUBTFUL, id="filler"),
        pytest.param("a\u2028b", 1, DOUBTFUL, id="line separator"),
    ],
)
def test_what_does_not_belong_is_found_where_it_is(text: str, position: int, verdict: Verdict) -> None:
    assert [(found.position, found.char, found.verdict) for found in judge(text)] == [
        (position, text[position], verdict)
    ]


def test_escaped_text_can_be_printed() -> None:
    assert escape("a\u202eb\x1b\udcff\n") == "a\\u{202e}b\\u{001b}\\u{dcff}\n"
