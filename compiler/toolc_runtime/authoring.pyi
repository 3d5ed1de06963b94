from collections.abc import Callable, Mapping
from typing import Literal, TypeVar, overload

_Function = TypeVar("_Function", bound=Callable[..., object])

@overload
def tool(function: _Function, /) -> _Function: ...
@overload
def tool(
    description: str | None = None,
    /,
    *,
    override: bool = False,
    name: str | None = None,
    timeout: float | None = None,
    permission: Literal["allow", "ask", "deny"] | None = None,
    background: Literal["kill", "keep"] | None = None,
    annotations: Mapping[str, object] | None = None,
) -> Callable[[_Function], _Function]: ...
@overload
def tool(
    *,
    description: str,
    override: bool = False,
    name: str | None = None,
    timeout: float | None = None,
    permission: Literal["allow", "ask", "deny"] | None = None,
    background: Literal["kill", "keep"] | None = None,
    annotations: Mapping[str, object] | None = None,
) -> Callable[[_Function], _Function]: ...
