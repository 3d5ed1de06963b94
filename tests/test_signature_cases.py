"""The signature cases: a whole tool file in, the tools it declares out. `data/signatures/` has one case a line.

`tools` is exactly what is declared, with the conversions it needs; `says` are the codes of the errors and warnings,
none where it is absent. `files` are other files of the layer, by path. An id is the number that a case was given with,
or says what the case is about.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from python_layer import compile_files
from toolc.model import PythonEntry

DATA = Path(__file__).parent / "data" / "signatures"


def read_cases() -> Iterator[Any]:
    """Every case, with its topic and number as its id."""
    for path in sorted(DATA.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            needed = tuple(int(part) for part in case.get("python_min", "3.11").split("."))
            newer = pytest.mark.skipif(sys.version_info < needed, reason="needs a newer Python to parse")
            yield pytest.param(case, id=f"{path.stem}-{case['id']}", marks=newer)


CASES = list(read_cases())


@pytest.mark.parametrize("case", CASES)
def test_a_tool_file_compiles_to_exactly_what_its_case_says(case: dict[str, Any], tmp_path: Path) -> None:
    compiled = compile_files(tmp_path, {"tools.py": case["python"], **case.get("files", {})})
    wanted = {name: (tool["description"], tool["parameters"]) for name, tool in case["tools"].items()}
    assert {name: (tool.description, tool.input_schema) for name, tool in compiled.tools.items()} == wanted
    assert sorted(set(compiled.says)) == case.get("says", [])
    for name, tool in compiled.tools.items():
        Draft202012Validator.check_schema(tool.input_schema)
        properties = tool.input_schema["properties"]
        assert isinstance(properties, dict)
        # Equal mappings may differ in order; this one's is the order of the parameters.
        assert list(properties) == list(case["tools"][name]["parameters"]["properties"])
        assert isinstance(tool.entry, PythonEntry)
        if "conversions" in case["tools"][name]:
            assert tool.entry.conversions == case["tools"][name]["conversions"]
        if "arguments" in case["tools"][name]:
            passed = {name: [argument.parameter, argument.kind] for name, argument in tool.entry.arguments.items()}
            assert passed == case["tools"][name]["arguments"]
        if "returns" in case["tools"][name]:
            assert tool.output_schema == case["tools"][name]["returns"]
