"""Read `toolset.acks.toml`: the folder of a project goes in, the changes that somebody answered for come out.

What is wrong in it is reported at its place, and that acknowledgement does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

from toolc import codes, resources
from toolc.diagnostics import Reporter
from toolc.model import Acknowledgement
from toolc.names import closest

from .check import Mistake, schema_mistakes, tell
from .files import ConfigFile, Unusable, load

ACKS = "toolset.acks.toml"


def read_acknowledgements(root: Path, reporter: Reporter) -> tuple[Acknowledgement, ...]:
    """The acknowledgements of a project, in the order of the file; none where there is no such file."""
    try:
        file = load(root, ACKS, reporter)
    except Unusable:
        return ()
    if file is None:
        return ()
    value = _plain(file.value)
    mistakes = [*schema_mistakes(value, resources.schema("acks"), whole=f"`{ACKS}`")]
    if not mistakes:  # what follows takes the form of the file for granted
        mistakes = [*_value_mistakes(value)]
    tell(mistakes, file, reporter)
    wrong = {mistake.pointer[1] for mistake in mistakes if len(mistake.pointer) > 1}
    if any(len(mistake.pointer) < 2 for mistake in mistakes):
        return ()
    return tuple(_acknowledgement(index, ack, file) for index, ack in enumerate(_acks(value)) if index not in wrong)


def _acknowledgement(index: int, said: dict[str, Any], file: ConfigFile) -> Acknowledgement:
    return Acknowledgement(
        fingerprint=said["fingerprint"],
        rule=said["rule"],
        tool=said.get("tool"),
        reason=said["reason"],
        by=said["by"],
        expires=date.fromisoformat(said["expires"]) if "expires" in said else None,
        span=file.span("ack", index, "fingerprint"),
    )


def _value_mistakes(value: object) -> Iterator[Mistake]:
    """Rules that are not, days that are not, and changes that are acknowledged twice."""
    toolc: Any = resources.schema("toolc")
    rules = toolc["$defs"]["rule-id"]["enum"]
    seen: set[str] = set()
    for index, ack in enumerate(_acks(value)):
        pointer = ("ack", index)
        if ack["rule"] not in rules:
            near = closest(ack["rule"], rules)
            yield Mistake(
                code=codes.CONFIG_VALUE,
                message=f"`toolc diff` has no rule `{ack['rule']}`",
                pointer=(*pointer, "rule"),
                hint=f"did you mean `{near}`?" if near is not None else None,
            )
        if ack["fingerprint"] in seen:
            message = f"the change `{ack['fingerprint']}` is acknowledged a second time"
            yield Mistake(code=codes.CONFIG_VALUE, message=message, pointer=(*pointer, "fingerprint"))
        seen.add(ack["fingerprint"])
        try:
            date.fromisoformat(ack.get("expires", "2000-01-01"))
        except ValueError:
            message = f"`ack.expires` takes a day, and there is no `{ack['expires']}`"
            yield Mistake(code=codes.CONFIG_VALUE, message=message, pointer=(*pointer, "expires"))


def _acks(value: object) -> list[dict[str, Any]]:
    acks: list[dict[str, Any]] = value.get("ack", []) if isinstance(value, dict) else []
    return acks


def _plain(value: Any) -> Any:
    """The same with days as texts, which is how JSON, and so the schema, has them."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) and not isinstance(value, datetime) else value
