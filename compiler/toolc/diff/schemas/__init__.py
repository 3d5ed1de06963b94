"""What changed in the structure of a schema. Two schemas go in, findings come out.

This says only that a schema changed, and that how it did was not analysed."""

from __future__ import annotations

from collections.abc import Iterator

from toolc.diff.model import ABSENT, Finding, Rule, Verdict, found, pointer
from toolc.diff.texts import spelled
from toolc.model import Json, Schema

NOT_ANALYSED = Rule(
    id="T299",
    name="not-analysed",
    title="a schema changed in a way that was not analysed",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="Compare the two schemas yourself.\n",
)


def compare_inputs(tool: str, old: Schema, new: Schema, *, is_command: bool) -> tuple[Finding, ...]:  # noqa: ARG001
    """How the arguments of a tool changed."""
    return tuple(_compare(tool, "input_schema", old, new))


def compare_outputs(tool: str, old: Schema | None, new: Schema | None) -> tuple[Finding, ...]:
    """How the results of a tool changed."""
    return tuple(_compare(tool, "output_schema", old, new))


def _compare(tool: str, key: str, old: Schema | None, new: Schema | None) -> Iterator[Finding]:
    if spelled(_bare(old)) != spelled(_bare(new)):
        yield found(
            NOT_ANALYSED,
            pointer("tools", tool, key),
            f"the schema of `{tool}` changed",
            tool=tool,
            old=ABSENT if old is None else old,
            new=ABSENT if new is None else new,
        )


def _bare(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            key: _bare(item)
            for key, item in value.items()
            if key not in {"description", "title", "examples", "$comment"} or isinstance(item, dict)
        }
    return [_bare(item) for item in value] if isinstance(value, list) else value
