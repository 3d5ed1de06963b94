"""Compare the arguments that a tool takes: two input schemas go in, findings come out.

New is compatible where every argument object that old accepts is accepted still. What is said to break callers is
shown by arguments that do; where none are found, and it is not certain either, that is said.
"""

from __future__ import annotations

from toolc.diff.model import Finding, found
from toolc.diff.schemas.changes import Site
from toolc.diff.schemas.findings import distinct, place_of, pointer, read, settled, unread
from toolc.diff.schemas.walk import Walk
from toolc.diff.schemas.witness import Witnesses
from toolc.model import Schema
from toolc_runtime.problems import SchemaError

_OBJECT = read({"type": "object"}, formats=False)
_UNSHOWN = "no arguments were found that show it"


def compare_inputs(tool: str, old: Schema, new: Schema, *, is_command: bool) -> tuple[Finding, ...]:
    """What changed in the arguments of a tool, in the order of the schema.

    A format is a note to the model, save in Python tools, where the runtime asserts those that it converts from.
    """
    root = ("tools", tool, "input_schema")
    try:
        left, right = (read(schema, formats=not is_command) for schema in (old, new))
    except SchemaError as error:
        return () if old == new else (unread(tool, root, old, new, error),)
    # Arguments are an object, whether a schema says so or not.
    site = Site(left=(left, _OBJECT), right=(right, _OBJECT), whole="the arguments")
    try:
        changes = Walk(is_command=is_command).compare(site)
        witnesses = Witnesses(site.left, site.right)
        shown = [(change, witnesses.find(change)) for change in changes]
    except RecursionError:
        return (unread(tool, root, old, new, None),)
    return distinct(
        found(
            change.rule,
            pointer((*root, *place_of(change))),
            change.message,
            tool=tool,
            old=change.left.value,
            new=change.right.value,
            callers=change.callers,
            security=change.security,
            witness=witness,
            notes=change.notes,
        )
        for change, witness in ((settled(change, witness, unshown=_UNSHOWN), witness) for change, witness in shown)
    )
