"""The inside of a worker: requests come in on a private channel, each is answered by calling a function of a layer.

The channel is a copy of what was standard input, closed to the tool's own children. Standard input is empty, and
standard output and error are one pipe to the host, which takes what a tool prints for that tool's.
"""

from __future__ import annotations

import os
import time

from . import channel
from .finder import Layer
from .invoke import Call, flush, invoke
from .surroundings import children_so_far, has_children, restore_signals, surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from .context import ToolContext
    from .convert import Plan
    from .jsontext import Json

_BROKEN = 70  # the exit status of a worker that a tool has broken


def main() -> NoReturn:
    """Serve until the host closes the channel."""
    private = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    restore_signals()
    try:
        _serve(private)
    except BaseException:  # a traceback of ours would pass for what the tool printed
        os._exit(_BROKEN)
    # What a tool left running in threads has no host any more.
    os._exit(0)


def _serve(private: int) -> None:
    own = os.getpid()
    layers: dict[str, Layer] = {}
    while (request := channel.receive(private)) is not None:
        reply = answer(request, layers)
        if os.getpid() != own:  # the tool forked, and its child came back from the function too
            os._exit(0)
        channel.send(private, channel.encode_reply(reply, request.get("number")))


def answer(request: dict[str, Json], layers: dict[str, Layer]) -> dict[str, Json]:
    """The reply to one request."""
    match request:
        case {
            "root": str(root),
            "layer": str(name),
            "files": dict(files),
            "env": dict(env),
            "cwd": str(cwd),
            "module": str(module),
            "function": str(function),
            "arguments": dict(arguments),
            "kinds": dict(kinds),
        }:
            pass
        case _:
            raise channel.ProtocolError("a request does not have the fields of one")
    os.environ.update({key: value for key, value in env.items() if isinstance(value, str)})
    for key in [key for key, value in env.items() if value is None]:
        os.environ.pop(key, None)
    if name not in layers:
        layers[name] = Layer(root, name, {})
        layers[name].install()
    layers[name].add({path: digest for path, digest in files.items() if isinstance(digest, str)})
    plan = _plan(layers[name], request.get("plan"))
    try:
        os.chdir(cwd)
    except OSError as error:
        return {
            "error": {
                "kind": "unavailable",
                "message": f"its host is in `{cwd}`, which cannot be entered: {error.strerror}",
                "trace": [],
            }
        }
    call = Call(
        module=module,
        function=function,
        arguments=arguments,
        kinds={key: [str(part) for part in pair] for key, pair in kinds.items() if isinstance(pair, list)},
        plan=plan,
        context=_context(request.get("context"), cwd),
    )
    before, children = surroundings(), children_so_far()
    reply = invoke(layers[name], call)
    flush()
    if children_so_far() != children or has_children():
        reply["spawned"] = True
    if surroundings() != before:
        reply["spent"] = True
    return reply


def _plan(layer: Layer, told: Json) -> Plan | None:
    """What is made of a tool's arguments. It is told once, and kept."""
    match told:
        case {"tool": str(tool), "schema": dict(schema), "conversions": dict(conversions)}:
            from .convert import Plan

            layer.plans[tool] = Plan(layer, schema, {pointer: str(kind) for pointer, kind in conversions.items()})
            return layer.plans[tool]
        case {"tool": str(tool)}:
            return layer.plans[tool]
    return None


def _context(told: Json, cwd: str) -> tuple[str, ToolContext] | None:
    match told:
        case {"parameter": str(parameter), "remaining_s": int() | float() as remaining_s}:
            from .context import ToolContext

            name, call_id = os.environ["TOOLC_TOOL"], os.environ["TOOLC_CALL_ID"]
            deadline = time.monotonic() + remaining_s
            return parameter, ToolContext(name=name, call_id=call_id, cwd=cwd, deadline=deadline)
    return None
