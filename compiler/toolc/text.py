"""Characters a reader cannot see: which they are, where a text has one, how the lock spells them.

The ranges are a fixed list, never `unicodedata.category`, which differs between Python versions.
"""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

# Refused in text the model sees: tags, bidi controls, zero-width and format characters, annotations, private use,
# C0 and C1 controls but tab and newline, and lone surrogates (also what a file name that is not UTF-8 decodes to).
_FORBIDDEN = (
    "\\ud800-\\udfff\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u034f\\u180e\\u200b\\u202a-\\u202e"
    "\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ue000-\\uf8ff\\U000e0000-\\U000e007f\\U000f0000-\\U0010fffd"
)
# Legitimate in some scripts and in emoji, yet invisible: joiners, direction marks, variation selectors, fillers, soft
# hyphen, line and paragraph separators.
_DOUBTFUL = (
    "\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u200c-\\u200f\\u2028\\u2029\\u3164\\ufe00-\\ufe0f\\uffa0"
    "\\U000e0100-\\U000e01ef"
)

FORBIDDEN = re.compile(f"[{_FORBIDDEN}]")
INVISIBLE = re.compile(f"[{_FORBIDDEN}{_DOUBTFUL}]")


def escape(text: str) -> str:
    """The text with every invisible character spelled out as `\\u{202e}`, safe to print."""
    return INVISIBLE.sub(lambda match: f"\\u{{{ord(match[0]):04x}}}" if match[0] not in "\t\n" else match[0], text)


def shown_path(path: Path) -> str:
    """A path as we print it: relative to the current folder where it lies in it, on one line, nothing invisible."""
    with contextlib.suppress(ValueError, OSError):  # not below it; or the current folder is gone
        path = path.relative_to(Path.cwd())
    printable = path.as_posix().encode("utf-8", "backslashreplace").decode("utf-8")
    return escape(printable).replace("\n", "\\n").replace("\t", "\\t")


def as_argument(path: Path) -> str:
    """A folder as a shell takes it behind the name of a command; nothing for the current one."""
    shown = shown_path(path)
    if shown == ".":
        return ""
    return f" {shlex.quote(f'./{shown}' if shown.startswith('-') else shown)}"


class Verdict(Enum):
    """What is to be said of an invisible character in text the model sees."""

    FORBIDDEN = "forbidden"  # an error: no text needs it, and it can hide one text behind another
    DOUBTFUL = "doubtful"  # a warning: of use elsewhere, without effect where it stands


class Finding(NamedTuple):
    """An invisible character in a text."""

    position: int
    char: str
    verdict: Verdict


def judge(text: str) -> Iterator[Finding]:
    """The invisible characters of a text that do not belong where they stand.

    Joiners in emoji and in the scripts that need them, selectors after an emoji, and direction marks beside
    right-to-left letters are ordinary writing and are passed over.
    """
    for match in INVISIBLE.finditer(text):
        index, char = match.start(), match[0]
        if FORBIDDEN.match(char):
            yield Finding(index, char, Verdict.FORBIDDEN)
        elif not _belongs(text, index):
            yield Finding(index, char, Verdict.DOUBTFUL)


_EMOJI = re.compile(
    "[\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u21ff\\u2300-\\u23ff\\u24c2\\u25aa-\\u27bf\\u2934\\u2935"
    "\\u2b05-\\u2b55\\u3030\\u303d\\u3297\\u3299\\U0001f000-\\U0001faff]"
)
_KEYCAP = re.compile("[0-9#*]")
_SELECTOR = re.compile("[\\ufe0e\\ufe0f]")  # text or emoji presentation
_MONGOLIAN = re.compile("[\\u1800-\\u18af]")
_MONGOLIAN_SELECTOR = re.compile("[\\u180b-\\u180d\\u180f]")
_JOINER = re.compile("[\\u200c\\u200d]")
_DIRECTION = re.compile("[\\u061c\\u200e\\u200f]")
_RIGHT_TO_LEFT = re.compile("[\\u0590-\\u05ff\\u0600-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]")
# Arabic and its neighbours, the scripts of India, Tibetan, Burmese, Khmer, Mongolian: letters that join or stack.
_JOINING = re.compile(
    "[\\u0600-\\u061a\\u061d-\\u08ff\\u0900-\\u0dff\\u0f00-\\u109f\\u1780-\\u17b3\\u17b6-\\u180a\\u1810-\\u18af"
    "\\ufb50-\\ufdff\\ufe70-\\ufefc]"
)


def _belongs(text: str, index: int) -> bool:
    """Whether the doubtful character at `index` does something where it stands."""
    char, before, after = text[index], text[index - 1 : index], text[index + 1 : index + 2]
    if _SELECTOR.match(char):
        return bool(_EMOJI.match(before) or (_KEYCAP.match(before) and after == "\u20e3"))
    if _JOINER.match(char):
        # In an emoji sequence a selector may stand between the picture and the joiner.
        joins_emoji = char == "\u200d" and _EMOJI.match(after) and (_EMOJI.match(before) or _SELECTOR.match(before))
        return bool(joins_emoji or _JOINING.match(before))
    if _DIRECTION.match(char):
        return bool(_RIGHT_TO_LEFT.search(text, max(0, index - 40), index + 40))
    return bool(_MONGOLIAN_SELECTOR.match(char) and _MONGOLIAN.match(before))
