"""`toolc git`: what git calls to show and merge locks, and the command that sets that up."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from toolc.cli.console import Console, write
from toolc.cli.failures import DONE, NO
from toolc.cli.options import ANSWER_FORMS, PathType, console_options, project_argument
from toolc.text import shown_path


@click.group("git")
def command() -> None:
    """Let git show and merge locks by their facts.

    \b
    toolc git setup --dry-run        what would be set in this repository
    toolc git setup                  set it, in this clone alone
    """


@command.command("setup")
@project_argument
@click.option("--dry-run", is_flag=True, help="Show what would be set, and set nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@console_options(*ANSWER_FORMS)
def setup(console: Console, project: Path, dry_run: bool, yes: bool) -> int:
    """Make git name tools in hunks, show locks as outlines, and merge them.

    Only settings of this clone are written, and the project's `.gitattributes` gets a line. Each is shown first.

    \b
    toolc git setup
    toolc git setup --yes            where nobody can be asked
    """
    import shutil

    from toolc.gitsetup import apply, plan
    from toolc.render import records

    wanting = plan(project)
    lines = [f"{entry}\n" for entry in wanting.commands]
    if wanting.line is not None:
        lines.append(f"{shown_path(wanting.attributes)}: {wanting.line}\n")
    console.answer(
        text=lambda _: "".join(lines),
        json=lambda _: records.dumps(
            {
                "settings": dict(wanting.settings),
                "attributes": {"path": ".gitattributes", "line": wanting.line},
            }
        ),
    )
    if wanting.done:
        console.say("everything is set up already")
        return DONE
    if dry_run:
        return DONE
    if not yes and not _agreed(console):
        return NO
    apply(wanting)
    console.say("set up, for this clone")
    if shutil.which("toolc") is None:
        console.say("git will look for `toolc` on the PATH, and there is none now")
    return DONE


def _agreed(console: Console) -> bool:
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        return click.confirm("Set this up?", err=True)
    console.complain("nobody can be asked here, so nothing was set up; `--yes` sets it up\n")
    return False


@command.command("textconv")
@click.argument("file", type=PathType(), metavar="FILE")
def textconv(file: Path) -> int:
    """Print the outline of a lock, for `git diff`.

    \b
    toolc git textconv toolset.json
    """
    from toolc.artifact import read_lock
    from toolc.render.outline import outline

    write(sys.stdout, outline(read_lock(file) or b""))
    return DONE


@command.command("merge")
@click.argument("base", type=PathType(), metavar="BASE")
@click.argument("ours", type=PathType(), metavar="OURS")
@click.argument("theirs", type=PathType(), metavar="THEIRS")
@click.argument("path", default="toolset.json", metavar="[PATH]")
@console_options("text")
def merge(console: Console, base: Path, ours: Path, theirs: Path, path: str) -> int:
    """Merge three versions of a lock into OURS, as git's merge driver.

    Exits 1 where something is left open, which then stands between conflict markers.

    \b
    toolc git merge %O %A %B %P      as `toolc git setup` sets it
    """
    from toolc.cli.console import OutputNotWritable
    from toolc.merging import drive
    from toolc.render import merges

    driven = drive(base, ours, theirs, path=path)
    try:
        ours.write_bytes(driven.data)
    except OSError as error:
        raise OutputNotWritable(f"`{shown_path(ours)}`", error.strerror or "") from None
    for line in merges.driven(driven, path):
        console.say(line)
    return DONE if driven.clean else NO
