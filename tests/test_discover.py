"""What is found in the layers, what is passed over and why, and what stops the build."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from toolc import discover as discovery
from toolc.diagnostics import Reporter, Severity
from toolc.discover import discover
from toolc.model import Candidate, Config, Layer, LayerKind, ManifestCandidate, PythonCandidate, Scope

Told = list[tuple[str, str]]  # code and path of each diagnostic


class Project:
    """A folder with layers, and what discovery says of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reporter = Reporter()

    def write(self, *paths: str, text: str = "") -> None:
        for path in paths:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    def layer(self, name: str = "tools", rank: int = 0, kind: LayerKind = LayerKind.AUTO) -> Layer:
        (self.root / name).mkdir(exist_ok=True)
        return Layer(name=name, path=name, root=self.root / name, rank=rank, scope=Scope.PROJECT, kind=kind)

    def discover(self, *layers: Layer) -> tuple[Candidate, ...]:
        self.reporter = Reporter()
        return discover(Config(root=self.root, toolset="t", layers=layers or (self.layer(),)), self.reporter)

    def found(self, *layers: Layer) -> list[str]:
        return [path(candidate) for candidate in self.discover(*layers)]

    @property
    def told(self) -> Told:
        return [(told.code.id, told.span.path) for told in self.reporter.diagnostics]

    @property
    def errors(self) -> Told:
        return [(d.code.id, d.span.path) for d in self.reporter.diagnostics if d.level is Severity.ERROR]

    @property
    def messages(self) -> list[str]:
        return [told.message for told in self.reporter.diagnostics]


def path(candidate: Candidate) -> str:
    match candidate:
        case PythonCandidate(file=file):
            return file.shown
        case ManifestCandidate(manifest=manifest):
            return manifest.shown


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_python_files_and_manifest_folders_of_one_layer_are_found(project: Project) -> None:
    project.write("tools/b.py", "tools/a.py", "tools/grep/tool.json", "tools/grep/run.py", "tools/grep/lib/x.txt")
    assert project.found() == ["tools/a.py", "tools/b.py", "tools/grep/tool.json"]
    assert project.told == []


def test_candidates_come_by_rank_and_then_by_path(project: Project) -> None:
    project.write("low/z.py", "high/a.py", "high/b/tool.json")
    high, low = project.layer("high", rank=1), project.layer("low", rank=0)
    assert project.found(high, low) == ["low/z.py", "high/a.py", "high/b/tool.json"]


def test_a_layer_that_is_absent_is_passed_over(project: Project) -> None:
    absent = Layer(name="no", path="no", root=project.root / "no", rank=0, scope=Scope.USER, present=False)
    assert project.found(absent) == []
    assert project.told == []


def test_every_file_of_a_manifest_folder_ships(project: Project) -> None:
    project.write("tools/grep/tool.json", "tools/grep/a/b/c.txt", "tools/grep/.hidden", "tools/grep/node_modules/x.js")
    (project.root / "tools/grep/run.sh").touch(mode=0o755)
    (project.root / "tools/grep/copy.txt").symlink_to("a/b/c.txt")
    (candidate,) = project.discover()
    assert isinstance(candidate, ManifestCandidate)
    assert candidate.folder == "grep"
    assert [(file.path, file.executable) for file in candidate.files] == [
        ("grep/.hidden", False),
        ("grep/a/b/c.txt", False),
        ("grep/copy.txt", False),
        ("grep/node_modules/x.js", False),
        ("grep/run.sh", True),
        ("grep/tool.json", False),
    ]
    assert candidate.manifest in candidate.files


@pytest.mark.parametrize(
    "name",
    [
        *(".env", ".env.local", ".ENV", "server.pem", "tls.key", "id_rsa", "id_ed25519.bak", "id_deploy", ".netrc"),
        *(
            "__pycache__",
            "x.pyc",
            ".git",
            ".mypy_cache",
            ".venv",
            "x.egg-info",
            ".DS_Store",
            "a.py~",
            ".#a.py",
            ".a.swp",
        ),
    ],
)
def test_secrets_and_leftovers_never_ship_and_each_is_told(project: Project, name: str) -> None:
    project.write("tools/grep/tool.json", f"tools/grep/sub/{name}", text="{}")
    (candidate,) = project.discover()
    assert isinstance(candidate, ManifestCandidate)
    assert [file.path for file in candidate.files] == ["grep/tool.json"]
    assert project.told == [("TC226", f"tools/grep/sub/{name}")]


