"""The codes of resolution (TC5xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

SHADOWS = Code(
    id="TC501",
    severity=Severity.NOTE,
    title="a tool shadows one of a lower layer",
    explanation="""\
Layers are ordered, and the last one that declares a name wins. The declarations it hides are listed in the lock under
the tool's `origin.shadows`, so that a review sees when another file takes a name over. Nothing needs to be done where
that is meant; otherwise rename one of the two.""",
)

OVERRIDES_BUILTIN = Code(
    id="TC502",
    severity=Severity.NOTE,
    title="a tool replaces a built-in of the host",
    explanation="""\
The tool has the name of a tool that the host has itself, and the clash policy lets it win: `replace` always does,
`explicit` where the tool says `override=True` or the project `[tools.NAME] override = true`. The lock lists the
built-in under `builtins.overridden`; the host is to drop it.""",
)

CONFLICT_IN_LAYER = Code(
    id="TC503",
    severity=Severity.ERROR,
    title="a name is declared twice in one layer",
    explanation="""\
Between layers the order decides who wins. Within one layer there is no order, so two declarations of a name would
make the toolset depend on chance. Rename one of them, move one to another layer, or switch the name off:

    [tools.grep]
    enabled = false""",
)

NAMES_ALIKE = Code(
    id="TC504",
    severity=Severity.ERROR,
    title="two tools have names that look the same",
    explanation="""\
`read-file` and `read_file`, `Deploy` and `deploy`, or two names that differ in a look-alike letter would both be
offered, and neither a model nor a reviewer can tell them apart; some providers and file systems cannot either. Only
exactly equal names shadow one another. Rename one of them, or switch one off with `[tools.NAME] enabled = false`.""",
)

HIDDEN_BY_BUILTIN = Code(
    id="TC505",
    severity=Severity.WARNING,
    title="a tool is hidden by a built-in of the host",
    explanation="""\
The tool has the name of a tool that the host has itself, and the clash policy lets the built-in win: `protect` always
does, `explicit` unless the tool is meant to override. The tool is in the lock under `hidden`, and never offered.

Under `explicit`, say that the replacement is meant, in the tool or in the project:

    @tool(override=True)

    [tools.bash]
    override = true

Under `protect`, rename the tool, or let the host drop its own with `[builtins] remove`.""",
)

OVERRIDE_IGNORED = Code(
    id="TC506",
    severity=Severity.WARNING,
    title="an override is ignored, since the host protects its built-ins",
    explanation="""\
Under the clash policy `protect` a built-in wins whatever a tool or the project says, so the tool is hidden. Rename the
tool, let the host drop its own with `[builtins] remove = ["NAME"]`, or choose another policy:

    [builtins]
    policy = "explicit\"""",
)

OVERRIDE_NEEDS_CONSENT = Code(
    id="TC507",
    severity=Severity.WARNING,
    title="an override from outside the project needs the project's consent",
    explanation="""\
A file under `~`, or in a folder outside the project, cannot replace a built-in of the host by its own word: it is not
part of what this project's review sees. The built-in wins until the project agrees:

    [tools.bash]
    override = true""",
)

OVERRIDE_OF_NOTHING = Code(
    id="TC508",
    severity=Severity.WARNING,
    title="an override finds no built-in to replace",
    explanation="""\
`override=True` says that a built-in of the host is replaced, but the host has none of that name: the name is
misspelt, the built-in is in `[builtins] remove`, or the host's built-ins are not listed. The tool is offered all the
same, beside the built-in that was meant, if there is one. Correct the name, or drop the override.""",
)

SETTINGS_MATCH_NOTHING = Code(
    id="TC509",
    severity=Severity.ERROR,
    title="`[tools.NAME]` is about a tool that is not there",
    explanation="""\
No layer declares a tool of that name, so the settings would silently do nothing: a misspelt
`[tools.deploi] permission = "deny"` protects no one. Names are exact here. Correct the name or remove the table.""",
)

DISABLED_MATCHES_NOTHING = Code(
    id="TC510",
    severity=Severity.WARNING,
    title="a disabled tool is not there",
    explanation="""\
`enabled = false` keeps a name out of the toolset whoever declares it, so it may stand before there is such a tool, and
the lock lists the name under `hidden`. If the tool was renamed, rename it here too. A built-in of the host is dropped
with `[builtins] remove = ["NAME"]`; this setting is about tools of layers.""",
)

BROKEN_CLAIMS_NAME = Code(
    id="TC511",
    severity=Severity.ERROR,
    title="leaving out a tool with errors would put another in its place",
    explanation="""\
With `on-invalid = "skip"` a declaration with errors is left out. Where another layer declares the same name, leaving
it out would quietly run other code under that name than the layers' order says. (A Python file that does not parse
claims its own stem.) Mend the declaration, remove it, or switch the name off:

    [tools.NAME]
    enabled = false""",
)
