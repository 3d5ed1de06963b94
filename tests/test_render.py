"""Diagnostics as text, concise lines and JSON: values in, what a terminal or a script gets out."""

from __future__ import annotations

import json
import unicodedata

import pytest

from toolc.diagnostics import Code, Diagnostic, Label, Severity, Span, Text
from toolc.render import concise, records, text
from toolc.render.snippet import excerpt
from toolc.render.style import Style, clean, clean_line, clip, count

PLAIN = Style(width=100)
CONFLICT = Code(id="TC503", severity=Severity.ERROR, title="twice", explanation="Rename one.")
DOUBT = Code(id="TC399", severity=Severity.WARNING, title="a doubt", explanation="Look.")
REMARK = Code(id="TC501", severity=Severity.NOTE, title="a remark", explanation="Nothing to do.")

PYTHON = Text("vendor/team-tools/search.py", "\n" * 11 + "def grep(pattern: str) -> str:\n    return pattern\n")
MANIFEST = Text("vendor/team-tools/grep/tool.json", '{\n  "name": "grep",\n  "command": "rg"\n}\n')


def at(file: Text, line: int, column: int, length: int) -> Span:
    return Span(file, line, column, line, column + length)


def test_a_diagnostic_reads_like_one_of_rustc() -> None:
    diagnostic = Diagnostic(
        CONFLICT,
        "`grep` is declared twice in the layer `team`",
        at(PYTHON, 12, 5, 4),
        labels=(Label(at(MANIFEST, 2, 11, 6), "first declared here"),),
        hint="rename one of them, or move one to another layer",
    )
    assert text.render([diagnostic], PLAIN) == (
        "error[TC503]: `grep` is declared twice in the layer `team`\n"
        "  --> vendor/team-tools/search.py:12:5\n"
        "   |\n"
        "12 | def grep(pattern: str) -> str:\n"
        "   |     ^^^^\n"
        "  ::: vendor/team-tools/grep/tool.json:2:11\n"
        "   |\n"
        ' 2 |   "name": "grep",\n'
        "   |           ------ first declared here\n"
        "   = hint: rename one of them, or move one to another layer\n"
    )


def test_places_of_one_file_stand_in_one_block_and_in_order() -> None:
    diagnostic = Diagnostic(
        CONFLICT, "twice", at(PYTHON, 13, 12, 7), labels=(Label(at(PYTHON, 12, 5, 4), "the function"),)
    )
    assert text.render_one(diagnostic, PLAIN).splitlines()[1:] == [
        "  --> vendor/team-tools/search.py:13:12",
        "   |",
        "12 | def grep(pattern: str) -> str:",
        "   |     ---- the function",
        "13 |     return pattern",
        "   |            ^^^^^^^",
    ]


def test_lines_between_two_places_are_left_out_visibly() -> None:
    file = Text("a.py", "one\ntwo\nthree\nfour\n")
    diagnostic = Diagnostic(CONFLICT, "m", at(file, 1, 1, 3), labels=(Label(at(file, 4, 1, 4), "here"),))
    assert "\n1 | one\n  | ^^^\n...\n4 | four\n  | ---- here\n" in text.render_one(diagnostic, PLAIN)


def test_two_places_in_one_line_show_the_line_once() -> None:
    file = Text("a.py", "one two\n")
    diagnostic = Diagnostic(CONFLICT, "m", at(file, 1, 5, 3), labels=(Label(at(file, 1, 1, 3), "the other"),))
    assert text.render_one(diagnostic, PLAIN).splitlines()[3:] == [
        "1 | one two",
        "  |     ^^^",
        "  | --- the other",
    ]


