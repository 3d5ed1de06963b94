"""`toolc check`: every diagnostic of a project, and nothing written."""

from __future__ import annotations

from pathlib import Path

import click

from toolc.cli.conclude import check_text, status
from toolc.cli.console import Console
from toolc.cli.options import DIAGNOSTIC_FORMS, console_options, deny_warnings_option, project_argument


@click.command("check")
@project_argument
@deny_warnings_option
@console_options(*DIAGNOSTIC_FORMS)
def command(console: Console, project: Path, deny_warnings: bool) -> int:
    """Say what is wrong with a toolset, and write nothing.

    PROJECT is a folder (default: the current one); its toolc.toml is looked for there and upward.

    \b
    toolc check
    toolc check --format concise
    toolc check --format github --format sarif=toolc.sarif
    toolc check --deny-warnings --format json=report.json
    """
    from toolc.pipeline import compile_project
    from toolc.render import records, remarks, reports

    compilation = compile_project(project)
    shown = console.shown(compilation.diagnostics, deny_warnings=deny_warnings)
    console.answer(
        text=lambda style: check_text(console, compilation, style, deny_warnings=deny_warnings),
        json=lambda _: records.dumps(records.check(compilation.diagnostics)),
        **reports.renderers(shown, remarks.way_to(compilation.root)),
    )
    return status(compilation.diagnostics, deny_warnings=deny_warnings)
