"""The codes of config (TC1xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

# ---- finding and reading the files

CONFIG_UNREADABLE = Code(
    id="TC101",
    severity=Severity.ERROR,
    title="a configuration file cannot be read",
    explanation="""\
The file is there, but it is no regular file, is larger than 1 MiB, is not UTF-8, or the system does not let us read
it. Going on without it would build another toolset than the project describes. Mend the file, or move it away.""",
)

CONFIG_SYNTAX = Code(
    id="TC102",
    severity=Severity.ERROR,
    title="the configuration is not TOML",
    explanation="""\
The place shown is where the text stops being TOML. Often a string has no closing quote, a key stands twice, or a
value is a bare word: write `host = "aru"`, not `host = aru`.""",
)

TWO_CONFIGS = Code(
    id="TC103",
    severity=Severity.ERROR,
    title="a project has two configurations",
    explanation="""\
One folder has both a `toolc.toml` and a table `[tool.toolc]` in its `pyproject.toml`. They say the same things in two
places, and neither is the stronger. Move everything into one of them and delete the other.""",
)

CONFIG_MISSING = Code(
    id="TC104",
    severity=Severity.ERROR,
    title="there is nothing to compile here",
    explanation="""\
Neither this folder nor one above it has a `toolc.toml` or a `[tool.toolc]` in `pyproject.toml`, and the folder has no
tools folder of a known host (`.aru`, `.agents`, `.pequenin`). `toolc init` writes a config and an example tool.""",
)

HOST_UNDECIDED = Code(
    id="TC105",
    severity=Severity.ERROR,
    title="the folders of two hosts are here, and no config chooses",
    explanation="""\
Without a config, the folders in a project tell which host's preset to use. Here they point to more than one, and hosts
differ in layers, permissions and limits. Write a `toolc.toml` that names one:

    [toolset]
    host = "aru\"""",
)

HOST_DETECTED = Code(
    id="TC106",
    severity=Severity.NOTE,
    title="a host preset was chosen by the folders of the project",
    told=True,
    explanation="""\
The project has no config, but a folder in which a known host looks for tools, so that host's preset is used: its
layers, built-ins, permissions and limits. To state the choice, write it in `toolc.toml`.""",
)

# ---- what the config says

CONFIG_UNKNOWN_KEY = Code(
    id="TC110",
    severity=Severity.ERROR,
    title="a key of the config is not known",
    explanation="""\
toolc has no such key in this table. It is an error and not a warning, because a misspelled `permission` that is
ignored would give a tool more than you meant. `toolc schema toolc` prints every key.""",
)

CONFIG_TYPE = Code(
    id="TC111",
    severity=Severity.ERROR,
    title="a value of the config is of another type",
    explanation="""\
The key takes another kind of value: numbers and `true` or `false` are written without quotes, text with them, lists in
`[ ]`; layers are an array of tables, so each begins with `[[layers]]`.""",
)

CONFIG_VALUE = Code(
    id="TC112",
    severity=Severity.ERROR,
    title="a value of the config is not one the key takes",
    explanation="""\
The key takes one of a few words, a number in a range, or a name of a certain form; the message says which. Names go
into the lock, into paths of the bundle and to model providers, which is why their characters are limited.""",
)

CONFIG_MISSING_KEY = Code(
    id="TC113",
    severity=Severity.ERROR,
    title="a required key is missing",
    explanation="""\
A layer needs a name, by which the lock and other messages call it, and a path:

    [[layers]]
    name = "team"
    path = "vendor/team-tools"

An `[[ack]]` of `toolset.acks.toml` needs the `fingerprint` and the `rule` of a finding, a `reason`, and `by` whom.""",
)

CONFIG_GLOB = Code(
    id="TC114",
    severity=Severity.ERROR,
    title="a pattern can match nothing",
    explanation="""\
In `[permissions]` and `[subsets]` a pattern is matched against names of tools, so it holds their characters (letters,
digits, `-`, `_`) and `*`, `?` and `[...]`. In `include` of `[tools.NAME]` it is matched against paths within the layer:
relative, with `/`, without `..`. A pattern that matches nothing would be a rule that is silently not there.""",
)

ENVIRONMENT_UNKNOWN = Code(
    id="TC115",
    severity=Severity.ERROR,
    title="a tool names an environment that is not declared",
    explanation="""\
`environment` of `[tools.NAME]` is `default` or a key of `[dependencies]`:

    [dependencies]
    data = ["pandas>=2"]

    [tools.summarize]
    environment = "data\"""",
)

