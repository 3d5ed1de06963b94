"""Spell a toolset as the bytes of its lock. Equal toolsets have equal bytes, and every line is one fact.

`facts` puts the fields in their fixed order, sorts what is a set or keyed by users' names, and keeps what the model
sees in the order it was written. `spell` turns that into text in the one way there is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from re import Match

from toolc.model import (
    CommandEntry,
    Digest,
    Environment,
    Introspect,
    Json,
    LockedLayer,
    LockedShadow,
    Mode,
    PythonEntry,
    Schema,
    Tool,
    Toolset,
)
from toolc.text import INVISIBLE

LOCK_VERSION = 1

# Keywords of JSON Schema 2020-12 that hold schemas: by name, in a list, alone.
NAMED_SCHEMAS = frozenset({"$defs", "properties", "patternProperties", "dependentSchemas"})
LISTED_SCHEMAS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SINGLE_SCHEMAS = frozenset(
    {
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)


def encode(toolset: Toolset) -> bytes:
    """The lock's bytes."""
    return spell(facts(toolset)).encode("utf-8")


def spell(value: Json) -> str:
    """JSON as a lock spells it."""
    text = json.dumps(_plain_numbers(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # Outside strings JSON has nothing invisible but spaces and line ends, so whatever matches stands in a string.
    return INVISIBLE.sub(_escaped, text)


def facts(toolset: Toolset) -> dict[str, Json]:
    """The lock as JSON, its keys in their order."""
    lock: dict[str, Json] = {
        "lock_version": LOCK_VERSION,
        "requires": _sorted(toolset.requires),
        "toolset": toolset.name,
    }
    if toolset.version is not None:
        lock["version"] = toolset.version
    lock["host"] = toolset.host
    lock["layers"] = [_layer(layer) for layer in toolset.layers]
    if toolset.builtins is not None:
        lock["builtins"] = {
            "policy": toolset.builtins.policy.value,
            "overridden": _sorted(toolset.builtins.overridden),
            "removed": _sorted(toolset.builtins.removed),
        }
    if toolset.subsets:
        lock["subsets"] = {name: _sorted(names) for name, names in sorted(toolset.subsets.items())}
    lock["tools"] = {name: _tool(tool) for name, tool in sorted(toolset.tools.items())}
    if toolset.hidden:
        lock["hidden"] = {name: _shadows(shadows) for name, shadows in sorted(toolset.hidden.items())}
    if toolset.python:
        lock["python"] = {name: _environment(packages) for name, packages in sorted(toolset.python.items())}
    lock["files"] = {path: _digest(digest) for path, digest in sorted(toolset.files.items())}
    return lock


def _layer(layer: LockedLayer) -> Json:
    fields: dict[str, Json] = {"name": layer.name, "path": layer.path, "scope": layer.scope.value}
    if layer.introspect is not Introspect.SYNTAX:
        fields["introspect"] = layer.introspect.value
    return fields


def _tool(tool: Tool) -> Json:
    fields: dict[str, Json] = {
        # An array of lines: two branches that edit two lines of a long description merge.
        "description": [*tool.description.split("\n")],
        "input_schema": _schema(tool.input_schema),
    }
    if tool.output_schema is not None:
        fields["output_schema"] = _schema(tool.output_schema)
    if tool.annotations:
        fields["annotations"] = dict(sorted(tool.annotations.items()))
    fields["permission"] = tool.permission.value
    fields["execution"] = _execution(tool)
    origin: dict[str, Json] = {"layer": tool.origin.layer, "path": tool.origin.path}
    if tool.origin.shadows:
        origin["shadows"] = _shadows(tool.origin.shadows)
    fields["origin"] = origin
    fields["sources"] = _sorted(tool.sources)
    return fields


def _execution(tool: Tool) -> Json:
    fields: dict[str, Json]
    match tool.entry:
        case PythonEntry() as entry:
            fields = {"kind": "python", "module": entry.module, "function": entry.function}
            if entry.is_async:
                fields["async"] = True
            if tool.mode is not Mode.WORKER:
                fields["mode"] = tool.mode.value
            if entry.arguments:
                fields["arguments"] = {
                    name: [argument.parameter, argument.kind] for name, argument in sorted(entry.arguments.items())
                }
            if entry.conversions:
                fields["conversions"] = dict(sorted(entry.conversions.items()))
        case CommandEntry(argv=argv):
            assert tool.mode is Mode.WORKER, "a command has no mode"
            fields = {"kind": "command", "argv": [*argv]}
    fields["env_policy"] = tool.env_policy.value
    fields["env"] = _sorted(tool.env)
    fields["timeout_s"] = tool.timeout_s
    fields["background"] = tool.background.value
    if tool.environment is not None:
        fields["environment"] = tool.environment
    return fields


def _shadows(shadows: Iterable[LockedShadow]) -> Json:
    return [{"layer": shadow.layer, "path": shadow.path, "reason": shadow.reason.value} for shadow in shadows]


def _environment(environment: Environment) -> Json:
    packages: dict[str, Json] = dict(sorted(environment.packages.items()))
    return {
        "requires_python": environment.requires_python,
        "requirements": environment.requirements,
        "packages": packages,
    }


def _digest(digest: Digest) -> str:
    return f"sha256:{digest.sha256}{' x' if digest.executable else ''}"


def _sorted(names: Iterable[str]) -> list[Json]:
    return [*sorted(names)]


def _schema(schema: Schema) -> dict[str, Json]:
    """The schema as it was written, but for `$defs`, whose order means nothing to a model and is sorted."""
    return {keyword: _keyword(keyword, value) for keyword, value in schema.items()}


def _keyword(keyword: str, value: Json) -> Json:
    if isinstance(value, dict) and keyword in NAMED_SCHEMAS:
        named: Mapping[str, Json] = dict(sorted(value.items())) if keyword == "$defs" else value
        return {name: _subschema(schema) for name, schema in named.items()}
    if isinstance(value, list) and keyword in LISTED_SCHEMAS:
        return [_subschema(schema) for schema in value]
    return _subschema(value) if keyword in SINGLE_SCHEMAS else value


def _subschema(value: Json) -> Json:
    return _schema(value) if isinstance(value, dict) else value  # a schema may also be true or false


def _plain_numbers(value: Json) -> Json:
    """The same JSON with floats that are whole numbers as integers, which JSON Schema takes them for."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_plain_numbers(item) for item in value]
        case dict():
            return {key: _plain_numbers(item) for key, item in value.items()}
        case _:
            return value


def _escaped(match: Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
