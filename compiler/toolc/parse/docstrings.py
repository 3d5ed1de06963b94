"""Docstrings: the text goes in; the description for the model, and what is said of each parameter, come out.

Google, NumPy, Sphinx and Epytext styles are read by their own marks, line by line, so that a docstring that mixes them
loses nothing. The description is all text before the first section; what is not recognised stays text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

_PARAMETERS = frozenset(
    {
        "args",
        "arguments",
        "keyword args",
        "keyword arguments",
        "other parameters",
        "parameters",
        "params",
    }
)
# `Note:` and its kind are no sections: they are advice, and the model should have it.
_SECTIONS = _PARAMETERS | {
    "attributes",
    "example",
    "examples",
    "methods",
    "raises",
    "receives",
    "references",
    "return",
    "returns",
    "see also",
    "todo",
    "warns",
    "yield",
    "yields",
}

_GOOGLE_HEADER = re.compile(r"([A-Za-z]+(?: [A-Za-z]+)?):\s*$")
_NUMPY_RULE = re.compile(r"-{3,}\s*$|={3,}\s*$")
_FIELD = re.compile(
    r"[:@](?P<kind>param|parameter|arg|argument|key|keyword|type|returns?|rtype|raises?|except|exception|yields?|ytype"
    r"|var|ivar|cvar|vartype|meta)\b(?P<rest>[^:]*):(?P<text>.*)$"
)
_FIELD_OF_PARAMETER = frozenset({"param", "parameter", "arg", "argument", "key", "keyword"})
_FIELD_OF_ATTRIBUTE = frozenset({"cvar", "ivar", "var"})

# `name (type): text`; a bullet before it is tolerated.
_NAME = r"[*`]{0,2}[^\W\d]\w*[*`]{0,2}"  # also in bold or as code
_NAMES = rf"(?P<names>{_NAME}(?:\s*,\s*{_NAME})*)"
_TYPE = r"(?:\s*(?P<type>\(.*?\)))?"
_ENTRY = re.compile(rf"(?:[-*+]\s+)?{_NAMES}{_TYPE}\s*:(?:\s+|$)")
_DASHED = re.compile(rf"(?:[-*+]\s+)?{_NAMES}{_TYPE}\s+(?:--?|\u2013|\u2014)\s+")
_NUMPY_ENTRY = re.compile(rf"{_NAMES}\s*(?::\s*(?P<type>.*))?$")

_Entry: TypeAlias = tuple[str, str | None, list[str]]  # names, type, lines of the description


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    """What a docstring says of a parameter."""

    description: str = ""
    type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Docstring:
    """A docstring, taken apart."""

    description: str = ""
    parameters: dict[str, Documented] = field(default_factory=dict)  # stars stripped


def clean(text: str) -> str:
    """A text without the indentation it has from where it stands in its source, as `inspect.cleandoc` would."""
    lines = text.expandtabs().split("\n")
    first = lines[0].lstrip()
    rest = _dedent(lines[1:])
    kept = [line.rstrip() for line in [first, *rest]]
    return "\n".join(kept).strip("\n")


def parse(text: str, parameters: Collection[str]) -> Docstring:
    """Take a docstring apart. `parameters` are the names the function has, to tell an entry from a remark."""
    return _parse(text, _Reader(parameters=frozenset(parameters)))


def of_class(text: str, attributes: Collection[str]) -> Docstring:
    """Take the docstring of a class apart: what it says of its attributes is kept as of parameters."""
    return _parse(text, _Reader(parameters=frozenset(attributes), sections=_PARAMETERS | {"attributes"}))


def _parse(text: str, reader: _Reader) -> Docstring:
    lines = clean(text).split("\n")
    index = 0
    while index < len(lines):
        index = reader.read(lines, index)
    return Docstring(
        description="\n".join(reader.text).strip(),
        parameters={
            name: Documented(description=_joined(reader.descriptions.get(name, [])), type=reader.types.get(name))
            for name in dict.fromkeys([*reader.descriptions, *reader.types])
        },
    )


@dataclass(slots=True, kw_only=True)
class _Reader:
    parameters: frozenset[str]
    sections: frozenset[str] = _PARAMETERS  # whose entries are kept
    text: list[str] = field(default_factory=list)  # before the first section
    descriptions: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    in_sections: bool = False

    def read(self, lines: Sequence[str], index: int) -> int:
        """Read what begins at a line, and return where the next thing begins."""
        line = lines[index]
        match = _FIELD.match(line)
        if match is not None:
            end = _indented_end(lines, index + 1)
            self.field(match, lines[index + 1 : end])
            return end
        title = _numpy_title(lines, index)
        if title is not None:
            end = _numpy_end(lines, index + 2)
            self.section(title, self.numpy_entries(lines[index + 2 : end]))
            return end
        title = _google_title(line)
        if title is not None:
            end = _indented_end(lines, index + 1)
            if end == index + 1:  # entries at the margin, as some write them
                end = self.margin_end(lines, index + 1)
            self.section(title, self.google_entries(_dedent(lines[index + 1 : end])))
            return end
        if not self.in_sections:
            self.text.append(line)
        return index + 1

    def section(self, title: str, entries: Iterator[_Entry]) -> None:
        self.in_sections = True
        if title not in self.sections:
            return
        for names, type_text, description in entries:
            for name in _bare(names):
                self.descriptions.setdefault(name, description)
                if type_text:
                    self.types.setdefault(name, type_text)

    def field(self, match: re.Match[str], more: Sequence[str]) -> None:
        self.in_sections = True
        words = match["rest"].split()
        if not words:
            return
        name = words[-1].lstrip("*")
        if match["kind"] == "type":
            self.types.setdefault(name, " ".join([match["text"].strip(), *(line.strip() for line in more)]).strip())
        elif match["kind"] in _FIELD_OF_PARAMETER or (
            match["kind"] in _FIELD_OF_ATTRIBUTE and self.sections is not _PARAMETERS
        ):
            self.descriptions.setdefault(name, [match["text"].strip(), *_dedent(more)])
            if len(words) > 1:
                self.types.setdefault(name, " ".join(words[:-1]))

    def google_entries(self, lines: Sequence[str]) -> Iterator[_Entry]:
        current: _Entry | None = None
        for line in lines:
            match = self.entry_start(line)
            if match is not None:
                if current is not None:
                    yield current
                type_text = match["type"][1:-1] if match["type"] else None
                current = (match["names"], type_text, [line[match.end() :].strip()])
            elif current is not None:
                current[2].append(line)
        if current is not None:
            yield current

    def entry_start(self, line: str) -> re.Match[str] | None:
        match = _ENTRY.match(line)
        if match is not None:
            return match
        match = _DASHED.match(line)
        return match if match is not None and self.parameters.issuperset(_bare(match["names"])) else None

    def numpy_entries(self, lines: Sequence[str]) -> Iterator[_Entry]:
        current: _Entry | None = None
        for line in lines:
            match = _NUMPY_ENTRY.match(line) if line[:1].strip() else None
            if match is not None:
                if current is not None:
                    yield current
                current = (match["names"], match["type"], [])
            elif current is not None:
                current[2].append(line)
        if current is not None:
            yield current

    def margin_end(self, lines: Sequence[str], start: int) -> int:
        """Where entries that stand at the margin end: they name a parameter, or continue one that does."""
        end = start
        for index in range(start, len(lines)):
            match = self.entry_start(lines[index])
            if match is not None and self.parameters.issuperset(_bare(match["names"])):
                end = index + 1
            elif not lines[index][:1].isspace() or end == start:
                break
            else:
                end = index + 1
        return end


def _google_title(line: str) -> str | None:
    match = _GOOGLE_HEADER.match(line)
    if match is None:
        return None
    title = match[1].lower()
    # `example:` in the middle of a sentence is no header; `args:` always is.
    return title if title in _PARAMETERS or (title in _SECTIONS and match[1][0].isupper()) else None


def _numpy_title(lines: Sequence[str], index: int) -> str | None:
    if index + 1 >= len(lines) or not _NUMPY_RULE.match(lines[index + 1]):
        return None
    title = lines[index].strip().lower()
    return title if title in _SECTIONS or title in {"notes", "warnings"} else None


def _bare(names: str) -> list[str]:
    """The names of an entry, without stars and other marks."""
    return [name.strip().strip("*`") for name in names.split(",")]


def _indented_end(lines: Sequence[str], start: int) -> int:
    """The end of the lines from `start` that are indented, blank ones between them included."""
    end = start
    for index in range(start, len(lines)):
        if lines[index][:1].isspace():
            end = index + 1
        elif lines[index]:
            break
    return end


def _numpy_end(lines: Sequence[str], start: int) -> int:
    """The end of a NumPy section: the next title with a rule under it, or a field."""
    for index in range(start, len(lines)):
        ruled = index + 1 < len(lines) and _NUMPY_RULE.match(lines[index + 1]) and lines[index].strip()
        if ruled or _FIELD.match(lines[index]):
            return index
    return len(lines)


def _dedent(lines: Sequence[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[margin:] for line in lines]


def _joined(lines: Sequence[str]) -> str:
    """A description of several lines; the first is the rest of its entry's line, and has no indentation to lose."""
    return "\n".join(line.rstrip() for line in [*lines[:1], *_dedent(lines[1:])]).strip()
