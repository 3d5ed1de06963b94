"""Say in source what modules came to be: an imported module goes in, stubs of it and of what it names come out.

The types in a stub are spelled out of the objects that annotations evaluated to, by full names; a class becomes its
fields. What cannot be spelled is a name that nothing binds, for whoever reads the stub to stumble over. This runs in
the process that imports, and needs nothing but the standard library.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Collection, Mapping
from typing import TypeAlias

from .writer import Module, Stubs

# What tool decorators were given, by the number of the function, with the function that it is the number of.
Recorded: TypeAlias = Mapping[int, tuple[object, Mapping[str, object]]]


def describe(module: types.ModuleType, namespace: str, recorded: Recorded, opaque: Collection[str]) -> dict[str, str]:
    """The stubs of a module and of those whose classes it names, by dotted name within the layer, or as installed.

    `namespace` is the package that stands for the layer; classes of the packages `opaque` are named and not described.
    """
    stubs = Stubs(namespace=namespace, opaque=opaque)
    own = stubs.dotted(module.__name__)
    stubs.modules.setdefault(own, Module())
    for name, function in list(vars(module).items()):
        if not isinstance(function, types.FunctionType) or not name.isidentifier():
            continue
        if name != function.__name__ and vars(module).get(function.__name__) is function:
            continue  # a second name
        options = _options(function, recorded)
        if options is None and module.__name__ not in (function.__module__, inspect.unwrap(function).__module__):
            returned = inspect.unwrap(function).__annotations__.get("return")
            if returned not in (str, "str"):
                continue
        try:
            text = stubs.function(name, function, options)
        except Exception:  # whatever a module may put in the place of a signature
            continue
        stubs.modules[own].statements.append(text)
    listed = vars(module).get("__all__")
    if isinstance(listed, (list, tuple)) and all(type(name) is str for name in listed):
        stubs.modules[own].statements.append(f"__all__ = {list(listed)!r}\n")
    return {dotted: stubs.text(dotted) for dotted in sorted(stubs.modules)}


def _options(function: object, recorded: Recorded) -> Mapping[str, object] | None:
    """What the tool decorator was given, on the function or on one that it wraps."""
    for _ in range(100):
        if id(function) in recorded:
            return recorded[id(function)][1]
        function = getattr(function, "__wrapped__", None)
        if function is None:
            return None
    return None
