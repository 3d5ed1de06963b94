"""Make objects of classes: one that a tool names and a validated JSON value go in, an instance comes out.

An enum is looked up by value, a pydantic model validates by itself, a mapping is filled, and a dataclass, a NamedTuple,
an attrs class or any other is called, with the properties of an object as keywords. What such a class raises about the
value is a problem of the value, told by its place; what only a mistake in its code can raise goes on as what it is.
"""

from __future__ import annotations

from .finder import SourceChanged
from .problems import quoted, show, some
from .standard import Refused, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from .finder import Layer
    from .problems import Path

# No other value would cure these.
_NOT_OF_THE_VALUE = (AttributeError, ImportError, MemoryError, NameError, OSError, SourceChanged)
_MESSAGE_LIMIT = 500
_SAID_FIRST = ("Value error, ", "Assertion failed, ")  # by pydantic, before the words of a validator


def load_class(layer: Layer, path: str) -> Any:
    """The class that `<module>:<qualified name>` names for the tools of a layer."""
    module, _, name = path.partition(":")
    found: Any = layer.find(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def reads_bytes(cls: Any) -> str | None:
    """How a class that validates JSON itself, all that is below it included, reads bytes in it; None for any other.

    `base64`, `hex` or `utf8` is a text that it decodes; `bytes` is for one that is not given JSON.
    """
    if _is_old_model(cls):
        return "bytes"
    if not hasattr(cls, "__pydantic_validator__"):
        return None
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    way: str = config.get("val_json_bytes", "utf8")
    return way


def spelled(value: bytes, way: str) -> str | bytes:
    """Bytes as a class reads them from JSON; the bytes themselves where that cannot say them."""
    if way == "base64":
        from base64 import b64encode

        return b64encode(value).decode()
    if way == "hex":
        return value.hex()
    try:
        return value.decode() if way == "utf8" else value
    except UnicodeDecodeError:
        return value


def _is_old_model(cls: Any) -> bool:
    """Whether it is a model of pydantic 1."""
    return hasattr(cls, "parse_obj") and not hasattr(cls, "__pydantic_validator__")


def maker(cls: Any, names: Sequence[str] | None) -> Callable[[Any], object]:
    """What makes an instance of a class out of a value.

    `names` are all the properties that its schema knows; None where it takes others too.
    """
    if hasattr(cls, "__members__"):
        return lambda value: _member(cls, value)
    if reads_bytes(cls) is not None:
        return lambda value: _validated(cls, value)
    if isinstance(cls, type) and issubclass(cls, dict):
        return lambda value: _filled(cls, value)
    if hasattr(cls, "__attrs_attrs__"):
        aliases = {field.name: field.alias or field.name for field in cls.__attrs_attrs__}
        return lambda value: _called(cls, value, names, aliases)
    return lambda value: _called(cls, value, names, {})


def _member(cls: Any, value: object) -> object:
    try:
        return cls(value)
    except (KeyError, TypeError, ValueError):
        pass
    # The value of a member may be a tuple, which JSON has as an array.
    for member in cls:
        if isinstance(member.value, tuple) and [*member.value] == value:
            return member
    raise refused(f"{show(value)} is not {some([repr(member.value) for member in cls])}")


def _filled(cls: Any, value: Mapping[Any, object]) -> object:
    mapping = cls()  # a `defaultdict` too: what its default is, its type does not say
    mapping.update(value)
    return mapping


def _called(cls: Any, value: Any, names: Sequence[str] | None, aliases: Mapping[str, str]) -> object:
    if not isinstance(value, dict):
        return _guarded(cls, lambda: cls(value))
    unknown = [name for name in value if names is not None and name not in names]
    if unknown:
        raise Refused(*(((), f"unknown property {quoted(name)}{_hint(names or ())}") for name in unknown))
    return _guarded(cls, lambda: cls(**{aliases.get(name, name): inner for name, inner in value.items()}))


def _hint(names: Sequence[str]) -> str:
    return f" (known: {some([quoted(name) for name in names])})" if names else ""


def _validated(cls: Any, value: object) -> object:
    if _is_old_model(cls):
        return _guarded(cls, lambda: cls.parse_obj(value), value)
    if hasattr(cls, "model_validate"):
        of_text, of_value = cls.model_validate_json, cls.model_validate
    else:  # a dataclass of pydantic's
        of_text, of_value = cls.__pydantic_validator__.validate_json, cls.__pydantic_validator__.validate_python
    # As text: even a strict model takes the text of a date from JSON, and not from Python.
    from .jsontext import dumps

    try:
        text = dumps(value)
    except TypeError:  # there are bytes in it that are no text
        return _guarded(cls, lambda: of_value(value), value)
    return _guarded(cls, lambda: of_text(text), value)


def _guarded(cls: Any, make: Callable[[], object], value: object = None) -> object:
    try:
        return make()
    except _NOT_OF_THE_VALUE:
        raise
    except Exception as error:
        if type(error).__name__ == "ValidationError" and hasattr(error, "errors"):  # pydantic's, which may not be here
            raise Refused(*_problems(error.errors(), value)) from None
        raise refused(f"{getattr(cls, '__name__', 'its type')} does not accept it: {_words(error)}") from None


def _problems(errors: Sequence[Mapping[str, Any]], value: object) -> list[tuple[Path, str]]:
    return [(_place(error["loc"], value), _shortened(_own_words(error["msg"]))) for error in errors]


def _place(location: Sequence[str | int], value: Any) -> Path:
    """The place in the value that an error is about. Pydantic also names branches of unions, which are no place."""
    found: list[str | int] = []
    for step in location:
        if isinstance(value, dict) and isinstance(step, str) and (step in value or step == location[-1]):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            continue
        found.append(step)
    return tuple(found)


def _own_words(message: str) -> str:
    for start in _SAID_FIRST:
        message = message.removeprefix(start)
    return message


def _words(error: Exception) -> str:
    # Of several arguments, as attrs gives its validators' errors, the first are the words.
    text = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    return _shortened(text) if text else type(error).__name__


def _shortened(text: str) -> str:
    return text if len(text) <= _MESSAGE_LIMIT else f"{text[:_MESSAGE_LIMIT]}…"
