"""What a tool writes, bounded: chunks of bytes go in, a text a model and a terminal can take comes out.

Everything is counted, the beginning and the end are kept, and nothing is decoded before the end, so that neither a
flood nor a broken byte can cost more than a fixed amount.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .jsontext import Json

CEILING_BYTES = 64 << 20  # a tool that writes more is stopped

_TEXT_CONTROLS = b"\t\n\r"
_CONTROLS = bytes(byte for byte in (*range(0x20), 0x7F) if byte not in _TEXT_CONTROLS)
_BINARY_SHARE = 10  # one byte in so many that is no text makes the output binary


class Keep:
    """How much of an output is kept."""

    __slots__ = ("head_bytes", "tail_bytes", "tail_lines")

    def __init__(self, head_bytes: int, tail_bytes: int, tail_lines: int | None = None) -> None:
        self.head_bytes = head_bytes
        self.tail_bytes = tail_bytes
        self.tail_lines = tail_lines


_DEFAULT = Keep(16 << 10, 48 << 10)
_BY_HOST = {"pequeroku": Keep(0, 50_000, 2_000)}


def keep_for(host: str) -> Keep:
    """How much the host of a toolset shows its model."""
    return _BY_HOST.get(host, _DEFAULT)


class Text:
    """What is left of an output: the text, and what there is to say about it."""

    __slots__ = ("details", "text", "truncated")

    def __init__(self, text: str, truncated: bool, details: dict[str, Json]) -> None:
        self.text = text
        self.truncated = truncated
        self.details = details


class Capture:
    """Collects an output: its head, its tail, and exact counts of all of it."""

    __slots__ = ("_head", "_keep", "_tail", "lines", "size_bytes")

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._head = bytearray()
        self._tail = bytearray()
        self.size_bytes = 0
        self.lines = 0  # line breaks seen

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self.size_bytes += len(chunk)
        self.lines += chunk.count(b"\n")
        room = self._keep.head_bytes - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        self._tail += chunk
        if len(self._tail) > 2 * self._keep.tail_bytes + (64 << 10):
            del self._tail[: -self._keep.tail_bytes]

    def finish(self) -> Text:
        """The text of what was kept, with a marker where something was left out."""
        head, tail = bytes(self._head), bytes(self._tail[-self._keep.tail_bytes :])
        if self._keep.tail_lines is not None:
            tail = _last_lines(tail, self._keep.tail_lines)
        cut_bytes = self.size_bytes - len(head) - len(tail)
        if cut_bytes == 0:
            cleaned = _clean(head + tail)
            return Text(cleaned.text, False, self._details(cleaned))
        # A character that the cut would split is left out whole, and counted as left out.
        head, tail = _without_partial_end(head), _without_partial_start(tail)
        cut_bytes = self.size_bytes - len(head) - len(tail)
        cut_lines = self.lines - head.count(b"\n") - tail.count(b"\n")
        first, last = _clean(head), _clean(tail)
        marker = f"[{cut_bytes} bytes, {cut_lines} line breaks left out]"
        before = first.text if not first.text or first.text.endswith("\n") else first.text + "\n"
        details = self._details(first, last)
        details["cut_bytes"] = cut_bytes
        details["cut_lines"] = cut_lines
        return Text(f"{before}{marker}\n{last.text}", True, details)

    def _details(self, *parts: _Cleaned) -> dict[str, Json]:
        details: dict[str, Json] = {"bytes": self.size_bytes, "lines": self.lines}
        errors = sum(part.encoding_errors for part in parts)
        if errors:
            details["encoding_errors"] = errors
        odd = errors + sum(part.controls for part in parts)
        if odd * _BINARY_SHARE > sum(part.size_bytes for part in parts):
            details["binary"] = True
        return details


def clean(text: str) -> str:
    """A text of ours or of a tool's without anything that could reach a terminal or a provider as a command."""
    return _clean(text.encode("utf-8", "surrogatepass")).text


class _Cleaned:
    __slots__ = ("controls", "encoding_errors", "size_bytes", "text")

    def __init__(self, text: str, size_bytes: int, encoding_errors: int, controls: int) -> None:
        self.text = text
        self.size_bytes = size_bytes
        self.encoding_errors = encoding_errors
        self.controls = controls


def _clean(data: bytes) -> _Cleaned:
    text = data.decode("utf-8", "replace")
    errors = 0 if text.isascii() else text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    controls = len(data) - len(data.translate(None, _CONTROLS))
    # C1 controls are written in two bytes, the first of which is 0xC2.
    if controls or b"\xc2" in data:
        text = _without_controls(text)
    return _Cleaned(text, len(data), errors, controls)


def _without_controls(text: str) -> str:
    import re  # rare, and a third of the start of a wrapper

    sequence = (
        "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor movements
        "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC and its kind: titles
        "|\x1b[ -/]*[0-~]?"
    )
    text = re.sub(sequence, "", text)
    text = text.replace("\0", "\ufffd")
    return re.sub("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "", text)


def _last_lines(data: bytes, count: int) -> bytes:
    # The line break at the very end closes the last line; it does not open another one.
    start = len(data) - 1 if data.endswith(b"\n") else len(data)
    for _ in range(count):
        start = data.rfind(b"\n", 0, start)
        if start < 0:
            return data
    return data[start + 1 :]


def _without_partial_end(data: bytes) -> bytes:
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        needed = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
        return data[:-back] if needed > back else data
    return data


def _without_partial_start(data: bytes) -> bytes:
    for start in range(min(4, len(data))):
        if data[start] & 0xC0 != 0x80:
            return data[start:]
    return data
