"""toolc: a compiler for the tools of agents.

A tool file says `from toolc import tool`; everything else of this package is for the command line.
"""

from toolc_runtime.authoring import tool

__all__ = ["__version__", "tool"]

__version__ = "0.1.0"
