"""What a docstring says of a parameter beside its description: a type, choices, and where it says so."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from toolc.diagnostics import Span
from toolc.model import Schema
from toolc.parse.budget import TYPE_LIMIT, Budget, weigh
from toolc.parse.constants import NotStatic, fold, is_long
from toolc.parse.docstrings import Documented
from toolc.parse.library import Library, Loaded
from toolc.parse.schemas import fits
from toolc.parse.scope import Function
from toolc.parse.syntax import Module, read_expression
from toolc.parse.typed import Definitions, NoJsonForm, Type, enumeration
from toolc.parse.types import compile_type

_CHOICES = re.compile(r"\s*\(choices:\s*(\[.*\])\s*\)\s*$", re.DOTALL)
_WORD = re.compile(r"\w+")
_TYPE_LENGTH_LIMIT = 10_000
_NAMES = {"array": "list", "boolean": "bool", "integer": "int", "number": "float", "string": "str"}


def documented_type(documented: Documented, home: Loaded, library: Library, budget: Budget) -> Type | None:
    """The type that a docstring gives, if it is plain enough to be one."""
    if documented.type is None or len(documented.type) > _TYPE_LENGTH_LIMIT:
        return None
    text = re.split(r",\s*(?:optional|default\b|required)", documented.type, maxsplit=1)[0].strip()
    text = re.sub(r"\s+or\s+", " | ", re.sub(r"\blist of (\w+)\b", r"list[\1]", text))
    text = re.sub(r"[A-Za-z]+", lambda word: _NAMES.get(word[0], word[0]), text)
    node = read_expression(text)
    if node is None:
        return None
    try:
        if isinstance(node, ast.Set):
            folded = [fold(item, home, library) for item in node.elts]
            values = [value for value in folded if isinstance(value, (str, int))]
            budget.spend(weigh(values, TYPE_LIMIT))
            return enumeration(values) if len(values) == len(folded) else None
        definitions = Definitions(budget=budget)
        compiled = compile_type(node, home, library, definitions)
        # What would have to be converted is more than a docstring promises.
        return None if {*compiled.conversions.values()} - {"float"} or definitions.types else compiled
    except (NoJsonForm, NotStatic):
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
    if len(values) > TYPE_LIMIT or any(map(is_long, values)):
        return schema, description
    return {**schema, "enum": values}, description[: match.start()].rstrip()


def docstring_span(name: str, function: Function, module: Module) -> Span:
    """Where the docstring names a parameter."""
    return _words(function, module).get(name) or module.name_span(function)


@lru_cache(maxsize=1)  # a docstring may name thousands
def _words(function: Function, module: Module) -> dict[str, Span]:
    """The first place of each word of a docstring."""
    docstring = function.body[0]
    found: dict[str, Span] = {}
    for number in range(docstring.lineno, min(docstring.end_lineno or docstring.lineno, len(module.lines)) + 1):
        for word in _WORD.finditer(module.lines[number - 1]):
            if word[0] not in found:
                found[word[0]] = Span(module.text, number, word.start() + 1, number, word.end() + 1)
    return found
