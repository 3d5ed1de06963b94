"""Read the hashes of a file of requirements: bytes go in, the hashes of each package come out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from toolc.model import Digest

_LIMIT_BYTES = 16 << 20
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_HASH = re.compile(r"(?<!\S)--hash[= ]([a-z0-9]{1,20}:[0-9a-f]{1,256})(?!\S)")
_COMMENT = re.compile(r"(?:^|\s)#.*")


def hashes(data: bytes | None, digest: Digest | None) -> Mapping[str, frozenset[str]] | None:
    """The hashes by package; None where the bytes that the lock means are not at hand."""
    if data is None or digest is None or len(data) > _LIMIT_BYTES:
        return None
    if hashlib.sha256(data).hexdigest() != digest.sha256:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    found: dict[str, frozenset[str]] = {}
    for line in _lines(text):
        if name := _NAME.match(line):
            known = found.get(key(name[0]), frozenset())
            found[key(name[0])] = known | {match[1] for match in _HASH.finditer(line)}
    return found


def key(package: str) -> str:
    """The name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def _lines(text: str) -> list[str]:
    """The lines without comments; one that ends in a backslash goes on in the next."""
    lines = [_COMMENT.sub("", line).strip() for line in text.splitlines()]
    joined = "\n".join(lines).replace("\\\n", " ")
    return joined.split("\n")
