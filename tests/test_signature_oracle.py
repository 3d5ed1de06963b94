"""Pydantic as an oracle: over tool files at random, both read the same signature and take the same arguments.

Two things are compared. The schemas have to be equal, after what differs on purpose (`pydantic_policy`). The arguments
have to fare alike, valid ones and ones with a mistake: what pydantic takes in its strict mode we take, as it is or with
a repair, and its values are ours, types and all; what it refuses in its lax mode we refuse, repairs apart. Between the
two modes the policy on calls decides (`true` is no 1, `5.0` is a 5); what we take there has the value that pydantic
gives it, unions apart, since in each branch its lax mode may make something else of a value.

`TOOLC_SIGNATURES=5000 pytest tests/test_signature_oracle.py -n 2` looks at as many files.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, cast

import attrs
import pytest
from pydantic import BaseModel, ValidationError
from pydantic.errors import PydanticSchemaGenerationError, PydanticUserError

import json_samples
from pydantic_policy import Oracle, as_dataclass
from python_layer import compile_text
from signatures import Parameter, ToolFile, write_file
from toolc.diagnostics import Severity
from toolc.model import Declaration, PythonEntry
from toolc_runtime.arguments import prepare
from toolc_runtime.convert import Plan
from toolc_runtime.finder import Layer
from toolc_runtime.invoke import Call, invoke
from toolc_runtime.schema import compile_schema

COUNT = int(os.environ.get("TOOLC_SIGNATURES", "600"))
CHUNK = 50
SAMPLES = 8


@pytest.mark.parametrize("first", range(0, COUNT, CHUNK))
def test_pydantic_reads_and_takes_the_same(first: int, tmp_path: Path) -> None:
    read, disagreements = 0, []
    for seed in range(first, min(first + CHUNK, COUNT)):
        file = write_file(seed)
        with executed(file) as module:
            oracle = oracle_of(module)
            if oracle is not None:
                read += 1
                disagreements += [f"seed {seed}: {told}" for told in compare(file, module, oracle, tmp_path, seed)]
    assert not disagreements, "\n".join(disagreements)
    assert read >= CHUNK * 0.9  # there are few that pydantic cannot read


@contextmanager
def executed(file: ToolFile) -> Iterator[ModuleType]:
    """The module of a file and its twin."""
    module = ModuleType("tools")
    module.__dict__["as_dataclass"] = as_dataclass
    before = sys.modules.get("tools")
    sys.modules["tools"] = module  # where pydantic looks for the names of forward references
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(file.text + file.twin, "tools.py", "exec", dont_inherit=True), module.__dict__)
            yield module
    finally:
        del sys.modules["tools"]
        if before is not None:
            sys.modules["tools"] = before


def oracle_of(module: ModuleType) -> Oracle | None:
    """What pydantic makes of the twin; None where it has no schema for one of the types."""
    try:
        return Oracle(module.__dict__["_twin"])
    except (PydanticSchemaGenerationError, PydanticUserError):
        return None


def compare(file: ToolFile, module: ModuleType, oracle: Oracle, tmp_path: Path, seed: int) -> Iterator[str]:
    """What the two disagree on."""
    compiled = compile_text(tmp_path, file.text)
    errors = [each.message for each in compiled.diagnostics if each.level is Severity.ERROR]
    if errors:
        yield f"does not compile: {errors}\n{file.text}"
        return
    ours, theirs = exactly(compiled.tool.input_schema), exactly(documented(oracle.schema, file.parameters))
    if ours != theirs:
        yield f"the schemas differ\nours   {ours}\ntheirs {theirs}\n{file.text}"
        return
    random, tool = Random(seed), Tool(compiled.tool, module)
    for _ in range(SAMPLES):
        sample = json_samples.valid(tool.schema, random)
        for arguments in (sample, json_samples.with_a_mistake(sample, tool.schema, random)):
            told = differs(tool, oracle, file.parameters, arguments)
            if told:
                yield f"{told}\n{json.dumps(arguments, ensure_ascii=False)}\n{file.text}"
                return


def documented(schema: dict[str, Any], parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """Rules 6 and 9: what the docstring says of parameters, and that those with a star need not be given."""
    properties = {**schema["properties"]}
    for each in parameters:
        said = {"description": each.description} if each.description is not None else {}
        if each.kind == "**name":
            additional = schema.get("additionalProperties", True)
            told = {**said, **additional} if additional is not True else said
            schema = {**schema, "additionalProperties": told or True}
        else:
            given: dict[str, Any] = {"default": []} if each.kind == "*name" else {}
            properties[each.name] = {**said, **properties[each.name], **given}
    return {**schema, "properties": properties}


# --------------------------------------------------------------------------------------------------------------- calls


class Tool:
    """A compiled tool, called as the runtime calls it, without a bundle."""

    def __init__(self, declaration: Declaration, module: ModuleType) -> None:
        assert isinstance(declaration.entry, PythonEntry)
        self.schema = cast("dict[str, Any]", declaration.input_schema)
        by_place = [pointer for pointer, kind in declaration.entry.conversions.items() if kind.startswith("class:")]
        self.check = compile_schema(self.schema, formats=True, by_place=by_place)
        self.layer = cast("Layer", _Layer(module))
        self.seen: list[dict[str, Any]] = module.__dict__["SEEN"]
        self.plan = Plan(self.layer, self.schema, declaration.entry.conversions)
        self.kinds = {name: (each.parameter, each.kind) for name, each in declaration.entry.arguments.items()}

    def call(self, arguments: dict[str, Any], *, repaired: bool = False) -> dict[str, Any] | None:
        """What the function gets; None where it gets nothing."""
        if not repaired and self.check(arguments):
            return None
        given, problems = prepare(self.check, self.schema, arguments)
        if problems:
            return None
        self.seen.clear()
        call = Call(module="tools", function="f", arguments=given, kinds=self.kinds, plan=self.plan)
        reply = cast("dict[str, Any]", invoke(self.layer, call))
        assert self.seen or reply["error"]["kind"] == "invalid-arguments", reply
        return self.seen[0] if self.seen else None


class _Layer:
    """Stands for a layer with one module, loaded already."""

    changed = None
    root = "/"

    def __init__(self, module: ModuleType) -> None:
        self.load = lambda _: module
        self.find = lambda name: module if name == module.__name__ else importlib.import_module(name)


def differs(tool: Tool, oracle: Oracle, parameters: tuple[Parameter, ...], arguments: dict[str, Any]) -> str | None:
    """How the arguments fare otherwise with us than with pydantic; None where they fare alike."""
    got = tool.call(arguments)
    strict, lax = verdict(oracle.strict, arguments), verdict(oracle.lax, arguments)
    if got is None and strict is not None:
        got = tool.call(arguments, repaired=True)
        if got is None:
            return f"only pydantic takes it: {strict!r}"
    if got is None:
        return None
    if lax is None:
        return f"only we take it: {got!r}"
    if strict is None and "anyOf" in json.dumps(tool.schema):
        return None  # what the branches of a union would make of it, each in its lax way, is not for us to follow
    wanted = strict if strict is not None else lax
    for each in parameters:
        if each.kind == "*name":
            wanted[each.name] = tuple(wanted[each.name])
    agree = got.keys() == wanted.keys() and all(same(value, wanted[name]) for name, value in got.items())
    return None if agree else f"\nours   {got!r}\ntheirs {wanted!r}"


def verdict(read: Any, arguments: object) -> dict[str, Any] | None:
    """The values that pydantic reads; None where it refuses."""
    try:
        return cast("dict[str, Any]", read(arguments))
    except ValidationError:
        return None


def origin(model: BaseModel) -> type:
    return type(model).__pydantic_generic_metadata__["origin"] or type(model)


def exactly(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def same(one: Any, two: Any) -> bool:
    """Whether two values are equal and of equal types, all through. A generic model is of its class, whatever it holds:
    the lock names classes, which have their arguments in an annotation only.
    """
    if isinstance(one, BaseModel) and isinstance(two, BaseModel):
        return (
            origin(one) is origin(two) and same(one.__dict__, two.__dict__) and same(one.model_extra, two.model_extra)
        )
    if type(one) is not type(two):
        return False
    if isinstance(one, Enum):
        return one is two
    if isinstance(one, dict):
        return len(one) == len(two) and all(
            same(key, other) and same(inner, two[other])
            for (key, inner), other in zip(one.items(), two.keys(), strict=True)
        )
    if isinstance(one, set | frozenset):
        return bool(one == two) and {*map(type, one)} == {*map(type, two)}
    if isinstance(one, list | tuple | deque):
        return len(one) == len(two) and all(map(same, one, two))
    if attrs.has(type(one)):
        return all(same(getattr(one, name), getattr(two, name)) for name in attrs.fields_dict(type(one)))
    if hasattr(one, "__dataclass_fields__"):
        return all(same(getattr(one, name), getattr(two, name)) for name in one.__dataclass_fields__)
    return bool(one == two)
