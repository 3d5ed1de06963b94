"""What a diff says of two schemas, a row a rule, in both directions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from toolc.diff.model import Absent, Finding, Verdict
from toolc.diff.rules import CATALOGUE
from toolc.diff.schemas import compare_inputs, compare_outputs
from toolc_runtime.schema import compile_schema

Schema = dict[str, Any]

S: Schema = {"type": "string"}
I: Schema = {"type": "integer"}  # noqa: E741  (a column of one-letter types reads best)
N: Schema = {"type": "number"}
B: Schema = {"type": "boolean"}
NULL: Schema = {"type": "null"}


def closed(required: Sequence[str] = (), /, **properties: Any) -> Schema:
    """An object that can have these properties and no others."""
    return {**opened(required, **properties), "additionalProperties": False}


def opened(required: Sequence[str] = (), /, **properties: Any) -> Schema:
    """An object that can have any properties, of which these are declared."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed}


def one(schema: Any) -> Schema:
    """Arguments with one parameter."""
    return closed(p=schema)


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def row(old: Schema, new: Schema, forth: list[str], back: list[str], *, id: str, python: bool = False) -> Any:  # noqa: A002
    """A change, and what is said of it and of its reverse."""
    return pytest.param(old, new, forth, back, python, id=id)


def said(findings: tuple[Finding, ...]) -> list[str]:
    root = "/tools/t/input_schema"
    return [f"{f.rule.id} {f.callers} {f.security} {f.pointer.removeprefix(root)}" for f in findings]


