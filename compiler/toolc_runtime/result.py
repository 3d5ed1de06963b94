"""What a call answers. `str(result)` is what the model is sent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .jsontext import Json

KINDS = (
    "unknown-tool",
    "invalid-arguments",
    "denied",
    "not-approved",
    "timeout",
    "failed",
    "spawn-error",
    "output-limit",
    "cancelled",
    "unavailable",
    "corrupt",
)


class Problem:
    """One thing about the arguments that is not as the schema says."""

    __slots__ = ("message", "path")

    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        self.path = path
        self.message = message

    def __repr__(self) -> str:
        return f"Problem(path={self.path!r}, message={self.message!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and (self.path, self.message) == (other.path, other.message)

    def __hash__(self) -> int:
        return hash((self.path, self.message))

    def __str__(self) -> str:
        where = self.where
        return f"{where}: {self.message}" if where else self.message

    @property
    def where(self) -> str:
        """The path as a reader knows it: `lines[2].text`; empty for the arguments as a whole."""
        from .problems import place

        return place(self.path)


class ToolError:
    """Why a call has no good answer. `message` says what is so and what the model can do about it."""

    __slots__ = ("kind", "message", "problems")

    def __init__(self, kind: str, message: str, problems: Sequence[Problem] = ()) -> None:
        assert kind in KINDS, f"`{kind}` is one of the kinds of DESIGN 8"
        self.kind = kind
        self.message = message
        self.problems = tuple(problems)

    def __repr__(self) -> str:
        return f"ToolError(kind={self.kind!r}, message={self.message!r}, problems={self.problems!r})"

    def __str__(self) -> str:
        return "\n".join([self.message, *(f"- {problem}" for problem in self.problems)])


class Result:
    """The answer of one call. `output` is the tool's own text, cut and cleaned; it never holds words of ours."""

    __slots__ = (
        "content",
        "details",
        "duration_s",
        "error",
        "exit_code",
        "output",
        "printed",
        "truncated",
        "value",
    )

    def __init__(
        self,
        *,
        output: str = "",
        value: Json = None,
        content: list[Json] | None = None,
        printed: str = "",
        error: ToolError | None = None,
        exit_code: int | None = None,
        duration_s: float = 0.0,
        truncated: bool = False,
        details: Mapping[str, Json] | None = None,
    ) -> None:
        self.output = output
        self.value = value
        self.content = content
        self.printed = printed
        self.error = error
        self.exit_code = exit_code
        self.duration_s = duration_s
        self.truncated = truncated
        self.details: dict[str, Json] = dict(details) if details else {}

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked."""
        return self.error is None

    def __str__(self) -> str:
        if self.error is None:
            return self.output
        if not self.output:
            return str(self.error)
        return f"{self.output}{'' if self.output.endswith(chr(10)) else chr(10)}{self.error}"

    def __repr__(self) -> str:
        return f"Result(ok={self.ok}, output={self.output!r}, error={self.error!r}, details={self.details!r})"

    def as_dict(self) -> dict[str, Json]:
        """The result as `toolc run --format json` prints it."""
        error: Json = None
        if self.error is not None:
            problems: list[Json] = [{"path": list(p.path), "message": p.message} for p in self.error.problems]
            error = {"kind": self.error.kind, "message": self.error.message, "problems": problems}
        return {
            "ok": self.ok,
            "output": self.output,
            "value": self.value,
            "printed": self.printed,
            "error": error,
            "exit_code": self.exit_code,
            "duration_s": round(self.duration_s, 6),
            "truncated": self.truncated,
            "details": dict(self.details),
        }


def failure(kind: str, message: str, problems: Sequence[Problem] = (), **details: Json) -> Result:
    """A result that is only an error."""
    return Result(error=ToolError(kind, message, problems), details=details)
