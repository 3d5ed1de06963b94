"""Split a manifest's command: the text goes in; its words come out, or what in it only a shell understands.

POSIX words, as `sh` reads them: quotes and backslashes are taken off, and nothing is expanded. Where something would
have to be, the command is a shell form, and the place of the first such thing is named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BLANK = " \t"
_OPERATORS = "|&;<>()\n"
_GLOBS = "*?["
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_OPERATOR = re.compile(r"&&|\|\||;;|>>|<<|[|&;<>()\n]")

# First words that no program on PATH answers to: what changes the shell itself, and what its grammar reserves.
SHELL_WORDS = frozenset(
    {
        *(".", ":", "alias", "break", "builtin", "cd", "continue", "declare", "eval", "exec", "exit", "export", "hash"),
        *("let", "local", "popd", "pushd", "read", "readonly", "return", "set", "shift", "shopt", "source", "times"),
        *("trap", "typeset", "ulimit", "umask", "unalias", "unset", "wait"),
        *("[[", "case", "for", "function", "if", "select", "until", "while"),
    }
)


class Unclosed(ValueError):
    """A quote that is opened and never closed."""

    def __init__(self, quote: str, position: int) -> None:
        self.quote = quote
        self.position = position
        super().__init__(f"`{quote}` at {position} is not closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """The first thing in a command that only a shell understands."""

    text: str  # as written: `&&`, `$`, `cd`
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as its words. Where `shell` is set, those of its first simple command, as far as they are plain."""

    words: tuple[str, ...]
    shell: Syntax | None = None
    separator: Syntax | None = None  # the first `;`, `&&`, `||` or line break with another command after it
    background: Syntax | None = None  # the first `&`
    keeps_input: bool = False  # a redirection hands an open input on: `<&3`

    @property
    def starts_in_background(self) -> bool:
        """Whether the first pipeline, the one that is given the arguments, goes into the background."""
        if self.background is None:
            return False
        return self.separator is None or self.separator.position >= self.background.position


def split(text: str) -> Command:
    """Read a command. Raises `Unclosed`."""
    return _Reader(text).command()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._words: list[str] = []
        self._shell: Syntax | None = None
        self._separator: Syntax | None = None
        self._background: Syntax | None = None
        self._keeps_input = False
        self._opaque = False  # quotes may no longer pair as they do here: a here-document, a command in a command
        self._first_is_plain = True  # the words so far belong to the first simple command, and nothing is expanded

    def command(self) -> Command:
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in _BLANK:
                self._at += 1
            elif self._text.startswith("\\\n", self._at):  # a line continued on the next
                self._at += 2
            elif char in _OPERATORS:
                self._operator()
            elif char == "#":
                self._needs_shell("#")
                end = self._text.find("\n", self._at)
                self._at = end if end >= 0 else len(self._text)
            else:
                self._word()
        return Command(
            words=tuple(self._words),
            shell=self._shell,
            separator=self._separator,
            background=self._background,
            keeps_input=self._keeps_input,
        )

    def _operator(self) -> None:
        match = _OPERATOR.match(self._text, self._at)
        assert match, "an operator was seen"
        operator, position = match[0], self._at
        self._needs_shell(operator)
        self._at = match.end()
        self._opaque = self._opaque or operator == "<<"
        if operator in ("<", ">") and self._text.startswith("&", self._at):
            self._at += 1  # in `2>&1` and `<&3` the `&` belongs to the redirection; `&>` is not POSIX
            self._keeps_input = self._keeps_input or operator == "<"
        elif operator == "&":
            self._background = self._background or Syntax(text="&", position=position)
        if operator in ("&&", "||", ";", "\n", "&") and not self._separator and self._text[self._at :].strip():
            self._separator = Syntax(text=operator, position=position)
        self._first_is_plain = False

    def _word(self) -> None:
        """word = { character | quoted }"""
        start = self._at
        quoted = False
        value: list[str] = []
        while self._at < len(self._text) and self._text[self._at] not in _BLANK + _OPERATORS:
            char = self._text[self._at]
            if char in ("'", '"'):
                quoted = True
                value.append(self._quoted(char))
            elif char == "\\":
                quoted = True
                value.append(self._escaped())
            else:
                if char in "$`~" or char in _GLOBS:
                    self._expands(char)
                value.append(char)
                self._at += 1
        self._finish("".join(value), start, quoted)

    def _finish(self, word: str, start: int, quoted: bool) -> None:
        if not self._words and self._first_is_plain:
            only_shell = word in SHELL_WORDS or (not quoted and word[:1] in ("!", "{"))
            assignment = _ASSIGNMENT.match(self._text, start)
            if only_shell or assignment:
                self._needs_shell(assignment[0] if assignment else word, start)
                self._first_is_plain = False
        if self._first_is_plain:
            self._words.append(word)

    def _quoted(self, quote: str) -> str:
        opened = self._at
        self._at += 1
        value: list[str] = []
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == quote:
                self._at += 1
                return "".join(value)
            if quote == '"' and char == "\\":
                value.append(self._escaped('"\\$`'))
                continue
            if quote == '"' and char in "$`":
                self._expands(char)
            value.append(char)
            self._at += 1
        if not self._opaque:
            raise Unclosed(quote, opened)
        return "".join(value)

    def _escaped(self, only: str | None = None) -> str:
        """The character behind a backslash; inside double quotes a backslash is itself, except before a few."""
        following = self._text[self._at + 1 : self._at + 2]
        if following == "\n":
            self._at += 2
            return ""
        if following and (only is None or following in only):
            self._at += 2
            return following
        self._at += 1
        return "\\"

    def _expands(self, char: str) -> None:
        self._opaque = self._opaque or char == "`" or self._text.startswith("$(", self._at)
        self._needs_shell(char)
        self._first_is_plain = False

    def _needs_shell(self, text: str, position: int | None = None) -> None:
        if self._shell is None:
            self._shell = Syntax(text=text, position=self._at if position is None else position)
