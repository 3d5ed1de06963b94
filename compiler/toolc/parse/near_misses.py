"""What a file writes down as a tool in another framework's form: a module goes in, a note for each comes out.

Classes with a method that runs, methods under a framework's decorator, and dictionaries as model providers take them.
None is a tool here, and nothing is translated: the note says what to write.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from toolc import codes
from toolc.diagnostics import Diagnostic
from toolc.parse.constants import NotStatic, fold
from toolc.parse.decorators import is_tool_decorator
from toolc.parse.library import Library, Loaded
from toolc.parse.scope import Assigned, Defined

# Of a class that describes itself: how it is run in crewai, langchain, smolagents, LlamaIndex, autogen and others.
_RUN = frozenset({"__call__", "_arun", "_run", "acall", "ainvoke", "call", "execute", "forward", "invoke", "run"})
# Decorators by which frameworks collect functions and methods.
DECORATORS = frozenset({"agent_tool", "ai_function", "function_tool", "kernel_function", "tool"})
_SCHEMAS = frozenset({"inputSchema", "input_schema", "parameters"})
# A provider's description may stand one level down: OpenAI's `function`, Bedrock's `toolSpec`.
_WRAPPERS = ("function", "toolSpec")


def near_misses(home: Loaded, library: Library) -> Iterator[Diagnostic]:
    """A note for each thing at the top level of a file that was written to be a tool elsewhere."""
    assert home.module is not None and home.scope is not None, "a file that does not parse was reported"
    for name, meanings in home.scope.names.items():
        for meaning in meanings:
            if name.startswith("_"):
                continue
            if isinstance(meaning, Defined) and isinstance(meaning.node, ast.ClassDef):
                yield from _in_class(meaning.node, home, library)
            elif isinstance(meaning, Assigned):
                yield from _in_value(name, meaning.value, home, library)


def _in_class(definition: ast.ClassDef, home: Loaded, library: Library) -> Iterator[Diagnostic]:
    assert home.module is not None, "the class stands in a file that parses"
    methods = [node for node in definition.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if any(_last(base).endswith("Tool") for base in definition.bases) or (
        {"name", "description"} <= _texts(definition).keys() and any(method.name in _RUN for method in methods)
    ):
        name = _slug(_texts(definition).get("name") or definition.name)
        yield Diagnostic(
            codes.OTHER_FORM,
            f"`{definition.name}` is no tool: it is a class, and a tool is a function",
            home.module.name_span(definition),
            hint=f"write `def {name}(...) -> str:` with the parameters of its method, and call the class in there",
        )
    for method in methods:
        for decorator in method.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            if _last(function) in DECORATORS and not is_tool_decorator(decorator, home, library):
                yield Diagnostic(
                    codes.OTHER_FORM,
                    f"`{definition.name}.{method.name}` is no tool: it is a method, and a tool is a function",
                    home.module.name_span(method),
                    hint=f"write `def {method.name}(...) -> str:` at the top level, and call the method in there",
                )


def _in_value(name: str, value: ast.expr, home: Loaded, library: Library) -> Iterator[Diagnostic]:
    assert home.module is not None, "the value stands in a file that parses"
    for item in value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]:
        tool = _described(item, home, library)
        if tool is not None:
            yield Diagnostic(
                codes.OTHER_FORM,
                f"`{name}` describes the tool `{tool}` for a model provider, and is not read",
                home.module.span(item),
                hint=f"annotate the parameters of `{_slug(tool)}`, describe them in its docstring, "
                "and decorate it with `tool` from `toolc`",
            )


def _described(node: ast.expr, home: Loaded, library: Library) -> str | None:
    """The tool that a dictionary describes as providers take it; None where it is something else."""
    if not isinstance(node, ast.Dict):
        return None
    entries = {
        key.value: value for key, value in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant)
    }
    for wrapper in _WRAPPERS:
        if isinstance(inner := entries.get(wrapper), ast.Dict):
            return _described(inner, home, library)
    if "name" not in entries or not _SCHEMAS & entries.keys():
        return None
    try:
        name = fold(entries["name"], home, library)
    except NotStatic:
        return None
    return name if isinstance(name, str) else None


def _texts(definition: ast.ClassDef) -> dict[str, str]:
    """The attributes of a class that are plain text."""
    texts: dict[str, str] = {}
    for node in definition.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text)))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text)))
            ):
                texts[name] = text
    return texts


def _last(expression: ast.expr) -> str:
    """The last part of a dotted name; empty for anything else."""
    match expression:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _last(value)
    return ""


def _slug(name: str) -> str:
    """A name for the function that would be the tool: `S3 Reader Tool` and `S3ReaderTool` are `s3_reader_tool`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"\W+", "_", apart, flags=re.ASCII).strip("_").lower() or "run"
