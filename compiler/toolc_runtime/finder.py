"""Import the modules of a layer: the lock says which there are, and nothing is listed.

Each layer has a namespace of its own in `sys.modules`, and its modules are given an `__import__` that looks there
first. So `import helper` finds the layer's own `helper.py`, whatever else bears that name in the process; modules of
two layers never mix; and a tool file called `json.py` is in nobody's way, because the standard library goes first.

What is compiled is what the lock's digest was checked on: bytecode is neither read nor written.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from importlib._bootstrap_external import SourceFileLoader
from importlib.machinery import ModuleSpec

from .digest import read_regular, sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from .convert import Plan

# What a tool file may import from where it was written for, found nowhere else in a bundle.
_SHIMS = frozenset({"aru", "aru.plugins", "toolc"})
_SHIMMED = frozenset(name.partition(".")[0] for name in _SHIMS)

_serial = itertools.count()  # of the layers of this process


class SourceChanged(Exception):
    """A file that is not the one the lock names. Not an `ImportError`: no tool file is to take it for one."""

    def __init__(self, path: str, why: str) -> None:
        self.path = path
        super().__init__(f"`{path}` {why}")


class Layer:
    """The modules of one layer. Put it first in `sys.meta_path` by `install`."""

    def __init__(self, root: str, name: str, files: Mapping[str, str]) -> None:
        """`files` maps the bundle paths of the layer's Python files to their sha256."""
        self.namespace = f"toolc_layer_{next(_serial)}_{name.replace('-', '_')}"
        self._shims = f"{self.namespace}_shims"  # apart: a tool file may be called `aru.py`
        self.root = root
        self.changed: SourceChanged | None = None  # kept, since a tool may catch the exception
        self.plans: dict[str, Plan] = {}  # tool -> what is made of its arguments, with classes of this layer
        self._digests: dict[str, str] = {}
        self._paths: dict[str, str | None] = {"": None}  # module -> bundle path; None for a folder without `__init__`
        self._packages = {""}
        self._prefix = f"tools/{name}/"
        self._builtins = {**vars(builtins), "__import__": self._import}
        self.add(files)

    def add(self, files: Mapping[str, str]) -> None:
        """Make more files of the layer known."""
        for path, digest in files.items():
            if path.startswith(self._prefix) and path.endswith(".py"):
                self._digests[path] = digest
                self._add_module(path)

    def install(self) -> None:
        """Let the interpreter ask this layer for modules of its namespace."""
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Undo `install`, and forget what was imported."""
        sys.meta_path.remove(self)
        for name in [name for name in sys.modules if name.partition(".")[0] in (self.namespace, self._shims)]:
            del sys.modules[name]

    def load(self, module: str) -> ModuleType:
        """The module of a tool, imported where it was not yet."""
        return self._import_own(module, ("__name__",))  # a name every module has: the answer is the module itself

    def find(self, module: str) -> ModuleType:
        """The module of a class that a tool names: the layer's own, or what `import` finds for the tool."""
        return self.load(module) if module in self._paths else self._import(module, fromlist=("__name__",))

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What `sys.meta_path` asks."""
        namespace, _, module = fullname.partition(".")
        if namespace == self._shims:
            if not module or module in _SHIMS:
                loader = _Shim() if module else None
                return ModuleSpec(fullname, loader, is_package=module in ("", "aru"))  # type: ignore[arg-type]
            return None
        if namespace == self.namespace and module in self._paths:
            file = self._paths[module]
            is_package = module in self._packages
            if file is None:
                return ModuleSpec(fullname, None, is_package=is_package)
            spec = ModuleSpec(
                fullname, _Source(fullname, self, file), origin=f"{self.root}/{file}", is_package=is_package
            )
            spec.has_location = True
            return spec
        return None

    def read(self, path: str) -> bytes:
        """The bytes of a file of the layer, checked; raises `SourceChanged`."""
        try:
            data = read_regular(f"{self.root}/{path}")
        except OSError as error:
            self.changed = SourceChanged(path, f"cannot be read: {error.strerror}")
            raise self.changed from None
        if sha256_hex(data) != self._digests[path]:
            self.changed = SourceChanged(path, "is not the file that the lock names")
            raise self.changed
        return data

    def prepare(self, module: ModuleType) -> None:
        """Give a module the layer's own `import`."""
        module.__dict__["__builtins__"] = self._builtins

    def _add_module(self, path: str) -> None:
        *folders, name = path[len(self._prefix) : -len(".py")].split("/")
        for depth in range(1, len(folders) + 1):
            folder = ".".join(folders[:depth])
            self._packages.add(folder)
            self._paths.setdefault(folder, None)
        if name != "__init__":
            module = ".".join([*folders, name])
            # A folder with an `__init__` wins over a file of its name, as in Python.
            if self._paths.get(module) is None and module not in self._packages:
                self._paths[module] = path
        elif folders:
            self._paths[".".join(folders)] = path

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002  (the names that `__import__` has)
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What `import` means in a module of the layer."""
        if level == 0:
            top = name.partition(".")[0]
            if top in self._paths and top not in sys.stdlib_module_names and top not in _SHIMMED:
                return self._import_own(name, fromlist)
            if top in _SHIMMED:
                try:
                    return builtins.__import__(name, globals, locals, fromlist or (), 0)
                except ModuleNotFoundError as error:
                    if error.name not in _SHIMS:
                        raise
                return self._import_own(name, fromlist, self._shims)
        return builtins.__import__(name, globals, locals, fromlist or (), level)

    def _import_own(self, name: str, fromlist: Sequence[str] | None, namespace: str = "") -> ModuleType:
        namespace = namespace or self.namespace
        try:
            found = builtins.__import__(f"{namespace}.{name}", None, None, fromlist or (), 0)
        except ModuleNotFoundError as error:
            if error.name is None or not error.name.startswith(f"{namespace}."):
                raise
            own = error.name[len(namespace) + 1 :]
            raise ModuleNotFoundError(f"No module named {own!r}", name=own) from None
        return found if fromlist else sys.modules[f"{namespace}.{name.partition('.')[0]}"]


class _Source(SourceFileLoader):
    """Loads a module from bytes that were checked."""

    def __init__(self, fullname: str, layer: Layer, path: str) -> None:
        super().__init__(fullname, f"{layer.root}/{path}")
        self._layer = layer
        self._bundle_path = path

    def path_stats(self, _path: str) -> Mapping[str, object]:
        raise OSError  # without a time there is no bytecode, neither read nor written

    def get_data(self, _path: str) -> bytes:
        return self._layer.read(self._bundle_path)

    def exec_module(self, module: ModuleType) -> None:
        self._layer.prepare(module)
        super().exec_module(module)


class _Shim:
    """Stands in for the package a tool file takes its decorator from."""

    def create_module(self, _spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        from .authoring import tool

        module.__dict__["tool"] = tool
        if module.__name__.rpartition(".")[2] == "toolc":
            module.__dict__["__getattr__"] = _context  # few ask for it


def _context(name: str) -> object:
    if name == "ToolContext":
        from .context import ToolContext

        return ToolContext
    raise AttributeError(f"module `toolc` has no attribute `{name}`", name=name)
