"""Judge a manifest's command: what it says goes in, the words that run come out, and what would stop them is told.

What is looked up on this machine is only ever a warning and changes nothing in the result: the tool runs elsewhere.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil

from toolc import codes, source
from toolc.diagnostics import Span
from toolc.model import Json, SourceFile
from toolc.names import closest
from toolc.parse.command import SHELL_WORDS, Command, Syntax, Unclosed, split
from toolc.parse.manifest_file import ManifestFile, shown
from toolc.text import FORBIDDEN

MAX_BYTES = 100 * 1024  # systems take 128 KiB in one word, and the environment wants room as well

_KEY = "command"
_PLACEHOLDER = re.compile(r"\$\{[^}]{0,200}\}|\{\{[^{}]{0,200}\}\}")  # bounded: a text of openings alone is slow else
_PROGRAM_VARIABLE = re.compile(r"""["']?\$(?:\{(\w+)\}|(\w+))""")
_SET_EVERYWHERE = frozenset({"HOME", "TOOLC_HOST_CWD", "TOOLC_TMP"})
# `C:\Tools` and `\\server\share`, of which `s:\.:_:`, `A:\d+` and `\\n` are none: they stand in commands, too.
_WINDOWS_PATH = re.compile(r"""(?<![^\s'"=])(?:[A-Zcd]:(?:\\+[A-Za-z]{2}|/(?!/))|\\\\[\w.-]+\\\w)""")
_CLIMB = re.compile(r"(?<![^\s'\"=:;|&(])\.\.(?=[/\s'\";|&)]|$)")
_INTERPRETER = re.compile(r"(?:python[0-9.]*|sh|bash|dash|zsh|node|ruby|perl|php)$")
_BINARY = (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xfe\xed\xfa")


def read_command(file: ManifestFile) -> tuple[str, ...]:
    """The words that run; of a command that only a shell understands, `sh -c` and its text."""
    command = file.value.get(_KEY)
    match command:
        case str() if command.strip():
            return _read_text(file, command)
        case list() if command and all(isinstance(word, str) for word in command):
            return _read_words(file, command)
    return ()  # the manifest's schema has told what is wrong


def _read_words(file: ManifestFile, command: list[Json]) -> tuple[str, ...]:
    words = tuple(str(word) for word in command)
    places = [file.span((_KEY, index)) for index in range(len(words))]
    runs = True
    for index, (word, place) in enumerate(zip(words, places, strict=True)):
        if _WINDOWS_PATH.search(word):
            _report_windows_path(file, place)
            runs = False
        elif placeholder := _PLACEHOLDER.search(word):
            message = f"`{shown(placeholder[0])}` stands in a list, where nothing fills it in"
            if index == 0:
                message = f"the program is `{shown(placeholder[0])}`, a placeholder that nothing fills in"
                runs = False
            hint = "write the program's name, such as `python3`" if index == 0 else None
            file.report(codes.COMMAND_PLACEHOLDER if index else codes.COMMAND_UNUSABLE, message, place, hint)
    if runs:
        _check_words(file, words, places)
    return words


def _read_text(file: ManifestFile, command: str) -> tuple[str, ...]:
    # Blank space and line breaks around a command are no part of it, and a last line break needs no shell.
    text = command.strip()
    offset = command.index(text)
    if path := _WINDOWS_PATH.search(text):
        _report_windows_path(file, file.within((_KEY,), offset + path.start(), offset + path.start() + 2))
        return ()
    try:
        parsed = split(text)
    except Unclosed as unclosed:
        place = file.within((_KEY,), offset + unclosed.position, offset + unclosed.position + 1)
        file.report(codes.COMMAND_UNUSABLE, f"the quote `{unclosed.quote}` in `command` is never closed", place)
        return ()
    if parsed.shell is None:
        _check_words(file, parsed.words, [file.span((_KEY,))] * len(parsed.words))
        return parsed.words
    _check_shell_form(file, text, offset, parsed)
    _check_placeholders(file, text, offset)
    if parsed.starts_in_background and not parsed.keeps_input:
        # POSIX, 2.9.3.1: what a shell puts into the background reads nothing. PequeRoku pipes the arguments into the
        # command's text, so its jobs do get them; this is the same pipe.
        return ("sh", "-c", f"exec 3<&0 </dev/null; cat <&3 | {text}")
    return ("sh", "-c", text)


def _check_shell_form(file: ManifestFile, text: str, offset: int, command: Command) -> None:
    def place(syntax: Syntax) -> Span:
        start = offset + syntax.position
        return file.within((_KEY,), start, start + len(syntax.text))

    assert command.shell, "the command is a shell form"
    file.report(
        codes.COMMAND_NEEDS_SHELL,
        f"`command` needs a shell for `{shown(command.shell.text)}`, and is run as `sh -c`",
        place(command.shell),
        "write plain words, or put the rest into a script in the tool's folder",
    )
    if command.background and not command.starts_in_background and not command.keeps_input:
        message = "what a shell puts into the background gets an empty standard input, without the arguments"
        hint = "begin the command with `exec 3<&0;` and give the program `<&3`"
        file.report(codes.COMMAND_IN_BACKGROUND, message, place(command.background), hint)
    elif command.separator and not command.starts_in_background and not command.keeps_input:
        message = "`command` is several commands, and the first that reads its input gets all of the arguments"
        hint = "put them into a script that reads the arguments itself"
        if command.shell.text == "cd":
            hint = "a command starts in the tool's folder: write paths from there, or put both into a script"
        file.report(codes.COMMAND_SEVERAL, message, place(command.separator), hint)
    if climb := _CLIMB.search(text):
        _report_climb(file, file.within((_KEY,), offset + climb.start(), offset + climb.end()))
    if _is_too_long(file, (text,)):
        return
    if command.words and not FORBIDDEN.search(command.words[0]):
        _check_program(file, command.words[0], file.span((_KEY,)), by_shell=True)


def _check_placeholders(file: ManifestFile, text: str, offset: int) -> None:
    """Report what a template would fill in, and a program that is a variable nobody is told to set."""

    def place(start: int, end: int) -> Span:
        return file.within((_KEY,), offset + start, offset + end)

    for template in _PLACEHOLDER.finditer(text):
        if template[0].startswith("{"):
            message = f"`{shown(template[0])}` is a placeholder that nothing fills in"
            file.report(codes.COMMAND_PLACEHOLDER, message, place(*template.span()))
    variable = _PROGRAM_VARIABLE.match(text)
    name = variable and (variable[1] or variable[2])
    declared = file.value.get("env")
    if variable and name not in _SET_EVERYWHERE and not (isinstance(declared, list) and name in declared):
        message = f"the program is what `{name}` holds, and `env` does not name that variable"
        hint = f'write the program\'s name, such as `python3`, or `"env": ["{name}"]`'
        file.report(codes.COMMAND_PLACEHOLDER, message, place(*variable.span()), hint)


def _report_windows_path(file: ManifestFile, place: Span) -> None:
    message = "a path with a drive or a share is on one Windows machine alone"
    file.report(codes.COMMAND_NOT_PORTABLE, message, place, "copy the file into the tool's folder, and write `./FILE`")


def _check_words(file: ManifestFile, words: tuple[str, ...], places: list[Span]) -> None:
    if not words or not words[0]:
        file.report(codes.COMMAND_UNUSABLE, "the first word of `command`, the program, is empty", (_KEY,))
        return
    if _is_too_long(file, words) or any(FORBIDDEN.search(word) for word in words):
        return
    inside = True
    for index, (word, place) in enumerate(zip(words, places, strict=True)):
        option, _, value = word.rpartition("=")
        path = value if option.startswith("-") else word
        if not _leaves_folder(path):
            continue
        if index and posixpath.basename(posixpath.normpath(path)) == "..":
            _report_climb(file, place)
            continue
        inside = inside and index > 0
        file.report(
            codes.COMMAND_LEAVES_FOLDER,
            f"`{shown(path)}` leads out of the tool's folder, and is not in the bundle",
            place,
            "copy the file into the tool's folder",
        )
    if inside:
        _check_program(file, words[0], places[0], by_shell=False)
    if len(words) > 1 and _INTERPRETER.match(posixpath.basename(words[0])):
        _check_script(file, words[1], places[1])


def _leaves_folder(word: str) -> bool:
    """Whether a word is a relative path that ends up above the folder it starts from."""
    if word.startswith("/") or "://" in word or ".." not in word.split("/"):
        return False
    return posixpath.normpath(word).split("/")[0] == ".."


def _report_climb(file: ManifestFile, place: Span) -> None:
    message = "`..` is above the tool's folder, where the bundle is and not the project"
    file.report(codes.COMMAND_CLIMBS, message, place, "the folder the host works in is in `$TOOLC_HOST_CWD`")


def _is_too_long(file: ManifestFile, words: tuple[str, ...]) -> bool:
    size_bytes = sum(len(word.encode("utf-8", "surrogatepass")) + 1 for word in words)
    if size_bytes <= MAX_BYTES:
        return False
    message = f"`command` has {size_bytes >> 10:,} KiB, and a system takes up to {MAX_BYTES >> 10}"
    file.report(codes.COMMAND_UNUSABLE, message, file.span((_KEY,), key=True), "put the text into a file")
    return True


# ----------------------------------------------------------------------------------------------------------- look-up


def _check_program(file: ManifestFile, program: str, place: Span, *, by_shell: bool) -> None:
    if "/" not in program:
        _check_on_path(file, program, place)
    elif program.startswith("/"):
        if not os.access(program, os.X_OK):
            file.report(codes.PROGRAM_NOT_FOUND, f"`{shown(program)}` is no program on this machine", place)
    elif not _leaves_folder(program):
        script = _shipped(file, program)
        if script is None:
            _report_not_shipped(file, program, place)
        elif not script.executable:
            message = f"`{shown(program)}` is not executable"
            hint = f"run `chmod +x {shown(posixpath.normpath(program))}`, or name its interpreter first"
            file.report(codes.PROGRAM_NOT_EXECUTABLE, message, place, hint)
        else:
            _check_first_line(file, script, program, place, by_shell=by_shell)


def _check_on_path(file: ManifestFile, program: str, place: Span) -> None:
    if program in SHELL_WORDS:
        message = f"`{shown(program)}` is a word of the shell, and no program"
        file.report(
            codes.PROGRAM_NOT_FOUND, message, place, 'write the command as one string, or begin with "sh", "-c"'
        )
    elif shutil.which(program) is None:
        message = f"`{shown(program)}` is not on the PATH of this machine"
        hint = f"write `./{shown(program)}` to run the file in the tool's folder" if _shipped(file, program) else None
        file.report(codes.PROGRAM_NOT_FOUND, message, place, hint)


def _check_script(file: ManifestFile, script: str, place: Span) -> None:
    """Report the script of an interpreter that does not ship with the tool."""
    if script.startswith(("-", "/")) or _PLACEHOLDER.search(script) or _leaves_folder(script) or _shipped(file, script):
        return
    _report_not_shipped(file, script, place)


def _report_not_shipped(file: ManifestFile, path: str, place: Span) -> None:
    folder = f"{file.candidate.folder}/"
    near = closest(posixpath.normpath(path), [shipped.path.removeprefix(folder) for shipped in file.candidate.files])
    hint = f"did you mean `{'./' if path.startswith('./') else ''}{shown(near)}`?" if near else None
    message = f"`{shown(path)}` is not in the tool's folder, as it ships"
    file.report(codes.PROGRAM_NOT_FOUND, message, place, hint)


def _shipped(file: ManifestFile, path: str) -> SourceFile | None:
    wanted = f"{file.candidate.folder}/{posixpath.normpath(path)}"
    return next((shipped for shipped in file.candidate.files if shipped.path == wanted), None)


def _check_first_line(file: ManifestFile, script: SourceFile, program: str, place: Span, *, by_shell: bool) -> None:
    try:
        data = source.read_content(script.layer, script.path).data
    except (source.Refused, OSError):
        return  # it was there a moment ago; emit says that it changed
    line = data[:4096].partition(b"\n")[0]
    if line.startswith(b"#!"):
        if line.endswith(b"\r"):
            message = (
                f"the first line of `{shown(program)}` ends in a carriage return, which the system takes for a letter"
            )
            file.report(codes.SCRIPT_FIRST_LINE, message, place, "save the file with line feeds alone")
        else:
            _check_interpreter(file, line[2:].decode("utf-8", "replace").split(), program, place)
    elif not data.startswith(_BINARY) and not by_shell:  # a shell runs a file without a first line by itself
        late = b"#!" in b"\n".join(data[:4096].split(b"\n")[:3])
        message = (
            f"the `#!` of `{shown(program)}` is not at the start of the file"
            if late
            else f"`{shown(program)}` has no `#!` line"
        )
        hint = "begin the file with it" if late else "begin the file with `#!/usr/bin/env` and its interpreter"
        file.report(codes.SCRIPT_FIRST_LINE, message, place, hint)


def _check_interpreter(file: ManifestFile, words: list[str], program: str, place: Span) -> None:
    """Report an interpreter that is not on this machine: the system would say that the script itself is missing."""
    if words and posixpath.basename(words[0]) == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if words and shutil.which(words[0]) is None:
        message = f"`{shown(program)}` asks for `{shown(words[0])}`, which is not on this machine"
        file.report(codes.PROGRAM_NOT_FOUND, message, place)