INPUTS = [
    row(
        closed(["a"], a=S),
        closed(["a", "b"], a=S, b=S),
        ["T201 breaking info /properties/b"],
        ["T207 breaking info /properties/b"],
        id="required added",
    ),
    row(
        closed(a=S),
        closed(["a"], a=S),
        ["T202 breaking info /required"],
        ["T204 safe info /required"],
        id="became required",
    ),
    row(
        closed(a={**S, "default": "x"}),
        closed(["a"], a={**S, "default": "x"}),
        ["T203 breaking info /required"],
        ["T204 safe info /required"],
        id="required with default",
    ),
    row(
        closed(),
        closed(["a"], a={**S, "default": "x"}),
        ["T203 breaking info /properties/a"],
        ["T207 breaking info /properties/a"],
        id="required added with default",
    ),
    row(
        closed(a=S),
        closed(a=S, b=I),
        ["T205 safe info /properties/b"],
        ["T207 breaking info /properties/b"],
        id="optional added closed",
    ),
    row(
        closed(a=S),
        closed(a=S, outputPath=S),
        ["T205 safe risky /properties/outputPath"],
        ["T207 breaking info /properties/outputPath"],
        id="optional sensitive added",
    ),
    row(
        opened(a=S),
        opened(a=S, b=I),
        ["T206 risky info /properties/b"],
        ["T208 breaking risky /properties/b"],
        id="optional added open",
    ),
    row(
        opened(a=S),
        opened(a=S, b={}),
        ["T206 safe info /properties/b"],
        ["T208 breaking risky /properties/b"],
        id="optional anything added open",
    ),
    row(
        opened(a=S, dry_run=B),
        opened(a=S),
        ["T208 breaking risky /properties/dry_run"],
        ["T206 risky info /properties/dry_run"],
        id="removed from open",
    ),
    row(
        closed(["a", "b"], a=S, b=I),
        closed(["c", "b"], c=S, b=I),
        ["T209 breaking info /properties/c"],
        ["T209 breaking info /properties/a"],
        id="renamed",
    ),
    row(
        opened(a=S),
        opened(c=S),
        ["T209 breaking risky /properties/c"],
        ["T209 breaking risky /properties/a"],
        id="renamed open",
    ),
    row(
        closed(a=S, b=I),
        closed(b=I, c=S),
        ["T207 breaking info /properties/a", "T205 safe info /properties/c"],
        ["T207 breaking info /properties/c", "T205 safe info /properties/a"],
        id="moved, no rename",
    ),
    row(
        closed(a=S, b=I),
        closed(b=I, a=S),
        ["T210 info info /properties"],
        ["T210 info info /properties"],
        id="reordered",
    ),
    row(
        one(N),
        one(I),
        ["T211 breaking info /properties/p/type"],
        ["T212 safe info /properties/p/type"],
        id="number to integer",
    ),
    row(
        one({"anyOf": [I, NULL]}),
        one(I),
        ["T211 breaking info /properties/p/type"],
        ["T212 safe info /properties/p"],
        id="nullable lost",
    ),
    row(
        one(I),
        one({"type": ["integer", "string"]}),
        ["T212 safe risky /properties/p/type"],
        ["T211 breaking info /properties/p/type"],
        id="string added",
    ),
    row(one(S), one({}), ["T212 safe risky /properties/p"], ["T211 breaking info /properties/p/type"], id="anything"),
    row(
        one(S),
        one(I),
        ["T213 breaking risky /properties/p/type"],
        ["T213 breaking risky /properties/p/type"],
        id="type changed",
    ),
    row(
        one({"enum": ["a", "b"]}),
        one({"enum": ["a"]}),
        ["T214 breaking info /properties/p/enum"],
        ["T215 safe risky /properties/p/enum"],
        id="enum value removed",
    ),
    row(
        one({"const": 1}),
        one({"const": 2}),
        ["T214 breaking info /properties/p/const", "T215 safe risky /properties/p/const"],
        ["T214 breaking info /properties/p/const", "T215 safe risky /properties/p/const"],
        id="const changed",
    ),
    row(
        one(S),
        one({"enum": ["a", "b"]}),
        ["T216 breaking info /properties/p/enum"],
        ["T217 safe risky /properties/p/enum"],
        id="became enum",
    ),
    row(
        one({"enum": ["a", "b"]}),
        one({"enum": ["b", "a"]}),
        ["T218 info info /properties/p/enum"],
        ["T218 info info /properties/p/enum"],
        id="enum reordered",
    ),
    row(
        one({"enum": ["a", 1]}),
        one({"enum": ["a"]}),
        ["T214 breaking info /properties/p/enum"],
        ["T215 safe risky /properties/p/enum"],
        id="mixed enum loses a type",
    ),
    row(
        one({**I, "maximum": 9}),
        one({**I, "maximum": 5}),
        ["T219 breaking info /properties/p/maximum"],
        ["T221 safe risky /properties/p/maximum"],
        id="maximum tightened",
    ),
    row(
        one(I),
        one({**I, "minimum": 1}),
        ["T220 breaking info /properties/p/minimum"],
        ["T221 safe info /properties/p/minimum"],
        id="minimum added",
    ),
    row(
        one({**N, "minimum": 0}),
        one({**N, "exclusiveMinimum": 0}),
        ["T219 breaking info /properties/p/exclusiveMinimum"],
        ["T221 safe info /properties/p/minimum"],
        id="exclusive",
    ),
    row(
        one(S),
        one({**S, "maxLength": 5}),
        ["T220 breaking info /properties/p/maxLength"],
        ["T221 safe risky /properties/p/maxLength"],
        id="maxLength added",
    ),
    row(
        one({**many(S), "minItems": 1}),
        one({**many(S), "minItems": 2}),
        ["T219 breaking info /properties/p/minItems"],
        ["T221 safe info /properties/p/minItems"],
        id="minItems",
    ),
    row(
        one({"type": "object"}),
        one({"type": "object", "maxProperties": 1}),
        ["T220 breaking info /properties/p/maxProperties"],
        ["T221 safe risky /properties/p/maxProperties"],
        id="maxProperties",
    ),
    row(
        one({**I, "multipleOf": 2}),
        one({**I, "multipleOf": 4}),
        ["T219 breaking info /properties/p/multipleOf"],
        ["T221 safe info /properties/p/multipleOf"],
        id="multipleOf multiple",
    ),
    row(
        one({**I, "multipleOf": 2}),
        one({**I, "multipleOf": 3}),
        ["T219 breaking info /properties/p/multipleOf"],
        ["T219 breaking info /properties/p/multipleOf"],
        id="multipleOf other",
    ),
    row(
        one(S),
        one({**S, "pattern": "^[a-z]+$"}),
        ["T222 breaking info /properties/p/pattern"],
        ["T224 safe risky /properties/p/pattern"],
        id="pattern added",
    ),
    row(
        closed(path={**S, "pattern": "^[a-z]+$"}),
        closed(path=S),
        ["T224 safe breaking /properties/path/pattern"],
        ["T222 breaking info /properties/path/pattern"],
        id="pattern of path",
    ),
    row(
        one({**S, "pattern": "^[a-z]+$"}),
        one({**S, "pattern": "^[a-z]{3,}$"}),
        ["T223 breaking risky /properties/p/pattern"],
        ["T223 risky risky /properties/p/pattern"],
        id="pattern narrower",
    ),
    row(
        one({**S, "pattern": "^[a-z]$"}),
        one({**S, "pattern": "^[abcdefghijklmnopqrstuvwxyz]$"}),
        ["T223 risky risky /properties/p/pattern"],
        ["T223 risky risky /properties/p/pattern"],
        id="pattern same in other words",
    ),
    row(
        one({**S, "pattern": "^a"}),
        one({**S, "pattern": ".*"}),
        ["T224 safe risky /properties/p/pattern"],
        ["T222 breaking info /properties/p/pattern"],
        id="pattern trivial",
    ),
    row(
        one(S),
        one({**S, "format": "email"}),
        ["T225 risky info /properties/p/format"],
        ["T226 safe info /properties/p/format"],
        id="format note",
    ),
    row(
        one(S),
        one({**S, "format": "date"}),
        ["T225 breaking info /properties/p/format"],
        ["T226 safe risky /properties/p/format"],
        id="format asserted",
        python=True,
    ),
    row(
        one({**S, "format": "date"}),
        one({**S, "format": "date-time"}),
        ["T225 breaking info /properties/p/format"],
        ["T225 breaking info /properties/p/format"],
        id="format changed asserted",
        python=True,
    ),
    row(
        one(S),
        one({**S, "contentEncoding": "base64"}),
        ["T225 breaking info /properties/p/contentEncoding"],
        ["T226 safe risky /properties/p/contentEncoding"],
        id="base64",
        python=True,
    ),
    row(
        one(S),
        one({**S, "default": "x"}),
        ["T227 info info /properties/p/default"],
        ["T229 risky info /properties/p/default"],
        id="default added",
    ),
    row(
        one({**I, "default": 1}),
        one({**I, "default": 2}),
        ["T228 risky risky /properties/p/default"],
        ["T228 risky risky /properties/p/default"],
        id="default changed",
    ),
    row(
        one({**B, "default": False}),
        one({**B, "default": True}),
        ["T228 risky breaking /properties/p/default"],
        ["T228 risky risky /properties/p/default"],
        id="default flips",
    ),
    row(
        closed(path={**S, "default": "/srv/data"}),
        closed(path={**S, "default": "/srv"}),
        ["T228 risky breaking /properties/path/default"],
        ["T228 risky risky /properties/path/default"],
        id="default covers more",
    ),
    row(
        closed(["a"], a={**I, "default": 1}),
        closed(["a"], a={**I, "default": 2}),
        ["T228 info info /properties/a/default"],
        ["T228 info info /properties/a/default"],
        id="default of required",
    ),
    row(
        opened(a=S),
        closed(a=S),
        ["T231 breaking info /additionalProperties"],
        ["T230 safe risky /additionalProperties"],
        id="closed",
    ),
    row(
        {**opened(a=S), "additionalProperties": I},
        closed(a=S),
        ["T231 breaking info /additionalProperties"],
        ["T230 safe risky /additionalProperties"],
        id="closed typed",
    ),
    row(
        opened(a=S),
        {**opened(a=S), "additionalProperties": I},
        ["T232 breaking info /additionalProperties"],
        ["T232 safe risky /additionalProperties"],
        id="additional typed",
    ),
    row(
        {**opened(a=S), "additionalProperties": N},
        {**opened(a=S), "additionalProperties": I},
        ["T232 breaking info /additionalProperties"],
        ["T232 safe risky /additionalProperties"],
        id="additional narrowed",
    ),
    row(
        opened(),
        {**opened(), "patternProperties": {"^x": I}},
        ["T233 breaking info /patternProperties/^x"],
        ["T233 safe info /patternProperties/^x"],
        id="pattern properties open",
    ),
    row(
        {**closed(), "patternProperties": {"^x": I}},
        closed(),
        ["T233 breaking info /patternProperties/^x"],
        ["T233 safe info /patternProperties/^x"],
        id="pattern properties closed",
    ),
    row(
        one({"anyOf": [closed(["k"], k={"const": "a"}), closed(["k"], k={"const": "b"})]}),
        one({"anyOf": [closed(["k"], k={"const": "b"})]}),
        ["T234 breaking info /properties/p/anyOf/0"],
        ["T234 safe risky /properties/p/anyOf/0"],
        id="anyOf branch removed",
    ),
    row(
        one({"anyOf": [closed(["k", "v"], k={"const": "a"}, v=I), closed(["k"], k={"const": "b"})]}),
        one({"anyOf": [closed(["k"], k={"const": "b"}), closed(["k", "v"], k={"const": "a"}, v=N)]}),
        ["T212 safe info /properties/p/anyOf/1/properties/v/type"],
        ["T211 breaking info /properties/p/anyOf/0/properties/v/type"],
        id="anyOf branch edited and moved",
    ),
    row(
        one({"anyOf": [{**I, "minimum": 5}, {**I, "minimum": 1}]}),
        one({**I, "minimum": 1}),
        [],
        [],
        id="anyOf branch swallowed",
    ),
    row(
        one({"anyOf": [{**I, "multipleOf": 2}, {**I, "multipleOf": 3}]}),
        one({"oneOf": [{**I, "multipleOf": 2}, {**I, "multipleOf": 3}]}),
        ["T235 breaking info /properties/p/oneOf"],
        ["T235 safe info /properties/p/oneOf"],
        id="anyOf to oneOf",
    ),
    row(one({"anyOf": [S, I]}), one({"oneOf": [S, I]}), [], [], id="anyOf to oneOf apart"),
    row(
        one({"oneOf": [{**I, "multipleOf": 2}, {**I, "multipleOf": 3}]}),
        one({"oneOf": [{**I, "multipleOf": 2}, {**I, "multipleOf": 3}, {**I, "multipleOf": 5}]}),
        ["T235 breaking info /properties/p/oneOf"],
        ["T235 breaking info /properties/p/oneOf"],
        id="oneOf branch added",
    ),
    row(
        one({"oneOf": [{**S, "pattern": "^a(?=b)"}, {**S, "pattern": "^c"}]}),
        one({"oneOf": [{**S, "pattern": "^a(?=b)"}, {**S, "pattern": "^c"}, {**S, "pattern": "^d(?=e)"}]}),
        ["T235 risky info /properties/p/oneOf"],
        ["T235 risky info /properties/p/oneOf"],
        id="oneOf branch added undecided",
    ),
    row(
        one({"oneOf": [S, I]}),
        one({"oneOf": [S, I, B]}),
        ["T235 safe info /properties/p"],
        ["T235 breaking info /properties/p"],
        id="oneOf branch apart added",
    ),
    row(
        one({"allOf": [S]}),
        one({"allOf": [S, {"maxLength": 3}]}),
        ["T236 breaking info /properties/p/allOf/1"],
        ["T236 safe risky /properties/p/allOf/1"],
        id="allOf member added",
    ),
    row(
        one({"allOf": [S]}),
        one({"allOf": [S, {"deprecated": True}]}),
        ["T236 info info /properties/p/allOf/1"],
        ["T236 info info /properties/p/allOf/1"],
        id="allOf annotation",
    ),
    row(
        one(many(N)),
        one(many(I)),
        ["T211 breaking info /properties/p/items/type"],
        ["T212 safe info /properties/p/items/type"],
        id="items narrowed",
    ),
    row(
        one({"type": "array"}),
        one(many(S)),
        ["T237 breaking info /properties/p/items"],
        ["T237 safe info /properties/p/items"],
        id="items added",
    ),
    row(
        one({"type": "array", "prefixItems": [S, S]}),
        one({"type": "array", "prefixItems": [S, I]}),
        ["T213 breaking risky /properties/p/prefixItems/1/type"],
        ["T213 breaking risky /properties/p/prefixItems/1/type"],
        id="prefixItems",
    ),
    row(
        one({"type": "array", "prefixItems": [S]}),
        one({"type": "array", "prefixItems": [S], "items": False}),
        ["T237 breaking info /properties/p/items"],
        ["T237 safe info /properties/p/items"],
        id="tuple ended",
    ),
    row(
        one(many(S)),
        one({**many(S), "uniqueItems": True}),
        ["T238 breaking info /properties/p/uniqueItems"],
        ["T238 safe info /properties/p/uniqueItems"],
        id="uniqueItems",
    ),
    row(
        closed(a=S, b=S),
        {**closed(a=S, b=S), "dependentRequired": {"a": ["b"]}},
        ["T239 breaking info /dependentRequired"],
        ["T239 safe info /dependentRequired"],
        id="dependentRequired",
    ),
    row(
        one(S),
        one({**S, "not": {"const": "x"}}),
        ["T239 breaking info /properties/p/not"],
        ["T239 safe info /properties/p/not"],
        id="not",
    ),
    row(
        one(S),
        one({**S, "if": {"minLength": 3}, "then": {"pattern": "^a"}}),
        ["T239 breaking info /properties/p/if"],
        ["T239 safe info /properties/p/if"],
        id="if",
    ),
    row(
        closed(a=S, b=S),
        {**closed(a=S, b=S), "dependentSchemas": {"a": {"required": ["b"]}}},
        ["T239 breaking info /dependentSchemas"],
        ["T239 safe info /dependentSchemas"],
        id="dependentSchemas",
    ),
    row(
        one(many(I)),
        one({**many(I), "contains": {"const": 3}}),
        ["T239 breaking info /properties/p/contains"],
        ["T239 safe info /properties/p/contains"],
        id="contains",
    ),
    row(
        one({"type": "object"}),
        one({"type": "object", "propertyNames": {"maxLength": 3}}),
        ["T239 breaking info /properties/p/propertyNames"],
        ["T239 safe info /properties/p/propertyNames"],
        id="propertyNames",
    ),
    row(
        one({"type": "object", "allOf": [opened(a=S)]}),
        one({"type": "object", "allOf": [opened(a=S)], "unevaluatedProperties": False}),
        ["T239 breaking info /properties/p/unevaluatedProperties"],
        ["T239 safe info /properties/p/unevaluatedProperties"],
        id="unevaluated",
    ),
    row(
        one(S),
        one({**S, "deprecated": True}),
        ["T240 info info /properties/p/deprecated"],
        ["T240 info info /properties/p/deprecated"],
        id="deprecated",
    ),
    row(
        one(S),
        one({**S, "x-order": 1}),
        ["T240 info info /properties/p/x-order"],
        ["T240 info info /properties/p/x-order"],
        id="unknown keyword",
    ),
    row(
        one({**S, "pattern": "^q(?=z)"}),
        one({**S, "pattern": "^q(?=z)", "not": {"pattern": "^y{400}(?=a)"}}),
        ["T299 risky risky /properties/p/not"],
        ["T239 safe info /properties/p/not"],
        id="not undecided",
    ),
    row(
        {**closed(a={"$ref": "#/$defs/n"}), "$defs": {"n": closed(v=I, next={"$ref": "#/$defs/n"})}},
        {**closed(a={"$ref": "#/$defs/n"}), "$defs": {"n": closed(v={**I, "minimum": 3}, next={"$ref": "#/$defs/n"})}},
        ["T220 breaking info /$defs/n/properties/v/minimum"],
        ["T221 safe info /$defs/n/properties/v/minimum"],
        id="definition",
    ),
]


