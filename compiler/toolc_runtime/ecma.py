"""Parse an ECMA-262 regular expression to a tree, and spell the tree in Python's dialect.

Every character class becomes plain ranges, so that `\\d`, `\\w`, `\\s`, `\\p{L}` and `.` mean what ECMA says, not what
Python says. The `u` flag's meaning is read, with the leniency of browsers towards stray `{`, `}` and `]`.
"""

from __future__ import annotations

DEPTH_LIMIT = 40
REPEAT_LIMIT = 100_000

Ranges = tuple[tuple[int, int], ...]  # sorted, apart from each other, both ends included

_LAST = 0x10FFFF
_ANY: Ranges = ((0, _LAST),)
_DIGIT: Ranges = ((48, 57),)
_WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}


class PatternError(Exception):
    """Not a regular expression in any dialect."""


class UnenforceableError(Exception):
    """A regular expression that is left to the model: the text says why."""


# ------------------------------------------------------------------------------------------------------- the tree


class Node:
    """A part of a pattern."""

    __slots__ = ()

    def spelled(self) -> str:
        """The part in Python's dialect, safe to stand in a sequence."""
        raise NotImplementedError


class Set(Node):
    """One character out of a set."""

    __slots__ = ("ranges",)

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges

    def spelled(self) -> str:
        if not self.ranges:
            return "(?!)"
        if self.ranges == _ANY:
            return "(?s:.)"
        if len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]:
            return _escape(self.ranges[0][0])
        # What reaches to the last character is shorter, and faster to compile, as what it leaves out.
        negated = self.ranges[-1][1] == _LAST
        ranges = _inverted(self.ranges) if negated else self.ranges
        return "[" + "^" * negated + "".join(f"{_escape(low)}-{_escape(high)}" for low, high in ranges) + "]"


class Place(Node):
    """A condition that takes no character: `^`, `$`, `\\b`, `\\B`."""

    __slots__ = ("sign",)

    def __init__(self, sign: str) -> None:
        self.sign = sign

    def spelled(self) -> str:
        return {"^": r"\A", "$": r"\Z"}.get(self.sign, self.sign)


class Sequence(Node):
    __slots__ = ("items",)

    def __init__(self, items: tuple[Node, ...]) -> None:
        self.items = items

    def spelled(self) -> str:
        return "".join(item.spelled() for item in self.items)


class Choice(Node):
    __slots__ = ("branches",)

    def __init__(self, branches: tuple[Node, ...]) -> None:
        self.branches = branches

    def spelled(self) -> str:
        return "(?:" + "|".join(branch.spelled() for branch in self.branches) + ")"


