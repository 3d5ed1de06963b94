"""`toolc explain`: the story of a name, or a page of the catalogue of codes."""

from __future__ import annotations

from pathlib import Path

import click

from toolc.cli.console import Console
from toolc.cli.failures import DONE, NO
from toolc.cli.options import ANSWER_FORMS, PathType, console_options, locked_toolset
from toolc.diagnostics import Severity
from toolc.model import Toolset


@click.command("explain")
@click.argument("subject", metavar="NAME|CODE")
@click.argument("target", type=PathType(), default=Path(), metavar="[PROJECT|BUNDLE|LOCK]")
@click.option("--tool", is_flag=True, help="Take the subject for a tool's name, even where it is a code.")
@console_options(*ANSWER_FORMS)
def command(console: Console, subject: str, target: Path, tool: bool) -> int:
    """Tell the whole story of a tool's name, of a diagnostic's code, or of a rule of the diff.

    Of a name: each layer that declares it, who wins and why, what the host's built-ins have to do with it, and each
    step that decided its permission. Of a code: what it means and what to write instead. Of a rule: why a change is
    judged as it is. A bundle or a lock tells what was decided, a project also why.

    \b
    toolc explain word_count
    toolc explain word_count dist/toolset
    toolc explain TC503
    toolc explain T203
    """
    from toolc import explain
    from toolc.render import records, stories

    if not tool and (code := explain.code(subject)) is not None:
        console.answer(text=lambda style: stories.code(code, style), json=lambda _: records.dumps(records.code(code)))
        return DONE
    if not tool and (rule := explain.rule(subject)) is not None:
        console.answer(text=lambda style: stories.rule(rule, style), json=lambda _: records.dumps(records.rule(rule)))
        return DONE
    if not tool and explain.CODE.fullmatch(subject):
        near = explain.nearest_code(subject)
        raise click.UsageError(f"there is no code `{subject}`" + (f"; did you mean `{near}`?" if near else ""))

    if (toolset := locked_toolset(target)) is not None:
        return _tell_of_lock(console, subject, toolset)
    from toolc.pipeline import compile_project

    compilation = compile_project(target)
    if compilation.config is None:
        console.report(compilation.diagnostics)
        untold = explain.untold(subject, compilation.diagnostics)
        console.answer(text=lambda _: "", json=lambda _: records.dumps(records.story(untold)))
        return NO
    story = explain.story(subject, compilation, compilation.config)
    if story is None:
        # What did not compile may be why the name is not there.
        console.report([entry for entry in compilation.diagnostics if entry.level is Severity.ERROR])
        near = explain.nearest(subject, compilation, compilation.config, codes=not tool)
        raise click.UsageError(f"nothing here has the name `{subject}`" + (f"; did you mean `{near}`?" if near else ""))
    console.answer(text=lambda style: stories.name(story, style), json=lambda _: records.dumps(records.story(story)))
    return DONE


def _tell_of_lock(console: Console, name: str, toolset: Toolset) -> int:
    from toolc import explain_lock
    from toolc.render import records, stories

    story = explain_lock.story(name, toolset)
    if story is None:
        near = explain_lock.nearest(name, toolset)
        raise click.UsageError(f"nothing here has the name `{name}`" + (f"; did you mean `{near}`?" if near else ""))
    console.answer(text=lambda style: stories.name(story, style), json=lambda _: records.dumps(records.story(story)))
    return DONE
