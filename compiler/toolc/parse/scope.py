"""What the names of a module stand for: a syntax tree goes in, the possible meanings of each name come out.

The top level of a module is followed as Python would run it. A later definition replaces an earlier one; the arms of an
`if` that cannot be decided here leave a name with several meanings, one of which may be that it has none.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolc.parse.syntax import Module, statements_in

_MUTATORS = frozenset(
    {"append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update"}
)

_MEANINGS_LIMIT = 8

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False, slots=True)
class Imported:
    """`import module` (with an attribute: `from module import attribute`). `level` counts the leading dots."""

    node: ast.Import | ast.ImportFrom
    module: str
    attribute: str | None
    level: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class Assigned:
    """`name = value`, also annotated, and the `type` statement."""

    node: ast.stmt
    value: ast.expr


@dataclass(frozen=True, eq=False, slots=True)
class Defined:
    """`def name` or `class name`."""

    node: Function | ast.ClassDef


@dataclass(frozen=True, eq=False, slots=True)
class Other:
    """Bound in a way that is not followed: a loop, `with ... as`, unpacking, `+=`, `del`."""

    node: ast.stmt


Meaning: TypeAlias = Imported | Assigned | Defined | Other
# None stands for "perhaps not defined at all".
Meanings: TypeAlias = tuple[Meaning | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A function that a later definition of its name replaces."""

    name: str
    old: Defined
    new: Meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A function that is not at the top level of its file, and where it is instead."""

    node: Function
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The names at the end of a module."""

    names: Mapping[str, Meanings]
    typing_names: Mapping[str, Meanings]  # bound where only type checkers look; they come first for types
    stars: tuple[ast.ImportFrom, ...]
    constants: frozenset[str]  # bound exactly once, by an assignment
    overloads: Mapping[str, tuple[Function, ...]]
    replaced: tuple[Replaced, ...]
    elsewhere: tuple[Elsewhere, ...]  # in loops, and where only a type checker or a script gets


def read_scope(module: Module, *, oldest: tuple[int, int]) -> Scope:
    """Follow the top level of a module. `oldest` is the lowest Python it has to run on."""
    walk = _Walk(oldest=oldest)
    walk.block(module.tree.body)
    changed = _changed_later(module.nodes)
    return Scope(
        names={name: tuple(meanings) for name, meanings in walk.names.items()},
        typing_names={name: tuple(meanings) for name, meanings in walk.typing_names.items()},
        stars=tuple(walk.stars),
        constants=frozenset(name for name, count in walk.bound.items() if count == 1) - changed,
        overloads={name: tuple(stubs) for name, stubs in walk.overloads.items()},
        # What one arm of an undecided `if` replaces may still be in force.
        replaced=tuple(
            entry
            for entry in walk.replaced
            if entry.old not in walk.names[entry.name] and entry.old not in walk.forgotten
        ),
        elsewhere=tuple(walk.elsewhere),
    )


def decide(test: ast.expr, oldest: tuple[int, int]) -> bool | None:
    """The value of a condition that is the same on every machine; None where it is not."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = decide(operand, oldest)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=values):
            answers = [decide(value, oldest) for value in values]
            settled = isinstance(op, ast.Or)
            if settled in answers:
                return settled
            return None if None in answers else not settled
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if _is_main_test(left, right):
                return isinstance(op, ast.NotEq) if isinstance(op, (ast.Eq, ast.NotEq)) else None
            return _decide_version(left, op, right, oldest)
    return None


def is_typing_test(test: ast.expr) -> bool:
    """Whether this is `TYPE_CHECKING`, under any module's name."""
    match test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
    return False


def _is_main_test(left: ast.expr, right: ast.expr) -> bool:
    match left, right:
        case (ast.Name(id="__name__"), ast.Constant(value="__main__")):
            return True
        case (ast.Constant(value="__main__"), ast.Name(id="__name__")):
            return True
    return False


def _decide_version(left: ast.expr, op: ast.cmpop, right: ast.expr, oldest: tuple[int, int]) -> bool | None:
    """Compare with the oldest Python the toolset runs on; the build's own would make the lock depend on the machine."""
    version: tuple[int, ...] | int
    match left:
        case ast.Attribute(value=ast.Name(id="sys"), attr="version_info") | ast.Name(id="version_info"):
            version = (*oldest, 0)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="sys"), attr="version_info"), slice=part):
            match part:
                case ast.Constant(value=int() as index) if index in (0, 1):
                    version = oldest[index]
                case ast.Slice(lower=None, upper=ast.Constant(value=2), step=None):
                    version = oldest
                case _:
                    return None
        case _:
            return None
    other: tuple[int, ...] | int
    match right:
        case ast.Constant(value=int() as number) if isinstance(version, int):
            other = number
        case ast.Tuple(elts=parts) if isinstance(version, tuple):
            numbers = [part.value for part in parts if isinstance(part, ast.Constant) and type(part.value) is int]
            if len(numbers) != len(parts):
                return None
            other = tuple(numbers)
        case _:
            return None
    # `version` and `other` are both numbers or both tuples, by the cases above.
    match op:
        case ast.GtE():
            return version >= other  # type: ignore[operator]  # see above
        case ast.Gt():
            return version > other  # type: ignore[operator]  # see above
        case ast.Lt():
            return version < other  # type: ignore[operator]  # see above
        case ast.LtE():
            return version <= other  # type: ignore[operator]  # see above
        case ast.Eq():
            return version == other
        case ast.NotEq():
            return version != other
    return None


