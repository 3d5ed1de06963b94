"""What classes are made of: a class goes in, the fields that its instances have come out, inherited ones included."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
import typing
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .literals import literal

if TYPE_CHECKING:
    from .writer import Stubs

UNKNOWN = "_unknown"

_EMPTY = inspect.Parameter.empty


@dataclasses.dataclass(kw_only=True)
class Class:
    """A class as its stub states it."""

    bases: Sequence[str] = ()
    decorator: str = ""
    document: str = ""
    body: Sequence[str] = ()


def shape(stubs: Stubs, cls: Any) -> Class | None:
    """What a class is made of; None where it has no fields to tell. A class that lies about itself may raise."""
    if isinstance(cls, enum.EnumMeta):
        return _enum(stubs, cls)
    if "__pydantic_validator__" in vars(cls) and hasattr(cls, "model_fields"):
        return _pydantic(stubs, cls)
    hints = _hints(cls)
    if typing.is_typeddict(cls):
        return _typed_dict(stubs, cls, hints)
    defaults = getattr(cls, "_field_defaults", None)
    if isinstance(defaults, dict) and isinstance(cls, type) and issubclass(cls, tuple):
        body = [_attribute(stubs, name, hints, defaults.get(name, _EMPTY)) for name in getattr(cls, "_fields", ())]
        return Class(bases=[stubs.named("typing", "NamedTuple")], document=_document(cls), body=body)
    if "__attrs_attrs__" in vars(cls):
        return _attrs(stubs, cls, hints)
    if "__dataclass_fields__" in vars(cls):
        return _dataclass(stubs, cls, hints)
    return None


class Unspelled(Exception):
    """A field whose type source cannot say: without it the class would be another."""


def _known(stubs: Stubs, hint: object) -> str:
    text = stubs.type(hint)
    if UNKNOWN in text:
        raise Unspelled
    return text


def _attribute(stubs: Stubs, name: str, hints: Mapping[str, Any], default: object, unknown: str = "") -> str:
    hint = _known(stubs, hints[name]) if name in hints else stubs.named("typing", "Any")
    if default is _EMPTY:
        return f"{name}: {hint}{f' = {unknown}' if unknown else ''}"
    return f"{name}: {hint} = {stubs.default(default)}"


def _enum(stubs: Stubs, cls: Any) -> Class:
    if issubclass(cls, enum.Flag):
        return Class(bases=[stubs.named("enum", "Flag")])
    mixin = next((kind.__name__ for kind in (str, int, float) if issubclass(cls, kind)), None)
    bases = [stubs.named("builtins", mixin)] if mixin else []
    body = [f"{name} = {literal(member.value) or UNKNOWN}" for name, member in cls.__members__.items()]
    return Class(bases=[*bases, stubs.named("enum", "Enum")], body=body)


def _typed_dict(stubs: Stubs, cls: Any, hints: Mapping[str, Any]) -> Class | None:
    if not all(name.isidentifier() for name in hints):
        return None
    body = []
    for name, hint in hints.items():
        text = _known(stubs, hint)
        if typing.get_origin(hint) not in (typing.Required, typing.NotRequired):
            word = "Required" if name in cls.__required_keys__ else "NotRequired"
            text = f"{stubs.named('typing', word)}[{text}]"
        body.append(f"{name}: {text}")
    return Class(bases=[stubs.named("typing", "TypedDict")], document=_document(cls), body=body)


def _dataclass(stubs: Stubs, cls: Any, hints: Mapping[str, Any]) -> Class | None:
    if not cls.__init__.__code__.co_filename.startswith("<"):  # written by hand: the fields do not say how it is made
        return None
    module = "pydantic.dataclasses" if hasattr(cls, "__pydantic_validator__") else "dataclasses"
    body = []
    # `fields` leaves out what is given to `__init__` alone; a `ClassVar` is left out here.
    listed = [field for field in cls.__dataclass_fields__.values() if field._field_type.name != "_FIELD_CLASSVAR"]
    for field in (field for field in listed if field.init):
        default = field.default if field.default is not dataclasses.MISSING else _EMPTY
        made = field.default_factory is not dataclasses.MISSING
        unknown = stubs.call("dataclasses", "field", {"default_factory": UNKNOWN}) if made else ""
        body.append(_attribute(stubs, field.name, hints, default, unknown))
    return Class(decorator=stubs.named(module, "dataclass"), document=_document(cls), body=body)


def _attrs(stubs: Stubs, cls: Any, hints: Mapping[str, Any]) -> Class:
    body = []
    for field in (field for field in cls.__attrs_attrs__ if field.init):
        kind = type(field.default).__name__
        made = kind == "Factory"
        default = _EMPTY if made or kind in ("_Nothing", "_NothingType") else field.default
        unknown = stubs.call("attrs", "field", {"factory": UNKNOWN}) if made else ""
        body.append(_attribute(stubs, field.name, hints, default, unknown))
    return Class(decorator=stubs.named("attrs", "define"), document=_document(cls), body=body)


def _pydantic(stubs: Stubs, cls: Any) -> Class:
    if not cls.__pydantic_complete__:  # it was defined before what it names
        cls.model_rebuild(raise_errors=False, _types_namespace=vars(sys.modules[cls.__module__]))
    body = []
    extra = cls.model_config.get("extra")
    if extra is not None:
        body.append(f"model_config = {stubs.call('pydantic', 'ConfigDict', {'extra': repr(str(extra))})}")
    root = getattr(cls, "__pydantic_root_model__", False)
    base = stubs.named("pydantic", "RootModel" if root else "BaseModel")
    for name, info in cls.model_fields.items():
        beside: list[str] = []
        told = stubs.field(info, beside)
        hint = ", ".join([_known(stubs, info.annotation), *filter(None, beside)])
        hint = f"{stubs.named('typing', 'Annotated')}[{hint}]" if beside else hint
        if root:
            base = f"{base}[{hint}]"
        else:
            body.append(f"{name}: {hint} = {told}")
    return Class(bases=[base], document=_document(cls), body=body)


def _hints(cls: Any) -> Mapping[str, Any]:
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except Exception:  # text may hold any code
        found: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            found |= vars(base).get("__annotations__", {})
        return {name: hint for name, hint in found.items() if not isinstance(hint, str)}


def _document(cls: Any) -> str:
    """The docstring that a class was given, not the one that was made for it."""
    document = cls.__dict__.get("__doc__")
    if not isinstance(document, str) or document.startswith(f"{cls.__name__}("):
        return ""
    return document
