"""What a docstring says of a parameter beside its description: a type, choices, and where it says so."""

from __future__ import annotations

import ast
import re

from toolc.diagnostics import Span
from toolc.model import Schema
from toolc.parse.constants import NotStatic, fold
from toolc.parse.docstrings import Documented
from toolc.parse.library import Library, Loaded
from toolc.parse.schemas import fits
from toolc.parse.scope import Function
from toolc.parse.syntax import Module
from toolc.parse.typed import Definitions, NoJsonForm, Type, enumeration
from toolc.parse.types import compile_type

_CHOICES = re.compile(r"\s*\(choices:\s*(\[.*\])\s*\)\s*$", re.DOTALL)
_NAMES = {"array": "list", "boolean": "bool", "integer": "int", "number": "float", "string": "str"}


def documented_type(documented: Documented, home: Loaded, library: Library) -> Type | None:
    """The type that a docstring gives, if it is plain enough to be one."""
    if documented.type is None:
        return None
    text = re.split(r",\s*(?:optional|default\b|required)", documented.type, maxsplit=1)[0].strip()
    text = re.sub(r"\s+or\s+", " | ", re.sub(r"\blist of (\w+)\b", r"list[\1]", text))
    text = re.sub(r"[A-Za-z]+", lambda word: _NAMES.get(word[0], word[0]), text)
    try:
        node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.Set):
            folded = [fold(item, home, library) for item in node.elts]
            values = [value for value in folded if isinstance(value, (str, int))]
            return enumeration(values) if len(values) == len(folded) else None
        definitions = Definitions()
        compiled = compile_type(node, home, library, definitions)
        # What would have to be converted is more than a docstring promises.
        return None if {*compiled.conversions.values()} - {"float"} or definitions.types else compiled
    except (SyntaxError, ValueError, RecursionError, MemoryError, NoJsonForm, NotStatic):
        return None


def with_choices(schema: Schema, description: str) -> tuple[Schema, str]:
    """`Pick one (choices: ["a", "b"])` in a docstring, as Hugging Face's tools write it."""
    match = _CHOICES.search(description)
    if match is None or "enum" in schema or schema.get("type") not in ("string", "integer", "number", "boolean"):
        return schema, description
    try:
        values = ast.literal_eval(match[1])
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return schema, description
    if not isinstance(values, list) or not values or not all(fits(value, schema) for value in values):
        return schema, description
    return {**schema, "enum": values}, description[: match.start()].rstrip()


def docstring_span(name: str, function: Function, module: Module) -> Span:
    """Where the docstring names a parameter."""
    first = function.body[0]
    for number in range(first.lineno, (first.end_lineno or first.lineno) + 1):
        line = module.lines[number - 1] if number <= len(module.lines) else ""
        match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line)
        if match is not None:
            return Span(module.text, number, match.start() + 1, number, match.end() + 1)
    return module.name_span(function)