@dataclass(slots=True, kw_only=True)
class _Walk:
    """The state of the walk: what each name may stand for at this point of the module."""

    oldest: tuple[int, int]
    names: dict[str, list[Meaning | None]] = field(default_factory=dict)
    typing_names: dict[str, list[Meaning | None]] = field(default_factory=dict)
    stars: list[ast.ImportFrom] = field(default_factory=list)
    bound: dict[str, int] = field(default_factory=dict)
    overloads: dict[str, list[Function]] = field(default_factory=dict)
    replaced: list[Replaced] = field(default_factory=list)
    elsewhere: list[Elsewhere] = field(default_factory=list)
    forgotten: set[Meaning] = field(default_factory=set)  # alternatives, where there are more than a few
    # For each arm around this point, the names that it has bound, with what they meant before; None: nothing.
    journals: list[dict[str, list[Meaning | None] | None]] = field(default_factory=list)

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if _is_overload(node):
                    self.overloads.setdefault(node.name, []).append(node)
                else:
                    self.bind(node.name, Defined(node))
            case ast.ClassDef():
                self.bind(node.name, Defined(node))
            case ast.Import() | ast.ImportFrom():
                self.imports(node)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        self.bind(target.id, Assigned(node, value))
                    else:
                        self.bind_all(_stored(target), node)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self.bind(name, Assigned(node, value))
            case ast.AugAssign(target=ast.Name(id=name)):
                if name != "__all__":
                    self.bind(name, Other(node))
            case ast.If():
                self.condition(node)
            case ast.Try():
                self.attempt(node)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    if item.optional_vars is not None:
                        self.bind_all(_stored(item.optional_vars), node)
                self.block(node.body)
            case ast.For() | ast.AsyncFor() | ast.While():
                self.set_aside([node], "in a loop")
                self.bind_all(_bound_inside(node), node)
            case ast.Match():
                self.arms([case.body for case in node.cases], [])
            case _:
                if type(node).__name__ == "TypeAlias":  # Python 3.12
                    self.bind(node.name.id, Assigned(node, node.value))  # type: ignore[attr-defined]  # of 3.12
                else:
                    self.bind_all(_bound_inside(node), node)

    def bind(self, name: str, meaning: Meaning) -> None:
        for old in self.names.get(name, ()):
            if isinstance(old, Defined) and not isinstance(old.node, ast.ClassDef):
                self.replaced.append(Replaced(name=name, old=old, new=meaning))
        self.set(name, [meaning])
        self.bound[name] = self.bound.get(name, 0) + (1 if isinstance(meaning, Assigned) else 2)

    def bind_all(self, names: Iterable[str], node: ast.stmt) -> None:
        for name in names:
            self.bind(name, Other(node))

    def imports(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    self.bind(alias.asname, Imported(node, alias.name, None))
                else:
                    top = alias.name.partition(".")[0]
                    self.bind(top, Imported(node, top, None))
            return
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(node)
            else:
                self.bind(alias.asname or alias.name, Imported(node, node.module or "", alias.name, node.level))

    def condition(self, node: ast.If) -> None:
        negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
        if is_typing_test(node.test.operand if isinstance(node.test, ast.UnaryOp) and negated else node.test):
            unseen, run = (node.orelse, node.body) if negated else (node.body, node.orelse)
            self.block(run)
            self.for_types_only(unseen)
            return
        answer = decide(node.test, self.oldest)
        if answer is None:
            self.arms([node.body], [node.orelse])
            return
        self.block(node.body if answer else node.orelse)
        dropped = node.orelse if answer else node.body
        if any(_is_main_test(test.left, test.comparators[0]) for test in _comparisons(node.test)):
            self.set_aside(dropped, "in what runs only as a script")
        else:
            self.set_aside(dropped, "where no Python gets that the toolset runs on")

    def for_types_only(self, statements: Sequence[ast.stmt]) -> None:
        self.set_aside(statements, "where only a type checker looks")
        aside = _Walk(oldest=self.oldest)
        aside.block(statements)
        self.typing_names.update(aside.names)
        self.typing_names.update(aside.typing_names)
        self.stars.extend(aside.stars)

    def attempt(self, node: ast.Try) -> None:
        after = self.alternative([*node.body, *node.orelse])
        for handler in node.handlers:
            if handler.body and isinstance(handler.body[-1], ast.Raise):
                continue  # the module does not load this way
            replaced = len(self.replaced)
            other = self.alternative(handler.body)
            # An alternative to the definition in the body replaces what stood before the `try` once, not twice.
            del self.replaced[replaced:]
            for name, meanings in other.items():
                after[name] = self.union(after.get(name, self.names.get(name, [None])), meanings)
        for name, meanings in after.items():
            self.set(name, meanings)
        self.block(node.finalbody)

    def arms(self, arms: Sequence[Sequence[ast.stmt]], other: Sequence[Sequence[ast.stmt]]) -> None:
        """Run alternatives from one state, and keep what each leaves; without an `else`, the state itself is one."""
        results = [self.alternative(arm) for arm in (*arms, *(other or [[]]))]
        merged: dict[str, list[Meaning | None]] = {}
        changed_by: dict[str, int] = {}
        for index, result in enumerate(results):
            for name, meanings in result.items():
                so_far = merged.get(name, [])
                if changed_by.get(name, 0) < index:  # an arm before this one left the name as it was
                    so_far = self.union(so_far, self.names.get(name, [None]))
                merged[name] = self.union(so_far, meanings)
                changed_by[name] = changed_by.get(name, 0) + 1
        for name, meanings in merged.items():
            unchanged = self.names.get(name, [None]) if changed_by[name] < len(results) else []
            self.set(name, self.union(meanings, unchanged))

    def alternative(self, statements: Iterable[ast.stmt]) -> dict[str, list[Meaning | None]]:
        """What statements make of the names that they bind; the names themselves are then as they were before."""
        self.journals.append({})
        self.block(statements)
        before = self.journals.pop()
        after = {name: self.names[name] for name in before}
        for name, meanings in before.items():
            if meanings is None:
                del self.names[name]
            else:
                self.names[name] = meanings
        return after

    def union(self, first: Sequence[Meaning | None], second: Sequence[Meaning | None]) -> list[Meaning | None]:
        meanings = [*dict.fromkeys([*first, *second])]
        if len(meanings) <= _MEANINGS_LIMIT:
            return meanings
        # Of more than a few alternatives none can be relied on, and which ones there are does not matter.
        self.forgotten.update(meaning for meaning in meanings[_MEANINGS_LIMIT - 1 :] if meaning is not None)
        return [*meanings[: _MEANINGS_LIMIT - 1], None]

    def set(self, name: str, meanings: list[Meaning | None]) -> None:
        if self.journals:
            self.journals[-1].setdefault(name, self.names.get(name))
        self.names[name] = meanings

    def set_aside(self, statements: Sequence[ast.stmt], where: str) -> None:
        for statement in statements:
            for node in _outer_functions(statement):
                self.elsewhere.append(Elsewhere(node=node, where=where))


def _is_overload(node: Function) -> bool:
    return any(
        (isinstance(decorator, ast.Name) and decorator.id == "overload")
        or (isinstance(decorator, ast.Attribute) and decorator.attr == "overload")
        for decorator in node.decorator_list
    )


def _comparisons(test: ast.expr) -> Iterator[ast.Compare]:
    return (node for node in ast.walk(test) if isinstance(node, ast.Compare))


def _stored(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]


def _bound_inside(node: ast.stmt) -> list[str]:
    """Every name a statement binds at module level, also by `:=` and `del`; bodies of functions are another scope."""
    names: dict[str, None] = {}
    pending: list[ast.AST] = [node]
    while pending:
        current = pending.pop()
        match current:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names[name] = None
                continue
            case ast.Lambda():
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names[name] = None
            case ast.alias(name=name, asname=asname):
                names[asname or name.partition(".")[0]] = None
        pending.extend(ast.iter_child_nodes(current))
    return list(names)


def _outer_functions(statement: ast.stmt) -> Iterator[Function]:
    pending: deque[ast.AST] = deque([statement])
    while pending:
        current = pending.popleft()
        if isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield current
        elif not isinstance(current, ast.ClassDef):
            pending.extend(statements_in(current))


def _changed_later(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Names that some function declares `global`, or whose list or dictionary is changed in place."""
    changed: set[str] = set()
    for node in nodes:
        match node:
            case ast.Global(names=names):
                changed.update(names)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _MUTATORS:
                changed.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                changed.add(name)
    return frozenset(changed)
