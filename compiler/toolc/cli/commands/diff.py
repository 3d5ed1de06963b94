"""`toolc diff`: what changed between two locks, for callers and for trust."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from toolc.cli.console import Console
from toolc.cli.failures import COULD_NOT, DONE, NO
from toolc.cli.options import console_options

FORMS = ("text", "markdown", "json", "github", "sarif")
_VERDICTS = ("breaking", "risky", "safe", "info")


@click.command("diff")
@click.argument("old", required=False, metavar="[OLD")
@click.argument("new", required=False, metavar="[NEW]]")
@click.option(
    "--consumer",
    type=click.Choice(["pinned", "live"]),
    default="pinned",
    show_default=True,
    help="Who calls: by shapes that were kept, or a model that reads the definitions anew.",
)
@click.option(
    "--fail-on",
    type=click.Choice(_VERDICTS),
    default="breaking",
    show_default=True,
    help="Exit 1 from this verdict on, for callers, hosts or security.",
)
@click.option("--exit-zero", is_flag=True, help="Only report: exit 0 whatever changed.")
@console_options(*FORMS)
def command(console: Console, old: str | None, new: str | None, consumer: str, fail_on: str, exit_zero: bool) -> int:
    """Say what a change does to callers, to hosts and to trust.

    OLD and NEW are locks, bundles, projects, git refs (REF or REF:path) or a range (A..B, A...B). Without them, what
    this branch changes: the lock where it left the main branch, and the lock as it is now. Nothing is checked out,
    and nothing of the tools is run.

    \b
    toolc diff
    toolc diff main
    toolc diff v1.2:toolset.json dist/toolset --fail-on risky
    toolc diff --format markdown=comment.md --format sarif=toolc.sarif
    """
    if "" in (old, new):  # a shell variable that is not set
        raise click.UsageError("a side that is compared is empty")

    from toolc.diff.model import Consumer, Verdict
    from toolc.render import github, records, sarif
    from toolc.render.diffs import markdown, record, text, told, wording
    from toolc.review import review

    found = review(old, new, folder=Path(), consumer=Consumer(consumer), today=date.today())
    console.report(found.diagnostics)
    if found.diff is None:
        return COULD_NOT
    diff = found.diff
    console.answer(
        text=lambda style: text.render(diff, style),
        markdown=lambda _: markdown.render(diff),
        json=lambda _: records.dumps(record.render(diff)),
        github=lambda _: github.render(told.remarks(diff)),
        sarif=lambda _: sarif.render(told.remarks(diff)),
    )
    if exit_zero:
        return DONE
    limit = Verdict(fail_on).rank
    return NO if any(finding.gravity.rank <= limit for finding in wording.open_findings(diff)) else DONE
