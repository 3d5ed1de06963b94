"""Judge a manifest's parameters beyond their form: what `schemas/tool.schema.json` accepts goes in, the tool's input
schema comes out.

Here stand the dialects that are well-formed JSON Schema by accident, what older drafts meant by a keyword, the limits
of size, and references. The runtime's own compiler has the last word: what it refuses at a call, it refuses here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from toolc import codes
from toolc.jsontext import Pointer
from toolc.model import Json, Schema
from toolc.parse.manifest_file import ManifestFile, subject
from toolc.parse.manifest_shape import type_word

MAX_VALUES = 10_000  # of a schema, also where references repeat them
MAX_CHOICES = 2_000
MAX_PATTERN = 512
MAX_TEXT = 65_536
MAX_OTHERS = 100  # of a list of names, where some are no names

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Where a schema holds schemas.
_ONE = (
    *("additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"),
    *("contentSchema", "unevaluatedItems", "unevaluatedProperties"),
)
_SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
# Those among them that look at the same value as the schema itself.
_IN_PLACE = frozenset({"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})

# A schema of an object has one of these; a map of names to types has none of them, unless by accident.
_OBJECT_KEYWORDS = frozenset(
    {"$defs", "$ref", "additionalProperties", "allOf", "anyOf", "oneOf", "patternProperties", "properties"}
)
_ABOUT = frozenset({"$comment", "$schema", "description", "required", "title", "type"})

_OLD_FORMS = {
    "definitions": "`definitions` is called `$defs` since 2019",
    "dependencies": "`dependencies` is not enforced: it is `dependentRequired` and `dependentSchemas` since 2019",
    "additionalItems": "`additionalItems` is not enforced: it is `items`, beside `prefixItems`",
    "nullable": "`nullable` is not enforced: it belongs to OpenAPI; a value that may be null has `null` in its `type`",
}
_MOVING = ("$dynamicRef", "$recursiveRef")

_ERRORS = frozenset({codes.PARAMETERS_SCHEMA, codes.PARAMETERS_REFERENCE, codes.PARAMETERS_TOO_LARGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A subschema, and where it stands."""

    pointer: Pointer
    schema: dict[str, Json]


def check_dialect(file: ManifestFile, key: str, parameters: dict[str, Json]) -> bool:
    """Report parameters that are a plain map of names; whether they are."""
    typed = isinstance(parameters.get("type"), str)
    names = [name for name in parameters if name not in _ABOUT or isinstance(parameters[name], dict)]
    if typed:  # then `items` is what the type wants, and elsewhere it may be a name
        names = [name for name in names if name not in _ONE]
    if not names or _OBJECT_KEYWORDS & parameters.keys():
        return False
    if not all(_is_property(parameters[name], named_type=typed) for name in names):
        return False
    value = parameters[names[0]]
    inner = {"type": type_word(value)} if isinstance(value, str) else _without_required(value)
    example = json.dumps(
        {"type": "object", "properties": {names[0]: inner}, "required": [names[0]]}, ensure_ascii=False
    )
    if len(example) > 200 or not example.isprintable():
        example = '{"type": "object", "properties": {...}, "required": [...]}'
    file.report(
        codes.MANIFEST_DIALECT,
        f"`{key}` is a map of names, where JSON Schema has them under `properties`",
        file.span((key, names[0]), key=True),
        f"write `{example}`",
    )
    return True


def _is_property(value: Json, *, named_type: bool) -> bool:
    """Whether a value describes a property, rather than being what a keyword takes."""
    if isinstance(value, str):
        return not named_type and type_word(value) is not None
    return isinstance(value, dict) and isinstance(value.get("type"), str | list)


def _without_required(value: Json) -> Json:
    return {k: v for k, v in value.items() if k != "required"} if isinstance(value, dict) else value


def check_size(file: ManifestFile, key: str, parameters: Json) -> bool:
    """Report parameters that are too large to be looked at further; whether they are."""
    for count, (pointer, value) in enumerate(_values(parameters, (key,)), start=1):
        if count > MAX_VALUES:
            message = f"`{key}` has more than {MAX_VALUES:,} values"
            file.report(codes.PARAMETERS_TOO_LARGE, message, file.span((key,), key=True))
            return True
        if isinstance(value, str) and len(value) > MAX_TEXT:
            message = f"{subject(pointer)} is longer than {MAX_TEXT:,} characters"
            file.report(codes.PARAMETERS_TOO_LARGE, message, pointer)
    return any(_is_slow_list(file, (key, *place.pointer), place.schema) for place in _schemas(parameters, ()))


