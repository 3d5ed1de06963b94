"""What `init`, `build`, `lock`, `digest` and `verify` say: where things are, their digests, and what changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolc import codes
from toolc.diagnostics import Diagnostic
from toolc.render import text
from toolc.render.style import Style, clean_line
from toolc.text import as_argument, shown_path

if TYPE_CHECKING:
    from toolc.artifact import Digests
    from toolc.pipeline import Built, DerivedLock
    from toolc.scaffold import Scaffold
    from toolc.tool_digest import ToolDigests


def answer(built: Built) -> str:
    """The bundle's folder and the two digests; nothing where nothing was built."""
    if built.bundle is None:
        return ""
    bundle = built.bundle
    return f"{shown_path(bundle.path)}\ntoolset {bundle.toolset_digest}\nbundle {bundle.bundle_digest}\n"


def talk(built: Built) -> Iterator[str]:
    """What was done beside that, line by line."""
    if built.lock is None:
        why = "" if built.compilation.toolset is None else ": warnings count as errors here"
        yield f"nothing was written{why}"
    elif built.lock_written:
        end, lines = ("", ()) if built.lock.missing else (":", _changes(built.lock))
        yield f"wrote `{shown_path(built.lock.path)}`{end}"
        yield from lines
    elif not built.lock.stale and not (built.bundle is not None and built.bundle.written):
        yield "up to date"


def lock_text(built: Built, *, check: bool) -> str:
    """The lock and its digest; where it was only to be checked, what is stale."""
    if built.lock is None:
        return ""
    if check and built.lock.stale:
        return f"error[{codes.LOCK_STALE.id}]: {stale(built.lock)}"
    return f"{shown_path(built.lock.path)}\ntoolset {built.lock.digest}\n"


def stale(lock: DerivedLock) -> str:
    """What is stale in a committed lock, and what to do about it."""
    path = shown_path(lock.path)
    said = (
        [f"`{path}` is missing"] if lock.missing else [f"`{path}` is stale, and nothing was written:", *_changes(lock)]
    )
    return "\n".join([*said, f"run `toolc lock{as_argument(lock.path.parent)}`, and commit it"]) + "\n"


def identities(digests: Digests, tools: Mapping[str, ToolDigests] | None = None) -> str:
    """The digests by their words, those of each tool below."""
    bundle = f"bundle {digests.bundle}\n" if digests.bundle is not None else ""
    each = [
        f"\n{clean_line(name)}\n"
        f"  interface {entry.interface}\n  behaviour {entry.behaviour}\n  grant     {entry.grant}\n"
        for name, entry in (tools or {}).items()
    ]
    return f"toolset {digests.toolset}\n{bundle}{''.join(each)}"


def verified(diagnostics: Sequence[Diagnostic], digests: Digests | None, style: Style) -> str:
    """The faults of a bundle, or the digests of one that has none (None where it has some)."""
    shown = text.render(diagnostics, style)
    if digests is None:
        return f"{shown}\n{text.summary(diagnostics)}\n"
    return f"{shown}{identities(digests)}verified\n"


def started(scaffold: Scaffold, folder: Path) -> str:
    """The files that `init` wrote."""
    return "".join(f"created {shown_path(folder / path)}\n" for path in scaffold.created)


def _changes(lock: DerivedLock) -> Iterator[str]:
    for change in lock.changes:
        yield f"  {clean_line(change)}"
