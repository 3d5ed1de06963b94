"""A manifest as its checks see it: the candidate, its JSON, how to point at a place in it, and where to report."""

from __future__ import annotations

from dataclasses import dataclass

from toolc.diagnostics import Code, Diagnostic, Reporter, Span, Text
from toolc.jsontext import Document, Pointer
from toolc.model import Json, ManifestCandidate
from toolc.names import closest
from toolc.text import escape

PARAMETERS = "parameters"
INPUT_SCHEMA = "inputSchema"  # another spelling of it
KEYS = (
    *("name", "description", PARAMETERS, INPUT_SCHEMA, "command", "timeout", "env", "permission", "background"),
    "annotations",
)
# Keys of other systems that no spelling mistake explains.
_OTHER_KEYS = {
    **dict.fromkeys(("args_schema", "arguments", "input", "inputs", "params", "schema"), PARAMETERS),
    **dict.fromkeys(("entrypoint", "exec", "executable", "run", "script"), "command"),
    **dict.fromkeys(("help", "summary"), "description"),
    **dict.fromkeys(("environment", "environ"), "env"),
    **dict.fromkeys(("timeout_ms", "timeoutMs", "timeout_s", "timeoutSeconds"), "timeout"),
}

_SHOWN_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestFile:
    """A manifest that is one JSON object."""

    candidate: ManifestCandidate
    document: Document
    value: dict[str, Json]
    text: Text
    reporter: Reporter

    def span(self, pointer: Pointer, *, key: bool = False) -> Span:
        """Where a value stands, or the name of a member."""
        return Span(self.text, *self.document.place(pointer, key=key))

    @property
    def opening(self) -> Span:
        """The brace that opens the manifest: the place of what is not there."""
        line, column, _, _ = self.document.place(())
        return Span(self.text, line, column, line, column + 1)

    def within(self, pointer: Pointer, start: int, end: int, *, key: bool = False) -> Span:
        """Where the characters from `start` to before `end` of a string are spelled."""
        line, column, _, _ = self.document.character(pointer, start, key=key)
        _, _, end_line, end_column = self.document.character(pointer, end - 1, key=key)
        return Span(self.text, line, column, end_line, end_column)

    def report(self, code: Code, message: str, place: Pointer | Span, hint: str | None = None) -> None:
        """Say what is so about a value, or a place."""
        span = place if isinstance(place, Span) else self.span(place)
        self.reporter.report(Diagnostic(code, message, span, hint=hint))


def meant(key: str) -> str | None:
    """The key of a manifest that was probably meant by one that is none."""
    near = closest(key, KEYS)
    # What is mistyped nearly always begins right; `version` is not `permission`.
    return near if near and near[0] == key[:1].lower() else _OTHER_KEYS.get(key)


def misspelt(value: dict[str, Json], name: str) -> str | None:
    """The first key of a manifest that stands where `name` was probably meant; None where it has that one."""
    if name in value:
        return None
    return next((key for key in value if key not in KEYS and meant(key) == name), None)


def subject(pointer: Pointer) -> str:
    """What a sentence about a value begins with: `timeout`, `parameters.properties.path`, `command[1]`."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{shown(step)}" for step in pointer)
    return f"`{path.lstrip('.')}`"


def kind(value: Json) -> str:
    """What a value is, in a few words."""
    match value:
        case None:
            return "`null`"
        case bool():
            return f"`{str(value).lower()}`"
        case int() | float():
            return f"`{value!r}`" if isinstance(value, float) or value.bit_length() < 64 else "a huge number"
        case str():
            return f'`"{shown(value)}"`'
        case list():
            return "a list"
    return "an object"


def shown(text: str) -> str:
    """A text of the manifest as a message quotes it: short, on one line, nothing invisible."""
    cut = text if len(text) <= _SHOWN_LENGTH else f"{text[: _SHOWN_LENGTH - 1]}…"
    return escape(cut).replace("\n", "\\n").replace("\t", "\\t")
