"""Rules about what a tool may do and what it is given: T401 to T412."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

WIDENED = Rule(
    id="T401",
    name="access-widened",
    title="a tool is given more than it was",
    callers=Verdict.SAFE,
    security=Verdict.BREAKING,
    guarded=True,
    explanation="""\
The tool now inherits the host's whole environment, where it got only the variables it declares: every token and path
that the host knows. Keep `policy = "declared"` in `[env]` and name what is needed under `pass`. This rule can be
lowered only with `allow-security-downgrade`.
""",
)

NARROWED = Rule(
    id="T402",
    name="access-narrowed",
    title="a tool is given less than it was",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    explanation="""\
The tool no longer inherits the host's environment and gets only the variables it declares. Calls that relied on
another one fail, or act otherwise, without a word: list it in the tool's `env` or under `pass` in `[env]`.
""",
)

NOW_ALLOWED = Rule(
    id="T403",
    name="now-allowed",
    title="a tool runs unasked now",
    callers=Verdict.SAFE,
    security=Verdict.BREAKING,
    guarded=True,
    explanation="""\
From `ask` or `deny` to `allow`: nobody sees the call before it runs. Where one line of the policy does this to many
tools they are one group; read the list. This rule can be lowered only with `allow-security-downgrade`.
""",
)

NOW_ASKED = Rule(
    id="T404",
    name="now-asked",
    title="a tool is asked for that ran unasked",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    explanation="""\
From `allow` to `ask`: where nobody can answer (a pipeline, a schedule) every call ends as `not-approved`.
""",
)

NOW_DENIED = Rule(
    id="T405",
    name="now-denied",
    title="a tool is denied now",
    callers=Verdict.BREAKING,
    hosts=Verdict.BREAKING,
    explanation="""\
A denied tool stays in the lock, but it has no wrapper, is in no definitions, and every call is refused.
""",
)

VARIABLE_ADDED = Rule(
    id="T406",
    name="variable-added",
    title="a tool is given another environment variable",
    callers=Verdict.SAFE,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
A variable that the tool needs has to be set wherever it runs, or the tool is `unavailable`; one with `?` is passed
where it is set. A name that looks like a secret (token, key, password) is breaking for security: the tool will hold
that secret from now on. Values are never in a lock.
""",
)

VARIABLE_REMOVED = Rule(
    id="T407",
    name="variable-removed",
    title="a tool is no longer given an environment variable",
    callers=Verdict.SAFE,
    explanation="""\
The tool asks for less. Under `policy = "declared"` it cannot see the variable any more.
""",
)

VARIABLE_NEEDED = Rule(
    id="T410",
    name="variable-needed",
    title="a tool needs an environment variable that was optional",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    explanation="""\
Where the variable is not set the tool is `unavailable` now; before, it ran without it.
""",
)

VARIABLE_OPTIONAL = Rule(
    id="T411",
    name="variable-optional",
    title="a tool no longer needs an environment variable",
    callers=Verdict.INFO,
    explanation="""\
The tool still gets the variable where it is set, and runs without it.
""",
)

NO_LONGER_DENIED = Rule(
    id="T412",
    name="no-longer-denied",
    title="a denied tool is offered again",
    callers=Verdict.SAFE,
    hosts=Verdict.SAFE,
    security=Verdict.RISKY,
    explanation="""\
From `deny` to `ask`: models see the tool and may call it, and someone is asked each time. Review it as you would a new
tool (T101).
""",
)
