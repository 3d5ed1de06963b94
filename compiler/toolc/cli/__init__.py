"""The command line: arguments in, an exit status out. A command's module is imported when that command is called."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from toolc import __version__
from toolc.cli import failures

# What `toolc --help` says of each, so that it need not import them; a test holds them to the commands' own words.
COMMANDS = {
    "init": "Start a project: a config, an example tool of each kind.",
    "check": "Say what is wrong with a toolset, and write nothing.",
    "build": "Compile the toolset into a bundle, and update its lock.",
    "lock": "Update the lock, or check that it is up to date.",
    "list": "Show the tools of a project, a bundle or a lock.",
    "explain": "Tell the whole story of a tool's name, of a diagnostic's code, or of a rule of the diff.",
    "diff": "Say what a change does to callers, to hosts and to trust.",
    "git": "Let git show and merge locks by their facts.",
    "digest": "Print the identities of a bundle or of a lock.",
    "verify": "Check a bundle, byte for byte, against its own index.",
    "run": "Call one tool of a bundle.",
    "schema": "Print the JSON Schema of a file that toolc reads or writes.",
    "completion": "Print the script that completes toolc in a shell.",
    "help": "Show the help of a command, or the table of exit statuses.",
}


class Toolc(click.Group):
    """A group whose commands are modules of this package, and whose failures become exit statuses."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"toolc.cli.commands.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from toolc.names import closest

            near = closest(args[0], COMMANDS)
            hint = f"; did you mean `{near}`?" if near else ""
            raise click.UsageError(f"there is no command `{args[0]}`{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(  # type: ignore[override]  # click's overloads say the same of `standalone_mode` at length
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> int:
        """Run a command line and exit with its status; return it where `standalone_mode` is false."""
        arguments = list(sys.argv[1:] if args is None else args)
        for stream in (sys.stdout, sys.stderr):
            # A name may hold what the terminal's encoding lacks; it is spelled out, never a traceback.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        run = super().main
        status = failures.run(
            lambda: run(arguments, prog_name or "toolc", complete_var, standalone_mode=False, **extra), arguments
        )
        if standalone_mode:
            sys.exit(status)
        return status


@click.command(
    cls=Toolc,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\n" + failures.TABLE,
)
@click.version_option(__version__, message="toolc %(version)s")
def main() -> None:
    """Compile the tools of an agent into one locked bundle.

    \b
    toolc init demo && cd demo      a project with two example tools
    toolc build                     dist/toolset, and toolset.json to commit
    toolc run dist/toolset word_count --args '{"text": "a b"}'

    `toolc COMMAND --help` says more of each, with examples.
    """
