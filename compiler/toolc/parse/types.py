"""Types: an annotation goes in, the JSON Schema of the values it accepts comes out, or the part that has no JSON form.

A type is resolved through the modules of the layer and the fixed tables, never through what is installed. With the
schema comes what is to be made of its values where Python's type is not the one that JSON gives.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from toolc.parse import tables
from toolc.parse.budget import FILE_LIMIT, TYPE_LIMIT, weigh
from toolc.parse.constants import NotStatic, fold, is_long
from toolc.parse.constraints import constrains, read_field, read_metadata
from toolc.parse.library import Ambiguous, External, LayerModule, Library, Loaded, Local, nested
from toolc.parse.models import variable_key
from toolc.parse.schemas import NULL, Scalar
from toolc.parse.scope import Assigned, Defined
from toolc.parse.structures import class_of_call, class_type
from toolc.parse.syntax import read_expression, unparsed
from toolc.parse.typed import (
    Definitions,
    NoJsonForm,
    Place,
    TooLarge,
    Type,
    array,
    enumeration,
    fixed,
    identify,
    mapping,
    part,
    plain,
    reference,
    references,
    union,
)

_ANY = plain({})
_DEPTH_LIMIT = 64


def compile_type(
    node: ast.expr,
    home: Loaded,
    library: Library,
    definitions: Definitions,
    type_parameters: Iterable[ast.AST] = (),
) -> Type:
    """Compile an annotation that stands in a module; what has a name is added to the definitions.

    `type_parameters` are those of the function, Python 3.12. Raises `NoJsonForm`.
    """
    compiler = _Compiler(library=library, definitions=definitions)
    with definitions.undone_on_failure():
        at = compiler.bound(Place(home=home), type_parameters)
        compiled = compiler.expression(node, at)
    told = compiler.qualifiers or compiler.iterates or compiler.unenforced
    return (
        replace(
            compiled,
            qualifiers=tuple(compiler.qualifiers),
            iterates=compiler.iterates,
            unenforced=tuple(compiler.unenforced),
        )
        if told
        else compiled
    )


def unpacked_type(node: ast.expr, home: Loaded, library: Library, definitions: Definitions) -> Type | None:
    """The object whose keys `Unpack[...]` stands for; None where the annotation is another. Raises `NoJsonForm`."""
    read = _quoted(node) if isinstance(node, ast.Constant) and isinstance(node.value, str) else node
    if not isinstance(read, ast.Subscript) or library.refer(read.value, home) != External("typing.Unpack"):
        return None
    compiled = compile_type(read.slice, home, library, definitions)
    target = definitions.types.get(next(references(compiled.schema), ""))
    if target is None or "properties" not in target.schema:
        raise NoJsonForm(read.slice, f"`{unparsed(read.slice)}` is not a `TypedDict`")
    return target


@dataclass(frozen=True, slots=True)
class _Expansion:
    """An alias that is being expanded, and how many containers it stands in."""

    identity: str
    containers: int


@dataclass(slots=True, kw_only=True)
class _Compiler:
    library: Library
    definitions: Definitions
    expansions: list[_Expansion] = field(default_factory=list)
    containers: int = 0
    depth: int = 0
    parts: int = 0
    qualifiers: list[str] = field(default_factory=list)
    iterates: bool = False
    unenforced: list[str] = field(default_factory=list)

    def expression(self, node: ast.expr, at: Place) -> Type:
        self.depth += 1
        try:
            if self.depth > _DEPTH_LIMIT:
                raise TooLarge(node, f"it is more than {_DEPTH_LIMIT} types deep")
            self.charge(node, 1)
            return self.dispatch(node, at)
        finally:
            self.depth -= 1

    def charge(self, node: ast.expr, parts: int) -> None:
        """Count what is added to the type. Raises `TooLarge`."""
        self.parts += parts
        if not self.definitions.budget.spend(parts):
            raise TooLarge(node, f"the types of its file have more than {FILE_LIMIT:,} parts together")
        if self.parts > TYPE_LIMIT:
            raise TooLarge(node, f"it has more than {TYPE_LIMIT:,} parts")

    def given(self, node: ast.expr, compiled: Type) -> Type:
        """What a type variable stands for, which is repeated wherever it is named."""
        self.charge(node, weigh(compiled.schema, TYPE_LIMIT))
        return compiled

    def inner(self, node: ast.expr, at: Place) -> Type:
        """A part of a container, where a type may name itself."""
        self.containers += 1
        try:
            return self.expression(node, at)
        finally:
            self.containers -= 1

    def dispatch(self, node: ast.expr, at: Place) -> Type:
        match node:
            case ast.Constant(value=None):
                return plain(dict(NULL))
            case ast.Constant(value=str()):
                return self.expression(_quoted(node), at)
            case ast.BinOp(op=ast.BitOr()):
                return union([self.expression(member, at) for member in _members(node)])
            case ast.Name() | ast.Attribute():
                return self.name(node, at)
            case ast.Subscript(value=base, slice=index):
                arguments = [*index.elts] if isinstance(index, ast.Tuple) else [index]
                return self.subscript(node, base, arguments, at)
            case ast.Call() if (constrained := constrains(node, at.home, self.library)) is not None:
                return self.constrained(node, constrained, at)
        what = "a call, which is not evaluated" if isinstance(node, ast.Call) else "not a type"
        raise NoJsonForm(node, f"`{unparsed(node)}` is {what}", resolved=False)

    # --------------------------------------------------------------------------------------------------------- names

    def name(self, node: ast.expr, at: Place, arguments: list[ast.expr] | None = None) -> Type:
        """A name, with the arguments in brackets after it."""
        if isinstance(node, ast.Name) and node.id in at.bindings and not arguments:
            return self.given(node, at.bindings[node.id])
        match self.refer(node.value if isinstance(node, ast.Subscript) else node, at):
            case External(name=name):
                return self.external(node, name)
            case Local(meaning=Assigned()) as local:
                return self.assigned(node, local, arguments or [], at)
            case Local(meaning=Defined(node=ast.ClassDef())) as local:
                given = [self.inner(argument, at) for argument in arguments or []]
                return class_type(self, node, local, given)
            case Local(meaning=Defined(node=definition)):
                raise NoJsonForm(node, f"`{definition.name}` is a function, not a type")
            case LayerModule():
                raise NoJsonForm(node, f"`{unparsed(node)}` is a module, not a type")
            case Ambiguous(name=name):
                raise NoJsonForm(node, f"`{name}` is bound in several ways", resolved=False)
        reason = f"`{unparsed(node)}` is not defined where it could be read"
        raise NoJsonForm(node, reason, resolved=False, importable=False)

    def refer(self, node: ast.expr, at: Place) -> object:
        """What a name stands for; the body of a class knows the classes in it."""
        if isinstance(node, ast.Name) and at.owner is not None:
            within = nested(at.owner, node.id)
            if within is not None:
                return within
        return self.library.refer(node, at.home, for_types=True)

    def external(self, node: ast.expr, name: str) -> Type:
        """A name from outside the layer, without arguments."""
        known = tables.known(name)
        if known is not None:
            return plain(*known)
        if name in tables.LISTS:
            return array(_ANY)
        if name in tables.ITERATORS:
            self.iterates = True
            return array(_ANY)
        if name in tables.SETS:
            return array(_ANY, tables.SETS[name], uniqueItems=True)
        if name in tables.TUPLES:
            return array(_ANY, "tuple")
        if name in tables.DEQUES:
            return array(_ANY, "deque")
        if name in tables.MAPPINGS:
            return mapping(_ANY, _ANY, tables.MAPPINGS[name])
        if name in tables.COUNTERS:
            return mapping(_ANY, plain({"type": "integer"}), tables.COUNTER)
        if name == "typing.AnyStr":
            return plain({"type": "string"})
        raise _foreign(node, name)

    def assigned(self, node: ast.expr, local: Local, arguments: list[ast.expr], at: Place) -> Type:
        """A module-level name for a type, a `NewType`, a `TypeVar` or a class that a call makes."""
        assert isinstance(local.meaning, Assigned), "an assignment is expanded"
        home, value = local.home, local.meaning.value
        if isinstance(value, ast.Call) and constrains(value, home, self.library) is None:
            key = variable_key(node, at.home, self.library)
            if key is not None and key in at.bindings:
                return self.given(node, at.bindings[key])
            made = class_of_call(local, value, self.library)
            if made is not None:
                return class_type(self, node, made, [])
        variables = self.variables(local)
        given = [self.inner(argument, at) for argument in arguments]
        if len(given) > len(variables):
            raise NoJsonForm(node, f"`{local.name}` takes {len(variables)} arguments in brackets")
        bindings = dict(zip(variables, given, strict=False))
        identity = f"{home.file.path}:{local.name}{identify(given)}"
        with self.seen_from(node, home):
            return self.expanded(node, local, identity, value, Place(home=home, bindings=bindings))

    def expanded(self, node: ast.expr, local: Local, identity: str, value: ast.expr, at: Place) -> Type:
        """What an alias stands for; one that contains itself becomes a definition."""
        for expansion in self.expansions:
            if expansion.identity == identity:
                if expansion.containers == self.containers:
                    raise NoJsonForm(node, f"`{local.name}` is defined by itself")
                return reference(self.definitions.name(local.name, identity, f"{at.home.dotted}_{local.name}"))
        if identity in self.definitions.names:
            return reference(self.definitions.names[identity])
        self.expansions.append(_Expansion(identity, self.containers))
        try:
            made = self.made(local, value, at) if isinstance(value, ast.Call) else self.expression(value, at)
        finally:
            self.expansions.pop()
        if identity not in self.definitions.names:
            return made
        name = self.definitions.names[identity]
        self.definitions.types[name] = made.described
        return reference(name)

    def made(self, local: Local, call: ast.Call, at: Place) -> Type:
        """The type that a call stands for: `NewType`, `TypeVar`, or one with constraints."""
        match self.library.refer(call.func, at.home, for_types=True):
            case External(name="typing.NewType") if len(call.args) == 2:
                return self.expression(call.args[1], at)
            case External(name="typing.TypeVar") if call.args:
                default = next((keyword.value for keyword in call.keywords if keyword.arg == "default"), None)
                if default is not None:  # what it stands for where nobody says (PEP 696)
                    return self.expression(default, at)
                if len(call.args) > 1:
                    return union([self.expression(constraint, at) for constraint in call.args[1:]])
                bound = next((keyword.value for keyword in call.keywords if keyword.arg == "bound"), None)
                return self.limit(bound, at)
            case External(name="typing.TypeAliasType") if len(call.args) == 2:
                return self.expression(call.args[1], at)
        if constrains(call, at.home, self.library) is not None:
            return self.expression(call, at)
        raise NoJsonForm(call, f"`{local.name}` is made by a call, which is not evaluated", resolved=False)

    def variables(self, local: Local) -> list[str]:
        """The keys of the type variables of an alias, in the order of its arguments."""
        assert isinstance(local.meaning, Assigned), "only an alias has arguments of this sort"
        named = [parameter.name for parameter in getattr(local.meaning.node, "type_params", ())]
        if named:
            return named
        keys: dict[str, None] = {}
        for node in ast.walk(local.meaning.value):
            if isinstance(node, ast.Name) and (key := variable_key(node, local.home, self.library)) is not None:
                keys[key] = None
        return [*keys]

    def bound(self, at: Place, parameters: Iterable[ast.AST]) -> Place:
        """The place with the type parameters in brackets after a name bound, Python 3.12."""
        bindings: dict[str, Type] = {}
        for parameter in parameters:
            name: str = parameter.name  # type: ignore[attr-defined]  # of 3.12
            default, bound = getattr(parameter, "default_value", None), getattr(parameter, "bound", None)
            if default is None and isinstance(bound, ast.Tuple):
                bindings[name] = union([self.expression(node, at) for node in bound.elts])
            else:
                bindings[name] = self.limit(bound, at) if default is None else self.expression(default, at)
        return replace(at, bindings={**at.bindings, **bindings})

    def limit(self, bound: ast.expr | None, at: Place) -> Type:
        """What the bound of a type variable leaves. To Python, one of `None` is none."""
        if bound is None or (isinstance(bound, ast.Constant) and bound.value is None):
            return _ANY
        return self.expression(bound, at)

    @contextmanager
    def seen_from(self, node: ast.expr, home: Loaded) -> Iterator[None]:
        """The place to show is where the tool names a type, which may stand in another file."""
        try:
            yield
        except NoJsonForm as error:
            raise error.seen_from(node, home) from None

    # ----------------------------------------------------------------------------------------------------- subscripts

    def subscript(self, node: ast.expr, base: ast.expr, arguments: list[ast.expr], at: Place) -> Type:
        referent = self.refer(base, at)
        if not isinstance(referent, External):
            return self.name(node, at, arguments)
        name = referent.name
        match name:
            case "typing.Literal":
                return self.literal(arguments, at)
            case "typing.Optional" if len(arguments) == 1:
                return union([self.expression(arguments[0], at), plain(dict(NULL))])
            case "typing.Union":
                return union([self.expression(argument, at) for argument in arguments])
            case "typing.Annotated" if len(arguments) > 1:
                metadata = read_metadata(arguments[1:], at.home, self.library)
                self.definitions.untold |= bool(metadata.beyond)
                return self.told(metadata.apply(self.expression(arguments[0], at), checked=at.checked))
        if name in tables.QUALIFIERS and len(arguments) == 1:
            self.qualifiers.append(name.removeprefix("typing."))
            return self.expression(arguments[0], at)
        return self.container(node, name, arguments, at)

    def container(self, node: ast.expr, name: str, arguments: list[ast.expr], at: Place) -> Type:
        match arguments:
            case [only]:
                if name in tables.LISTS or name in tables.ITERATORS:
                    self.iterates = self.iterates or name in tables.ITERATORS
                    return array(self.inner(only, at))
                if name in tables.SETS:
                    return array(self.inner(only, at), tables.SETS[name], uniqueItems=True)
                if name in tables.DEQUES:
                    return array(self.inner(only, at), "deque")
                if name in tables.COUNTERS:
                    return mapping(self.names(only, at), plain({"type": "integer"}), tables.COUNTER)
                if name in tables.OF_TEXT:
                    return self.of_text(only, name, at)
                if name == "dataclasses.InitVar":
                    return self.expression(only, at)
            case [key, value] if name in tables.MAPPINGS:
                return mapping(self.names(key, at), self.inner(value, at), tables.MAPPINGS[name])
        if name in tables.ITERATORS and arguments:
            self.iterates = True
            return array(self.inner(arguments[0], at))
        if name in tables.TUPLES:
            return self.fixed_or_open(arguments, at)
        raise _foreign(node, name)

    def fixed_or_open(self, arguments: list[ast.expr], at: Place) -> Type:
        """A tuple, of given items or of any number of one type."""
        match arguments:
            case [items, ast.Constant(value=value)] if value is Ellipsis:
                return array(self.inner(items, at), "tuple")
            case [ast.Tuple(elts=[])] | []:
                return fixed([], "tuple")
            case [*first, ast.Starred(value=ast.Subscript() as rest)]:
                more = self.expression(rest, at)
                repeated = more.schema.get("items")
                if more.conversions.get("") == "tuple" and isinstance(repeated, dict):
                    return fixed([self.inner(item, at) for item in first], "tuple", part(more, "/items", repeated))
        return fixed([self.inner(argument, at) for argument in arguments], "tuple")

    def of_text(self, argument: ast.expr, name: str, at: Place) -> Type:
        if self.expression(argument, at).schema not in ({"type": "string"}, {}):
            raise NoJsonForm(argument, "only the one of `str` can be made from JSON")
        return self.external(argument, name)

    def names(self, key: ast.expr, at: Place) -> Type:
        """What the names in an object stand for. Raises `NoJsonForm` for what no name can be told to be."""
        keys = self.inner(key, at)
        if keys.schema == {} or keys.schema.get("type") == "string":
            return keys
        spelled = tables.NAMES.get(str(keys.schema.get("type")))
        if spelled is not None and [*keys.schema] == ["type"]:
            return plain({"type": "string", **spelled}, "int")
        raise NoJsonForm(key, "the keys of a JSON object are strings", "use `str` for the keys")

    def constrained(self, call: ast.Call, name: str, at: Place) -> Type:
        """`conint(gt=0)`, `conlist(int, min_length=1)` and their like."""
        only = ast.copy_location(ast.Call(func=call.func, args=[], keywords=call.keywords), call)
        item = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "item_type"), None)
        base = self.container(call, name, [item], at) if item is not None else self.external(call, name)
        return self.told(read_field(only, at.home, self.library).apply(base, checked=at.checked))

    def told(self, compiled: Type) -> Type:
        """The type, with what of it is not enforced kept for who compiles the parameter: parts become one schema."""
        self.unenforced.extend(compiled.unenforced)
        return replace(compiled, unenforced=())

    # ------------------------------------------------------------------------------------------------------- literals

    def literal(self, arguments: list[ast.expr], at: Place) -> Type:
        """A `Literal`, nested ones and aliases of them included; its members of enums are what they were."""
        groups: dict[str | None, list[Scalar]] = {}
        self.charge(arguments[0], len(arguments))
        for kind, value in self.literals(arguments, at):
            self.charge(arguments[0], weigh(value, TYPE_LIMIT))
            groups.setdefault(kind, []).append(value)
        return union(enumeration(values, kind) for kind, values in groups.items())

    def literals(self, arguments: Iterable[ast.expr], at: Place) -> Iterator[tuple[str | None, Scalar]]:
        for argument in arguments:
            match argument:
                case ast.Constant(value=None | bool() | int() | str() as value) if not is_long(value):
                    yield None, value
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))) if not is_long(number):
                    yield None, -number
                case ast.Subscript(value=base, slice=index) if self.refer(base, at) == External("typing.Literal"):
                    yield from self.literals(index.elts if isinstance(index, ast.Tuple) else [index], at)
                case ast.Name() | ast.Attribute():
                    yield from self.named_literals(argument, at)
                case _:
                    raise NoJsonForm(argument, f"`{unparsed(argument)}` is not a value that JSON has")

    def named_literals(self, node: ast.Name | ast.Attribute, at: Place) -> Iterator[tuple[str | None, Scalar]]:
        match self.refer(node, at):
            case Local(home=other, name=name, meaning=Assigned(value=ast.Subscript() as value)):
                identity = f"{other.file.path}:{name}"
                if not any(expansion.identity == identity for expansion in self.expansions):
                    self.charge(node, 1)
                    self.expansions.append(_Expansion(identity, self.containers))
                    try:
                        yield from self.literals([value], Place(home=other))
                    finally:
                        self.expansions.pop()
                    return
        if isinstance(node, ast.Attribute):
            try:
                member = fold(node, at.home, self.library)
                kinds = {*self.expression(node.value, at).conversions.values()}
            except (NotStatic, NoJsonForm):
                pass
            else:
                if len(kinds) == 1 and isinstance(member, (bool, int, float, str, type(None))):
                    yield kinds.pop(), member
                    return
        raise NoJsonForm(node, f"`{unparsed(node)}` is not a value that JSON has")


def _members(node: ast.expr) -> list[ast.expr]:
    """The members of `A | B | C`, which the syntax tree nests to the left."""
    members: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        members.append(node.right)
        node = node.left
    return [node, *reversed(members)]


def _quoted(node: ast.Constant) -> ast.expr:
    """The type in a quoted annotation, at the place of the quotation."""
    inner = read_expression(str(node.value))
    if inner is None:
        reason = f"`{unparsed(node)}` does not hold a type"
        raise NoJsonForm(node, reason, resolved=False, importable=False)
    for below in ast.walk(inner):
        ast.copy_location(below, node)
    return inner


def _foreign(node: ast.expr, name: str) -> NoJsonForm:
    top = name.lstrip(".").partition(".")[0]
    known = top == "builtins" or top in sys.stdlib_module_names
    reason = None if known else f"`{name}` comes from outside the layer"
    return NoJsonForm(node, reason, importable=not known)