@pytest.mark.parametrize("name", [".env.example", "id_map.json", "identity", "keys.txt", "git", "environment"])
def test_what_only_resembles_a_secret_ships(project: Project, name: str) -> None:
    project.write("tools/grep/tool.json", f"tools/grep/{name}")
    (candidate,) = project.discover()
    assert isinstance(candidate, ManifestCandidate)
    assert f"grep/{name}" in [file.path for file in candidate.files]


def test_a_folder_that_is_never_shipped_is_not_looked_into(project: Project) -> None:
    project.write("tools/grep/tool.json", "tools/grep/.git/config")
    os.mkfifo(project.root / "tools/grep/.git/fifo")
    project.discover()
    assert project.told == [("TC226", "tools/grep/.git")]


def test_a_secret_under_another_name_does_not_ship(project: Project) -> None:
    project.write("tools/grep/tool.json", "tools/grep/.env")
    (project.root / "tools/grep/settings").symlink_to(".env")
    project.discover()
    assert project.told == [("TC226", "tools/grep/.env"), ("TC226", "tools/grep/settings")]


@pytest.mark.parametrize(
    ("written", "code", "place"),
    [
        pytest.param("_helpers.py", "TC220", "_helpers.py", id="private module"),
        pytest.param("__init__.py", "TC220", "__init__.py", id="package marker"),
        pytest.param("README.md", "TC221", "README.md", id="text"),
        pytest.param(".hidden.py", "TC221", ".hidden.py", id="hidden file"),
        pytest.param("greet.ts", "TC222", "greet.ts", id="TypeScript"),
        pytest.param("greet.SH", "TC222", "greet.SH", id="shell"),
        pytest.param("data/x.txt", "TC223", "data", id="folder"),
        pytest.param("lib/x.py", "TC223", "lib", id="package"),
        pytest.param("grep/Tool.json", "TC224", "grep/Tool.json", id="capital letter"),
        pytest.param("grep/tools.json", "TC224", "grep/tools.json", id="plural"),
        pytest.param("grep/manifest.json", "TC224", "grep/manifest.json", id="another marker"),
        pytest.param("grep/SKILL.md", "TC224", "grep/SKILL.md", id="skill"),
        pytest.param("tool.json", "TC224", "tool.json", id="manifest without a folder"),
        pytest.param("group/grep/tool.json", "TC225", "group/grep/tool.json", id="manifest too deep"),
        pytest.param("a/b/c/d/tool.json", "TC225", "a/b/c/d/tool.json", id="manifest much too deep"),
        pytest.param("__pycache__/a.pyc", "TC226", "__pycache__", id="cache"),
        pytest.param("grep/tool.json/x", "TC223", "grep", id="a folder named as a manifest"),
    ],
)
def test_what_is_no_tool_gets_one_reason(project: Project, written: str, code: str, place: str) -> None:
    project.write(f"tools/{written}")
    assert project.found() == []
    assert project.told == [(code, f"tools/{place}")]
    assert all(told.level is Severity.NOTE and told.code.skips for told in project.reporter.diagnostics)


def test_a_manifest_inside_a_tools_folder_is_shipped_and_told(project: Project) -> None:
    project.write("tools/grep/tool.json", "tools/grep/inner/tool.json")
    assert project.found() == ["tools/grep/tool.json"]
    assert project.told == [("TC225", "tools/grep/inner/tool.json")]


def test_each_of_many_files_that_are_no_tools_is_named(project: Project) -> None:
    project.write(*(f"tools/{name}.ts" for name in "abcde"), "tools/x.txt")
    project.discover()
    assert project.told == [*(("TC222", f"tools/{name}.ts") for name in "abcde"), ("TC221", "tools/x.txt")]


@pytest.mark.parametrize(
    ("kind", "found", "told"),
    [
        (LayerKind.PYTHON, ["tools/a.py"], ("TC227", "tools/grep")),
        (LayerKind.MANIFEST, ["tools/grep/tool.json"], ("TC227", "tools/a.py")),
    ],
)
def test_the_kind_of_a_layer_limits_what_is_found(
    project: Project, kind: LayerKind, found: list[str], told: tuple[str, str]
) -> None:
    project.write("tools/a.py", "tools/grep/tool.json")
    assert project.found(project.layer(kind=kind)) == found
    assert project.told == [told]


