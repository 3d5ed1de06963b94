"""The rules of a diff, a module a subject. `toolc explain T203` prints from here."""

from __future__ import annotations

from toolc.diff.model import Rule
from toolc.diff.rules import inputs

_SUBJECTS = (inputs,)

CATALOGUE: dict[str, Rule] = {
    rule.id: rule for subject in _SUBJECTS for rule in vars(subject).values() if isinstance(rule, Rule)
}
