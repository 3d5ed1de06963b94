"""The codes of Python files (TC4xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

# ------------------------------------------------------------------------------------------------- reading the file

SYNTAX_ERROR = Code(
    id="TC401",
    severity=Severity.ERROR,
    title="a Python file is not Python",
    explanation="""\
The Python that runs the build cannot parse the file, so nothing is known of its tools. The file's stem counts as a
name it claims: leaving the file out must not let a tool of a lower layer slip into its place. Mend the line shown.""",
    skips=True,
)

NEWER_SYNTAX = Code(
    id="TC402",
    severity=Severity.ERROR,
    title="a Python file needs a newer Python than the build's",
    explanation="""\
Files are parsed by the Python that runs the build, which does not know this syntax. Run the build with the version
named, or write it in the older way: `Name = list[int]` for `type Name = list[int]`.""",
    skips=True,
)

ENCODING_COOKIE = Code(
    id="TC403",
    severity=Severity.ERROR,
    title="a Python file declares another encoding than UTF-8",
    explanation="""\
Python files are read as UTF-8 on every machine. Another encoding in the first lines would make Python read other text
than the build has compiled. Save the file as UTF-8 and remove the line `# -*- coding: ... -*-`.""",
    skips=True,
)

TOO_COMPLEX = Code(
    id="TC404",
    severity=Severity.ERROR,
    title="a Python file is larger or deeper than a build parses",
    explanation="""\
Parsing takes memory and stack in proportion to the code, and a build must stay small on any input. A file may have
100,000 words and signs, and nest as deep as Python itself allows. Move data into a file of its own, and read it when
the tool is called.""",
    skips=True,
)

MODULE_NAME = Code(
    id="TC405",
    severity=Severity.ERROR,
    title="a Python file's name is no module name",
    explanation="""\
A tool is found at run time as a function of a module, and a dot in a module's name means a package. Rename the file:
`word.count.py` becomes `word_count.py`.""",
    skips=True,
)

IMPORT_STOPPED = Code(
    id="TC406",
    severity=Severity.ERROR,
    title="a file that its layer wants imported cannot be",
    explanation="""\
The layer says `introspect = "import"`, so each of its tool files is imported to learn what its source does not tell:
in a process of its own, with a copy of the files that would ship, a temporary folder to work in, no network, no input,
and none of your environment but `PATH`. What it prints is forgotten and what it leaves running is killed. Here that
process did not come to an end with an answer: the file raised an exception, ended the process, or took more time or
memory than it may. Mend what the message names: a module that is not found has to be installed beside toolc. Work that
takes long, or needs variables or a network, belongs into the function, where it is done when the tool is called.""",
)

IMPORT_DISAGREES = Code(
    id="TC407",
    severity=Severity.ERROR,
    title="a tool's source says one thing, and importing it another",
    explanation="""\
Under `introspect = "import"` a tool is read twice, from its source and from what the file is once it is imported.
Where the source tells nothing, the import's answer is taken. Where both tell something, it has to be the same: a
reviewer has read the source, and the model would be told something else. Most often a decorator or a later assignment
changes the function. Write in the source what is meant, or leave out there what is decided elsewhere.""",
)

IMPORT_UNSTEADY = Code(
    id="TC408",
    severity=Severity.ERROR,
    title="importing a file twice gives two answers",
    explanation="""\
Each file of a layer with `introspect = "import"` is imported twice, in two processes, because a lock must not depend on
chance. A default or a description that differs each time (a random number, a temporary folder, the order of a set)
cannot stand in it. Compute the value inside the function, and use `None` as the default. What differs only from machine
to machine is not noticed here, and makes the lock stale there.""",
)

LAYER_IMPORTED = Code(
    id="TC409",
    severity=Severity.NOTE,
    title="the files of a layer are executed",
    explanation="""\
The layer says `introspect = "import"`, so this run has imported its tool files and what they import. Whoever can change
these files or toolc.toml decides what that executes, with the rights of whoever runs toolc: the process is kept from
your environment and from the network as far as the system allows, and it is no prison. The lock records the setting,
for review. Where nothing is to be executed, leave it out; signatures are then read from the source.""",
    told=True,
)

# -------------------------------------------------------------------------------------------- which functions are tools

NO_TOOLS = Code(
    id="TC410",
    severity=Severity.NOTE,
    title="no function of a file is a tool",
    explanation="""\
A function is a tool if it stands at the top level of its file and is decorated with `tool`, or is public and annotated
`-> str`:

    def word_count(text: str) -> str:
        \"\"\"Count the words of a text.\"\"\"
        return str(len(text.split()))

