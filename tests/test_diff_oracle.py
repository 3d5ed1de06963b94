"""The comparison of schemas against an oracle: over generated pairs, `jsonschema` judges what the findings claim.

`TOOLC_PAIRS=20000 pytest tests/test_diff_oracle.py -s` runs many pairs and prints the figures; `TOOLC_SEED` starts
elsewhere.
"""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from schema_pairs import Maker, Schema, Values
from toolc.diff.model import Absent, Finding, Verdict
from toolc.diff.schemas import compare_inputs, compare_outputs
from toolc_runtime.formats import FORMATS
from toolc_runtime.problems import SchemaError
from toolc_runtime.schema import compile_schema

PAIRS = int(os.environ.get("TOOLC_PAIRS", "240"))
SEED = int(os.environ.get("TOOLC_SEED", "0"))
BATCHES = 4
VALUES = 60
# What is compared letter by letter: another spelling of what stands beside it is not seen through.
UNTOLD = ("unevaluated", "patternProperties", "(?=a)")

CHECKER = FormatChecker(formats=())
for _name, _format in FORMATS.items():
    CHECKER.checks(_name)(lambda value, check=_format.check: not isinstance(value, str) or check(value))


def is_compatible(findings: tuple[Finding, ...]) -> bool:
    return not any(finding.callers in (Verdict.BREAKING, Verdict.RISKY) for finding in findings)


def is_compiled(schema: Schema) -> bool:
    try:
        compile_schema(schema)
    except SchemaError:
        return False
    return True


def oracle(schema: Schema, *, formats: bool) -> Draft202012Validator:
    return Draft202012Validator(schema, format_checker=CHECKER if formats else None)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_is_said_of_a_pair_is_so(batch: int) -> None:
    figures: Counter[str] = Counter()
    for seed in range(SEED + batch, SEED + PAIRS, BATCHES):
        old, new = Maker(seed).pair()
        if not (is_compiled(old) and is_compiled(new)):
            figures["pairs not compiled"] += 1
            continue
        figures["pairs"] += 1
        is_command = seed % 5 != 0
        judges = [oracle(schema, formats=not is_command) for schema in (old, new)]
        values = list(Values(seed, old, new).arguments(old, new, VALUES))
        verdicts = [(judges[0].is_valid(value), judges[1].is_valid(value)) for value in values]
        figures["values"] += len(values)
        forth = compare_inputs("t", old, new, is_command=is_command)
        back = compare_inputs("t", new, old, is_command=is_command)
        for findings, first, second in ((forth, 0, 1), (back, 1, 0)):
            lost = [value for value, seen in zip(values, verdicts, strict=True) if seen[first] and not seen[second]]
            figures["directions"] += 1
            figures["directions with a counterexample"] += bool(lost)
            figures["directions said to be compatible"] += is_compatible(findings)
            if lost and is_compatible(findings):
                raise AssertionError(report(seed, (old, new)[first], (old, new)[second], findings, lost[0]))
            if lost and not any(finding.callers is Verdict.BREAKING for finding in findings):
                figures["counterexamples that were only called risky"] += 1
            for finding in findings:
                figures[finding.rule.id] += 1
                if finding.callers is Verdict.BREAKING:
                    figures["breaking"] += 1
                    figures["breaking with a witness"] += not isinstance(finding.witness, Absent)
                if isinstance(finding.witness, Absent):
                    continue
                figures["witnesses"] += 1
                shown = judges[first].is_valid(finding.witness) and not judges[second].is_valid(finding.witness)
                assert shown, report(seed, (old, new)[first], (old, new)[second], (finding,), finding.witness)
                assert isinstance(finding.witness, dict)
            if any(seen[0] != seen[1] for seen in verdicts):
                assert findings, report(seed, old, new, (), None)
    if "TOOLC_PAIRS" in os.environ:
        print(f"\nbatch {batch}:", json.dumps(dict(sorted(figures.items()))))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_results_said_to_be_compatible_were_allowed_before(batch: int) -> None:
    for seed in range(SEED + batch, SEED + PAIRS // 2, BATCHES):
        old, new = Maker(seed).pair()
        if not (is_compiled(old) and is_compiled(new)) or not is_compatible(compare_outputs("t", old, new)):
            continue
        before, after = (oracle(schema, formats=False) for schema in (old, new))
        for value in Values(seed, old, new).arguments(old, new, VALUES):
            if after.is_valid(value):
                assert before.is_valid(value), report(seed, old, new, compare_outputs("t", old, new), value)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_schema_in_other_words_has_no_findings(batch: int) -> None:
    for seed in range(SEED + batch, SEED + PAIRS, BATCHES):
        maker = Maker(seed)
        schema = maker.root()
        if not is_compiled(schema):
            continue
        assert compare_inputs("t", schema, copy.deepcopy(schema), is_command=True) == ()
        assert compare_outputs("t", schema, copy.deepcopy(schema)) == ()
        if not any(word in json.dumps(schema) for word in UNTOLD):
            other = maker.respelled(schema)
            findings = compare_inputs("t", schema, other, is_command=True)
            assert findings == (), report(seed, schema, other, findings, None)


def report(seed: int, old: Schema, new: Schema, findings: tuple[Finding, ...], value: Any) -> str:
    """What to look at when the oracle disagrees."""
    said = [f"{finding.rule.id} {finding.callers} {finding.pointer} {finding.message}" for finding in findings]
    return "\n".join([f"seed {seed}", json.dumps(old), json.dumps(new), json.dumps(value), *said])
