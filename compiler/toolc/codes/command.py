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