@pytest.mark.parametrize(("old", "new", "forth", "back", "python"), INPUTS)
def test_a_change_of_arguments_is_judged_by_its_rule_both_ways(
    old: Schema, new: Schema, forth: list[str], back: list[str], python: bool
) -> None:
    for first, second, expected in ((old, new, forth), (new, old, back)):
        findings = compare_inputs("t", first, second, is_command=not python)
        assert said(findings) == expected
        for finding in findings:
            if not isinstance(finding.witness, Absent):
                accepts, refuses = (compile_schema(schema, formats=python) for schema in (first, second))
                assert not accepts(finding.witness)
                assert refuses(finding.witness)


# Of these nothing is refused: the arguments are accepted, and what they say is ignored.
IGNORED = {"T208", "T209"}


def test_every_breaking_change_of_the_table_is_shown_by_arguments() -> None:
    for old, new, *_, python in (parameters.values for parameters in INPUTS):
        for first, second in ((old, new), (new, old)):
            for finding in compare_inputs("t", first, second, is_command=not python):
                if finding.callers is Verdict.BREAKING and finding.rule.id not in IGNORED:
                    assert not isinstance(finding.witness, Absent), finding


def test_every_rule_about_arguments_has_a_row() -> None:
    rows = json.dumps([[forth, back] for _, _, forth, back, _ in (parameters.values for parameters in INPUTS)])
    rules = {rule for rule in CATALOGUE if rule.startswith("T2") and rule < "T25"} | {"T299"}
    assert {rule for rule in rules if rule not in rows} == {"T241"}  # which is what is not said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(closed(["a", "b"], a=S, b=S), closed(["b", "a"], a=S, b=S), id="required in another order"),
        pytest.param(one({"const": "x"}), one({"enum": ["x"]}), id="const and an enum of one"),
        pytest.param(one({"type": ["string", "null"]}), one({"anyOf": [NULL, S]}), id="a list of types and anyOf"),
        pytest.param(one({"enum": ["a", None]}), one({"anyOf": [{"enum": ["a"]}, NULL]}), id="a nullable enum"),
        pytest.param(
            one({"enum": ["a", "b"]}), one({"anyOf": [{"const": "a"}, {"const": "b"}]}), id="an enum in parts"
        ),
        pytest.param(one({"enum": [True, False]}), one(B), id="both booleans"),
        pytest.param(opened(a=S), {**opened(a=S), "additionalProperties": True}, id="open, said and unsaid"),
        pytest.param(opened(a=S), {"properties": {"a": S}}, id="arguments are an object anyway"),
        pytest.param(one({**I, "minimum": 1}), one({**I, "minimum": 1.0}), id="1.0 is 1"),
        pytest.param(
            one({**I, "minimum": 1}), one({**I, "exclusiveMinimum": 0}), id="an exclusive limit of a whole number"
        ),
        pytest.param(one({**S, "minLength": 0}), one(S), id="a limit that limits nothing"),
        pytest.param(one({**S, "minimum": 3}), one(S), id="a keyword of another type"),
        pytest.param(one({**N, "multipleOf": 1}), one({**I, "multipleOf": 1}), id="multiples of 1 are whole"),
        pytest.param(one({"anyOf": [I, N]}), one(N), id="an alternative within another"),
        pytest.param(one({"anyOf": [S, I]}), one({"oneOf": [S, I]}), id="alternatives that cannot overlap"),
        pytest.param(one({"allOf": [I, {"minimum": 1}]}), one({**I, "minimum": 1}), id="allOf written out"),
        pytest.param(
            one(closed(v=I)), {**one({"$ref": "#/$defs/n"}), "$defs": {"n": closed(v=I)}}, id="a reference drawn out"
        ),
        pytest.param(
            {**one({"$ref": "#/$defs/n"}), "$defs": {"n": I}},
            {**one({"$ref": "#/$defs/m"}), "$defs": {"m": I, "unused": S}},
            id="a definition of another name",
        ),
        pytest.param(
            {**one({"$ref": "#/$defs/n"}), "$defs": {"n": closed(next={"$ref": "#/$defs/n"})}},
            {**one(closed(next={"$ref": "#/$defs/n"})), "$defs": {"n": closed(next={"$ref": "#/$defs/n"})}},
            id="a recursive definition unrolled once",
        ),
        pytest.param(
            one({**S, "not": {"type": ["null", "integer"]}}),
            one({**S, "not": {"anyOf": [I, NULL]}}),
            id="a condition in other words",
        ),
        pytest.param(one({**S, "description": "a", "title": "b"}), one({**S, "examples": ["c"]}), id="texts alone"),
    ],
)
def test_the_same_schema_in_other_words_is_no_finding(old: Schema, new: Schema) -> None:
    assert compare_inputs("t", old, new, is_command=True) == ()
    assert compare_inputs("t", new, old, is_command=True) == ()