BUILTIN_UNKNOWN = Code(
    id="TC116",
    severity=Severity.WARNING,
    title="a built-in to be removed is not known",
    explanation="""\
`remove` of `[builtins]` names what the host is to drop. The preset knows no built-in of this name, so nothing may
come of it. Mend the name; or, if the host does have it, add it to `names` as well.""",
)

# ---- layers

LAYER_NAME_TWICE = Code(
    id="TC120",
    severity=Severity.ERROR,
    title="two layers have one name",
    explanation="""\
The name of a layer is its folder in the bundle and its identity in the lock, so it stands for one layer. Rename one
of them.""",
)

LAYER_ABSENT = Code(
    id="TC121",
    severity=Severity.ERROR,
    title="the folder of a layer is not there",
    explanation="""\
A layer that the config lists must be there: without it, lower layers would win where this one should, and nobody
would see. Create the folder, mend the path, or state that it may be absent:

    optional = true""",
)

LAYER_NOT_A_FOLDER = Code(
    id="TC122",
    severity=Severity.ERROR,
    title="the path of a layer is not a folder",
    explanation="""\
A layer is a folder that holds tools. Its path leads to something else. To take in one file, put it into a folder of its
own and list that.""",
)

LAYER_UNREADABLE = Code(
    id="TC123",
    severity=Severity.ERROR,
    title="the folder of a layer cannot be read",
    explanation="""\
The folder is there, and the system does not let the build look into it. A toolset that silently lacks a layer would be
another one on each machine, so this stops the build. Mend the folder's permissions or its links.""",
)

LAYERS_ARE_ONE = Code(
    id="TC124",
    severity=Severity.ERROR,
    title="two layers are one folder",
    explanation="""\
Both paths lead to the same folder, perhaps over a link. Every tool in it would shadow itself. Take one of the layers
out. (In a project that is the home folder itself, write `user-layers = "exclude"`.)""",
)

LAYER_OUTSIDE = Code(
    id="TC125",
    severity=Severity.WARNING,
    title="a layer lies outside the project",
    explanation="""\
The real path of the layer leaves the project, so its files are not part of what is reviewed and versioned here, and
may be others on another machine. Copy the folder into the project; if a copy is kept there by other means, mark the
layer `vendored = true`.""",
)

USER_LAYERS = Code(
    id="TC126",
    severity=Severity.WARNING,
    title="the toolset depends on files under `~`",
    explanation="""\
Layers and permission files under `~` belong to the user, not to the project: the same project builds another toolset
for somebody else. For a toolset that is committed and deployed, leave them out:

    [toolset]
    user-layers = "exclude\"""",
)

NO_LAYERS = Code(
    id="TC127",
    severity=Severity.WARNING,
    title="the config has no layers",
    explanation="""\
Tools come from layers. The config lists none, and its host preset brings none, so the toolset will be empty:

    [[layers]]
    name = "tools"
    path = "tools\"""",
)

# ---- the permission files of a host

HOST_FILE_SYNTAX = Code(
    id="TC130",
    severity=Severity.ERROR,
    title="the host's permission file is not JSON",
    explanation="""\
The host itself may take a file that it cannot read for one that is not there, and so drop every rule in it. toolc does
not: a toolset must not lose a `deny` to a missing comma. Mend the file at the place shown.""",
)

HOST_FILE_SHAPE = Code(
    id="TC131",
    severity=Severity.ERROR,
    title="a permission of the host's file is none",
    explanation="""\
A permission is `allow`, `ask` or `deny`; for all tools (`"permission": "ask"`), by name (`"deploy": "ask"`), or by name
and argument (`"bash": {"git *": "allow"}`). `tools.disabled` is a list of names. Anything else would be a rule that is
silently not there.""",
)

PERMISSION_NESTED = Code(
    id="TC132",
    severity=Severity.WARNING,
    title="a permission by argument became one level for the tool",
    explanation="""\
The host's file gives a level for each pattern of arguments. For its built-ins the host knows which argument is meant;
for a tool of yours nothing says so. The strictest of the levels is taken, and of the default too, which holds for
arguments that no pattern matches. State the one you want in the config:

    [permissions]
    deploy = "ask\"""",
)