def _is_slow_list(file: ManifestFile, where: Pointer, schema: dict[str, Json]) -> bool:
    """Report a long list of other things where names belong: jsonschema would compare each with every other."""
    dependent = schema.get("dependentRequired")
    lists: dict[Pointer, Json] = {("type",): schema.get("type"), ("required",): schema.get("required")}
    for name, names in dependent.items() if isinstance(dependent, dict) else ():
        lists["dependentRequired", name] = names
    for steps, names in lists.items():
        if isinstance(names, list) and len(names) > MAX_OTHERS and not all(isinstance(name, str) for name in names):
            message = f"{subject((*where, *steps))} takes a list of names"
            file.report(codes.PARAMETERS_SCHEMA, message, (*where, *steps))
            return True
    return False


def _values(value: Json, pointer: Pointer) -> Iterator[tuple[Pointer, Json]]:
    yield pointer, value
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _values(item, (*pointer, index))
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _values(member, (*pointer, name))


def read_parameters(file: ManifestFile, key: str, parameters: dict[str, Json]) -> Schema:
    """The input schema of well-formed parameters; what is wrong in it is reported."""
    if "type" not in parameters:
        message = f'`{key}` has no `"type": "object"`, and is read as if it had'
        file.report(codes.MANIFEST_TOLERATED, message, file.span((key,), key=True))
    for place in _schemas(parameters, ()):
        _check_keywords(file, key, place)
    _References(file, key, parameters).check()
    schema: Schema = {"type": "object", **parameters}
    if not _is_dialect(schema.get("$schema")):
        schema.pop("$schema", None)
    if not any(diagnostic.code in _ERRORS for diagnostic in file.reporter.diagnostics):
        _compile(file, key, schema)
    return schema


def _schemas(schema: Json, pointer: Pointer) -> Iterator[_Place]:
    """A schema and all its subschemas."""
    if not isinstance(schema, dict):
        return
    yield _Place(pointer=pointer, schema=schema)
    for step, inner in _parts(schema):
        yield from _schemas(inner, (*pointer, *step))


def _parts(schema: dict[str, Json]) -> Iterator[tuple[Pointer, Json]]:
    """The subschemas directly in a schema, each with the steps that lead to it."""
    for keyword, value in schema.items():
        if keyword in _ONE:
            yield (keyword,), value
        elif keyword in _SEVERAL and isinstance(value, list):
            yield from (((keyword, index), item) for index, item in enumerate(value))
        elif keyword in _NAMED and isinstance(value, dict):
            yield from (((keyword, name), item) for name, item in value.items())


def _check_keywords(file: ManifestFile, key: str, place: _Place) -> None:
    """Report what an older draft meant otherwise, and what is too large."""
    where = (key, *place.pointer)
    for keyword, sentence in _OLD_FORMS.items():
        if keyword in place.schema:
            file.report(codes.PARAMETERS_OLD_FORM, sentence, file.span((*where, keyword), key=True))
    dialect = place.schema.get("$schema")
    if isinstance(dialect, str) and not _is_dialect(dialect):
        message = "`$schema` names another draft; the parameters are read as JSON Schema 2020-12"
        file.report(codes.PARAMETERS_OLD_FORM, message, (*where, "$schema"), f'write `"{_DIALECT}"`, or leave it out')
    pattern, choices = place.schema.get("pattern"), place.schema.get("enum")
    if isinstance(pattern, str) and len(pattern) > MAX_PATTERN:
        message = f"a pattern has {len(pattern):,} characters; up to {MAX_PATTERN} are taken"
        file.report(codes.PARAMETERS_TOO_LARGE, message, (*where, "pattern"))
    if isinstance(choices, list) and len(choices) > MAX_CHOICES:
        message = f"an `enum` has {len(choices):,} choices; up to {MAX_CHOICES:,} are taken"
        file.report(codes.PARAMETERS_TOO_LARGE, message, file.span((*where, "enum"), key=True))


def _is_dialect(value: Json) -> bool:
    return isinstance(value, str) and value.rstrip("#") == _DIALECT


