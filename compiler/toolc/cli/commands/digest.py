"""`toolc digest`: the identities of a bundle or of a lock."""

from __future__ import annotations

from pathlib import Path

import click

from toolc.cli.console import Console
from toolc.cli.failures import DONE
from toolc.cli.options import ANSWER_FORMS, PathType, console_options


@click.command("digest")
@click.argument("target", type=PathType(), metavar="BUNDLE|LOCK")
@console_options(*ANSWER_FORMS)
def command(console: Console, target: Path) -> int:
    """Print the identities of a bundle or of a lock.

    The toolset's is what was reviewed: the sha256 of toolset.json. The bundle's is what is shipped, the runtime
    included: the sha256 of bundle.json; pin this one in a deployment.

    \b
    toolc digest dist/toolset
    toolc digest toolset.json
    """
    from toolc.artifact import digests
    from toolc.render import builds, records

    found = digests(target)
    console.answer(text=lambda _: builds.identities(found), json=lambda _: records.dumps(records.identities(found)))
    return DONE
