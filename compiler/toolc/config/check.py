"""Check a config: what a file says goes in, what of it can be used comes out, and every mistake is told at its place.

`schemas/toolc.schema.json` has the keys, the types, and the words for both; here are the sentences, and the few rules
that a schema cannot state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolc import codes, resources
from toolc.diagnostics import Code, Diagnostic, Reporter
from toolc.names import closest, is_device
from toolc.text import escape

from .files import ConfigFile
from .toml_places import Pointer

_TYPES = {
    "object": "a table",
    "array": "an array",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
}
_NAME_GLOB = re.compile(r"(?:[A-Za-z0-9_*?-]|\[!?[A-Za-z0-9_-]+\])+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SHOWN_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """What is wrong with one value, or with the key that leads to it."""

    code: Code
    message: str
    pointer: Pointer
    key: bool = False
    hint: str | None = None
    wants: str | None = None  # the key that is missing, or is meant by one that is none


def check(file: ConfigFile, reporter: Reporter) -> dict[str, Any] | None:
    """What the config says without what is wrong in it; None where a mistake leaves open which tools are meant.

    Members that are wrong are gone; wrong items of an array are None, so that the others keep their index.
    """
    schema = resources.schema("toolc")
    mistakes = [*schema_mistakes(file.value, schema, whole="the config"), *_value_mistakes(file.value)]
    tell(mistakes, file, reporter)
    if any(_is_decisive(mistake.pointer) for mistake in mistakes):
        return None
    value = _without(file.value, {mistake.pointer for mistake in mistakes})
    assert isinstance(value, dict), "the schema wants a table"
    return value


def tell(mistakes: Sequence[Mistake], file: ConfigFile, reporter: Reporter) -> None:
    """Report each mistake at its place."""
    meant = {(*mistake.pointer[:-1], mistake.wants) for mistake in mistakes if mistake.key and mistake.wants}
    for mistake in mistakes:
        if not mistake.key and mistake.wants and (*mistake.pointer, mistake.wants) in meant:
            continue  # a misspelt key is one mistake, not two
        span = file.span(*mistake.pointer, key=mistake.key)
        reporter.report(Diagnostic(mistake.code, mistake.message, span, hint=mistake.hint))


def _is_decisive(pointer: Pointer) -> bool:
    match pointer:
        case () | ("layers",) | ("layers", _) | ("layers", _, "name" | "path") | ("toolset",) | ("toolset", "host"):
            return True
        case _:
            return False


def _without(value: Any, wrong: set[Pointer], here: Pointer = ()) -> Any:
    if isinstance(value, dict):
        return {key: _without(inner, wrong, (*here, key)) for key, inner in value.items() if (*here, key) not in wrong}
    if isinstance(value, list):
        return [
            None if (*here, index) in wrong else _without(item, wrong, (*here, index))
            for index, item in enumerate(value)
        ]
    return value


# ------------------------------------------------------------------------------------------------ what the schema says


@dataclass(frozen=True, slots=True, kw_only=True)
class _Violation:
    """A keyword of the schema that a value does not meet."""

    keyword: str
    wanted: Any  # the keyword's own value
    schema: dict[str, Any]  # which holds the keyword
    instance: Any
    pointer: Pointer
    of_key: bool  # the instance is a key of the table at `pointer`


def schema_mistakes(value: object, schema: dict[str, Any], *, whole: str) -> Iterator[Mistake]:
    """What a schema of ours does not allow; `whole` is how sentences call the file."""
    for violation in _violations(value, schema):
        yield from _mistakes_of(violation, schema, whole)


def _violations(value: object, schema: dict[str, Any]) -> Iterator[_Violation]:
    # Imported here, because it takes longer to load than all of a small build.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
        # In JSON Schema `$` is the end of the text; in Python also the place before a last line break.
        if isinstance(instance, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), instance):
            yield ValidationError("does not match")

    strict = extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]  # its stub is bare
    for error in strict(schema).iter_errors(value):
        yield _Violation(
            keyword=str(error.validator),
            wanted=error.validator_value,
            schema=dict(error.schema) if isinstance(error.schema, Mapping) else {},
            instance=error.instance,
            pointer=tuple(error.absolute_path),
            of_key="propertyNames" in error.absolute_schema_path,
        )


def _mistakes_of(violation: _Violation, schema: dict[str, Any], whole: str) -> Iterator[Mistake]:
    pointer, instance = violation.pointer, violation.instance
    if violation.of_key:
        heading, form = _heading(pointer), violation.schema["title"]
        message = f"`{_shown(instance)}` cannot be a key of `{heading}`, which takes {form}"
        hint = _meant(instance, violation.wanted) if violation.keyword == "enum" else None
        yield Mistake(code=codes.CONFIG_VALUE, message=message, pointer=(*pointer, instance), key=True, hint=hint)
        return
    match violation.keyword:
        case "additionalProperties":
            known = violation.schema["properties"]
            for key in instance:
                if key not in known:
                    yield _unknown_key(pointer, key, known, schema, whole)
        case "required":
            for key in violation.wanted:
                if key not in instance:
                    message = f"this `{_heading(pointer)}` has no `{key}`"
                    hint = f'write `{key} = "..."` in it'
                    yield Mistake(code=codes.CONFIG_MISSING_KEY, message=message, pointer=pointer, hint=hint, wants=key)
        case "type":
            yield _wrong_type(violation)
        case _:
            yield _wrong_value(violation)


def _unknown_key(pointer: Pointer, key: str, known: Iterable[str], schema: dict[str, Any], whole: str) -> Mistake:
    table = f"`{_heading(pointer)}`" if pointer else whole
    hint = _meant(key, known)
    if not pointer and key in schema["$defs"].get("toolset", {}).get("properties", {}):
        hint = f"`{key}` belongs in `[toolset]`"
    return Mistake(
        code=codes.CONFIG_UNKNOWN_KEY,
        message=f"{table} has no key `{_shown(key)}`",
        pointer=(*pointer, key),
        key=True,
        hint=hint,
        wants=closest(key, known),
    )


def _wrong_type(violation: _Violation) -> Mistake:
    wanted, instance = violation.wanted, violation.instance
    words = _alternatives([_TYPES[name] for name in (wanted if isinstance(wanted, list) else [wanted])])
    hint = None
    if len(violation.pointer) == 1 and wanted == "array" and isinstance(instance, dict):
        what = {"layers": "layer", "ack": "acknowledgement"}[str(violation.pointer[0])]
        hint = f"begin each {what} with `[[{violation.pointer[0]}]]`, in double brackets"
    elif wanted == "array" and isinstance(instance, str):
        hint = f"write `[{_quoted(instance)}]`"
    elif wanted in ("integer", "number") and isinstance(instance, str):
        hint = "write the number without quotes"
    return Mistake(
        code=codes.CONFIG_TYPE,
        message=f"{_takes(violation.pointer)} {words}, not {_kind(instance)}",
        pointer=violation.pointer,
        hint=hint,
    )


def _wrong_value(violation: _Violation) -> Mistake:
    instance = violation.instance
    hint = None
    if violation.keyword == "enum":
        words = _alternatives([f"`{choice}`" for choice in violation.wanted])
        hint = _meant(instance, violation.wanted) if isinstance(instance, str) else None
    else:
        words = violation.schema["title"]
    said = f"`{_shown(instance)}`" if isinstance(instance, str | int | float) else _kind(instance)
    return Mistake(
        code=codes.CONFIG_VALUE,
        message=f"{_takes(violation.pointer)} {words}, not {said}",
        pointer=violation.pointer,
        hint=hint,
    )


def _meant(text: str, known: Iterable[str]) -> str | None:
    near = closest(text, known)
    return f"did you mean `{near}`?" if near is not None else None


# --------------------------------------------------------------------------------------------- what a schema cannot say


def _value_mistakes(value: object) -> Iterator[Mistake]:
    """Names that no folder can have, patterns that match nothing, undeclared environments, numbers that are none."""
    if not isinstance(value, dict):
        return
    yield from _folder_mistakes(value)
    for pattern in _table(value, "permissions"):
        if not _NAME_GLOB.fullmatch(pattern):
            yield _no_name(pattern, ("permissions", pattern), key=True)
    for name, subset in _table(value, "subsets").items():
        for key in ("include", "exclude"):
            for index, pattern in _strings(subset, key):
                if not _NAME_GLOB.fullmatch(pattern):
                    yield _no_name(pattern, ("subsets", name, key, index))
    environments = {"default", *_table(value, "dependencies")}
    for name, settings in _table(value, "tools").items():
        yield from _settings_mistakes(("tools", name), settings, environments)


def _folder_mistakes(value: dict[str, Any]) -> Iterator[Mistake]:
    """The names of layers and subsets, which are folders in a bundle, that Windows keeps for itself."""
    layers = value.get("layers")
    for index, layer in enumerate(layers if isinstance(layers, list) else ()):
        name = layer.get("name") if isinstance(layer, dict) else None
        if isinstance(name, str) and is_device(name):
            yield _device(name, "layer", ("layers", index, "name"))
    for name in _table(value, "subsets"):
        if is_device(name):
            yield _device(name, "subset", ("subsets", name), key=True)


def _device(name: str, what: str, pointer: Pointer, *, key: bool = False) -> Mistake:
    message = f"`{_shown(name)}` cannot be the name of a {what}: it is the name of a device on Windows"
    return Mistake(code=codes.CONFIG_VALUE, message=message, pointer=pointer, key=key)


def _settings_mistakes(pointer: Pointer, settings: object, environments: set[str]) -> Iterator[Mistake]:
    if not isinstance(settings, dict):
        return
    for index, pattern in _strings(settings, "include"):
        problem = _path_problem(pattern)
        if problem is not None:
            message = f"`{_shown(pattern)}` matches no file of the layer: {problem}"
            yield Mistake(code=codes.CONFIG_GLOB, message=message, pointer=(*pointer, "include", index))
    environment = settings.get("environment", "default")
    if isinstance(environment, str) and environment not in environments:
        yield Mistake(
            code=codes.ENVIRONMENT_UNKNOWN,
            message=f"`[dependencies]` has no environment `{_shown(environment)}`",
            pointer=(*pointer, "environment"),
            hint=_meant(environment, environments),
        )
    if settings.get("timeout") != settings.get("timeout"):  # `nan`, which is in every range of the schema
        message = f"`{_dotted((*pointer, 'timeout'))}` takes a number of seconds, not `nan`"
        yield Mistake(code=codes.CONFIG_VALUE, message=message, pointer=(*pointer, "timeout"))


def _no_name(pattern: str, pointer: Pointer, *, key: bool = False) -> Mistake:
    message = f"`{_shown(pattern)}` matches no name of a tool"
    return Mistake(code=codes.CONFIG_GLOB, message=message, pointer=pointer, key=key)


def _path_problem(pattern: str) -> str | None:
    """Why a glob matches no path within a layer."""
    parts = pattern.split("/")
    if "\\" in pattern:
        return "paths are written with `/`"
    if pattern.startswith("/"):
        return "a path within a layer does not begin with `/`"
    if ".." in parts:
        return "`..` leads out of it"
    if not all(parts) or "." in parts:
        return "a part of the path is empty or `.`"
    return None


def _table(value: dict[str, Any], key: str) -> dict[str, Any]:
    """A table of the config; what else stands in its place is the schema's to report."""
    table = value.get(key)
    return table if isinstance(table, dict) else {}


