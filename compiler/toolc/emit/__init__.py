"""Write the bundle: a toolset, its lock and its layers go in, one folder that runs anywhere comes out.

The content is decided before anything is written: what toolc makes itself is rendered here, and the digest of every
source is the lock's. So a bundle that stands already is known without reading a source, and is left alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import toolc_runtime
from toolc import __version__, codes, digest, source
from toolc.emit import definitions, output
from toolc.emit.publish import Shipped, publish, reserved
from toolc.errors import ToolcError
from toolc.model import Digest, Layer, Level, Toolset

__all__ = ["Bundle", "ChangedWhileBuilding", "write_bundle"]

_NO_BYTECODE = b"A file, and not a folder, so that no Python keeps bytecode in this bundle or takes any from it.\n"


class ChangedWhileBuilding(ToolcError):
    """A source is not the one that was compiled any more."""

    code = codes.CHANGED_WHILE_BUILDING.id

    def __init__(self, path: str, what: str) -> None:
        self.path = path
        self.what = what
        super().__init__(f"`{path}` changed while the build was running: {what}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A bundle that stands at its output."""

    path: Path
    toolset_digest: str  # `sha256:<hex>` of `toolset.json`
    bundle_digest: str  # of `bundle.json`
    written: bool  # False where the same bundle stood there already


def write_bundle(
    toolset: Toolset,
    lock: bytes,
    layers: Sequence[Layer],
    out: Path,
    *,
    on_wait: Callable[[str], None] = lambda _: None,
) -> Bundle:
    """Write the bundle of a toolset to `out`, whole or not at all; where it stands already, touch nothing.

    `lock` is the toolset's encoding, `layers` are where its sources are read. `on_wait` is told, in words, where
    another build has to end first. Raises `ToolcError`.
    """
    target = output.locate(out)
    output.keep_apart(target, layers)
    files = {
        **{path: _generated(data) for path, data in definitions.files(toolset).items()},
        **_wrappers(toolset),
        **_runtime(),
        **_sources(toolset, layers),
        digest.LOCK: _generated(lock),
    }
    index = digest.encode_index(
        digest.Index(toolc=__version__, files={path: shipped.digest for path, shipped in files.items()})
    )
    files[digest.INDEX] = _generated(index)
    with reserved(target, on_wait):
        written = not _stands(files, index, target)
        if written:
            publish(files, target)
    return Bundle(
        path=out,
        toolset_digest=digest.sha256(lock),
        bundle_digest=digest.sha256(index),
        written=written,
    )


def _stands(files: Mapping[str, Shipped], index: bytes, out: Path) -> bool:
    """Whether exactly this bundle stands at `out`; raises where something stands there that no build wrote."""
    with output.in_words(out):
        standing = output.standing(out)
        if standing is None:
            return False
        data, tree = standing
        return data == index and digest.intact(out, tree, {path: shipped.digest for path, shipped in files.items()})


def _wrappers(toolset: Toolset) -> dict[str, Shipped]:
    from toolc.emit import wrappers  # a template engine comes with it

    return {
        f"bin/{name}": _generated(wrappers.render(toolset, tool), executable=True)
        for name, tool in toolset.tools.items()
        if tool.permission is not Level.DENY
    }


def _runtime() -> dict[str, Shipped]:
    """The runtime's modules as this toolc has them installed."""
    assert toolc_runtime.__file__ is not None, "the runtime is a package with an `__init__.py`"
    folder = Path(toolc_runtime.__file__).parent
    modules = {
        f"lib/toolc_runtime/{module.relative_to(folder).as_posix()}": _generated(
            # A checkout with `autocrlf` must give the same bytes.
            module.read_bytes().replace(b"\r\n", b"\n")
        )
        for module in folder.rglob("*.py")
    }
    # A file in the place of the folder, beside each module: a host that imports them from here would fill that.
    folders = {path.rpartition("/")[0] for path in modules}
    return modules | {f"{folder}/{digest.BYTECODE}": _generated(_NO_BYTECODE) for folder in folders}


def _sources(toolset: Toolset, layers: Sequence[Layer]) -> dict[str, Shipped]:
    by_name = {layer.name: layer for layer in layers}
    shipped = {}
    for bundle_path, locked in toolset.files.items():
        top, layer, path = bundle_path.split("/", 2)
        assert top == "tools", f"`{bundle_path}` is a file of a layer"
        shipped[bundle_path] = Shipped(digest=locked, read=partial(_source, by_name[layer], path, locked))
    return shipped


def _source(layer: Layer, path: str, locked: Digest) -> bytes:
    """The bytes of a source, which are those that the lock names; raises `ChangedWhileBuilding`."""
    shown = layer.shown(path)
    try:
        content = source.read_content(layer, path)
    except source.Refused as refused:
        raise ChangedWhileBuilding(shown, refused.message) from None
    except OSError:
        raise ChangedWhileBuilding(shown, "it is gone") from None
    if hashlib.sha256(content.data).hexdigest() != locked.sha256:
        raise ChangedWhileBuilding(shown, "it has other content than what was compiled")
    if content.executable != locked.executable:
        raise ChangedWhileBuilding(shown, "it became executable, or ceased to be")
    return content.data


def _generated(data: bytes, *, executable: bool = False) -> Shipped:
    file = Digest(sha256=hashlib.sha256(data).hexdigest(), executable=executable)
    return Shipped(digest=file, read=lambda: data)
