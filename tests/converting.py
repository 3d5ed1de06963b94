"""Carry out conversions without a bundle: a schema, conversions and a value go in, what is made of it comes out."""

from __future__ import annotations

from types import ModuleType
from typing import Any, cast

from toolc_runtime.convert import Plan
from toolc_runtime.finder import Layer


class _Classes:
    """Stands for a layer: one module, loaded already."""

    def __init__(self, module: ModuleType | None = None) -> None:
        self.module = module

    def find(self, name: str) -> ModuleType:
        assert self.module is not None and name == self.module.__name__
        return self.module


def plan(schema: dict[str, Any], conversions: dict[str, str], module: ModuleType | None = None) -> Plan:
    return Plan(cast("Layer", _Classes(module)), schema, conversions)


def converted(
    schema: dict[str, Any],
    conversions: dict[str, str],
    value: Any,
    defs: dict[str, Any] | None = None,
    module: ModuleType | None = None,
) -> Any:
    """The value of the one argument `x`; the problems, as text, where there are any."""
    whole = {"type": "object", "properties": {"x": schema}, "$defs": defs or {}}
    below = {p if p.startswith("/$defs") else f"/properties/x{p}": kind for p, kind in conversions.items()}
    arguments, problems = plan(whole, below, module).carry_out({"x": value})
    return [str(problem) for problem in problems] if problems else arguments["x"]
