"""How a command is split, and what makes it a shell's."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.parse.command import Unclosed, split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("python3 run.py", ("python3", "run.py"), id="plain"),
        pytest.param("  a \t b  ", ("a", "b"), id="blanks"),
        pytest.param("a 'b c' \"d e\"", ("a", "b c", "d e"), id="quotes"),
        pytest.param("a b'c'\"d\"e", ("a", "bcde"), id="quotes inside a word"),
        pytest.param("a '' \"\"", ("a", "", ""), id="empty words"),
        pytest.param(r"a b\ c \$x \* \'", ("a", "b c", "$x", "*", "'"), id="backslashes"),
        pytest.param(r'a "\$x \" \\ \n"', ("a", '$x " \\ \\n'), id="backslashes in double quotes"),
        pytest.param(r"a '$x `y` \' b", ("a", "$x `y` \\", "b"), id="single quotes keep everything"),
        pytest.param("a '*' \"?[~;|&\"", ("a", "*", "?[~;|&"), id="quoted operators"),
        pytest.param("a \\\n b", ("a", "b"), id="continued line"),
        pytest.param("a b\\", ("a", "b\\"), id="backslash at the end"),
        pytest.param("a x=1 y#z {b} !c", ("a", "x=1", "y#z", "{b}", "!c"), id="special only in first place"),
        pytest.param("./cd x", ("./cd", "x"), id="a file named as a builtin"),
        pytest.param("FOO'='1", ("FOO=1",), id="a quoted sign is no assignment"),
        pytest.param("a é😀", ("a", "é😀"), id="any letters"),
    ],
)
def test_plain_words_need_no_shell(text: str, words: tuple[str, ...]) -> None:
    command = split(text)
    assert command.shell is None
    assert command.words == words


@pytest.mark.parametrize(
    ("text", "syntax", "position"),
    [
        pytest.param("a | b", "|", 2, id="pipe"),
        pytest.param("a && b", "&&", 2, id="and"),
        pytest.param("a;b", ";", 1, id="semicolon without blanks"),
        pytest.param("a\nb", "\n", 1, id="line break"),
        pytest.param("a > b", ">", 2, id="redirection"),
        pytest.param("a &", "&", 2, id="background"),
        pytest.param("(a)", "(", 0, id="subshell"),
        pytest.param("ls *.py", "*", 3, id="star"),
        pytest.param("ls a?", "?", 4, id="question mark"),
        pytest.param("ls [ab]", "[", 3, id="bracket"),
        pytest.param("ls ~/x", "~", 3, id="tilde"),
        pytest.param("echo $HOME", "$", 5, id="variable"),
        pytest.param('echo "$HOME"', "$", 6, id="variable in double quotes"),
        pytest.param("echo `x`", "`", 5, id="backtick"),
        pytest.param("FOO=1 a", "FOO=", 0, id="assignment"),
        pytest.param("! a", "!", 0, id="negation"),
        pytest.param("{ a; }", "{", 0, id="group"),
        pytest.param("cd x", "cd", 0, id="cd"),
        pytest.param("'cd' x", "cd", 0, id="a quoted builtin is still one"),
        pytest.param(". ./env", ".", 0, id="dot"),
        pytest.param("source env", "source", 0, id="source"),
        pytest.param("export A=1", "export", 0, id="export"),
        pytest.param("exit 1", "exit", 0, id="exit"),
        pytest.param("if a", "if", 0, id="reserved word"),
        pytest.param("a # why", "#", 2, id="comment"),
    ],
)
def test_what_only_a_shell_understands_is_named(text: str, syntax: str, position: int) -> None:
    shell = split(text).shell
    assert shell is not None
    assert (shell.text, shell.position) == (syntax, position)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        pytest.param("a &", True, id="alone"),
        pytest.param("a | b &", True, id="a pipeline"),
        pytest.param("a & b", True, id="before another"),
        pytest.param("a; b &", False, id="after another"),
        pytest.param("a && b &", False, id="behind a condition"),
        pytest.param("a | b", False, id="none"),
    ],
)
def test_a_job_that_starts_in_the_background_is_told_from_a_later_one(text: str, first: bool) -> None:
    assert split(text).starts_in_background is first


@pytest.mark.parametrize(
    ("text", "separator", "background"),
    [
        pytest.param("cd x && python3 r.py", "&&", None, id="in a row"),
        pytest.param("a || b", "||", None, id="or"),
        pytest.param("a\nb", "\n", None, id="lines"),
        pytest.param("a;", None, None, id="nothing follows"),
        pytest.param("a | b", None, None, id="pipe"),
        pytest.param("a 2>&1 >x", None, None, id="redirections"),
        pytest.param("a &>x", "&", "&", id="not a redirection in POSIX"),
        pytest.param("a &", None, "&", id="background"),
        pytest.param("a & b", "&", "&", id="background and another"),
    ],
)
def test_several_commands_and_the_background_are_noticed(
    text: str, separator: str | None, background: str | None
) -> None:
    command = split(text)
    found = command.separator.text if command.separator else None
    assert (found, command.background.text if command.background else None) == (separator, background)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("./run.sh $X | y", ("./run.sh",), id="up to an expansion"),
        pytest.param("setsid nohup ./j > x &", ("setsid", "nohup", "./j"), id="up to an operator"),
        pytest.param("$X a", (), id="nothing that is plain"),
        pytest.param("cd x", (), id="no program"),
    ],
)
def test_of_a_shell_form_the_first_plain_words_are_kept(text: str, words: tuple[str, ...]) -> None:
    assert split(text).words == words


@pytest.mark.parametrize(("text", "quote", "position"), [("a 'b", "'", 2), ('"', '"', 0), ("a 'b' \"c'", '"', 6)])
def test_a_quote_that_is_never_closed_is_told(text: str, quote: str, position: int) -> None:
    with pytest.raises(Unclosed) as caught:
        split(text)
    assert (caught.value.quote, caught.value.position) == (quote, position)


@pytest.mark.parametrize("text", ["cat <<E\nit's\nE", 'echo "$(echo \')")"', "echo `echo '`"])
def test_quotes_inside_what_a_shell_reads_by_itself_are_left_to_it(text: str) -> None:
    assert split(text).shell is not None


def test_an_input_that_is_kept_open_is_noticed() -> None:
    assert split("exec 3<&0; a <&3 &").keeps_input
    assert not split("a <x &").keeps_input


@given(st.lists(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), min_size=1))
def test_quoted_words_come_out_as_they_went_in(words: list[str]) -> None:
    command = split("./x " + shlex.join(words))
    assert command.words == ("./x", *words)
    assert command.shell is None


@given(st.text(alphabet="ab '\"\\\t", max_size=20))
def test_plain_commands_are_split_as_posix_has_it(text: str) -> None:
    try:
        wanted = shlex.split(text, posix=True)
    except ValueError:
        return  # unclosed, or a backslash at the end, which a shell keeps
    assert split(text).words == tuple(wanted)
