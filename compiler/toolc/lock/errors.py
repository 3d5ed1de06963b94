"""Why a lock cannot be used, each reason a class. All are `LockError`s and end the command with status 3."""

from __future__ import annotations

from collections.abc import Sequence

from toolc import codes
from toolc.errors import ToolcError
from toolc.text import escape

_CURE = "restore the file, or remove it and run `toolc lock`"


class LockError(ToolcError):
    """A lock that cannot be read, or must not be written over."""

    def __init__(self, path: str, message: str) -> None:
        self.path = path
        super().__init__(f"{path}: {escape(message)}")


class LockTooNew(LockError):
    """The lock has a greater version than this toolc knows."""

    code = codes.LOCK_TOO_NEW.id

    def __init__(self, path: str, *, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(
            path, f"this lock is of version {found}, and this toolc reads version {known}; use a newer toolc"
        )


class LockRequiresMore(LockError):
    """The lock needs features that this toolc does not know."""

    code = codes.LOCK_REQUIRES_MORE.id

    def __init__(self, path: str, *, features: Sequence[str]) -> None:
        self.features = tuple(features)
        named = ", ".join(f"`{feature}`" for feature in features)
        super().__init__(path, f"this lock requires {named}, which this toolc does not know; use a newer toolc")


class LockUnknownFact(LockError):
    """The lock has an unknown key where not knowing is not safe."""

    code = codes.LOCK_UNKNOWN_FACT.id

    def __init__(self, path: str, *, where: str, key: str) -> None:
        self.where = where
        self.key = key
        super().__init__(path, f"`{where}` has `{key}`, which this toolc does not know; use the toolc that wrote it")


class LockNotUtf8(LockError):
    """The lock is in another encoding."""

    code = codes.LOCK_NOT_UTF8.id

    def __init__(self, path: str, *, line: int) -> None:
        self.line = line
        super().__init__(path, f"line {line} has a byte that is not UTF-8; {_CURE}")


class LockConflict(LockError):
    """A merge left its markers in the lock."""

    code = codes.LOCK_CONFLICT.id

    def __init__(self, path: str, *, line: int) -> None:
        self.line = line
        super().__init__(path, f"line {line} is a conflict marker of a merge; run `toolc lock --resolve`")


class LockCarriageReturns(LockError):
    """A checkout rewrote the lock's line ends."""

    code = codes.LOCK_CARRIAGE_RETURNS.id

    def __init__(self, path: str, *, line: int) -> None:
        self.line = line
        super().__init__(
            path,
            f"line {line} ends with a carriage return; commit `toolset.json text eol=lf` in `.gitattributes` and check"
            " the file out again",
        )


class LockNotJson(LockError):
    """The lock does not parse."""

    code = codes.LOCK_NOT_JSON.id

    def __init__(self, path: str, *, line: int, column: int, why: str) -> None:
        self.line = line
        self.column = column
        self.why = why
        super().__init__(f"{path}:{line}:{column}", f"this is not the JSON of a lock: {why}; {_CURE}")


class LockShape(LockError):
    """A field of the lock is missing or of another kind."""

    cure = _CURE
    code = codes.LOCK_SHAPE.id

    def __init__(self, path: str, *, line: int, column: int, where: str, why: str) -> None:
        self.line = line
        self.column = column
        self.where = where
        self.why = why
        super().__init__(f"{path}:{line}:{column}", f"{f'`{where}`' if where else 'the lock'} {why}; {self.cure}")


class LockUnsafeName(LockShape):
    """A name or path of the lock would leave the bundle."""

    cure = "toolc writes no such lock: find out where it comes from before you use it"
    code = codes.LOCK_UNSAFE_NAME.id


class LockNotCanonical(LockError):
    """The lock is spelled in another way than toolc spells it."""

    code = codes.LOCK_NOT_CANONICAL.id

    def __init__(self, path: str, *, line: int) -> None:
        self.line = line
        super().__init__(path, f"line {line} is not spelled as toolc writes it; `toolc lock` writes the file anew")


class ForeignKeys(LockError):
    """Writing the lock would drop what a newer toolc wrote."""

    code = codes.LOCK_FOREIGN_KEYS.id

    def __init__(self, path: str, *, keys: Sequence[str]) -> None:
        self.keys = tuple(keys)
        named = ", ".join(f"`{key}`" for key in keys)
        super().__init__(path, f"it was written by a newer toolc, and writing it would drop {named}; use a newer toolc")
