"""The house rules: who may import whom, and that the runtime needs nothing but the standard library."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

COMPILER = Path(__file__).parents[1] / "compiler"

PHASES = {"config", "discover", "parse", "resolve", "lower", "lock", "emit"}

# Not a phase, and as pure: toolsets go in, findings come out. It may compare their digests.
DIFF = {"diff", "tool_digest"}

# What any phase may use. Each of these knows none of the phases.
LEAVES = {
    "budget",
    "codes",
    "diagnostics",
    "digest",
    "errors",
    "introspect",
    "jsontext",
    "model",
    "names",
    "permissions",
    "resources",
    "source",
    "text",
}

# Not phases and not leaves: they call phases, and nothing but a command calls them.
CALLERS = {
    "__init__",
    "__main__",
    "artifact",
    "cli",
    "explain",
    "explain_lock",
    "git",
    "gitsetup",
    "listing",
    "merging",
    "pipeline",
    "render",
    "review",
    "scaffold",
    "sides",
    "verify",
}


def modules(package: str) -> list[Path]:
    return sorted((COMPILER / package).rglob("*.py"))


def room(module: Path) -> str:
    """The part of `toolc` that a file belongs to: its module, or its folder."""
    return module.relative_to(COMPILER / "toolc").parts[0].removesuffix(".py")


def imports(module: Path) -> set[str]:
    """The absolute dotted names a file imports, anywhere in it."""
    package = module.relative_to(COMPILER).with_suffix("").parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            start = ".".join(filter(None, (base, node.module)))
            found |= {f"{start}.{alias.name}" for alias in node.names}
    return found


def rooms_imported(module: Path) -> set[str]:
    return {name.split(".")[1] for name in imports(module) if name.startswith("toolc.") and name.count(".") >= 1} & (
        PHASES | DIFF | LEAVES | CALLERS
    )


@pytest.mark.parametrize("module", modules("toolc"), ids=lambda path: path.relative_to(COMPILER).as_posix())
def test_a_room_imports_only_what_it_may(module: Path) -> None:
    own = room(module)
    assert own in PHASES | DIFF | LEAVES | CALLERS, f"`{own}` has no place in the table of this test"
    imported = rooms_imported(module) - {own}
    if own in PHASES:
        assert imported <= LEAVES, f"the phase `{own}` imports {sorted(imported - LEAVES)}"
    if own in DIFF:
        assert imported <= LEAVES | DIFF | {"lock"}, f"`{own}` imports {sorted(imported)}"
    if own in LEAVES:
        assert imported <= LEAVES, f"the leaf `{own}` imports {sorted(imported - LEAVES)}"


@pytest.mark.parametrize("module", modules("toolc_runtime"), ids=lambda path: path.relative_to(COMPILER).as_posix())
def test_the_runtime_imports_the_standard_library_and_itself(module: Path) -> None:
    for name in imports(module):
        top = name.split(".")[0]
        # `_sha2` is `_sha256` by its name since Python 3.12.
        assert top in sys.stdlib_module_names | {"_sha2", "toolc_runtime"}, name


@pytest.mark.parametrize("module", modules("toolc_runtime"), ids=lambda path: path.relative_to(COMPILER).as_posix())
def test_the_runtime_evaluates_no_text(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"eval", "exec"}, f"line {node.lineno}"


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_toolc_loads_nothing_heavy() -> None:
    assert loaded_by("import toolc") <= {"toolc", "toolc_runtime", "toolc_runtime.authoring", "__future__"}


def test_importing_the_runtime_loads_nothing_heavy() -> None:
    heavy = {"asyncio", "inspect", "typing", "dataclasses", "subprocess", "importlib.metadata", "click", "jsonschema"}
    assert not loaded_by("import toolc_runtime; toolc_runtime.Toolset") & heavy


def test_the_version_is_told_without_loading_the_compiler() -> None:
    heavy = {"jinja2", "jsonschema", "rich", "toolc.pipeline"}
    assert not loaded_by("from toolc.cli import main; main(['--version'], standalone_mode=False)") & heavy
