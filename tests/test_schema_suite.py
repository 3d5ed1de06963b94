"""The official suite of JSON Schema, draft 2020-12, its required part: all of it passes, or is refused as listed here.

The suite lies beside the project and is not part of it; without it these tests are skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolc_runtime.schema import SchemaError, compile_schema

SUITE = Path(__file__).parents[2] / "shared/json-schema-test-suite/tests/draft2020-12"

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason="the official suite is not here")

# What is refused, by words of the refusal, and how many of the suite's tests that takes.
REFUSED = {
    "which is outside this schema": 48,  # remote references: nothing is ever fetched
    "write `$ref` in its place": 33,  # `$dynamicRef`
    "a metaschema that is not JSON Schema's own": 5,  # custom vocabularies
}
PASSED = 1213


def groups() -> list[Any]:
    return [
        pytest.param(group, id=f"{path.stem}: {group['description']}")
        for path in sorted(SUITE.glob("*.json"))
        for group in json.loads(path.read_text(encoding="utf-8"))
    ]


def refusal(schema: object) -> str | None:
    """The listed reason for which a schema is refused; None for one that is compiled."""
    try:
        compile_schema(schema)
    except SchemaError as error:
        (reason,) = [words for words in REFUSED if words in error.message]
        return reason
    return None


@pytest.mark.parametrize("group", groups())
def test_every_test_of_the_suite_comes_out_as_it_says(group: dict[str, Any]) -> None:
    if refusal(group["schema"]) is not None:
        return
    check = compile_schema(group["schema"])
    for test in group["tests"]:
        problems = check(test["data"])
        assert (not problems) == test["valid"], f"{test['description']}: {problems}"


def test_what_is_refused_is_the_written_list_and_no_more() -> None:
    found: Counter[str | None] = Counter()
    for parameter in groups():
        group = parameter.values[0]
        found[refusal(group["schema"])] += len(group["tests"])
    assert found.pop(None) == PASSED
    assert found == REFUSED