OUTPUTS = [
    pytest.param(
        closed(["a"], a=S, b=I),
        closed(["a"], a=S),
        ["T251 breaking /properties/b"],
        ["T252 risky /properties/b"],
        id="a property is gone",
    ),
    pytest.param(
        opened(["a"], a=S), opened(a=S), ["T251 breaking /required"], ["T254 safe /required"], id="may be missing"
    ),
    pytest.param(
        opened(), opened(a=S), ["T252 safe /properties/a"], ["T251 breaking /properties/a"], id="a property was added"
    ),
    pytest.param(
        one(S),
        one({"type": ["string", "null"]}),
        ["T253 breaking /properties/p/type"],
        ["T254 safe /properties/p/type"],
        id="may be null",
    ),
    pytest.param(
        one(N), one(I), ["T254 safe /properties/p/type"], ["T253 breaking /properties/p/type"], id="a number is whole"
    ),
    pytest.param(
        one({**S, "maxLength": 3}),
        one(S),
        ["T253 breaking /properties/p/maxLength"],
        ["T254 safe /properties/p/maxLength"],
        id="a limit is gone",
    ),
    pytest.param(
        one({"enum": ["a"]}),
        one({"enum": ["a", "b"]}),
        ["T255 risky /properties/p/enum"],
        ["T254 safe /properties/p/enum"],
        id="a value was added",
    ),
    pytest.param(
        closed(a=S), opened(a=S), ["T252 risky /additionalProperties"], ["T254 safe /additionalProperties"], id="open"
    ),
    pytest.param(S, closed(a=S), ["T257 breaking "], ["T257 breaking "], id="a text became structured"),
    pytest.param(
        one(S),
        one({**S, "deprecated": True}),
        ["T240 info /properties/p/deprecated"],
        ["T240 info /properties/p/deprecated"],
        id="a note",
    ),
    pytest.param(
        one({**S, "pattern": "^y{400}(?=a)"}),
        one(S),
        ["T253 breaking /properties/p/pattern"],
        ["T254 safe /properties/p/pattern"],
        id="a pattern that is not enforced",
    ),
]


