"""Rules about the Python packages of a toolset: T701 to T713."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

UPGRADED = Rule(
    id="T701",
    name="package-upgraded",
    title="a package has a newer version",
    callers=Verdict.INFO,
    explanation="""\
Only the minor or the patch part of the version went up. Where the first part is 0 the second one counts as major.
""",
)

REPLACED = Rule(
    id="T702",
    name="package-major-changed",
    title="a package has another major version, or an older one",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
A new major version may break the tools that use the package. An older version may bring back what a newer one had
mended, known vulnerabilities among it. Versions that cannot be compared are judged so too.
""",
)

PACKAGES_CHANGED = Rule(
    id="T703",
    name="package-added",
    title="a package was added or removed",
    callers=Verdict.INFO,
    security=Verdict.RISKY,
    explanation="""\
A package that is added runs with the tools' rights, whether the project asked for it or another package did. One that
is removed is of no interest to security.
""",
)

REPUBLISHED = Rule(
    id="T704",
    name="package-republished",
    title="a package of the same version has other content",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.BREAKING,
    guarded=True,
    explanation="""\
A version that was published once does not change. Other hashes mean that the artifact was replaced, or that it comes
from another index: find out which before anything installs it. More hashes beside the old ones are only new builds of
the version for other systems. Where the two files of requirements are not at hand this cannot be decided, and the
finding is risky. This rule can be lowered only with `allow-security-downgrade`.
""",
)

PYTHON_CHANGED = Rule(
    id="T707",
    name="python-changed",
    title="an environment takes other versions of Python",
    callers=Verdict.INFO,
    hosts=Verdict.BREAKING,
    explanation="""\
A higher lower bound shuts out interpreters that could run the tools. A lower one is of no consequence for those that
did. What cannot be compared is risky.
""",
)

HASHES_REMOVED = Rule(
    id="T709",
    name="hashes-removed",
    title="a package is no longer pinned by hashes",
    callers=Verdict.INFO,
    hosts=Verdict.BREAKING,
    security=Verdict.BREAKING,
    explanation="""\
Without hashes whatever the index serves under the version is installed. `toolc lock` always writes them.
""",
)

ENVIRONMENT_ADDED = Rule(
    id="T710",
    name="environment-added",
    title="an environment was added",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
The tools that name it need it installed (`toolc install`), with all its packages.
""",
)

ENVIRONMENT_REMOVED = Rule(
    id="T711",
    name="environment-removed",
    title="an environment was removed",
    callers=Verdict.INFO,
    explanation="""\
Nothing has to be installed for it any more. The tools that named it are listed by themselves (T513).
""",
)

REQUIREMENTS_MOVED = Rule(
    id="T712",
    name="requirements-moved",
    title="the requirements of an environment stand in another file",
    callers=Verdict.INFO,
    explanation="""\
The file was renamed in the bundle; what it says is compared all the same.
""",
)

REQUIREMENTS_CHANGED = Rule(
    id="T713",
    name="requirements-changed",
    title="the requirements of an environment changed beside its versions",
    callers=Verdict.INFO,
    explanation="""\
Comments, markers or the order of the file changed and the packages, their versions and hashes did not. Where the files
are not at hand, and some versions changed, the hashes of the others could not be compared, and it is risky for
security: compare bundles, or commits that hold them.
""",
)
