"""`toolc digest`: the identities of a bundle or of a lock."""

from __future__ import annotations

from pathlib import Path

import click

from toolc.cli.console import Console
from toolc.cli.failures import DONE
from toolc.cli.options import ANSWER_FORMS, PathType, console_options


@click.command("digest")
@click.argument("target", type=PathType(), metavar="BUNDLE|LOCK")
@click.option("--per-tool", is_flag=True, help="Add what a model reads, what runs, and what is allowed, of each.")
@console_options(*ANSWER_FORMS)
def command(console: Console, target: Path, per_tool: bool) -> int:
    """Print the identities of a bundle or of a lock.

    The toolset's is what was reviewed: the sha256 of toolset.json. The bundle's is what is shipped, the runtime
    included: the sha256 of bundle.json; pin this one in a deployment.

    \b
    toolc digest dist/toolset
    toolc digest toolset.json --per-tool
    """
    from toolc.artifact import digests, toolset
    from toolc.render import builds, records
    from toolc.tool_digest import tool_digests

    found = digests(target)
    tools = tool_digests(toolset(target)) if per_tool else None
    console.answer(
        text=lambda _: builds.identities(found, tools),
        json=lambda _: records.dumps(records.identities(found, tools)),
    )
    return DONE
