"""What changed in the Python packages of a toolset: two sides go in, findings about environments come out.

The lock has the versions; the hashes are in the files of requirements, which are compared where both are at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolc.diff import requirements
from toolc.diff.model import Finding, Side, Verdict, found, given, pointer
from toolc.diff.rules import packages as rules
from toolc.model import Environment

_VERSION = re.compile(r"v?(?:(\d{1,9})!)?(\d{1,9}(?:\.\d{1,9}){0,20})(.*)", re.DOTALL)
_EARLIER = re.compile(r"[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview|dev)[-_.]?\d*", re.IGNORECASE)
_LOWER_BOUND = re.compile(r"\s*>=\s*(\d{1,9}(?:\.\d{1,9}){0,5})\s*")


def compare(old: Side, new: Side) -> Iterator[Finding]:
    """How the environments changed, by name."""
    before, after = old.toolset.python, new.toolset.python
    for name in sorted(before.keys() | after.keys()):
        place = pointer("python", name)
        if name not in before:
            count = len(after[name].packages)
            message = f"the environment `{name}` was added, with {count} {'package' if count == 1 else 'packages'}"
            packages = dict(sorted(after[name].packages.items()))
            yield found(rules.ENVIRONMENT_ADDED, place, message, new={**packages}, affects=_users(name, new))
        elif name not in after:
            packages = dict(sorted(before[name].packages.items()))
            yield found(rules.ENVIRONMENT_REMOVED, place, f"the environment `{name}` was removed", old={**packages})
        else:
            yield from _environment(name, before[name], after[name], old, new)


def is_major(old: str, new: str) -> bool:
    """Whether a version went down, or up in its leading part.

    Of `0.x` versions the second part leads. Versions that are no numbers count as such a change.
    """
    before, after = _parsed(old), _parsed(new)
    if before is None or after is None or after < before:
        return True
    return _leading(before) != _leading(after)


def _environment(name: str, old: Environment, new: Environment, before: Side, after: Side) -> Iterator[Finding]:
    place, users = pointer("python", name), _users(name, after)
    if old.requires_python != new.requires_python:
        yield _python(name, old.requires_python, new.requires_python, users)
    if old.requirements != new.requirements:
        yield found(
            rules.REQUIREMENTS_MOVED,
            f"{place}/requirements",
            f"the requirements of `{name}` stand in `{new.requirements}` now",
            old=old.requirements,
            new=new.requirements,
        )
    for package in sorted(old.packages.keys() | new.packages.keys()):
        was, now = old.packages.get(package), new.packages.get(package)
        if was != now:
            yield _package(name, package, was, now, users)
    yield from _requirements(name, old, new, before, after, users)


def _package(environment: str, package: str, old: str | None, new: str | None, users: tuple[str, ...]) -> Finding:
    place = pointer("python", environment, "packages", package)
    if old is None:
        message = f"`{package}` {new} was added to `{environment}`"
        return found(rules.PACKAGES_CHANGED, place, message, new=new, affects=users)
    if new is None:
        message = f"`{package}` {old} was removed from `{environment}`"
        return found(rules.PACKAGES_CHANGED, place, message, old=old, security=Verdict.INFO, affects=users)
    rule = rules.REPLACED if is_major(old, new) else rules.UPGRADED
    message = f"`{package}` of `{environment}` went from {old} to {new}"
    return found(rule, place, message, old=old, new=new, affects=users)


def _python(environment: str, old: str, new: str, users: tuple[str, ...]) -> Finding:
    bounds = [_LOWER_BOUND.fullmatch(text) for text in (old, new)]
    hosts: Verdict
    notes: tuple[str, ...] = ()
    if bounds[0] is not None and bounds[1] is not None:
        hosts = Verdict.BREAKING if _numbers(bounds[1][1]) > _numbers(bounds[0][1]) else Verdict.INFO
    else:
        hosts, notes = Verdict.RISKY, ("whether it takes fewer interpreters cannot be decided",)
    return found(
        rules.PYTHON_CHANGED,
        pointer("python", environment, "requires_python"),
        f"the environment `{environment}` takes Python {new} now, not {old}",
        old=old,
        new=new,
        hosts=hosts,
        notes=notes,
        affects=users,
    )


def _users(environment: str, side: Side) -> tuple[str, ...]:
    """The tools that run in an environment, by name."""
    return tuple(sorted(tool.name for tool in side.toolset.tools.values() if tool.environment == environment))


# ------------------------------------------------------------------------------------------------------------ hashes


def _requirements(
    name: str, old: Environment, new: Environment, before: Side, after: Side, users: tuple[str, ...]
) -> Iterator[Finding]:
    """What changed in the file of requirements beside versions."""
    was, now = before.toolset.files.get(old.requirements), after.toolset.files.get(new.requirements)
    spelled = [f"sha256:{digest.sha256}" if digest is not None else None for digest in (was, now)]
    if spelled[0] == spelled[1]:
        return
    place = pointer("files", new.requirements)
    same_versions = dict(old.packages) == dict(new.packages)
    known = (
        requirements.hashes(before.read(old.requirements), was),
        requirements.hashes(after.read(new.requirements), now),
    )
    if known[0] is None or known[1] is None:
        yield found(
            rules.REPUBLISHED if same_versions else rules.REQUIREMENTS_CHANGED,
            place,
            f"`{new.requirements}` changed"
            + (", and no version did" if same_versions else ", and not all of it can be compared"),
            old=given(spelled[0]),
            new=given(spelled[1]),
            security=Verdict.RISKY,
            notes=("the files of both sides are not at hand, so their hashes could not be compared",),
            affects=users,
        )
        return
    findings = [
        finding
        for package, version in sorted(new.packages.items())
        if old.packages.get(package) == version
        and (finding := _hashes(name, package, known[0], known[1], users)) is not None
    ]
    yield from findings
    if same_versions and not findings:
        message = f"`{new.requirements}` changed, and no version or hash did"
        yield found(
            rules.REQUIREMENTS_CHANGED, place, message, old=given(spelled[0]), new=given(spelled[1]), affects=users
        )


def _hashes(
    environment: str,
    package: str,
    old: Mapping[str, frozenset[str]],
    new: Mapping[str, frozenset[str]],
    users: tuple[str, ...],
) -> Finding | None:
    """What became of the hashes of a package whose version stayed."""
    was, now = old.get(requirements.key(package), frozenset()), new.get(requirements.key(package), frozenset())
    if was == now:
        return None
    place = pointer("python", environment, "packages", package)
    spelled = [*sorted(was)], [*sorted(now)]
    if was and not now:
        message = f"`{package}` of `{environment}` is no longer pinned by hashes"
        return found(rules.HASHES_REMOVED, place, message, old=[*spelled[0]], new=[], affects=users)
    hosts = security = None
    if not was:
        message, hosts, security = "is pinned by hashes now", Verdict.INFO, Verdict.INFO
    elif was < now:
        message, hosts, security = "has more hashes than before, for the same version", Verdict.INFO, Verdict.INFO
    elif now < was:
        message, security = "has fewer hashes than before, for the same version", Verdict.RISKY
    else:
        message = "has other hashes than before, for the same version"
    return found(
        rules.REPUBLISHED,
        place,
        f"`{package}` of `{environment}` {message}",
        old=[*spelled[0]],
        new=[*spelled[1]],
        hosts=hosts,
        security=security,
        affects=users,
    )


# ---------------------------------------------------------------------------------------------------------- versions


def _parsed(version: str) -> tuple[int, tuple[int, ...], bool, str] | None:
    """Epoch, release without closing zeros, whether it is the release or later, and what follows it."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return None
    return int(match[1] or 0), _numbers(match[2]), _EARLIER.match(match[3]) is None, match[3]


def _numbers(release: str) -> tuple[int, ...]:
    numbers = [int(part) for part in release.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _leading(version: tuple[int, tuple[int, ...], bool, str]) -> tuple[int, ...]:
    epoch, release = version[:2]
    if release and release[0] > 0:
        return (epoch, release[0])
    return (epoch, *release[:2])
