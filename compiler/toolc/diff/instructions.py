"""Text that reads like an instruction to the model: a text goes in, the phrases that a reviewer has to see come out.

A table of patterns, taken from attacks that were published on descriptions of tools. It claims no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    """A way to steer a model."""

    what: str  # ends the sentence "it ..."
    regex: re.Pattern[str]


class Phrase(NamedTuple):
    """A stretch of a text that one of the patterns knows."""

    what: str
    text: str


_PATTERNS = (
    _Pattern(
        what="asks to disregard other instructions",
        regex=re.compile(
            r"\b(?:ignor|disregard|forget|overrid|bypass)\w*\b[^.\n]{0,40}"
            r"\b(?:previous|prior|above|earlier|preceding|other|instructions?|rules?|prompts?|guidelines|polic(?:y|ies))\b",
            re.IGNORECASE,
        ),
    ),
    _Pattern(
        what="asks to keep something from the user",
        regex=re.compile(
            r"\b(?:do not|don['\u2019]t|dont|never|must not|without)\s+(?:\w+\s+)?"
            r"(?:tell|mention|inform|reveal|disclos|notify|notif|warn|show(?:ing)? (?:it|this|that) to|report)\w*\b"
            r"|\b(?:secretly|silently|covertly)\b|\bhide (?:this|it|that) from\b",
            re.IGNORECASE,
        ),
    ),
    _Pattern(
        what="speaks of the system prompt or of another role",
        regex=re.compile(
            r"\bsystem (?:prompt|message|instruction)s?\b|\byou are now\b|</?(?:important|system|assistant|user|human"
            r"|instructions?|secret|hidden|admin|critical)\b[^>\n]{0,80}>|<\|[a-z_]{1,40}\|>|\[/?INST\]",
            re.IGNORECASE,
        ),
    ),
    _Pattern(
        what="names files that hold secrets",
        regex=re.compile(
            r"~?/?\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b|~/\.aws\b|\.aws/credentials|\.netrc\b|\.git-credentials"
            r"|\.kube/config|\.docker/config|/etc/(?:passwd|shadow)|(?<![\w/])\.env\b",
            re.IGNORECASE,
        ),
    ),
    _Pattern(
        what="has an address",
        regex=re.compile(
            r"\b(?:https?|wss?|ftp|file)://[^\s<>\"'`)\]]{1,500}|\b(?:data|javascript):[^\s]{1,500}", re.I
        ),
    ),
    _Pattern(
        what="has a long encoded text",
        # Letters of both cases and digits, or what is long enough to be nothing else; 40 letters of prose have blanks.
        regex=re.compile(
            r"(?<![A-Za-z0-9+/_-])(?=[A-Za-z0-9+/_-]{40})(?=[^\s]{0,79}[A-Z])(?=[^\s]{0,79}[a-z])(?=[^\s]{0,79}[0-9])"
            r"[A-Za-z0-9+/_-]{40,}={0,2}"
        ),
    ),
)

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
# A name that is also a word of English means the tool where it is marked as one.
_MARKED_BEFORE = re.compile(r"(?:[`'\"\u2018\u201c]|\b(?:tool|function|command)\s{1,3}[`'\"]?)$", re.IGNORECASE)
_MARKED_AFTER = re.compile(r"[`'\"]?(?:\s{1,3}(?:tool|function|command)\b|\()", re.IGNORECASE)


def phrases(text: str, *, tool: str, others: Set[str]) -> Iterator[Phrase]:
    """What in a text of `tool` is in the table, or names one of the `others`, in the order of the table."""
    for pattern in _PATTERNS:
        for match in pattern.regex.finditer(text):
            yield Phrase(pattern.what, match[0])
    for match in _NAME.finditer(text):
        name = match[0]
        if name != tool and name in others and (_is_distinctive(name) or _is_marked(text, match)):
            yield Phrase("names another tool", name)


def _is_distinctive(name: str) -> bool:
    """Whether no word of a sentence looks like the name."""
    return "_" in name or any(letter.isdigit() for letter in name) or name != name.lower()


def _is_marked(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 16) : match.start()]
    after = text[match.end() : match.end() + 16]
    return bool(_MARKED_BEFORE.search(before) or _MARKED_AFTER.match(after))
