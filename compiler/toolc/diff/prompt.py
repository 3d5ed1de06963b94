"""What a model reads of a tool: two states of a tool go in, findings about its texts come out.

The structure of its schemas is the matter of `schemas`. Here are the description of the tool, the annotations that
JSON Schema has for readers, and the annotations that MCP has for hosts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from toolc import budget
from toolc.diff import texts, words
from toolc.diff.instructions import Phrase, phrases
from toolc.diff.model import ABSENT, Absent, Finding, Rule, Verdict, found, pointer
from toolc.diff.rules import prompt as rules
from toolc.model import Json, Schema, Tool
from toolc.text import judge

# The hints of MCP (2025-06-18): what counts where one is not given, and what makes a tool look harmless.
_HINTS = {
    "readOnlyHint": (False, True),
    "destructiveHint": (True, False),
    "idempotentHint": (False, True),
    "openWorldHint": (True, False),
}
_READER_RULES: dict[str, tuple[Rule, str]] = {
    "description": (rules.SCHEMA_DESCRIPTION_CHANGED, "the description"),
    "title": (rules.TITLE_CHANGED, "the title"),
    "$comment": (rules.TITLE_CHANGED, "the comment"),
    "examples": (rules.EXAMPLES_CHANGED, "the list of examples"),
}
_PHRASES_SHOWN = 5
_PHRASE_LENGTH = 80


def compare(old: Tool, new: Tool, *, others: Set[str]) -> Iterator[Finding]:
    """How what a model reads of a tool changed; `others` are the names that a text could mean."""
    name = new.name
    place = pointer("tools", name, "description")
    yield from _text(
        rules.DESCRIPTION_CHANGED, place, f"the description of `{name}`", new, old.description, new.description
    )
    yield from _schema(new, "input_schema", old.input_schema, new.input_schema)
    yield from _schema(new, "output_schema", old.output_schema, new.output_schema)
    yield from _annotations(old, new)
    yield from hazards(old, new, others=others)


def hazards(old: Tool | None, new: Tool, *, others: Set[str]) -> Iterator[Finding]:
    """What a reviewer may not see, or may read over, in the texts that a tool has now and had not before."""
    before = {(text.pointer, text.is_key): text.text for text in texts.strings(old)} if old is not None else {}
    for text in texts.strings(new):
        was = before.get((text.pointer, text.is_key))
        if was == text.text:
            continue
        place = pointer("tools", new.name, *text.pointer)
        yield from _invisible(new, place, was, text.text)
        if text.is_prose:
            yield from _instructions(new, place, was, text.text, old, others)


# ------------------------------------------------------------------------------------------------------------- texts


def _text(rule: Rule, place: str, what: str, tool: Tool, old: Json | Absent, new: Json | Absent) -> Iterator[Finding]:
    """A finding where a text is another, or came or went."""
    if texts.spelled(old) == texts.spelled(new):
        return
    notes: tuple[str, ...] = ()
    if isinstance(old, str) and isinstance(new, str):
        if words.is_rewrapped(old, new):
            message = f"only the white space of {what} changed"
            yield found(rules.WHITESPACE_CHANGED, place, message, tool=tool.name, old=old, new=new)
            return
        notes = (_growth(old, new),)
    verb = "was added" if isinstance(old, Absent) else "was removed" if isinstance(new, Absent) else "changed"
    yield found(rule, place, f"{what} {verb}", tool=tool.name, old=old, new=new, notes=notes)


def _growth(old: str, new: str) -> str:
    tokens = budget.tokens(len(new)) - budget.tokens(len(old))
    return f"{len(new) - len(old):+,} characters, about {tokens:+,} tokens"


def _schema(tool: Tool, key: str, old: Schema | None, new: Schema | None) -> Iterator[Finding]:
    """The annotations of every schema that stands in the same place on both sides.

    A schema that came or went is the matter of `schemas`. Where a `$ref` was resolved or introduced, a text moved with
    the schema it is of.
    """
    before = dict(texts.schemas(old)) if old is not None else {}
    after = dict(texts.schemas(new)) if new is not None else {}
    gone = _annotation_texts(schema for place, schema in before.items() if place not in after)
    come = _annotation_texts(schema for place, schema in after.items() if place not in before)
    for place, schema in after.items():
        if place not in before:
            continue
        for keyword, (rule, what) in _READER_RULES.items():
            was, now = before[place].get(keyword, ABSENT), schema.get(keyword, ABSENT)
            if "$ref" in before[place] and isinstance(was, Absent) and (keyword, texts.spelled(now)) in gone:
                continue
            if "$ref" in schema and isinstance(now, Absent) and (keyword, texts.spelled(was)) in come:
                continue
            spot = pointer("tools", tool.name, key, *place, keyword)
            yield from _text(rule, spot, f"{what} of {texts.called(key, place, tool.name)}", tool, was, now)


def _annotation_texts(schemas: Iterator[Schema]) -> set[tuple[str, str]]:
    return {
        (keyword, texts.spelled(schema[keyword]))
        for schema in schemas
        for keyword in _READER_RULES
        if keyword in schema
    }


def _annotations(old: Tool, new: Tool) -> Iterator[Finding]:
    for key in sorted(old.annotations.keys() | new.annotations.keys()):
        was, now = old.annotations.get(key, ABSENT), new.annotations.get(key, ABSENT)
        place = pointer("tools", new.name, "annotations", key)
        if key not in _HINTS:
            yield from _text(rules.TITLE_CHANGED, place, f"the annotation `{key}` of `{new.name}`", new, was, now)
        elif texts.spelled(was) != texts.spelled(now):
            yield _hint(new, key, place, was, now)


def _hint(tool: Tool, key: str, place: str, old: Json | Absent, new: Json | Absent) -> Finding:
    default, harmless = _HINTS[key]
    before, after = (default if isinstance(value, Absent) else value for value in (old, new))
    same = texts.spelled(before) == texts.spelled(after)
    return found(
        rules.HINT_CHANGED,
        place,
        f"the hint `{key}` of `{tool.name}` " + ("says what was so without it" if same else f"is {_said(after)} now"),
        tool=tool.name,
        old=old,
        new=new,
        callers=Verdict.INFO if same else None,
        security=Verdict.BREAKING if after is harmless and not same else None,
        notes=("it makes the tool look safer to a host",) if after is harmless and not same else (),
    )


def _said(value: Json) -> str:
    return f"`{texts.spelled(value)}`"


# ----------------------------------------------------------------------------------------------------------- hazards


def _invisible(tool: Tool, place: str, old: str | None, new: str) -> Iterator[Finding]:
    added = Counter(each.char for each in judge(new)) - Counter(each.char for each in judge(old or ""))
    if added:
        said = ", ".join(f"U+{ord(char):04X}" for char in sorted(added))
        yield found(
            rules.INVISIBLE_ADDED,
            place,
            f"the text has {added.total()} more of the characters that nobody can see: {said}",
            tool=tool.name,
            old=ABSENT if old is None else old,
            new=new,
        )


def _instructions(
    tool: Tool, place: str, old: str | None, new: str, before: Tool | None, others: Set[str]
) -> Iterator[Finding]:
    own = before.name if before is not None else tool.name
    known = set(phrases(old, tool=own, others=others)) if old is not None else set()
    fresh = [phrase for phrase in dict.fromkeys(phrases(new, tool=tool.name, others=others)) if phrase not in known]
    if fresh:
        kinds = " and ".join(dict.fromkeys(phrase.what for phrase in fresh))
        yield found(
            rules.INSTRUCTION_ADDED,
            place,
            f"the text reads like an instruction to the model: it {kinds}",
            tool=tool.name,
            old=ABSENT if old is None else old,
            new=new,
            notes=tuple(_shown(phrase) for phrase in fresh[:_PHRASES_SHOWN]),
        )


def _shown(phrase: Phrase) -> str:
    text = phrase.text if len(phrase.text) <= _PHRASE_LENGTH else f"{phrase.text[: _PHRASE_LENGTH - 1]}…"
    return f"it {phrase.what}: {text}"