@pytest.mark.parametrize(("old", "new", "forth", "back"), OUTPUTS)
def test_a_change_of_results_is_judged_by_its_rule_both_ways(
    old: Schema, new: Schema, forth: list[str], back: list[str]
) -> None:
    for first, second, expected in ((old, new, forth), (new, old, back)):
        findings = compare_outputs("t", first, second)
        told = [f"{f.rule.id} {f.callers} {f.pointer.removeprefix('/tools/t/output_schema')}" for f in findings]
        assert told == expected


def test_an_output_schema_that_comes_or_goes_is_one_finding() -> None:
    assert compare_outputs("t", None, None) == ()
    (dropped,) = compare_outputs("t", S, None)
    (added,) = compare_outputs("t", None, S)
    assert (dropped.rule.id, dropped.callers, dropped.pointer) == ("T256", Verdict.RISKY, "/tools/t/output_schema")
    assert (added.rule.id, added.callers) == ("T256", Verdict.INFO)


def test_a_pointer_escapes_what_a_name_holds() -> None:
    old, new = (opened(**{"a/b~c": schema}) for schema in (N, I))
    (finding,) = compare_inputs("a~tool", old, new, is_command=True)
    assert finding.pointer == "/tools/a~0tool/input_schema/properties/a~1b~0c/type"


