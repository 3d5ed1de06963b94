"""Rules about the arguments of a tool: T201 to T241 and T299. The new schema is compatible where every argument object
that the old one accepts is accepted still."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

REQUIRED_ADDED = Rule(
    id="T201",
    name="required-added",
    title="a required parameter was added",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Every call that was made for the old toolset lacks the parameter, and is refused now. Give it a default, and it is
T205, which breaks nobody.
""",
)
