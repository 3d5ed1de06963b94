"""What a pydantic model says of itself: its configuration, as far as it decides what JSON the model takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from toolc.model import Json
from toolc.parse.constants import NotStatic, fold, is_json
from toolc.parse.library import External, Library, Loaded
from toolc.parse.typed import NoJsonForm

_EXTRA: Mapping[object, bool | None] = {"allow": True, "forbid": False, "ignore": None}


def _pascal(name: str) -> str:
    words = re.sub(r"(?<=[a-zA-Z])(?=[0-9])", "_", name).title()
    return re.sub(r"([0-9A-Za-z])_(?=[0-9A-Z])", r"\1", words)


def _camel(name: str) -> str:
    if re.match(r"^[a-z]+[A-Za-z0-9]*$", name) and not re.search(r"\d(?=[a-z])", name):
        return name
    return re.sub(r"(^_*[A-Z])", lambda match: match[1].lower(), _pascal(name))


_GENERATORS: Mapping[str, Callable[[str], str]] = {
    "pydantic.alias_generators.to_camel": _camel,
    "pydantic.alias_generators.to_pascal": _pascal,
}


def is_field(name: str | None) -> bool:
    """Whether the full name is that of pydantic's `Field`."""
    return name in ("pydantic.Field", "pydantic.fields.Field")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The configuration in force for a model."""

    extra: bool | None = None  # whether other properties are accepted, where it says so
    generator: Callable[[str], str] | None = None
    keywords: Mapping[str, Json] = field(default_factory=dict)  # that the schema is given as they are

    def key(self, name: str) -> str:
        """What a field without an alias of its own is called in JSON."""
        return self.generator(name) if self.generator is not None else name


def read_config(definition: ast.ClassDef, home: Loaded, library: Library, inherited: Config) -> Config:
    """The configuration of a class: what it inherits, and what it says itself. Raises `NoJsonForm`."""
    config = inherited
    for name, node in _settings(definition):
        match name:
            case "extra":
                try:
                    value = fold(node, home, library)
                except NotStatic:
                    value = node.attr if isinstance(node, ast.Attribute) else None  # `Extra.forbid`
                config = replace(config, extra=_EXTRA.get(value))
            case "alias_generator":
                referent = library.refer(node, home)
                generator = _GENERATORS.get(referent.name) if isinstance(referent, External) else None
                if generator is None and not (isinstance(node, ast.Constant) and node.value is None):
                    reason = f"`{definition.name}` makes its aliases by a function, which is not called"
                    raise NoJsonForm(node, reason, "give each field its alias", resolved=False)
                config = replace(config, generator=generator)
            case "json_schema_extra" | "schema_extra":
                config = replace(config, keywords={**config.keywords, **_keywords(node, home, library)})
    return config


def _keywords(node: ast.expr, home: Loaded, library: Library) -> Mapping[str, Json]:
    """The keywords of a literal `json_schema_extra`; a function that makes them is not called."""
    try:
        value = fold(node, home, library)
    except NotStatic:
        return {}
    given = value if is_json(value) and isinstance(value, dict) else {}
    return {keyword: inner for keyword, inner in given.items() if keyword != "title"}


def _settings(definition: ast.ClassDef) -> Iterator[tuple[str | None, ast.expr]]:
    for keyword in definition.keywords:
        yield keyword.arg, keyword.value
    for node in definition.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="model_config")], value=value)
                | ast.AnnAssign(target=ast.Name(id="model_config"), value=ast.expr() as value)
            ):
                yield from _entries(value)
            case ast.ClassDef(name="Config"):
                for inner in node.body:
                    if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                        yield inner.targets[0].id, inner.value


def _entries(value: ast.expr) -> Iterator[tuple[str | None, ast.expr]]:
    match value:
        case ast.Call(keywords=keywords):
            yield from ((keyword.arg, keyword.value) for keyword in keywords)
        case ast.Dict(keys=keys, values=values):
            for key, inner in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, inner
