"""What a tool may do and what it is given: two states of a tool go in, findings about its permission and its
environment come out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolc.diff.model import Finding, Rule, Verdict, found, pointer
from toolc.diff.rules import access as rules
from toolc.model import EnvPolicy, Level, Tool

# Names that usually hold what opens a door. Better one too many: a person looks at each.
SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|API_?KEY|ACCESS_?KEY|_KEY$|^KEY$|_PAT$|AUTH|COOKIE|SESSION|DSN"
    r"|CONNECTION_STRING|DATABASE_URL",
    re.IGNORECASE,
)

_STEPS: dict[tuple[Level, Level], Rule] = {
    (Level.ASK, Level.ALLOW): rules.NOW_ALLOWED,
    (Level.DENY, Level.ALLOW): rules.NOW_ALLOWED,
    (Level.ALLOW, Level.ASK): rules.NOW_ASKED,
    (Level.ALLOW, Level.DENY): rules.NOW_DENIED,
    (Level.ASK, Level.DENY): rules.NOW_DENIED,
    (Level.DENY, Level.ASK): rules.NO_LONGER_DENIED,
}


def compare(old: Tool, new: Tool) -> Iterator[Finding]:
    """How the rights of a tool changed."""
    name = new.name
    if old.permission is not new.permission:
        yield found(
            _STEPS[old.permission, new.permission],
            pointer("tools", name, "permission"),
            f"the permission of `{name}` changed from `{old.permission}` to `{new.permission}`",
            tool=name,
            old=old.permission.value,
            new=new.permission.value,
        )
    if old.env_policy is not new.env_policy:
        widened = new.env_policy is EnvPolicy.INHERIT
        said = "inherits the host's whole environment" if widened else "gets only the variables it declares"
        yield found(
            rules.WIDENED if widened else rules.NARROWED,
            pointer("tools", name, "execution", "env_policy"),
            f"`{name}` {said} now",
            tool=name,
            old=old.env_policy.value,
            new=new.env_policy.value,
        )
    yield from _variables(old, new)


def _variables(old: Tool, new: Tool) -> Iterator[Finding]:
    place = pointer("tools", new.name, "execution", "env")
    before, after = _by_name(old.env), _by_name(new.env)
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        if was is None:
            assert now is not None, "the name is on one of the two sides"
            secret = SECRET.search(name) is not None
            yield found(
                rules.VARIABLE_ADDED,
                place,
                f"`{new.name}` is given the variable `{name}`" + (" where it is set" if _optional(now) else ""),
                tool=new.name,
                new=now,
                hosts=Verdict.INFO if _optional(now) else None,
                security=Verdict.BREAKING if secret else None,
                notes=("the name looks like that of a secret",) if secret else (),
            )
        elif now is None:
            message = f"`{new.name}` is no longer given the variable `{name}`"
            yield found(rules.VARIABLE_REMOVED, place, message, tool=new.name, old=was)
        else:
            rule = rules.VARIABLE_OPTIONAL if _optional(now) else rules.VARIABLE_NEEDED
            said = "no longer needs" if _optional(now) else "needs"
            message = f"`{new.name}` {said} the variable `{name}`"
            yield found(rule, place, message, tool=new.name, old=was, new=now)


def _by_name(env: tuple[str, ...]) -> dict[str, str]:
    """How the lock spells each variable: one that is passed only where it is set ends in `?`."""
    spelled: dict[str, str] = {}
    for entry in sorted(env, reverse=True):  # of both spellings of one name, the one that needs it counts
        spelled[entry.removesuffix("?")] = entry
    return spelled


def _optional(entry: str) -> bool:
    return entry.endswith("?")
