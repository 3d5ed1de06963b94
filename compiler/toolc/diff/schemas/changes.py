"""What the comparison of two schemas finds, before anyone judges it: changes, and the sites where they are.

The comparison asks one question, whether all that the left schema accepts is accepted by the right one. For arguments
left is old and right is new; for results it is the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from toolc.diff.model import ABSENT, Absent, Rule, Verdict
from toolc.diff.schemas.forms import Position
from toolc.model import Json
from toolc_runtime.nodes import Node

Place: TypeAlias = tuple[str | int, ...]  # a JSON pointer into a schema
Refuses: TypeAlias = Callable[[object], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Two positions that are compared, and the values they are about."""

    left: Position
    right: Position
    path: Place = ()  # to the value, from the root of the arguments; an index is any item from there on
    trail: str = ""  # the path as it is shown
    name: str = ""  # of the property whose value it is, or is part of
    whole: str = "the value"  # how messages name the root
    plain: bool = True  # every value on the way has to satisfy exactly this: no alternatives, no conditions
    required: bool = False  # the value has to be there, on both sides

    def below(
        self,
        step: str | int,
        left: Position,
        right: Position,
        *,
        required: bool = False,
        plain: bool = True,
        shown: str | None = None,
    ) -> Site:
        """The site of a part of the value; `shown` is for a name that stands for others."""
        name = self.name if isinstance(step, int) else step
        tail = "[]" if isinstance(step, int) else f".{shown or step}" if self.trail else shown or step
        return replace(
            self,
            left=left,
            right=right,
            path=(*self.path, step),
            trail=self.trail + tail,
            name=name,
            plain=self.plain and plain,
            required=required,
        )

    def loose(self) -> Site:
        """The same site, seen as one alternative of several."""
        return replace(self, plain=False)

    @property
    def label(self) -> str:
        """How a message names the value: `limit`, `rows[].name`, or `the arguments`."""
        return f"`{self.trail}`" if self.trail else self.whole


@dataclass(frozen=True, slots=True)
class Said:
    """What one side says, and where: at the keyword, or where it would stand."""

    place: Place | None = None
    value: Json | Absent = ABSENT


NOTHING = Said()


def said(node: Node) -> Said:
    """A schema as it is written."""
    return Said(node.pointer, node.keywords if node.always is None else node.always)


def keyword_said(node: Node | None, keyword: str) -> Said:
    """What a node says with a keyword it has."""
    return NOTHING if node is None else Said((*node.pointer, keyword), node.keywords[keyword])


def said_at(position: Position) -> Said:
    """The schema of a position as it is written; several nodes are as the first says."""
    return said(position[0]) if position else NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. `refuses` says which values of the left side it makes the right one refuse; None: none."""

    rule: Rule
    site: Site
    message: str  # of a left side that is old and a right side that is new
    left: Said = NOTHING
    right: Said = NOTHING
    callers: Verdict
    security: Verdict
    refuses: Refuses | None = None
    certain: bool = True  # it refuses something wherever the left side accepts anything at all
    undecided: Rule | None = None  # the rule it is of where no example is found, if not T299
    about: str = ""  # the property it is about, where that is not the site's own value
    notes: tuple[str, ...] = ()

    @property
    def narrows(self) -> bool:
        """Whether something that the left side accepts may be refused, or ignored, by the right one."""
        return self.callers in (Verdict.BREAKING, Verdict.RISKY)


def change(
    rule: Rule,
    site: Site,
    message: str,
    *,
    left: Said = NOTHING,
    right: Said = NOTHING,
    callers: Verdict | None = None,
    security: Verdict | None = None,
    refuses: Refuses | None = None,
    certain: bool = True,
    undecided: Rule | None = None,
    about: str = "",
    notes: tuple[str, ...] = (),
) -> Change:
    """A change, judged as its rule is where no other verdict is given."""
    return Change(
        rule=rule,
        site=site,
        message=message,
        left=left,
        right=right,
        callers=callers or rule.callers,
        security=security or rule.security,
        refuses=refuses,
        certain=certain,
        undecided=undecided,
        about=about,
        notes=notes,
    )


def anything(_: object) -> bool:
    """For a change that names no values of its own: whatever the right side refuses will do."""
    return True