class Repeat(Node):
    """From `low` to `high` times; None is without end. Greedy or lazy is all one to a yes or no."""

    __slots__ = ("high", "item", "low")

    def __init__(self, item: Node, low: int, high: int | None) -> None:
        self.item = item
        self.low = low
        self.high = high

    def spelled(self) -> str:
        return f"(?:{self.item.spelled()}){{{self.low},{'' if self.high is None else self.high}}}"


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _merged(ranges: list[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _inverted(ranges: Ranges) -> Ranges:
    left = []
    start = 0
    for low, high in ranges:
        if low > start:
            left.append((start, low - 1))
        start = high + 1
    if start <= _LAST:
        left.append((start, _LAST))
    return tuple(left)


# ------------------------------------------------------------------------------------------------------ the parser


class Parser:
    """Reads a pattern with the `u` flag's meaning, and the leniency of browsers towards stray `{`, `}` and `]`."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.depth = 0

    def parse(self) -> Node:
        tree = self.choice()
        if self.at < len(self.source):
            raise PatternError(f"has a `)` without its `(` at character {self.at + 1}")
        return tree

    def peek(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def take(self, text: str) -> bool:
        found = self.peek(text)
        if found:
            self.at += len(text)
        return found

    def next(self) -> str:
        if self.at >= len(self.source):
            raise PatternError("ends in the middle of an expression")
        self.at += 1
        return self.source[self.at - 1]

    def choice(self) -> Node:
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def sequence(self) -> Node:
        items: list[Node] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            items.append(self.repeat(self.atom()))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def repeat(self, item: Node) -> Node:
        bounds = self.bounds()
        if bounds is None:
            return item
        if isinstance(item, Place):
            raise PatternError(f"repeats `{item.sign}`, which takes no character")
        self.take("?")  # lazy
        start = self.at
        if self.bounds() is not None:
            raise PatternError(f"has two repetitions in a row at character {start + 1}")
        low, high = bounds
        if max(low, high or 0) > REPEAT_LIMIT:
            raise UnenforceableError(f"repeats something more than {REPEAT_LIMIT} times")
        return Repeat(item, low, high)

    def bounds(self) -> tuple[int, int | None] | None:
        """What `?`, `*`, `+`, `{n}`, `{n,}` or `{n,m}` says; None, and nothing taken, where there is none of them."""
        for sign, low, high in (("?", 0, 1), ("*", 0, None), ("+", 1, None)):
            if self.take(sign):
                return low, high
        start = self.at
        if not self.take("{"):
            return None
        first = self.digits()
        comma = self.take(",")
        second = self.digits() if comma else first
        if not first or not self.take("}"):
            self.at = start
            return None
        if max(len(first), len(second)) > 9:
            raise UnenforceableError(f"repeats something more than {REPEAT_LIMIT} times")
        bounds = int(first), int(second) if second else None
        if bounds[1] is not None and bounds[1] < bounds[0]:
            raise PatternError(f"has a repetition whose bounds are the wrong way round at character {start + 1}")
        return bounds

    def digits(self) -> str:
        start = self.at
        while self.at < len(self.source) and self.source[self.at] in "0123456789":
            self.at += 1
        return self.source[start : self.at]

    def atom(self) -> Node:
        start = self.at
        character = self.next()
        if character == "(":
            return self.group()
        if character == "[":
            return Set(self.bracket())
        if character == ".":
            return Set(_inverted(_LINE_ENDS))
        if character in "^$":
            return Place(character)
        if character == "\\":
            if self.take("b"):
                return Place("\\b")
            if self.take("B"):
                return Place("\\B")
            return Set(self.escape())
        if character == "{":
            self.at = start
            if self.bounds() is not None:
                raise PatternError(f"has nothing to repeat at character {start + 1}")
            self.at = start + 1
        elif character in "*+?":
            raise PatternError(f"has nothing to repeat at character {start + 1}")
        return Set(((ord(character), ord(character)),))

    def group(self) -> Node:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise UnenforceableError("is nested too deeply")
        start = self.at
        for sign in ("?=", "?!", "?<=", "?<!"):
            if self.peek(sign):
                raise UnenforceableError("looks ahead or behind")
        if self.take("?<"):
            while self.next() != ">":
                pass
        elif not self.take("?:") and self.take("?"):
            raise UnenforceableError(f"has a group that is not ECMA's at character {start}")
        tree = self.choice()
        if not self.take(")"):
            raise PatternError(f"has a `(` without its `)` at character {start}")
        self.depth -= 1
        # Kept apart from its surroundings: its repetitions are not those of the sequence it stands in.
        return tree if isinstance(tree, Set | Choice) else Choice((tree,))

    def bracket(self) -> Ranges:
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        while not self.take("]"):
            low = self.member()
            if self.peek("-") and not self.peek("-]"):
                mark = self.at
                self.at += 1
                high = self.member()
                ends = (*low, *high)
                if len(low) == len(high) == 1 and all(start == end for start, end in ends):
                    if high[0][0] < low[0][0]:
                        raise PatternError(f"has a range that runs backwards at character {mark + 1}")
                    ranges.append((low[0][0], high[0][0]))
                else:
                    ranges.extend((*ends, (45, 45)))
            else:
                ranges.extend(low)
        merged = _merged(ranges)
        return _inverted(merged) if negated else merged

    def member(self) -> Ranges:
        character = self.next()
        if character != "\\":
            return ((ord(character), ord(character)),)
        return ((8, 8),) if self.take("b") else self.escape()

    def escape(self) -> Ranges:
        """The characters that an escape stands for; its backslash has been taken."""
        character = self.next()
        if character in "dD":
            return _DIGIT if character == "d" else _inverted(_DIGIT)
        if character in "wW":
            return _WORD if character == "w" else _inverted(_WORD)
        if character in "sS":
            return _SPACE if character == "s" else _inverted(_SPACE)
        if character in "pP":
            return self.property(negated=character == "P")
        if character in "123456789k":
            raise UnenforceableError("refers back to a group")
        code = self.code(character)
        if code is None:
            if character.isascii() and character.isalpha():
                raise UnenforceableError(f"has `\\{character}`, which is not ECMA's")
            code = ord(character)
        return ((code, code),)

    def property(self, *, negated: bool) -> Ranges:
        from .categories import category

        end = self.source.find("}", self.at)
        if not self.take("{") or end < 0:
            raise PatternError("has `\\p` without a property's name in braces")
        name = self.source[self.at : end]
        self.at = end + 1
        ranges = category(name)
        if ranges is None:
            raise UnenforceableError("uses a Unicode property that is no general category")
        return _inverted(ranges) if negated else ranges

    def code(self, character: str) -> int | None:
        """The code of a character escape; None where the character stands for itself."""
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character == "0":
            return 0
        if character == "c":
            letter = self.next()
            if not (letter.isascii() and letter.isalpha()):
                raise PatternError("has `\\c` without a letter")
            return ord(letter) % 32
        if character == "x":
            return self.hexadecimal(2)
        if character != "u":
            return None
        if self.take("{"):
            end = self.source.find("}", self.at)
            code = self.hexadecimal(max(end - self.at, 1))
            self.at += 1
            if end < 0 or code > _LAST:
                raise PatternError("has `\\u{` without a character's number and `}`")
            return code
        high = self.hexadecimal(4)
        if 0xD800 <= high <= 0xDBFF and self.take("\\u"):
            low = self.hexadecimal(4)
            if not 0xDC00 <= low <= 0xDFFF:
                raise PatternError("has half of a surrogate pair")
            return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        return high

    def hexadecimal(self, length: int) -> int:
        text = self.source[self.at : self.at + length]
        self.at += length
        if len(text) != length or not all(digit in "0123456789abcdefABCDEF" for digit in text):
            raise PatternError("has an escape without its hexadecimal digits")
        return int(text, 16)
