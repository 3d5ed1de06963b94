"""Rules about which tools and views a toolset has, and what it is called: T101 to T115."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

TOOL_ADDED = Rule(
    id="T101",
    name="tool-added",
    title="a tool was added",
    callers=Verdict.SAFE,
    hosts=Verdict.SAFE,
    explanation="""\
No call that was made before is touched. It is risky for security where the tool runs unasked (`permission = "allow"`)
or starts a program (a command): read what it does before you accept it. Its definition is also sent with every
request; the diff says what that costs.
""",
)

TOOL_REMOVED = Rule(
    id="T102",
    name="tool-removed",
    title="a tool was removed",
    callers=Verdict.BREAKING,
    hosts=Verdict.BREAKING,
    explanation="""\
Whoever calls it gets `unknown-tool`: prompts and plans that name it, hosts that list it, views of the toolset. What
else the tool had (its parameters, its files, its place in views) is not listed again. Keep the name with the old
parameters for a while where callers cannot be changed at once.
""",
)

TOOL_RENAMED = Rule(
    id="T103",
    name="tool-renamed",
    title="a tool has another name",
    callers=Verdict.BREAKING,
    hosts=Verdict.BREAKING,
    security=Verdict.RISKY,
    explanation="""\
A tool went and another came that a model reads word for word the same and that runs the same program: the digests of
interface and behaviour are equal. It is shown as one change. Callers of the old name break as if it had been removed.
**No approval carries over**: an approval is of a name and its digests, or a rename could borrow the trust of another
tool.
""",
)

TOOL_PROBABLY_RENAMED = Rule(
    id="T104",
    name="tool-probably-renamed",
    title="a tool was perhaps renamed",
    callers=Verdict.BREAKING,
    hosts=Verdict.BREAKING,
    security=Verdict.RISKY,
    explanation="""\
A tool went and another came that runs the same program, or that a model reads nearly the same, but not both. It may be
a rename with a change, or two tools that resemble each other, so the two are listed as removed and added as well, and
each is acknowledged by itself. No approval carries over. A Python function that was renamed is found here: its name is
also how it is run.
""",
)

NAMES_COLLIDE = Rule(
    id="T108",
    name="names-collide",
    title="two tools have names that look the same",
    callers=Verdict.BREAKING,
    hosts=Verdict.BREAKING,
    security=Verdict.BREAKING,
    explanation="""\
Names that differ only in case, in `-` and `_`, or in letters that are drawn alike are one name to many providers and
to every reader: a call may reach the other tool. `toolc build` refuses such a toolset, so this lock was written by
hand or merged. Rename one of the two.
""",
)

TOOLSET_RENAMED = Rule(
    id="T109",
    name="toolset-renamed",
    title="the toolset has another name",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
Hosts and pins know a toolset by its name. A lock that came from elsewhere shows itself here first: make sure that the
two sides are meant to be one toolset.
""",
)

VERSION_CHANGED = Rule(
    id="T110",
    name="version-changed",
    title="the toolset has another version",
    callers=Verdict.INFO,
    explanation="""\
The version is what its author says of it; nothing depends on it. The findings below it say whether the number is
honest: a breaking one wants a new major version.
""",
)

HOST_CHANGED = Rule(
    id="T111",
    name="host-changed",
    title="the toolset is compiled for another host",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
The preset of a host decides layers, built-ins, clash policy, permissions, limits and environment where the project is
silent. Each of these that changed is listed by itself; the old host may no longer load what it expects.
""",
)

SUBSET_ADDED = Rule(
    id="T112",
    name="subset-added",
    title="a view of the toolset was added",
    callers=Verdict.SAFE,
    explanation="""\
A subset is a list of names of tools that exist anyway; it grants nothing that the toolset does not.
""",
)

SUBSET_REMOVED = Rule(
    id="T113",
    name="subset-removed",
    title="a view of the toolset was removed",
    callers=Verdict.BREAKING,
    hosts=Verdict.BREAKING,
    explanation="""\
`Toolset.subset(NAME)` fails in the hosts that ask for it. An agent that then falls back to the whole toolset sees more
than it did: look at what those hosts do.
""",
)

SUBSET_GAINED = Rule(
    id="T114",
    name="subset-gained",
    title="a view of the toolset has another tool",
    callers=Verdict.SAFE,
    security=Verdict.RISKY,
    explanation="""\
The agent that is given this view can now call the tool. Views exist to keep tools from an agent, so a gain is for a
reviewer, even where the tool itself is not new. Often a glob of `[subsets]` matched a new name.
""",
)

SUBSET_LOST = Rule(
    id="T115",
    name="subset-lost",
    title="a view of the toolset lacks a tool it had",
    callers=Verdict.BREAKING,
    explanation="""\
In this view the tool is unknown from now on, though the toolset has it still. A tool that was removed altogether is
not listed here again.
""",
)
