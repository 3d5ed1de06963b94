"""Read a lock: the bytes of `toolset.json` go in, its tools come out as values.

An older reader must not guess: a newer `lock_version`, an unknown entry of `requires` and an unknown key of an
`execution` are refused. Elsewhere unknown keys are ignored.
"""

from __future__ import annotations

from .errors import BUNDLE_CHANGED, BUNDLE_TOO_NEW, BundleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .jsontext import Json
    from .schema import Check

LOCK_VERSION = 1
FEATURES: frozenset[str] = frozenset()
LONGEST_S = 366 * 24 * 3600.0  # a deadline is always there, and this is one

# What the runtime can make of a value: here, so that a wrapper need not load how.
CONVERSIONS = frozenset(
    {
        "bytes", "complex", "date", "datetime", "decimal", "deque", "float", "frozenset", "int", "ipv4", "ipv4-network",
        "ipv6", "ipv6-network", "path", "purepath", "regex", "set", "time", "timedelta", "tuple", "uuid",
    }
)  # fmt: skip

_CLASS, _CONTEXT = "class:", "context:"

_COMMON = {"kind", "env_policy", "env", "timeout_s", "background", "environment"}
_EXECUTION_KEYS = {
    "python": _COMMON | {"module", "function", "async", "mode", "arguments", "conversions"},
    "command": _COMMON | {"argv"},
}


class Malformed(Exception):
    """A field that is missing, or is not what it must be."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class TooNew(Exception):
    """Something only a newer reader understands."""


class LockedTool:
    """A tool as the lock states it."""

    __slots__ = (
        "_check",
        "annotations",
        "argument_kinds",
        "argv",
        "background",
        "context",
        "conversions",
        "description",
        "entry",
        "env",
        "env_policy",
        "environment",
        "function",
        "input_schema",
        "kind",
        "layer",
        "mode",
        "module",
        "name",
        "output_schema",
        "path",
        "permission",
        "sources",
        "timeout_s",
    )

    def __init__(self, name: str, entry: dict[str, Json]) -> None:
        self.name = name
        self._check: Check | None = None
        self.entry = entry  # as it stands in the lock; the tool's digest is over it
        self.description = "\n".join(_strings(entry, "description"))
        self.input_schema = _object(entry, "input_schema")
        self.output_schema = _object(entry, "output_schema") if "output_schema" in entry else None
        self.annotations = _object(entry, "annotations") if "annotations" in entry else {}
        permission = _text(entry, "permission")
        # An unknown level is one this runtime cannot honour, so nothing runs under it.
        self.permission = permission if permission in ("allow", "ask") else "deny"
        execution = _object(entry, "execution")
        self.kind = _text(execution, "kind")
        if self.kind not in _EXECUTION_KEYS:
            raise TooNew(f"`{name}` is of the kind `{self.kind}`")
        if unknown := sorted(execution.keys() - _EXECUTION_KEYS[self.kind]):
            raise TooNew(f"the execution of `{name}` has `{unknown[0]}`")
        self.env_policy = _text(execution, "env_policy")
        if self.env_policy not in ("declared", "inherit"):
            raise TooNew(f"`{name}` has the env policy `{self.env_policy}`")
        self.env = _strings(execution, "env")
        self.timeout_s = _seconds(execution, "timeout_s")
        self.background = _text(execution, "background")
        if self.background not in ("kill", "keep"):
            raise TooNew(f"`{name}` has the background policy `{self.background}`")
        self.environment = _text(execution, "environment") if "environment" in execution else None
        self.module = self.function = ""
        self.mode = "worker"
        self.argument_kinds: dict[str, tuple[str, str]] = {}
        self.conversions: dict[str, str] = {}  # pointer into the input schema -> what is made of the value there
        self.context = ""  # the parameter that is given a `ToolContext`
        self.argv: tuple[str, ...] = ()
        if self.kind == "python":
            self._read_python(execution)
        else:
            self.argv = _strings(execution, "argv")
            if not self.argv:
                raise Malformed("`argv` is empty")
        origin = _object(entry, "origin")
        self.layer = _text(origin, "layer")
        self.path = _text(origin, "path")
        self.sources = _strings(entry, "sources")
        if not all(_stays_inside(path) for path in (self.layer, self.path, *self.sources)):
            raise Malformed("a path leaves the bundle")

    def _read_python(self, execution: dict[str, Json]) -> None:
        self.module = _text(execution, "module")
        self.function = _text(execution, "function")
        self.mode = _text(execution, "mode") if "mode" in execution else "worker"
        if self.mode not in ("worker", "inprocess"):
            raise TooNew(f"`{self.name}` runs in the mode `{self.mode}`")
        for prop, pair in (_object(execution, "arguments") if "arguments" in execution else {}).items():
            match pair:
                case [str(parameter), str(kind)] if kind in ("positional", "keyword", "*", "**"):
                    self.argument_kinds[prop] = (parameter, kind)
                case _:
                    raise TooNew(f"the argument `{prop}` of `{self.name}` is passed in a way it does not know")
        for pointer, made in (_object(execution, "conversions") if "conversions" in execution else {}).items():
            if isinstance(made, str) and not pointer and made.startswith(_CONTEXT):
                self.context = made.removeprefix(_CONTEXT)
            elif isinstance(made, str) and pointer and (made in CONVERSIONS or _names_class(made)):
                self.conversions[pointer] = made
            else:
                # To hand on the plain value would be a guess at what the function can take.
                raise TooNew(f"`{self.name}` converts its argument `{pointer}` in a way it does not know")

    def check(self) -> Check:
        """The checker of its arguments, compiled when a call first needs it."""
        if self._check is None:
            from .schema import compile_schema

            # Where values are converted, one of the wrong form is a problem; elsewhere a format is a note to the model.
            classes = [pointer for pointer, kind in self.conversions.items() if kind.startswith(_CLASS)]
            self._check = compile_schema(self.input_schema, formats=bool(self.conversions), by_place=classes)
        return self._check

    @property
    def folder(self) -> str:
        """The bundle path of the folder that declares the tool: a manifest's own, a Python file's layer."""
        inner = self.path.rpartition("/")[0]
        return f"tools/{self.layer}/{inner}" if inner else f"tools/{self.layer}"


class Builtins:
    """What the host is to do with the tools it has itself."""

    __slots__ = ("overridden", "policy", "removed")

    def __init__(self, entry: dict[str, Json]) -> None:
        self.policy = _text(entry, "policy") if entry else "explicit"
        self.overridden = _strings(entry, "overridden") if "overridden" in entry else ()
        self.removed = _strings(entry, "removed") if "removed" in entry else ()


class Lock:
    """A lock as a value."""

    __slots__ = ("builtins", "files", "host", "name", "subsets", "tools", "version")

    def __init__(self, value: dict[str, Json]) -> None:
        version = value.get("lock_version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise Malformed("`lock_version` is missing")
        if version > LOCK_VERSION:
            raise TooNew(f"its lock version is {version}, and this runtime reads up to {LOCK_VERSION}")
        if unknown := sorted(set(_strings(value, "requires")) - FEATURES):
            raise TooNew(f"it requires `{unknown[0]}`, which this runtime does not know")
        self.name = _text(value, "toolset")
        self.version = _text(value, "version") if "version" in value else None
        self.host = _text(value, "host") if "host" in value else "none"
        self.builtins = Builtins(_object(value, "builtins") if "builtins" in value else {})
        subsets = _object(value, "subsets") if "subsets" in value else {}
        self.subsets = {name: frozenset(_strings(subsets, name)) for name in subsets}
        self.files = read_digests(value)
        self.tools: dict[str, LockedTool] = {}
        for name, entry in _object(value, "tools").items():
            try:
                self.tools[name] = LockedTool(name, _as_object(entry))
            except Malformed as error:
                raise Malformed(f"`{name}`: {error.why}") from None
            for path in self.tools[name].sources:
                if path not in self.files:
                    raise Malformed(f"the source `{path}` of `{name}` is not among its files")


def read_lock(data: bytes, shown: str) -> Lock:
    """The value of a lock's bytes; `shown` is its path in messages. Raises `BundleError`."""
    try:
        return Lock(parse_object(data))
    except TooNew as error:
        why = f"{error}; it was written for a newer toolc, which brings the runtime that reads it"
        raise BundleError(BUNDLE_TOO_NEW, shown, why) from None
    except Malformed as error:
        raise BundleError(BUNDLE_CHANGED, shown, f"it is not a lock as toolc writes it: {error.why}") from None


