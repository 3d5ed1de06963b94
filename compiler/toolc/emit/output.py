"""Say whether a bundle may go to a path: the path, the layers and what stands there go in; an exception, or None.

None of these is a mistake in a tool file, so none is a diagnostic: the toolset is right, and this is no place for it.
That is why each ends the command with the status of "could not run" rather than "the answer is no".
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from toolc import codes, digest
from toolc.errors import ToolcError
from toolc.model import Layer
from toolc.text import shown_path

_SHOWN_FILES = 3

_WORDS = {
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
    errno.EROFS: "the file system is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your disk quota is used up",
    errno.EFBIG: "a file would be larger than this process may write",
    errno.ENOTDIR: "a part of the path is a file",
    errno.EEXIST: "a part of the path is a file",
    errno.ENAMETOOLONG: "a name in the path is too long",
    errno.ELOOP: "a link in the path leads back to itself",
    errno.EBUSY: "it is a mount point, which cannot be replaced; name a folder below it",
    errno.EXDEV: "it is a mount point, which cannot be replaced; name a folder below it",
}


class OutputNotWritable(ToolcError):
    """The system refuses to write the bundle."""

    code = codes.OUTPUT_NOT_WRITABLE.id

    def __init__(self, path: Path, error: OSError) -> None:
        self.path = path
        self.error = error
        why = _WORDS.get(error.errno or 0) or error.strerror or str(error)
        super().__init__(f"`{shown_path(path)}` cannot be written: {why}")


class OutputTaken(ToolcError):
    """Something that no build wrote stands where the bundle goes."""

    code = codes.OUTPUT_TAKEN.id

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        self.why = why
        super().__init__(f"`{shown_path(path)}` is not replaced: {why}")


class OutputOverlapsLayer(ToolcError):
    """The bundle would lie in a layer, or a layer in the bundle."""

    code = codes.OUTPUT_OVERLAPS_LAYER.id

    def __init__(self, path: Path, layer: Layer, relation: str) -> None:
        self.path = path
        self.layer = layer
        self.relation = relation
        super().__init__(f"the output `{shown_path(path)}` {relation} the layer `{layer.name}` (`{layer.path}`)")


@contextlib.contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Let what the system refuses in here be an `OutputNotWritable`."""
    try:
        yield
    except OSError as error:
        raise OutputNotWritable(path, error) from None


def locate(out: Path) -> Path:
    """Where a path leads: absolute, the links above it followed, its own last part as it is.

    Raises `OutputNotWritable`.
    """
    try:
        if out.name in ("", ".."):
            return out.resolve()
        return out.parent.resolve() / out.name
    except OSError as error:
        raise OutputNotWritable(out, error) from None
    except RuntimeError:  # a loop of links, before Python 3.13
        raise OutputNotWritable(out, OSError(errno.ELOOP, os.strerror(errno.ELOOP))) from None


def keep_apart(out: Path, layers: Sequence[Layer]) -> None:
    """Refuse an output that lies in a layer, around one, or in a bundle; raises `OutputOverlapsLayer`, `OutputTaken`.

    Absent layers count: a bundle in the place of one would be found as tools by the next build.
    """
    for folder in out.parents:
        # A bundle is exactly its files, so one more in it would be the end of it.
        if (folder / "lib" / "toolc_runtime").is_dir() and (folder / digest.INDEX).is_file():
            raise OutputTaken(out, f"it lies in the bundle `{shown_path(folder)}`")
    for layer in layers:
        root = Path(os.path.realpath(layer.root))
        if _same(out, root):
            raise OutputOverlapsLayer(out, layer, "is")
        if any(_same(folder, root) for folder in out.parents):
            raise OutputOverlapsLayer(out, layer, "lies in")
        if any(_same(folder, out) for folder in root.parents):
            raise OutputOverlapsLayer(out, layer, "holds")


def standing(out: Path) -> tuple[bytes, digest.Tree] | None:
    """The bundle that stands at the output, as the bytes of its `bundle.json` and its tree; None for nothing to lose.

    Raises `OutputTaken` for what no build wrote.
    """
    try:
        mode = out.lstat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        raise OutputTaken(out, "it is a symbolic link")
    if not stat.S_ISDIR(mode):
        raise OutputTaken(out, "it is not a folder")
    if out == out.parent:
        raise OutputTaken(out, "it is the root of the file system")
    tree = digest.walk(out)
    if not tree.paths:
        return None
    if digest.INDEX not in tree.files:
        raise OutputTaken(out, f"it has files and no `{digest.INDEX}`, so no build wrote it")
    try:
        data, index = digest.read_index(out)
    except (digest.NotABundle, digest.IndexBroken) as error:
        raise OutputTaken(out, f"its `{digest.INDEX}` does not say which files are a build's ({error.why})") from None
    foreign = sorted(tree.paths - index.files.keys() - {digest.INDEX} - digest.bytecode(tree, index.files))
    if foreign:
        raise OutputTaken(out, _why_foreign(foreign))
    return data, tree


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one folder, also where the file system ignores case or mounts it twice."""
    if one == other:
        return True
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def _why_foreign(paths: Sequence[str]) -> str:
    said = f"{_several(paths)} in it {'is' if len(paths) == 1 else 'are'} not of a build"
    if any(digest.BYTECODE not in path.split("/")[:-1] for path in paths):
        return said
    return f"{said}; a Python left {'it' if len(paths) == 1 else 'them'} there as bytecode, which may be removed"


def _several(paths: Sequence[str]) -> str:
    shown = [f"`{shown_path(Path(path))}`" for path in paths[:_SHOWN_FILES]]
    if len(paths) > _SHOWN_FILES:
        return f"{', '.join(shown)} and {len(paths) - _SHOWN_FILES} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
