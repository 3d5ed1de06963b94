"""`toolc verify`: a bundle, byte for byte, against its own index and against what is expected of it."""

from __future__ import annotations

from pathlib import Path

import click

from toolc.cli.conclude import status
from toolc.cli.console import Console
from toolc.cli.options import DIAGNOSTIC_FORMS, PathType, console_options, digest


@click.command("verify")
@click.argument("bundle", type=PathType(), metavar="BUNDLE")
@click.option("--expect", type=digest, metavar="sha256:...", help="The digest that the bundle is to have.")
@click.option("--expect-toolset", type=digest, metavar="sha256:...", help="The digest that the toolset is to have.")
@console_options(*DIAGNOSTIC_FORMS)
def command(console: Console, bundle: Path, expect: str | None, expect_toolset: str | None) -> int:
    """Check a bundle, byte for byte, against its own index.

    Missing, added and changed files are errors, and so is a digest other than the expected one.

    \b
    toolc verify dist/toolset
    toolc verify dist/toolset --expect sha256:4f0c...
    """
    from toolc.artifact import digests
    from toolc.render import builds, records, remarks, reports
    from toolc.verify import verify

    diagnostics = verify(bundle, expect=expect, expect_toolset=expect_toolset)
    failed = status(diagnostics)
    found = None if failed else digests(bundle)
    shown = console.shown(diagnostics)
    console.answer(
        text=lambda style: builds.verified(shown, found, style),
        json=lambda _: records.dumps(records.verified(diagnostics, found)),
        **reports.renderers(shown, remarks.way_to(bundle)),
    )
    return failed
