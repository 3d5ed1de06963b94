"""Files made to break a compiler end in a diagnostic: never in a traceback, in silence, or in no end.

Every case is compiled here; some are also checked by the real command in a process of its own, whose memory is
measured. With TOOLC_TEST_ALL set, all are.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from hostile import Case, cases, check, write
from toolc.diagnostics import Severity
from toolc.pipeline import compile_project

MEMORY_MIB = 300
SAMPLE = 16

CASES = cases()
MEASURED = [*CASES] if os.environ.get("TOOLC_TEST_ALL") else random.Random(1).sample([*CASES], SAMPLE)


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])
def test_a_hostile_file_ends_in_a_diagnostic(case: Case, tmp_path: Path) -> None:
    write(case, tmp_path)
    told = compile_project(tmp_path).diagnostics
    if case.code is None:
        assert [diagnostic for diagnostic in told if diagnostic.level is Severity.ERROR] == []
    else:
        assert case.code in [diagnostic.code.id for diagnostic in told]


@pytest.mark.parametrize("case", [pytest.param(CASES[name], id=name) for name in MEASURED])
def test_the_command_stays_small_on_a_hostile_file(case: Case, tmp_path: Path) -> None:
    checked = check(case, tmp_path)
    assert "Traceback" not in checked.stderr
    assert checked.peak_mib < MEMORY_MIB
    if case.code is None:
        assert (checked.status, checked.errors) == (0, 0)
    else:
        assert case.code in checked.codes
        assert checked.status == (1 if checked.errors else 0)
