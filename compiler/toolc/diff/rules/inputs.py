"""Rules about the arguments of a tool: T201 to T241 and T299. The new schema is compatible where every argument object
that the old one accepts is accepted still."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

# ------------------------------------------------------------------------------------------------------ properties

REQUIRED_ADDED = Rule(
    id="T201",
    name="required-added",
    title="a required parameter was added",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Every call that was made for the old toolset lacks the parameter, and is refused now. Give it a default, and it is
T205, which breaks nobody.

    {"properties": {"path": ...}, "required": ["path"]}
    {"properties": {"path": ..., "mode": ...}, "required": ["path", "mode"]}      `{"path": "a"}` is refused
""",
)

BECAME_REQUIRED = Rule(
    id="T202",
    name="became-required",
    title="an optional parameter became required",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Calls that leave the parameter out were accepted, and are refused now. Keep it optional, and let the tool answer what
is missing where it cannot do without.
""",
)

REQUIRED_WITH_DEFAULT = Rule(
    id="T203",
    name="required-with-default",
    title="a parameter with a default became required",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
In JSON Schema a `default` is a note: it fills nothing in, so a call without the parameter is refused whatever the
default says. toolc never writes this itself, since a Python default makes a parameter optional; it comes from a
`tool.json` that names the parameter in `required`. Take it out of `required`, and the default means what it says.
""",
)

BECAME_OPTIONAL = Rule(
    id="T204",
    name="became-optional",
    title="a required parameter became optional",
    callers=Verdict.SAFE,
    explanation="""\
Old calls have the parameter, and are accepted as they were. What the tool does without it is new, and new calls will
leave it out: see that the description says what happens then.
""",
)

OPTIONAL_ADDED = Rule(
    id="T205",
    name="optional-added",
    title="an optional parameter was added",
    callers=Verdict.SAFE,
    explanation="""\
The old schema was closed, so no call could have carried the parameter with another meaning, and none needs it.

For trust it matters what the parameter is: one whose name speaks of a path, an address, a command or a secret gives a
model a new way to reach for something, and is `risky` for reviewers.
""",
)

OPTIONAL_ADDED_TO_OPEN = Rule(
    id="T206",
    name="optional-added-to-open",
    title="an optional parameter was added to an open schema",
    callers=Verdict.RISKY,
    narrows=True,
    explanation="""\
The old schema accepted arguments it did not declare, so an old call may carry this one with a value that the new
declaration refuses. Whether any does cannot be seen in a lock, and as a rule none does: the rule is never `breaking`,
and it is `safe` where the new declaration accepts all that the old schema did.

    {"type": "object"}   ->   {"type": "object", "properties": {"limit": {"type": "integer"}}}

A schema with `"additionalProperties": false` has no such doubt; toolc writes it for every Python function.
""",
)

PROPERTY_REMOVED = Rule(
    id="T207",
    name="property-removed",
    title="a parameter was removed",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
The new schema is closed: a call that carries the parameter is refused. Keep it for a while, say in its description
that it does nothing, and remove it when nobody sends it.
""",
)

PROPERTY_IGNORED = Rule(
    id="T208",
    name="property-removed-from-open",
    title="a parameter was removed, and is accepted still",
    callers=Verdict.BREAKING,
    security=Verdict.RISKY,
    explanation="""\
The new schema is open, so a call that carries the parameter is accepted, and the parameter no longer means anything.
For an agent that is worse than an error: `dry_run: true` or `limit: 10` is sent, accepted, and silently does nothing.
No arguments are shown as an example, since none are refused.
""",
)

PROPERTY_RENAMED = Rule(
    id="T209",
    name="property-renamed",
    title="a parameter was renamed",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
A parameter is gone, and another with the same schema stands in its place. Old calls use the old name. That it is the
same parameter is a guess from its schema and its place, shown as one finding because it is read as one change.
""",
)

