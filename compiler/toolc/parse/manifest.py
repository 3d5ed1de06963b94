"""Compile a manifest: a folder with a `tool.json` goes in, the declaration of its tool comes out.

Every mistake is told at its place. A manifest with an error is `Broken`: it is no tool, and still claims its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolc import codes
from toolc.diagnostics import Diagnostic, Reporter, Span, Text
from toolc.jsontext import JsonError, Pointer, parse
from toolc.model import Background, Broken, CommandEntry, Declaration, Json, Level, ManifestCandidate, Schema
from toolc.names import closest
from toolc.parse.manifest_file import (
    INPUT_SCHEMA,
    KEYS,
    PARAMETERS,
    ManifestFile,
    kind,
    meant,
    misspelt,
    shown,
    subject,
)
from toolc.parse.manifest_shape import REQUIRED, check_shape
from toolc.parse.parameters import check_dialect, check_size, read_parameters
from toolc.parse.program import read_command
from toolc.text import Finding, Verdict, escape, judge

_HINTS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
# Where other systems name a server that has the tool, or several of either.
_SERVER_KEYS = ("httpUrl", "url", "serverUrl", "server_url", "endpoint", "baseUrl", "base_url")
_SEVERAL_KEYS = ("mcpServers", "servers", "tools", "functions")
_SEEN_BY_MODEL = frozenset({"name", "description", PARAMETERS, INPUT_SCHEMA, "command"})

_DESCRIPTION_KEPT = 1024  # PequeRoku cuts what is longer
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CHARACTERS_SHOWN = 8


def parse_manifest(candidate: ManifestCandidate, reporter: Reporter) -> Declaration | Broken:
    """The tool of a manifest folder; where something is wrong with it, the name it claims."""
    findings = Reporter()
    text = Text(candidate.manifest.shown, candidate.manifest.text)
    place = Span(text)
    declaration = None
    file = _open(candidate, text, findings)
    if file is not None:
        place = file.span(("name",)) if "name" in file.value else file.opening
        declaration = _declare(file)
    reporter.adopt(findings.diagnostics)
    if declaration is None or findings.has_errors:
        return Broken(name=candidate.folder, layer=candidate.manifest.layer, path=candidate.manifest.path, span=place)
    return declaration


def _open(candidate: ManifestCandidate, text: Text, reporter: Reporter) -> ManifestFile | None:
    """Read the manifest as JSON; None where that is reported not to be possible."""
    assert candidate.manifest.text is not None, "discovery keeps the text of every manifest"
    try:
        document = parse(candidate.manifest.text)
    except JsonError as error:
        place = Span(text, *error.place)
        reporter.report(Diagnostic(codes.MANIFEST_NOT_JSON, error.message, place, hint=error.hint))
        return None
    value = document.value
    if isinstance(value, dict) and _has_values(value.get("env")):
        # A message that quoted the line would quote what must not be repeated.
        text = Text(text.path)
    file = ManifestFile(
        candidate=candidate,
        document=document,
        value=value if isinstance(value, dict) else {},
        text=text,
        reporter=reporter,
    )
    if not isinstance(value, dict):
        hint = "give each tool a folder of its own" if isinstance(value, list) else None
        file.report(codes.MANIFEST_NOT_OBJECT, f"a manifest is an object, not {kind(value)}", file.opening, hint)
        return None
    return file


def _declare(file: ManifestFile) -> Declaration | None:
    """The tool a manifest declares, as far as nothing wrong was reported."""
    if _is_wrapped(file) or _is_several(file) or _is_remote(file):
        return None
    _check_keys(file)
    key = INPUT_SCHEMA if INPUT_SCHEMA in file.value and PARAMETERS not in file.value else PARAMETERS
    parameters = file.value.get(key, {"type": "object", "properties": {}})
    readable = not check_size(file, key, parameters)
    if readable and isinstance(parameters, dict):
        readable = not check_dialect(file, key, parameters)
    check_shape(file, _for_schema(file.value, without=() if readable else (key,)))

    name = _read_name(file)
    description = _read_description(file)
    schema: Schema = read_parameters(file, key, parameters) if readable and isinstance(parameters, dict) else {}
    argv = read_command(file)
    env = _read_env(file)
    _check_texts(file)
    if file.reporter.has_errors:
        return None
    timeout, permission, background = (file.value.get(key) for key in ("timeout", "permission", "background"))
    return Declaration(
        name=name,
        layer=file.candidate.manifest.layer,
        path=file.candidate.manifest.path,
        span=file.span(("name",)),
        description=description,
        description_span=file.span(("description",)),
        input_schema=schema,
        entry=CommandEntry(argv=argv),
        sources=file.candidate.files,
        annotations=_read_annotations(file),
        permission=Level(permission) if isinstance(permission, str) else None,
        timeout_s=float(timeout) if isinstance(timeout, int | float) else None,
        background=Background(background) if isinstance(background, str) else None,
        env=env,
    )


# -------------------------------------------------------------------------------------------------------------- keys


def _is_wrapped(file: ManifestFile) -> bool:
    """Report a function definition as providers take it, with the manifest's keys one level down."""
    inner = file.value.get("function")
    if not isinstance(inner, dict) or "command" in file.value:
        return False
    message = "this is a function definition as a model provider takes it, and not a manifest"
    hint = "write `name`, `description` and `parameters` at the top, and the `command` that runs the tool"
    file.report(codes.MANIFEST_DIALECT, message, file.span(("function",), key=True), hint)
    return True


