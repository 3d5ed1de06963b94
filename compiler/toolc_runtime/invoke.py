"""Call the function of a Python tool: its facts and its arguments go in, a reply of plain JSON comes out.

This runs where the tool runs: in a worker, in the child of a wrapper, or in the host itself. Whatever the tool does,
short of ending the process, becomes a reply.
"""

from __future__ import annotations

import sys

from .finder import Layer, SourceChanged
from .jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Any

    from .context import ToolContext
    from .convert import Plan
    from .jsontext import Json
    from .result import Problem

_MESSAGE_LIMIT = 2_000
_TRACE_LIMIT = 8
_WRAPPED_LIMIT = 32
_YIELDED_LIMIT = 100_000
_PLAIN = (bool, int, float)
_JSON = (str, int, bool, type(None))
_INFINITY = float("inf")


class Call:
    """Which function to call, and with what."""

    __slots__ = ("arguments", "context", "function", "kinds", "module", "plan")

    def __init__(
        self,
        *,
        module: str,
        function: str,
        arguments: Mapping[str, Json],
        kinds: Mapping[str, Sequence[str]],
        plan: Plan | None = None,
        context: tuple[str, ToolContext] | None = None,
    ) -> None:
        self.module = module
        self.function = function
        self.arguments = arguments
        self.kinds = kinds  # property -> (parameter, kind), where it is not the keyword of its own name
        self.plan = plan  # what is made of the arguments first
        self.context = context  # the parameter that wants it, and what it gets


def invoke(layer: Layer, call: Call) -> dict[str, Json]:
    """The reply: `text` and the `form` it has (`none`, `text`, `json`), or `error`."""
    try:
        function = getattr(layer.load(call.module), call.function)
        arguments, problems = (call.arguments, []) if call.plan is None else call.plan.carry_out(call.arguments)
        reply = _refusal(problems) if problems else _answer(_call(function, call, arguments))
    except BaseException as error:
        # SystemExit and KeyboardInterrupt too: a tool that raises them means itself, not its host.
        reply = {"error": _describe(error, layer)}
    if layer.changed is not None:
        return {"error": {"kind": "corrupt", "message": str(layer.changed), "trace": []}}
    return reply


def flush() -> None:
    """Send what was printed on its way, so that the answer is the last that is seen."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # the tool closed or replaced it
            continue


def _refusal(problems: Sequence[Problem]) -> dict[str, Json]:
    told: list[Json] = [{"path": [*problem.path], "message": problem.message} for problem in problems]
    return {"error": {"kind": "invalid-arguments", "message": "", "trace": [], "problems": told}}


def _call(function: Callable[..., object], call: Call, arguments: Mapping[str, Any]) -> object:
    positional, keywords = _bind(function, call, arguments)
    value: Any = function(*positional, **keywords)
    if hasattr(value, "__await__"):
        value = _run_to_its_end(value)
    if isinstance(value, type) or hasattr(value, "read"):  # a file is no list of its lines
        return value
    if hasattr(value, "__anext__"):
        return _run_to_its_end(_collect(value))
    return list(_bounded(value)) if hasattr(value, "__next__") else value


def _bounded(values: Iterable[object]) -> Iterator[object]:
    """What an iterator yields, as long as an answer can hold it: one that never ends would take all memory."""
    for count, value in enumerate(values):
        if count >= _YIELDED_LIMIT:
            raise ValueError(f"it yields more than {_YIELDED_LIMIT:,} values")
        yield value


async def _collect(values: AsyncIterable[object]) -> list[object]:
    collected: list[object] = []
    async for value in values:
        collected.append(value)
        if len(collected) > _YIELDED_LIMIT:
            raise ValueError(f"it yields more than {_YIELDED_LIMIT:,} values")
    return collected


def _run_to_its_end(value: Awaitable[object]) -> object:
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_wait_for(value))
    # A host that calls from its event loop, in process: this thread has its loop already.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, _wait_for(value)).result()


async def _wait_for(value: Awaitable[object]) -> object:
    return await value


def _bind(
    function: Callable[..., object], call: Call, arguments: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments by position and by keyword."""
    by_place: dict[str, Any] = {}
    rest: list[Any] = []
    keywords: dict[str, Any] = {}
    for name, value in arguments.items():
        parameter, kind = call.kinds.get(name, (name, "keyword"))
        if kind == "positional":
            by_place[parameter] = value
        elif kind == "*" and isinstance(value, list | tuple):
            rest += value
        elif kind == "**" and isinstance(value, dict):
            keywords |= value
        else:
            keywords[parameter] = value
    only_by_place = getattr(getattr(function, "__code__", None), "co_posonlyargcount", 0)
    if call.context is not None:
        parameter, context = call.context
        # Among parameters that are given by place, it has one of its own.
        (by_place if by_place or rest or only_by_place else keywords)[parameter] = context
    for name, value, has_place in _described_defaults(function):
        if name not in by_place and name not in keywords:
            (by_place if has_place and (by_place or rest or only_by_place) else keywords)[name] = value
    placed = _in_place(function, by_place, fill=bool(rest))
    if call.context is not None and call.context[0] in by_place:
        keywords[call.context[0]] = by_place[call.context[0]]
    return [*placed, *rest], keywords


