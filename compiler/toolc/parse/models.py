"""Models: a class definition goes in, the fields that an instance is made of come out.

Dataclasses, `TypedDict`, `NamedTuple`, attrs classes and pydantic models are read by their own rules for what is a
field, what it is called in JSON and whether it has to be given. Types are left as they are written.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from toolc.model import Json
from toolc.parse.constraints import Metadata, read_field
from toolc.parse.docstrings import Docstring, Documented, clean, of_class
from toolc.parse.library import External, Library, Loaded, Local
from toolc.parse.pydantic_config import Config, is_field, read_config
from toolc.parse.scope import Defined
from toolc.parse.syntax import read_expression, unparsed
from toolc.parse.typed import Bindings, Default, NoJsonForm, Type

_DATACLASS = frozenset({"dataclasses.dataclass"})
_PYDANTIC_DATACLASS = frozenset({"pydantic.dataclasses.dataclass"})
_ATTRS = frozenset(
    {"attr.attrs", "attr.attributes", "attr.dataclass", "attr.s"}
    | {f"{module}.{name}" for module in ("attr", "attrs") for name in ("define", "frozen", "mutable")}
)
_ATTRS_FIELDS = frozenset({"attr.Factory", "attr.attrib", "attr.field", "attr.ib", "attrs.field"})
_BASES: Mapping[str, str] = {
    "pydantic.BaseModel": "PYDANTIC",
    "pydantic.RootModel": "PYDANTIC",
    "pydantic.main.BaseModel": "PYDANTIC",
    "typing.NamedTuple": "NAMED_TUPLE",
    "typing.TypedDict": "TYPED_DICT",
}
_WITHOUT_FIELDS = frozenset({"abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol"})
_BASES_LIMIT = 64


class Kind(Enum):
    """What makes a class a model."""

    DATACLASS = "dataclass"
    PYDANTIC_DATACLASS = "pydantic dataclass"
    TYPED_DICT = "TypedDict"
    NAMED_TUPLE = "NamedTuple"
    ATTRS = "attrs class"
    PYDANTIC = "pydantic model"

    @property
    def checks_itself(self) -> bool:
        """Whether an instance applies the constraints of its fields."""
        return self in (Kind.PYDANTIC, Kind.PYDANTIC_DATACLASS)


Compile = Callable[[ast.expr, Loaded, Bindings], Type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field as its class states it."""

    name: str
    key: str  # in JSON, unless the type says otherwise
    annotation: ast.expr | None
    home: Loaded
    owner: Local  # the class that states it
    bindings: Bindings
    required: bool | None  # None: unless its type says otherwise
    default: Default | None = None
    metadata: Metadata | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model, its own and its inherited fields in their order."""

    kind: Kind
    fields: tuple[Field, ...]
    description: str
    extra: bool | None = None  # whether other properties are accepted, where it says so
    keywords: Mapping[str, Json] = field(default_factory=dict)  # that its schema is given as they are
    root: Field | None = None  # of a model that stands for a value instead of an object


def kind_of(cls: Local, library: Library) -> Kind | None:
    """What makes a class a model; None where nothing does."""
    return _kind_of(cls, library, {_definition(cls)})


def _kind_of(cls: Local, library: Library, seen: set[ast.ClassDef]) -> Kind | None:
    definition = _definition(cls)
    for decorator in definition.decorator_list:
        name = _external(decorator.func if isinstance(decorator, ast.Call) else decorator, cls.home, library)
        if name in _DATACLASS:
            return Kind.DATACLASS
        if name in _PYDANTIC_DATACLASS:
            return Kind.PYDANTIC_DATACLASS
        if name in _ATTRS:
            return Kind.ATTRS
    for base in definition.bases:
        match library.refer(_unsubscripted(base), cls.home, for_types=True):
            case External(name=name) if name in _BASES:
                return Kind[_BASES[name]]
            case Local(meaning=Defined(node=ast.ClassDef() as node)) as parent if (
                node not in seen and len(seen) < _BASES_LIMIT
            ):
                seen.add(node)
                inherited = _kind_of(parent, library, seen)
                if inherited is not None:
                    return inherited
    return None


def read_model(cls: Local, kind: Kind, arguments: list[Type], library: Library, compile_type: Compile) -> Model:
    """Read the fields of a model. `arguments` are the types in brackets after its name. Raises `NoJsonForm`."""
    reader = _Reader(kind=kind, library=library, compile_type=compile_type)
    reader.read(cls, arguments, 0)
    return Model(
        kind=kind,
        # An alias generator is that of the class at hand, for what it inherits too.
        fields=tuple(replace(stated, key=reader.config.key(stated.name)) for stated in reader.fields.values()),
        description=reader.documentation.description,
        extra=reader.config.extra,
        keywords=reader.config.keywords,
        root=reader.root,
    )


def type_variables(definition: ast.ClassDef, home: Loaded, library: Library) -> list[str]:
    """The keys of the type variables of a class, in the order of its arguments."""
    named = [parameter.name for parameter in getattr(definition, "type_params", ())]
    if named:
        return named
    for generic in (True, False):
        found: dict[str, None] = {}
        for base in definition.bases:
            if not isinstance(base, ast.Subscript):
                continue
            is_generic = _external(base.value, home, library) in ("typing.Generic", "typing.Protocol")
            if is_generic is generic:
                for node in ast.walk(base.slice):
                    key = variable_key(node, home, library) if isinstance(node, (ast.Name, ast.Attribute)) else None
                    if key is not None:
                        found[key] = None
        if found:
            return [*found]
    return []


def variable_key(node: ast.expr, home: Loaded, library: Library) -> str | None:
    """The key of a type variable that `TypeVar` makes; None where the name is another thing."""
    match library.refer(node, home, for_types=True):
        case Local(home=other, name=name, meaning=meaning):
            value = getattr(meaning, "value", None)
            if isinstance(value, ast.Call) and _external(value.func, other, library) == "typing.TypeVar":
                return f"{other.file.path}:{name}"
    return None


@dataclass(slots=True, kw_only=True)
class _Reader:
    kind: Kind
    library: Library
    compile_type: Compile
    fields: dict[str, Field] = field(default_factory=dict)
    config: Config = field(default_factory=Config)
    documentation: Docstring = field(default_factory=Docstring)
    root: Field | None = None
    seen: set[ast.ClassDef] = field(default_factory=set)  # a base of several bases comes last of them, and once
    open: list[ast.ClassDef] = field(default_factory=list)  # that are being read, each a base of the one before

    def read(self, cls: Local, arguments: list[Type], depth: int) -> None:
        definition = _definition(cls)
        if definition in self.seen:
            return
        self.seen.add(definition)
        variables = type_variables(definition, cls.home, self.library)
        bindings = dict(zip(variables, arguments, strict=False))
        bases = definition.bases if self.kind is Kind.TYPED_DICT else definition.bases[::-1]
        self.open.append(definition)
        for base in bases:
            self.base(base, cls, bindings, depth)
        self.open.pop()
        if self.kind in (Kind.DATACLASS, Kind.PYDANTIC_DATACLASS, Kind.ATTRS):
            if depth == 0:
                self.check_made(definition)
            if not self.is_decorated(definition, cls.home):
                return
        self.documentation = _documentation(definition)
        self.config = read_config(definition, cls.home, self.library, self.config)
        for name, annotation, value, remark in _statements(definition):
            stated = self.field(name, annotation, value, cls, bindings)
            if stated is None:
                if self.kind is not Kind.ATTRS and annotation is not None:
                    self.fields.pop(name, None)
                continue
            documented = self.documentation.parameters.get(name, Documented())
            described = self.with_inherited_default(
                replace(stated, description=remark or documented.description or None)
            )
            if self.root_of(described):
                self.root = described
            else:
                self.fields[name] = described

    def base(self, base: ast.expr, cls: Local, bindings: Bindings, depth: int) -> None:
        named = _unsubscripted(base)
        match self.library.refer(named, cls.home, for_types=True):
            case External(name="pydantic.RootModel") if isinstance(base, ast.Subscript):
                self.root = self.plain("root", base.slice, cls, bindings)
            case External(name=name) if name in _BASES or name in _WITHOUT_FIELDS:
                pass
            case Local(meaning=Defined(node=ast.ClassDef() as node)) if node in self.open:
                raise NoJsonForm(base, f"`{cls.name}` derives from itself")
            case Local(meaning=Defined(node=ast.ClassDef())) as parent if len(self.seen) < _BASES_LIMIT:
                given: list[Type] = []
                if isinstance(base, ast.Subscript):
                    nodes = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
                    given = [self.compile_type(node, cls.home, bindings) for node in nodes]
                self.read(parent, given, depth + 1)
            case _:
                reason = f"`{cls.name}` derives from `{unparsed(named)}`, which is not known to the build"
                raise NoJsonForm(base, reason, resolved=False)

    def root_of(self, stated: Field) -> bool:
        return self.kind is Kind.PYDANTIC and stated.name == "root" and self.root is not None

    def is_decorated(self, definition: ast.ClassDef, home: Loaded) -> bool:
        wanted = {Kind.DATACLASS: _DATACLASS, Kind.PYDANTIC_DATACLASS: _PYDANTIC_DATACLASS, Kind.ATTRS: _ATTRS}
        return any(
            _external(node.func if isinstance(node, ast.Call) else node, home, self.library) in wanted[self.kind]
            for node in definition.decorator_list
        )

    def check_made(self, definition: ast.ClassDef) -> None:
        for node in definition.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "__init__":
                reason = f"`{definition.name}` has an `__init__` of its own, so its fields do not say how to make one"
                raise NoJsonForm(ast.copy_location(ast.Name(id="__init__"), node), reason)
        for decorator in definition.decorator_list:
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
                if keyword.arg == "init" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False:
                    raise NoJsonForm(keyword.value, f"`{definition.name}` is made without an `__init__`")

    # --------------------------------------------------------------------------------------------------------- fields

    def field(
        self, name: str, annotation: ast.expr | None, value: ast.expr | None, cls: Local, bindings: Bindings
    ) -> Field | None:
        """A statement of the class as a field; None where it is none."""
        if annotation is not None and self.is_no_field(annotation, cls.home):
            return None
        if annotation is None:
            is_field = isinstance(value, ast.Call) and _external(value.func, cls.home, self.library) in _ATTRS_FIELDS
            if self.kind is not Kind.ATTRS or not is_field:
                return None
        stated = self.plain(name, annotation, cls, bindings)
        match self.kind:
            case Kind.TYPED_DICT:
                return replace(stated, required=_is_total(_definition(cls)))
            case Kind.PYDANTIC:
                return self.pydantic_field(stated, value)
            case Kind.NAMED_TUPLE:
                return _with_default(stated, value)
        return (
            self.pydantic_field(stated, value) if self.is_pydantic_call(value, cls.home) else self.call(stated, value)
        )

    def plain(self, name: str, annotation: ast.expr | None, cls: Local, bindings: Bindings) -> Field:
        return Field(
            name=name,
            key=name,
            annotation=annotation,
            home=cls.home,
            owner=cls,
            bindings=bindings,
            required=None if self.kind in (Kind.PYDANTIC, Kind.PYDANTIC_DATACLASS) else True,
        )

    def is_no_field(self, annotation: ast.expr, home: Loaded) -> bool:
        name = _external(_unsubscripted(_read(annotation)), home, self.library)
        return name in ("typing.ClassVar", "dataclasses.KW_ONLY")

    def is_pydantic_call(self, value: ast.expr | None, home: Loaded) -> bool:
        return isinstance(value, ast.Call) and is_field(_external(value.func, home, self.library))

    def with_inherited_default(self, stated: Field) -> Field:
        """A field of a dataclass that states a type alone: the default of the class above is found as an attribute."""
        above = self.fields.get(stated.name)
        if self.kind not in (Kind.DATACLASS, Kind.PYDANTIC_DATACLASS) or above is None or above.default is None:
            return stated
        if stated.default is not None or above.default.node is None or self.has_slots(above.owner):
            return stated
        return replace(stated, required=above.required, default=above.default)

    def has_slots(self, owner: Local) -> bool:
        """Whether a class has slots in the place of attributes."""
        return any(
            keyword.arg == "slots" and isinstance(keyword.value, ast.Constant) and bool(keyword.value.value)
            for decorator in _definition(owner).decorator_list
            for keyword in (decorator.keywords if isinstance(decorator, ast.Call) else ())
        )

    def pydantic_field(self, stated: Field, value: ast.expr | None) -> Field | None:
        if self.kind is Kind.PYDANTIC and (stated.name.startswith("_") or stated.name == "model_config"):
            return None
        if isinstance(value, ast.Call):
            name = _external(value.func, stated.home, self.library)
            if name == "pydantic.PrivateAttr":
                return None
            if is_field(name):
                metadata = read_field(value, stated.home, self.library)
                return replace(stated, metadata=metadata, default=metadata.default)
        return _with_default(stated, value)

    def call(self, stated: Field, value: ast.expr | None) -> Field | None:
        """A field of a dataclass or an attrs class, which `field(...)` may describe."""
        name = _external(value.func, stated.home, self.library) if isinstance(value, ast.Call) else None
        if not isinstance(value, ast.Call) or not (name == "dataclasses.field" or name in _ATTRS_FIELDS):
            return _with_default(stated, value)
        if name == "attr.Factory":
            return replace(stated, required=False, default=Default(node=None, home=stated.home))
        for keyword in value.keywords:
            match keyword.arg:
                case "init" if isinstance(keyword.value, ast.Constant) and keyword.value.value is False:
                    return None
                case "default":
                    is_factory = isinstance(keyword.value, ast.Call) and (
                        _external(keyword.value.func, stated.home, self.library) or ""
                    ).endswith(".Factory")
                    node = None if is_factory else keyword.value
                    stated = replace(stated, required=False, default=Default(node=node, home=stated.home))
                case "default_factory" | "factory":
                    stated = replace(stated, required=False, default=Default(node=None, home=stated.home))
                case "type" if stated.annotation is None:
                    stated = replace(stated, annotation=keyword.value)
        return stated


def _with_default(stated: Field, value: ast.expr | None) -> Field:
    if value is None or (isinstance(value, ast.Constant) and value.value is Ellipsis):
        return stated
    return replace(stated, required=False, default=Default(node=value, home=stated.home))


def _statements(definition: ast.ClassDef) -> Iterator[tuple[str, ast.expr | None, ast.expr | None, str | None]]:
    """What the body binds: name, annotation, value, and the string below it that describes it."""
    for index, node in enumerate(definition.body):
        following = definition.body[index + 1] if index + 1 < len(definition.body) else None
        remark = None
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            remark = following.value.value if isinstance(following.value.value, str) else None
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                yield name, annotation, value, clean(remark) if remark else None
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, None, value, clean(remark) if remark else None


def _documentation(definition: ast.ClassDef) -> Docstring:
    match definition.body:
        case [ast.Expr(value=ast.Constant(value=str(text))), *_]:
            names = [name for name, *_ in _statements(definition)]
            return of_class(text, names)
    return Docstring()


def _is_total(definition: ast.ClassDef) -> bool:
    return not any(
        keyword.arg == "total" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in definition.keywords
    )


def _definition(cls: Local) -> ast.ClassDef:
    assert isinstance(cls.meaning, Defined) and isinstance(cls.meaning.node, ast.ClassDef), "only classes are models"
    return cls.meaning.node


def _unsubscripted(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _read(annotation: ast.expr) -> ast.expr:
    """The annotation, out of its quotes if it stands in some."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return read_expression(annotation.value) or annotation
    return annotation


def _external(node: ast.expr, home: Loaded, library: Library) -> str | None:
    referent = library.refer(node, home, for_types=True)
    return referent.name if isinstance(referent, External) else None
