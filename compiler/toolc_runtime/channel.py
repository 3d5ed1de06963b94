"""Frames between a host and a worker: a JSON value goes in at one end and comes out at the other.

A frame is four bytes of length, the most significant first, and that many bytes of JSON.
"""

from __future__ import annotations

import os

from .jsontext import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .jsontext import Json

FRAME_LIMIT_BYTES = 64 << 20


class ProtocolError(Exception):
    """Bytes that are no frame: the other end is not to be trusted any more."""


def encode(value: Mapping[str, Json]) -> bytes:
    """The bytes of a frame."""
    body = dumps(value).encode("ascii")
    return len(body).to_bytes(4, "big") + body


def encode_reply(reply: Mapping[str, Json], number: Json = None) -> bytes:
    """The frame of a reply; one that has no frame becomes a reply that says so. `number` is its request's."""
    try:
        frame = encode({**reply, "number": number})
        if len(frame) <= FRAME_LIMIT_BYTES:
            return frame
        return encode({"error": {"kind": "output-limit", "message": "", "trace": []}, "number": number})
    except (ValueError, TypeError, MemoryError) as error:
        message = f"its answer cannot be sent: {type(error).__name__}"
        return encode({"error": {"kind": "failed", "message": message, "trace": []}, "number": number})


class Reader:
    """Puts frames together from whatever pieces arrive."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> dict[str, Json] | None:
        """Take the next bytes; the frame's value where it is complete. Raises `ProtocolError`."""
        self._buffer += chunk
        if len(self._buffer) < 4:
            return None
        length = int.from_bytes(self._buffer[:4], "big")
        if length > FRAME_LIMIT_BYTES:
            raise ProtocolError("a frame is too large")
        if len(self._buffer) < 4 + length:
            return None
        if len(self._buffer) > 4 + length:  # each end waits for the other
            raise ProtocolError("a frame is followed by another")
        body = bytes(self._buffer[4:])
        self._buffer.clear()
        try:
            value = loads(body.decode("ascii"))
        except ValueError:
            raise ProtocolError("a frame is not JSON") from None
        if not isinstance(value, dict):
            raise ProtocolError("a frame is not an object")
        return value


def receive(descriptor: int) -> dict[str, Json] | None:
    """Wait for one frame; None when the other end is gone."""
    reader = Reader()
    while chunk := os.read(descriptor, 1 << 16):
        value = reader.feed(chunk)
        if value is not None:
            return value
    return None


def send(descriptor: int, data: bytes) -> None:
    """Write a frame whole."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
