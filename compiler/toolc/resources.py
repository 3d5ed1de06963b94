"""The data that toolc carries: a name goes in, a schema or a host preset comes out."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from toolc.model import Background, ClashPolicy, EnvPolicy, Json, Level, Naming

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetLayer:
    """A folder in which a host looks for tools."""

    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionFiles:
    """Where a host keeps its permissions. Of each list, the first file that is there counts."""

    project: tuple[str, ...] = ()
    user: tuple[str, ...] = ()  # under `~`
    categories: dict[str, tuple[str, ...]]  # the host's word for a kind of tools -> its built-ins of that kind


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputLimits:
    """How much of a tool's output a host keeps: its head and its tail in bytes, and the tail also in lines."""

    head_bytes: int
    tail_bytes: int
    tail_lines: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What a host does where the project says nothing."""

    name: str
    detect: tuple[str, ...]  # a project without a config that has one of these folders is this host's
    layers: tuple[PresetLayer, ...]  # in precedence order, the last wins
    builtins: tuple[str, ...]
    policy: ClashPolicy
    naming: Naming
    permission: Level
    permission_files: PermissionFiles | None
    env_policy: EnvPolicy
    timeout_s: float
    background: Background
    output: OutputLimits


def schema(name: str) -> dict[str, Json]:
    """The JSON Schema of a file format: `toolc`, `tool`, `toolset` or `acks`."""
    loaded: dict[str, Json] = json.loads((_schemas() / f"{name}.schema.json").read_bytes())
    return loaded


@cache
def presets() -> tuple[str, ...]:
    """The names of the host presets, sorted."""
    return tuple(sorted(path.stem for path in (_PACKAGE / "presets").glob("*.toml")))


@cache
def preset(name: str) -> Preset:
    """The host preset of this name, which is one of `presets()`."""
    data = tomllib.loads((_PACKAGE / "presets" / f"{name}.toml").read_text(encoding="utf-8"))
    return Preset(
        name=name,
        detect=tuple(data["detect"]),
        layers=tuple(PresetLayer(name=layer["name"], path=layer["path"]) for layer in data["layers"]),
        builtins=tuple(sorted(data["builtins"]["names"])),
        policy=ClashPolicy(data["builtins"]["policy"]),
        naming=Naming(data["naming"]),
        permission=Level(data["permission"]),
        permission_files=_permission_files(data["permission-files"]) if "permission-files" in data else None,
        env_policy=EnvPolicy(data["env"]),
        timeout_s=data["timeout"],
        background=Background(data["background"]),
        output=OutputLimits(
            head_bytes=data["output"]["head-bytes"],
            tail_bytes=data["output"]["tail-bytes"],
            tail_lines=data["output"].get("tail-lines"),
        ),
    )


def _permission_files(data: dict[str, Any]) -> PermissionFiles:
    return PermissionFiles(
        project=tuple(data["project"]),
        user=tuple(data["user"]),
        categories={category: tuple(names) for category, names in data["categories"].items()},
    )


def _schemas() -> Path:
    # A wheel has the schemas inside the package; in a checkout they stand at the top, where people look for them.
    packaged = _PACKAGE / "schemas"
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / "schemas"
