"""Where a finding stands: the line of the new lock that has the changed fact."""

from __future__ import annotations

from toolc import jsontext
from toolc.diff.model import Diff, Finding
from toolc.model import Json
from toolc.render.remarks import Place


class Places:
    """The places of a diff's findings; the lock was read before, so it parses."""

    def __init__(self, diff: Diff) -> None:
        self._path = diff.new.path
        lock = diff.new.lock
        self._document = None if lock is None else jsontext.parse(lock.decode("utf-8"))

    def of(self, finding: Finding) -> Place:
        """The changed fact on the new side, or where it would stand; the file alone where there is no lock."""
        if self._document is None:
            return Place(path=self._path)
        steps = _steps(self._document.value, finding.pointer)
        line, column, end_line, end_column = self._document.place(steps, key=True)
        if end_line != line:  # a whole map: what matters is where it begins
            end_line, end_column = line, column + 1
        return Place(path=self._path, line=line, column=column, end_line=end_line, end_column=end_column)


def _steps(value: Json, pointer: str) -> jsontext.Pointer:
    """The steps of a JSON pointer; a number is an index only where there is a list."""
    steps: list[str | int] = []
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and name.isascii() and name.isdecimal():
            index = int(name)
            steps.append(index)
            value = value[index] if index < len(value) else None
        else:
            steps.append(name)
            value = value.get(name) if isinstance(value, dict) else None
    return tuple(steps)
