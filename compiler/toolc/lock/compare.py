"""Say in sentences how two locks differ: two toolsets go in, one line comes out for every fact that is another.

Facts are compared as the lock spells them, so two toolsets have nothing to say exactly where their bytes are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from toolc.lock.write import facts, spell
from toolc.model import Json, Toolset


def changes(old: Toolset, new: Toolset) -> tuple[str, ...]:
    """What a reader of `old` has to know of `new`, in the order of the lock, then by name."""
    return tuple(_lock(facts(old), facts(new)))


def _lock(old: dict[str, Json], new: dict[str, Json]) -> Iterator[str]:
    for key, what in (("toolset", "the toolset's name"), ("version", "the version"), ("host", "the host")):
        yield from _value(what, old.get(key), new.get(key))
    yield from _names("required feature", old["requires"], new["requires"])
    yield from _layers(old["layers"], new["layers"])
    yield from _builtins(_map(old.get("builtins")), _map(new.get("builtins")))
    yield from _members("subset", old.get("subsets"), new.get("subsets"), _subset)
    yield from _members("tool", old["tools"], new["tools"], _tool)
    yield from _members("hidden name", old.get("hidden"), new.get("hidden"), _hidden)
    yield from _members("environment", old.get("python"), new.get("python"), _environment)
    yield from _files(_map(old["files"]), _map(new["files"]))


# ---------------------------------------------------------------------------------------------------------- sections


def _layers(old: Json, new: Json) -> Iterator[str]:
    before, after = ({str(_map(layer)["name"]): layer for layer in _list(layers)} for layers in (old, new))
    yield from _members("layer", before, after, _fields)
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield "the order of the layers changed"


def _builtins(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    yield from _value("the clash policy", old.get("policy"), new.get("policy"))
    yield from _names("overridden built-in", old.get("overridden"), new.get("overridden"))
    yield from _names("removed built-in", old.get("removed"), new.get("removed"))


def _subset(old: Json, new: Json) -> Iterator[str]:
    yield from _names("tool", old, new)


def _hidden(old: Json, new: Json) -> Iterator[str]:
    yield from _value("what it hides", _shadows(old), _shadows(new))


def _environment(old: Json, new: Json) -> Iterator[str]:
    before, after = _map(old), _map(new)
    for key in ("requires_python", "requirements"):
        yield from _value(key, before[key], after[key])
    packages = _map(before["packages"]), _map(after["packages"])
    for name in sorted(packages[0].keys() | packages[1].keys()):
        yield from _value(f"package `{name}`", packages[0].get(name), packages[1].get(name))


def _files(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    for path in sorted(old.keys() | new.keys()):
        if path not in old or path not in new:
            yield f"`{path}` {_verb(path in old, path in new)}"
            continue
        before, after = str(old[path]), str(new[path])
        if before.removesuffix(" x") != after.removesuffix(" x"):
            yield f"`{path}` changed"
        if before.endswith(" x") != after.endswith(" x"):
            yield f"`{path}` is {'executable now' if after.endswith(' x') else 'no longer executable'}"


# ------------------------------------------------------------------------------------------------------------- tools


def _tool(old: Json, new: Json) -> Iterator[str]:
    before, after = _map(old), _map(new)
    if _differ(before["description"], after["description"]):
        yield "description changed"
    yield from _parameters(_map(before["input_schema"]), _map(after["input_schema"]))
    for key, what in (("output_schema", "output schema"), ("annotations", "annotations")):
        if _differ(before.get(key), after.get(key)):
            yield f"{what} {_verb(key in before, key in after)}"
    yield from _value("permission", before["permission"], after["permission"])
    yield from _execution(_map(before["execution"]), _map(after["execution"]))
    yield from _origin(_map(before["origin"]), _map(after["origin"]))
    yield from _names("source", before["sources"], after["sources"])


def _parameters(old: dict[str, Json], new: dict[str, Json]) -> Iterator[str]:
    before, after = _map(old.get("properties")), _map(new.get("properties"))
    sentences = [
        f"parameter `{name}` {_verb(name in before, name in after)}"
        for name in sorted(before.keys() | after.keys())
        if (name in before) != (name in after) or _differ(before.get(name), after.get(name))
    ]
    yield from sentences
    stayed = [[name for name in names if name in before and name in after] for names in (before, after)]
    if stayed[0] != stayed[1]:
        yield "the order of the parameters changed"
    elif _differ(*({key: value for key, value in side.items() if key != "properties"} for side in (old, new))):
        yield "the schema around the parameters changed"
    elif not sentences and _differ(old, new):
        yield "the spelling of the parameters changed"


def _execution(old: dict[str, Json], new: dict[str, Json]) -> Iterator[str]:
    yield from _names("variable", old["env"], new["env"])
    yield from _fields(*({key: value for key, value in side.items() if key != "env"} for side in (old, new)))


def _origin(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    before, after = (f"{side['path']} of {side['layer']}" for side in (old, new))
    yield from _value("the declaration in force", before, after)
    yield from _value("what it shadows", _shadows(old.get("shadows")), _shadows(new.get("shadows")))


def _shadows(shadows: Json) -> str | None:
    rows = [_map(shadow) for shadow in _list(shadows)]
    return ", ".join(f"{row['path']} of {row['layer']} ({row['reason']})" for row in rows) or None


# ------------------------------------------------------------------------------------------------------------- parts


def _members(kind: str, old: Json, new: Json, inside: Callable[[Json, Json], Iterator[str]]) -> Iterator[str]:
    """What was added, removed, or changed inside, by name."""
    before, after = _map(old), _map(new)
    for name in sorted(before.keys() | after.keys()):
        if name in before and name in after:
            yield from (f"{kind} `{name}`: {sentence}" for sentence in inside(before[name], after[name]))
        else:
            yield f"{kind} `{name}` {_verb(name in before, name in after)}"


def _fields(old: Json, new: Json) -> Iterator[str]:
    before, after = _map(old), _map(new)
    for key in sorted(before.keys() | after.keys()):
        if isinstance(before.get(key), list | dict) or isinstance(after.get(key), list | dict):
            if _differ(before.get(key), after.get(key)):
                yield f"{key} {_verb(key in before, key in after)}"
        else:
            yield from _value(key, before.get(key), after.get(key))


def _names(kind: str, old: Json, new: Json) -> Iterator[str]:
    before, after = ([str(name) for name in _list(names)] for names in (old, new))
    for name in sorted({*before} ^ {*after}):
        yield f"{kind} `{name}` {_verb(name in before, name in after)}"


def _value(what: str, old: Json, new: Json) -> Iterator[str]:
    if _differ(old, new):
        yield f"{what} changed from {_shown(old)} to {_shown(new)}"


def _shown(value: Json) -> str:
    if value is None:
        return "none"
    return f"`{value}`" if isinstance(value, str) else f"`{spell(value).strip()}`"


def _verb(before: bool, after: bool) -> str:
    if before and after:
        return "changed"
    return "added" if after else "removed"


def _differ(old: Json, new: Json) -> bool:
    # Not `!=`: Python takes True for 1, and dicts of another order for equal, where the bytes of the lock differ.
    return spell(old) != spell(new)


def _map(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
