"""`toolc run`: one call of one tool of a bundle, through the same door as the host's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolc import codes
from toolc.cli.console import Console, write
from toolc.cli.failures import DONE, NO
from toolc.cli.options import ANSWER_FORMS, PathType, console_options
from toolc.errors import ToolcError
from toolc.model import Json
from toolc.render.style import clean, clean_line, clip
from toolc.text import as_argument, shown_path

if TYPE_CHECKING:
    from toolc_runtime import ApprovalRequest, Result


class BundleRefused(ToolcError):
    """A bundle that the runtime does not load; the words and the code are the runtime's."""

    def __init__(self, code: str, words: str) -> None:
        self.code = code
        super().__init__(words)


@click.command("run")
@click.argument("bundle", type=PathType(), metavar="BUNDLE")
@click.argument("tool", metavar="TOOL")
@click.option("--args", "arguments", default="{}", metavar="JSON|-", help="The arguments, an object; - reads stdin.")
@click.option(
    "--yes", is_flag=True, help="Approve a tool whose permission is ask, for this call. Never one that is denied."
)
@console_options(*ANSWER_FORMS)
def command(console: Console, bundle: Path, tool: str, arguments: str, yes: bool) -> int:
    """Call one tool of a bundle.

    The tool's output goes to stdout; what it printed besides, and why it failed, to stderr. A tool whose permission
    is ask is asked for on the terminal.

    \b
    toolc run dist/toolset word_count --args '{"text": "a b"}'
    echo '{"environment": "staging"}' | toolc run dist/toolset deploy --args - --yes
    """
    from toolc.render import records
    from toolc_runtime import BundleError, Toolset

    values = _arguments(arguments)
    approver = _approver(yes, reads_stdin=arguments == "-")
    try:
        toolset = Toolset.load(bundle, approve=approver)
    except BundleError as error:
        meant = _meant(bundle) if error.code == codes.RUNTIME_NOT_A_BUNDLE.id else None
        raise BundleRefused(error.code, f"{error}; {meant}" if meant else str(error)) from None
    with toolset:
        result = toolset.call(tool, values)
    if result.printed and result.printed != result.output:
        console.say(clean(result.printed).removesuffix("\n"))
    console.answer(text=lambda _: _text(result.output), json=lambda _: records.dumps(result.as_dict()))
    if result.error is not None:
        console.complain(f"{clean(str(result.error))}\n")
        for line in _advice(result, bundle, tool, verbose=console.verbose, asked=approver is not None):
            console.say(line)
    return DONE if result.ok else NO


def _arguments(given: str) -> dict[str, Json]:
    """The object that `--args` gives."""
    from toolc.jsontext import JsonError, parse

    if given == "-" and sys.stdin is None:
        raise click.UsageError("--args: there is no stdin to read")
    try:
        text = sys.stdin.buffer.read().decode("utf-8") if given == "-" else given
        if not text.strip():
            raise click.UsageError("--args: there is nothing in it; `{}` is no arguments")
        value = parse(text).value
    except UnicodeDecodeError:
        raise click.UsageError("--args: stdin is not UTF-8") from None
    except JsonError as error:
        raise click.UsageError(f"--args: line {error.line}, column {error.column}: {error.message}") from None
    if not isinstance(value, dict):
        raise click.UsageError("--args: the arguments are one JSON object")
    return value


def _approver(yes: bool, *, reads_stdin: bool) -> Callable[[ApprovalRequest], bool] | None:
    """Who says yes: the option, a person at the terminal, or nobody."""
    if yes:
        return lambda _: True
    at_terminal = not reads_stdin and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
    return _ask if at_terminal else None


def _ask(request: ApprovalRequest) -> bool:
    import json

    arguments = json.dumps(request.arguments, ensure_ascii=False, default=str)
    first = clean_line(request.description.strip().split("\n")[0])
    what = f"{clean_line(request.tool)}: {clip(first, 200)}\n  {clip(clean_line(arguments), 2000)}"
    write(sys.stderr, f"{what}\nrun it? [y/N] ")
    try:
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    except UnicodeDecodeError:
        return False


def _meant(bundle: Path) -> str | None:
    """What was probably meant by a path that is no bundle."""
    from toolc.artifact import is_bundle
    from toolc.digest import LOCK
    from toolc.pipeline import DEFAULT_OUT
    from toolc.scaffold import CONFIG, hosts_of

    if is_bundle(bundle):
        return None
    if (around := next((folder for folder in bundle.absolute().parents if is_bundle(folder)), None)) is not None:
        return f"it lies in the bundle `{shown_path(around)}`"
    if not ((bundle / CONFIG).is_file() or (bundle / LOCK).is_file() or (bundle.is_dir() and hosts_of(bundle))):
        return None
    built = bundle / DEFAULT_OUT
    if is_bundle(built):
        return f"it is a project, and its bundle is `{shown_path(built)}`"
    return f"it is a project: `toolc build{as_argument(bundle)}` makes its bundle, in `{shown_path(built)}`"


def _advice(result: Result, bundle: Path, tool: str, *, verbose: bool, asked: bool) -> Iterator[str]:
    """What the person at the command line may do about a failed call: the result's words are a model's."""
    assert result.error is not None, "there is advice on failures only"
    trace = result.details.get("trace")
    if result.error.kind == "not-approved" and not asked:
        yield "hint: --yes approves it for this one call"
    elif result.error.kind == "unknown-tool":
        yield from (f"hint: {line}" for line in _about_unknown(bundle, tool))
    elif isinstance(trace, list) and trace:
        yield from (f"  at {clean_line(str(place))}" for place in trace) if verbose else ("hint: -v shows where",)


def _about_unknown(bundle: Path, tool: str) -> Iterator[str]:
    from toolc import artifact
    from toolc.render.listings import why_hidden

    try:
        hidden = artifact.toolset(bundle).hidden
    except ToolcError:  # the runtime reads what a newer toolc wrote, or not; that is not the question here
        hidden = {}
    if tool in hidden:
        yield from (f"`{clean_line(tool)}` is hidden: {why}" for why in why_hidden(hidden[tool]))
    yield f"`toolc list{as_argument(bundle)}` shows the tools"


def _text(output: str) -> str:
    """The output as it goes to stdout: on a terminal nothing of it may pose as the terminal's own."""
    shown = clean(output) if sys.stdout is not None and sys.stdout.isatty() else output
    return f"{shown}\n" if shown and not shown.endswith("\n") else shown
