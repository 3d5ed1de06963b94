"""`toolc schema`: the JSON Schema of a file that toolc reads or writes."""

from __future__ import annotations

import click

from toolc.cli.console import Console
from toolc.cli.failures import DONE
from toolc.cli.options import ANSWER_FORMS, console_options

# The files have no ending in this table, so that `toolc schema tool` is all there is to remember.
_NAMES = ("toolc", "tool", "toolset", "acks", "diff")


@click.command("schema")
@click.argument("name", type=click.Choice(_NAMES), metavar="NAME")
@console_options(*ANSWER_FORMS)
def command(console: Console, name: str) -> int:
    """Print the JSON Schema of a file that toolc reads or writes.

    NAME is toolc (toolc.toml), tool (a manifest's tool.json), toolset (the lock), acks (toolset.acks.toml) or
    diff (what `toolc diff --format json` answers).

    \b
    toolc schema tool > tool.schema.json
    """
    from toolc.render import records
    from toolc.resources import schema

    console.answer(text=lambda _: records.dumps(schema(name)), json=lambda _: records.dumps(schema(name)))
    return DONE
