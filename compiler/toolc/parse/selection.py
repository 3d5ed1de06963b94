"""Which functions of a file are tools: a module goes in, its tools come out, and a note for what is passed over.

A tool is a function of the top level: decorated with `tool`, or public and annotated `-> str`; a literal `__all__`
narrows that. Of two definitions of a name the last counts; where it depends on the machine which that is, none does.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from toolc import codes
from toolc.diagnostics import Diagnostic, Label, Reporter
from toolc.parse.constants import NotStatic, fold
from toolc.parse.decorators import is_tool_decorator
from toolc.parse.library import External, Library, Loaded, Local
from toolc.parse.near_misses import DECORATORS, near_misses
from toolc.parse.scope import Defined, Function, Imported, Meanings, Scope
from toolc.parse.syntax import Module, dumped, statements_in

_CONTEXT_MANAGERS = frozenset({"contextlib.asynccontextmanager", "contextlib.contextmanager"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A function that is a tool. `decorator` is None for a bare one; `sound` is False where an error was reported."""

    function: Function
    decorator: ast.expr | None
    sound: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The tools of a file, in the order of their definitions, and the names of `__all__` that nothing defines."""

    tools: tuple[Chosen, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _PassedOver:
    function: Function
    why: str


def select(
    home: Loaded,
    library: Library,
    reporter: Reporter,
    made: Collection[str] = (),
    computed: Sequence[str] | None = None,
) -> Selection:
    """Choose the tools of a file.

    Where it was imported, `made` are the names of tools that came about by running it, `computed` is its `__all__`.
    """
    assert home.module is not None and home.scope is not None, "a file that does not parse has no tools to choose"
    selector = _Selector(
        home=home,
        module=home.module,
        scope=home.scope,
        library=library,
        reporter=reporter,
        made=frozenset(made),
        computed=computed,
    )
    return selector.select()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selector:
    home: Loaded
    module: Module
    scope: Scope
    library: Library
    reporter: Reporter
    made: frozenset[str]
    computed: Sequence[str] | None

    def select(self) -> Selection:
        listed = self.listed()
        decorators = _used_as_decorators(self.module.nodes)
        tools: list[Chosen] = []
        passed: list[_PassedOver] = []
        for name, meanings in self.scope.names.items():
            functions = _functions(meanings)
            if not functions:
                continue
            reasons = [self.why_not(function, listed, decorators) for function in functions]
            if all(reasons):
                passed.extend(map(_PassedOver, functions, [reason or "" for reason in reasons]))
            else:
                tools.append(self.choose(name, meanings, functions))
        self.report_replaced(listed, decorators, passed)
        self.report_imported(listed)
        passed.extend(self.elsewhere())
        self.report_inner()
        for near_miss in near_misses(self.home, self.library):
            self.reporter.report(near_miss)
        self.report_passed(
            [entry for entry in passed if not entry.function.name.startswith("_")], bool(tools or self.made)
        )
        missing = self.missing(listed or ())
        tools.sort(key=lambda chosen: (chosen.function.lineno, chosen.function.col_offset))
        return Selection(tools=tuple(tools), missing=missing)

    def why_not(self, function: Function, listed: Set[str] | None, decorators: frozenset[str]) -> str | None:
        """Why a function of the top level is no tool, as a clause; None where it is one."""
        name = function.name
        decorated = tool_decorator(function, self.home, self.library) is not None
        if listed is not None and name not in listed:
            return "`__all__` does not name it"
        if decorated:
            return None
        if name.startswith("_"):
            return "its name begins with `_`"
        if name in decorators:
            return "it is used as a decorator"
        if _returns_str(function, self.home, self.library):
            return None
        for other in function.decorator_list:
            referent = self.library.refer(other.func if isinstance(other, ast.Call) else other, self.home)
            if isinstance(referent, External) and referent.name.rpartition(".")[2] in DECORATORS:
                return f"it is decorated with `{referent.name}`, not with `tool` from `toolc` or `aru.plugins`"
        if function.returns is None:
            return "it is neither decorated with `tool` nor annotated `-> str`"
        return f"it is not decorated with `tool`, and returns `{self.module.shown(function.returns)}`, not `str`"

    def choose(self, name: str, meanings: Meanings, functions: Sequence[Function]) -> Chosen:
        function = functions[-1]
        decorator = tool_decorator(function, self.home, self.library)
        differ = len(functions) > 1 and len({_shape(other) for other in functions}) > 1
        if differ or len(functions) < len(meanings):
            others = [other for other in functions if other is not function]
            self.reporter.report(
                Diagnostic(
                    codes.BRANCHES_DIFFER,
                    f"what `{name}` is depends on a condition that a build cannot decide",
                    self.module.name_span(function),
                    labels=tuple(Label(self.module.name_span(other), "and here otherwise") for other in others),
                    hint="define the tool once, and decide inside it",
                )
            )
            return Chosen(function=function, decorator=decorator, sound=False)
        for other in function.decorator_list:
            referent = self.library.refer(other.func if isinstance(other, ast.Call) else other, self.home)
            if isinstance(referent, External) and referent.name in _CONTEXT_MANAGERS:
                self.reporter.report(
                    Diagnostic(
                        codes.CONTEXT_MANAGER,
                        f"`{name}` is a context manager, and calling one gives no result",
                        self.module.span(other),
                    )
                )
                return Chosen(function=function, decorator=decorator, sound=False)
        return Chosen(function=function, decorator=decorator)

    # ------------------------------------------------------------------------------------------------------ `__all__`

    def listed(self) -> Set[str] | None:
        """The names of a literal `__all__`, with what is added to it; None where there is none to go by."""
        names: list[str] = []
        statements = list(_about_all(self.module.tree))
        for statement in statements:
            value = _added(statement)
            try:
                added = fold(value, self.home, self.library) if value is not None else None
            except NotStatic:
                added = None
            if isinstance(statement, ast.Expr) and isinstance(added, str):
                added = [added]
            if added is None and self.computed is not None:
                return dict.fromkeys(self.computed).keys()
            if not isinstance(added, (list, tuple)) or not all(isinstance(item, str) for item in added):
                self.reporter.report(
                    Diagnostic(
                        codes.ALL_NOT_LITERAL,
                        "`__all__` is not a literal list of names, so it does not narrow the tools",
                        self.module.span(value or statement),
                    )
                )
                return None
            names.extend(added)
        return dict.fromkeys(names).keys() if statements else None

    def missing(self, listed: Iterable[str]) -> tuple[str, ...]:
        """The names of `__all__` that nothing defines, which are reported."""
        known = self.scope.names
        defined = known.keys() | self.made
        names = [name for name in listed if name not in defined and not name.startswith("__")]
        if not names or "__getattr__" in known or self.scope.stars:
            return ()
        if any(isinstance(node, ast.Name) and node.id == "globals" for node in self.module.nodes):
            return ()  # names may come about in ways the source does not show
        places = {
            node.value: self.module.span(node)
            for statement in reversed([*_about_all(self.module.tree)])
            for node in reversed([*ast.walk(statement)])
            if isinstance(node, ast.Constant)
        }
        for name in names:
            self.reporter.report(
                Diagnostic(
                    codes.ALL_NAMES_NOTHING,
                    f"`__all__` names `{name}`, which the file does not define",
                    places.get(name, self.module.whole),
                )
            )
        return tuple(names)

    # ---------------------------------------------------------------------------------------------------- passed over

    def report_replaced(self, listed: Set[str] | None, decorators: frozenset[str], passed: list[_PassedOver]) -> None:
        for entry in self.scope.replaced:
            old = entry.old.node
            if entry.name in self.made or isinstance(old, ast.ClassDef):
                continue
            if self.why_not(old, listed, decorators) is not None:
                passed.append(_PassedOver(old, "a later definition of its name replaces it"))
                continue
            label = Label(self.module.name_span(old), "first defined here")
            if isinstance(entry.new, Defined):
                self.reporter.report(
                    Diagnostic(
                        codes.REDEFINED,
                        f"`{entry.name}` is defined twice, and the last definition counts",
                        self.module.name_span(entry.new.node),
                        labels=(label,),
                        hint="remove one of them, or rename it",
                    )
                )
            else:
                self.reporter.report(
                    Diagnostic(
                        codes.REBOUND,
                        f"`{entry.name}` is given another meaning after its definition, so it is no tool",
                        self.module.span(entry.new.node),
                        labels=(label,),
                    )
                )

    def report_imported(self, listed: Set[str] | None) -> None:
        """Imported functions that would be tools where they are defined, and that some hosts take for tools here."""
        for name, meanings in self.scope.names.items():
            if name.startswith("_") or (listed is not None and name not in listed):
                continue
            for meaning in meanings:
                if not isinstance(meaning, Imported) or meaning.attribute is None:
                    continue
                match self.library.refer(ast.Name(id=name, ctx=ast.Load()), self.home):
                    case Local(
                        home=other, meaning=Defined(node=ast.FunctionDef() | ast.AsyncFunctionDef() as function)
                    ) if tool_decorator(function, other, self.library) or _returns_str(function, other, self.library):
                        alias = next(alias for alias in meaning.node.names if (alias.asname or alias.name) == name)
                        self.reporter.report(
                            Diagnostic(
                                codes.PASSED_OVER,
                                f"`{name}` is no tool here: it is imported from `{other.file.path}`",
                                self.module.span(alias),
                            )
                        )

    def elsewhere(self) -> Iterator[_PassedOver]:
        for entry in self.scope.elsewhere:
            if tool_decorator(entry.node, self.home, self.library) is not None:
                self.warn_not_top_level(entry.node, entry.where)
            else:
                yield _PassedOver(entry.node, f"it stands {entry.where}")

    def report_inner(self) -> None:
        """Methods and nested functions with a tool decorator."""
        pending: list[tuple[ast.AST, str]] = [(self.module.tree, "")]
        while pending:
            node, inside = pending.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if inside and tool_decorator(node, self.home, self.library) is not None:
                    self.warn_not_top_level(node, f"inside `{inside}`")
                inside = node.name
            elif isinstance(node, ast.ClassDef):
                inside = node.name
            pending.extend((child, inside) for child in statements_in(node))

    def warn_not_top_level(self, function: Function, where: str) -> None:
        self.reporter.report(
            Diagnostic(
                codes.NOT_TOP_LEVEL,
                f"`{function.name}` is decorated with `tool` and stands {where}; "
                "only functions at the top level of their file are tools",
                self.module.name_span(function),
            )
        )

    def report_passed(self, passed: Sequence[_PassedOver], has_tools: bool) -> None:
        if has_tools:
            for entry in passed:
                self.reporter.report(
                    Diagnostic(
                        codes.PASSED_OVER,
                        f"`{entry.function.name}` is no tool: {entry.why}",
                        self.module.name_span(entry.function),
                    )
                )
            return
        self.reporter.report(
            Diagnostic(
                codes.NO_TOOLS,
                f"no function of `{self.home.file.path}` is a tool",
                self.module.whole,
                labels=tuple(
                    Label(self.module.name_span(entry.function), f"`{entry.function.name}`: {entry.why}")
                    for entry in passed
                ),
            )
        )


def tool_decorator(function: Function, home: Loaded, library: Library) -> ast.expr | None:
    """The tool decorator of a function, the outermost one."""
    for decorator in function.decorator_list:
        if is_tool_decorator(decorator, home, library):
            return decorator
    return None


def _returns_str(function: Function, home: Loaded, library: Library) -> bool:
    match function.returns:
        case ast.Constant(value=str(text)):
            return text.strip() == "str"
        case ast.Name() | ast.Attribute():
            return library.refer(function.returns, home) == External("builtins.str")
    return False


def _functions(meanings: Meanings) -> list[Function]:
    return [
        meaning.node
        for meaning in meanings
        if isinstance(meaning, Defined) and isinstance(meaning.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def _shape(function: Function) -> str:
    """All of a function that a toolset shows; two of one shape are one tool, whatever their bodies do."""
    documentation = ast.get_docstring(function, clean=False) if function.body else None
    parts: list[ast.AST] = [function.args, *function.decorator_list, *([function.returns] if function.returns else [])]
    return repr([type(function).__name__, documentation, *map(dumped, parts)])


def _about_all(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that say what `__all__` is, wherever at module level they stand."""
    pending: list[ast.AST] = list(reversed(tree.body))
    while pending:
        node = pending.pop()
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")])
                | ast.AnnAssign(target=ast.Name(id="__all__"))
                | ast.AugAssign(target=ast.Name(id="__all__"))
                | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"))))
            ):
                yield node
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case _:
                pending.extend(statements_in(node))


def _added(statement: ast.stmt) -> ast.expr | None:
    """The names that a statement adds to `__all__`; None where it does something else."""
    match statement:
        case ast.Assign(value=value) | ast.AugAssign(op=ast.Add(), value=value):
            return value
        case ast.AnnAssign(value=value):
            return value
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="extend" | "append"), args=[value])):
            return value
    return None


def _used_as_decorators(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that some definition of the file is decorated with."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for decorator in node.decorator_list:
                function = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(function, ast.Name):
                    names.add(function.id)
    return frozenset(names)
