"""The codes of manifests (TC3xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

MANIFEST_NOT_JSON = Code(
    id="TC301",
    severity=Severity.ERROR,
    title="a manifest is not strict JSON",
    explanation="""\
`tool.json` is read as strict JSON, so that it means one thing to every reader: no comments, no trailing commas, no
`NaN`, no key twice in one object, no half of a surrogate pair, no nesting deeper than 64 levels. The place is the
first that is not JSON.""",
    skips=True,
)

MANIFEST_NOT_OBJECT = Code(
    id="TC302",
    severity=Severity.ERROR,
    title="a manifest is not an object",
    explanation="""\
A manifest is one JSON object:

    {"name": "grep", "description": "Search files.", "parameters": {"type": "object"}, "command": "python3 run.py"}

Several tools are several folders, each with a `tool.json` of its own.""",
    skips=True,
)

MANIFEST_KEY_MISSING = Code(
    id="TC303",
    severity=Severity.ERROR,
    title="a manifest lacks its name, description or command",
    explanation="""\
`name`, `description` and `command` are required and not blank: the model calls the tool by its name, decides by its
description, and the command is what runs.""",
    skips=True,
)

MANIFEST_VALUE = Code(
    id="TC304",
    severity=Severity.ERROR,
    title="a key of a manifest has a value it does not take",
    explanation="""\
Each key takes one kind of value, which the message names: `name`, `description` and `command` are strings
(`command` may be a list of strings), `timeout` a number of seconds, `env` a list of names, `annotations` an object.
Nothing is converted. `toolc schema tool` prints the whole form, for editors too.""",
    skips=True,
)

MANIFEST_NAME = Code(
    id="TC305",
    severity=Severity.ERROR,
    title="a manifest's name is not in kebab-case",
    explanation="""\
A manifest's name is 1 to 64 lower-case letters and digits, in parts joined by single hyphens: `run-linter`. It is
also the name of the folder, and of the wrapper in the bundle.""",
    skips=True,
)

MANIFEST_NAME_NOT_FOLDER = Code(
    id="TC306",
    severity=Severity.ERROR,
    title="a manifest's name is not its folder's",
    explanation="""\
The manifest of the tool `grep` is `grep/tool.json`. Where the two differ it is not certain which tool was meant,
and a reader who looks for one would not find it. Rename the folder, or change `name`.""",
    skips=True,
)

MANIFEST_KEY_UNKNOWN = Code(
    id="TC307",
    severity=Severity.WARNING,
    title="a key is not one a manifest has",
    explanation="""\
The key has no effect. The keys are `name`, `description`, `parameters` (or `inputSchema`), `command`, `timeout`,
`env`, `permission`, `background` and `annotations`; in `annotations`, `title`, `readOnlyHint`, `destructiveHint`,
`idempotentHint` and `openWorldHint`.""",
)

MANIFEST_DIALECT = Code(
    id="TC308",
    severity=Severity.ERROR,
    title="a manifest is written in another system's form",
    explanation="""\
Files named `tool.json` exist in several forms. This one looks like another: a function wrapped as providers want
it, `input_schema`, `args` beside a command, the address of a server, several tools in one file, or parameters as a
plain map of names. Nothing is translated, because a guess would be locked as if it were meant. `parameters` is JSON
Schema:

    "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}""",
    skips=True,
)

MANIFEST_KEY_TWICE = Code(
    id="TC309",
    severity=Severity.ERROR,
    title="a manifest states its parameters twice",
    explanation="""\
`inputSchema` is another spelling of `parameters`. With both, two readers could take two different schemas. Keep
one.""",
    skips=True,
)

MANIFEST_PERMISSION = Code(
    id="TC310",
    severity=Severity.ERROR,
    title="a manifest's permission is not a level",
    explanation="""\
`permission` is `allow`, `ask` or `deny`, in exactly this spelling. It can only make stricter what the project says.""",
    skips=True,
)

MANIFEST_ENV_VALUE = Code(
    id="TC311",
    severity=Severity.ERROR,
    title="a manifest gives a variable a value",
    explanation="""\
`env` is a list of names: `"env": ["API_TOKEN"]`. The values come from the host's environment when the tool is
called, and are never stored: a manifest is committed, reviewed and shipped. If the value is a secret, replace it
where it is used: it may already be in the history of the repository.""",
    skips=True,
)

