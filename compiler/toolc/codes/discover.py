"""The codes of discovery (TC2xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

FILE_UNREADABLE = Code(
    id="TC201",
    severity=Severity.ERROR,
    title="a file of a layer cannot be read",
    explanation="""\
The file is there, and the system does not let the build read it. A toolset that silently lacks a file would be
another one on each machine, so this stops the build. Mend the file's permissions, or move it out of the layer.""",
    skips=True,
)

FILE_NOT_REGULAR = Code(
    id="TC202",
    severity=Severity.ERROR,
    title="a FIFO, socket or device stands where a file should be",
    explanation="""\
Only regular files are read and shipped: reading a FIFO would wait for ever, and a socket or a device has no content
to lock. Move it out of the layer.""",
    skips=True,
)

LINK_LEAVES_LAYER = Code(
    id="TC203",
    severity=Severity.ERROR,
    title="a symbolic link leaves its layer",
    explanation="""\
A link to a regular file inside the layer is shipped as that file's content. Any other link could pull a stranger's
file, or a secret, into the bundle. Copy the file into the layer in place of the link.""",
    skips=True,
)

LINK_LOOP = Code(
    id="TC204",
    severity=Severity.ERROR,
    title="a symbolic link leads nowhere, or to itself",
    explanation="""\
The link's target is missing, or the links go round in a circle. Remove the link or mend its target.""",
    skips=True,
)

FILE_TOO_LARGE = Code(
    id="TC205",
    severity=Severity.ERROR,
    title="a file is larger than the build reads",
    explanation="""\
A manifest may have 1 MiB, a Python file 2 MiB, any other file of a tool's folder 64 MiB. Larger content belongs
where the tool can fetch it.""",
    skips=True,
)

NOT_UTF8 = Code(
    id="TC206",
    severity=Severity.ERROR,
    title="a source file is not UTF-8",
    explanation="""\
Python files and manifests are read as UTF-8, whatever the machine's locale or an encoding cookie says. Save the
file as UTF-8.""",
    skips=True,
)


LINK_TO_FOLDER = Code(
    id="TC207",
    severity=Severity.ERROR,
    title="a symbolic link leads to a folder",
    explanation="""\
A link to a regular file inside the layer is shipped as that file's content. A linked folder is not: the same files
would stand in the bundle twice, and a change behind the link would change a tool whose folder nobody touched. Copy
the folder to where the link stands, or add what it leads to as a layer of its own.""",
    skips=True,
)

NAME_UNREADABLE = Code(
    id="TC208",
    severity=Severity.ERROR,
    title="a file's name has characters nobody can read",
    explanation="""\
The name is not UTF-8, or it has a control, bidirectional or other invisible character. A reviewer would read
another path than the one that is shipped, and other systems could not hold it. Rename the file.""",
    skips=True,
)

TOO_DEEP = Code(
    id="TC209",
    severity=Severity.ERROR,
    title="a tool's folder is nested too deep",
    explanation="""\
A tool's folder is shipped whole, down to eight folders below it. Deeper trees are nearly always something that was
not meant to ship: an unpacked archive, an installed environment. Move it out of the tool's folder.""",
    skips=True,
)

TOO_MANY_FILES = Code(
    id="TC210",
    severity=Severity.ERROR,
    title="a tool's folder has too many files",
    explanation="""\
A tool's folder is shipped whole, every file named in the lock, up to 10,000 of them. Move what the tool does not
need out of its folder; data of that size belongs where the tool can fetch it.""",
    skips=True,
)

NAME_PRIVATE = Code(
    id="TC220",
    severity=Severity.NOTE,
    title="a Python file whose name begins with `_` is not searched for tools",
    explanation="""\
`_helpers.py` and `__init__.py` are for other files to import. Tools are looked for in every other `.py` file of the
layer. What a tool file imports is shipped with it. To make its functions tools, rename the file.""",
    skips=True,
)

NOT_A_TOOL = Code(
    id="TC221",
    severity=Severity.NOTE,
    title="a file in a layer is not a tool",
    explanation="""\
In a layer, `.py` files are searched for tools, and a folder with a `tool.json` is one. Everything else is passed
over, and named, so that nothing is missing unnoticed.""",
    skips=True,
)

OTHER_LANGUAGE = Code(
    id="TC222",
    severity=Severity.NOTE,
    title="a program in another language is not a tool by itself",
    explanation="""\
Only Python files are compiled from their source. Any other program becomes a tool with a manifest, in a folder of
its own:

    greet/tool.json   {"name": "greet", "description": "Greet someone.", "command": "node greet.js"}
    greet/greet.js    reads the arguments as one JSON object from its standard input""",
    skips=True,
)

FOLDER_WITHOUT_MANIFEST = Code(
    id="TC223",
    severity=Severity.NOTE,
    title="a folder in a layer has no tool.json",
    explanation="""\
A folder is a tool where it holds a file named exactly `tool.json`. Folders are not searched for Python tools: those
stand in the layer itself. A folder of modules that tool files import is shipped with them.""",
    skips=True,
)

NEAR_MISS_MARKER = Code(
    id="TC224",
    severity=Severity.NOTE,
    title="a file is nearly a manifest",
    explanation="""\
A manifest is a file named exactly `tool.json`, in a folder of the layer that is named as the tool:

    <layer>/<name>/tool.json   {"name": "<name>", "description": "...", "command": "..."}

Other markers, `tools.json`, `Tool.json`, `manifest.json`, `SKILL.md`, belong to other systems and are not read.""",
    skips=True,
)

MANIFEST_TOO_DEEP = Code(
    id="TC225",
    severity=Severity.NOTE,
    title="a tool.json stands too deep in a layer",
    explanation="""\
A manifest is found at `<layer>/<name>/tool.json`, one folder below the layer and no deeper. Move the tool's folder
up, or make the folder that holds it a layer of its own:

    [[layers]]
    name = "group"
    path = "tools/group\"""",
    skips=True,
)

NOT_SHIPPED = Code(
    id="TC226",
    severity=Severity.NOTE,
    title="a file of a tool's folder is left out of the bundle",
    explanation="""\
A tool's folder is shipped whole, but for version control data, caches, leftovers of editors, and what is likely to
hold a secret: `.env`, `*.pem`, `*.key`, `id_rsa` and their kind. A bundle is copied and reviewed; secrets reach a
tool through variables that its manifest names under `env`.""",
    skips=True,
)

DESCRIBES_ITSELF = Code(
    id="TC228",
    severity=Severity.NOTE,
    title="a program describes itself in another system's way",
    explanation="""\
Comments such as `# @option`, or an answer that the program gives when it is run with `TOOLBOX_ACTION=describe`, are how
other systems learn what a program takes. A build runs nothing, and reads one form:

    greet/tool.json   {"name": "greet", "description": "Greet someone.", "parameters": {...}, "command": "./greet.sh"}
    greet/greet.sh    reads the arguments as one JSON object from its standard input""",
    skips=True,
)

KIND_NOT_SEARCHED = Code(
    id="TC227",
    severity=Severity.NOTE,
    title="the layer's kind leaves a file out",
    explanation="""\
The config limits this layer to one kind of tool: with `kind = "python"` no manifest is read, with `kind =
"manifest"` no Python file. Set `kind = "auto"` to take both.""",
    skips=True,
)