PROPERTIES_REORDERED = Rule(
    id="T210",
    name="properties-reordered",
    title="the parameters have another order",
    callers=Verdict.INFO,
    explanation="""\
The order of parameters decides nothing about a call. A model reads them in that order, and so does whoever types them
by position.
""",
)

# ----------------------------------------------------------------------------------------------------------- types

TYPE_NARROWED = Rule(
    id="T211",
    name="type-narrowed",
    title="a type is no longer accepted",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Values of the type were accepted and are refused: a number became an integer, a member of a union is gone, or null is.

    {"type": ["string", "null"]}   ->   {"type": "string"}
""",
)

TYPE_WIDENED = Rule(
    id="T212",
    name="type-widened",
    title="another type is accepted",
    callers=Verdict.SAFE,
    explanation="""\
What was accepted is accepted still. Where strings are accepted now, or anything at all, the tool may be told things
that it could not be told before: that is `risky` for reviewers.
""",
)

TYPE_CHANGED = Rule(
    id="T213",
    name="type-changed",
    title="the type changed",
    callers=Verdict.BREAKING,
    security=Verdict.RISKY,
    narrows=True,
    explanation="""\
No value of the old type is one of the new: every call that carries it is refused. A parameter of another name for the
new type, beside the old one, breaks nobody.
""",
)

# ---------------------------------------------------------------------------------------------------------- values

ENUM_VALUE_REMOVED = Rule(
    id="T214",
    name="enum-value-removed",
    title="a value is no longer accepted",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
The value was one of those listed, and calls that carry it are refused now.
""",
)

ENUM_VALUE_ADDED = Rule(
    id="T215",
    name="enum-value-added",
    title="another value is accepted",
    callers=Verdict.SAFE,
    explanation="""\
Old calls are accepted as they were. A new option is something new that the tool can be told to do; where the tool is a
command, that is `risky` for reviewers.
""",
)

BECAME_ENUM = Rule(
    id="T216",
    name="became-enum",
    title="only listed values are accepted now",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Any value of the type was accepted; those that are not listed are refused now.
""",
)

ENUM_DROPPED = Rule(
    id="T217",
    name="enum-dropped",
    title="values are no longer limited to a list",
    callers=Verdict.SAFE,
    security=Verdict.RISKY,
    explanation="""\
Old calls are accepted as they were. What a model can send is no longer bounded by the schema: whatever the tool did not
have to check so far, it has to check now.
""",
)

ENUM_REORDERED = Rule(
    id="T218",
    name="enum-reordered",
    title="the values have another order",
    callers=Verdict.INFO,
    explanation="""\
The same values are accepted. Models favour those that stand first.
""",
)

# ---------------------------------------------------------------------------------------------------------- limits

RANGE_TIGHTENED = Rule(
    id="T219",
    name="range-tightened",
    title="a limit was tightened",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Values between the old limit and the new one were accepted, and are refused. It is so for numbers, for lengths, for
counts of items and of properties, and for `multipleOf`.

    {"type": "integer", "maximum": 100}   ->   {"type": "integer", "maximum": 10}      `{"limit": 11}` is refused
""",
)

RANGE_ADDED = Rule(
    id="T220",
    name="range-added",
    title="a limit was set",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Nothing limited the value, and now something does. It may well be that the tool never coped with more and only says so
now; the schema is what callers were told, and it told them otherwise. A team that sees it so can write
`T220 = "risky"` under `[diff.severity]`.
""",
)

RANGE_LOOSENED = Rule(
    id="T221",
    name="range-loosened",
    title="a limit was loosened or removed",
    callers=Verdict.SAFE,
    explanation="""\
Old calls are accepted as they were. An upper limit on a value, a length or a count also limits what one call can make
a command consume: where one goes from a command tool, that is `risky` for reviewers.
""",
)

# ---------------------------------------------------------------------------------------------- patterns and formats

PATTERN_ADDED = Rule(
    id="T222",
    name="pattern-added",
    title="a pattern has to match now",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Any text was accepted; text in which the pattern is not found is refused now.
""",
)

