"""Say whether a bundle is the one that was built: a bundle and the digests expected of it go in, diagnostics come out.

The bundle is compared with its own `bundle.json`: the set of its files, their contents, their executable bits; then
the lock's sources with the same list. Somebody who may edit every file can make these agree, so what a deployment
pins is the digest of `bundle.json`. Nothing is written, and no link of the bundle is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from toolc import codes, digest, lock
from toolc.diagnostics import Code, Diagnostic, Reporter, Span, Text
from toolc.digest import HAS_MODES, INDEX, LOCK, IndexBroken, IndexTooNew, NotABundle, Tree
from toolc.model import Digest
from toolc.text import shown_path


def verify(bundle: Path, *, expect: str | None = None, expect_toolset: str | None = None) -> tuple[Diagnostic, ...]:
    """Everything that is wrong with a bundle; empty where it is as it was built.

    `expect` and `expect_toolset` are the digests of the bundle and of its lock, `sha256:<hex>`. Raises `NotABundle`
    for a path that is none, and `LockError` for a lock that was built so and that this toolc cannot read.
    """
    index_data = digest.read_whole(bundle, INDEX)
    try:
        tree = digest.walk(bundle)
    except OSError as error:
        raise NotABundle(bundle, f"its files cannot be listed: {error.strerror}") from None
    reporter = Reporter()
    for diagnostic in _findings(bundle, tree, index_data):
        reporter.report(diagnostic)
    found = digest.sha256(index_data)
    if expect is not None and found != expect:
        message = f"the bundle is {found}, and {expect} is expected"
        reporter.report(_finding(codes.BUNDLE_UNEXPECTED, bundle, INDEX, message))
    if expect_toolset is not None and LOCK in tree.files:
        found = f"sha256:{digest.file_sha256(bundle, LOCK)}"
        if found != expect_toolset:
            message = f"the toolset is {found}, and {expect_toolset} is expected"
            reporter.report(_finding(codes.TOOLSET_UNEXPECTED, bundle, LOCK, message))
    return reporter.diagnostics


def _findings(bundle: Path, tree: Tree, index_data: bytes) -> Iterator[Diagnostic]:
    yield from _oddities(bundle, tree)
    try:
        index = digest.decode_index(index_data)
    except IndexTooNew as error:
        raise NotABundle(bundle, error.why) from None
    except IndexBroken as error:
        yield _finding(codes.INDEX_BROKEN, bundle, INDEX, f"`{INDEX}` is not what a build writes: {error.why}")
        return
    contents = {}
    for path in sorted(index.files.keys() & tree.files.keys()):
        try:
            contents[path] = Digest(sha256=digest.file_sha256(bundle, path), executable=tree.files[path])
        except OSError as error:
            yield _finding(codes.BUNDLE_FILE_ODD, bundle, path, f"`{path}` cannot be read: {error.strerror}")
    yield from _set_differences(bundle, tree, index.files)
    yield from _content_differences(bundle, contents, index.files)
    if LOCK in contents and contents[LOCK].sha256 == index.files[LOCK].sha256:
        yield from _disagreements(bundle, index.files)


def _oddities(bundle: Path, tree: Tree) -> Iterator[Diagnostic]:
    for path in sorted(tree.oddities):
        yield _finding(codes.BUNDLE_FILE_ODD, bundle, path, f"`{_shown(path)}` is {tree.oddities[path]}")


def _set_differences(bundle: Path, tree: Tree, wanted: Mapping[str, Digest]) -> Iterator[Diagnostic]:
    for path in sorted(wanted.keys() - tree.paths):
        message = f"`{_shown(path)}` is missing; `{INDEX}` lists it as sha256:{wanted[path].sha256}"
        yield _finding(codes.BUNDLE_FILE_MISSING, bundle, path, message)
    bytecode = digest.bytecode(tree, wanted)
    for path in sorted(tree.files.keys() - wanted.keys() - {INDEX}):
        hint = "a Python made it of the bundle's own module: remove it, or build again" if path in bytecode else None
        yield _finding(codes.BUNDLE_FILE_EXTRA, bundle, path, f"`{_shown(path)}` is not in `{INDEX}`", hint)
    for path in tree.empty:
        yield _finding(codes.BUNDLE_FILE_EXTRA, bundle, path, f"the empty folder `{_shown(path)}` is not of a build")


def _content_differences(
    bundle: Path, contents: Mapping[str, Digest], wanted: Mapping[str, Digest]
) -> Iterator[Diagnostic]:
    for path, found in contents.items():
        if found.sha256 != wanted[path].sha256:
            message = f"`{_shown(path)}` is sha256:{found.sha256}, and was built as sha256:{wanted[path].sha256}"
            yield _finding(codes.BUNDLE_FILE_CHANGED, bundle, path, message)
        elif HAS_MODES and found.executable != wanted[path].executable:
            was, now = ("executable", "is not any more") if wanted[path].executable else ("not executable", "is now")
            yield _finding(codes.BUNDLE_FILE_MODE, bundle, path, f"`{_shown(path)}` was built {was}, and {now}")


def _disagreements(bundle: Path, built: Mapping[str, Digest]) -> Iterator[Diagnostic]:
    """Where the lock of the bundle and `bundle.json` tell two stories about the sources."""
    locked = lock.decode(digest.read_whole(bundle, LOCK), path=shown_path(bundle / LOCK)).files
    in_bundle = {path: file for path, file in built.items() if path.startswith("tools/")}
    for path in sorted(locked.keys() | in_bundle.keys()):
        if locked.get(path) != built.get(path):
            sides = f"{_told(locked.get(path))} in `{LOCK}` and {_told(built.get(path))} in `{INDEX}`"
            yield _finding(codes.LOCK_DISAGREES, bundle, path, f"`{_shown(path)}` is {sides}")


def _told(file: Digest | None) -> str:
    if file is None:
        return "not listed"
    return f"sha256:{file.sha256}{', executable,' if file.executable else ''}"


def _shown(path: str) -> str:
    return shown_path(Path(path))


def _finding(code: Code, bundle: Path, path: str, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, Span(Text(shown_path(bundle / path))), hint=hint)
