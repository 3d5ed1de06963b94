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
@click.option("--resolve", is_flag=True, help="Merge a lock in which git left conflict markers, fact by fact.")
@console_options(*DIAGNOSTIC_FORMS)
def command(console: Console, project: Path, check: bool, resolve: bool) -> int:
    """Update the lock, or check that it is up to date.

    \b
    toolc lock
    toolc lock --check               in CI, for every pull request
    toolc lock --resolve             after a merge that left conflict markers
    """
    if check and resolve:
        raise click.UsageError("--check writes nothing, and --resolve writes the lock; give one of them")
    return _resolve(console, project) if resolve else _relock(console, project, check=check)


def _relock(console: Console, project: Path, *, check: bool) -> int:
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


def _resolve(console: Console, project: Path) -> int:
    from toolc.merging import resolve
    from toolc.render import merges, records, remarks, reports

    resolved = resolve(project)
    base = remarks.way_to(resolved.root)
    console.report(resolved.diagnostics, base=base)
    for line in merges.talk(resolved):
        console.say(line)
    console.answer(
        text=lambda _: merges.answer(resolved),
        json=lambda _: records.dumps(merges.record(resolved)),
        sarif=reports.renderers(resolved.diagnostics, base)["sarif"],
    )
    return NO if resolved.conflicts else DONE