PATTERN_CHANGED = Rule(
    id="T223",
    name="pattern-changed",
    title="another pattern has to match",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    narrows=True,
    explanation="""\
Whether all that one regular expression matches is matched by another is not decided here. Where a text is found that
the old one matches and the new one does not (the old default, an example, a text made from the pattern), it is shown
and the change is `breaking`.
""",
)

PATTERN_REMOVED = Rule(
    id="T224",
    name="pattern-removed",
    title="a pattern no longer has to match",
    callers=Verdict.SAFE,
    security=Verdict.RISKY,
    explanation="""\
Old calls are accepted as they were. A pattern often is what keeps `../`, a leading `-` or a quote out of a tool. Where
the parameter's name says that it is a path or a command, removing it is `breaking` for reviewers.
""",
)

FORMAT_CHANGED = Rule(
    id="T225",
    name="format-changed",
    title="the text has to have a format",
    callers=Verdict.RISKY,
    narrows=True,
    explanation="""\
In JSON Schema 2020-12 a `format` is a note to the reader, and a call with another text is accepted; whether the tool
then copes cannot be seen in a lock. For Python tools the runtime does check `date`, `time`, `date-time`, `duration`,
`uuid`, `ipv4`, `ipv6` and base64, because it makes values of them: there the change is `breaking`.
""",
)

FORMAT_REMOVED = Rule(
    id="T226",
    name="format-removed",
    title="the text no longer has to have a format",
    callers=Verdict.SAFE,
    explanation="""\
Old calls are accepted as they were. Where the runtime checked the format (T225 lists those) the tool is handed texts
that it never saw before, which is `risky` for reviewers.
""",
)

# -------------------------------------------------------------------------------------------------------- defaults

DEFAULT_ADDED = Rule(
    id="T227",
    name="default-added",
    title="a default is told now",
    callers=Verdict.INFO,
    explanation="""\
The parameter could be left out before, and what happens then is now written down. Where the code changed as well, see
that it did that before.
""",
)

DEFAULT_CHANGED = Rule(
    id="T228",
    name="default-changed",
    title="the default changed",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
Every old call is accepted, and every one that leaves the parameter out does something else now. Nobody who calls the
tool can see it. A default that turns from `false` to `true`, or a path or an address that now covers more, is
`breaking` for reviewers.
""",
)

DEFAULT_REMOVED = Rule(
    id="T229",
    name="default-removed",
    title="the default is told no more",
    callers=Verdict.RISKY,
    explanation="""\
The parameter can still be left out, and what happens then is no longer written down. It may be the same as before, or
it may not.
""",
)

# ----------------------------------------------------------------------------------------------- undeclared arguments

OPENED = Rule(
    id="T230",
    name="opened",
    title="undeclared arguments are accepted now",
    callers=Verdict.SAFE,
    security=Verdict.RISKY,
    explanation="""\
Old calls are accepted as they were. What a model sends beside the declared parameters now reaches the tool: a channel
that no reviewer sees in the schema, and in a Python tool a way to set parameters of whatever the arguments are
handed on to.
""",
)

CLOSED = Rule(
    id="T231",
    name="closed",
    title="undeclared arguments are refused now",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
A call could carry arguments that the schema did not declare. Often none did, and the change only comes from the first
compilation of a tool that was written by hand before; by the schema it can break, and so it is said.
""",
)

ADDITIONAL_CHANGED = Rule(
    id="T232",
    name="additional-properties-changed",
    title="undeclared arguments have another schema",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Arguments that the schema does not declare have to satisfy `additionalProperties`, which changed. It is `breaking` where
it accepts less, with the arguments that show it, and `safe` where it accepts more.
""",
)

PATTERN_PROPERTIES_CHANGED = Rule(
    id="T233",
    name="pattern-properties-changed",
    title="arguments with names of a pattern have another schema",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
`patternProperties` gained a pattern, which is `breaking` where arguments with such names could be anything before, or
lost one, which is `safe` where the schema still accepts them and `breaking` where it is closed.
""",
)