def test_a_witness_is_a_whole_argument_object() -> None:
    old, new = (
        closed(["n", "rows"], n={**S, "pattern": "^[A-Z]{2}-[0-9]+$"}, rows=many(closed(["v"], v=v))) for v in (N, I)
    )
    (finding,) = compare_inputs("t", old, new, is_command=True)
    assert finding.witness == {"n": "AA-0", "rows": [{"v": 0.5}]}


def test_what_cannot_be_shown_stays_breaking_and_says_so() -> None:
    unmade = {**S, "pattern": "^(?=a)b"}  # nothing is made that a lookahead is satisfied by
    (finding,) = compare_inputs("t", closed(["a"], a=unmade), closed(["a", "b"], a=unmade, b=S), is_command=True)
    assert (finding.rule.id, finding.callers) == ("T201", Verdict.BREAKING)
    assert isinstance(finding.witness, Absent)
    assert finding.notes == ("no arguments were found that show it",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param({"type": "object", "properties": []}, closed(), id="properties that are a list"),
        pytest.param(closed(), {"$ref": "#/$defs/nothing"}, id="a reference that leads nowhere"),
        pytest.param(closed(), {"allOf": [{"$ref": "#"}]}, id="a reference to itself"),
        pytest.param(closed(), one({"pattern": "("}), id="a pattern that is none"),
        pytest.param(closed(), one({"type": 3}), id="a type that is a number"),
    ],
)
def test_a_schema_that_is_none_is_not_analysed(old: Schema, new: Schema) -> None:
    for first, second in ((old, new), (new, old)):
        (finding,) = compare_inputs("t", first, second, is_command=True)
        assert (finding.rule.id, finding.callers, finding.old, finding.new) == ("T299", Verdict.RISKY, first, second)


