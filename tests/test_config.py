"""The config: what is found, what a project says, what its host says for it, and where every mistake stands."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from toolc import codes
from toolc.config import configure
from toolc.config.files import LIMIT_BYTES
from toolc.diagnostics import Code, Diagnostic, Reporter, Severity, Span
from toolc.model import (
    Background,
    Builtins,
    ClashPolicy,
    Config,
    DiffSettings,
    EnvPolicy,
    Introspect,
    LayerKind,
    Mode,
    Naming,
    OnInvalid,
    Scope,
)
from values import kept, told

LAYER = '[[layers]]\nname = "tools"\npath = "tools"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a folder `tools`, and beside it an empty home."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "project/tools").mkdir(parents=True)
    return tmp_path / "project"


def configured(project: Path, toml: str | None = None, *, user_layers: bool = True) -> tuple[Config | None, Reporter]:
    if toml is not None:
        (project / "toolc.toml").write_text(toml, encoding="utf-8")
    reporter = Reporter()
    _, config = configure(project, reporter, user_layers=user_layers)
    return config, reporter


def config_of(project: Path, toml: str | None = None, *, user_layers: bool = True) -> Config:
    """The config of a project that has no mistake in it."""
    config, reporter = configured(project, toml, user_layers=user_layers)
    assert [diagnostic.message for diagnostic in reporter.diagnostics if diagnostic.level is Severity.ERROR] == []
    assert config is not None
    return config


def covered(span: Span) -> str:
    """The text at a place; empty where it is the whole file."""
    assert span.text.content is not None
    lines = span.text.content.split("\n")[max(0, span.line - 1) : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def only(reporter: Reporter) -> Diagnostic:
    (diagnostic,) = kept(reporter.diagnostics, notes=False)
    return diagnostic


# ----------------------------------------------------------------------------------------------------- finding a config


def test_the_config_is_looked_for_upward_and_its_folder_is_the_root(project: Path) -> None:
    (project / "toolc.toml").write_text(LAYER)
    (project / "a/b").mkdir(parents=True)
    reporter = Reporter()

    root, config = configure(project / "a/b", reporter)

    assert config is not None
    assert root == config.root == project
    assert config.layers[0].root == project / "tools"
    assert reporter.diagnostics == ()


def test_the_nearest_config_counts(project: Path) -> None:
    (project / "toolc.toml").write_text(f'[toolset]\nname = "far"\n{LAYER}')
    (project / "near/tools").mkdir(parents=True)
    (project / "near/pyproject.toml").write_text(
        '[tool.toolc.toolset]\nname = "near"\n[[tool.toolc.layers]]\nname = "tools"\npath = "tools"\n'
    )
    assert config_of(project / "near").toolset == "near"


@pytest.mark.parametrize(
    "pyproject",
    [
        pytest.param("[project]\nname = 'x'\n", id="without-the-table"),
        pytest.param("[project]\ndependencies = ['toolc']\n", id="that-only-mentions-toolc"),
        pytest.param("this is = no = toml", id="that-is-broken-and-not-about-toolc"),
        pytest.param("this is = no toolc", id="that-is-broken"),
    ],
)
def test_a_pyproject_beside_a_toolc_toml_is_no_config(pyproject: str, project: Path) -> None:
    (project / "pyproject.toml").write_text(pyproject)
    assert config_of(project, LAYER).layers != ()


def test_two_configs_in_one_folder_are_an_error(project: Path) -> None:
    (project / "pyproject.toml").write_text("[project]\n[tool.toolc]\n[tool.toolc.env]\n")
    config, reporter = configured(project, LAYER)
    assert config is None
    assert only(reporter).code is codes.TWO_CONFIGS
    assert covered(only(reporter).span) == "[tool.toolc]"
    assert [label.span.path for label in only(reporter).labels] == ["toolc.toml"]


def test_a_mistake_in_a_pyproject_has_its_place_there(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.toolc.toolset]\nhots = "aru"\n')
    _, reporter = configured(project)
    diagnostic = kept(reporter.diagnostics, notes=False)[0]
    assert diagnostic.code is codes.NO_LAYERS
    diagnostic = kept(reporter.diagnostics, notes=False)[1]
    assert (diagnostic.span.path, covered(diagnostic.span)) == ("pyproject.toml", "hots")
    assert diagnostic.hint == "did you mean `host`?"


def test_a_broken_pyproject_that_may_hold_the_config_is_an_error(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.toolc]\nx = = 1\n")
    config, reporter = configured(project)
    assert config is None
    assert only(reporter).code is codes.CONFIG_SYNTAX


def test_a_broken_config_above_is_an_error_of_the_folder_it_is_in(project: Path) -> None:
    (project / "toolc.toml").write_text("x = ")
    (project / "inner").mkdir()
    reporter = Reporter()
    assert configure(project / "inner", reporter) == (project, None)
    assert told(reporter) == [codes.CONFIG_SYNTAX.id]


# ----------------------------------------------------------------------------------------------------- without a config


@pytest.mark.parametrize(
    ("folders", "host"),
    [
        pytest.param([".aru"], "aru", id="aru"),
        pytest.param([".agents"], "aru", id="agents"),
        pytest.param([".aru", ".agents"], "aru", id="both-folders-of-one-host"),
        pytest.param([".pequenin"], "pequeroku", id="pequeroku"),
    ],
)
def test_without_a_config_the_folders_choose_the_preset_and_it_is_said(
    folders: list[str], host: str, project: Path
) -> None:
    for folder in folders:
        (project / folder).mkdir()
    config, reporter = configured(project)
    assert config is not None
    assert (config.host, config.toolset, config.span) == (host, "toolset", None)
    (note,) = reporter.diagnostics
    assert (note.code, note.level) == (codes.HOST_DETECTED, Severity.NOTE)
    assert f"`{host}`" in note.message


def test_the_folders_of_two_hosts_are_an_error_that_prints_the_lines_to_choose_from(project: Path) -> None:
    (project / ".agents").mkdir()
    (project / ".pequenin").mkdir()
    config, reporter = configured(project)
    assert config is None
    assert only(reporter).code is codes.HOST_UNDECIDED
    assert 'host = "aru"' in str(only(reporter).hint)
    assert 'host = "pequeroku"' in str(only(reporter).hint)


def test_a_folder_with_nothing_in_it_is_told_of_toolc_init(project: Path) -> None:
    (project / ".aru").write_text("a file, not a folder")
    config, reporter = configured(project)
    assert config is None
    assert only(reporter).code is codes.CONFIG_MISSING
    assert "toolc init" in str(only(reporter).hint)


# ------------------------------------------------------------------------------------------------- files of every kind


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        folder = Path.cwd()
        os.chdir(path.parent)  # the name of a socket is short
        try:
            listener.bind(path.name)
        finally:
            os.chdir(folder)


def a_large_file(path: Path) -> None:
    path.write_bytes(b"#" * (LIMIT_BYTES + 1))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(a_fifo, "is a FIFO, not a file", id="fifo"),
        pytest.param(a_socket, "is a socket, not a file", id="socket"),
        pytest.param(Path.mkdir, "is a folder, not a file", id="folder"),
        pytest.param(a_large_file, "is larger than 1 MiB", id="large"),
        pytest.param(lambda path: path.symlink_to(path), "cannot be read: Too many levels", id="link-to-itself"),
        pytest.param(
            lambda path: path.symlink_to("gone"), "is a link to something that is not there", id="broken-link"
        ),
        pytest.param(lambda path: path.symlink_to("/dev/null"), "is a device, not a file", id="device"),
        pytest.param(
            lambda path: path.write_bytes(b"# a\n# \xff\n"), "line 2 of `toolc.toml` has a byte", id="latin-1"
        ),
        pytest.param(lambda path: path.write_text("x = ", "utf-16"), "has a byte that is not UTF-8", id="utf-16"),
    ],
)
def test_a_config_that_cannot_be_read_is_said_to_be_there(
    make: Callable[[Path], object], words: str, project: Path
) -> None:
    make(project / "toolc.toml")
    config, reporter = configured(project)
    assert config is None
    assert only(reporter).code is codes.CONFIG_UNREADABLE
    assert words in only(reporter).message


def test_a_config_over_a_link_is_read(project: Path, tmp_path: Path) -> None:
    (tmp_path / "shared.toml").write_text(LAYER)
    (project / "toolc.toml").symlink_to(tmp_path / "shared.toml")
    assert config_of(project).root == project


@pytest.mark.parametrize(
    ("toml", "message", "place"),
    [
        pytest.param("[toolset]\nhost = aru\n", "this is not a value", (2, 8), id="bare-word"),
        pytest.param('[toolset]\nname = "a\n', "the string has no end on this line", (2, 10), id="open-string"),
        pytest.param('[toolset]\nname = "a"\nname = "b"\n', "`name` is here a second time", (3, 1), id="twice"),
        pytest.param("[env]\n[toolset]\n[env]\n", "`env` is here a second time", (3, 2), id="table-twice"),
        pytest.param("\ufeff[toolset]\n", "the file begins with a byte order mark", (1, 1), id="byte-order-mark"),
        pytest.param("x = " + "[" * 100_000, "this is nested more than 64 deep", (1, 69), id="deep-array"),
        pytest.param(
            ".".join(["a"] * 100_000) + " = 1", "this is nested more than 64 deep", (1, 130), id="deep-dotted-key"
        ),
        pytest.param(
            "[" + ".".join(['"a b"'] * 70) + "]", "this is nested more than 64 deep", (1, 391), id="deep-table"
        ),
        pytest.param("x = " + "9" * 5000, "this number has too many digits", (1, 5), id="long-number"),
        pytest.param("x = 0x" + "f" * 50_000, "this number has too many digits", (1, 5), id="long-hex-number"),
        pytest.param("x = 2026-02-30\n", "there is no such date", (1, 5), id="date"),
        pytest.param("x = \x00\n", "this is not a value", (1, 5), id="nul"),
    ],
)
def test_a_config_that_is_not_toml_has_the_place_where_it_stops_being_so(
    toml: str, message: str, place: tuple[int, int], project: Path
) -> None:
    config, reporter = configured(project, toml)
    diagnostic = only(reporter)
    assert config is None
    assert (diagnostic.code, diagnostic.message) == (codes.CONFIG_SYNTAX, message)
    assert (diagnostic.span.line, diagnostic.span.column) == place


def test_line_ends_of_windows_change_no_place(project: Path) -> None:
    (project / "toolc.toml").write_bytes(b'[toolset]\r\nname = """a\r\nb"""\r\nhots = "aru"\r\n')
    _, reporter = configured(project)
    assert [covered(diagnostic.span) for diagnostic in reporter.diagnostics if diagnostic.span.line] == [
        '"""a\nb"""',
        "hots",
    ]


# --------------------------------------------------------------------------------------------------- mistakes, one each


@pytest.mark.parametrize(
    ("toml", "code", "place", "message", "hint"),
    [
        pytest.param(
            "[toolset]\nuser_layers = 'exclude'\n",
            codes.CONFIG_UNKNOWN_KEY,
            "user_layers",
            "`[toolset]` has no key `user_layers`",
            "did you mean `user-layers`?",
            id="key-with-an-underscore",
        ),
        pytest.param(
            "[tools.deploy]\npermision = 'ask'\n",
            codes.CONFIG_UNKNOWN_KEY,
            "permision",
            "`[tools.deploy]` has no key `permision`",
            "did you mean `permission`?",
            id="key-misspelled",
        ),
        pytest.param(
            "[toolset]\nzzzz = 1\n",
            codes.CONFIG_UNKNOWN_KEY,
            "zzzz",
            "`[toolset]` has no key `zzzz`",
            None,
            id="key-like-no-other",
        ),
        pytest.param(
            "host = 'aru'\n",
            codes.CONFIG_UNKNOWN_KEY,
            "host",
            "the config has no key `host`",
            "`host` belongs in `[toolset]`",
            id="key-of-another-table",
        ),
        pytest.param(
            "layers = [{ name = 'a', path = 'tools', \"knd\" = 'auto' }]\n",
            codes.CONFIG_UNKNOWN_KEY,
            '"knd"',
            "`[[layers]]` has no key `knd`",
            "did you mean `kind`?",
            id="quoted-key-in-an-inline-table",
        ),
        pytest.param(
            "[toolset]\nhost = 'pequenroku'\n",
            codes.CONFIG_VALUE,
            "'pequenroku'",
            "`toolset.host` takes `aru`, `aru-code`, `claude-code`, `gemini-cli`, `none`, `opencode` or `pequeroku`,"
            " not `pequenroku`",
            "did you mean `pequeroku`?",
            id="unknown-host",
        ),
        pytest.param(
            "toolset.naming = 'functoin'\n",
            codes.CONFIG_VALUE,
            "'functoin'",
            "`toolset.naming` takes `function` or `file`, not `functoin`",
            "did you mean `function`?",
            id="choice-by-dotted-key",
        ),
        pytest.param(
            "[toolset]\nname = 'my tools'\n",
            codes.CONFIG_VALUE,
            "'my tools'",
            "`toolset.name` takes letters, digits, `.`, `-` and `_`, starting with a letter or digit, not `my tools`",
            None,
            id="name-with-a-space",
        ),
        pytest.param(
            '[toolset]\nname = "tools\\n"\n',
            codes.CONFIG_VALUE,
            '"tools\\n"',
            "`toolset.name` takes letters, digits, `.`, `-` and `_`, starting with a letter or digit, not `tools\\n`",
            None,
            id="name-with-a-line-break-at-its-end",
        ),
        pytest.param(
            "[toolset]\nbudget = 0\n",
            codes.CONFIG_VALUE,
            "0",
            "`toolset.budget` takes a whole number of tokens, at least 1, not `0`",
            None,
            id="budget-of-nothing",
        ),
        pytest.param(
            "[toolset]\nbudget = '8000'\n",
            codes.CONFIG_TYPE,
            "'8000'",
            "`toolset.budget` takes a whole number, not a string",
            "write the number without quotes",
            id="number-in-quotes",
        ),
        pytest.param(
            "toolset = 5\n",
            codes.CONFIG_TYPE,
            "5",
            "`toolset` takes a table, not a whole number",
            None,
            id="number-for-a-table",
        ),
        pytest.param(
            "[layers]\nname = 'a'\n",
            codes.CONFIG_TYPE,
            "[layers]",
            "`layers` takes an array, not a table",
            "begin each layer with `[[layers]]`, in double brackets",
            id="layers-in-single-brackets",
        ),
        pytest.param(
            "[builtins]\nnames = 'bash'\n",
            codes.CONFIG_TYPE,
            "'bash'",
            "`builtins.names` takes an array, not a string",
            'write `["bash"]`',
            id="string-for-an-array",
        ),
        pytest.param(
            "[env]\npass = ['HOME', 'A=b']\n",
            codes.CONFIG_VALUE,
            "'A=b'",
            "each item of `env.pass` is the name of a variable: letters, digits and `_`, not `A=b`",
            None,
            id="variable-with-a-value",
        ),
        pytest.param(
            "[tools.deploy]\nenabled = 1979-05-27 07:32:00 # a date\n",
            codes.CONFIG_TYPE,
            "1979-05-27 07:32:00",
            "`tools.deploy.enabled` takes `true` or `false`, not a date or time",
            None,
            id="date",
        ),
        pytest.param(
            "[tools.deploy]\ntimeout = true\n",
            codes.CONFIG_TYPE,
            "true",
            "`tools.deploy.timeout` takes a number, not `true`",
            None,
            id="timeout-true",
        ),
        *(
            pytest.param(
                f"[tools.deploy]\ntimeout = {number}\n",
                codes.CONFIG_VALUE,
                number,
                f"`tools.deploy.timeout` takes a number of seconds above 0, at most 604800 (a week), not `{shown}`",
                None,
                id=f"timeout-{number}",
            )
            for number, shown in (("0", "0"), ("-1.5", "-1.5"), ("inf", "inf"), ("1_000_000", "1000000"))
        ),
        pytest.param(
            "[tools.deploy]\ntimeout = nan\n",
            codes.CONFIG_VALUE,
            "nan",
            "`tools.deploy.timeout` takes a number of seconds, not `nan`",
            None,
            id="timeout-nan",
        ),
        pytest.param(
            "[tools.'git_*']\nenabled = false\n",
            codes.CONFIG_VALUE,
            "'git_*'",
            "`git_*` cannot be a key of `[tools]`, which takes the name of one tool: letters, digits, `-` and `_`",
            None,
            id="settings-for-a-glob",
        ),
        pytest.param(
            "[permissions]\ngit.push = 'allow'\n",
            codes.CONFIG_VALUE,
            "git",
            "`permissions.git` takes `allow`, `ask` or `deny`, not a table",
            None,
            id="permission-by-dotted-key",
        ),
        pytest.param(
            "[permissions]\n'git_*' = 'alow'\n",
            codes.CONFIG_VALUE,
            "'alow'",
            '`permissions."git_*"` takes `allow`, `ask` or `deny`, not `alow`',
            "did you mean `allow`?",
            id="unknown-level",
        ),
        pytest.param(
            "permissions = 'never'\n",
            codes.CONFIG_VALUE,
            "'never'",
            "`permissions` takes `allow`, `ask` or `deny`, not `never`",
            None,
            id="unknown-level-for-all",
        ),
        pytest.param(
            "permissions = 5\n",
            codes.CONFIG_TYPE,
            "5",
            "`permissions` takes a string or a table, not a whole number",
            None,
            id="number-for-permissions",
        ),
        pytest.param(
            "[permissions]\n'git push' = 'allow'\n",
            codes.CONFIG_GLOB,
            "'git push'",
            "`git push` matches no name of a tool",
            None,
            id="pattern-with-a-space",
        ),
        pytest.param(
            "[subsets.a]\ninclude = ['read*', 'w[rite']\n",
            codes.CONFIG_GLOB,
            "'w[rite'",
            "`w[rite` matches no name of a tool",
            None,
            id="pattern-with-an-open-bracket",
        ),
        pytest.param(
            "[subsets.a]\nexclude = ['']\n",
            codes.CONFIG_GLOB,
            "''",
            "`` matches no name of a tool",
            None,
            id="empty-pattern",
        ),
        pytest.param(
            "[subsets.'A/b']\n",
            codes.CONFIG_VALUE,
            "'A/b'",
            "`A/b` cannot be a key of `[subsets]`, which takes lower-case letters and digits,"
            " joined by single `-` or `_`",
            None,
            id="subset-with-a-slash",
        ),
        *(
            pytest.param(
                f"[tools.deploy]\ninclude = ['{pattern}']\n",
                codes.CONFIG_GLOB,
                f"'{pattern}'",
                f"`{pattern}` matches no file of the layer: {why}",
                None,
                id=f"include-{pattern}",
            )
            for pattern, why in (
                ("../x", "`..` leads out of it"),
                ("/etc/*", "a path within a layer does not begin with `/`"),
                ("a//b", "a part of the path is empty or `.`"),
                ("./a", "a part of the path is empty or `.`"),
                ("a\\b", "paths are written with `/`"),
            )
        ),
        pytest.param(
            "[tools.deploy]\nenvironment = 'dta'\n[dependencies]\ndata = []\n",
            codes.ENVIRONMENT_UNKNOWN,
            "'dta'",
            "`[dependencies]` has no environment `dta`",
            "did you mean `data`?",
            id="unknown-environment",
        ),
        pytest.param(
            "[diff.severity]\nT220 = 'riski'\n",
            codes.CONFIG_VALUE,
            "'riski'",
            "`diff.severity.T220` takes `breaking`, `risky`, `safe` or `info`, not `riski`",
            "did you mean `risky`?",
            id="unknown-severity",
        ),
        pytest.param(
            "[diff.severity]\ndescription-changed = 'info'\n",
            codes.CONFIG_VALUE,
            "description-changed",
            "`description-changed` cannot be a key of `[diff.severity]`, which takes the id of a rule of `toolc diff`,"
            " such as `T220`",
            None,
            id="severity-of-no-rule",
        ),
        pytest.param(
            "[subsets.con]\n",
            codes.CONFIG_VALUE,
            "con",
            "`con` cannot be the name of a subset: it is the name of a device on Windows",
            None,
            id="subset-that-is-a-device",
        ),
        pytest.param(
            "[[layers]]\nname = 'nul'\npath = 'tools'\n",
            codes.CONFIG_VALUE,
            "'nul'",
            "`nul` cannot be the name of a layer: it is the name of a device on Windows",
            None,
            id="layer-that-is-a-device",
        ),
        pytest.param(
            "[builtins]\nnames = ['bash']\nremove = ['bsh']\n",
            codes.BUILTIN_UNKNOWN,
            "'bsh'",
            "the host `none` is not known to have a built-in `bsh`",
            "did you mean `bash`?",
            id="removed-built-in-that-is-none",
        ),
        pytest.param(
            "layers = []\n",
            codes.NO_LAYERS,
            "layers",
            "the config has no layers, so the toolset is empty",
            "list the folders that hold tools, each under `[[layers]]`",
            id="no-layers",
        ),
        pytest.param(
            "[[layers]]\nname = 'a'\npath = 'tools'\n[[layers]]\npath = 'tools'\n",
            codes.CONFIG_MISSING_KEY,
            "[[layers]]",
            "this `[[layers]]` has no `name`",
            'write `name = "..."` in it',
            id="layer-without-a-name",
        ),
    ],
)
def test_a_mistake_is_told_at_its_place(
    toml: str, code: Code, place: str, message: str, hint: str | None, project: Path
) -> None:
    layers = "" if toml.startswith(("layers", "[layers", "[[layers")) else f"\n{LAYER}"
    config, reporter = configured(project, toml + layers)
    diagnostic = only(reporter)
    assert (diagnostic.code, diagnostic.message, diagnostic.hint) == (code, message, hint)
    assert covered(diagnostic.span) == place
    decides_the_tools = place in ("'pequenroku'", "5", "[layers]", "[[layers]]", "'nul'") and "permissions" not in toml
    assert (config is None) == decides_the_tools


def test_every_mistake_of_a_config_is_told_in_one_run(project: Path) -> None:
    toml = """
    nmae = 1
    [toolset]
    host = "arru"
    budget = "8"
    [[layers]]
    name = "A"
    [tools.deploy]
    timeout = 0
    include = ["../x"]
    [permissions]
    "a b" = "allow"
    deploy = "alow"
    """
    _, reporter = configured(project, toml)
    assert [(diagnostic.span.line, diagnostic.code.id) for diagnostic in reporter.diagnostics] == [
        (2, codes.CONFIG_UNKNOWN_KEY.id),
        (4, codes.CONFIG_VALUE.id),
        (5, codes.CONFIG_TYPE.id),
        (6, codes.CONFIG_MISSING_KEY.id),
        (7, codes.CONFIG_VALUE.id),
        (9, codes.CONFIG_VALUE.id),
        (10, codes.CONFIG_GLOB.id),
        (12, codes.CONFIG_GLOB.id),
        (13, codes.CONFIG_VALUE.id),
    ]


def test_what_is_right_beside_a_mistake_still_counts(project: Path) -> None:
    config, _ = configured(
        project,
        f"{LAYER}[env]\npass = ['A', 5, 'B']\npolicy = 'none'\n[tools.deploy]\ntimeout = -1\nenabled = false\n",
    )
    assert config is not None
    assert (config.env_pass, config.env_policy) == (("A", "B"), EnvPolicy.DECLARED)
    assert (config.tools["deploy"].timeout_s, config.tools["deploy"].enabled) == (None, False)


def test_no_message_has_a_character_that_cannot_be_seen(project: Path) -> None:
    toml = f'[toolset]\nname = "a\u202eb"\n"k\u200bey" = 1\n[permissions]\n"x\u202ey" = "\u202e"\n{LAYER}'
    _, reporter = configured(project, toml)
    assert len(reporter.diagnostics) == 4
    assert not any(char in str(diagnostic.message) for diagnostic in reporter.diagnostics for char in "\u202e\u200b")


# ------------------------------------------------------------------------------------------------ what a config can say


def test_every_key_of_a_config_reaches_its_field(project: Path) -> None:
    config = config_of(
        project,
        f"""
        [toolset]
        name = "acme"
        version = "1.4.0"
        host = "pequeroku"
        user-layers = "exclude"
        naming = "file"
        on-invalid = "skip"
        budget = 8000
        python = "inprocess"
        {LAYER}
        kind = "python"
        vendored = true
        introspect = "import"
        [builtins]
        names = ["zap", "bash"]
        policy = "replace"
        remove = ["task"]
        [env]
        policy = "declared"
        pass = ["B", "A", "B"]
        [tools.deploy]
        timeout = 60
        permission = "ask"
        enabled = true
        override = true
        background = "keep"
        include = ["templates/*.txt"]
        environment = "data"
        python = "worker"
        [subsets.reviewer]
        include = ["read*", "grep"]
        exclude = ["deploy"]
        [subsets.all]
        [dependencies]
        default = ["httpx>=0.28"]
        data = ["pandas"]
        [diff.severity]
        T220 = "risky"
        """,
    )
    assert (config.toolset, config.version, config.host) == ("acme", "1.4.0", "pequeroku")
    assert (config.naming, config.on_invalid, config.budget_tokens) == (Naming.FILE, OnInvalid.SKIP, 8000)
    assert config.mode is Mode.INPROCESS
    (layer,) = config.layers
    assert (layer.name, layer.path, layer.root, layer.rank) == ("tools", "tools", project / "tools", 0)
    assert (layer.kind, layer.scope, layer.introspect) == (LayerKind.PYTHON, Scope.VENDORED, Introspect.IMPORT)
    assert config.builtins.policy is ClashPolicy.REPLACE
    assert config.builtins.removed == ("task",)
    assert {"bash", "read", "zap"} <= set(config.builtins.names)
    assert config.builtins.names == tuple(sorted(set(config.builtins.names)))
    assert (config.env_policy, config.env_pass) == (EnvPolicy.DECLARED, ("A", "B"))
    settings = config.tools["deploy"]
    assert (settings.timeout_s, settings.permission, settings.enabled, settings.override) == (60, "ask", True, True)
    assert (settings.background, settings.include) == (Background.KEEP, ("templates/*.txt",))
    assert (settings.environment, settings.mode) == ("data", Mode.WORKER)
    assert covered(settings.span) == "[tools.deploy]"
    assert [(subset.name, subset.include, subset.exclude) for subset in config.subsets] == [
        ("all", ("*",), ()),
        ("reviewer", ("read*", "grep"), ("deploy",)),
    ]
    assert config.dependencies == {"default": ("httpx>=0.28",), "data": ("pandas",)}
    assert config.diff == DiffSettings(severity={"T220": "risky"})


def test_a_config_that_says_little_has_the_defaults(project: Path) -> None:
    config = config_of(project, LAYER)
    assert (config.toolset, config.version, config.host) == ("toolset", None, "none")
    assert (config.naming, config.on_invalid, config.budget_tokens) == (Naming.FUNCTION, OnInvalid.ERROR, None)
    assert (config.mode, config.env_policy, config.timeout_s) == (Mode.WORKER, EnvPolicy.DECLARED, 25)
    assert config.background is Background.KILL
    assert config.builtins == Builtins(policy=ClashPolicy.EXPLICIT)
    assert (config.layers[0].kind, config.layers[0].scope) == (LayerKind.AUTO, Scope.PROJECT)
    assert dict(config.tools) == {}


def test_the_layers_of_a_config_replace_those_of_the_preset(project: Path) -> None:
    (project / ".aru/tools").mkdir(parents=True)
    config = config_of(project, f'[toolset]\nhost = "aru"\n{LAYER}')
    assert [layer.name for layer in config.layers] == ["tools"]


# --------------------------------------------------------------------------------------------------------------- layers


def layers_toml(*layers: str) -> str:
    return "".join(f"[[layers]]\n{layer}\n" for layer in layers)


@pytest.mark.parametrize(
    ("toml", "code", "place"),
    [
        pytest.param(
            layers_toml("name = 'a'\npath = 'tools'", "path = 'other'\nname = \"a\""),
            codes.LAYER_NAME_TWICE,
            '"a"',
            id="one-name-twice",
        ),
        pytest.param(layers_toml("name = 'a'\npath = 'gone'"), codes.LAYER_ABSENT, "'gone'", id="absent"),
        pytest.param(layers_toml("name = 'a'\npath = 'file/x'"), codes.LAYER_ABSENT, "'file/x'", id="below-a-file"),
        pytest.param(layers_toml("name = 'a'\npath = 'dangling'"), codes.LAYER_ABSENT, "'dangling'", id="broken-link"),
        pytest.param(layers_toml("name = 'a'\npath = 'file'"), codes.LAYER_NOT_A_FOLDER, "'file'", id="file"),
        pytest.param(layers_toml("name = 'a'\npath = 'fifo'"), codes.LAYER_NOT_A_FOLDER, "'fifo'", id="fifo"),
        pytest.param(layers_toml("name = 'a'\npath = 'loop'"), codes.LAYER_UNREADABLE, "'loop'", id="loop"),
        pytest.param(
            layers_toml(f"name = 'a'\npath = '{'x' * 300}'"), codes.LAYER_UNREADABLE, f"'{'x' * 300}'", id="long-name"
        ),
        pytest.param(
            layers_toml("name = 'a'\npath = 'tools'", "name = 'b'\npath = './tools/../tools/'"),
            codes.LAYERS_ARE_ONE,
            "'./tools/../tools/'",
            id="one-folder-by-two-spellings",
        ),
        pytest.param(
            layers_toml("name = 'a'\npath = 'tools'", "name = 'b'\npath = 'link'"),
            codes.LAYERS_ARE_ONE,
            "'link'",
            id="one-folder-over-a-link",
        ),
        pytest.param(layers_toml("name = 'a'\npath = '../beside'"), codes.LAYER_OUTSIDE, "'../beside'", id="beside"),
        pytest.param(layers_toml("name = 'a'\npath = 'out'"), codes.LAYER_OUTSIDE, "'out'", id="outside-over-a-link"),
        pytest.param(layers_toml("name = 'a'\npath = ''"), codes.CONFIG_VALUE, "''", id="empty-path"),
        pytest.param(layers_toml("name = 'a'\npath = 'a\\b'"), codes.CONFIG_VALUE, "'a\\b'", id="backslash"),
        pytest.param(
            layers_toml("name = 'a'\npath = '~root/x'"), codes.CONFIG_VALUE, "'~root/x'", id="home-of-another"
        ),
        pytest.param(layers_toml('name = "a"\npath = "a\\u0000b"'), codes.CONFIG_VALUE, '"a\\u0000b"', id="nul"),
    ],
)
def test_what_is_wrong_with_a_layer_is_told_at_its_place(toml: str, code: Code, place: str, project: Path) -> None:
    for folder in ("other", "../beside"):
        (project / folder).mkdir()
    (project / "file").write_text("")
    os.mkfifo(project / "fifo")
    for link, target in (("link", "tools"), ("loop", "loop"), ("dangling", "gone"), ("out", "../beside")):
        (project / link).symlink_to(target)
    _, reporter = configured(project, toml)
    assert only(reporter).code is code
    assert covered(only(reporter).span) == place


def test_an_absent_layer_is_listed_and_not_present(project: Path) -> None:
    toml = layers_toml("name = 'a'\npath = 'gone'\noptional = true", "name = 'b'\npath = 'tools'")
    assert [(layer.name, layer.rank, layer.present) for layer in config_of(project, toml).layers] == [
        ("a", 0, False),
        ("b", 1, True),
    ]


def test_two_optional_layers_that_are_absent_are_no_fault_wherever_they_would_be(project: Path) -> None:
    toml = layers_toml(*(f"name = '{name}'\npath = 'gone'\noptional = true" for name in "ab"))
    assert len(config_of(project, toml).layers) == 2


@pytest.mark.parametrize(
    ("path", "more", "scope"),
    [
        pytest.param("tools", "", Scope.PROJECT, id="relative"),
        pytest.param("{project}/tools", "", Scope.PROJECT, id="absolute"),
        pytest.param(".", "", Scope.PROJECT, id="the-project-itself"),
        pytest.param("{project}/../beside", "", Scope.OUTSIDE, id="outside"),
        pytest.param("../gone", "optional = true", Scope.OUTSIDE, id="outside-and-absent"),
        pytest.param("../beside", "vendored = true", Scope.VENDORED, id="vendored"),
        pytest.param("~/mine", "", Scope.USER, id="user"),
        pytest.param("~", "", Scope.USER, id="home"),
        pytest.param("~/../project/tools", "", Scope.USER, id="user-by-how-it-is-written"),
    ],
)
def test_the_scope_of_a_layer(path: str, more: str, scope: Scope, project: Path) -> None:
    for folder in ("../beside", "../home/mine"):
        (project / folder).mkdir()
    written = path.format(project=project)
    config = config_of(project, layers_toml(f"name = 'a'\npath = '{written}'\n{more}"))
    assert [(layer.scope, layer.path) for layer in config.layers] == [(scope, written)]


# ---------------------------------------------------------------------------------------------------------- user layers


def test_user_layers_are_one_warning_however_many_there_are(project: Path) -> None:
    for folder in ("home/.aru/tools", "home/.agents/tools", "project/.aru"):
        (project.parent / folder).mkdir(parents=True)
    (project.parent / "home/.aru/aru.json").write_text('{"permission": {"deploy": "deny"}}')
    config, reporter = configured(project)
    assert config is not None
    assert [(layer.name, layer.present, layer.scope) for layer in config.layers] == [
        ("user-aru", True, Scope.USER),
        ("aru", False, Scope.PROJECT),
        ("user-agents", True, Scope.USER),
        ("agents", False, Scope.PROJECT),
    ]
    assert only(reporter).code is codes.USER_LAYERS
    for path in ("~/.aru/tools", "~/.agents/tools", "~/.aru/aru.json"):
        assert f"`{path}`" in only(reporter).message


@pytest.mark.parametrize("by_flag", [True, False], ids=["flag", "config"])
def test_excluded_user_layers_are_not_listed_and_no_warning(by_flag: bool, project: Path) -> None:
    for folder in ("home/.aru/tools", "project/.aru/tools"):
        (project.parent / folder).mkdir(parents=True)
    (project.parent / "home/.aru/aru.json").write_text('{"permission": "deny"')
    choice = "" if by_flag else 'user-layers = "exclude"\n'
    config, reporter = configured(project, f'[toolset]\nhost = "aru"\n{choice}', user_layers=not by_flag)
    assert reporter.diagnostics == ()
    assert config is not None
    assert [(layer.name, layer.rank) for layer in config.layers] == [("aru", 0), ("agents", 1)]
    assert len(config.permissions) == 1


def test_an_excluded_layer_of_the_config_need_not_be_there(project: Path) -> None:
    toml = layers_toml("name = 'mine'\npath = '~/gone'") + f'[toolset]\nuser-layers = "exclude"\n{LAYER}'
    assert [layer.name for layer in config_of(project, toml).layers] == ["tools"]


def test_absent_user_layers_are_no_warning(project: Path) -> None:
    (project / ".aru").mkdir()
    (project.parent / "home/.aru").mkdir()
    (project.parent / "home/.aru/config.json").write_text('{"model": "x", "tools": {"enabled": []}}')
    _, reporter = configured(project)
    assert told(reporter) == []


def test_a_project_that_is_the_home_itself_is_told_what_to_write(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(project))
    (project / ".aru/tools").mkdir(parents=True)
    _, reporter = configured(project, '[toolset]\nhost = "aru"\n')
    assert told(reporter) == [codes.LAYERS_ARE_ONE.id, codes.USER_LAYERS.id]
    assert "exclude" in str(reporter.diagnostics[0].hint)
    assert config_of(project, '[toolset]\nhost = "aru"\nuser-layers = "exclude"\n').layers[0].present


@pytest.mark.parametrize("home", ["", "relative/folder"], ids=["empty", "relative"])
def test_a_home_that_is_no_folder_has_no_layers(home: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    monkeypatch.chdir(project)
    (project / "relative/folder/.aru/tools").mkdir(parents=True)
    (project / "~/.aru/tools").mkdir(parents=True)
    config = config_of(project, '[toolset]\nhost = "aru"\n')
    assert [layer.present for layer in config.layers] == [False, False, False, False]
    _, reporter = configured(project, layers_toml("name = 'a'\npath = '~/.aru/tools'"))
    assert only(reporter).code is codes.LAYER_ABSENT
    assert only(reporter).hint == "`$HOME` is no folder"


def test_a_missing_home_crashes_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    assert len(config_of(project, '[toolset]\nhost = "aru"\n').layers) == 4
