"""The metadata block of a Python file, PEP 723: the text goes in, what the file asks for comes out."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

OLDEST_PYTHON = (3, 11)  # that a toolset may have to run on

_START = "# /// script"
_END = "# ///"
_MINOR = re.compile(r"(?:>=?|==|~=)\s*3\.(\d{1,3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The block of a file; an empty one where there is none."""

    dependencies: tuple[str, ...] = ()
    oldest: tuple[int, int] = OLDEST_PYTHON  # the lowest Python the file may run on
    line: int = 0  # where the block begins
    problem: str | None = None  # why it could not be read


def read_script(text: str) -> Script:
    """Find and read the block."""
    lines = text.split("\n")
    try:
        start = next(index for index, line in enumerate(lines) if line.rstrip() == _START)
        end = next(index for index in range(start + 1, len(lines)) if lines[index].rstrip() == _END)
    except StopIteration:
        return Script()
    body = lines[start + 1 : end]
    if not all(line == "#" or line.startswith("# ") for line in body):
        return Script()
    try:
        block = tomllib.loads("\n".join(line[2:] for line in body))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Script(line=start + 1, problem=f"the script block is not TOML: {error}")
    dependencies = block.get("dependencies", [])
    if not isinstance(dependencies, list) or not all(isinstance(item, str) for item in dependencies):
        return Script(line=start + 1, problem="`dependencies` of the script block is to be a list of strings")
    asked = _MINOR.search(str(block.get("requires-python", "")))
    oldest = max(OLDEST_PYTHON, (3, int(asked[1]))) if asked else OLDEST_PYTHON
    return Script(dependencies=tuple(dependencies), oldest=oldest, line=start + 1)
