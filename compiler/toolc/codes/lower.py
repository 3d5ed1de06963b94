"""The codes of lowering (TC6xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

NAME_NOT_PORTABLE = Code(
    id="TC601",
    severity=Severity.WARNING,
    title="a tool's name begins with a digit, which some providers refuse",
    explanation="""\
Gemini, among others, wants a function's name to begin with a letter or `_`. The tool is compiled; it is left out of
the definitions of a provider that cannot carry it. Begin the name with a letter to be offered everywhere.""",
)

SETTING_NOT_FOR_COMMAND = Code(
    id="TC602",
    severity=Severity.WARNING,
    title="a setting for Python tools stands on a command tool",
    explanation="""\
`python` and `environment` say where a Python function runs. The program of a manifest runs as a process of its own,
with what its `command` names, so they change nothing; nor does `include`, as the manifest's folder ships whole, and
nothing beside it. Remove them from `[tools.NAME]`, and move the files that `include` names into the folder.""",
)

SUBSET_MATCHES_NOTHING = Code(
    id="TC603",
    severity=Severity.WARNING,
    title="a pattern of a subset matches no tool",
    explanation="""\
A subset is a view of the toolset: names and globs over the tools that are offered. This pattern matches none of them:
it is misspelt, or about a tool that is denied, hidden or disabled, or about a built-in of the host, which no subset
holds.""",
)

SUBSET_EMPTY = Code(
    id="TC604",
    severity=Severity.WARNING,
    title="a subset holds no tool",
    explanation="""\
After `include` and `exclude` nothing is left, so an agent that is given this view has no tools at all. Widen
`include`, narrow `exclude`, or remove the subset.""",
)

PERMISSION_MATCHES_NOTHING = Code(
    id="TC605",
    severity=Severity.WARNING,
    title="a rule of `[permissions]` matches no tool",
    explanation="""\
The rule has no effect. Where it was meant to deny something, the tool it was meant for now has the permission of
another rule. Correct the name, or remove the rule. (The host's built-ins are the host's to permit.)""",
)

PATHS_COLLIDE = Code(
    id="TC606",
    severity=Severity.ERROR,
    title="two files of the bundle have paths that some file systems take for one",
    explanation="""\
The paths differ only in case or in how accented letters are composed. On macOS and Windows one of the two would
silently replace the other. Rename one of the files or folders.""",
)

PATH_NOT_PORTABLE = Code(
    id="TC607",
    severity=Severity.ERROR,
    title="a file's path cannot stand in every file system",
    explanation="""\
A bundle is copied between systems, so a path in it has no backslash, colon or control character, no name that ends
with a dot or a space or that Windows reserves (`CON`, `NUL`), no name over 200 bytes, and composed (NFC) letters.
Rename the file.""",
)

BUDGET_EXCEEDED = Code(
    id="TC608",
    severity=Severity.ERROR,
    title="the definitions are larger than the budget",
    explanation="""\
`[toolset] budget` bounds what the definitions of all offered tools cost in a prompt, at four characters a token. They
are over it. Shorten the largest descriptions, deny or disable tools nobody needs, or raise the budget.""",
)

TOOLSET_EMPTY = Code(
    id="TC609",
    severity=Severity.NOTE,
    title="the toolset has no tools",
    told=True,
    explanation="""\
No layer declares a tool that is in force. That is legal, and the bundle is built. If tools were expected, look whether
the folders that the hint names are the ones you meant; `toolc list --all` says what became of every file in them.""",
)

DEPENDENCIES_NOT_LOCKED = Code(
    id="TC610",
    severity=Severity.WARNING,
    title="declared dependencies are neither locked nor installed",
    explanation="""\
`[dependencies]` says which packages the tools count on, but this version locks and installs none. Have them in the
host's own Python, which runs its tools, as that of `toolc run` does; a wrapper has the standard library alone. A tool
that imports a missing one fails when it is called, naming the module.""",
)
