"""Compare the results of a tool: two output schemas go in, findings come out.

The question is that of inputs the other way round: whether every result of the new schema is one of the old. So the
new schema stands on the left, and what narrows there widens here.
"""

from __future__ import annotations

from toolc.diff.model import Finding, Rule, Verdict, found
from toolc.diff.rules import inputs, outputs
from toolc.diff.schemas.changes import Change, Place, Site
from toolc.diff.schemas.findings import distinct, place_of, pointer, read, settled, unread
from toolc.diff.schemas.forms import Position, TooWide, form
from toolc.diff.schemas.walk import Walk
from toolc.diff.schemas.witness import Witnesses
from toolc.model import Schema
from toolc_runtime.problems import SchemaError

# What a change of the input rules is where new results are read by who knew the old ones. All others widen or narrow.
_RULES: dict[Rule, Rule] = {
    inputs.REQUIRED_ADDED: outputs.OUTPUT_PROPERTY_REMOVED,
    inputs.BECAME_REQUIRED: outputs.OUTPUT_PROPERTY_REMOVED,
    inputs.REQUIRED_WITH_DEFAULT: outputs.OUTPUT_PROPERTY_REMOVED,
    inputs.OPTIONAL_ADDED: outputs.OUTPUT_PROPERTY_REMOVED,
    inputs.OPTIONAL_ADDED_TO_OPEN: outputs.OUTPUT_PROPERTY_REMOVED,
    inputs.PROPERTY_RENAMED: outputs.OUTPUT_PROPERTY_REMOVED,
    inputs.PROPERTY_REMOVED: outputs.OUTPUT_PROPERTY_ADDED,
    inputs.PROPERTY_IGNORED: outputs.OUTPUT_PROPERTY_ADDED,
    inputs.CLOSED: outputs.OUTPUT_PROPERTY_ADDED,
    inputs.ENUM_VALUE_REMOVED: outputs.OUTPUT_VALUE_ADDED,
}
# What says nothing about which results there can be.
_NOTES = frozenset({inputs.DEFAULT_ADDED, inputs.DEFAULT_CHANGED, inputs.DEFAULT_REMOVED, inputs.ANNOTATION_CHANGED})
_ORDERS = frozenset({inputs.PROPERTIES_REORDERED, inputs.ENUM_REORDERED})
_UNSHOWN = "no result was found that shows it"


def compare_outputs(tool: str, old: Schema | None, new: Schema | None) -> tuple[Finding, ...]:
    """What changed in the results of a tool, in the order of the schema; None is a tool that does not describe them."""
    root = ("tools", tool, "output_schema")
    if old is None and new is None:
        return ()
    if new is None:
        message = "the results are no longer described"
        return (found(outputs.OUTPUT_SCHEMA_CHANGED, pointer(root), message, tool=tool, old=old),)
    if old is None:
        message, info = "the results are described now", Verdict.INFO
        return (found(outputs.OUTPUT_SCHEMA_CHANGED, pointer(root), message, tool=tool, new=new, callers=info),)
    try:
        before, after = (read(schema, formats=False) for schema in (old, new))
    except SchemaError as error:
        return () if old == new else (unread(tool, root, old, new, error),)
    if words := _form_changed((before,), (after,)):
        return (found(outputs.OUTPUT_FORM_CHANGED, pointer(root), words, tool=tool, old=old, new=new),)
    site = Site(left=(after,), right=(before,), whole="the result")
    try:
        witnesses = Witnesses(site.left, site.right)
        changes = [
            settled(change, witnesses.find(change), unshown=_UNSHOWN) for change in Walk(is_command=False).compare(site)
        ]
    except RecursionError:
        return (unread(tool, root, old, new, None),)
    return distinct(_finding(tool, root, change) for change in changes)


def _form_changed(before: Position, after: Position) -> str | None:
    """Whether text became structure, or structure text."""
    try:
        kinds, now = ({shape.kind for shape in form(position)} for position in (before, after))
    except TooWide:
        return None
    if kinds == {"string"} and now and "string" not in now:
        return "the result was a text, and is structured now"
    if now == {"string"} and kinds and "string" not in kinds:
        return "the result was structured, and is a text now"
    return None


def _finding(tool: str, root: Place, change: Change) -> Finding:
    rule, callers, words = _read(change)
    return found(
        rule,
        pointer((*root, *place_of(change, new_is_left=True))),
        f"{change.about or change.site.label} {words}",
        tool=tool,
        old=change.right.value,
        new=change.left.value,
        callers=callers,
        security=Verdict.RISKY if rule is inputs.NOT_ANALYSED else Verdict.INFO,
        notes=change.notes,
    )


def _read(change: Change) -> tuple[Rule, Verdict, str]:
    """The rule of a change for whoever reads results, its verdict, and what became of the subject."""
    rule = _RULES.get(change.rule)
    if change.rule is inputs.NOT_ANALYSED:
        return inputs.NOT_ANALYSED, change.callers, "changed in a way that was not analysed"
    if change.rule in _NOTES:
        return inputs.ANNOTATION_CHANGED, Verdict.INFO, "is annotated in another way"
    if change.rule in _ORDERS:
        return change.rule, Verdict.INFO, "has another order"
    if rule is outputs.OUTPUT_PROPERTY_REMOVED:
        return rule, rule.callers, "is gone, or may be missing"
    if rule is outputs.OUTPUT_PROPERTY_ADDED:
        closed = change.refuses is not None
        words = "can have undeclared properties now" if change.rule is inputs.CLOSED else "can be there now"
        return rule, Verdict.RISKY if closed else Verdict.SAFE, words
    if rule is outputs.OUTPUT_VALUE_ADDED:
        return rule, rule.callers, "can have another of its values"
    if change.narrows:
        return outputs.OUTPUT_WIDENED, change.callers, "can be what it could not be before"
    return outputs.OUTPUT_NARROWED, outputs.OUTPUT_NARROWED.callers, "is bounded more tightly"
