"""Start a project: a folder and a host go in, a config, example tools and git's settings are written, never over
anything that is there."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import tomli_w

from toolc import codes
from toolc.config.files import Unusable, read_text
from toolc.diagnostics import Reporter
from toolc.errors import ToolcError
from toolc.resources import preset, presets
from toolc.text import shown_path

CONFIG = "toolc.toml"
_TEMPLATES = Path(__file__).parent / "templates" / "init"
# What a project gets, and where it stands here. A module of ours must not be taken for one of toolc's.
_EXAMPLES = {
    "word_count.py": "word_count.py.txt",
    "line-count/tool.json": "line-count/tool.json",
    "line-count/count_lines.py": "line-count/count_lines.py.txt",
}
_EXAMPLE_TOOLS = ("line-count", "word_count")
_OWN_LAYER = "tools"  # of a host that has no folder of its own


class NotWritable(ToolcError):
    """A folder in which no project can be started."""

    code = codes.SYSTEM_REFUSED.id

    def __init__(self, path: Path, error: OSError) -> None:
        self.path = path
        self.error = error
        super().__init__(f"`{shown_path(path)}` cannot be written: {os.strerror(error.errno or 0)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """What became of a start, as paths within the project, the config first."""

    host: str
    created: tuple[str, ...]
    kept: tuple[str, ...]  # was there already


def hosts_of(root: Path) -> tuple[str, ...]:
    """The hosts whose folders a project has; of several that share one, the first."""
    found: dict[str, str] = {}
    for name in presets():
        for folder in preset(name).detect:
            if (root / folder).is_dir():
                found.setdefault(folder, name)
    return tuple(sorted(set(found.values())))


def scaffold(root: Path, host: str) -> Scaffold:
    """Write what a new project needs. One that has a config is left as it is; raises `NotWritable`."""
    if (config := _config_of(root)) is not None:
        return Scaffold(host=host, created=(), kept=(config,))
    layer = layer_of(host)
    examples = not _has_entries(root / layer)
    files = {CONFIG: _config(host, examples=examples).encode()}
    if examples:
        files |= {f"{layer}/{path}": (_TEMPLATES / data).read_bytes() for path, data in _EXAMPLES.items()}
    files |= {f".{name}": (_TEMPLATES / name).read_bytes() for name in ("gitattributes", "gitignore")}
    # The config last: where something before it fails, the next start is not told that the project has one.
    created = {path for path, data in reversed(files.items()) if _create(root / path, data)}
    return Scaffold(
        host=host,
        created=tuple(path for path in files if path in created),
        kept=tuple(path for path in files if path not in created),
    )


def layer_of(host: str) -> str:
    """The folder of a project in which the host looks first."""
    own = (layer.path for layer in preset(host).layers if not PurePosixPath(layer.path).is_relative_to("~"))
    return next(own, _OWN_LAYER)


def _config(host: str, *, examples: bool) -> str:
    """The text of `toolc.toml`: tables with a word on each."""
    toolset = {"name": "toolset"} | ({"host": host} if host != "none" else {}) | {"user-layers": "exclude"}
    tables = [("What toolc compiles for an agent.", "[toolset]", toolset)]
    if not preset(host).layers:
        about = "Where tools are looked for. Of two layers that declare a name, the last one wins."
        tables.append((about, "[[layers]]", {"name": _OWN_LAYER, "path": _OWN_LAYER}))
    if examples:
        # No rule for `*`: it would come after the host's own permission file, and so overrule it.
        about = "allow, ask or deny, by name or glob; the last match wins. These two only look at their argument."
        tables.append((about, "[permissions]", dict.fromkeys(_EXAMPLE_TOOLS, "allow")))
    return "\n".join(f"# {about}\n{header}\n{tomli_w.dumps(values)}" for about, header, values in tables)


def _config_of(root: Path) -> str | None:
    """The file that is the project's config already."""
    if os.path.lexists(root / CONFIG):
        return CONFIG
    try:
        content = read_text(root / "pyproject.toml", "pyproject.toml", Reporter())
        pyproject = tomllib.loads(content or "")
    except (Unusable, ValueError, RecursionError):  # it is not ours to mend
        return None
    tools = pyproject.get("tool")
    return "pyproject.toml" if isinstance(tools, dict) and "toolc" in tools else None


def _has_entries(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotWritable(folder, error) from None


def _create(path: Path, data: bytes) -> bool:
    """Write a new file, and say whether it was: one that is there stays."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotWritable(path.parent, error) from None
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        return False
    except OSError as error:
        raise NotWritable(path, error) from None
    return True
