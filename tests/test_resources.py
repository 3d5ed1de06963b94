"""The data that toolc carries: found in a checkout and in a wheel, and each of it whole."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from toolc import resources
from toolc.model import Background, ClashPolicy, EnvPolicy, Level, Naming
from toolc.names import TOOL_NAME

ROOT = Path(__file__).parents[1]
SCHEMAS = sorted(path.name.removesuffix(".schema.json") for path in (ROOT / "schemas").iterdir())

PROGRAM = """
import json, toolc.resources as r
print(json.dumps([r.__file__, r.schema("toolc")["title"], r.presets(), r.preset("aru").layers[0].path]))
"""


@pytest.mark.parametrize("packaged", [True, False], ids=["wheel", "checkout"])
def test_schemas_and_presets_are_found(packaged: bool, tmp_path: Path) -> None:
    source = tmp_path / ("site" if packaged else "checkout/compiler")
    for package in ("toolc", "toolc_runtime"):
        shutil.copytree(ROOT / "compiler" / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "schemas", source / "toolc/schemas" if packaged else tmp_path / "checkout/schemas")

    argv = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(source)!r}); {PROGRAM.strip()}"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd=tmp_path)

    file, title, presets, path = json.loads(done.stdout)
    assert Path(file).is_relative_to(source)
    assert (title, path) == ("toolc.toml", "~/.aru/tools")
    assert presets == list(resources.presets())


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(resources.schema(name))


def test_the_schema_of_the_config_knows_exactly_the_presets() -> None:
    schema = json.loads((ROOT / "schemas/toolc.schema.json").read_text())
    assert schema["$defs"]["toolset"]["properties"]["host"]["enum"] == list(resources.presets())


@pytest.mark.parametrize("name", resources.presets())
def test_a_preset_is_whole(name: str) -> None:
    preset = resources.preset(name)
    assert preset.name == name
    assert list(preset.builtins) == sorted(set(preset.builtins))
    assert all(TOOL_NAME.fullmatch(builtin) for builtin in preset.builtins)
    assert len({layer.name for layer in preset.layers}) == len(preset.layers)
    if preset.permission_files is not None:
        of_categories = [builtin for names in preset.permission_files.categories.values() for builtin in names]
        assert set(of_categories) <= set(preset.builtins)


@pytest.mark.parametrize(
    ("name", "layers", "facts"),
    [
        pytest.param(
            "aru",
            {
                "user-aru": "~/.aru/tools",
                "aru": ".aru/tools",
                "user-agents": "~/.agents/tools",
                "agents": ".agents/tools",
            },
            (Level.ASK, ClashPolicy.EXPLICIT, Naming.FUNCTION, EnvPolicy.INHERIT, 600, Background.KILL),
            id="aru",
        ),
        pytest.param(
            "aru-code",
            {
                "user-agents": "~/.agents/tools",
                "user-aru": "~/.aru/tools",
                "agents": ".agents/tools",
                "aru": ".aru/tools",
            },
            (Level.ASK, ClashPolicy.REPLACE, Naming.FILE, EnvPolicy.INHERIT, 600, Background.KILL),
            id="aru-code",
        ),
        pytest.param(
            "pequeroku",
            {"pequenin": ".pequenin/tools"},
            (Level.ALLOW, ClashPolicy.PROTECT, Naming.FUNCTION, EnvPolicy.INHERIT, 25, Background.KEEP),
            id="pequeroku",
        ),
        *(
            pytest.param(
                name,
                {},
                (Level.ASK, ClashPolicy.EXPLICIT, Naming.FUNCTION, EnvPolicy.DECLARED, 25, Background.KILL),
                id=name,
            )
            for name in ("none", "opencode", "claude-code", "gemini-cli")
        ),
    ],
)
def test_a_preset_does_as_its_host(name: str, layers: dict[str, str], facts: tuple[object, ...]) -> None:
    preset = resources.preset(name)
    assert [(layer.name, layer.path) for layer in preset.layers] == list(layers.items())
    assert facts == (
        preset.permission,
        preset.policy,
        preset.naming,
        preset.env_policy,
        preset.timeout_s,
        preset.background,
    )
