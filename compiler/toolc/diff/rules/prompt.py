"""Rules about the text that a model reads: T301 to T308."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

DESCRIPTION_CHANGED = Rule(
    id="T301",
    name="description-changed",
    is_text=True,
    title="the description of a tool changed",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
To a model the description *is* the contract: other words make other calls, with every schema unchanged. It is also
where a tool that was harmless when it was approved can be turned (a "rug pull"). Read the difference word by word.
""",
)

SCHEMA_DESCRIPTION_CHANGED = Rule(
    id="T302",
    name="parameter-description-changed",
    is_text=True,
    title="the description in a schema changed",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
The description of a parameter, a result or a part of one steers what a model writes there, as the tool's own does.
Read the difference word by word.
""",
)

WHITESPACE_CHANGED = Rule(
    id="T303",
    name="text-rewrapped",
    is_text=True,
    title="only the white space of a text changed",
    callers=Verdict.INFO,
    explanation="""\
The words are the same, in the same order; spaces and line breaks are not. Models are not troubled by that, but it is
a change of what they are sent, so it is never left out.
""",
)

INVISIBLE_ADDED = Rule(
    id="T304",
    name="invisible-added",
    title="a character nobody can see was added",
    callers=Verdict.BREAKING,
    security=Verdict.BREAKING,
    guarded=True,
    explanation="""\
Tags, bidirectional controls, zero-width and private-use characters can carry text that a model reads and a reviewer
does not, or show a text in another order than it is read. The lock spells them out, and so does the diff
(`<U+202E>`). Joiners and selectors where a script or an emoji needs them are not meant. No project needs these in the
text of a tool: remove them. This rule can be lowered only with `allow-security-downgrade`.
""",
)

INSTRUCTION_ADDED = Rule(
    id="T305",
    name="instruction-added",
    is_text=True,
    title="text was added that reads like an instruction to the model",
    callers=Verdict.RISKY,
    security=Verdict.BREAKING,
    explanation="""\
A description that mentions another tool, asks the model to ignore or to hide something, names files of secrets, opens
a tag such as `<important>`, or holds an address or a long encoded text may steer the model beyond its own tool. This
is a table of patterns, not a judgement: it finds honest sentences ("prefer `grep` for plain text") and misses clever
ones. Acknowledge what is meant; the text as a whole is in T301 or T302.
""",
)

TITLE_CHANGED = Rule(
    id="T306",
    name="title-changed",
    is_text=True,
    title="a title, comment or annotation changed",
    callers=Verdict.INFO,
    explanation="""\
Titles, `$comment` and annotations other than the four hints are for people and for the windows of hosts; few models
see them. They are still scanned for what T304 and T305 look for.
""",
)

HINT_CHANGED = Rule(
    id="T307",
    name="hint-changed",
    title="a hint about the effects of a tool changed",
    callers=Verdict.RISKY,
    explanation="""\
Hosts ask before, or run at once, by `readOnlyHint`, `destructiveHint`, `idempotentHint` and `openWorldHint`. A change
that makes the tool look safer than it did (read-only now, not destructive, repeatable, closed) is breaking for
security, because a host may stop asking; make sure that the code became safer too. A hint that is not given has its
default in MCP: false, true, false, true.
""",
)

EXAMPLES_CHANGED = Rule(
    id="T308",
    name="examples-changed",
    title="the examples in a schema changed",
    callers=Verdict.INFO,
    security=Verdict.RISKY,
    explanation="""\
Models copy examples. They break nobody, but an example is a call that the model may well make: read it as one.
""",
)
