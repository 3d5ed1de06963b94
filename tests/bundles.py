"""A small bundle made by hand: a dict of files and of tools goes in, a folder as a build writes it comes out."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import toolc_runtime
from toolc.emit import wrappers
from toolc.model import (
    Background,
    CommandEntry,
    Digest,
    EnvPolicy,
    Level,
    LockedLayer,
    Mode,
    Origin,
    PythonEntry,
    Scope,
    Tool,
    Toolset,
)

OPEN = {"type": "object"}


def command(*argv: str, **changes: Any) -> dict[str, Any]:
    """The facts of a command tool."""
    return {"argv": list(argv), **changes}


def python(module: str, function: str, **changes: Any) -> dict[str, Any]:
    """The facts of a Python tool."""
    return {"module": module, "function": function, **changes}


def bundle(
    root: Path,
    tools: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, str | bytes] | None = None,
    *,
    layer: str = "team",
    lock: Mapping[str, Any] | None = None,
) -> Path:
    """Write a bundle below `root`. `files` are paths within the layer; a text that begins with `#!` is executable.

    The sources of a Python tool are all Python files, those of a command its folder. `lock` changes the lock's fields.
    """
    folder = root / "bundle"
    contents = {f"tools/{layer}/{path}": _bytes(text) for path, text in (files or {}).items()}
    for path, data in contents.items():
        _write(folder / path, data, executable=data.startswith(b"#!"))
    for name in tools:
        (folder / f"tools/{layer}/{name}").mkdir(parents=True, exist_ok=True)
    compiled = toolset(tools, contents, layer)
    entries = {name: _entry(compiled.tools[name]) for name in sorted(compiled.tools)}
    value: dict[str, Any] = {
        "lock_version": 1,
        "requires": [],
        "toolset": compiled.name,
        "layers": [{"name": layer, "path": layer, "scope": "project"}],
        "tools": entries,
        "files": {
            path: f"sha256:{digest.sha256}{' x' if digest.executable else ''}"
            for path, digest in compiled.files.items()
        },
    }
    value |= dict(lock or {})
    compiled = toolset(tools, contents, layer, host=value.get("host", "none"))
    _write(folder / "toolset.json", json.dumps(value, indent=2).encode() + b"\n")
    library = Path(toolc_runtime.__file__ or "").parent
    for module in library.glob("*.py"):
        _write(folder / "lib/toolc_runtime" / module.name, module.read_bytes())
    for name, tool in compiled.tools.items():
        if tool.permission is not Level.DENY:
            _write(folder / "bin" / name, wrappers.render(compiled, tool), executable=True)
    definitions = [{"name": name} for name in compiled.tools]
    _write(folder / "definitions/openai.json", json.dumps(definitions).encode())
    for subset, names in value.get("subsets", {}).items():
        _write(folder / f"definitions/{subset}/openai.json", json.dumps([{"name": name} for name in names]).encode())
    seal(folder)
    return folder


def seal(folder: Path) -> None:
    """Write `bundle.json` over what stands in a bundle."""
    digests = {
        path.relative_to(folder).as_posix(): f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "bundle.json"
    }
    index = {"bundle_version": 1, "toolc": "0", "files": digests}
    _write(folder / "bundle.json", json.dumps(index, indent=2).encode() + b"\n")


def toolset(
    tools: Mapping[str, Mapping[str, Any]], contents: Mapping[str, bytes], layer: str, host: str = "none"
) -> Toolset:
    """The value of which a bundle is made."""
    return Toolset(
        name="test",
        host=host,
        layers=(LockedLayer(name=layer, path=layer, scope=Scope.PROJECT),),
        tools={name: _tool(name, facts, contents, layer) for name, facts in sorted(tools.items())},
        files={
            path: Digest(sha256=hashlib.sha256(data).hexdigest(), executable=data.startswith(b"#!"))
            for path, data in sorted(contents.items())
        },
    )


def _tool(name: str, facts: Mapping[str, Any], contents: Mapping[str, bytes], layer: str) -> Tool:
    entry: CommandEntry | PythonEntry
    if "argv" in facts:
        entry = CommandEntry(argv=tuple(facts["argv"]))
        sources = [path for path in contents if path.startswith(f"tools/{layer}/{name}/")]
        origin = f"{name}/tool.json"
    else:
        entry = PythonEntry(
            module=facts["module"],
            function=facts["function"],
            arguments=facts.get("arguments", {}),
            conversions=facts.get("conversions", {}),
        )
        sources = [path for path in contents if path.endswith(".py")]
        origin = f"{facts['module']}.py"
    return Tool(
        name=name,
        description=facts.get("description", f"The tool {name}."),
        input_schema=facts.get("schema", OPEN),
        permission=Level(facts.get("permission", "allow")),
        entry=entry,
        mode=Mode(facts.get("mode", "worker")),
        env_policy=EnvPolicy(facts.get("env_policy", "declared")),
        env=tuple(facts.get("env", ())),
        timeout_s=facts.get("timeout_s", 25),
        background=Background(facts.get("background", "kill")),
        environment=facts.get("environment"),
        origin=Origin(layer=layer, path=origin),
        sources=tuple(sorted(sources)),
    )


def _entry(tool: Tool) -> dict[str, Any]:
    """A tool as the lock spells it, which a wrapper's facts share."""
    return wrappers.lock_entry(tool)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _write(path: Path, data: bytes, *, executable: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o755 if executable else 0o644)


def remove(folder: Path) -> None:
    """Remove a bundle."""
    shutil.rmtree(folder)