# ---------------------------------------------------------------------------------------------- combined and nested

BRANCH_CHANGED = Rule(
    id="T234",
    name="any-of-changed",
    title="an alternative was added or removed",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
The alternatives of `anyOf` are matched by what they have in common, not by their order, so that one edit is one
finding. A branch that is gone is `breaking` where none of the others accepts what it did; a new one is `safe`, and
`risky` for reviewers.
""",
)

ONE_OF_CHANGED = Rule(
    id="T235",
    name="one-of-changed",
    title="exactly one of other alternatives has to fit",
    callers=Verdict.RISKY,
    narrows=True,
    explanation="""\
With `oneOf` a value that fits two branches is refused. So a branch that is added can make old calls fail, and so can
turning `anyOf` into `oneOf`: `6` fits both `{"multipleOf": 2}` and `{"multipleOf": 3}`. Where such arguments are found
they are shown and the change is `breaking`; where the branches can never overlap it is judged as for `anyOf`.
""",
)

ALL_OF_CHANGED = Rule(
    id="T236",
    name="all-of-changed",
    title="a member of `allOf` was added or removed",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
All members of `allOf` have to be satisfied, so a new one can refuse what was accepted, and one less refuses nothing
more. A member that only annotates, or only says what another says too, changes nothing.
""",
)

ITEMS_CHANGED = Rule(
    id="T237",
    name="items-changed",
    title="the items of a list are described anew",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Items could be anything, and now there is a schema for them, which is `breaking`; or the other way round, which is
`safe`.
A schema that was there and changed is reported as what changed in it, at its place.
""",
)

UNIQUE_ITEMS_CHANGED = Rule(
    id="T238",
    name="unique-items-changed",
    title="whether items may repeat changed",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
Lists with an item twice are refused now, which is `breaking`, or accepted now, which is `safe`.
""",
)

CONDITION_CHANGED = Rule(
    id="T239",
    name="condition-changed",
    title="a condition changed",
    callers=Verdict.BREAKING,
    narrows=True,
    explanation="""\
`dependentRequired`, `dependentSchemas`, `not`, `if`, `contains`, `propertyNames` and `unevaluated...` are compared as a
whole. Where arguments are found that the old schema accepts and the new one refuses, the change is `breaking` and they
are shown. A condition that is gone refuses nothing any more and is `safe`. Anything else cannot be decided: T299.
""",
)

# ------------------------------------------------------------------------------------------------------------ rest

ANNOTATION_CHANGED = Rule(
    id="T240",
    name="annotation-changed",
    title="a note to the reader changed",
    callers=Verdict.INFO,
    explanation="""\
`readOnly`, `writeOnly`, `deprecated` and keywords that JSON Schema does not know decide nothing about a call.
""",
)

EQUIVALENT = Rule(
    id="T241",
    name="equivalent",
    title="the schema says the same in other words",
    callers=Verdict.INFO,
    explanation="""\
There are no findings of this rule: it lists what is *not* reported. Another order of `required`, a `$ref` written out
or drawn out, `const` and an `enum` of one, a list of types and the same types in `anyOf`, `1.0` and `1`, and
`additionalProperties: true` and its absence are the same schema.
""",
)

NOT_ANALYSED = Rule(
    id="T299",
    name="not-analysed",
    title="the change was not analysed",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
What changed here is beyond what is compared: conditions such as `not` and `if`, alternatives that overlap, schemas too
large to go through, or a schema that is not one. Nothing was found that the old side accepts and the new one refuses,
and that proves nothing. Both sides are shown; a person has to look.
""",
)
