"""Compare the properties that two shapes declare and require: shapes of objects go in, changes come out.

A property that one side alone declares is compared with what the other says of undeclared ones: nothing at all, a
schema for them, or that there are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolc.diff.model import Absent, Verdict
from toolc.diff.rules import inputs as rules
from toolc.diff.schemas.changes import Change, Refuses, Said, Site, anything, change, said
from toolc.diff.schemas.described import declared, is_matched, keyword_of, property_at, required
from toolc.diff.schemas.forms import Position, Shape, chain, keyword_place
from toolc.diff.schemas.meaning import same
from toolc.diff.schemas.sensitive import subjects
from toolc_runtime.nodes import Node

if TYPE_CHECKING:
    from toolc.diff.schemas.walk import Walk


class Properties:
    """The comparison of what two shapes declare and require."""

    def __init__(self, walk: Walk, site: Site, left: Shape, right: Shape) -> None:
        self.walk = walk
        self.site = site
        self.left, self.right = left, right
        self.before, self.after = declared(left), declared(right)
        self.needed, self.needs = required(left), required(right)

    def compare(self) -> Iterator[Change]:
        renamed = self.renamed()
        for name in self.before:
            if name in self.after:
                yield from self.kept(name)
            elif name not in renamed:
                yield from self.removed(name)
        for name in self.after:
            if name not in self.before and name not in renamed.values():
                yield from self.added(name)
        for old, new in renamed.items():
            yield self.rename(old, new)
        yield from self.requirements(set(renamed) | set(renamed.values()))
        common = [name for name in self.before if name in self.after]
        if common != [name for name in self.after if name in self.before]:
            places = (keyword_of(self.left, "properties"), keyword_of(self.right, "properties"))
            yield change(
                rules.PROPERTIES_REORDERED,
                self.site,
                f"the properties of {self.site.label} have another order",
                left=Said(places[0].place, list(self.before)),
                right=Said(places[1].place, list(self.after)),
            )

    def below(self, name: str, left: Position, right: Position, *, plain: bool = True) -> Site:
        return self.site.below(name, left, right, required=name in self.needs, plain=plain)

    def kept(self, name: str) -> Iterator[Change]:
        left, right = property_at(self.left, name), property_at(self.right, name)
        old, new = _declared(self.before, name), _declared(self.after, name)
        label = self.below(name, (), ()).label
        if left is None and right is not None:
            yield change(
                rules.OPTIONAL_ADDED,
                self.site,
                f"{label} can be given now",
                about=label,
                left=old,
                right=new,
                security=_reach(name),
            )
        elif left is not None and right is None:
            yield change(
                rules.PROPERTY_REMOVED,
                self.site,
                f"{label} can no longer be given",
                about=label,
                left=old,
                right=new,
                refuses=_has(name),
            )
        elif left is not None and right is not None:
            yield from self.walk.compare(self.below(name, left, right))

    def removed(self, name: str) -> Iterator[Change]:
        left, right = property_at(self.left, name), property_at(self.right, name)
        if left is None:
            return  # declared as what nothing satisfies: it was not there
        old = _declared(self.before, name)
        label = self.below(name, (), ()).label
        if right is None:
            yield change(
                rules.PROPERTY_REMOVED,
                self.site,
                f"{label} was removed",
                about=label,
                left=old,
                refuses=_has(name),
            )
        elif is_matched(self.right, name):
            yield from self.walk.compare(self.below(name, left, right))
        else:
            site = self.below(name, left, right)
            refused = [found for found in self.walk.compare(site) if found.narrows]
            yield change(
                rules.PROPERTY_IGNORED,
                site,
                f"{label} was removed, and calls that carry it are accepted still",
                left=old,
                refuses=anything if refused and site.plain else None,
            )

    def added(self, name: str) -> Iterator[Change]:
        left, right = property_at(self.left, name), property_at(self.right, name)
        new = _declared(self.after, name)
        site = self.below(name, left or (), right or ())
        if name in self.needs and name not in self.needed:
            return  # `requirements` tells of it
        if left is None:
            if right is not None:
                yield change(
                    rules.OPTIONAL_ADDED,
                    self.site,
                    f"{site.label} was added",
                    about=site.label,
                    right=new,
                    security=_reach(name),
                )
        elif right is None:
            yield change(
                rules.PROPERTY_REMOVED,
                self.site,
                f"{site.label} can no longer be given",
                about=site.label,
                right=new,
                refuses=_has(name),
            )
        else:
            yield from self.typed(site, name, new)

    def typed(self, site: Site, name: str, new: Said) -> Iterator[Change]:
        """A property that could be given before, and is declared now."""
        narrowed = not self.walk.covers(site)
        yield change(
            rules.OPTIONAL_ADDED_TO_OPEN,
            site,
            f"{site.label} is declared now" + (", and could be anything else before" if narrowed else ""),
            right=new,
            callers=None if narrowed else Verdict.SAFE,
            security=_reach(name),
            refuses=anything if narrowed else None,
            notes=() if narrowed else ("the declaration accepts all that was accepted before",),
        )

    # ------------------------------------------------------------------------------------------------ requirements

    def requirements(self, told: set[str]) -> Iterator[Change]:
        for name, owner in self.needs.items():
            if name in self.needed or name in told:
                continue
            label = self.below(name, (), ()).label
            rule, what = rules.BECAME_REQUIRED, "is required now"
            now = Said(keyword_place(owner, "required"), name)
            if name in self.after:
                if "default" in _notes(self.after[name].properties[name]):
                    rule, what = rules.REQUIRED_WITH_DEFAULT, "is required now, whatever its default says"
                elif name not in self.before:
                    rule, what = rules.REQUIRED_ADDED, "was added, and is required"
                if name not in self.before:
                    now = _declared(self.after, name)
            yield change(
                rule,
                self.site,
                f"{label} {what}",
                about=label,
                right=now,
                refuses=_lacks(name),
            )
        for name, owner in self.needed.items():
            if name in self.needs or name in told:
                continue
            if name in self.after or name not in self.before or is_matched(self.right, name):  # else it was removed
                yield change(
                    rules.BECAME_OPTIONAL,
                    self.site,
                    f"{self.below(name, (), ()).label} can be left out now",
                    about=self.below(name, (), ()).label,
                    left=Said(keyword_place(owner, "required"), name),
                )

    # ----------------------------------------------------------------------------------------------------- renames

    def renamed(self) -> dict[str, str]:
        """Properties that are gone, and those with the same schema at the same place that came."""
        names, others = list(self.before), list(self.after)
        return {
            old: new
            for old, new in zip(names, others, strict=False)
            if old not in self.after and new not in self.before and self.is_renamed(old, new)
        }

    def is_renamed(self, old: str, new: str) -> bool:
        left, right = self.before[old].properties[old], self.after[new].properties[new]
        return (
            (old in self.needed) == (new in self.needs)
            and old not in self.needs
            and new not in self.needed
            and left.always is not False
            and same((left,), (right,))
        )

    def rename(self, old: str, new: str) -> Change:
        closed = property_at(self.right, old) is None
        lacking = new in self.needs
        return change(
            rules.PROPERTY_RENAMED,
            self.site,
            f"{self.below(old, (), ()).label} seems to be `{new}` now",
            about=self.below(old, (), ()).label,
            left=_named(old, self.before),
            right=_named(new, self.after),
            security=Verdict.INFO if closed else Verdict.RISKY,
            refuses=(lambda value: _has(old)(value) or _lacks(new)(value)) if closed or lacking else None,
            notes=() if closed or lacking else (f"calls with `{old}` are accepted still, and what it says is ignored",),
        )


def _declared(owners: dict[str, Node], name: str) -> Said:
    """A property as its schema is written."""
    return said(owners[name].properties[name])


def _named(name: str, owners: dict[str, Node]) -> Said:
    """A property with its name, where that is what changed."""
    declared = _declared(owners, name)
    return Said(declared.place, {name: declared.value if not isinstance(declared.value, Absent) else None})


def _notes(node: Node) -> set[str]:
    """The keywords that a property has, itself or by reference."""
    return {keyword for link in chain((node,)) for keyword in link.keywords}


def _reach(name: str) -> Verdict | None:
    return Verdict.RISKY if subjects(name) else None


def _has(name: str) -> Refuses:
    return lambda value: isinstance(value, dict) and name in value


def _lacks(name: str) -> Refuses:
    return lambda value: isinstance(value, dict) and name not in value
