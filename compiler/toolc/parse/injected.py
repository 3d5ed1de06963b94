"""Parameters that a program fills in, not the model: the context of a call, what a framework injects.

They are known by the type they have, by a marker in `Annotated`, or by a call in place of their default.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from toolc.parse.library import External, Library, Loaded, Local
from toolc.parse.scope import Assigned
from toolc.parse.syntax import read_expression

CONTEXT = "toolc.ToolContext"

_DEPTH_LIMIT = 32

# By package: the modules that a type may be imported from, and the types.
_TYPES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "agno": (
        ("agno.agent", "agno.agent.agent", "agno.run", "agno.run.base", "agno.team"),
        ("Agent", "RunContext", "Team"),
    ),
    "autogen": (("autogen_core",), ("CancellationToken", "MessageContext")),
    "fastapi": (
        ("fastapi", "fastapi.requests", "starlette.requests"),
        ("BackgroundTasks", "Request", "Response", "WebSocket"),
    ),
    "fastmcp": (("fastmcp", "fastmcp.server", "fastmcp.server.context"), ("Context",)),
    "google": (
        (
            "google.adk.agents",
            "google.adk.agents.callback_context",
            "google.adk.tools",
            "google.adk.tools.tool_context",
        ),
        ("CallbackContext", "InvocationContext", "ReadonlyContext", "ToolContext"),
    ),
    "langchain": (
        (
            "langchain.callbacks.manager",
            "langchain.tools",
            "langchain_core.callbacks",
            "langchain_core.callbacks.manager",
            "langchain_core.runnables",
            "langchain_core.runnables.config",
            "langchain_core.tools",
            "langgraph.prebuilt",
            "langgraph.prebuilt.tool_node",
            "langgraph.runtime",
            "langgraph.store.base",
        ),
        (
            "AsyncCallbackManagerForToolRun",
            "BaseStore",
            "CallbackManagerForToolRun",
            "RunnableConfig",
            "Runtime",
            "ToolRuntime",
        ),
    ),
    "livekit": (("livekit.agents", "livekit.agents.voice"), ("RunContext",)),
    "llama_index": (("llama_index.core.workflow", "workflows"), ("Context",)),
    "mcp": (("mcp.server.fastmcp", "mcp.server.fastmcp.server", "mcp.server.mcpserver"), ("Context",)),
    "openai": (
        ("agents", "agents.run_context", "agents.tool", "agents.tool_context"),
        ("RunContextWrapper", "ToolContext"),
    ),
    "pydantic_ai": (("pydantic_ai", "pydantic_ai._run_context", "pydantic_ai.tools"), ("RunContext",)),
    "strands": (("strands", "strands.agent", "strands.types.tools"), ("Agent", "ToolContext")),
}
FRAMEWORKS = frozenset(module.partition(".")[0] for modules, _ in _TYPES.values() for module in modules)
_CONTEXTS = frozenset(f"{module}.{name}" for modules, names in _TYPES.values() for module in modules for name in names)

# Markers of `Annotated`, with or without a call, and calls in place of a default.
_MARKERS = frozenset(
    {
        "CurrentContext",
        "CurrentFastMCP",
        "CurrentRequest",
        "Depends",
        "FromDishka",
        "Inject",
        "InjectedState",
        "InjectedStore",
        "InjectedToolArg",
        "InjectedToolCallId",
        "Provide",
        "Security",
    }
)
_MARKING = frozenset(
    {
        "agents",
        "dependency_injector",
        "dishka",
        "fast_depends",
        "fastapi",
        "fastmcp",
        "langchain",
        "langchain_core",
        "langgraph",
        "mcp",
        "pydantic_ai",
        "taskiq",
        "uncalled_for",
    }
)

# Frameworks pass these by their names alone.
UNTYPED = frozenset({"agent", "run_context", "tool_context"})


def injected_type(annotation: ast.expr, home: Loaded, library: Library) -> str | None:
    """The full name of what fills in a parameter of this type; None where the model gives its value."""
    return next(_found(annotation, home, library, set(), 0), None)


def injecting_default(default: ast.expr | None, home: Loaded, library: Library) -> str | None:
    """The full name of the marker that stands in place of a default; None where there is none."""
    return _marker(default, home, library) if isinstance(default, ast.Call) else None


def _found(node: ast.expr, home: Loaded, library: Library, seen: set[tuple[str, str]], depth: int) -> Iterator[str]:
    """The fillers among the members of a type; `seen` are the aliases that were looked into."""
    if depth > _DEPTH_LIMIT:
        return
    match node:
        case ast.Constant(value=str(text)):
            inner = read_expression(text)
            if inner is not None:
                yield from _found(inner, home, library, seen, depth + 1)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _found(left, home, library, seen, depth + 1)
            yield from _found(right, home, library, seen, depth + 1)
        case ast.Subscript(value=base, slice=index):
            arguments = index.elts if isinstance(index, ast.Tuple) else [index]
            match library.refer(base, home, for_types=True):
                case External(name="typing.Optional" | "typing.Union"):
                    for argument in arguments:
                        yield from _found(argument, home, library, seen, depth + 1)
                case External(name="typing.Annotated"):
                    for metadata in arguments[1:]:
                        marker = _marker(metadata, home, library)
                        if marker is not None:
                            yield marker
                    yield from _found(arguments[0], home, library, seen, depth + 1)
                case _:
                    yield from _found(base, home, library, seen, depth + 1)
        case ast.Name() | ast.Attribute():
            match library.refer(node, home, for_types=True):
                case External(name=name) if name == CONTEXT or name in _CONTEXTS:
                    yield name
                case External(name="toolc_runtime.ToolContext" | "toolc_runtime.context.ToolContext"):
                    yield CONTEXT
                case Local(home=other, name=name, meaning=Assigned(value=value)) if (
                    not isinstance(value, ast.Call) and (other.file.path, name) not in seen
                ):
                    seen.add((other.file.path, name))
                    yield from _found(value, other, library, seen, depth + 1)


def _marker(node: ast.expr | None, home: Loaded, library: Library) -> str | None:
    """The full name of a marker, called or not."""
    if node is None:
        return None
    referent = library.refer(node.func if isinstance(node, ast.Call) else node, home, for_types=True)
    if not isinstance(referent, External):
        return None
    top, last = referent.name.partition(".")[0], referent.name.rpartition(".")[2]
    return referent.name if top in _MARKING and last in _MARKERS else None
