"""The front end's time over some files, against that of `ast.parse` alone over the same files; at most 3 is wanted."""

from __future__ import annotations

import ast
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from toolc.diagnostics import Reporter
from toolc.model import Config, Layer, PythonCandidate
from toolc.parse import parse

from . import layers

TURNS = 7


def measure() -> Iterator[str]:
    """A line for each kind of file."""
    for name, make in (("tool files", layers.tools), ("the standard library", layers.library)):
        with tempfile.TemporaryDirectory() as folder:
            layer, candidates = make(Path(folder), 100)
            alone, front_end = _in_turn(partial(_parse_alone, candidates), partial(_parse, layer, candidates))
        yield (
            f"{name}: {len(candidates)} files, ast.parse {alone * 1000:.0f} ms, front end {front_end * 1000:.0f} ms, "
            f"ratio {front_end / alone:.2f}"
        )


def _in_turn(*measured: Callable[[], object]) -> list[float]:
    """The least processor time that each takes, in seconds, measured one after the other several times."""
    best = [float("inf")] * len(measured)
    for _ in range(TURNS):
        for index, act in enumerate(measured):
            started = time.process_time()
            act()
            best[index] = min(best[index], time.process_time() - started)
    return best


def _parse_alone(candidates: Sequence[PythonCandidate]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for candidate in candidates:
            ast.parse(candidate.file.text or "")


def _parse(layer: Layer, candidates: Sequence[PythonCandidate]) -> None:
    parse(candidates, Config(root=layer.root, toolset="bench", layers=(layer,)), Reporter())
