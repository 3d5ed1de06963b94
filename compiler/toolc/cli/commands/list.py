"""`toolc list`: the tools of a project, a bundle or a lock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from toolc.cli.conclude import status
from toolc.cli.console import Console
from toolc.cli.failures import NO
from toolc.cli.options import ANSWER_FORMS, PathType, console_options, locked_toolset, refuse_in_bundle
from toolc.diagnostics import Diagnostic
from toolc.model import Toolset
from toolc.names import closest


@click.command("list")
@click.argument("target", type=PathType(), default=Path(), metavar="[PROJECT|BUNDLE|LOCK]")
@click.option("--all", "everything", is_flag=True, help="Add the names that no tool carries, and the files left out.")
@click.option("--subset", metavar="S", help="Only the tools of this subset.")
@console_options(*ANSWER_FORMS)
def command(console: Console, target: Path, everything: bool, subset: str | None) -> int:
    """Show the tools of a project, a bundle or a lock.

    Denied tools are shown too. A project is compiled for it, and nothing is written.

    \b
    toolc list
    toolc list dist/toolset --subset reviewer
    toolc list --all --format json
    """
    from toolc.listing import Listing, listing
    from toolc.render import listings, records

    toolset, diagnostics = _toolset(target)
    console.report(diagnostics)
    if toolset is None:
        console.answer(
            text=lambda _: "", json=lambda _: records.dumps(records.listed(Listing(tools=()), everything=everything))
        )
        return NO
    names = None if subset is None else _members(toolset, subset)
    rows = listing(toolset, diagnostics, names=names)
    console.answer(
        text=lambda style: listings.render(rows, style, everything=everything or console.verbose),
        json=lambda _: records.dumps(records.listed(rows, everything=everything)),
    )
    return status(diagnostics)


def _toolset(target: Path) -> tuple[Toolset | None, Sequence[Diagnostic]]:
    if (toolset := locked_toolset(target)) is not None:
        return toolset, ()
    from toolc.pipeline import compile_project

    refuse_in_bundle(target)
    compilation = compile_project(target)
    return compilation.compiled, compilation.diagnostics


def _members(toolset: Toolset, subset: str) -> tuple[str, ...]:
    if subset in toolset.subsets:
        return toolset.subsets[subset]
    near = closest(subset, toolset.subsets)
    hint = f"; did you mean `{near}`?" if near else ""
    raise click.UsageError(f"the toolset has no subset `{subset}`{hint}")
