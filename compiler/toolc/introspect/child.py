"""The process that imports: a request goes in as a file, the stubs of what was imported come out as another.

It is run by its path, alone in an isolated interpreter. What is imported may do what it likes to the process; so the
answer's file is opened before, and nothing after the answer is waited for.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h
_SAID_LIMIT = 400


def main(library: str, request_path: str) -> None:
    """Answer a request, and end the process."""
    with open(request_path, encoding="utf-8") as file:  # noqa: PTH123  (what is loaded before the limits stays small)
        request = json.load(file)
    answer = os.open(request["answer"], os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    leave_network()
    limit(request["limits"])
    sys.path.append(library)
    told = json.dumps(ask(request)).encode()
    view = memoryview(told)
    while view:
        view = view[os.write(answer, view) :]
    os.close(answer)
    # Threads and exit handlers of what was imported are not waited for.
    os._exit(0)


def ask(request: Mapping[str, Any]) -> dict[str, object]:
    """Import what is asked for; its stubs, or what it raised and where."""
    from toolc_runtime.finder import Layer

    recorded = record_options()
    describe = _describe()
    layer = Layer(request["root"], request["layer"], request["files"])
    layer.install()
    try:
        module = layer.load(request["module"])
        return {"stubs": describe(module, layer.namespace, recorded, frozenset(request["opaque"]))}
    except BaseException as error:  # `sys.exit` at module level too
        return {"raised": _last_line(error), **_place(error, request["root"])}


def _describe() -> Callable[..., dict[str, str]]:
    """What makes stubs, loaded from beside this file: the package around it is the compiler, which is not needed."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder = f"{os.path.dirname(os.path.abspath(__file__))}/stubs"  # noqa: PTH100, PTH120  (as above)
    spec = spec_from_file_location("toolc_stubs", f"{folder}/__init__.py", submodule_search_locations=[folder])
    assert spec is not None and spec.loader is not None, "it stands beside this file"
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look
    spec.loader.exec_module(module)
    describe: Callable[..., dict[str, str]] = module.describe
    return describe


def record_options() -> dict[int, tuple[object, dict[str, object]]]:
    """Put a `tool` that remembers in the place of the real one; by function, the function and what it was given."""
    from toolc_runtime import authoring

    recorded: dict[int, tuple[object, dict[str, object]]] = {}

    def tool(function: object = None, /, **options: object) -> object:
        if callable(function):
            recorded[id(function)] = (function, {})
            return function
        if function is not None:
            options = {"description": function, **options}

        def decorate(decorated: object) -> object:
            recorded[id(decorated)] = (decorated, options)
            return decorated

        return decorate

    vars(authoring)["tool"] = tool
    return recorded


def _last_line(error: BaseException) -> str:
    import traceback

    try:
        text = traceback.format_exception_only(error)[-1]
    except BaseException:
        text = type(error).__name__  # its own `__str__` raises
    line = " ".join(text.split())
    return line if len(line) <= _SAID_LIMIT else f"{line[: _SAID_LIMIT - 3]}..."


def _place(error: BaseException, root: str) -> dict[str, object]:
    """The last place in the layer on the way to what was raised."""
    place: dict[str, object] = {"path": "", "line": 0}
    if isinstance(error, SyntaxError) and error.filename and error.filename.startswith(f"{root}/"):
        return {"path": error.filename[len(root) + 1 :], "line": error.lineno or 0}
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(f"{root}/"):
            place = {"path": file[len(root) + 1 :], "line": trace.tb_lineno}
        trace = trace.tb_next
    return place


# --------------------------------------------------------------------------------------------------------- the limits


def leave_network() -> None:
    """Leave the network, where the system lets a process without privileges do so, and refuse sockets in any case."""
    _leave_namespace()

    def refuse(event: str, _arguments: object) -> None:
        if event in _NETWORK:
            raise PermissionError("a build has no network for what it imports")

    sys.addaudithook(refuse)


_NETWORK = frozenset(
    {
        "socket.bind",
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyaddr",
        "socket.gethostbyname",
        "socket.getnameinfo",
        "socket.sendmsg",
        "socket.sendto",
    }
)


def _leave_namespace() -> None:
    if sys.platform != "linux":
        return
    import ctypes

    user, group = os.getuid(), os.getgid()
    try:
        if ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
            return
        # Without these the process would belong to nobody, as far as it can see.
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123  (as above)
                file.write(text)
    except (AttributeError, OSError):
        return


def limit(limits: Mapping[str, int]) -> None:
    """Bound the memory of this process and the files it writes."""
    import resource

    wanted = [
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_CORE, 0),
    ]
    for kind, most in wanted:
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # macOS does not limit address space
            continue


if __name__ == "__main__":
    main(*sys.argv[1:])
