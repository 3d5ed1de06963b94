"""Check and convert the arguments of a call: what a model wrote goes in, what the tool gets comes out, or a result."""

from __future__ import annotations

from .jsontext import dumps, loads, strict_loads
from .quick import surely_good
from .result import Result, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .jsontext import Json
    from .lockfile import LockedTool
    from .result import Problem


class Checked:
    """Arguments that are as the schema says, and their JSON text."""

    __slots__ = ("arguments", "text")

    def __init__(self, arguments: dict[str, Json], *, copy: bool) -> None:
        """With `copy`, they share nothing with the value that was given: what was approved is what runs."""
        self.text = dumps(arguments)
        self.arguments: dict[str, Json] = loads(self.text) if copy else arguments  # type: ignore[assignment]


def check(tool: LockedTool, given: Mapping[str, Json] | str | None) -> Checked | Result:
    """The arguments of a call, converted where that lost nothing; a result that names every problem otherwise."""
    value = _decoded(given)
    if isinstance(value, dict) and surely_good(tool.input_schema, value):
        return Checked(value, copy=not isinstance(given, str))
    from .arguments import prepare
    from .problems import SchemaError

    try:
        prepared = prepare(tool.check(), tool.input_schema, given)
    except SchemaError as error:  # no build lets such a schema pass
        return failure(
            "unavailable", f"`{tool.name}` cannot be called: its schema is not one this runtime reads: {error}"
        )
    if prepared.problems:
        return not_as_declared(tool.name, prepared.problems)
    return Checked(prepared.arguments, copy=not isinstance(given, str))


def not_as_declared(name: str, problems: Sequence[Problem]) -> Result:
    """The result of a call whose arguments have problems."""
    words = f"the arguments of `{name}` are not as it declares them; correct them and call it again"
    return failure("invalid-arguments", words, problems)


def _decoded(given: Mapping[str, Json] | str | None) -> object:
    """The arguments as a value; None where they are not JSON."""
    if given is None:
        return {}
    if not isinstance(given, str):
        return given
    try:
        return strict_loads(given) if given.strip() else {}
    except ValueError:
        return None
