"""What a diff is made of: two sides go in, findings come out, each of a rule and with its verdicts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from toolc import budget
from toolc.model import Json, Toolset


class Verdict(StrEnum):
    """What a change does to somebody, the worst first."""

    BREAKING = "breaking"  # what conformed can fail now, or the boundary of trust moved
    RISKY = "risky"  # the lock does not hold enough to decide; a person has to
    SAFE = "safe"  # provably compatible
    INFO = "info"  # nothing to decide

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Verdict).index(self)


def worst(*verdicts: Verdict) -> Verdict:
    """The worst of some verdicts."""
    return min(verdicts, key=lambda verdict: verdict.rank)


class Consumer(StrEnum):
    """Who calls the tools."""

    PINNED = "pinned"  # something keeps the old shape: prompts, plans, host code, sessions under way
    LIVE = "live"  # a model that reads the schemas anew before it calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A kind of change, and what it does where nothing says otherwise.

    `callers` is whoever makes calls by the old shape (a model, a recorded plan, host code), `hosts` whoever loads and
    runs the toolset, `security` whoever has to trust it.
    """

    id: str
    name: str  # `required-added`
    title: str  # `a required parameter was added`
    callers: Verdict
    hosts: Verdict = Verdict.INFO
    security: Verdict = Verdict.INFO
    explanation: str  # why it is judged so and what to do, markdown, shown by `toolc explain`
    narrows: bool = False  # it narrows a schema: a model that reads the new one anew is not broken by it
    is_text: bool = False  # it is about words that the model reads: a change is shown by words
    guarded: bool = False  # `[diff.severity]` cannot lower it without saying so twice


class Absent:
    """What stands where one side has nothing: JSON's null is a value."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One change. Unless it says otherwise it is judged as its rule is."""

    rule: Rule
    tool: str | None = None  # None: of the toolset as a whole
    pointer: str  # JSON pointer into the lock: of the new side, or of the old one where that alone has it
    message: str  # what changed, in a sentence without a full stop
    old: Json | Absent = ABSENT
    new: Json | Absent = ABSENT
    callers: Verdict
    hosts: Verdict
    security: Verdict
    witness: Json | Absent = ABSENT  # arguments that the old side accepts and the new one refuses
    notes: tuple[str, ...] = ()  # why it is judged so here, what else to know
    affects: tuple[str, ...] = ()  # sorted names of the tools that a change of the toolset as a whole reaches

    @property
    def severity(self) -> Verdict:
        """The worse of what it does to callers and to hosts."""
        return worst(self.callers, self.hosts)

    @property
    def gravity(self) -> Verdict:
        """The worst it does to anyone."""
        return worst(self.callers, self.hosts, self.security)

    @property
    def fingerprint(self) -> str:
        """The change itself in 12 digits, whatever the words: an acknowledgement of one covers no other."""
        parts = (self.rule.id, self.tool or "", self.pointer, _canonical(self.old), _canonical(self.new))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def found(
    rule: Rule,
    pointer: str,
    message: str,
    *,
    tool: str | None = None,
    old: Json | Absent = ABSENT,
    new: Json | Absent = ABSENT,
    callers: Verdict | None = None,
    hosts: Verdict | None = None,
    security: Verdict | None = None,
    witness: Json | Absent = ABSENT,
    notes: tuple[str, ...] = (),
    affects: tuple[str, ...] = (),
) -> Finding:
    """A finding, judged as its rule is where no other verdict is given."""
    return Finding(
        rule=rule,
        tool=tool,
        pointer=pointer,
        message=message,
        old=old,
        new=new,
        callers=callers or rule.callers,
        hosts=hosts or rule.hosts,
        security=security or rule.security,
        witness=witness,
        notes=notes,
        affects=affects,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two toolsets that are compared."""

    label: str  # how messages name it: `main:toolset.json`, `dist/toolset`
    path: str  # of the lock in the repository or beside the project, for places
    lock: bytes | None = None  # None: there is no lock on this side, and the toolset is empty
    toolset: Toolset
    read: Callable[[str], bytes | None] = field(default=lambda _: None)  # bytes of a bundle path, where it is at hand

    @property
    def lock_is_there(self) -> bool:
        """Whether this side has a lock at all."""
        return self.lock is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What definitions take of a model's prompt, in characters; 0 where a side does not offer them."""

    old: int
    new: int

    @property
    def old_tokens(self) -> int:
        """About how many tokens it was: four characters are taken for one."""
        return budget.tokens(self.old)

    @property
    def new_tokens(self) -> int:
        """About how many tokens it is."""
        return budget.tokens(self.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """All that changed between two sides."""

    old: Side
    new: Side
    findings: tuple[Finding, ...]  # by tool (the toolset first), then gravity, rule and pointer
    acknowledged: Mapping[str, str] = field(default_factory=dict)  # fingerprint -> reason
    stale: tuple[str, ...] = ()  # fingerprints of acknowledgements that no finding has
    expired: tuple[str, ...] = ()  # fingerprints of acknowledgements that counted once
    costs: Mapping[str, Cost] = field(default_factory=dict)  # by name, of the tools that a side offers
    total: Cost = field(default_factory=lambda: Cost(old=0, new=0))  # of the list of them all


def given(value: Json) -> Json | Absent:
    """A value of a field that is optional in the lock; None is how a toolset says that it is not there."""
    return ABSENT if value is None else value


def pointer(*steps: str | int) -> str:
    """A JSON pointer, its steps escaped."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def _canonical(value: Json | Absent) -> str:
    if isinstance(value, Absent):
        return ""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
