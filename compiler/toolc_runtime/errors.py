"""The one exception of loading: a bundle that cannot be used as it stands. What a model can cause is a result."""

from __future__ import annotations

# The ids of the catalogue (`toolc explain TC903`), repeated here because the runtime imports nothing of the compiler.
PLATFORM_NOT_SUPPORTED = "TC901"
NOT_A_BUNDLE = "TC903"
BUNDLE_CHANGED = "TC904"
BUNDLE_TOO_NEW = "TC905"


class BundleError(Exception):
    """A bundle that is not there, not whole, not the expected one, or newer than this runtime."""

    def __init__(self, code: str, path: str, why: str) -> None:
        self.code = code
        self.path = path
        self.why = why
        super().__init__(f"{path}: {why}")
