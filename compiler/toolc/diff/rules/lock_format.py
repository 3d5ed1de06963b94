"""Rules about the lock itself: T801 to T807."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

LOCK_VERSION_CHANGED = Rule(
    id="T801",
    name="lock-version-changed",
    title="the lock has another format version",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    explanation="""\
Readers that know only the older version refuse the lock. A change of format is best a commit of its own, so that the
facts of a review do not drown in it.
""",
)

FORMAT_ONLY = Rule(
    id="T802",
    name="format-only",
    title="the lock is spelled otherwise and says the same",
    callers=Verdict.INFO,
    explanation="""\
The bytes of the lock changed and nothing that a reader takes from them: its spelling, or a schema that is written in
another way and accepts the same. It is said so that a lock never changes in silence.
""",
)

UNKNOWN_KEYS = Rule(
    id="T803",
    name="unknown-keys",
    title="the lock has keys that this toolc does not know",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
A newer toolc wrote them, and this one cannot say what changed in them. Compare with the newer one.
""",
)

NOT_CANONICAL = Rule(
    id="T804",
    name="not-canonical",
    title="the lock is not spelled as toolc spells it",
    callers=Verdict.INFO,
    hosts=Verdict.BREAKING,
    explanation="""\
There is one way to write a lock. This one was edited by hand or by a formatter, and `toolc lock --check` refuses it.
Run `toolc lock`.
""",
)

FEATURES_CHANGED = Rule(
    id="T805",
    name="features-changed",
    title="the lock requires other features of its reader",
    callers=Verdict.INFO,
    hosts=Verdict.BREAKING,
    explanation="""\
A runtime that lacks a feature which the lock requires refuses the bundle: it has to be upgraded first. A feature that
is no longer required is of no consequence.
""",
)

LOCK_ADDED = Rule(
    id="T806",
    name="lock-added",
    title="there was no lock before",
    callers=Verdict.INFO,
    explanation="""\
The toolset is new here, and every tool is one that was added. Nothing else of it is compared with anything.
""",
)

LOCK_REMOVED = Rule(
    id="T807",
    name="lock-removed",
    title="there is no lock any more",
    callers=Verdict.INFO,
    hosts=Verdict.BREAKING,
    explanation="""\
Whoever loads or pins the toolset finds nothing. Every tool is one that was removed.
""",
)
