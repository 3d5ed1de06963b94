"""What commands have in common: the options that say how to print, and the paths and the project they are about."""

from __future__ import annotations

import functools
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

import click

from toolc import codes
from toolc.cli.console import Console, Destination
from toolc.errors import ToolcError
from toolc.text import shown_path

if TYPE_CHECKING:
    from toolc.model import Toolset

P = ParamSpec("P")

DIAGNOSTIC_FORMS = ("text", "concise", "json", "github", "sarif")
ANSWER_FORMS = ("text", "json")


class Unreachable(ToolcError):
    """A path of which the system does not say what stands there."""

    code = codes.SYSTEM_REFUSED.id

    def __init__(self, what: str, error: OSError) -> None:
        self.what = what
        self.error = error
        super().__init__(f"{what} cannot be reached: {os.strerror(error.errno or 0)}")


def reach(path: Path) -> os.stat_result | None:
    """What stands at a path that was given; None where nothing does. Raises `Unreachable`."""
    try:
        path.absolute()
    except OSError as error:  # the folder we stand in was removed
        raise Unreachable("the current folder", error) from None
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unreachable(f"`{shown_path(path)}`", error) from None


def refuse_in_bundle(folder: Path) -> None:
    """Refuse a folder inside a bundle: the project around the bundle is not what it was given for."""
    from toolc.artifact import is_bundle

    bundle = next((above for above in folder.absolute().parents if is_bundle(above)), None)
    if bundle is not None:
        raise click.UsageError(f"`{shown_path(folder)}` lies in the bundle `{shown_path(bundle)}`; name that")


class PathType(click.Path):
    """A path as it was given. What it leads to is for the command to see, which has the words for it."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, which is not empty."""
        if value == "":  # a shell variable that is not set; `Path` would take it for the current folder
            what = param.get_error_hint(ctx).replace("'", "`") if param is not None and ctx is not None else "a path"
            raise click.UsageError(f"{what} is empty", ctx)
        return Path(value)


class ProjectType(PathType):
    """A folder that is there; whether it holds a project is for the config to say."""

    def __init__(self) -> None:
        super().__init__(file_okay=False)  # which completion knows to offer

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path of the folder."""
        path = super().convert(value, param, ctx)
        status = reach(path)
        if status is None:
            raise click.UsageError(f"there is no folder `{path}`", ctx)
        if not stat.S_ISDIR(status.st_mode):
            folder = f", `{shown_path(path.parent)}`" if path.parent != Path() else ""
            raise click.UsageError(f"`{path}` is a file; give the folder of its project{folder}", ctx)
        refuse_in_bundle(path)
        return path


def locked_toolset(target: Path) -> Toolset | None:
    """The toolset of a bundle or a lock; None for a folder that is a project, which has to be compiled."""
    from toolc import artifact

    status = reach(target)
    if status is None:
        raise click.UsageError(f"there is no file or folder `{target}`")
    if stat.S_ISDIR(status.st_mode) and not artifact.is_bundle(target):
        return None
    return artifact.toolset(target)


def digest(value: str) -> str:
    """A digest as `toolc digest` prints it; what is none could never be the one expected."""
    if re.fullmatch(r"sha256:[0-9a-f]{64}", value) is None:
        raise click.UsageError(f"`{value}` is no digest: that is `sha256:` and 64 digits, as `toolc digest` prints it")
    return value


project_argument = click.argument("project", type=ProjectType(), default=Path(), metavar="[PROJECT]")
deny_warnings_option = click.option("--deny-warnings", is_flag=True, help="Count warnings as errors.")


def _destination(forms: tuple[str, ...]) -> Callable[[str], Destination]:
    """The reader of `FORMAT` and `FORMAT=FILE`."""

    def read(value: str) -> Destination:
        form, separator, file = value.partition("=")
        if form not in forms:
            raise click.UsageError(f"--format: `{form}` is not one of {', '.join(forms)}")
        if separator and not file:
            raise click.UsageError(f"--format: `{value}` names no file after the `=`")
        return Destination(form=form, file=Path(file) if separator else None)

    return read


def _check_destinations(destinations: Sequence[Destination]) -> None:
    """Refuse two answers for one place, of which only the last would be left."""
    if sum(1 for entry in destinations if entry.file is None) > 1:
        raise click.UsageError("--format: two forms for stdout; write the other as FORMAT=FILE")
    files = Counter(os.path.realpath(entry.file) for entry in destinations if entry.file is not None)
    for entry in destinations:
        if entry.file is not None and files[os.path.realpath(entry.file)] > 1:
            raise click.UsageError(f"--format: two forms for the file `{entry.file}`")


def console_options(*forms: str) -> Callable[[Callable[Concatenate[Console, P], int]], Callable[P, int]]:
    """Give a command the options about its output; it gets a `Console` in front of its own parameters."""

    def decorate(command: Callable[Concatenate[Console, P], int]) -> Callable[P, int]:
        @functools.wraps(command)
        def with_console(*args: P.args, **kwargs: P.kwargs) -> int:
            destinations = kwargs.pop("destinations")
            verbose, quiet, colour = kwargs.pop("verbose"), kwargs.pop("quiet"), kwargs.pop("colour")
            assert isinstance(destinations, tuple)
            _check_destinations(destinations)
            console = Console(destinations=destinations, verbose=bool(verbose), quiet=bool(quiet), colour=str(colour))
            return command(console, *args, **kwargs)

        options = (
            click.option(
                "--format",
                "destinations",
                type=_destination(forms),
                multiple=True,
                metavar=f"[{'|'.join(forms)}][=FILE]",
                help="Form of the answer; repeatable with a FILE.",
            ),
            click.option("-v", "--verbose", is_flag=True, help="Show notes too."),
            click.option("-q", "--quiet", is_flag=True, help="Show the answer and errors only."),
            click.option(
                "--color",
                "colour",
                type=click.Choice(["auto", "always", "never"]),
                default="auto",
                help="Colour of text; auto is on a terminal, and minds NO_COLOR and FORCE_COLOR.",
            ),
        )
        decorated: Callable[P, int] = with_console
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