def _is_several(file: ManifestFile) -> bool:
    """Report a file about several tools or servers, which other systems keep in one."""
    key = next((key for key in _SEVERAL_KEYS if isinstance(file.value.get(key), list | dict)), None)
    if key is None or "command" in file.value:
        return False
    message = f"`{key}` is a list of several, and a manifest is about one tool"
    hint = "give each tool a folder of its own, with a `tool.json` that has its `command`"
    file.report(codes.MANIFEST_DIALECT, message, file.span((key,), key=True), hint)
    return True


def _is_remote(file: ManifestFile) -> bool:
    """Report a server that is reached over the network, where a manifest has a program."""
    key = next((key for key in _SERVER_KEYS if isinstance(file.value.get(key), str)), None)
    if key is None or "command" in file.value:
        return False
    message = f"`{key}` names a server, and a manifest has a `command` that runs here"
    hint = "add the server to the host, which speaks to servers itself, or write a `command` that asks it"
    file.report(codes.MANIFEST_DIALECT, message, file.span((key,), key=True), hint)
    return True


def _check_keys(file: ManifestFile) -> None:
    if PARAMETERS in file.value and INPUT_SCHEMA in file.value:
        message = f"the manifest has both `{PARAMETERS}` and `{INPUT_SCHEMA}`, which mean the same"
        file.report(codes.MANIFEST_KEY_TWICE, message, file.span((INPUT_SCHEMA,), key=True), "keep one of them")
    for key in file.value:
        if key not in (*KEYS, "$schema"):
            _report_unknown_key(file, key)
    annotations = file.value.get("annotations")
    for hint in annotations if isinstance(annotations, dict) else ():
        if hint not in _HINTS:
            _report_unknown(file, ("annotations", hint), "`annotations`", closest(hint, _HINTS), _HINTS)


def _report_unknown_key(file: ManifestFile, key: str) -> None:
    place = file.span((key,), key=True)
    if key == "input_schema":
        message = f"a manifest's schema is called `{PARAMETERS}`"
        file.report(codes.MANIFEST_DIALECT, message, place, f"rename the key to `{PARAMETERS}`")
        if isinstance(value := file.value[key], dict):
            check_dialect(file, key, value)
    elif key == "args" and isinstance(file.value[key], list):
        message = "a manifest has its program and its words together in `command`"
        file.report(codes.MANIFEST_DIALECT, message, place, 'write `"command": ["PROGRAM", "WORD", ...]`')
    elif (near := meant(key)) not in REQUIRED or misspelt(file.value, near) != key:  # else it is told as missing
        _report_unknown(file, (key,), "a manifest", near, KEYS)


def _report_unknown(file: ManifestFile, pointer: Pointer, whose: str, near: str | None, known: tuple[str, ...]) -> None:
    message = f"`{shown(str(pointer[-1]))}` is no key of {whose}, and has no effect"
    hint = f"did you mean `{near}`?" if near else f"the keys are {', '.join(f'`{key}`' for key in known)}"
    file.report(codes.MANIFEST_KEY_UNKNOWN, message, file.span(pointer, key=True), hint)


def _for_schema(value: dict[str, Json], without: Iterable[str]) -> dict[str, Json]:
    """The manifest as its schema is to judge it: what is tolerated is put right, what is judged elsewhere is gone."""
    judged = {key: member for key, member in value.items() if key not in ("env", *without)}
    if isinstance(name := judged.get("name"), str):
        judged["name"] = name.strip()
    return judged


