"""The rules of a diff, a module a subject. `toolc explain T203` prints from here."""

from __future__ import annotations

from toolc.diff.model import Rule
from toolc.diff.rules import access, execution, inputs, lock_format, members, origin, outputs, packages, prompt

_SUBJECTS = (members, inputs, outputs, prompt, access, execution, origin, packages, lock_format)

CATALOGUE: dict[str, Rule] = {
    rule.id: rule for subject in _SUBJECTS for rule in vars(subject).values() if isinstance(rule, Rule)
}
