"""Spell the tools of a toolset in the forms that providers take, ready to send.

A toolset and a form's name go in, the list comes out as JSON values; a tool that a form cannot carry is not in it, and
has a diagnostic. A form is a value, not a class: how an entry is spelled, and what a provider is known to refuse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from toolc import codes
from toolc.diagnostics import Diagnostic, Span, Text
from toolc.model import Json, Level, Schema, Tool, Toolset

# Keywords whose value is one schema, a list of schemas, or a map of schemas by a name of the author's. A walk by these
# never takes a parameter called `items` or `properties` for a keyword.
_HOLDS_SCHEMA = frozenset(
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
_HOLDS_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_HOLDS_MAP = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})

_DESCRIPTION_LIMIT = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a provider spells a tool."""

    provider: str
    entry: Callable[[Tool], dict[str, Json]]
    name_limit: int  # characters of a tool's name, each one of `A-Z a-z 0-9 _ -`
    root_refuses: tuple[str, ...]  # keywords that may not stand at the top of the parameters
    property_name: re.Pattern[str] | None = None  # of each top-level parameter
    description_limit: int | None = None  # characters beyond which some of the provider's models refuse


def render(toolset: Toolset, form: str, names: Collection[str] | None = None) -> list[Json]:
    """The tools in a provider's form, by name: those that may be called and that the form can carry.

    `names` narrows the list to a subset. What is missing from it, `findings` says.
    """
    assert form in FORMS, f"`{form}` is one of the forms {sorted(FORMS)}"
    return [
        FORMS[form].entry(tool)
        for tool in _offered(toolset)
        if (names is None or tool.name in names) and _refusal(tool, FORMS[form]) is None
    ]


def findings(toolset: Toolset) -> tuple[Diagnostic, ...]:
    """What there is to say about the tools that a provider's form cannot carry, or carries badly."""
    diagnostics = []
    for name, form in sorted(FORMS.items()):
        for tool in _offered(toolset):
            limit = form.description_limit
            if problem := _refusal(tool, form):
                message = f"`{tool.name}` is left out of `definitions/{name}.json`: {problem}"
                diagnostics.append(Diagnostic(codes.TOOL_LEFT_OUT, message, _place(toolset, tool)))
            elif limit is not None and len(tool.description) > limit:
                message = (
                    f"the description of `{tool.name}` has {len(tool.description):,} characters, "
                    f"and some {form.provider} models take at most {limit:,}"
                )
                diagnostics.append(Diagnostic(codes.DESCRIPTION_LONG_FOR_FORM, message, _place(toolset, tool)))
    return tuple(diagnostics)


def files(toolset: Toolset) -> dict[str, bytes]:
    """Every file of `definitions/`, by its bundle path."""
    rendered = {}
    for form in FORMS:
        rendered[f"definitions/{form}.json"] = _encode(render(toolset, form))
        for subset, names in toolset.subsets.items():
            rendered[f"definitions/{subset}/{form}.json"] = _encode(render(toolset, form, names))
    return rendered


def _offered(toolset: Toolset) -> list[Tool]:
    """The tools a model may know of, by name."""
    return [tool for _, tool in sorted(toolset.tools.items()) if tool.permission is not Level.DENY]


def _encode(entries: list[Json]) -> bytes:
    return (json.dumps(entries, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n").encode("utf-8")


def _place(toolset: Toolset, tool: Tool) -> Span:
    """The file that declares a tool. The lock has no lines, so neither has this."""
    layer = next(layer for layer in toolset.layers if layer.name == tool.origin.layer)
    return Span(Text(f"{layer.path.rstrip('/')}/{tool.origin.path}"))


def _refusal(tool: Tool, form: Form) -> str | None:
    """Why a provider would refuse a list with this tool in it; None where it takes it."""
    if re.fullmatch(r"[A-Za-z0-9_-]+", tool.name) is None:
        return f"{form.provider} takes only ASCII letters, digits, `_` and `-` in a name"
    if len(tool.name) > form.name_limit:
        return f"its name has {len(tool.name)} characters, and {form.provider} takes at most {form.name_limit}"
    for keyword in form.root_refuses:
        if keyword in tool.input_schema:
            return f"its parameters have `{keyword}` at the top, which {form.provider} refuses"
    properties = tool.input_schema.get("properties")
    if form.property_name is not None and isinstance(properties, dict):
        for name in properties:
            if form.property_name.fullmatch(name) is None:
                return f"its parameter `{name}` has a name that {form.provider} refuses"
    return None


def _openai(tool: Tool) -> dict[str, Json]:
    # `strict` is spelled out: the two APIs of OpenAI take its absence in two ways.
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": _with_items(_parameters(tool.input_schema)),
            "strict": False,
        },
    }


def _anthropic(tool: Tool) -> dict[str, Json]:
    return {"name": tool.name, "description": tool.description, "input_schema": _parameters(tool.input_schema)}


def _parameters(schema: Schema) -> Schema:
    """The schema with what every provider wants at its top: the type of an object, and its properties, even if none."""
    parameters: Schema = {key: value for key, value in schema.items() if key != "type"}
    return {"type": "object", "properties": {}, **parameters}


def _with_items(schema: Json) -> Json:
    """The schema with `items` in every array. OpenAI requires it; `{}` says what its absence says."""
    if not isinstance(schema, dict):
        return schema
    walked: Schema = {}
    for key, value in schema.items():
        if key in _HOLDS_SCHEMA:
            walked[key] = _with_items(value)
        elif key in _HOLDS_LIST and isinstance(value, list):
            walked[key] = [_with_items(inner) for inner in value]
        elif key in _HOLDS_MAP and isinstance(value, dict):
            walked[key] = {name: _with_items(inner) for name, inner in value.items()}
        else:
            walked[key] = value
    types = walked.get("type")
    if "items" not in walked and (types == "array" or (isinstance(types, list) and "array" in types)):
        walked["items"] = {}
    return walked


FORMS = {
    "anthropic": Form(
        provider="Anthropic",
        entry=_anthropic,
        name_limit=128,
        root_refuses=("anyOf", "oneOf", "allOf"),
        property_name=re.compile(r"[A-Za-z0-9_.-]{1,64}"),
    ),
    "openai": Form(
        provider="OpenAI",
        entry=_openai,
        name_limit=64,
        root_refuses=("anyOf", "oneOf", "allOf", "enum", "const", "not"),
        description_limit=_DESCRIPTION_LIMIT,
    ),
}