@pytest.mark.parametrize(
    ("span", "shown"),
    [
        pytest.param(Span(Text("toolc.toml", "a = 1\n")), [" --> toolc.toml"], id="the whole file"),
        pytest.param(Span(Text("x.py"), 3, 1, 3, 2), [" --> x.py:3:1"], id="a file that is no text"),
        pytest.param(Span(Text("x.py", "a\n"), 9, 1, 9, 2), [" --> x.py:9:1"], id="a line the file does not have"),
        pytest.param(
            Span(Text("x.py", "ab\n"), 1, 2, 1, 2), [" --> x.py:1:2", "  |", "1 | ab", "  |  ^"], id="an empty span"
        ),
        pytest.param(
            Span(Text("x.py", "ab\n"), 2, 1, 2, 1), [" --> x.py:2:1", "  |", "2 |", "  | ^"], id="the end of the file"
        ),
        pytest.param(
            Span(Text("x.py", "ab\n"), 1, 9, 1, 12), [" --> x.py:1:9", "  |", "1 | ab", "  |   ^"], id="past the line"
        ),
        pytest.param(
            Span(Text("x.json", "{ a\nb }\n"), 1, 1, 2, 4),
            [" --> x.json:1:1", "  |", "1 | { a", "  | ^^^"],
            id="several lines: the first, to its end",
        ),
        pytest.param(
            Span(Text("x.py", "\tif x:\n"), 1, 5, 1, 6),
            [" --> x.py:1:5", "  |", "1 |     if x:", "  |        ^"],
            id="a tab before it",
        ),
        pytest.param(
            Span(Text("x.py", "x = '日本', y\n"), 1, 11, 1, 12),
            [" --> x.py:1:11", "  |", "1 | x = '日本', y", "  |             ^"],
            id="wide characters before it",
        ),
        pytest.param(
            Span(Text("x.py", "e\u0301 = y\n"), 1, 6, 1, 7),
            [" --> x.py:1:6", "  |", "1 | e\u0301 = y", "  |     ^"],
            id="a combining accent before it",
        ),
        pytest.param(
            Span(Text("x.py", "a\u202eb\n"), 1, 2, 1, 3),
            [" --> x.py:1:2", "  |", "1 | a\\u{202e}b", "  |  ^^^^^^^^"],
            id="an invisible character is spelled out",
        ),
    ],
)
def test_a_place_is_shown_as_far_as_it_can_be(span: Span, shown: list[str]) -> None:
    assert text.render_one(Diagnostic(CONFLICT, "m", span), PLAIN).splitlines()[1:] == shown


def test_a_label_without_a_line_to_show_keeps_its_words() -> None:
    diagnostic = Diagnostic(CONFLICT, "m", at(PYTHON, 12, 5, 4), labels=(Label(Span(Text("aru.json")), "set here"),))
    assert "  ::: aru.json: set here\n" in text.render_one(diagnostic, PLAIN)


@pytest.mark.parametrize("column", [1, 30, 77, 500, 999_990])
def test_a_very_long_line_is_cut_around_the_place(column: int) -> None:
    line = "".join(chr(ord("a") + index % 26) for index in range(1_000_000))
    shown = excerpt(line, column, column + 5, 72)
    assert len(shown.text) <= 72
    assert shown.text[shown.start : shown.end] == line[column - 1 : column + 4]


def test_a_place_wider_than_the_terminal_is_underlined_to_the_edge() -> None:
    shown = excerpt("x" * 500, 10, 400, 60)
    assert (shown.start, shown.end <= 60, len(shown.text) <= 60) == (9, True, True)


def test_a_hint_of_several_lines_stays_aligned() -> None:
    diagnostic = Diagnostic(CONFLICT, "m", Span(Text("toolc.toml")), hint='write one of\nhost = "aru"')
    assert text.render_one(diagnostic, PLAIN).endswith('  = hint: write one of\n          host = "aru"\n')


HOSTILE = "\x1b]0;owned\x07\x1b[31m\u202e\u200b\x7f\x9b1m"


@pytest.mark.parametrize("style", [PLAIN, Style(colour=True)], ids=["plain", "colour"])
def test_data_carries_no_control_or_invisible_character_into_the_text(style: Style) -> None:
    file = Text(f"a{HOSTILE}.py", f"x = '{HOSTILE}'\n")
    diagnostic = Diagnostic(
        CONFLICT,
        f"`{HOSTILE}` is so",
        Span(file, 1, 6, 1, 8),
        labels=(Label(at(file, 1, 1, 1), HOSTILE),),
        hint=HOSTILE,
    )
    shown = text.render([diagnostic], style) + concise.render([diagnostic], style)
    for sequence in ("\x1b[0m", *(f"\x1b[{code}m" for code in ("1;31", "1;34", "34", "36", "1"))):
        shown = shown.replace(sequence, "")
    assert {character for character in shown if unicodedata.category(character) in ("Cc", "Cf")} <= {"\n"}


def test_a_line_break_in_data_cannot_forge_a_line_of_ours() -> None:
    diagnostic = Diagnostic(CONFLICT, "`a\nerror[TC999]: forged` is so", Span(Text("a\nb.py")))
    assert text.render_one(diagnostic, PLAIN).splitlines() == [
        "error[TC503]: `a\\nerror[TC999]: forged` is so",
        " --> a\\nb.py",
    ]
    assert len(concise.render([diagnostic], PLAIN).splitlines()) == 1


