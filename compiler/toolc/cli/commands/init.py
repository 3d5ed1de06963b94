"""`toolc init`: a config, an example tool of each kind, and git's settings."""

from __future__ import annotations

from pathlib import Path

import click

from toolc.cli.console import Console
from toolc.cli.failures import DONE
from toolc.cli.options import ANSWER_FORMS, PathType, console_options
from toolc.text import as_argument, shown_path


@click.command("init")
@click.argument("folder", type=PathType(), default=Path(), metavar="[DIR]")
@click.option("--host", metavar="H", help="The agent program that is to load the bundle: aru, pequeroku, none, ...")
@console_options(*ANSWER_FORMS)
def command(console: Console, folder: Path, host: str | None) -> int:
    """Start a project: a config, an example tool of each kind.

    Nothing that is there is overwritten. A folder with tools of a known host gets that host's config and no examples.

    \b
    toolc init
    toolc init demo --host aru
    """
    from toolc.render import builds, records
    from toolc.scaffold import scaffold

    started = scaffold(folder, _host(folder, host))
    console.answer(
        text=lambda _: builds.started(started, folder), json=lambda _: records.dumps(records.started(started))
    )
    for path in started.kept:
        console.say(f"kept `{shown_path(folder / path)}`, which was there")
    if started.created:
        console.say(f"next: toolc build{as_argument(folder)}")
    return DONE


def _host(folder: Path, asked: str | None) -> str:
    """The host asked for, else the one whose folder is there, else none."""
    from toolc.names import closest
    from toolc.resources import presets
    from toolc.scaffold import hosts_of

    if asked is not None:
        if asked in presets():
            return asked
        near = closest(asked, presets())
        hint = f"; did you mean `{near}`?" if near else f": the hosts are {', '.join(presets())}"
        raise click.UsageError(f"there is no host `{asked}`{hint}")
    found = hosts_of(folder)
    if len(found) > 1:
        choices = " or ".join(f"--host {name}" for name in found)
        raise click.UsageError(f"the folder has tools of more than one host: choose {choices}")
    return found[0] if found else "none"
