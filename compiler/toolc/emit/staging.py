"""The names of what is on its way: a target goes in, names beside it come out, and what killed builds left there.

`<target>.tmp-<process>-<machine><random>` is being written, or is what an exchange took away; `<target>.old-...` is a
bundle on its way out where there is no exchange. They lie beside the target because only there a rename is one step.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL
CREATE_FLAGS |= sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY"))

MACHINE = hashlib.sha256(platform.node().encode()).hexdigest()[:8]

_SUFFIX = re.compile(r"\.(tmp|old)-([0-9]{1,10})-([0-9a-f]{8})[0-9a-f]{8}")
_LONGEST_LABEL_BYTES = 180  # what a name's 255 bytes leave beside the suffix


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """Something that a build made beside its target, and has not removed, or not yet."""

    path: Path
    kind: str  # "tmp" | "old"
    pid: int
    machine: str

    @property
    def is_ours(self) -> bool:
        """Whether it was made on this machine; a shared disk may show another's."""
        return self.machine == MACHINE

    @property
    def is_dead(self) -> bool:
        """Whether its process is certainly gone. Only a POSIX system can be asked, and only about its own."""
        if not self.is_ours or os.name != "posix":
            return False
        try:
            os.kill(self.pid, 0)
        except (ProcessLookupError, OverflowError):
            return True
        except PermissionError:
            return False
        return False


def beside(target: Path, kind: str) -> Path:
    """A new name beside a target that says what it is, and whose."""
    return target.parent / f"{_label(target)}.{kind}-{os.getpid()}-{MACHINE}{secrets.token_hex(4)}"


def leftovers(target: Path) -> list[Leftover]:
    """What builds made beside a target, by path. Links are not theirs."""
    label = _label(target)
    found = []
    with os.scandir(target.parent) as entries:
        for entry in entries:
            match = _SUFFIX.fullmatch(entry.name, len(label)) if entry.name.startswith(label) else None
            if match is not None and not entry.is_symlink():
                path = target.parent / entry.name
                found.append(Leftover(path=path, kind=match[1], pid=int(match[2]), machine=match[3]))
    return sorted(found, key=lambda leftover: leftover.path)


def _label(target: Path) -> str:
    """The target's name, or, where a longer one would not fit beside it, a digest of it."""
    name = os.fsencode(target.name)
    return target.name if len(name) <= _LONGEST_LABEL_BYTES else hashlib.sha256(name).hexdigest()