def test_without_colour_there_is_no_escape_and_with_it_there_is() -> None:
    diagnostic = Diagnostic(CONFLICT, "m", at(PYTHON, 12, 5, 4))
    assert "\x1b" not in text.render([diagnostic], PLAIN)
    assert text.render([diagnostic], Style(colour=True)).startswith("\x1b[1;31merror[TC503]\x1b[0m: ")


def test_a_file_name_that_is_no_text_is_printable() -> None:
    assert clean("caf\udce9.py") == "caf\\u{dce9}.py"


def test_one_line_stays_one_line() -> None:
    assert clean_line("a\nb\tc") == "a\\nb c"


def test_concise_is_one_line_a_diagnostic() -> None:
    diagnostics = [
        Diagnostic(CONFLICT, "twice", at(PYTHON, 12, 5, 4), hint="not shown"),
        Diagnostic(DOUBT, "odd", Span(Text("toolc.toml"))),
    ]
    assert concise.render(diagnostics, PLAIN) == (
        "vendor/team-tools/search.py:12:5: error[TC503] twice\ntoolc.toml: warning[TC399] odd\n"
    )


@pytest.mark.parametrize(
    ("codes", "tools", "notes_shown", "line"),
    [
        pytest.param([], 5, False, "5 tools, no errors", id="all is well"),
        pytest.param([], 1, False, "1 tool, no errors", id="one"),
        pytest.param([DOUBT], 12, False, "12 tools, 1 warning", id="a warning"),
        pytest.param([CONFLICT, CONFLICT, DOUBT], None, False, "2 errors, 1 warning", id="errors"),
        pytest.param([REMARK, REMARK], 3, False, "3 tools, no errors, 2 notes (-v shows them)", id="hidden notes"),
        pytest.param([REMARK], 3, True, "3 tools, no errors, 1 note", id="shown notes"),
    ],
)
def test_the_summary_counts(codes: list[Code], tools: int | None, notes_shown: bool, line: str) -> None:
    diagnostics = [Diagnostic(code, f"m{number}", Span(Text("a"))) for number, code in enumerate(codes)]
    assert text.summary(diagnostics, tools=tools, notes_shown=notes_shown) == line


def test_json_has_the_fields_of_the_design_and_null_for_what_is_not_there() -> None:
    diagnostics = [
        Diagnostic(
            CONFLICT, "twice", at(PYTHON, 12, 5, 4), labels=(Label(at(MANIFEST, 2, 11, 6), "first"),), hint="rename"
        ),
        Diagnostic(REMARK, "so it is", Span(Text("toolc.toml"))),
    ]
    assert json.loads(records.dumps(records.check(diagnostics))) == {
        "diagnostics": [
            {
                "code": "TC503",
                "severity": "error",
                "message": "twice",
                "path": "vendor/team-tools/search.py",
                "line": 12,
                "column": 5,
                "end_line": 12,
                "end_column": 9,
                "hint": "rename",
                "labels": [
                    {
                        "message": "first",
                        "path": "vendor/team-tools/grep/tool.json",
                        "line": 2,
                        "column": 11,
                        "end_line": 2,
                        "end_column": 17,
                    }
                ],
            },
            {
                "code": "TC501",
                "severity": "note",
                "message": "so it is",
                "path": "toolc.toml",
                "line": None,
                "column": None,
                "end_line": None,
                "end_column": None,
                "hint": None,
                "labels": [],
            },
        ],
        "summary": {"errors": 1, "warnings": 0, "notes": 1},
    }


def test_a_severity_of_this_run_counts_before_that_of_the_code() -> None:
    lenient = Diagnostic(CONFLICT, "m", Span(Text("a")), severity=Severity.WARNING)
    assert text.render_one(lenient, PLAIN).startswith("warning[TC503]: ")
    assert records.summary([lenient]) == {"errors": 0, "warnings": 1, "notes": 0}


def test_json_is_ascii_and_still_says_the_same() -> None:
    printed = records.dumps({"text": f"ação {HOSTILE}"})
    assert printed.isascii()
    assert "\x1b" not in printed
    assert json.loads(printed) == {"text": f"ação {HOSTILE}"}


def test_json_spells_out_what_is_no_text_where_strict_readers_would_refuse_it() -> None:
    printed = records.dumps({"path": ["a\udcff\ud800"], "\udcff": "😀"})
    assert json.loads(printed) == {"path": ["a\\udcff\\ud800"], "\\udcff": "😀"}


def test_small_words() -> None:
    assert (count(1, "tool"), count(2, "tool"), count(0, "tool")) == ("1 tool", "2 tools", "0 tools")
    assert (clip("abc", 3), clip("abcdef", 5)) == ("abc", "ab...")
