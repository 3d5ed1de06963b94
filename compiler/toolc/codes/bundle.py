"""The codes of the lock and the bundle (TC7xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

# ----------------------------------------------------------------------------------------------------- the lock

LOCK_TOO_NEW = Code(
    id="TC701",
    severity=Severity.ERROR,
    title="the lock is of a newer version than this toolc reads",
    explanation="""\
`lock_version` is raised when an older reader would misunderstand the file, so an older reader refuses it. Use the
toolc that wrote it, or a newer one. Nothing is ever written over a lock that is too new.""",
)

LOCK_REQUIRES_MORE = Code(
    id="TC702",
    severity=Severity.ERROR,
    title="the lock needs a feature that this toolc does not know",
    explanation="""\
`requires` lists what a reader must understand to run the toolset as it was reviewed. An unknown entry means that this
toolc would leave something out. Use a newer toolc.""",
)

LOCK_UNKNOWN_FACT = Code(
    id="TC703",
    severity=Severity.ERROR,
    title="the lock says something unknown about how a tool runs",
    explanation="""\
Keys that this toolc does not know are passed over, except in `execution` and `permission`: not knowing how a tool is
confined, and running it all the same, would be the wrong way to fail. Use the toolc that wrote the lock.""",
)

LOCK_NOT_UTF8 = Code(
    id="TC704",
    severity=Severity.ERROR,
    title="the lock is not UTF-8",
    explanation="""\
A lock is UTF-8 without a byte order mark, written by `toolc lock` and `toolc build` alone. An editor or a shell
redirection saved it in another encoding. Restore it from version control, or remove it and run `toolc lock`.""",
)

LOCK_CONFLICT = Code(
    id="TC705",
    severity=Severity.ERROR,
    title="the lock has conflict markers of a merge",
    explanation="""\
Both branches changed the same lines, and the merge left both versions in the file. This merges them fact by fact, and
names what both changed differently:

    toolc lock --resolve
    toolc lock --check

Nothing is regenerated silently: that would drop what was reviewed. `toolc git setup` makes git merge locks so by
itself, in this clone.""",
)

LOCK_CARRIAGE_RETURNS = Code(
    id="TC706",
    severity=Severity.ERROR,
    title="the lock has carriage returns at its line ends",
    explanation="""\
The lock's own bytes are the toolset's identity, and git on Windows changed them at checkout (`core.autocrlf`). Commit
this line in `.gitattributes`, then check the file out again:

    toolset.json text eol=lf""",
)

LOCK_NOT_JSON = Code(
    id="TC707",
    severity=Severity.ERROR,
    title="the lock is not the JSON that toolc writes",
    explanation="""\
The file was cut short or edited by hand. A key that appears twice counts too: readers differ in which of the two they
take, so what was reviewed might not be what runs. Restore it, or remove it and run `toolc lock`.""",
)

LOCK_SHAPE = Code(
    id="TC708",
    severity=Severity.ERROR,
    title="the lock does not have the fields of a lock",
    explanation="""\
A field is missing, of another kind, or names something the lock does not have, as a hand edit or a bad merge leaves
it. `toolc schema toolset` prints the shape. Restore the file, or remove it and run `toolc lock`.""",
)

LOCK_UNSAFE_NAME = Code(
    id="TC709",
    severity=Severity.ERROR,
    title="the lock has a name or path that would leave the bundle",
    explanation="""\
Names of tools become file names, and paths of sources are opened below the bundle. toolc never writes one that is
absolute, has `..`, or stands outside `tools/`, so this lock was written or changed by something else. Do not
use it.""",
)

LOCK_NOT_CANONICAL = Code(
    id="TC710",
    severity=Severity.ERROR,
    title="the lock is not spelled as toolc spells it",
    explanation="""\
There is exactly one way to write a lock, so that equal toolsets have equal bytes and a diff shows only facts. A
formatter or an editor changed its spaces, its order or its escapes. `toolc lock` writes it anew.""",
)

LOCK_FOREIGN_KEYS = Code(
    id="TC711",
    severity=Severity.ERROR,
    title="writing the lock would drop keys that a newer toolc wrote",
    explanation="""\
The lock can be read, but it has keys this toolc does not know. Writing it would lose them, and two colleagues with
two versions would undo one another's work for ever. Use the toolc that wrote it, or a newer one.""",
)

# --------------------------------------------------------------------------------------------------- the bundle

OUTPUT_NOT_WRITABLE = Code(
    id="TC730",
    severity=Severity.ERROR,
    title="the bundle cannot be written",
    explanation="""\
The system refused to write the bundle: the disk is full, the folder is read-only, a part of the path is a file. The
bundle that stood there before is untouched, and nothing half-written is left.""",
)

OUTPUT_TAKEN = Code(
    id="TC731",
    severity=Severity.ERROR,
    title="something that no build wrote stands where the bundle goes",
    explanation="""\
A build replaces its output whole, and with it every file inside. So it replaces only what a build wrote: a folder
whose files are all listed in its `bundle.json`, or an empty folder. A link is never followed, and nothing is put into
another bundle, which would not be as it was built any more. Move the files that the message names elsewhere, or choose
another folder with `-o`.""",
)

OUTPUT_OVERLAPS_LAYER = Code(
    id="TC732",
    severity=Severity.ERROR,
    title="the bundle and a layer would lie in each other",
    explanation="""\
A bundle written into a layer would be found by the next build as tools; a layer inside the output would be removed by
it. Choose an output outside every layer, such as `-o dist/toolset`.""",
)

CHANGED_WHILE_BUILDING = Code(
    id="TC733",
    severity=Severity.ERROR,
    title="a file changed while the build was running",
    explanation="""\
The build compiled one content of the file and found another when it copied it. A bundle of the two would hold what
nobody compiled, so none is written. Build again once nothing writes to the layers.""",
)

TOOL_LEFT_OUT = Code(
    id="TC734",
    severity=Severity.WARNING,
    title="a provider's form cannot carry a tool",
    explanation="""\
Each file in `definitions/` is a list that is sent to a model's provider as it is, and providers refuse the whole list
for one entry against their rules. The tool is left out of that one form; in the others, and at a call, it is there.

    OpenAI       names of at most 64 letters, digits, `_` and `-`; no `anyOf`, `oneOf`, `allOf`, `enum`, `const` or
                 `not` at the top of the parameters
    Anthropic    names of at most 128 of the same; no `anyOf`, `oneOf` or `allOf` at the top; parameter names of at
                 most 64 letters, digits, `_`, `.` and `-`

Rename it, or describe what the parameters allow together in words and check it in the tool.""",
)

DESCRIPTION_LONG_FOR_FORM = Code(
    id="TC735",
    severity=Severity.NOTE,
    title="a description is longer than some of a provider's models take",
    explanation="""\
Some OpenAI models, and deployments of them elsewhere, refuse a request in which a tool's description has more than
1,024 characters. The tool stays in the form, and its description is not cut. Where your model refuses it, put the
most important part into fewer words.""",
)
