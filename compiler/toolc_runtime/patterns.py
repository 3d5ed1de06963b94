"""Regular expressions of JSON Schema: an ECMA-262 pattern goes in, a search that cannot run away comes out.

The pattern is parsed, every character class is turned into plain ranges (so that `\\d`, `\\w`, `\\s` and `.` mean what
ECMA says, not what Python says), and handed to `re` in that form.

`re` backtracks, so a pattern is enforced only where the number of ways to read a text is bounded. That is judged on
the pattern's position automaton: its states are the characters of the pattern, its edges say which can follow which.
Two edges of one state that a single character can take are a *fork*.

* A fork that stays inside a loop doubles with every turn: such a pattern is not enforced.
* A fork at the exit of a loop multiplies the work by the length of the text: the text's length is limited, so that no
  search exceeds a fixed number of steps. A longer text does not match; the problem says why.
* A fork outside loops multiplies by a constant, which may not grow large.

Lookaround, back references, Unicode properties that are no general category, and what is another dialect (`(?i)`,
`\\A`) are not enforced either.
"""

from __future__ import annotations

from .ecma import Choice, Node, Parser, PatternError, Place, Ranges, Repeat, Sequence, Set, UnenforceableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Pattern", "PatternError", "UnenforceableError", "compile_pattern"]

LENGTH_LIMIT = 512
_STEPS = 1_500_000  # of the cheapest kind; `re` takes 10 ms for them at worst
_GROUP_STEPS = 12  # what a turn of a loop over several characters costs, in such steps
_FORK_STEPS = 8  # and what it costs to try to leave a loop, or to start the search at another character
_STATES = 300
_COPIES = 128
_FORK_LIMIT = 64
_DEGREE_LIMIT = 3


class Pattern:
    """A compiled pattern. `limit` is the longest text it is searched in; None is any."""

    __slots__ = ("limit", "search")

    def __init__(self, search: Callable[[str], object], limit: int | None) -> None:
        self.search = search
        self.limit = limit

    def matches(self, text: str) -> bool:
        """Whether the pattern is found in the text."""
        return (self.limit is None or len(text) <= self.limit) and self.search(text) is not None


def compile_pattern(source: str) -> Pattern:
    """Compile an ECMA pattern. Raises `PatternError`, or `UnenforceableError` where that is not safe or not ECMA."""
    import re

    if len(source) > LENGTH_LIMIT:
        raise UnenforceableError(f"is longer than {LENGTH_LIMIT} characters")
    tree = _trimmed(Parser(source).parse())
    limit = _Automaton().limit(tree)
    return Pattern(re.compile(tree.spelled(), re.ASCII).search, limit)


def _trimmed(tree: Node) -> Node:
    """The tree without repetitions at its open ends: `.*a+` is found wherever `a` is."""
    if isinstance(tree, Choice):
        return Choice(tuple(_trimmed(branch) for branch in tree.branches))
    items = list(tree.items) if isinstance(tree, Sequence) else [tree]
    for end in (0, -1):
        while items and isinstance(repeat := items[end], Repeat):
            if repeat.low:
                items[end] = repeat.item if repeat.low == 1 else Repeat(repeat.item, repeat.low, repeat.low)
                break
            del items[end]
    return Sequence(tuple(items))


# --------------------------------------------------------------------------------------------------- the automaton


class _Piece:
    """What the automaton needs of a part: whether it can be empty, and its states at both ends."""

    __slots__ = ("empty", "first", "last")

    def __init__(self, empty: bool, first: list[int], last: list[int]) -> None:
        self.empty = empty
        self.first = first
        self.last = last