MANIFEST_TOLERATED = Code(
    id="TC312",
    severity=Severity.NOTE,
    title="a manifest is not quite in form, and is understood",
    explanation="""\
Spaces around the name, a description longer than 1,024 characters and parameters without `"type": "object"` are
read as they were meant, as PequeRoku reads them. A description that long is cut there, and costs tokens everywhere.""",
)

PARAMETERS_SCHEMA = Code(
    id="TC320",
    severity=Severity.ERROR,
    title="a keyword of the parameters has a value it does not take",
    explanation="""\
`parameters` is JSON Schema 2020-12, and this keyword is not used as it says. A schema that a validator cannot read
would let anything through. What was correct in an older draft may not be: `items` as a list is `prefixItems`,
`exclusiveMinimum` is the number itself, `required` is a list of names beside `properties`.""",
    skips=True,
)

PARAMETERS_OLD_FORM = Code(
    id="TC321",
    severity=Severity.WARNING,
    title="the parameters use a form of an older draft or of OpenAPI",
    explanation="""\
`parameters` is read as JSON Schema 2020-12. `definitions` is now `$defs`; `dependencies` is `dependentRequired` or
`dependentSchemas`; `additionalItems` is `items` beside `prefixItems`; `"nullable": true` is `"type": ["string",
"null"]`. What has no meaning in 2020-12 is not enforced; a `$schema` of another draft is left out of the lock.""",
)

PARAMETERS_TOO_LARGE = Code(
    id="TC322",
    severity=Severity.ERROR,
    title="the parameters are larger than a model or a validator can use",
    explanation="""\
A schema may have 10,000 values, counted again wherever a reference repeats them; an `enum` 2,000, a pattern 512
characters, any other string 65,536. Larger ones cost more tokens than any call is worth, or more time to check than
a call may take.""",
    skips=True,
)

PARAMETERS_REFERENCE = Code(
    id="TC323",
    severity=Severity.ERROR,
    title="a reference in the parameters leads nowhere",
    explanation="""\
A schema is complete in itself: `$ref` names a place in the same schema, `#/$defs/point`. Nothing is fetched from
the web or read from other files, at build or at a call. `$dynamicRef` and `$recursiveRef` are not supported. Copy
what the reference leads to under `$defs`.""",
    skips=True,
)

PARAMETERS_REFUSED = Code(
    id="TC324",
    severity=Severity.ERROR,
    title="the parameters cannot be checked at a call",
    explanation="""\
The schema is well formed, and yet the runtime cannot check arguments against it: a reference goes round in a circle
without ever looking at a value, or a pattern is no regular expression. Change what the message names.""",
    skips=True,
)

PATTERN_NOT_ENFORCED = Code(
    id="TC325",
    severity=Severity.WARNING,
    title="a pattern of the parameters is not enforced",
    explanation="""\
The model sees the pattern; the runtime does not check it. A pattern that refers back to a group, or looks ahead or
behind, may take time without end on a few dozen characters, and arguments come from a model. Write it without, or check
the value in the tool.""",
)

MANIFEST_TEXT_FORBIDDEN = Code(
    id="TC330",
    severity=Severity.ERROR,
    title="a text of a manifest has a character nobody can see",
    explanation="""\
The model reads what a reviewer cannot: tag characters spell hidden instructions, bidirectional controls show a text
in another order than it has, control characters act on the terminal. They are refused in names, descriptions,
everything inside `parameters`, and commands. Remove the character, or write out what it stood for.""",
    skips=True,
)

MANIFEST_TEXT_DOUBTFUL = Code(
    id="TC331",
    severity=Severity.WARNING,
    title="a text of a manifest has an invisible character without effect",
    explanation="""\
Joiners, variation selectors, soft hyphens and direction marks belong in some scripts and in emoji, where they pass.
Here the character changes nothing that can be seen. It is probably left over from copying; remove it.""",
)

COMMAND_NEEDS_SHELL = Code(
    id="TC340",
    severity=Severity.WARNING,
    title="a command needs a shell",
    explanation="""\
A command of plain words is run as it is. This one has something only a shell understands, so it is run as `sh -c`,
and the lock shows it that way. A shell brings quoting, expansion and its own failures; a script in the tool's
folder, or a list of words, is easier to review:

    "command": ["python3", "run.py"]""",
)