def nested(depth: int, width: int, leaf: Schema) -> Schema:
    """Alternatives in alternatives: each level multiplies the ways to pair them."""
    for level in range(depth):
        leaf = {"anyOf": [closed(k=leaf, **{f"n{level}{i}": S}) for i in range(width)]}
    return leaf


def shared(leaf: Schema, depth: int = 9) -> Schema:
    """Definitions that each refer to the next one twice."""
    definitions: Schema = {f"d{depth}": leaf}
    for level in range(depth):
        below = {"$ref": f"#/$defs/d{level + 1}"}
        definitions[f"d{level}"] = {"anyOf": [closed(a=below), closed(b=below)]}
    return {**one({"$ref": "#/$defs/d0"}), "$defs": definitions}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(one(nested(8, 2, I)), one(nested(8, 2, S)), id="alternatives in alternatives"),
        pytest.param(shared(I), shared(S), id="definitions that double"),
        pytest.param(
            one({"anyOf": [closed(**{f"n{i}": I}) for i in range(200)]}),
            one({"anyOf": [closed(**{f"n{i}": S}) for i in range(200)]}),
            id="very many alternatives",
        ),
        pytest.param(
            one({"allOf": [{"anyOf": [{"minimum": i}, {"maxLength": i}]} for i in range(8)]}),
            one({"allOf": [{"anyOf": [{"minimum": i}, {"maxLength": i + 1}]} for i in range(8)]}),
            id="combinations of alternatives",
        ),
    ],
)
def test_what_would_take_for_ever_is_not_analysed(old: Schema, new: Schema) -> None:
    findings = compare_inputs("t", old, new, is_command=True)
    assert "T299" in {finding.rule.id for finding in findings}


def test_recursive_schemas_are_compared_where_they_first_meet() -> None:
    def json_value(number: Schema) -> Schema:
        below = {"$ref": "#/$defs/value"}
        branches = [NULL, S, number, many(below), {"type": "object", "additionalProperties": below}]
        return {**one(below), "$defs": {"value": {"anyOf": branches}}}

    (finding,) = compare_inputs("t", json_value(I), json_value({**I, "minimum": 1}), is_command=True)
    assert (finding.rule.id, finding.pointer) == ("T220", "/tools/t/input_schema/$defs/value/anyOf/2/minimum")
    assert finding.witness == {"p": 0}
