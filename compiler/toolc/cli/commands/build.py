"""`toolc build`: the bundle, and the lock where it is stale."""

from __future__ import annotations

from pathlib import Path

import click

from toolc import codes
from toolc.cli.conclude import status, summary
from toolc.cli.console import Console
from toolc.cli.failures import NO
from toolc.cli.options import DIAGNOSTIC_FORMS, PathType, console_options, deny_warnings_option, project_argument


@click.command("build")
@project_argument
@click.option(
    "-o",
    "--out",
    type=PathType(),
    metavar="DIR",
    help="Where the bundle goes; default: dist/toolset in the project root.",
)
@click.option("--locked", is_flag=True, help="Write nothing where the committed lock is stale or missing.")
@click.option("--no-user-layers", is_flag=True, help="Leave out the layers under ~.")
@deny_warnings_option
@console_options(*DIAGNOSTIC_FORMS)
def command(
    console: Console, project: Path, out: Path | None, locked: bool, no_user_layers: bool, deny_warnings: bool
) -> int:
    """Compile the toolset into a bundle, and update its lock.

    Prints the bundle's folder and the two digests. With errors nothing is written. What did not change is not
    touched.

    \b
    toolc build
    toolc build --locked             in a deploy pipeline: the lock is as it was reviewed
    toolc build examples/quickstart -o /srv/toolset
    """
    from toolc.pipeline import build
    from toolc.render import builds, records, remarks, reports

    built = build(
        project,
        out=out,
        locked=locked,
        user_layers=not no_user_layers,
        deny_warnings=deny_warnings,
        on_wait=console.say,
    )
    base = remarks.way_to(built.compilation.root)
    console.report(built.diagnostics, deny_warnings=deny_warnings, base=base)
    stale = built.lock is not None and built.bundle is None
    console.say(summary(console, built.compilation, refused=stale))
    if built.lock is not None and stale:
        console.complain(builds.stale(built.lock), codes.LOCK_STALE.id)
    for line in builds.talk(built):
        console.say(line)
    console.answer(
        text=lambda _: builds.answer(built),
        json=lambda _: records.dumps(records.built(built)),
        sarif=reports.renderers(console.shown(built.diagnostics, deny_warnings=deny_warnings), base)["sarif"],
    )
    if built.bundle is None:
        return NO
    return status(built.diagnostics, deny_warnings=deny_warnings)
