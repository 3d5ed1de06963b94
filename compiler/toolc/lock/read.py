"""Read a lock that may have been written by anyone: bytes go in, a `Toolset` comes out, or a `LockError` says why not.

Everything is checked on the way: the encoding, the spelling, every field, and that no name or path could lead out of
the bundle. The readers of single values are in `node`; the functions here are the shape of a lock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolc import jsontext
from toolc.lock.errors import (
    ForeignKeys,
    LockCarriageReturns,
    LockConflict,
    LockNotCanonical,
    LockNotJson,
    LockNotUtf8,
    LockRequiresMore,
    LockTooNew,
)
from toolc.lock.markers import is_marker
from toolc.lock.node import Fields, Node, Source
from toolc.lock.write import LOCK_VERSION, encode, spell
from toolc.model import (
    Argument,
    Background,
    ClashPolicy,
    CommandEntry,
    Digest,
    EntryPoint,
    Environment,
    EnvPolicy,
    Introspect,
    Level,
    LockedBuiltins,
    LockedLayer,
    LockedShadow,
    Mode,
    Origin,
    PythonEntry,
    Reason,
    Schema,
    Scope,
    Tool,
    Toolset,
)
from toolc.names import TOOL_NAME, path_problem

KNOWN_FEATURES: frozenset[str] = frozenset()

_LAYER_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})( x)?")
_ARGUMENT_KINDS = ("positional", "keyword", "*", "**")


def decode(data: bytes, *, path: str = "toolset.json") -> Toolset:
    """The toolset a lock describes; `path` is how messages name the file."""
    source, toolset = _read(data, path)
    # Keys of a newer toolc are passed over, and then only how the file is spelled can be compared.
    canonical = spell(source.document.value).encode("utf-8") if source.foreign else encode(toolset)
    if canonical != data:
        raise LockNotCanonical(path, line=_first_difference(data, canonical))
    return toolset


def decode_pieces(data: bytes, *, path: str) -> Toolset:
    """The toolset of a text that was put together from lines of locks.

    It may be spelled anyhow and name what it does not have. Raises `LockError`, also for keys of a newer toolc.
    """
    source, toolset = _read(data, path, whole=False)
    if source.foreign:
        raise ForeignKeys(path, keys=source.foreign)
    return toolset


def foreign_keys(data: bytes, *, path: str = "toolset.json") -> tuple[str, ...]:
    """The keys that a newer toolc wrote, which writing the lock would drop, as JSON pointers."""
    source, _ = _read(data, path)
    return tuple(source.foreign)


def _read(data: bytes, path: str, *, whole: bool = True) -> tuple[Source, Toolset]:
    text = _text(data, path)
    try:
        document = jsontext.parse(text)
    except jsontext.JsonError as error:
        raise LockNotJson(path, line=error.line, column=error.column, why=error.message) from None
    source = Source(path=path, document=document)
    root = Node(source=source, pointer=(), value=document.value)
    _check_version(root)
    toolset = _toolset(root)
    if whole:
        _check_references(root, toolset)
    return source, toolset


def _text(data: bytes, path: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LockNotUtf8(path, line=data.count(b"\n", 0, error.start) + 1) from None
    for number, line in enumerate(text.split("\n"), start=1):
        # Markers first: a merge on Windows has both, and resolving it is what comes first.
        if is_marker(line):
            raise LockConflict(path, line=number)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.endswith("\r"):
            raise LockCarriageReturns(path, line=number)
    return text


def _first_difference(found: bytes, wanted: bytes) -> int:
    """The first line in which two spellings differ."""
    lines = zip(found.split(b"\n"), wanted.split(b"\n"), strict=False)
    for number, (ours, theirs) in enumerate(lines, start=1):
        if ours != theirs:
            return number
    return min(found.count(b"\n"), wanted.count(b"\n")) + 1


# ------------------------------------------------------------------------------------------------------------- shape


def _check_version(root: Node) -> None:
    """Refuse what this reader would misunderstand, before anything else is looked at."""
    fields = root.members()
    if "lock_version" not in fields:
        root.refuse("lacks `lock_version`")
    version = fields["lock_version"].whole()
    if version > LOCK_VERSION:
        raise LockTooNew(root.source.path, found=version, known=LOCK_VERSION)
    if version < 1:
        fields["lock_version"].refuse("is below 1")
    if "requires" in fields:
        unknown = sorted(set(fields["requires"].texts()) - KNOWN_FEATURES)
        if unknown:
            raise LockRequiresMore(root.source.path, features=unknown)


def _toolset(root: Node) -> Toolset:
    fields = root.fields(
        ("lock_version", "requires", "toolset", "host", "layers", "tools", "files"),
        ("version", "builtins", "subsets", "hidden", "python"),
    )
    layers = tuple(_layer(node) for node in fields["layers"].items())
    names = {layer.name for layer in layers}
    if len(names) < len(layers):
        fields["layers"].refuse("names a layer twice")
    no_environments: dict[str, Environment] = {}
    python = fields.get("python", _environments, no_environments)
    files = {
        path: _file(node, {environment.requirements for environment in python.values()}, names)
        for path, node in fields["files"].members().items()
    }
    tools = {name: _tool(name, node, names) for name, node in fields["tools"].members().items()}
    return Toolset(
        name=fields["toolset"].text(),
        version=fields.get("version", Node.text, None),
        host=fields["host"].text(),
        requires=fields["requires"].texts(),
        layers=layers,
        builtins=fields.get("builtins", _builtins, None),
        subsets=fields.get("subsets", _subsets, {}),
        tools=tools,
        hidden=fields.get("hidden", lambda node: _hidden(node, names), {}),
        python=python,
        files=files,
    )


def _layer(node: Node) -> LockedLayer:
    fields = node.fields(("name", "path", "scope"), ("introspect",))
    return LockedLayer(
        name=fields["name"].matching(_LAYER_NAME, "the name of a layer"),
        path=fields["path"].text(),
        scope=fields["scope"].word(Scope),
        introspect=fields.get("introspect", lambda word: word.word(Introspect), Introspect.SYNTAX),
    )


def _builtins(node: Node) -> LockedBuiltins:
    fields = node.fields(("policy", "overridden", "removed"))
    return LockedBuiltins(
        policy=fields["policy"].word(ClashPolicy),
        overridden=fields["overridden"].texts(),
        removed=fields["removed"].texts(),
    )


def _subsets(node: Node) -> dict[str, tuple[str, ...]]:
    subsets = {}
    for name, names in node.members().items():
        # A subset's definitions stand in a folder of its name.
        if path_problem(name) is not None or "/" in name:
            names.unsafe("has a name that cannot be a folder's")
        subsets[name] = names.texts()
    return subsets


def _tool(name: str, node: Node, layers: Iterable[str]) -> Tool:
    if TOOL_NAME.fullmatch(name) is None:
        node.unsafe("has a name that no tool can have")
    fields = node.fields(
        ("description", "input_schema", "permission", "execution", "origin", "sources"),
        ("output_schema", "annotations"),
    )
    execution = _execution(fields["execution"])
    return Tool(
        name=name,
        description="\n".join(_lines(fields["description"])),
        input_schema=_schema(fields["input_schema"]),
        output_schema=fields.get("output_schema", _schema, None),
        annotations=fields.get("annotations", _schema, {}),
        permission=fields["permission"].word(Level),
        entry=_entry(execution),
        mode=execution.get("mode", lambda word: word.word(Mode), Mode.WORKER),
        env_policy=execution["env_policy"].word(EnvPolicy),
        env=execution["env"].texts(),
        timeout_s=execution["timeout_s"].seconds(),
        background=execution["background"].word(Background),
        environment=execution.get("environment", Node.text, None),
        origin=_origin(fields["origin"], layers),
        sources=tuple(source.path_within("tools/") for source in fields["sources"].items()),
    )


def _lines(node: Node) -> tuple[str, ...]:
    lines = node.texts()
    if not lines:
        node.refuse("has no line")
    for item, line in zip(node.items(), lines, strict=True):
        if "\n" in line:
            item.refuse("is more than one line")
    return lines


def _schema(node: Node) -> Schema:
    if not isinstance(node.value, dict):
        node.refuse("is not an object")
    return node.value


def _execution(node: Node) -> Fields:
    kinds = {"python": ("module", "function"), "command": ("argv",)}
    members = node.members()
    kind = members["kind"].text() if "kind" in members else None
    if kind not in kinds:
        node.refuse("has no `kind` that is `python` or `command`")
    options = ("async", "mode", "arguments", "conversions") if kind == "python" else ()
    return node.fields(
        ("kind", *kinds[kind], "env_policy", "env", "timeout_s", "background"),
        (*options, "environment"),
        closed=True,
    )


def _entry(execution: Fields) -> EntryPoint:
    if execution["kind"].text() == "command":
        argv = execution["argv"].texts()
        if not argv:
            execution["argv"].refuse("names no program")
        return CommandEntry(argv=argv)
    module = execution["module"]
    if not all(module.text().split(".")) or "/" in module.text() or "\\" in module.text():
        module.unsafe(f"is `{module.text()}`, which is not the name of a module")
    return PythonEntry(
        module=module.text(),
        function=execution["function"].text(),
        is_async=execution.get("async", Node.flag, False),
        arguments=execution.get("arguments", _arguments, {}),
        conversions=execution.get("conversions", _texts_by_name, {}),
    )


def _arguments(node: Node) -> dict[str, Argument]:
    arguments = {}
    for name, pair in node.members().items():
        texts = pair.texts()
        if len(texts) != 2 or texts[1] not in _ARGUMENT_KINDS:
            pair.refuse(f"is not a parameter and one of {', '.join(f'`{kind}`' for kind in _ARGUMENT_KINDS)}")
        arguments[name] = Argument(parameter=texts[0], kind=texts[1])
    return arguments


def _texts_by_name(node: Node) -> dict[str, str]:
    return {name: text.text() for name, text in node.members().items()}


def _origin(node: Node, layers: Iterable[str]) -> Origin:
    fields = node.fields(("layer", "path"), ("shadows",))
    return Origin(
        layer=_known_layer(fields["layer"], layers),
        path=fields["path"].path_within(),
        shadows=fields.get("shadows", lambda shadows: _shadows(shadows, layers), ()),
    )


def _shadows(node: Node, layers: Iterable[str]) -> tuple[LockedShadow, ...]:
    shadows = []
    for item in node.items():
        fields = item.fields(("layer", "path", "reason"))
        shadows.append(
            LockedShadow(
                layer=_known_layer(fields["layer"], layers),
                path=fields["path"].text(),  # never opened: what is not in force does not ship
                reason=fields["reason"].word(Reason),
            )
        )
    return tuple(shadows)


def _hidden(node: Node, layers: Iterable[str]) -> dict[str, tuple[LockedShadow, ...]]:
    hidden = {}
    for name, item in node.members().items():
        hidden[name] = _shadows(item, layers)
        if any(shadow.reason is Reason.PRECEDENCE for shadow in hidden[name]):
            item.refuse("gives `precedence` as a reason, which leaves another tool with the name")
    return hidden


def _known_layer(node: Node, layers: Iterable[str]) -> str:
    if node.text() not in layers:
        node.refuse(f"is `{node.text()}`, which is none of the layers")
    return node.text()


def _environments(node: Node) -> dict[str, Environment]:
    environments = {}
    for name, item in node.members().items():
        fields = item.fields(("requires_python", "requirements", "packages"))
        environments[name] = Environment(
            requires_python=fields["requires_python"].text(),
            requirements=fields["requirements"].path_within(),
            packages=_texts_by_name(fields["packages"]),
        )
    return environments


def _file(node: Node, requirements: Iterable[str], layers: Iterable[str]) -> Digest:
    path = str(node.pointer[-1])
    problem = path_problem(path)
    if problem is not None:
        node.unsafe(f"is for a path that cannot stand in a bundle: {problem}")
    folder, _, rest = path.partition("/")
    if path not in requirements and (folder != "tools" or rest.partition("/")[0] not in layers):
        node.unsafe("is for a path that is neither below the folder of a layer nor a file of requirements")
    match = _DIGEST.fullmatch(node.text())
    if match is None:
        node.refuse("is not `sha256:` and 64 digits, with ` x` after them where the file is executable")
    return Digest(sha256=match[1], executable=match[2] is not None)


def _check_references(root: Node, toolset: Toolset) -> None:
    """Refuse a lock that names what it does not have, as a merge of two halves can."""
    fields = root.members()
    tools = fields["tools"].members()
    for name, tool in toolset.tools.items():
        for path in tool.sources:
            if path not in toolset.files:
                tools[name].members()["sources"].refuse(f"names `{path}`, which is not in `/files`")
        if tool.environment is not None and tool.environment not in toolset.python:
            tools[name].members()["execution"].refuse(f"names the environment `{tool.environment}`, which is not there")
    for name, environment in toolset.python.items():
        if environment.requirements not in toolset.files:
            fields["python"].members()[name].refuse(f"names `{environment.requirements}`, which is not in `/files`")
    for subset, names in toolset.subsets.items():
        for name in names:
            if name not in toolset.tools:
                fields["subsets"].members()[subset].refuse(f"names `{name}`, which is not in `/tools`")
