"""`toolc completion`: the script that completes toolc in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from toolc.cli.failures import DONE


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that completes toolc in a shell.

    SHELL is bash, zsh or fish.

    \b
    toolc completion bash > ~/.local/share/bash-completion/completions/toolc
    """
    completion = get_completion_class(shell)
    assert completion is not None, "click knows these three shells"
    click.echo(completion(ctx.find_root().command, {}, "toolc", "_TOOLC_COMPLETE").source())
    return DONE
