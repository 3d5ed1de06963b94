"""Make texts that a pattern or a format has: the keyword's value goes in, a few short examples come out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, product

from toolc_runtime.ecma import Choice, Node, Parser, PatternError, Repeat, Sequence, Set, UnenforceableError

_FORMATS: dict[str, tuple[str, ...]] = {
    "date": ("2024-01-31",),
    "time": ("10:30:00", "10:30:00Z"),
    "date-time": ("2024-01-31T10:30:00Z",),
    "duration": ("PT90S", "P1D"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000",),
    "ipv4": ("192.0.2.1",),
    "ipv6": ("2001:db8::1",),
    "base64": ("YQ==", ""),
    "email": ("a@example.com",),
    "uri": ("https://example.com/",),
    "hostname": ("example.com",),
}
_PREFERRED = "aA0_-./ "
_WAYS = 24  # texts that are made of one part of a pattern


def of_format(name: str) -> tuple[str, ...]:
    """Texts of a format; none for one that is not known."""
    return _FORMATS.get(name, ())


def examples(pattern: str) -> tuple[str, ...]:
    """Texts in which the pattern is probably found, the shortest first; whoever uses one has to check it."""
    try:
        tree = Parser(pattern).parse()
    except (PatternError, UnenforceableError):
        return ()
    texts = dict.fromkeys(text for text in _texts(tree) if len(text) <= 200)
    return tuple(sorted(texts, key=len))


def example(pattern: str) -> str:
    """One text in which the pattern is probably found."""
    return next(iter(examples(pattern)), "a")


def _texts(tree: Node) -> list[str]:
    if isinstance(tree, Set):
        return _characters(tree)
    if isinstance(tree, Choice):
        return _some(text for branch in tree.branches for text in _texts(branch)[:6])
    if isinstance(tree, Repeat):
        inner = _texts(tree.item)[:4]
        most = tree.low + 2 if tree.high is None else tree.high
        counts = sorted({tree.low, min(tree.low + 1, most), most} & set(range(min(most, 200) + 1)))
        return _some(text * count for count in counts for text in inner)
    if isinstance(tree, Sequence):
        parts = [_texts(item) for item in tree.items]
        first = "".join(part[0] for part in parts if part)
        # Each part is varied by itself, the others at their first, and then some of all combinations.
        varied = (
            "".join(text if i == j else parts[j][0] for j in range(len(parts)) if parts[j])
            for i, part in enumerate(parts)
            for text in part
        )
        return _some([first, *islice(varied, 60), *("".join(texts) for texts in islice(product(*parts), 20))], 80)
    return [""]


def _characters(tree: Set) -> list[str]:
    """Characters of a set, plain ones first."""
    plain = [character for character in _PREFERRED if any(low <= ord(character) <= high for low, high in tree.ranges)]
    edges = [chr(code) for low, high in tree.ranges[:4] for code in (low, high) if not 0xD800 <= code <= 0xDFFF]
    return _some([*plain, *edges], 8)


def _some(texts: Iterable[str], limit: int = _WAYS) -> list[str]:
    return list(islice(dict.fromkeys(texts), limit))
