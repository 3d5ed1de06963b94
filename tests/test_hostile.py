"""Files made to break a compiler end in a diagnostic: never in a traceback, in silence, or in no end."""

from __future__ import annotations

from pathlib import Path

import pytest

from hostile import Case, cases, check

MEMORY_MIB = 300


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in cases().items()])
def test_a_hostile_file_ends_in_a_diagnostic(case: Case, tmp_path: Path) -> None:
    checked = check(case, tmp_path)
    assert "Traceback" not in checked.stderr
    assert checked.peak_mib < MEMORY_MIB
    if case.code is None:
        assert (checked.status, checked.errors) == (0, 0)
    else:
        assert case.code in checked.codes
        assert checked.status == (1 if checked.errors else 0)
