"""What a tool returns: the annotation goes in, an output schema comes out where it says something a reader can use."""

from __future__ import annotations

from functools import partial

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter
from toolc.model import Json, Schema
from toolc.parse.budget import Budget
from toolc.parse.imported import Counterpart, settle
from toolc.parse.library import Library, Loaded
from toolc.parse.scope import Function
from toolc.parse.typed import Definitions, NoJsonForm, TooLarge, Type, references
from toolc.parse.types import compile_type


def compile_return(
    function: Function,
    tool: str,
    home: Loaded,
    library: Library,
    budget: Budget,
    reporter: Reporter,
    counterpart: Counterpart | None = None,
) -> Schema | None:
    """The schema of what the tool returns; None where the annotation says nothing, or nothing JSON can say."""
    assert home.module is not None, "a tool comes from a file that parses"
    if function.returns is None:
        return None
    definitions = Definitions(budget=budget)
    span = home.module.span(function.returns)

    def disagree(both: str) -> None:
        message = f"what tool `{tool}` returns {both}"
        reporter.report(Diagnostic(codes.IMPORT_DISAGREES, message, span))

    def from_source(into: Definitions) -> Type:
        assert function.returns is not None, "there is an annotation"
        return compile_type(function.returns, home, library, into, getattr(function, "type_params", ()))

    found = counterpart.function.returns if counterpart is not None else None
    try:
        if counterpart is None or found is None:
            compiled = from_source(definitions)
        else:
            from_import = partial(counterpart.compile_type, found, place=span)
            compiled = settle(from_source, from_import, definitions, disagree)
    except NoJsonForm as error:
        because = f" as {error.reason}" if isinstance(error, TooLarge) else ""
        reporter.report(
            Diagnostic(
                codes.RETURN_TYPE,
                f"tool `{tool}` returns `{home.module.shown(function.returns)}`, which toolc has no JSON form for; "
                f"it gets no output schema{because}",
                home.module.span(error.node),
            )
        )
        return None
    schema = _at_root(compiled.described.schema, definitions)
    used: dict[str, Json] = {name: inner.schema for name, inner in definitions.used_by(schema).items()}
    return {**schema, "$defs": used} if used else schema or None


def _at_root(schema: Schema, definitions: Definitions) -> Schema:
    """A model written out, so that the schema says at its root that it is an object; not one that refers to itself."""
    if [*schema] != ["$ref"]:
        return schema
    (name,) = references(schema)
    target = definitions.types[name]
    assert target is not None, "the type is complete"
    inside = definitions.used_by(target.schema)
    return schema if name in inside else target.schema