def _strings(value: object, key: str) -> Iterator[tuple[int, str]]:
    """The strings of an array, each with its index; what else stands in its place is the schema's to report."""
    items = value.get(key) if isinstance(value, dict) else None
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, str):
            yield index, item


# ------------------------------------------------------------------------------------------------------------ the words


def _takes(pointer: Pointer) -> str:
    """The begin of a sentence about a key, an item of an array, or the whole."""
    if not pointer:
        return "the config is"
    if isinstance(pointer[-1], int):
        return f"each item of `{_dotted(pointer)}` is"
    return f"`{_dotted(pointer)}` takes"


def _heading(pointer: Pointer) -> str:
    """A table as TOML heads it."""
    return f"[[{_dotted(pointer)}]]" if isinstance(pointer[-1], int) else f"[{_dotted(pointer)}]"


def _dotted(pointer: Pointer) -> str:
    """A pointer as TOML would write it, without the indexes."""
    keys = [step for step in pointer if isinstance(step, str)]
    return ".".join(key if _BARE_KEY.fullmatch(key) else _quoted(key) for key in keys)


def _kind(value: object) -> str:
    for type_, word in (
        (bool, "`true`" if value else "`false`"),
        (str, "a string"),
        (int, "a whole number"),
        (float, "a number"),
        (dict, "a table"),
        (list, "an array"),
    ):
        if isinstance(value, type_):
            return word
    return "a date or time"


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    text = escape(text).replace("\n", "\\n").replace("\t", "\\t")
    return text if len(text) <= _SHOWN_LENGTH else f"{text[: _SHOWN_LENGTH - 1]}…"


def _quoted(text: str) -> str:
    return f'"{_shown(text)}"'


def _alternatives(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
