"""A bundle on disk: a path goes in, its lock and the means to check its files come out. Nothing is listed."""

from __future__ import annotations

import os
import sys

from .child import NO_ROOM
from .digest import open_regular, read_regular, sha256_hex
from .errors import BUNDLE_CHANGED, BUNDLE_TOO_NEW, NOT_A_BUNDLE, PLATFORM_NOT_SUPPORTED, BundleError
from .lockfile import Malformed, TooNew, parse_object, read_digests, read_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LOCK = "toolset.json"
INDEX = "bundle.json"
VERSION = 1  # of the index
_CHUNK_BYTES = 1 << 20


class Bundle:
    """A bundle as it was when it was loaded."""

    def __init__(self, path: str, *, expect: str | None = None, expect_toolset: str | None = None) -> None:
        """Read and check the two files that say what the bundle is. Raises `BundleError`."""
        if sys.platform == "win32":
            raise BundleError(
                PLATFORM_NOT_SUPPORTED, path, "toolsets run on Linux and macOS; on Windows they can only be built"
            )
        # A deployment may switch a link to another bundle while this one is in use.
        self.root = os.path.realpath(path)
        index = _read(self.root, INDEX, path)
        data = _read(self.root, LOCK, path)
        self.digest = f"sha256:{sha256_hex(index)}"
        self.toolset_digest = f"sha256:{sha256_hex(data)}"
        for wanted, found, what in (
            (expect, self.digest, "bundle"),
            (expect_toolset, self.toolset_digest, "toolset"),
        ):
            if wanted is not None and wanted != found:
                raise BundleError(BUNDLE_CHANGED, path, f"the {what} is {found}, and {wanted} is expected")
        try:
            listed = parse_object(index)
            _check_version(listed.get("bundle_version"))
            self.files = read_digests(listed)
        except TooNew as error:
            raise BundleError(BUNDLE_TOO_NEW, f"{path}/{INDEX}", f"{error}; it needs a newer runtime") from None
        except Malformed as error:
            raise BundleError(BUNDLE_CHANGED, f"{path}/{INDEX}", f"it is not as toolc writes it: {error}") from None
        if self.files.get(LOCK) != sha256_hex(data):
            raise BundleError(BUNDLE_CHANGED, f"{path}/{LOCK}", f"it is not the lock that `{INDEX}` names")
        self.lock = read_lock(data, f"{path}/{LOCK}")
        self._checked: set[str] = set()
        self._folder = self._identity()

    def was_replaced(self) -> bool:
        """Whether another bundle now stands in this one's place."""
        found = self._identity()
        if found == self._folder:
            return False
        try:
            same = sha256_hex(_read(self.root, INDEX, self.root)) == self.digest.removeprefix("sha256:")
        except BundleError:
            same = False
        if same:  # written anew with the same bytes
            self._checked.clear()
            self._folder = found
        return not same

    def is_there(self) -> bool:
        """Whether there is a bundle in the place of this one."""
        return os.path.exists(f"{self.root}/{INDEX}")

    def first_change(self, paths: Iterable[str]) -> str | None:
        """What is so with the first of these files that is not as the lock says; each is read once a load.

        Raises `OSError` where the system has no descriptors left to look.
        """
        for path in paths:
            if path in self._checked:
                continue
            wanted = self.lock.files.get(path) or self.files.get(path)
            if wanted is None:
                return f"`{path}` is in no list of the bundle"
            try:
                found = _sha256_of(f"{self.root}/{path}")
            except OSError as error:
                if error.errno in NO_ROOM:  # which says nothing of the file
                    raise
                return f"`{path}` cannot be read: {error.strerror}"
            if found != wanted:
                listed = LOCK if path in self.lock.files else INDEX
                return f"`{path}` is not the file that `{listed}` names: sha256 {found}, not {wanted}"
            self._checked.add(path)
        return None

    def runtime_files(self) -> list[str]:
        """The files of the bundle's own runtime."""
        return [path for path in self.files if path.startswith("lib/toolc_runtime/")]

    def read_checked(self, path: str) -> bytes:
        """The bytes of a file that `bundle.json` lists; raises `BundleError` where they differ."""
        data = _read(self.root, path, self.root)
        if sha256_hex(data) != self.files[path]:
            raise BundleError(BUNDLE_CHANGED, f"{self.root}/{path}", f"it is not the file that `{INDEX}` names")
        return data

    def _identity(self) -> tuple[int, ...]:
        """What tells this folder, and the index in it, from ones that were put in their place."""
        try:
            folder, index = os.stat(self.root), os.stat(f"{self.root}/{INDEX}")
        except OSError:
            return ()
        return (folder.st_dev, folder.st_ino, index.st_ino, index.st_size, index.st_mtime_ns)


def _check_version(version: object) -> None:
    if not isinstance(version, int):
        raise Malformed("`bundle_version` is missing")
    if version > VERSION:
        raise TooNew(f"its `bundle_version` is {version}")


def _read(root: str, name: str, shown: str) -> bytes:
    try:
        return read_regular(f"{root}/{name}")
    except (FileNotFoundError, NotADirectoryError):
        if os.path.isdir(root):
            why = f"there is no `{name}` in it"
        else:
            why = "it is a file" if os.path.exists(root) else "there is no such folder"
        raise BundleError(NOT_A_BUNDLE, shown, f"it is not a bundle: {why}") from None
    except OSError as error:
        raise BundleError(NOT_A_BUNDLE, shown, f"its `{name}` cannot be read: {error.strerror}") from None


def _sha256_of(path: str) -> str:
    import hashlib

    digest = hashlib.sha256()
    with open(open_regular(path), "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