A file whose name begins with `_` is not searched, which keeps helpers quiet.""",
    skips=True,
)

PASSED_OVER = Code(
    id="TC411",
    severity=Severity.NOTE,
    title="a public function is no tool",
    explanation="""\
The file has tools, and this function is not one of them, for the reason given. To make it one, annotate it `-> str` or
decorate it with `tool` from `toolc` or `aru.plugins`, in the file that defines it. To silence the note, begin its name
with `_`.""",
)

NOT_TOP_LEVEL = Code(
    id="TC412",
    severity=Severity.WARNING,
    title="a tool decorator stands on something that cannot be a tool",
    explanation="""\
A tool is called by its module and its name, so only functions at the top level of a file can be tools: no methods, no
functions inside functions or loops, nothing that only a type checker sees. Move it to the top level.""",
)

REDEFINED = Code(
    id="TC413",
    severity=Severity.WARNING,
    title="a tool is defined twice in one file",
    explanation="""\
As in Python, the later definition replaces the earlier one, which can never be called. Remove one of them, or give it
another name.""",
)

REBOUND = Code(
    id="TC414",
    severity=Severity.WARNING,
    title="a tool's name is given another meaning",
    explanation="""\
After the function is defined, its name is assigned, imported or deleted, so that at run time the name is no longer this
function, and what it is cannot be read from the source. Give the other thing another name, or use a decorator.""",
)

BRANCHES_DIFFER = Code(
    id="TC415",
    severity=Severity.ERROR,
    title="what a tool is depends on a condition",
    explanation="""\
The tool is defined in one branch of an `if` or `try` and not, or otherwise, in another, and the build cannot decide
which one runs. Tests of `sys.version_info` (against the oldest Python the toolset runs on) and `TYPE_CHECKING` are
decided; anything else is up to the machine. Define the tool once, and decide in its body.""",
)

ALL_NAMES_NOTHING = Code(
    id="TC416",
    severity=Severity.ERROR,
    title="`__all__` names something the file does not define",
    explanation="""\
A literal `__all__` says which functions of the file are tools. A name in it that nothing defines is most often a
misspelling, which would silently drop a tool.""",
)

ALL_NOT_LITERAL = Code(
    id="TC417",
    severity=Severity.WARNING,
    title="`__all__` is not a literal",
    explanation="""\
Nothing of the file is executed, so an `__all__` that is computed cannot narrow its tools: it is taken as absent. Write
it as a list of strings.""",
)

CONTEXT_MANAGER = Code(
    id="TC418",
    severity=Severity.ERROR,
    title="a context manager is decorated as a tool",
    explanation="""\
Calling a function that `contextlib.contextmanager` decorates gives an object for `with`, and no result. Write a
function that uses it, and decorate that one.""",
)

OTHER_FORM = Code(
    id="TC419",
    severity=Severity.NOTE,
    title="a tool is written in another framework's form",
    explanation="""\
Classes with a method that runs, methods that a framework's decorator collects, and dictionaries such as `TOOL_SPEC` are
how other frameworks take tools. Here a tool is a function, and its schema is read from its parameters:

    @tool
    def read_object(bucket: str, key: str) -> str:
        \"\"\"Read an object of a bucket.\"\"\"
        return Reader().run(bucket, key)

Nothing is translated, because a guess would be locked as if it were meant.""",
)

# --------------------------------------------------------------------------------------------- the tool and its name

TOOL_NAME = Code(
    id="TC420",
    severity=Severity.ERROR,
    title="a tool's name is not one that every provider takes",
    explanation="""\
The name of a tool has 1 to 64 characters, ASCII letters, digits, `_` and `-`, and begins with a letter or `_`. That is
what every provider accepts. Give the function another name, or only the tool: `@tool(name="translate")`.""",
)

NAME_FOLDED = Code(
    id="TC421",
    severity=Severity.ERROR,
    title="a function's name is written in look-alike characters",
    explanation="""\
Python folds compatible characters, such as full-width letters, to plain ones: the function has another name than the
one a reader sees, and could so take the place of another tool. Write the plain name.""",
)

OPTION_UNKNOWN = Code(
    id="TC422",
    severity=Severity.ERROR,
    title="the tool decorator has no such argument",
    explanation="""\
`tool` takes `description`, `override`, `name`, `timeout`, `permission`, `background` and `annotations`; the description
may also stand first, without its name. An argument that is misspelt would otherwise be lost without a word.""",
)

OPTION_NOT_LITERAL = Code(
    id="TC423",
    severity=Severity.ERROR,
    title="an argument of the tool decorator cannot be read from the source",
    explanation="""\
Nothing of the file is executed, so the arguments of `tool` are literals, or names that a literal is assigned to once:

    LIMIT = 30

    @tool(description="Fetch a page", timeout=LIMIT)

