"""Make of the arguments what a tool declared: the lock's `conversions` and valid JSON go in, Python's types come out.

A plan is made once for each tool, of the parts of its schema that a conversion lies in or below; the rest is passed on
untouched, and a tool without conversions has no plan. Children are converted before what holds them, save below a
model that validates by itself: it gets the JSON that it was declared for.
"""

from __future__ import annotations

from . import steps
from .problems import show
from .result import Problem
from .standard import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .finder import Layer
    from .jsontext import Json
    from .problems import Path
    from .steps import Step

_PROBLEMS_LIMIT = 30


class Plan:
    """What is made of the arguments of one tool."""

    def __init__(self, layer: Layer, schema: Mapping[str, Json], conversions: Mapping[str, str]) -> None:
        """The classes of `conversions` are those of the layer; each is loaded when a value first needs it."""
        self._root = steps.read(layer, schema, conversions)

    def carry_out(self, arguments: Mapping[str, Json]) -> tuple[Mapping[str, Any], list[Problem]]:
        """The converted arguments, and the problems of those that could not be. The given ones stay as they are."""
        if not self._root.live:
            return arguments, []
        conversion = _Conversion()
        converted: Mapping[str, Any] = conversion.of(self._root, arguments, (), inside=None)
        problems = conversion.problems
        if len(problems) > _PROBLEMS_LIMIT:
            more = Problem((), f"and {len(problems) - _PROBLEMS_LIMIT} more problems")
            problems = [*problems[:_PROBLEMS_LIMIT], more]
        return converted, problems


class _Conversion:
    """One carrying out. `inside` is for what is below a model: the way in which the model reads bytes from its JSON.
    Of what is there only bytes are made, and spelled in that way.
    """

    __slots__ = ("problems",)

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def of(self, step: Step, value: Any, path: Path, *, inside: str | None) -> Any:
        if not (step.bytes_below if inside else step.live):
            return value
        told = len(self.problems)
        value = self.below(step, value, path, inside=step.reads_bytes or inside)
        make = step.make() if not inside or step.is_bytes else None
        if make is None or len(self.problems) > told:
            return value
        try:
            made = make(value)
        except Refused as refusal:
            self.problems += [Problem((*path, *inner), words) for inner, words in refusal.problems]
            return value
        if inside and isinstance(made, bytes):
            from .classes import spelled

            return spelled(made, inside)
        return made

    def below(self, step: Step, value: Any, path: Path, *, inside: str | None) -> Any:
        """The value with everything in it converted."""
        if step.target is not None:
            value = self.of(step.target, value, path, inside=inside)
        if step.branches:
            value = self.of_union(step.branches, value, path, inside=inside)
        if isinstance(value, dict):
            if step.properties or step.additional is not None:
                value = {
                    name: inner if below is None else self.of(below, inner, (*path, name), inside=inside)
                    for name, inner in value.items()
                    for below in (step.properties.get(name, step.additional),)
                }
            return value if step.names is None else self.of_names(step.names, value, path, inside=inside)
        if isinstance(value, list) and (step.prefix or step.items is not None):
            first = len(step.prefix)
            return [
                inner if below is None else self.of(below, inner, (*path, i), inside=inside)
                for i, inner in enumerate(value)
                for below in (step.prefix[i] if i < first else step.items,)
            ]
        return value

    def of_names(self, step: Step, value: dict[str, Any], path: Path, *, inside: str | None) -> dict[Any, Any]:
        """The object with its names converted, as a mapping of dates or of an enum's members has them."""
        told = len(self.problems)
        changed: dict[Any, Any] = {}
        for name, inner in value.items():
            key = self.of(step, name, (*path, name), inside=inside)
            if key in changed and len(self.problems) == told:
                self.problems.append(Problem((*path, name), "is the same as a name before it"))
            changed[key] = inner
        return changed

    def of_union(self, branches: list[Step], value: Any, path: Path, *, inside: str | None) -> Any:
        """The value as the first branch has it that accepts it and whose class, if any, makes something of it."""
        fitting = [branch for branch in branches if branch.may_be(value)]
        if not any(branch.live for branch in fitting):
            return value
        if value is None and any(branch.is_null for branch in fitting):
            return value  # what is said to be optional is None, whatever a class would make of null
        told = len(self.problems)
        first: list[Problem] = []
        for branch in fitting:
            if len(fitting) > 1 and not branch.accepts(value):
                continue
            converted = self.of(branch, value, path, inside=inside)
            if len(self.problems) == told:
                return converted
            first = first or self.problems[told:]
            del self.problems[told:]
        self.problems += first or [Problem(path, f"{show(value)} fits none of the forms that are declared")]
        return value