def parse_object(data: bytes) -> dict[str, Json]:
    """The JSON object in these bytes; raises `Malformed`."""
    from .jsontext import loads

    try:
        return _as_object(loads(data.decode("utf-8")))
    except UnicodeDecodeError:
        raise Malformed("it is not UTF-8") from None
    except ValueError as error:
        raise Malformed(f"it is not JSON: {error}") from None


def read_digests(value: dict[str, Json]) -> dict[str, str]:
    """The `files` of a lock or of `bundle.json`: path -> sha256 in hex."""
    found = {}
    for path, spelled in _object(value, "files").items():
        if not isinstance(spelled, str) or not spelled.startswith("sha256:"):
            raise TooNew(f"the digest of `{path}` is of a kind it does not know")
        if not _stays_inside(path):
            raise Malformed("a path leaves the bundle")
        found[path] = spelled[len("sha256:") :].removesuffix(" x")
    return found


def _names_class(kind: str) -> bool:
    """Whether a conversion is `class:<module>:<qualified name>`."""
    if not kind.startswith(_CLASS):
        return False
    parts = kind.removeprefix(_CLASS).split(":")
    return len(parts) == 2 and all(name.isidentifier() for part in parts for name in part.split("."))


def _as_object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise Malformed("an object is expected")
    return value


def _object(value: Mapping[str, Json], key: str) -> dict[str, Json]:
    found = value.get(key)
    if not isinstance(found, dict):
        raise Malformed(f"`{key}` is not an object")
    return found


def _text(value: Mapping[str, Json], key: str) -> str:
    found = value.get(key)
    if not isinstance(found, str):
        raise Malformed(f"`{key}` is not a string")
    return found


def _strings(value: Mapping[str, Json], key: str) -> tuple[str, ...]:
    found = value.get(key)
    if not isinstance(found, list):
        raise Malformed(f"`{key}` is not a list")
    texts = tuple(item for item in found if isinstance(item, str))
    if len(texts) != len(found):
        raise Malformed(f"`{key}` holds something that is not a string")
    return texts


def _seconds(value: Mapping[str, Json], key: str) -> float:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found <= LONGEST_S:
        raise Malformed(f"`{key}` is not a number of seconds")
    return found


def _stays_inside(path: str) -> bool:
    return not path.startswith("/") and "\\" not in path and "\0" not in path and ".." not in path.split("/")
