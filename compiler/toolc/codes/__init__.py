"""The catalogue: every code a diagnostic can carry, a file a phase. `toolc explain CODE` prints from here."""

from __future__ import annotations

from toolc.diagnostics import Code

from . import bundle, command, config, discover, imports, lower, manifest, resolve, runtime, signature, verify
from .bundle import *
from .command import *
from .config import *
from .discover import *
from .imports import *
from .lower import *
from .manifest import *
from .resolve import *
from .runtime import *
from .signature import *
from .verify import *

_PHASES = (config, discover, manifest, signature, imports, resolve, lower, bundle, command, verify, runtime)

CATALOGUE: dict[str, Code] = {
    code.id: code for phase in _PHASES for code in vars(phase).values() if isinstance(code, Code)
}
