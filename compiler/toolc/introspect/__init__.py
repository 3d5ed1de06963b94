"""Ask a process of its own what a file is once it is imported: the files of a tool go in, stubs of modules come out.

A stub is Python source that says what the modules came to be: their functions with every type and default evaluated,
and the classes that these name. Whoever compiles sources compiles stubs by the same rules.

The process is never the compiler's own. It imports a copy of what would ship, in a folder that is removed afterwards;
its environment holds what is listed here and nothing else; it has no input, its output is read and forgotten, it
writes no bytecode, and its time, memory and the size of its files are limited. All that it started and that can be
found is killed. It opens no connection: where the system lets a process without privileges leave the network, it does
(Linux), and everywhere sockets are refused to its Python code. That keeps an honest module from depending on the
network. It is no prison: the module runs with the rights of whoever runs the build, which is why a layer has to ask
for it by name.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import toolc_runtime
from toolc import source
from toolc.model import Layer, SourceFile

if TYPE_CHECKING:
    from toolc_runtime.child import Child
    from toolc_runtime.process import Outcome

ANSWER_LIMIT_BYTES = 4 << 20

_PROGRAM = Path(__file__).with_name("child.py")
_LIBRARY = Path(toolc_runtime.__file__ or "").parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an import may use."""

    time_s: float = 20.0
    memory_bytes: int = 4 << 30  # of address space, of which large packages reserve much and use little
    file_bytes: int = 64 << 20  # of each file that it writes


class NoAnswer(Exception):
    """The import did not end in an answer. `message` is what is so, said of the file."""

    def __init__(self, message: str, path: str | None = None, line: int = 0) -> None:
        self.message = message
        self.path = path  # of the module of the layer where it happened, where that is known
        self.line = line
        super().__init__(message)


def introspect(
    layer: Layer, module: str, files: Iterable[SourceFile], opaque: Iterable[str], limits: Limits | None = None
) -> Mapping[str, str]:
    """Import a module of a layer, of which `files` are there, and say what it is, as stubs by module.

    Classes of the packages `opaque` are named in stubs and not described. Raises `NoAnswer`.
    """
    if os.name != "posix":
        raise NoAnswer("cannot be imported on this system, where toolc cannot limit what an import may do")
    try:
        with tempfile.TemporaryDirectory(prefix="toolc-", ignore_cleanup_errors=True) as made:
            return _ask(Path(made).resolve(), layer, module, files, opaque, limits or Limits())
    except OSError as error:
        raise NoAnswer(f"cannot be imported here: {error.strerror}") from None


def _ask(
    folder: Path, layer: Layer, module: str, files: Iterable[SourceFile], opaque: Iterable[str], limits: Limits
) -> Mapping[str, str]:
    for name in ("home", "tmp", "work"):
        (folder / name).mkdir()
    request = {
        "answer": str(folder / "answer"),
        "files": {file.bundle_path: _copy(layer, file, folder / "bundle") for file in files},
        "layer": layer.name,
        "limits": {"memory_bytes": limits.memory_bytes, "file_bytes": limits.file_bytes},
        "module": module,
        "opaque": sorted(opaque),
        "root": str(folder / "bundle"),
    }
    (folder / "request").write_text(json.dumps(request), encoding="utf-8")
    _check(_run(folder, limits.time_s), limits)
    return _read(folder, layer)


def _copy(layer: Layer, file: SourceFile, bundle: Path) -> str:
    """Write a file where a bundle would hold it; its digest."""
    try:
        data = source.read_content(layer, file.path).data
    except (OSError, source.Refused):
        raise NoAnswer(f"needs `{file.path}`, which was there a moment ago") from None
    target = bundle / file.bundle_path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


# ------------------------------------------------------------------------------------------------------- the process


def _run(folder: Path, time_s: float) -> Outcome:
    """Run the process to its end, or to the end of its time, and kill what it leaves behind."""
    # A build that imports nothing does not pay for what runs processes.
    from toolc_runtime.child import spawn
    from toolc_runtime.output import Capture, Keep
    from toolc_runtime.process import Command, run, survivors

    mark = f"introspect-{secrets.token_hex(8)}"  # in the environment of all that it starts
    leaders: list[int] = []

    def start(*words: Any, **settings: Any) -> Child:
        child = spawn(*words, **settings)
        leaders.append(child.pid)
        return child

    command = Command(
        program=sys.executable,
        argv=[sys.executable, "-I", "-B", "-X", "utf8", str(_PROGRAM), str(_LIBRARY), str(folder / "request")],
        env=_environment(folder, mark),
        cwd=str(folder / "work"),
        stdin=b"",
        background="kill",
        call_id=mark,
    )
    forgotten = Capture(Keep(head_bytes=1, tail_bytes=1))
    try:
        return run(command, forgotten, deadline=time.monotonic() + time_s, start=start)
    finally:
        for pid in (pid for leader in leaders for pid in survivors(leader, mark)):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _environment(folder: Path, mark: str) -> dict[str, str]:
    """All that the process is told of this machine."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TOOLC_CALL_ID": mark,
    }


def _check(outcome: Outcome, limits: Limits) -> None:
    """Raise `NoAnswer` for a process that was stopped, or that a signal ended."""
    if outcome.ending == "timeout":
        raise NoAnswer(f"takes more than {limits.time_s:g} s to import")
    if outcome.ending == "output-limit":
        raise NoAnswer("writes more output than toolc reads while it is imported")
    if outcome.signal is not None:
        try:
            name = signal.Signals(outcome.signal).name
        except ValueError:
            name = f"signal {outcome.signal}"
        raise NoAnswer(f"ends its process by {name} while it is imported")


# -------------------------------------------------------------------------------------------------------- the answer


def _read(folder: Path, layer: Layer) -> Mapping[str, str]:
    """What the process has written, which is not to be trusted any more than the module it has imported."""
    try:
        with (folder / "answer").open("rb") as file:
            data = file.read(ANSWER_LIMIT_BYTES + 1)
    except OSError:
        data = b""
    if len(data) > ANSWER_LIMIT_BYTES:
        raise NoAnswer(f"has more to tell than the {ANSWER_LIMIT_BYTES >> 20} MiB that toolc reads")
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        raise NoAnswer("ends its process while it is imported") from None
    match answer:
        case {"stubs": dict(stubs)} if all(isinstance(text, str) for text in stubs.values()):
            return stubs
        case {"raised": str(raised), "path": str(path), "line": int(line)}:
            here = f"tools/{layer.name}/"
            # The folder has another name each time, and the user knows the file by the layer's.
            said = raised.replace(f"{folder}/bundle/{here}", layer.shown("")).replace(str(folder), "<temporary>")
            raise NoAnswer(f"cannot be imported: `{said}`", path.removeprefix(here), line)
    raise NoAnswer("ends its process while it is imported")
