"""Text the model sees: what a tool says goes in; characters no reader can see are reported at their place."""

from __future__ import annotations

from collections.abc import Iterator

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span
from toolc.model import Json
from toolc.parse.scope import Function
from toolc.parse.syntax import Module
from toolc.text import Verdict, judge


def check_visible(
    tool: str, texts: list[tuple[str, Json]], function: Function, module: Module, reporter: Reporter
) -> None:
    """Report what is invisible in the texts, each given with the words that say what it is."""
    for what, value in texts:
        for text in _strings(value):
            for finding in judge(text):
                forbidden = finding.verdict is Verdict.FORBIDDEN
                name = f"U+{ord(finding.char):04X}"
                message = (
                    f"{what} of tool `{tool}` holds {name}, which a reader cannot see"
                    if forbidden
                    else f"{what} of tool `{tool}` holds {name}, which does nothing visible where it stands"
                )
                code = codes.FORBIDDEN_CHARACTER if forbidden else codes.DOUBTFUL_CHARACTER
                reporter.report(Diagnostic(code, message, _place(finding.char, function, module), hint="remove it"))


def _place(character: str, function: Function, module: Module) -> Span:
    """Where the character stands in the function; where an escape makes it, the function's name."""
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    for number in range(first, min(function.end_lineno or first, len(module.lines)) + 1):
        column = module.lines[number - 1].find(character) + 1
        if column:
            return Span(module.text, number, column, number, column + 1)
    return module.name_span(function)


def _strings(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for key, item in value.items():
                yield key
                yield from _strings(item)