def _described_defaults(function: Callable[..., object]) -> Iterator[tuple[str, Any, bool]]:
    """The defaults that pydantic's `Field(...)` describes; a plain call would get the description in their place.

    Each comes with its parameter, and whether that can be given by place.
    """
    for _ in range(_WRAPPED_LIMIT):
        function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    placed = getattr(function, "__defaults__", None) or ()
    if code is not None:
        for name, default in zip(code.co_varnames[code.co_argcount - len(placed) :], placed, strict=False):
            if _is_description(default):
                yield name, default.get_default(call_default_factory=True), True
    for name, default in (getattr(function, "__kwdefaults__", None) or {}).items():
        if _is_description(default):
            yield name, default.get_default(call_default_factory=True), False


def _is_description(default: object) -> bool:
    return any(kind.__name__ == "FieldInfo" and kind.__module__ == "pydantic.fields" for kind in type(default).__mro__)


def _in_place(function: Callable[..., object], given: dict[str, Any], *, fill: bool) -> list[Any]:
    """Arguments in the order of their parameters; one left out before another has its default put in its place.

    With `fill`, values for `*args` follow: every place before them has to be taken.
    """
    if not given and not fill:
        return []
    import inspect  # only functions with such parameters cost this

    placed: list[Any] = []
    for name, parameter in inspect.signature(function).parameters.items():
        by_place = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        if not by_place or not (given.keys() or fill):
            break
        if name not in given and parameter.default is parameter.empty:
            break  # the call itself will say what is missing
        placed.append(given.pop(name, parameter.default))
    return placed


def _answer(value: object) -> dict[str, Json]:
    if value is None:
        return {"form": "none", "text": ""}
    if isinstance(value, str):
        return {"form": "text", "text": str.__str__(value)}
    if type(value) not in _PLAIN:
        plain = to_json(value)
        if isinstance(plain, dict | list):
            text = _spell(plain)
            return {"form": "json", "text": text}
        if plain is not value:
            return _answer(plain)
    if isinstance(value, _PLAIN):
        try:
            return {"form": "json", "text": str(value), "value": dumps(value)}
        except ValueError:  # NaN, infinities
            return {"form": "text", "text": str(value)}
    return {"form": "text", "text": str(value)}


def to_json(value: object) -> object:
    """A mapping, list, dataclass or model as what JSON has a form for; anything else as it is."""
    if type(value) in _JSON:
        return value
    if isinstance(value, float) and not -_INFINITY < value < _INFINITY:
        return str(value)  # as where it stands alone
    if isinstance(value, dict):
        return {_key(key): to_json(inner) for key, inner in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return to_json(value._asdict())
    if isinstance(value, list | tuple):
        return [to_json(inner) for inner in value]
    if isinstance(value, set | frozenset):
        members = [to_json(inner) for inner in value]
        return sorted(members, key=_spell)  # the order of a set is an accident of the process
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in value.__dataclass_fields__}
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return value.model_dump(mode="json", by_alias=True)
    if hasattr(value, "__attrs_attrs__") and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in value.__attrs_attrs__}
    if hasattr(value, "keys") and hasattr(value, "__getitem__") and not isinstance(value, type):
        return {_key(key): to_json(value[key]) for key in value.keys()}  # noqa: SIM118  (keys are all it promises)
    from .plain import scalar  # most tools return nothing that needs it

    plain = scalar(value)
    return value if plain is value else to_json(plain)


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    from .plain import scalar

    plain = scalar(key)
    return str(key) if plain is key else _key(plain)


def _spell(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_inner)


def _inner(value: object) -> object:
    """What stands in for a value inside a structure that JSON has no form for."""
    plain = to_json(value)
    return str(value) if plain is value else plain


def _describe(error: BaseException, layer: Layer) -> dict[str, Json]:
    if isinstance(error, SourceChanged):
        return {"kind": "corrupt", "message": str(error), "trace": []}
    if _is_cancelled(error):
        return {"kind": "cancelled", "message": "", "trace": []}
    return {"kind": "failed", "message": _message(error), "trace": _trace(error.__traceback__, layer)}


def _is_cancelled(error: BaseException) -> bool:
    """Whether a tool asked its `ToolContext`, and was told to stop. Where there was none, nothing is loaded for it."""
    context = sys.modules.get(f"{__package__}.context")
    return context is not None and isinstance(error, context.Cancelled)


def _message(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"the module `{error.name}` is not installed where this tool runs"
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception:  # an exception whose own text cannot be made is still an exception
        text = ""
    if isinstance(error, SystemExit):
        return f"it called `sys.exit({text})`"
    return f"{kind}: {text[:_MESSAGE_LIMIT]}" if text else kind


def _trace(traceback: TracebackType | None, layer: Layer) -> list[Json]:
    """Where in the tool's own files it happened, the outermost place first."""
    found: list[Json] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith(f"{layer.root}/tools/"):
            found.append(f"{code.co_filename[len(layer.root) + 1 :]}:{traceback.tb_lineno}, in {code.co_name}")
        traceback = traceback.tb_next
    return found[-_TRACE_LIMIT:]
