"""Hold a manifest against `schemas/tool.schema.json`: each value that does not fit is told at its place.

The schema has the keys and the words for what they take, and through the metaschema of JSON Schema 2020-12 it covers
`parameters` as well; here are the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from toolc import codes, resources
from toolc.jsontext import Pointer
from toolc.model import Json
from toolc.names import closest
from toolc.parse.manifest_file import INPUT_SCHEMA, PARAMETERS, ManifestFile, kind, misspelt, shown, subject

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

REQUIRED = ("name", "description", "command")

_MOST = 50  # mistakes told of one manifest: more of them have one cause

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
# What other languages and dialects call them.
_TYPE_WORDS = {
    **dict.fromkeys(("str", "text", "char", "date", "file", "path"), "string"),
    **dict.fromkeys(("int", "long"), "integer"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(("bool",), "boolean"),
    **dict.fromkeys(("list", "tuple", "set"), "array"),
    **dict.fromkeys(("dict", "map", "any"), "object"),
    **dict.fromkeys(("none", "nil"), "null"),
}

# What the keywords of JSON Schema take; the metaschema has no words for it.
_KEYWORDS = {
    "type": "one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, or a list of these",
    "required": "a list of names, each once",
    "dependentRequired": "an object of lists of names",
    "multipleOf": "a number above 0",
    **dict.fromkeys(("enum", "examples"), "a list"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), "a number"),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties"),
        "a whole number, 0 or more",
    ),
    "maxProperties": "a whole number, 0 or more",
    **dict.fromkeys(("title", "description", "pattern", "format", "$ref", "$comment", "$schema", "$id"), "a string"),
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly", "deprecated"), "`true` or `false`"),
    **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions"), "an object of schemas"),
    "dependentSchemas": "an object of schemas",
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "a list of schemas, at least one"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Violation:
    """A keyword of the schema that a value does not meet."""

    keyword: str
    wanted: object  # the keyword's own value
    title: str | None  # what the schema says the value is to be
    instance: Json
    pointer: Pointer


def check_shape(file: ManifestFile, value: dict[str, Json]) -> None:
    """Report what in a manifest is not as the schema says. `value` is the manifest without what is judged elsewhere."""
    try:
        violations = list(_violations(value))
    except RecursionError:
        file.report(codes.PARAMETERS_TOO_LARGE, "the parameters are nested too deep to be checked", file.opening)
        return
    # jsonschema goes through some objects in no fixed order, and meets a value once in each vocabulary.
    violations.sort(key=lambda violation: (file.document.place(violation.pointer), violation.keyword))
    seen: set[Pointer] = set()
    for violation in violations:
        if violation.keyword == "required" and not violation.pointer:
            _report_missing(file, violation)
        elif violation.pointer not in seen and len(seen) < _MOST:
            _report(file, violation)
        seen.add(violation.pointer)


@cache
def _validator() -> Draft202012Validator:
    # Imported here, because it takes longer to load than all of a small build.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(resources.schema("tool"))


def _violations(value: dict[str, Json]) -> Iterator[_Violation]:
    for error in _validator().iter_errors(value):
        schema = error.schema if isinstance(error.schema, Mapping) else {}
        yield _Violation(
            keyword=str(error.validator),
            wanted=error.validator_value,
            title=schema.get("title") if "$id" not in schema else None,  # the metaschema's titles are its own names
            instance=error.instance,
            pointer=tuple(error.absolute_path),
        )


def _report_missing(file: ManifestFile, violation: _Violation) -> None:
    assert isinstance(violation.wanted, list), "`required` is a list"
    for name in violation.wanted:
        if name in file.value:
            continue
        near = misspelt(file.value, name)
        if near is None:
            file.report(codes.MANIFEST_KEY_MISSING, f"the manifest has no `{name}`", file.opening, _example(file, name))
        else:
            message = f"the manifest has no `{name}`; `{shown(near)}` is no key of a manifest"
            hint = f"did you mean `{name}`?"
            file.report(codes.MANIFEST_KEY_MISSING, message, file.span((near,), key=True), hint)


def _example(file: ManifestFile, name: str) -> str:
    """What to write for a key that every manifest has."""
    value, why = {
        "name": (shown(file.candidate.folder), "the name of the folder"),
        "description": ("...", "what the tool does, and when to use it"),
        "command": ("python3 run.py", "the program, which runs in the folder of the tool"),
    }[name]
    return f'write `"{name}": "{value}"`: {why}'


def _report(file: ManifestFile, violation: _Violation) -> None:
    pointer, instance = violation.pointer, violation.instance
    top = pointer[0]
    if top in (PARAMETERS, INPUT_SCHEMA) and len(pointer) > 1:
        _report_keyword(file, violation)
    elif top in REQUIRED and _is_blank(instance):
        file.report(codes.MANIFEST_KEY_MISSING, f"the manifest's `{top}` is blank", pointer, _example(file, top))
    elif top == "name" and isinstance(instance, str):
        message = f"a manifest's name is {violation.title}, and {kind(instance)} is not"
        slug = re.sub(r"[^a-z0-9]+", "-", instance.lower())[:64].strip("-")
        hint = f'write `"{slug}"`, and name the folder so' if slug else None
        file.report(codes.MANIFEST_NAME, message, pointer, hint)
    elif violation.keyword == "maxLength":
        message = f"{subject(pointer)} is longer than {violation.wanted:,} characters"
        file.report(codes.MANIFEST_VALUE, message, pointer)
    else:
        code = codes.MANIFEST_PERMISSION if top == "permission" else codes.MANIFEST_VALUE
        near = None
        if violation.keyword == "enum" and isinstance(instance, str) and isinstance(violation.wanted, list):
            near = closest(instance.strip(), violation.wanted) or closest(instance, violation.wanted)
        hint = f"did you mean `{near}`?" if near else None
        file.report(code, f"{subject(pointer)} takes {violation.title}, not {kind(instance)}", pointer, hint)


def _is_blank(value: Json) -> bool:
    return value == [] or (isinstance(value, str) and not value.strip())


def _report_keyword(file: ManifestFile, violation: _Violation) -> None:
    """Report a keyword of the parameters that is not used as JSON Schema 2020-12 says."""
    pointer, instance = violation.pointer, violation.instance
    is_schema = violation.wanted == ["object", "boolean"]
    words = "a schema" if is_schema else violation.title or _words(pointer)
    if violation.keyword == "uniqueItems":
        message = f"{subject(pointer)} names something twice"
    elif words is None:
        message = f"{subject(pointer)} is not as JSON Schema 2020-12 has it"
    else:
        message = f"{subject(pointer)} takes {words}, not {kind(instance)}"
    hint = None if violation.title else _keyword_hint(str(pointer[-1]), instance, is_schema)
    file.report(codes.PARAMETERS_SCHEMA, message, pointer, hint)


def _words(pointer: Pointer) -> str | None:
    """What a keyword takes, or an item of its list."""
    if isinstance(pointer[-1], int):
        return {"required": "the name of a property", "type": "the name of a type"}.get(str(pointer[-2]))
    return _KEYWORDS.get(pointer[-1])


def _keyword_hint(keyword: str, instance: Json, is_schema: bool) -> str | None:
    if is_schema and keyword == "items" and isinstance(instance, list):
        return "schemas for the items by position are `prefixItems`"
    if is_schema and isinstance(instance, str):
        near = type_word(instance)
        return f'write `{{"type": "{near}"}}`' if near else 'write an object, such as `{"type": "string"}`'
    if keyword == "type" and isinstance(instance, str):
        near = type_word(instance) or closest(instance, _TYPES)
        return f'write `"{near}"`' if near else None
    if keyword == "required" and isinstance(instance, bool):
        return "list the names of required properties under `required`, beside `properties`"
    if keyword in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(instance, bool):
        limit = "minimum" if keyword == "exclusiveMinimum" else "maximum"
        return f"write the number itself here, in place of `{limit}`"
    return None


def type_word(text: str) -> str | None:
    """The type of JSON Schema that a word means, if it is one or is called so elsewhere."""
    word = text.strip().lower()
    return word if word in _TYPES else _TYPE_WORDS.get(word)