class _Automaton:
    """The position automaton. State 0 is the start; an edge that can be taken in two ways is there twice."""

    def __init__(self) -> None:
        self.sets: list[Ranges] = [()]
        self.follow: list[list[int]] = [[]]
        self.loops: list[int | None] = [None]  # for each state the outermost loop around it, by that loop's first state

    def limit(self, tree: Node) -> int | None:
        """The longest text that is searched within the allowed steps; None is any. Raises `UnenforceableError`."""
        self.follow[0] = self.piece(tree).first
        loops = {loop for loop in self.loops if loop is not None}
        ways = 1
        leaving: set[int] = set()  # loops whose exit is a fork
        for state, successors in enumerate(self.follow):
            loop = self.loops[state]
            if loop is not None and self.forks([next_ for next_ in successors if self.loops[next_] == loop]):
                raise UnenforceableError("can take exponential time")
            forks = self.forks(successors)
            if forks and loop is not None:
                leaving.add(loop)
            elif forks:
                ways *= 1 + forks
            if ways > _FORK_LIMIT:
                raise UnenforceableError("can take a very long time")
        if not _anchored(tree):
            leaving.add(0)  # the search for a start is itself a loop that can be left anywhere
        degree = len(leaving)
        if any(loop > min(leaving, default=-1) for loop in loops - leaving):
            degree += 1
        if degree > _DEGREE_LIMIT:
            raise UnenforceableError("can take a very long time")
        if degree == 0 or len(self.sets) == 1:
            return None
        cost = ways * max(map(len, self.follow))
        if leaving:
            cost *= _FORK_STEPS + len(self.sets)  # what follows the fork is tried at each character
        cost *= 1 + max(map(len, self.sets)) // 8  # ranges are compared one by one
        if any(self.loops.count(loop) > 1 for loop in loops):
            cost *= _GROUP_STEPS
        return int((_STEPS / cost) ** (1 / degree))

    def forks(self, successors: list[int]) -> int:
        """How many of the states share a character with one before them, in the order of their characters."""
        if len(successors) < 2:
            return 0
        ranges = sorted((low, high, i) for i, state in enumerate(successors) for low, high in self.sets[state])
        sharing = set()
        reached = -1
        for low, high, i in ranges:
            if low <= reached:
                sharing.add(i)
            reached = max(reached, high)
        return len(sharing)

    def piece(self, node: Node) -> _Piece:
        if isinstance(node, Set):
            if len(self.sets) >= _STATES:
                raise UnenforceableError("is too large")
            self.sets.append(node.ranges)
            self.follow.append([])
            self.loops.append(None)
            state = len(self.sets) - 1
            return _Piece(False, [state], [state])
        if isinstance(node, Choice):
            pieces = [self.piece(branch) for branch in node.branches]
            if sum(piece.empty for piece in pieces) > 1:
                raise UnenforceableError("can be empty in two ways")
            return _Piece(
                any(piece.empty for piece in pieces),
                [state for piece in pieces for state in piece.first],
                [state for piece in pieces for state in piece.last],
            )
        if isinstance(node, Repeat):
            return self.repeated(node)
        whole = _Piece(True, [], [])
        for item in node.items if isinstance(node, Sequence) else ():
            piece = self.piece(item)
            self.join(whole.last, piece.first)
            whole = _Piece(
                whole.empty and piece.empty,
                whole.first + piece.first if whole.empty else whole.first,
                whole.last + piece.last if piece.empty else piece.last,
            )
        return whole

    def repeated(self, node: Repeat) -> _Piece:
        start = len(self.sets)
        body = self.piece(node.item)
        if body.empty:
            raise UnenforceableError("repeats something that can be empty")
        if node.high == 0:
            return _Piece(True, [], [])
        size = len(self.sets) - start
        if node.high is None or node.high > _COPIES or start + node.high * size > _STATES:
            self.join(body.last, body.first)
            self.loops[start:] = [start] * size
            return _Piece(node.low == 0, body.first, body.last)
        last = body.last if node.low <= 1 else []
        previous = body
        for count in range(2, node.high + 1):
            copy = self.piece(node.item)
            self.join(previous.last, copy.first)
            if count >= node.low:
                last = last + copy.last
            previous = copy
        return _Piece(node.low == 0, body.first, last)

    def join(self, before: list[int], after: list[int]) -> None:
        for state in before:
            self.follow[state] += after


def _anchored(tree: Node) -> bool:
    """Whether a text can be matched at its start alone."""
    if isinstance(tree, Sequence):
        return bool(tree.items) and _anchored(tree.items[0])
    if isinstance(tree, Choice):
        return all(_anchored(branch) for branch in tree.branches)
    return isinstance(tree, Place) and tree.sign == "^"
