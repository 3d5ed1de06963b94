"""What every test may use: the command line as a user has it, and `--accept` for the golden cases."""

from __future__ import annotations

import hypothesis
import pytest

# How long an example takes says more of the machine than of the code.
hypothesis.settings.register_profile("toolc", deadline=None)
hypothesis.settings.load_profile("toolc")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--accept` rewrites the `want/` of the golden cases; the diff is read in review."""
    parser.addoption("--accept", action="store_true", help="rewrite want/ of the golden cases that are run")
