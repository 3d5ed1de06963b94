"""The codes of verification (TC8xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

NOT_A_BUNDLE = Code(
    id="TC801",
    severity=Severity.ERROR,
    title="the path is not a bundle",
    explanation="""\
A bundle is a folder that `toolc build` wrote, with `bundle.json` and `toolset.json` in it. The path has none, or they
cannot be read, so there is nothing to answer about. Name the folder that `build` printed, by default
`dist/toolset`.""",
)

INDEX_BROKEN = Code(
    id="TC802",
    severity=Severity.ERROR,
    title="`bundle.json` is not what a build writes",
    explanation="""\
`bundle.json` lists every file of the bundle with its digest, and its own bytes are the bundle's identity. A build
spells it in exactly one way; anything else (a merge, a formatter, an edit) makes the list worthless. Build again.""",
)

BUNDLE_FILE_MISSING = Code(
    id="TC803",
    severity=Severity.ERROR,
    title="a file of the bundle is missing",
    explanation="""\
`bundle.json` lists a file that is not there: an incomplete copy, or somebody removed it. A tool that needs it would
fail at its first call. Copy the bundle again, whole, or build it again.""",
)

BUNDLE_FILE_EXTRA = Code(
    id="TC804",
    severity=Severity.ERROR,
    title="the bundle holds something that no build put there",
    explanation="""\
A bundle is exactly the files of its `bundle.json`; the build's review and the bundle's digest say nothing about any
other. Where it is harmless (an editor's backup, a byte-code cache) remove it; where you do not know it, ask who put it
there.""",
)

BUNDLE_FILE_CHANGED = Code(
    id="TC805",
    severity=Severity.ERROR,
    title="a file of the bundle is not the one that was built",
    explanation="""\
Its content has another digest than `bundle.json` lists. What was reviewed is what must run, so the runtime refuses a
changed source too. Make the change in the project's own files and build again.""",
)

BUNDLE_FILE_MODE = Code(
    id="TC806",
    severity=Severity.ERROR,
    title="a file of the bundle has gained or lost its executable bit",
    explanation="""\
Which files are executable is part of the build. A copy through a system that keeps no such bit (some archives, some
shares) loses it. Copy with `cp -a`, `rsync -a` or `tar`, or build again.""",
)

BUNDLE_FILE_ODD = Code(
    id="TC807",
    severity=Severity.ERROR,
    title="something in the bundle is not a plain file",
    explanation="""\
A build writes plain files and folders only. A symbolic link could lead to content that nobody reviewed, a FIFO would
make a reader wait for ever, and a file with a setuid bit runs with another account's rights. Remove it, or build
again.""",
)

LOCK_DISAGREES = Code(
    id="TC808",
    severity=Severity.ERROR,
    title="the lock and `bundle.json` disagree about a source",
    explanation="""\
Both list the sources with their digests, and a build writes the same into both. Here they differ: one of the two was
replaced or edited after the build. Build again, and compare `toolc digest` with what was reviewed.""",
)

BUNDLE_UNEXPECTED = Code(
    id="TC809",
    severity=Severity.ERROR,
    title="this is another bundle than the one expected",
    explanation="""\
`--expect` names the digest of a bundle, as `toolc digest` prints it, and this bundle's is another. It was built from
other sources, or by another version of toolc. Deploy the bundle you pinned, or pin this one after its review.""",
)

TOOLSET_UNEXPECTED = Code(
    id="TC810",
    severity=Severity.ERROR,
    title="this is another toolset than the one expected",
    explanation="""\
`--expect-toolset` names the digest of a lock, and the lock in this bundle has another: these are not the tools that
were reviewed. Compare the two locks with `toolc diff`.""",
)
