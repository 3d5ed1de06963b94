"""The inside of a worker: requests come in on a private channel, each is answered by calling a function of a layer.

The channel is a copy of what was standard input, closed to the tool's own children. Standard input is empty, and
standard output and error are one pipe to the host, which takes what a tool prints for that tool's.
"""

from __future__ import annotations

import os
import sys

from . import channel
from .finder import Layer
from .invoke import Call, invoke

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .jsontext import Json


def main() -> None:
    """Serve until the host closes the channel."""
    private = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    layers: dict[str, Layer] = {}
    while (request := channel.receive(private)) is not None:
        reply = answer(request, layers)
        channel.send(private, encode_reply(reply))
    # What a tool left running in threads has no host any more.
    os._exit(0)


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
    )
    return finish(invoke(layers[name], call))


def finish(reply: dict[str, Json]) -> dict[str, Json]:
    """Send what was printed on its way, and say what still runs, so that the answer is the last that is seen."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # the tool closed or replaced it
            continue
    if children := running_children():
        reply["children"] = [*children]
    return reply


def encode_reply(reply: dict[str, Json]) -> bytes:
    """The frame of a reply; one that has no frame becomes a reply that says so."""
    try:
        frame = channel.encode(reply)
        if len(frame) <= channel.FRAME_LIMIT_BYTES:
            return frame
        return channel.encode({"error": {"kind": "output-limit", "message": "", "trace": []}})
    except (ValueError, TypeError, MemoryError) as error:
        kind = type(error).__name__
        return channel.encode(
            {"error": {"kind": "failed", "message": f"its answer cannot be sent: {kind}", "trace": []}}
        )


def running_children() -> list[int]:
    """The processes that the tool started and that have not ended, by number; [0] where only that is known."""
    if not hasattr(os, "waitid"):
        return []
    try:
        if os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None and not os.path.isdir(
            "/proc/self/task"
        ):
            return [0]
    except ChildProcessError:  # the common case, and one system call
        return []
    found = []
    for thread in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{thread}/children", "rb") as file:
                numbers = [int(number) for number in file.read().split()]
        except OSError:
            continue
        found += [pid for pid in numbers if not _is_zombie(pid)]
    return sorted(found)


def _is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])
    except OSError:
        return True
