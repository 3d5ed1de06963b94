"""Names as people and models read them: which two look like one, which one was meant, which any provider can carry."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable

from toolc.text import INVISIBLE

# What the lock, a wrapper's file name and every provider can carry. The second is the stricter: some providers want a
# letter or `_` first, and a manifest's name may begin with a digit.
TOOL_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
PROVIDER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")

# Letters of other alphabets, and digits, that are drawn like a small Latin letter. A fixed table: the Unicode
# character database differs between Python versions, and only letters that names are made of matter here.
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("\u0430\u03b1\u0251", "a"),
        **dict.fromkeys("\u044c", "b"),
        **dict.fromkeys("\u0441\u03f2\u1d04", "c"),
        **dict.fromkeys("\u0501", "d"),
        **dict.fromkeys("\u0435\u04bd", "e"),
        **dict.fromkeys("\u0261\u0581", "g"),
        **dict.fromkeys("\u04bb\u0570", "h"),
        **dict.fromkeys("\u0456\u0131\u03b9\u0269\u04cf", "i"),
        **dict.fromkeys("\u0458\u03f3", "j"),
        **dict.fromkeys("\u043a\u03ba", "k"),
        **dict.fromkeys("1\u01c0", "l"),
        **dict.fromkeys("\u043c", "m"),
        **dict.fromkeys("\u0578\u03b7", "n"),
        **dict.fromkeys("0\u043e\u03bf\u0585", "o"),
        **dict.fromkeys("\u0440\u03c1", "p"),
        **dict.fromkeys("\u051b\u0566", "q"),
        **dict.fromkeys("\u0433", "r"),
        **dict.fromkeys("\u0455", "s"),
        **dict.fromkeys("\u0442\u03c4", "t"),
        **dict.fromkeys("\u03c5\u057d", "u"),
        **dict.fromkeys("\u03bd\u0475", "v"),
        **dict.fromkeys("\u0461\u051d\u03c9", "w"),
        **dict.fromkeys("\u0445\u03c7", "x"),
        **dict.fromkeys("\u0443\u04af\u03b3", "y"),
        # Any dash is the hyphen, and the hyphen is the underscore.
        **dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "_"),
    }
)


def clash_key(name: str) -> str:
    """The same for two names that a reader could take for one: case, width, `-` and `_`, look-alikes, unseen marks."""
    seen = unicodedata.normalize("NFKC", INVISIBLE.sub("", name))
    folded = unicodedata.normalize("NFKC", seen.casefold())
    return folded.translate(_LOOKALIKES)


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant, if one is close enough to suggest."""
    known = sorted(set(candidates) - {name})
    key = clash_key(name)
    for candidate in known:
        if clash_key(candidate) == key:
            return candidate
    matches = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return matches[0] if matches else None


def spelled(name: str) -> str:
    """The name with every character outside ASCII spelled out, for where two names look the same."""
    return name.encode("ascii", "backslashreplace").decode("ascii")


_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?", re.IGNORECASE)
_SEGMENT_LIMIT_BYTES = 200


def is_device(name: str) -> bool:
    """Whether a file or folder of this name is a device on Windows, and so can be neither."""
    return _RESERVED.fullmatch(name) is not None


def path_problem(path: str) -> str | None:
    """Why a bundle path could not stand in every file system below the bundle, in words; None where it can."""
    if unicodedata.normalize("NFC", path) != path:
        return "its letters are not composed (Unicode NFC), as other systems write them"
    for segment in path.split("/"):
        if segment in ("", ".", ".."):
            return "it is not a plain path below the bundle"
        if re.search(r"[\x00-\x1f\x7f]", segment):
            return "it has a control character"
        if re.search(r"[\\:]", segment):
            return "it has a backslash or a colon"
        if re.search(r"[\ud800-\udfff]", segment):
            return "it is not UTF-8"
        if segment[-1] in ". ":
            return f"`{segment}` ends with a dot or a space, which Windows drops"
        if is_device(segment):
            return f"`{segment}` is the name of a device on Windows"
        if len(segment.encode("utf-8")) > _SEGMENT_LIMIT_BYTES:
            return f"one of its names is longer than {_SEGMENT_LIMIT_BYTES} bytes"
    return None


def path_key(path: str) -> str:
    """The same for two paths that a file system could take for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
