"""Layers to measure on: files of tools as people write them, and the standard library's own files."""

from __future__ import annotations

import random
import sysconfig
from pathlib import Path

from toolc.model import Layer, PythonCandidate, Scope
from toolc.source import Refused, read_file

TOOLS = '''\
"""Search and change the notes of a team (file {number})."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal

NOTES = Path("notes")
LIMIT = 50


class Order(Enum):
    """How results are sorted."""

    NEWEST = "newest"
    OLDEST = "oldest"
    TITLE = "title"


@dataclass
class Note:
    """A note of the team.

    Attributes:
        title: What it is called.
        text: What it says.
        tags: Words to find it by.
    """

    title: str
    text: str
    tags: list[str]
    pinned: bool = False


def search_notes_{number}(
    pattern: str, order: Order = Order.NEWEST, limit: int = LIMIT, tags: list[str] | None = None
) -> str:
    """Search the notes by a regular expression.

    Use it before writing a note, so that nothing is written twice.

    Args:
        pattern: A regular expression, matched against title and text.
        order: How the results are sorted.
        limit: How many results there are at most.
        tags: Only notes that have all of these.
    """
    found = []
    for path in sorted(NOTES.glob("*.json")):
        note = json.loads(path.read_text())
        if re.search(pattern, note["title"]) or re.search(pattern, note["text"]):
            if all(tag in note["tags"] for tag in tags or []):
                found.append(note)
    if order is Order.TITLE:
        found.sort(key=lambda note: note["title"])
    return json.dumps(found[:limit], indent=2)


def write_note_{number}(note: Note, mode: Literal["create", "replace"] = "create") -> str:
    """Write a note.

    Args:
        note: The note.
        mode: Whether one of that title may be there already.
    """
    path = NOTES / f"{{re.sub(r'[^a-z0-9]+', '-', note.title.lower())}}.json"
    if path.exists() and mode == "create":
        return f"there is a note called {{note.title}}"
    path.write_text(json.dumps(vars(note)))
    return f"wrote {{path}}"


def remove_notes_{number}(titles: Annotated[list[str], "Titles, as they are written"], dry_run: bool = True) -> str:
    """Remove notes by their titles."""
    gone = []
    for path in sorted(NOTES.glob("*.json")):
        if json.loads(path.read_text())["title"] in titles:
            gone.append(path.name)
            if not dry_run:
                path.unlink()
    return ", ".join(gone) or "nothing to remove"
'''


def tools(root: Path, count: int) -> tuple[Layer, list[PythonCandidate]]:
    """A layer of as many files, each with three tools of its own."""
    return _layer(root, [TOOLS.format(number=number) for number in range(count)])


def library(root: Path, count: int) -> tuple[Layer, list[PythonCandidate]]:
    """A layer of files of the standard library, the same ones each time."""
    folder = Path(sysconfig.get_path("stdlib"))
    paths = sorted(path for path in folder.glob("*.py") if path.stat().st_size > 2_000)
    chosen = random.Random(1).sample(paths, count)
    return _layer(root, [path.read_text(encoding="utf-8") for path in chosen])


def _layer(root: Path, texts: list[str]) -> tuple[Layer, list[PythonCandidate]]:
    layer = Layer(name="tools", path="tools", root=root, rank=0, scope=Scope.PROJECT)
    candidates = []
    for number, text in enumerate(texts):
        (root / f"file_{number}.py").write_text(text, encoding="utf-8")
        try:
            candidates.append(PythonCandidate(file=read_file(layer, f"file_{number}.py")))
        except Refused:
            continue
    return layer, candidates