In a layer with `introspect = "import"` they may be computed, and are literals once they are.""",
)

OPTION_VALUE = Code(
    id="TC424",
    severity=Severity.ERROR,
    title="an argument of the tool decorator has a value it cannot have",
    explanation="""\
`description` and `name` are strings, `override` is True or False, `timeout` a number of seconds, `permission` one of
"allow", "ask" and "deny", `background` "kill" or "keep", and `annotations` a dictionary of MCP's hints: `title`,
`readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`.""",
)

# ------------------------------------------------------------------------------------------------ parameters and types

TYPE_WITHOUT_JSON = Code(
    id="TC430",
    severity=Severity.ERROR,
    title="a parameter has a type that toolc has no JSON form for",
    explanation="""\
A model sends JSON, and a type is compiled only if its values can be told from JSON without guessing: scalars and
containers, `Literal`, enums, dataclasses, `TypedDict`, `NamedTuple`, attrs and pydantic models, dates, paths and other
types of the standard library that have a usual text form, and unions and aliases of these. Use one of them, or give the
parameter a default: it is then hidden from the model.""",
)

TYPE_UNRESOLVED = Code(
    id="TC431",
    severity=Severity.ERROR,
    title="a parameter's type cannot be told from the source",
    explanation="""\
Types are resolved from the file itself, from the modules of its layer, and from fixed tables of known names; nothing is
imported. A name that is not bound there, is bound in several ways, or is the result of a call, has no meaning that is
the same on every machine. Write the type out, or give the parameter a default: it is then hidden from the model. A
layer whose files a build may execute can say `introspect = "import"`; what its source does not tell is then asked of a
process that imports the file.""",
)

PARAMETER_HIDDEN = Code(
    id="TC432",
    severity=Severity.WARNING,
    title="a parameter is hidden from the model",
    explanation="""\
The parameter's type has no JSON form, and it has a default: the tool is compiled without it, and every call uses the
default. If the model is to give a value, choose a type that JSON has.""",
)

UNTYPED_PARAMETER = Code(
    id="TC433",
    severity=Severity.WARNING,
    title="a parameter has no type",
    explanation="""\
Without a type, any JSON value is accepted, and the model has to guess what to send. Annotate the parameter. A plain
type in the docstring, as in `limit (int): ...`, is used where there is no annotation.""",
)

CATCH_ALL = Code(
    id="TC434",
    severity=Severity.WARNING,
    title="untyped `*args` or `**kwargs` are not offered to the model",
    explanation="""\
Catch-all parameters without a type usually pass things on inside a program; offering them would let a model inject any
argument. With a type they are exposed: `*names: str` becomes an array, `**labels: str` an open object.""",
)

IMPLICIT_OPTIONAL = Code(
    id="TC435",
    severity=Severity.WARNING,
    title="a parameter has the default None and a type without it",
    explanation="""\
`limit: int = None` says two things at once. The schema accepts null, as the default does; say so in the type:
`limit: int | None = None`.""",
)

DEFAULT_NOT_STATIC = Code(
    id="TC436",
    severity=Severity.WARNING,
    title="a default cannot be shown in the schema",
    explanation="""\
A schema shows a default only if it is JSON and the same on every machine: a literal, arithmetic on literals, or a
module constant that is assigned once. Calls are not made, and the environment is not read. The parameter stays
optional, and the function applies its own default. In a layer with `introspect = "import"` the value is known, and
shown if it is JSON.""",
)

DEFAULT_OF_ANOTHER_TYPE = Code(
    id="TC437",
    severity=Severity.WARNING,
    title="a default is not of its parameter's type",
    explanation="""\
The default would be refused if a model sent it, so the schema leaves it out. The parameter stays optional, and the
function applies its own default. Change the type or the default.""",
)

PARAMETER_NAME = Code(
    id="TC438",
    severity=Severity.WARNING,
    title="a parameter's name is refused by some providers",
    explanation="""\
Some providers take only ASCII letters, digits, `_`, `.` and `-` in the names of properties, up to 64 of them. The tool
compiles, and is left out where a provider cannot carry it. Rename the parameter.""",
)

ITERATOR_PARAMETER = Code(
    id="TC439",
    severity=Severity.WARNING,
    title="an iterator parameter gets a list",
    explanation="""\
JSON has arrays, which arrive as lists: `for` works on them, `next` does not. Say what arrives: `Iterable[...]` or
`list[...]`.""",
)

QUALIFIER = Code(
    id="TC440",
    severity=Severity.WARNING,
    title="a type qualifier means nothing on a parameter",
    explanation="""\
