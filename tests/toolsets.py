"""A small toolset over real files, for the tests of what comes after the compiler proper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from toolc import lock, source
from toolc.emit import Bundle, write_bundle
from toolc.model import (
    Background,
    CommandEntry,
    Digest,
    EnvPolicy,
    Layer,
    Level,
    LockedLayer,
    Origin,
    PythonEntry,
    Scope,
    Tool,
    Toolset,
)

WORDS = 'def words(text: str) -> str:\n    """Count words."""\n    return str(len(text.split()))\n'
MANIFEST = '{"name": "lines", "description": "Count lines.", "command": "./run.sh"}\n'
SCRIPT = "#!/bin/sh\nwc -l\n"


def tool(name: str, **changes: Any) -> Tool:
    """A Python tool that takes a text."""
    plain = Tool(
        name=name,
        description=f"The tool {name}.",
        input_schema={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        permission=Level.ASK,
        entry=PythonEntry(module="words", function="words"),
        env_policy=EnvPolicy.DECLARED,
        timeout_s=25,
        background=Background.KILL,
        origin=Origin(layer="team", path="words.py"),
        sources=("tools/team/words.py",),
    )
    return replace(plain, **changes)


def toolset(*tools: Tool, **fields: Any) -> Toolset:
    """A toolset of one layer."""
    layer = LockedLayer(name="team", path="team", scope=Scope.PROJECT)
    return Toolset(name="test", layers=(layer,), tools={each.name: each for each in tools}, **fields)


@dataclass(frozen=True, kw_only=True)
class Project:
    """A project of one layer, and what the compiler would make of it."""

    root: Path

    @property
    def out(self) -> Path:
        return self.root / "dist/toolset"

    @property
    def layer(self) -> Layer:
        return Layer(name="team", path="team", root=self.root / "team", rank=0, scope=Scope.PROJECT)

    @property
    def toolset(self) -> Toolset:
        paths = sorted(path.relative_to(self.layer.root) for path in self.layer.root.rglob("*") if path.is_file())
        files = [source.read_file(self.layer, path.as_posix()) for path in paths]
        return toolset(
            tool("words", permission=Level.ALLOW),
            tool("secret", permission=Level.DENY),
            tool(
                "lines",
                entry=CommandEntry(argv=("./run.sh",)),
                origin=Origin(layer="team", path="lines/tool.json"),
                sources=("tools/team/lines/run.sh", "tools/team/lines/tool.json"),
            ),
            subsets={"readers": ("lines", "secret")},
            files={file.bundle_path: Digest(sha256=file.sha256, executable=file.executable) for file in files},
        )

    def build(self, out: Path | None = None) -> Bundle:
        compiled = self.toolset
        return write_bundle(compiled, lock.encode(compiled), [self.layer], out or self.out)


def project(root: Path) -> Project:
    """Make the files of a project."""
    folder = root / "team/lines"
    folder.mkdir(parents=True)
    (root / "team/words.py").write_text(WORDS)
    (folder / "tool.json").write_text(MANIFEST)
    (folder / "run.sh").write_text(SCRIPT)
    (folder / "run.sh").chmod(0o755)
    return Project(root=root)


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Everything below a folder, with modes and contents."""
    return {
        path.relative_to(folder).as_posix(): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }
