"""No file crashes the front end, and every function of a file is compiled or explained.

A sample of the standard library is compiled each time; with TOOLC_TEST_ALL set, all of it and every package that is
importable here.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from accounting import account, installed_files, library_files

SAMPLE = 120


def files() -> list[Path]:
    if os.environ.get("TOOLC_TEST_ALL"):
        return [*library_files(), *installed_files()]
    return random.Random(1).sample(library_files(), SAMPLE)


@pytest.mark.parametrize(
    "as_tools", [pytest.param(False, id="as-they-are"), pytest.param(True, id="all-of-them-tools")]
)
def test_every_function_of_the_standard_library_is_compiled_or_explained(as_tools: bool) -> None:
    counts = account(files(), as_tools=as_tools)
    print(counts)
    assert counts.lost == []
    assert counts.functions == counts.tools + counts.explained
    assert counts.refused < counts.files / 10
    assert not as_tools or counts.tools > counts.functions / 4


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import sys\nif sys.version_info < (3, 8):\n    def old(): ...\n", id="for-an-older-python"),
        pytest.param("def old(): ...\ndef old(): ...\n", id="replaced"),
        pytest.param("for x in y:\n    def old(): ...\n", id="in-a-loop"),
        pytest.param("if __name__ == '__main__':\n    def old(): ...\n", id="in-a-script"),
    ],
)
def test_a_function_that_no_python_sees_is_explained(text: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(f"{text}def new() -> str: 'New.'\n")
    counts = account([path])
    assert counts.lost == []
    assert counts.tools == 1
    assert counts.explained >= 1