`Final`, `ClassVar`, `Required`, `NotRequired` and `ReadOnly` belong on attributes and on keys. On a parameter the type
inside counts; write that one alone.""",
)

RETURN_TYPE = Code(
    id="TC441",
    severity=Severity.NOTE,
    title="a return type has no JSON form",
    explanation="""\
A tool may return anything: what is returned becomes text. Only a type with a JSON form gives an output schema, which
hosts can use to read structured results.""",
)

PARAMETER_INJECTED = Code(
    id="TC442",
    severity=Severity.NOTE,
    title="a parameter is for a framework to fill in",
    explanation="""\
The parameter has a type or a marker by which a framework recognises what it supplies itself, such as `Context` of
FastMCP. A model is never asked for it. It has a default, which every call uses, since no framework is there. A
parameter `context: ToolContext`, with `from toolc import ToolContext`, is told the tool's name, the call's id, its
working directory and its deadline.""",
)

INJECTED_REQUIRED = Code(
    id="TC443",
    severity=Severity.ERROR,
    title="a parameter needs what nothing can supply",
    explanation="""\
The parameter is for a framework to fill in, and it has no default: without that framework there is nothing to call the
function with. Give it a default, as in `ctx: Context | None = None`, or ask for what toolc supplies:

    from toolc import ToolContext

    def report(text: str, context: ToolContext) -> str: ...""",
)

PROPERTY_TWICE = Code(
    id="TC444",
    severity=Severity.ERROR,
    title="two parameters have one name in JSON",
    explanation="""\
An alias, or a key of `**options: Unpack[...]`, is also the name of another parameter, and an argument could not be told
to be for one or the other. Give one of them another name.""",
)

CONSTRAINT_NOT_ENFORCED = Code(
    id="TC445",
    severity=Severity.WARNING,
    title="a constraint of a parameter is not enforced",
    explanation="""\
A function is called with what its schema accepts, and a schema cannot say everything that `Annotated` can: validators,
predicates, digits of a decimal number, the cut of blank space. A pattern that refers back to a group, or looks ahead or
behind, is shown to the model and not checked, since it may take time without end. A pydantic model applies all of this
to its own fields; for a parameter, check the value in the tool.""",
)

SCHEMA_REFUSED = Code(
    id="TC446",
    severity=Severity.ERROR,
    title="the schema of a parameter cannot be checked at a call",
    explanation="""\
A pattern is no regular expression, or a keyword that `json_schema_extra` adds does not have a value it takes. The
runtime would not know what to accept. Change what the message names.""",
)

TOO_LARGE = Code(
    id="TC447",
    severity=Severity.ERROR,
    title="what a tool takes grows beyond any use",
    explanation="""\
A few lines can stand for a schema of any size: an alias that repeats an alias doubles it, an enum is written out
wherever it is used, and a generic model may need ever new copies of itself. A type may have 10,000 parts and be 64
types deep, the types and defaults of a file 100,000 parts together, a tool 1,000 parameters, and a file 1,000 tools
and 250 modules of its layer that it imports. No model could use more. Take a plain `str`, or split the file.""",
)

# ------------------------------------------------------------------------------------------------------- descriptions

NO_DESCRIPTION = Code(
    id="TC450",
    severity=Severity.WARNING,
    title="a tool has no description",
    explanation="""\
The description is what a model decides by. Without one the tool's name stands in for it. Begin the function with a
docstring, or give `@tool(description=...)`: say when to use the tool and what it returns.""",
)

DOCUMENTED_UNKNOWN = Code(
    id="TC451",
    severity=Severity.WARNING,
    title="a docstring describes a parameter that is not there",
    explanation="""\
The description is lost; often a parameter was renamed, and its docstring was not. Rename the entry, or remove it.""",
)

DOCUMENTED_TYPE = Code(
    id="TC452",
    severity=Severity.WARNING,
    title="a docstring gives a parameter another type",
    explanation="""\
Where the docstring and the annotation disagree, the annotation counts. Mend the docstring, or leave its type out.""",
)

FORBIDDEN_CHARACTER = Code(
    id="TC453",
    severity=Severity.ERROR,
    title="text for the model holds a character nobody can see",
    explanation="""\
Zero-width, bidirectional, tag, private-use and control characters can hide one text behind another: a reviewer reads
this, a model reads that. No description needs them. Remove the character at the place shown.""",
)

DOUBTFUL_CHARACTER = Code(
    id="TC454",
    severity=Severity.WARNING,
    title="text for the model holds an invisible character without effect",
    explanation="""\
Joiners, direction marks and variation selectors belong in some scripts and in emoji; where this one stands it does
nothing a reader could see. Remove it.""",
)
