"""The program of a worker: make `toolc_runtime` importable from this very folder, then serve.

The folder is never put on `sys.path`, where an import would list it, and no bytecode in it is read or written.
Wrappers do the same for themselves, before they know where this file is.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader


class _Source(SourceFileLoader):
    def path_stats(self, _path: str) -> dict[str, object]:
        raise OSError  # without a time there is no bytecode


class _Runtime:
    def __init__(self, lib: str) -> None:
        self.lib = lib

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] != "toolc_runtime":
            return None
        is_package = name == "toolc_runtime"
        file = f"{self.lib}/{name.replace('.', '/')}{'/__init__' if is_package else ''}.py"
        spec = ModuleSpec(name, _Source(name, file), origin=file, is_package=is_package)
        spec.has_location = True
        return spec


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, _Runtime(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    from toolc_runtime.worker_main import main

    main()
