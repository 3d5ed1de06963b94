"""The codes of commands rather than of a phase: what the system refuses them, and a lock that is not current."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

SYSTEM_REFUSED = Code(
    id="TC700",
    severity=Severity.ERROR,
    title="the system refused something that the command needs",
    explanation="""\
A file or stream that an answer goes to cannot be written, or a file that must be read cannot be: the disk is full, a
folder is read-only, a limit is reached. The message has the system's own words. Nothing is wrong with the tools.""",
)

LOCK_UNREADABLE = Code(
    id="TC712",
    severity=Severity.ERROR,
    title="the lock cannot be read",
    explanation="""\
`toolset.json` is there, and the system does not let toolc read it, or it is a folder or a FIFO. Without it nobody can
say whether what is compiled is what was reviewed, so nothing is written. Mend its permissions, or remove it.""",
)

LOCK_STALE = Code(
    id="TC713",
    severity=Severity.ERROR,
    title="the committed lock is stale or missing",
    explanation="""\
The files of the project give another lock than the one that is committed, so what would run is not what was reviewed.
`build --locked` and `lock --check` list what differs and write nothing. Where the changes are meant, write the lock
and let it be reviewed:

    toolc lock
    git add toolset.json""",
)

GIT_REFUSED = Code(
    id="TC714",
    severity=Severity.ERROR,
    title="git does not have what was asked for",
    explanation="""\
`toolc diff` reads other revisions with git's own program. It is not on the `PATH`, or the revision, or the path in it,
is not in this repository, or git refuses the repository itself: its own words stand in the message. A clone that was
made shallow lacks the history that a merge base is found in: fetch it with `git fetch --unshallow`, or check out with
`fetch-depth: 0` in a workflow of GitHub. Two files are compared without git: `toolc diff old.json new.json`.""",
)

SIDE_UNDECIDED = Code(
    id="TC715",
    severity=Severity.ERROR,
    title="it is not clear which of two things is to be compared",
    explanation="""\
A name was given that is both a path and a revision. Write `./main` for the path, or `main:toolset.json` for the lock in
the revision.""",
)

MERGE_OPEN = Code(
    id="TC716",
    severity=Severity.ERROR,
    title="two branches changed one fact of the lock in two ways",
    explanation="""\
Locks are merged fact by fact: what one branch changed is taken, and only what both changed differently is left, between
conflict markers round its own lines. What one branch removed and the other still names is left open too. Decide it
where it comes from, in the tool's file or in `toolc.toml`: `toolc lock --resolve` then takes the version that the
project gives. Or take a side between the markers by hand. Then check what came of it:

    toolc lock --check
    git add toolset.json""",
)

MERGE_IMPOSSIBLE = Code(
    id="TC717",
    severity=Severity.ERROR,
    title="there are not two versions of the lock to merge",
    explanation="""\
`toolc lock --resolve` needs a lock in which a merge left its conflict markers. It takes the versions from git's index,
or, where the merge is over for git, from between the markers. Here there is no lock, or the markers are not as a merge
leaves them. Restore the lock from version control (`git checkout --ours toolset.json`, or `git restore`), then run
`toolc lock`, which says what changes.""",
)
