"""`toolc lock`: the lock without a bundle."""

from __future__ import annotations

from pathlib import Path

import click

from toolc.cli.conclude import summary
from toolc.cli.console import Console
from toolc.cli.failures import DONE, NO
from toolc.cli.options import DIAGNOSTIC_FORMS, console_options, project_argument


@click.command("lock")
@project_argument
@click.option("--check", is_flag=True, help="Write nothing; where the lock is stale, say why and exit 1.")
@console_options(*DIAGNOSTIC_FORMS)
def command(console: Console, project: Path, check: bool) -> int:
    """Update the lock, or check that it is up to date.

    \b
    toolc lock
    toolc lock --check               in CI, for every pull request
    """
    from toolc.pipeline import relock
    from toolc.render import builds, records, remarks, reports

    built = relock(project, check=check)
    stale = built.lock is not None and built.lock.stale and check
    base = remarks.way_to(built.compilation.root)
    console.report(built.diagnostics, base=base)
    console.say(summary(console, built.compilation, refused=stale))
    if not stale:
        for line in builds.talk(built):
            console.say(line)
    console.answer(
        text=lambda _: builds.lock_text(built, check=check),
        json=lambda _: records.dumps(records.locked(built)),
        sarif=reports.renderers(console.shown(built.diagnostics), base)["sarif"],
    )
    return NO if built.lock is None or stale else DONE
