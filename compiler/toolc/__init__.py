"""toolc: a compiler for the tools of agents.

A tool file says `from toolc import tool`, and `ToolContext` where it wants to know of its call; everything else of this
package is for the command line.
"""

from toolc_runtime.authoring import tool

TYPE_CHECKING = False  # `typing` would be loaded for every tool that runs
if TYPE_CHECKING:
    from toolc_runtime.context import ToolContext

__all__ = ["ToolContext", "__version__", "tool"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "ToolContext":  # few files ask for it
        from toolc_runtime.context import ToolContext

        return ToolContext
    raise AttributeError(f"module `toolc` has no attribute `{name}`", name=name)
