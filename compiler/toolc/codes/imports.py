"""The codes of what a Python file imports and brings along (TC46x)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

IMPORT_NOT_DECLARED = Code(
    id="TC460",
    severity=Severity.WARNING,
    title="an imported module will not be in the bundle",
    explanation="""\
A bundle holds the layer's own modules that a tool imports, and no packages. What is installed on this machine may be
missing where the tool runs, and a call would fail, naming the module. Put the module into the layer, or have its
package in the host's own Python, which runs its tools, as that of `toolc run` does. A wrapper has the standard library
alone, so there the tool fails.

Where it is there, `[dependencies]` in `toolc.toml`, or a `# /// script` block, says that the tool counts on it:

    [dependencies]
    default = ["httpx>=0.28"]""",
)

IMPORT_OF_HOST = Code(
    id="TC461",
    severity=Severity.WARNING,
    title="a tool imports the host's own modules",
    explanation="""\
A bundle runs without the host's code; only the decorator is provided, as `aru.plugins.tool` and `toolc.tool`. A call
that needs anything else of the host fails. Take what the tool needs as a parameter, or do without it.""",
)

RELATIVE_IMPORT = Code(
    id="TC462",
    severity=Severity.WARNING,
    title="a relative import leads out of its layer",
    explanation="""\
Each leading dot after the first goes one package up, and the layer is where that ends: what lies beside it is not in a
bundle. A file directly in the layer reaches its neighbours by `import helpers` or `from .helpers import x`.""",
)

FILE_WITHOUT_INCLUDE = Code(
    id="TC463",
    severity=Severity.WARNING,
    title="a tool looks for files that may not be shipped",
    explanation="""\
The file uses `__file__`, most often to read something that lies beside it. A bundle holds the modules a tool imports,
and beyond them only what is named:

    [tools.render]
    include = ["templates/*.txt"]""",
)

INCLUDE_LEAVES_LAYER = Code(
    id="TC464",
    severity=Severity.ERROR,
    title="`include` leads out of the layer",
    explanation="""\
A bundle holds files of its layers only, so that a config cannot pull in what lies elsewhere on the machine. Write the
pattern relative to the layer's folder, without `..`.""",
)

INCLUDE_WITHOUT_FILES = Code(
    id="TC465",
    severity=Severity.ERROR,
    title="`include` matches no file",
    explanation="""\
The tool would be shipped without the files it is said to need. `*` matches within one folder, `**` any number of
folders, and neither a name that begins with a dot.""",
)

SCRIPT_NOT_INSTALLED = Code(
    id="TC467",
    severity=Severity.WARNING,
    title="the packages of a script block are neither locked nor installed",
    explanation="""\
The block says which packages the file counts on, but this version of toolc locks and installs none. Have them in the
host's own Python, which runs its tools, as that of `toolc run` does; a wrapper has the standard library alone. A tool
that imports a missing one fails when it is called, naming the module.""",
)

SCRIPT_BLOCK = Code(
    id="TC466",
    severity=Severity.ERROR,
    title="the script block of a file cannot be read",
    explanation="""\
A block of comments from `# /// script` to `# ///` holds TOML that names the file's dependencies:

    # /// script
    # dependencies = ["httpx>=0.28"]
    # ///""",
)
