"""What runs when a tool is called: two states of a tool go in, a finding comes out for each fact of its execution that
is another. What its files hold is the matter of `code`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from toolc.diff.model import Finding, Rule, Verdict, found, given, pointer
from toolc.diff.rules import execution as rules
from toolc.model import Background, CommandEntry, Json, PythonEntry, Tool

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh"})
_WITH_VALUE = re.compile(r"[-+][A-Za-z]*[oO]|--rcfile|--init-file")
_SHELL_TEXT = re.compile(r"-[A-Za-z]*c[A-Za-z]*|--command(?:=.*)?", re.DOTALL)
_CMD_TEXT = re.compile(r"/[ck].*", re.IGNORECASE | re.DOTALL)
# PowerShell takes any unambiguous beginning of an option's name, with one dash, two or a slash.
_POWERSHELL_TEXT = re.compile(r"(?:--?|/)(?:c|co|com|comm|comma|comman|command|e|ec|en|enc.*)", re.IGNORECASE)
_ENV_TEXT = re.compile(r"-[A-Za-z0]*S|--split-string")
# Programs that only start another one, given after their own options.
_STARTERS = frozenset({"env", "nohup", "nice", "timeout", "exec", "sudo", "doas", "setsid", "stdbuf", "xargs", "time"})


def compare(old: Tool, new: Tool) -> Iterator[Finding]:
    """How a tool runs otherwise than it did."""
    yield from _entry(old, new)
    yield from _limits(old, new)
    if old.mode is not new.mode:
        yield _field(
            rules.MODE_CHANGED, new, "mode", f"`{new.name}` runs `{new.mode}` now", old.mode.value, new.mode.value
        )
    if old.environment != new.environment:
        message = f"the packages of `{new.name}` are of {_environment(new.environment)} now"
        yield _field(rules.ENVIRONMENT_CHANGED, new, "environment", message, old.environment, new.environment)


def is_shell(argv: tuple[str, ...]) -> bool:
    """Whether a command line hands a text to a shell, or to something that reads text as a command line."""
    if _reads_text(argv):
        return True
    # A starter has options of its own, some with values; whatever follows them may be the program it starts.
    return _program(argv) in _STARTERS and any(_reads_text(argv[at:]) for at in range(1, len(argv)))


def _reads_text(argv: tuple[str, ...]) -> bool:
    program, rest = _program(argv), argv[1:]
    if program == "busybox":
        program, rest = _program(rest), rest[1:]
    if program in _SHELLS:
        return any(_SHELL_TEXT.fullmatch(word) for word in _options(rest))
    if program == "cmd":
        return any(_CMD_TEXT.fullmatch(word) for word in rest)
    if program in ("powershell", "pwsh"):
        return any(_POWERSHELL_TEXT.fullmatch(word) for word in rest)
    return program == "env" and any(_ENV_TEXT.match(word) for word in rest)


def _program(argv: tuple[str, ...]) -> str:
    """The name of the program, without its folder."""
    return posixpath.basename(argv[0].replace("\\", "/")).lower().removesuffix(".exe") if argv else ""


def _options(words: tuple[str, ...]) -> Iterator[str]:
    """The options of a shell, up to the script or the text that it reads."""
    rest = iter(words)
    for word in rest:
        if not word.startswith(("-", "+")) or word == "--":
            return
        yield word
        if _WITH_VALUE.fullmatch(word):
            next(rest, None)


def _entry(old: Tool, new: Tool) -> Iterator[Finding]:
    match old.entry, new.entry:
        case PythonEntry() as before, PythonEntry() as after:
            yield from _python(new, before, after)
        case CommandEntry() as before, CommandEntry() as after:
            if before.argv != after.argv:
                yield _argv(new, before.argv, after.argv)
            if is_shell(after.argv) and not is_shell(before.argv):
                yield _shell(new, before.argv, after.argv)
        case before, after:
            said = "a command" if isinstance(after, CommandEntry) else "a Python function"
            yield _field(rules.KIND_CHANGED, new, "kind", f"`{new.name}` is {said} now", _said(before), _said(after))
            if isinstance(after, CommandEntry) and is_shell(after.argv):
                yield _shell(new, (), after.argv)


def _python(tool: Tool, old: PythonEntry, new: PythonEntry) -> Iterator[Finding]:
    for key, before, after in (("module", old.module, new.module), ("function", old.function, new.function)):
        if before != after:
            message = f"the {key} that `{tool.name}` runs changed from `{before}` to `{after}`"
            yield _field(rules.ENTRY_POINT_CHANGED, tool, key, message, before, after)
    if old.is_async != new.is_async:
        said = "is async now" if new.is_async else "is no longer async"
        message = f"the function of `{tool.name}` {said}"
        yield _field(rules.ASYNC_CHANGED, tool, "async", message, old.is_async, new.is_async)
    arguments = [
        {name: f"{argument.parameter} ({argument.kind})" for name, argument in entry.arguments.items()}
        for entry in (old, new)
    ]
    yield from _table(rules.ARGUMENTS_CHANGED, tool, "arguments", arguments[0], arguments[1])
    yield from _table(rules.CONVERSIONS_CHANGED, tool, "conversions", {**old.conversions}, {**new.conversions})


def _table(rule: Rule, tool: Tool, key: str, old: dict[str, str], new: dict[str, str]) -> Iterator[Finding]:
    """A finding for each entry of a table that is another."""
    what = "the property" if key == "arguments" else "the value at"
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before != after:
            is_now = "as it is" if after is None else f"as `{after}`"
            yield found(
                rule,
                pointer("tools", tool.name, "execution", key, name),
                f"the function of `{tool.name}` is given {what} `{name}` {is_now}",
                tool=tool.name,
                old=given(before),
                new=given(after),
            )


def _argv(tool: Tool, old: tuple[str, ...], new: tuple[str, ...]) -> Finding:
    other_program = old[:1] != new[:1]
    message = f"`{tool.name}` starts another program, `{new[0]}`" if other_program else None
    return found(
        rules.ARGV_CHANGED,
        pointer("tools", tool.name, "execution", "argv"),
        message or f"the command line of `{tool.name}` changed",
        tool=tool.name,
        old=[*old],
        new=[*new],
        security=Verdict.BREAKING if other_program else None,
    )


def _shell(tool: Tool, old: tuple[str, ...], new: tuple[str, ...]) -> Finding:
    return found(
        rules.SHELL_INTRODUCED,
        pointer("tools", tool.name, "execution", "argv"),
        f"a shell runs the command of `{tool.name}` now",
        tool=tool.name,
        old=[*old],
        new=[*new],
    )


def _limits(old: Tool, new: Tool) -> Iterator[Finding]:
    if old.timeout_s != new.timeout_s:
        rule = rules.TIMEOUT_DECREASED if new.timeout_s < old.timeout_s else rules.TIMEOUT_INCREASED
        message = f"a call of `{new.name}` may take {new.timeout_s:g} s, where it was {old.timeout_s:g} s"
        yield _field(rule, new, "timeout_s", message, old.timeout_s, new.timeout_s)
    if old.background is not new.background:
        kept = new.background is Background.KEEP
        said = "kept" if kept else "ended with it"
        yield _field(
            rules.BACKGROUND_KEPT if kept else rules.BACKGROUND_KILLED,
            new,
            "background",
            f"what a call of `{new.name}` leaves running is {said} now",
            old.background.value,
            new.background.value,
        )


def _field(rule: Rule, tool: Tool, key: str, message: str, old: Json, new: Json) -> Finding:
    return found(
        rule, pointer("tools", tool.name, "execution", key), message, tool=tool.name, old=given(old), new=given(new)
    )


def _said(entry: PythonEntry | CommandEntry) -> Json:
    if isinstance(entry, CommandEntry):
        return {"kind": "command", "argv": [*entry.argv]}
    return {"kind": "python", "module": entry.module, "function": entry.function}


def _environment(name: str | None) -> str:
    return "no environment" if name is None else f"the environment `{name}`"
