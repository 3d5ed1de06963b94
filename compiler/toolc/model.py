"""The values that cross a phase boundary, under the heading of the phase that makes them. All are frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from toolc.diagnostics import Diagnostic, Span

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Schema: TypeAlias = "dict[str, Json]"  # JSON Schema 2020-12, keys in the order they were written

# ---------------------------------------------------------------------------------------------------------- config


class Level(StrEnum):
    """What may happen when a tool is called. The order of definition is the order of strictness."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def strictness(self) -> int:
        """0 for `allow`, 2 for `deny`."""
        return list(Level).index(self)


class Scope(StrEnum):
    """Whose files a layer holds."""

    PROJECT = "project"
    VENDORED = "vendored"
    USER = "user"
    OUTSIDE = "outside"


class LayerKind(StrEnum):
    """What a layer is searched for."""

    PYTHON = "python"
    MANIFEST = "manifest"
    AUTO = "auto"


class Introspect(StrEnum):
    """How the signatures of a layer are read."""

    SYNTAX = "syntax"
    IMPORT = "import"


class ClashPolicy(StrEnum):
    """Who wins when a tool has the name of a built-in."""

    PROTECT = "protect"
    EXPLICIT = "explicit"
    REPLACE = "replace"


class EnvPolicy(StrEnum):
    """Which variables of the host's environment a tool gets."""

    DECLARED = "declared"
    INHERIT = "inherit"


class Background(StrEnum):
    """What becomes of processes that outlive a call which ended by itself."""

    KILL = "kill"
    KEEP = "keep"


class Mode(StrEnum):
    """Where a Python tool runs."""

    WORKER = "worker"
    INPROCESS = "inprocess"


class Naming(StrEnum):
    """How a Python tool gets its name."""

    FUNCTION = "function"
    FILE = "file"


class OnInvalid(StrEnum):
    """What a bad tool does to the build."""

    ERROR = "error"
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A discovery path. Of two layers that declare a name, the one of the higher rank wins."""

    name: str
    path: str  # as the config or the preset wrote it, with `/`
    root: Path  # absolute, `~` expanded; links not resolved
    rank: int
    scope: Scope
    kind: LayerKind = LayerKind.AUTO
    introspect: Introspect = Introspect.SYNTAX
    present: bool = True

    def shown(self, path: str) -> str:
        """A path within the layer, as we show it to the user."""
        return f"{self.path.rstrip('/')}/{path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Builtins:
    """The tools the host has itself."""

    names: tuple[str, ...] = ()  # sorted; of the preset and of the config
    policy: ClashPolicy = ClashPolicy.EXPLICIT
    removed: tuple[str, ...] = ()  # sorted; the host is to drop these
    span: Span | None = None  # of `[builtins]`, where the config has it


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRule:
    """One statement about the permission of tools. Among the rules that match a name, the last one decides."""

    pattern: str  # a name or a glob
    level: Level
    origin: str  # for `explain`: "preset aru", "aru.json", "toolc.toml [permissions]"
    nested: bool = False  # the host's file has a level per argument; `level` is the strictest of them
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """`[tools.NAME]`: what the project changes in a tool. None is "not said"."""

    name: str
    span: Span
    timeout_s: float | None = None
    permission: Level | None = None
    enabled: bool | None = None
    override: bool | None = None
    background: Background | None = None
    include: tuple[str, ...] = ()  # globs within the tool's layer
    environment: str | None = None
    mode: Mode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """A named view of the toolset, as globs over tool names."""

    name: str
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffSettings:
    """`[diff]`: how this project judges changes of its lock."""

    severity: Mapping[str, str] = field(default_factory=dict)  # id of a rule -> breaking, risky, safe or info
    allow_security_downgrade: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """Somebody has answered for one change of the lock."""

    fingerprint: str  # of the finding
    rule: str
    tool: str | None = None  # None: it is of the toolset as a whole
    reason: str
    by: str
    expires: date | None = None  # the last day on which it counts
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything the project decides, with the preset's answers where it says nothing."""

    root: Path  # the project root, absolute
    toolset: str
    version: str | None = None
    host: str = "none"
    layers: tuple[Layer, ...] = ()  # in precedence order, the last wins; absent ones too
    incomplete: bool = False  # a layer is not there by mistake: what nobody declares may be declared in it
    naming: Naming = Naming.FUNCTION
    on_invalid: OnInvalid = OnInvalid.ERROR
    budget_tokens: int | None = None
    mode: Mode = Mode.WORKER
    builtins: Builtins = field(default_factory=Builtins)
    permissions: tuple[PermissionRule, ...] = ()  # weakest first
    env_policy: EnvPolicy = EnvPolicy.DECLARED
    env_pass: tuple[str, ...] = ()  # sorted names
    timeout_s: float = 25
    background: Background = Background.KILL
    tools: Mapping[str, ToolSettings] = field(default_factory=dict)
    subsets: tuple[Subset, ...] = ()  # by name
    dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dependencies_span: Span | None = None  # of `[dependencies]`, where the config has it
    diff: DiffSettings = field(default_factory=lambda: DiffSettings())
    acknowledgements: tuple[Acknowledgement, ...] = ()  # of `toolset.acks.toml`, in its order
    span: Span | None = None  # the config as a whole, where there is one