def _compile(file: ManifestFile, key: str, schema: Schema) -> None:
    """Have the runtime compile the schema, as it will at a call."""
    from toolc_runtime.schema import SchemaError, unenforced

    try:
        for pointer, reason in unenforced(schema):
            message = f"a pattern is not enforced at a call: it {reason}"
            file.report(codes.PATTERN_NOT_ENFORCED, message, (key, *pointer))
    except SchemaError as error:
        file.report(
            codes.PARAMETERS_REFUSED, f"{subject((key, *error.pointer))} {error.message}", (key, *error.pointer)
        )
    except RecursionError:
        file.report(codes.PARAMETERS_TOO_LARGE, f"`{key}` is nested too deep to be checked", (key,))


class _References:
    """The references of a schema: whether they lead anywhere, and how much they repeat."""

    def __init__(self, file: ManifestFile, key: str, root: dict[str, Json]) -> None:
        self._file = file
        self._key = key
        self._root = root
        self._places = list(_schemas(root, ()))
        self._anchors = {place.schema["$anchor"]: place for place in self._places if _has_text(place, "$anchor")}
        self._sizes: dict[Pointer, int] = {}

    def check(self) -> None:
        """Report references that lead out of the schema or nowhere, and those that make it too large."""
        referring = [place for place in self._places if _has_text(place, "$ref")]
        # Under an `$id` a reference is relative to it, which the runtime's compiler works out.
        if not any("$id" in place.schema for place in self._places):
            for place in referring:
                self._check_reference(place)
        for place in self._places:
            for keyword in _MOVING:
                if keyword in place.schema:
                    message = f"`{keyword}` is not supported: what it leads to changes while a value is checked"
                    self._report((*place.pointer, keyword), message)
        if referring and self._is_too_large():
            message = f"references repeat parts of `{self._key}` so often that it has more than {MAX_VALUES:,} values"
            self._file.report(codes.PARAMETERS_TOO_LARGE, message, self._file.span((self._key,), key=True))

    def _check_reference(self, place: _Place) -> None:
        reference = place.schema["$ref"]
        assert isinstance(reference, str), "references that are no strings were reported"
        at = (*place.pointer, "$ref")
        if not reference.startswith("#"):
            hint = "copy what it leads to under `$defs`, and write `#/$defs/NAME`"
            self._report(at, "a reference leads out of the schema, and nothing is fetched", hint)
        elif self._find(reference) is None:
            self._report(at, f"a reference leads to nothing in `{self._key}`", self._suggestion(reference))

    def _report(self, pointer: Pointer, message: str, hint: str | None = None) -> None:
        self._file.report(codes.PARAMETERS_REFERENCE, message, (self._key, *pointer), hint)

    def _suggestion(self, reference: str) -> str | None:
        wanted = reference.rpartition("/")[2]
        for keyword in ("$defs", "definitions"):
            names = self._root.get(keyword)
            if isinstance(names, dict) and wanted in names:
                return f"it stands at `#/{keyword}/{wanted}`"
        return None

    def _find(self, reference: str) -> _Place | None:
        """What a reference within the schema leads to."""
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(fragment)
        value: Json = self._root
        pointer: Pointer = ()
        for text in fragment.split("/")[1:]:
            step: str | int = text.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and step in value:
                value = value[str(step)]
            elif (
                isinstance(value, list)
                and text.isascii()
                and text.isdigit()
                and len(text) < 6
                and int(text) < len(value)
            ):
                step = int(text)
                value = value[step]
            else:
                return None
            pointer = (*pointer, step)
        return _Place(pointer=pointer, schema=value if isinstance(value, dict) else {})

    # --------------------------------------------------------------------------------------------------------- size

    def _is_too_large(self) -> bool:
        try:
            return any(self._size(place) > MAX_VALUES for place in self._places)
        except RecursionError:  # references in a chain of hundreds
            return True

    def _size(self, place: _Place) -> int:
        """How many schemas look at one value that this schema is asked about, references followed."""
        known = self._sizes.get(place.pointer)
        if known is not None:
            return known
        self._sizes[place.pointer] = 0  # a circle adds nothing here; that it never ends is the runtime's to say
        size = 1
        for step, inner in _parts(place.schema):
            if step[0] in _IN_PLACE and isinstance(inner, dict):
                size += self._size(_Place(pointer=(*place.pointer, *step), schema=inner))
        reference = place.schema.get("$ref")
        target = self._find(reference) if isinstance(reference, str) and reference.startswith("#") else None
        size += self._size(target) if target else 0
        self._sizes[place.pointer] = size
        return size


def _has_text(place: _Place, keyword: str) -> bool:
    return isinstance(place.schema.get(keyword), str)
