"""The peak of what the front end holds beyond what it gives back, at 100 and at 1,000 files of one kind.

The declarations grow with the files; what is held while they are made, syntax trees above all, must not.
"""

from __future__ import annotations

import gc
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from toolc.diagnostics import Reporter
from toolc.model import Config
from toolc.parse import parse

from . import layers

COUNTS = (100, 1_000)
MIB = 1 << 20


def measure() -> Iterator[str]:
    """A line for each number of files, and one for the slope."""
    working = []
    for count in COUNTS:
        peak, kept = _peak(count)
        working.append(peak - kept)
        yield (
            f"{count:,} files: peak {peak / MIB:.1f} MiB, of which the result is {kept / MIB:.1f} MiB "
            f"and the work {(peak - kept) / MIB:.1f} MiB"
        )
    slope_kib = (working[1] - working[0]) / (COUNTS[1] - COUNTS[0]) / 1024
    yield f"the work grows by {slope_kib:.1f} KiB a file"


def _peak(count: int) -> tuple[int, int]:
    """The most that was allocated at any time over the files, and what is left when it is done."""
    with tempfile.TemporaryDirectory() as folder:
        layer, candidates = layers.tools(Path(folder), count)
        config = Config(root=layer.root, toolset="bench", layers=(layer,))
        reporter = Reporter()
        gc.collect()
        tracemalloc.start()
        parsed = parse(candidates, config, reporter)
        peak = tracemalloc.get_traced_memory()[1]
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert parsed.declarations, "the files have tools"
    return peak, kept