# -------------------------------------------------------------------------------------------------------- discover


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a layer, as it will be shipped: line ends normalised, then hashed."""

    layer: Layer
    path: str  # within the layer, `/`
    sha256: str  # hex, of the shipped bytes
    executable: bool = False
    text: str | None = field(default=None, repr=False)  # of `.py` and `.json` that decode as UTF-8

    @property
    def bundle_path(self) -> str:
        """Where the file stands in a bundle."""
        return f"tools/{self.layer.name}/{self.path}"

    @property
    def shown(self) -> str:
        """The path as the user knows it."""
        return self.layer.shown(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonCandidate:
    """A `.py` file that may define tools."""

    file: SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestCandidate:
    """A folder with a `tool.json`, which is shipped whole."""

    folder: str  # its name
    manifest: SourceFile
    files: tuple[SourceFile, ...]  # by path, the manifest among them


Candidate: TypeAlias = PythonCandidate | ManifestCandidate

# ----------------------------------------------------------------------------------------------------------- parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """How a property reaches the function, where it is not the keyword of its own name."""

    parameter: str
    kind: str  # "positional" | "keyword" | "*" | "**"


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonEntry:
    """A function of a module of its layer."""

    module: str  # dotted, within the layer
    function: str
    is_async: bool = False
    arguments: Mapping[str, Argument] = field(default_factory=dict)  # by property
    conversions: Mapping[str, str] = field(default_factory=dict)  # JSON pointer into the schema -> what to make of it


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEntry:
    """A program; a shell form is `("sh", "-c", text)`."""

    argv: tuple[str, ...]


EntryPoint: TypeAlias = PythonEntry | CommandEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A tool as one layer states it."""

    name: str
    layer: Layer
    path: str  # within the layer: `search.py`, `grep/tool.json`
    span: Span  # of the name
    description: str
    input_schema: Schema
    entry: EntryPoint
    sources: tuple[SourceFile, ...]  # whose content can change this tool, by path
    output_schema: Schema | None = None
    annotations: Mapping[str, Json] = field(default_factory=dict)
    override: bool = False
    permission: Level | None = None
    timeout_s: float | None = None
    background: Background | None = None
    env: tuple[str, ...] = ()  # sorted names
    description_span: Span | None = None  # where the description stands, if it has a place of its own

    @property
    def shown(self) -> str:
        """The declaring file, as the user knows it."""
        return self.layer.shown(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A declaration with errors. It claims its name all the same: hiding it could put another tool in its place."""

    name: str
    layer: Layer
    path: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What the candidates declare."""

    declarations: tuple[Declaration, ...]
    broken: tuple[Broken, ...]


# --------------------------------------------------------------------------------------------------------- resolve


class Reason(StrEnum):
    """Why a declaration is not in force."""

    PRECEDENCE = "precedence"
    BUILTIN = "builtin"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow:
    """A declaration that is not in force."""

    declaration: Declaration
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The declaration in force for a name, and those it hides."""

    winner: Declaration
    shadows: tuple[Shadow, ...] = ()  # highest rank first
    overrides: str | None = None  # the built-in it replaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A name no tool carries: lost to a built-in, or disabled."""

    name: str
    shadows: tuple[Shadow, ...]  # highest rank first; may be empty for a disabled name


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """For every name, who carries it."""

    tools: tuple[Resolved, ...]  # by name
    hidden: tuple[Hidden, ...]  # by name
    broken: tuple[str, ...] = ()  # sorted names that only declarations with errors claim
    claims: tuple[Broken, ...] = ()  # all declarations with errors, by name, highest rank first


# ----------------------------------------------------------------------------------------------------------- lower
# These are the facts of the lock, field by field: `lock.decode(lock.encode(toolset)) == toolset`.


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedShadow:
    """Where a declaration that lost stands, and why it lost."""

    layer: str
    path: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedLayer:
    """A layer as the lock names it."""

    name: str
    path: str
    scope: Scope
    introspect: Introspect = Introspect.SYNTAX


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedBuiltins:
    """What the host is to do with its built-ins."""

    policy: ClashPolicy
    overridden: tuple[str, ...] = ()  # sorted
    removed: tuple[str, ...] = ()  # sorted


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a tool comes from, and what it hides."""

    layer: str
    path: str
    shadows: tuple[LockedShadow, ...] = ()  # highest rank first


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A locked set of Python packages."""

    requires_python: str
    requirements: str  # bundle path
    packages: Mapping[str, str]  # name -> version


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool of the toolset."""

    name: str
    description: str
    input_schema: Schema
    output_schema: Schema | None = None
    annotations: Mapping[str, Json] = field(default_factory=dict)
    permission: Level
    entry: EntryPoint
    mode: Mode = Mode.WORKER  # of a Python tool
    env_policy: EnvPolicy
    env: tuple[str, ...] = ()  # sorted names; one with a `?` is passed where it is set, the others the tool needs
    timeout_s: float
    background: Background
    environment: str | None = None
    origin: Origin
    sources: tuple[str, ...]  # bundle paths, sorted


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What the lock says of a file."""

    sha256: str  # hex
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """A compiled toolset: the lock as a value."""

    name: str
    version: str | None = None
    host: str = "none"
    requires: tuple[str, ...] = ()  # features a reader must know, sorted
    layers: tuple[LockedLayer, ...] = ()  # in precedence order
    builtins: LockedBuiltins | None = None
    subsets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # sorted names of tools
    tools: Mapping[str, Tool] = field(default_factory=dict)
    hidden: Mapping[str, tuple[LockedShadow, ...]] = field(default_factory=dict)
    python: Mapping[str, Environment] = field(default_factory=dict)
    files: Mapping[str, Digest] = field(default_factory=dict)  # by bundle path

    def shown(self, source: str) -> str:
        """A file of the bundle as the user knows it, who has never looked into one: in the folder of its layer."""
        for layer in self.layers:
            prefix = f"tools/{layer.name}/"
            if source.startswith(prefix):
                return f"{layer.path.rstrip('/')}/{source.removeprefix(prefix)}"
        return source


# ------------------------------------------------------------------------------------------------------- pipeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """What one run of the pipeline learned. `toolset` is None where an error stopped it."""

    root: Path  # the project root
    config: Config | None
    resolution: Resolution | None
    toolset: Toolset | None
    diagnostics: tuple[Diagnostic, ...]
    compiled: Toolset | None = None  # what compiled in spite of errors: shown by `list` and `explain`, never written