COMMAND_SEVERAL = Code(
    id="TC341",
    severity=Severity.WARNING,
    title="a command is several commands in a row",
    explanation="""\
The arguments are on the standard input of the whole, once. The first command that reads takes all of it, and those
after it find nothing; PequeRoku gives it to the first command alone, even to a `cd`. Put the commands into a
script, and read the arguments there. The command already starts in the tool's folder: a `cd` into it is not needed.""",
)

COMMAND_IN_BACKGROUND = Code(
    id="TC342",
    severity=Severity.WARNING,
    title="a later command in the background does not get the arguments",
    explanation="""\
A command that starts with a job in the background (`setsid ./job.sh &`) hands the arguments to that job. A job that
comes after another command gets an empty standard input, as a shell does it. Keep the input open for it:

    "command": "exec 3<&0; echo started; setsid ./job.sh <&3 >/dev/null 2>&1 &\"""",
)

PROGRAM_NOT_FOUND = Code(
    id="TC343",
    severity=Severity.WARNING,
    title="a command's program is not found",
    explanation="""\
The program is looked up when the tool is called: a plain word on the PATH, `./run.sh` in the tool's folder as
shipped. On this machine it is not there. Where the tool runs it may be; if it is not, the call ends as
`spawn-error`. This changes nothing in the lock.""",
)

PROGRAM_NOT_EXECUTABLE = Code(
    id="TC344",
    severity=Severity.WARNING,
    title="a command's program is not executable",
    explanation="""\
The file is in the tool's folder, without the permission to run it, and the bundle keeps it that way. Run `chmod +x`
on it (and `git update-index --chmod=+x`, so that a checkout has it too), or name its interpreter: `"command": "sh
run.sh"`.""",
)

SCRIPT_FIRST_LINE = Code(
    id="TC345",
    severity=Severity.WARNING,
    title="a script's first line does not name its interpreter",
    explanation="""\
The system starts a script by its first line, `#!/usr/bin/env python3`: at the very beginning of the file, ended by
a line feed alone. Without it, or with a carriage return behind it, the file cannot be run, and the error names
something else. Mend the line, or name the interpreter in the command.""",
)

COMMAND_UNUSABLE = Code(
    id="TC346",
    severity=Severity.ERROR,
    title="a command cannot be run on any machine",
    explanation="""\
A quote is never closed, the first word is empty, or the command is longer than 100 KiB, which systems refuse. Put
long texts into a file of the tool's folder; the arguments arrive on standard input.""",
    skips=True,
)

COMMAND_PLACEHOLDER = Code(
    id="TC347",
    severity=Severity.WARNING,
    title="a command has a placeholder that nothing fills in",
    explanation="""\
The words of a list are given to the program as they are written. `${NAME}` is not replaced: that is a shell's work. In
a command that is one text the shell does replace it, by nothing where the tool is not given the variable; `env` names
those it is given. `{{name}}` is no one's to replace. Write the value, or have the program read the variable.""",
)

COMMAND_LEAVES_FOLDER = Code(
    id="TC348",
    severity=Severity.ERROR,
    title="a command names a path outside the tool's folder",
    explanation="""\
A tool is its folder: that is what is hashed, locked and shipped. `../other/run.sh` would not be in the bundle, and
a change to it would go unseen. Copy the file into the folder. What belongs to the project the host works in is
found through the variable `TOOLC_HOST_CWD`.""",
    skips=True,
)

COMMAND_CLIMBS = Code(
    id="TC349",
    severity=Severity.WARNING,
    title="a command goes to a folder above the tool's",
    explanation="""\
A command starts in the tool's folder of the bundle, and above that is the bundle, not the project. The folder the
host works in is in the variable `TOOLC_HOST_CWD`.""",
)

COMMAND_NOT_PORTABLE = Code(
    id="TC350",
    severity=Severity.ERROR,
    title="a command names a path of one Windows machine",
    explanation="""\
A path with a drive or a share, `C:\\Tools\\run.exe`, is on one machine and in no bundle, and where toolsets run it is a
file name like any other. Copy the file into the tool's folder and write its path from there. What belongs to the
project the host works in is found through the variable `TOOLC_HOST_CWD`.""",
    skips=True,
)
