"""The codes of the runtime (TC9xx)."""

from __future__ import annotations

from toolc.diagnostics import Code, Severity

PLATFORM_NOT_SUPPORTED = Code(
    id="TC901",
    severity=Severity.ERROR,
    title="tools do not run on this platform",
    explanation="""\
Bundles run on Linux and macOS, where a call can be ended together with everything it started. On Windows a toolset
can be checked, locked, compared, verified, listed and built, and its tools cannot be run. Run the bundle in a
container, in WSL, or on another machine.""",
)

PYTHON_TOO_OLD = Code(
    id="TC902",
    severity=Severity.ERROR,
    title="a wrapper was started by a Python older than 3.11",
    explanation="""\
A wrapper runs with the `python3` that it finds on the PATH, and needs 3.11 or newer. Put a newer one first on the PATH,
or name it for wrappers alone:

    TOOLC_PYTHON=/usr/bin/python3.12 bundle/bin/grep""",
)

RUNTIME_NOT_A_BUNDLE = Code(
    id="TC903",
    severity=Severity.ERROR,
    title="the path to run from is not a bundle",
    explanation="""\
A bundle is the folder that `toolc build` writes, `dist/toolset` where nothing else was said. It holds a
`bundle.json` and a `toolset.json`; a lock alone, or a project that was not built, has nothing to run. Build it
first.""",
)

BUNDLE_CHANGED = Code(
    id="TC904",
    severity=Severity.ERROR,
    title="a bundle is not the one that was built, or not the one that is expected",
    explanation="""\
What was reviewed is what runs: the digest of the lock stands in `bundle.json`, that of every source in the lock, and
a host may expect the digest of the bundle itself. Here one of them differs, so nothing is run. `toolc verify` lists
every file that differs; build the bundle again, or take the intended one.""",
)

BUNDLE_TOO_NEW = Code(
    id="TC905",
    severity=Severity.ERROR,
    title="a bundle was built by a newer toolc",
    explanation="""\
Its lock has a version, a required feature, or a way to run a tool that this runtime does not know. To guess could run
something that was never reviewed, so it is refused. Upgrade toolc where the bundle is loaded; the bundle's own
wrappers run as they are, since they bring the runtime they were built with.""",
)
