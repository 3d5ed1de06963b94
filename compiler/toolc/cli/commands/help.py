"""`toolc help`: the help of a command, and the table of exit statuses."""

from __future__ import annotations

import click

from toolc.cli.failures import DONE, TABLE


@click.command("help")
@click.argument("topic", required=False, metavar="[COMMAND|exit-codes]")
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> int:
    """Show the help of a command, or the table of exit statuses.

    \b
    toolc help build
    toolc help exit-codes
    """
    root = ctx.find_root()
    if topic == "exit-codes":
        click.echo(TABLE, nl=False)
        return DONE
    if topic is None:
        click.echo(root.get_help())
        return DONE
    group = root.command
    assert isinstance(group, click.Group), "toolc is a group of commands"
    name, found, _ = group.resolve_command(root, [topic])
    assert found is not None, "resolve_command raises for what is no command"
    with found.make_context(name, ["--help"], parent=root):  # --help prints, and exits with 0
        pass
    return DONE