def symlink(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        pytest.param(os.mkfifo, "TC202", id="FIFO"),
        pytest.param(symlink("/etc/passwd"), "TC203", id="link out of the layer"),
        pytest.param(symlink("../outside"), "TC203", id="link to beside the layer"),
        pytest.param(symlink("self"), "TC204", id="loop"),
        pytest.param(symlink("nothing"), "TC204", id="dangling link"),
        pytest.param(symlink("."), "TC207", id="link to a folder"),
    ],
)
@pytest.mark.parametrize("name", ["self", "self.py", "grep/self", "grep/self.py"])
def test_what_cannot_be_read_safely_is_an_error_wherever_it_stands(
    project: Project, make: Callable[[Path], None], code: str, name: str
) -> None:
    project.write("outside", "tools/grep/tool.json")
    if code == "TC203" and name.startswith("grep/"):
        (project.root / "tools/outside").symlink_to("../outside")  # out over a second link
    path = project.root / "tools" / name
    make(path)
    if code == "TC204" and path.readlink() == Path("self"):
        path.unlink()
        path.symlink_to(path.name)
    project.discover()
    assert (code, f"tools/{name}") in project.errors


def test_a_manifest_that_cannot_be_read_is_no_candidate(project: Project) -> None:
    project.write("tools/grep/run.py")
    os.mkfifo(project.root / "tools/grep/tool.json")
    assert project.found() == []
    assert project.told == [("TC202", "tools/grep/tool.json")]


def test_names_nobody_can_read_are_errors_and_printable(project: Project) -> None:
    project.write("tools/grep/tool.json", "tools/a\u202eb.py", "tools/grep/a\u200bb")
    for name in (b"tools/\xff.py", b"tools/grep/\xfe", b"tools/\xfd.txt"):
        Path(os.fsdecode(os.fsencode(project.root) + b"/" + name)).touch()
    assert project.found() == ["tools/grep/tool.json"]
    assert project.told == [
        ("TC221", "tools/\\u{dcfd}.txt"),
        ("TC208", "tools/\\u{dcff}.py"),
        ("TC208", "tools/a\\u{202e}b.py"),
        ("TC208", "tools/grep/\\u{dcfe}"),
        ("TC208", "tools/grep/a\\u{200b}b"),
    ]
    for told in project.reporter.diagnostics:
        assert told.message.isprintable() and told.span.path.encode()


def test_a_tools_folder_may_be_eight_folders_deep(project: Project) -> None:
    project.write("tools/grep/tool.json", "tools/grep/1/2/3/4/5/6/7/8/x", "tools/grep/1/2/3/4/5/6/7/8/9/y")
    (candidate,) = project.discover()
    assert isinstance(candidate, ManifestCandidate)
    assert [file.path for file in candidate.files] == ["grep/1/2/3/4/5/6/7/8/x", "grep/tool.json"]
    assert project.told == [("TC209", "tools/grep/1/2/3/4/5/6/7/8/9")]


def test_a_tools_folder_has_a_limit_of_files(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MAX_FILES", 3)
    project.write("tools/grep/tool.json", "tools/grep/a", "tools/grep/b")
    assert project.found() == ["tools/grep/tool.json"]
    assert project.told == []
    project.write("tools/grep/c")
    project.discover()
    assert project.told == [("TC210", "tools/grep")]


def test_a_layer_that_is_gone_is_an_error(project: Project) -> None:
    gone = Layer(name="gone", path="gone", root=project.root / "gone", rank=0, scope=Scope.PROJECT)
    assert project.found(gone) == []
    assert project.errors == [("TC201", "gone")]


def test_the_order_of_the_file_system_changes_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(*(f"tools/{name}.py" for name in "abc"), *(f"tools/{name}/tool.json" for name in "def"))
    project.write(*(f"tools/{name}.ts" for name in "ghijk"), *(f"tools/d/{name}" for name in "xyz"), "tools/d/.env")
    wanted, told = project.discover(), project.messages
    listed = os.scandir

    class Shuffled:
        """A listing in another order each time."""

        def __init__(self, folder: int) -> None:
            with listed(folder) as entries:
                self.entries = list(entries)
            random.shuffle(self.entries)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", Shuffled)
    for _ in range(5):
        assert (project.discover(), project.messages) == (wanted, told)
