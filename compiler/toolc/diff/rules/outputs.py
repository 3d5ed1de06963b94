"""Rules about the results of a tool: T251 to T257. The new schema is compatible where every result that it allows was
allowed by the old one: whoever reads results was told of those alone."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

OUTPUT_PROPERTY_REMOVED = Rule(
    id="T251",
    name="output-property-removed",
    title="a property of the result is gone, or may be missing",
    callers=Verdict.BREAKING,
    explanation="""\
Whoever reads the result was told that the property is there, or may be. Keep returning it beside whatever replaces it.
""",
)

OUTPUT_PROPERTY_ADDED = Rule(
    id="T252",
    name="output-property-added",
    title="the result can have another property",
    callers=Verdict.SAFE,
    explanation="""\
Readers that take what they know do not see it. Where the old schema was closed, a reader that checks results against it
refuses the new ones: there it is `risky`.
""",
)

OUTPUT_WIDENED = Rule(
    id="T253",
    name="output-widened",
    title="the result can be what it could not be before",
    callers=Verdict.BREAKING,
    explanation="""\
Another type, null, a longer list, a text of another form: readers were told that it does not happen.

    {"type": "string"}   ->   {"type": ["string", "null"]}
""",
)

OUTPUT_NARROWED = Rule(
    id="T254",
    name="output-narrowed",
    title="the result is bounded more tightly",
    callers=Verdict.SAFE,
    explanation="""\
Every result of the new schema is one that the old schema allowed.
""",
)

OUTPUT_VALUE_ADDED = Rule(
    id="T255",
    name="output-enum-value-added",
    title="the result can have another of the listed values",
    callers=Verdict.RISKY,
    explanation="""\
Readers that tell all the old values apart have no branch for the new one. Whether they have one for values they do not
know cannot be seen in a lock.
""",
)

OUTPUT_SCHEMA_CHANGED = Rule(
    id="T256",
    name="output-schema-dropped",
    title="results are no longer described, or are now",
    callers=Verdict.RISKY,
    explanation="""\
Without a schema a result can be anything. It may still be what it was, so a schema that is dropped is `risky`; one that
is added promises something that was not promised before, which is `info`.
""",
)

OUTPUT_FORM_CHANGED = Rule(
    id="T257",
    name="output-form-changed",
    title="the result became structured, or became text",
    callers=Verdict.BREAKING,
    explanation="""\
Hosts hand a structured result on as data and a text as text: every reader of the one is told the other now.
""",
)
