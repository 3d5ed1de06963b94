"""Rules about what runs when a tool is called: T501 to T521."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

CODE_CHANGED = Rule(
    id="T501",
    name="code-changed",
    title="the code of a tool changed under this project's own review",
    callers=Verdict.INFO,
    explanation="""\
A file of a layer of this project has other content. Its difference is in the same change that you review, so there is
nothing more to decide here; a verdict that fires on every change would only teach people to ignore it.
""",
)

FOREIGN_CODE_CHANGED = Rule(
    id="T502",
    name="foreign-code-changed",
    title="the code of a tool changed outside this project's review",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
A file of a vendored layer, of one under `~`, or of one outside the project has other content, and what a model reads of
the tool does not show it. Read the difference of the file where it comes from; the digests of both sides are given.
""",
)

CODE_REFORMATTED = Rule(
    id="T503",
    name="code-reformatted",
    title="only comments, docstrings or the layout of a file changed",
    callers=Verdict.INFO,
    explanation="""\
Both files were at hand, and what Python makes of them is the same but for docstrings; of JSON, the value is the same.
Files that look at their own text, docstrings or lines are never judged so. A docstring that is a tool's description is
T301 as well.
""",
)

SHARED_CODE_CHANGED = Rule(
    id="T504",
    name="shared-code-changed",
    title="a file that several tools run changed",
    callers=Verdict.INFO,
    explanation="""\
As T501 and T502, listed once with every tool that it can change. The layer of the file decides how it is judged:
outside this project's review it is risky for callers and for security.
""",
)

ENTRY_POINT_CHANGED = Rule(
    id="T505",
    name="entry-point-changed",
    title="another function is run",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
The tool is now another function, or one of another module. Its schema may be the same, and everything it does another.
""",
)

ARGV_CHANGED = Rule(
    id="T506",
    name="argv-changed",
    title="another command line is run",
    callers=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
An option more or less can change everything a program does. Where the program itself, the first word, is another one
it is breaking for security.
""",
)

SHELL_INTRODUCED = Rule(
    id="T507",
    name="shell-introduced",
    title="a shell runs the command now",
    callers=Verdict.INFO,
    security=Verdict.BREAKING,
    guarded=True,
    explanation="""\
`sh -c`, `cmd /c`, `powershell -Command`, `env -S` and their kind read a text as a program: whatever reaches that text
runs, and a reviewer has to read it as code. Arguments arrive on stdin and are never pasted into it; keep it so. Write
the command as plain words, or move the script into a file of the tool. This rule can be lowered only with
`allow-security-downgrade`.
""",
)

KIND_CHANGED = Rule(
    id="T508",
    name="kind-changed",
    title="a Python tool became a command, or a command a Python tool",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    security=Verdict.BREAKING,
    explanation="""\
Another program runs in another way: in a worker that hands over typed arguments, or as a process of its own in the
tool's folder, with the arguments as JSON on stdin. Review the tool as a new one.
""",
)

TIMEOUT_DECREASED = Rule(
    id="T509",
    name="timeout-decreased",
    title="calls have less time",
    callers=Verdict.RISKY,
    explanation="""\
Calls that took between the two bounds ended well before and end as `timeout` now.
""",
)

TIMEOUT_INCREASED = Rule(
    id="T510",
    name="timeout-increased",
    title="calls have more time",
    callers=Verdict.INFO,
    explanation="""\
Nothing that ended in time fails. A call that hangs holds its caller for longer.
""",
)

ENVIRONMENT_CHANGED = Rule(
    id="T513",
    name="environment-changed",
    title="a tool runs with another set of packages",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    explanation="""\
The tool moved to another environment of `[dependencies]`, or to none: other packages, or other versions of them. The
environment has to be installed where the tool runs.
""",
)

MODE_OF_FILE_CHANGED = Rule(
    id="T514",
    name="executable-bit-changed",
    title="a file became executable, or is no longer",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
A file that became executable can be started by name; one that no longer is fails where something starts it. Git shows
this as a change of mode alone, which is easy to miss.
""",
)

SOURCES_CHANGED = Rule(
    id="T515",
    name="sources-changed",
    title="other files can change a tool",
    callers=Verdict.INFO,
    security=Verdict.RISKY,
    explanation="""\
The list of files whose content belongs to the tool is another one, though the files themselves are not new: an import,
an `include` of `[tools.NAME]`. What is not in the list is not verified before the tool runs.
""",
)

BACKGROUND_KEPT = Rule(
    id="T516",
    name="background-kept",
    title="what a call leaves running is kept now",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
From `kill` to `keep`: processes that a call started and that outlive it go on, with nothing that ends them.
""",
)

BACKGROUND_KILLED = Rule(
    id="T517",
    name="background-killed",
    title="what a call leaves running is ended now",
    callers=Verdict.RISKY,
    explanation="""\
From `keep` to `kill`: a server or a job that the tool starts in the background ends with the call.
""",
)

MODE_CHANGED = Rule(
    id="T518",
    name="mode-changed",
    title="a Python tool runs in another place",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
`inprocess` runs in the host itself: it shares the host's memory and rights, cannot be stopped at its deadline, and can
take the host with it. `worker` is a process of its own, which sees nothing that the host has loaded.
""",
)

ASYNC_CHANGED = Rule(
    id="T519",
    name="async-changed",
    title="a function became async, or is no longer",
    callers=Verdict.INFO,
    explanation="""\
Results are the same. It matters in `inprocess` mode, where a call that is not async holds its thread until it returns.
""",
)

ARGUMENTS_CHANGED = Rule(
    id="T520",
    name="arguments-changed",
    title="a property reaches the function in another way",
    callers=Verdict.RISKY,
    explanation="""\
The schema names a property, the function a parameter; which goes where, and whether by position or by name, is another
now. Calls stay valid, and the function may do something else with them.
""",
)

CONVERSIONS_CHANGED = Rule(
    id="T521",
    name="conversions-changed",
    title="the function is given a value as another type",
    callers=Verdict.RISKY,
    explanation="""\
What the runtime makes of a value before the function gets it (a date, a set, a path, a class) changed. Calls that were
valid may fail in the conversion now, or mean something else to the function.
""",
)