# ------------------------------------------------------------------------------------------------------------ values


def _read_name(file: ManifestFile) -> str:
    written = file.value.get("name")
    if not isinstance(written, str):
        return ""
    name = written.strip()
    if name != written:
        message = "the name has space around it, which is left out"
        file.report(codes.MANIFEST_TOLERATED, message, ("name",))
    folder = file.candidate.folder
    if name and name != folder and not any(d.code is codes.MANIFEST_NAME for d in file.reporter.diagnostics):
        message = f"the tool is named `{shown(name)}`, and its folder `{shown(folder)}`"
        hint = f"name the folder `{name}`, or write the folder's name here"
        file.report(codes.MANIFEST_NAME_NOT_FOLDER, message, ("name",), hint)
    return name


def _read_description(file: ManifestFile) -> str:
    written = file.value.get("description")
    description = written.strip() if isinstance(written, str) else ""
    if len(description) > _DESCRIPTION_KEPT:
        message = f"the description has {len(description):,} characters; PequeRoku cuts it at {_DESCRIPTION_KEPT:,}"
        file.report(codes.MANIFEST_TOLERATED, message, file.span(("description",), key=True))
    return description


def _read_annotations(file: ManifestFile) -> dict[str, Json]:
    annotations = file.value.get("annotations")
    return {hint: annotations[hint] for hint in _HINTS if hint in annotations} if isinstance(annotations, dict) else {}


def _has_values(env: Json) -> bool:
    """Whether `env` holds more than names: then no message may show it."""
    if isinstance(env, list):
        return not all(isinstance(item, str) and _VARIABLE.fullmatch(item) for item in env)
    return isinstance(env, dict | str)


def _read_env(file: ManifestFile) -> tuple[str, ...]:
    """The names of the variables a tool gets, sorted. No message repeats what is not a name."""
    env = file.value.get("env", [])
    if isinstance(env, dict):
        names = ", ".join(f'"{name}"' for name in env if _VARIABLE.fullmatch(name))
        message = "`env` gives variables their values, and takes only names"
        file.report(codes.MANIFEST_ENV_VALUE, message, ("env",), f'write `"env": [{names}]`' if names else None)
        return ()
    if not isinstance(env, list):
        what = "a string" if isinstance(env, str) else kind(env)
        file.report(codes.MANIFEST_VALUE, f"`env` takes a list of names of variables, not {what}", ("env",))
        return ()
    for index, item in enumerate(env):
        if isinstance(item, str) and _VARIABLE.fullmatch(item):
            continue
        name, equals, _ = item.partition("=") if isinstance(item, str) else ("", "", "")
        if equals:
            named = f"`{name}`" if _VARIABLE.fullmatch(name) else "a variable"
            message = f"`env` gives {named} its value, and takes only names"
            file.report(codes.MANIFEST_ENV_VALUE, message, ("env", index))
        else:
            message = f"{subject(('env', index))} takes the name of a variable: letters, digits and `_`"
            file.report(codes.MANIFEST_VALUE, message, ("env", index))
    return tuple(sorted({item for item in env if isinstance(item, str)}))


# ------------------------------------------------------------------------------------------------------------- texts


def _check_texts(file: ManifestFile) -> None:
    """Report characters nobody can see in what the model reads and in what runs."""
    for pointer, is_key, text in file.document.strings():
        if pointer[:2] == ("annotations", "title") or (pointer and pointer[0] in _SEEN_BY_MODEL):
            findings = list(judge(text))
            for verdict in Verdict:
                _report_invisible(file, pointer, is_key, [found for found in findings if found.verdict is verdict])


def _report_invisible(file: ManifestFile, pointer: Pointer, is_key: bool, findings: list[Finding]) -> None:
    if not findings:
        return
    first = findings[0]
    what = f"a name in {subject(pointer[:-1])}" if is_key else subject(pointer)
    spelled = escape("".join(found.char for found in findings[:_CHARACTERS_SHOWN]))
    more = "…" if len(findings) > _CHARACTERS_SHOWN else ""
    count = "an invisible character" if len(findings) == 1 else f"{len(findings):,} invisible characters"
    forbidden = first.verdict is Verdict.FORBIDDEN
    file.report(
        codes.MANIFEST_TEXT_FORBIDDEN if forbidden else codes.MANIFEST_TEXT_DOUBTFUL,
        f"{what} has {count}: `{spelled}{more}`",
        file.within(pointer, first.position, first.position + 1, key=is_key),
        None if forbidden else "remove it: it does nothing where it stands",
    )
