"""The runtime of toolc: `Toolset.load` takes a bundle, `Toolset.call` runs its tools.

Standard library only, copied into every bundle. Importing it loads nothing: each name is fetched when it is first used.
"""

TYPE_CHECKING = False  # `typing` costs more to import than the rest of a wrapper's start
if TYPE_CHECKING:
    from .errors import BundleError
    from .lockfile import LockedTool
    from .result import Problem, Result, ToolError
    from .toolset import ApprovalRequest, Toolset

__all__ = ["ApprovalRequest", "BundleError", "LockedTool", "Problem", "Result", "ToolError", "Toolset"]

_HOMES = {
    "ApprovalRequest": "toolset",
    "BundleError": "errors",
    "LockedTool": "lockfile",
    "Problem": "result",
    "Result": "result",
    "ToolError": "result",
    "Toolset": "toolset",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    module = __import__(f"{__name__}.{_HOMES[name]}", fromlist=(name,))
    found: object = getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
