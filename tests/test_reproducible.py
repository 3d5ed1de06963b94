"""The same inputs give the same bytes: one project, built in every way that machines and people differ, and compared,
lock and bundle, with one plain build.

Elsewhere: what a killed, interrupted or full build leaves (`test_crash`), full and read-only file systems, links and
builds at the same time (`test_emit`), names that cannot travel (`test_lower`, `test_discover`), a build that changes
nothing touches nothing (`test_promises`).
"""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from commands import environment
from projects import manifest, write

ROOT = Path(__file__).parents[1]
Bytes = Mapping[str, tuple[int, bytes]]

FILES = {
    "toolc.toml": """\
[toolset]
name = "demo"
user-layers = "exclude"
host = "aru"

[[layers]]
name = "base"
path = "vendor/base"
vendored = true

[[layers]]
name = "own"
path = "tools"

[permissions]
"*" = "ask"
"c*" = "allow"

[subsets.reader]
include = ["*"]
exclude = ["write_*"]
""",
    "vendor/base/count.py": 'def count(text: str) -> str:\n    """Count."""\n    return "1"\n',
    "vendor/base/emit/tool.json": manifest("emit"),
    "vendor/base/emit/run.sh": "#!/bin/sh\ncat\n",
    "vendor/base/emit/data/ünï.txt": "one\ntwo\n",
    "vendor/base/emit/data/Zwei.md": "# Two\n",
    "tools/count.py": '''\
"""Tools of our own."""

import enum
from typing import Literal

from _shared import clean


class Way(enum.Enum):
    UP = "up"
    DOWN = "down"


def count(text: str, way: Way = Way.UP, kinds: Literal["x", "y"] = "x", size: float = 1.0) -> str:
    """Zähle 日本.

    Args:
        text: The text.
    """
    return clean(text)


def write_it(text: str, tags: set[str] | None = None) -> str:
    """Write it down."""
    return text
''',
    "tools/_shared.py": "def clean(text):\n    return text.strip()\n",
    "tools/istanbul/tool.json": manifest("istanbul", description="Iı İi."),  # noqa: RUF001 - Turkish folds them otherwise
    "tools/istanbul/run.sh": "#!/bin/sh\nexec cat\n",
}


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way of building that must make no difference."""

    folder: str = "p"
    env: Mapping[str, str] = field(default_factory=dict)
    umask: int = 0o022
    prepare: Callable[[Path], object] = lambda _: None  # the project, before it is built
    site: str = ""  # what every interpreter of the build runs first
    before: tuple[str, ...] = ()  # a program that runs the build
    from_elsewhere: bool = False


def build(folder: Path, way: Way, *, python: str = sys.executable) -> Bytes:
    """Build the project of a folder in some way; every file that came of it, with its mode."""
    way.prepare(folder)
    env = environment(folder.parent / "home", **way.env)
    if way.site:
        (folder.parent / "site").mkdir()
        (folder.parent / "site/sitecustomize.py").write_text(way.site)
        env["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder.parent / "site"), env.get("PYTHONPATH"))))
    target = [str(folder)] if way.from_elsewhere else []
    done = subprocess.run(
        [*way.before, python, "-m", "toolc", "build", *target],
        cwd="/" if way.from_elsewhere else folder,
        env=env,
        umask=way.umask,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return {
        path.relative_to(folder).as_posix(): (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
        for path in sorted((folder / "dist").rglob("*"))
        if path.is_file()
    } | {
        "toolset.json": (0, (folder / "toolset.json").read_bytes())
    }  # a file of the user's: the umask decides its mode


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Bytes:
    return build(write(tmp_path_factory.mktemp("plain") / "p", FILES), Way())


def same(one: Bytes, other: Bytes) -> None:
    """Compare, and say which files differ rather than all that is in them."""
    assert sorted(one) == sorted(other)
    assert [path for path in one if one[path] != other[path]] == []


# ------------------------------------------------------------------------------------------------------------- the ways

LATER = """
import datetime, time
_time, _ns = time.time, time.time_ns
time.time = lambda: _time() + 400 * 86400
time.time_ns = lambda: _ns() + 400 * 86400 * 10**9
"""

ORDER = """
import os, random
_scandir, _listdir = os.scandir, os.listdir
_random = random.Random({seed})
class Shuffled:
    def __init__(self, entries):
        self.entries = entries
        found = list(entries)
        found.sort(key=lambda entry: entry.name, reverse={reverse})
        if not {reverse}:
            _random.shuffle(found)
        self.found = iter(found)
    def __iter__(self):
        return self
    def __next__(self):
        return next(self.found)
    def __enter__(self):
        return self
    def __exit__(self, *_):
        self.entries.close()
    close = __exit__
os.scandir = lambda *arguments: Shuffled(_scandir(*arguments))
os.listdir = lambda *arguments: sorted(_listdir(*arguments), reverse=True)
"""


def touched(when_s: int) -> Callable[[Path], None]:
    def touch(folder: Path) -> None:
        for path in folder.rglob("*"):
            os.utime(path, (when_s, when_s))

    return touch


def backwards(folder: Path) -> None:
    """Make the files again, the last first, so that the folders list them in another order."""
    shutil.rmtree(folder)
    write(folder, dict(reversed(FILES.items())))


def littered(folder: Path) -> None:
    """Leave what systems, editors and Python leave."""
    litter = {
        "tools/__pycache__/count.cpython-311.pyc": "x",
        "vendor/base/emit/__pycache__/x.pyc": "x",
        "vendor/base/emit/.DS_Store": "x",
        "tools/istanbul/.git/HEAD": "x",
        ".git/HEAD": "ref: refs/heads/main\n",
    }
    write(folder, litter)


def linked(folder: Path) -> None:
    """Let a source be a link to a file of its own layer."""
    (folder / "tools/_shared.py").rename(folder / "tools/_real.py")
    (folder / "tools/_shared.py").symlink_to("_real.py")


def behind_a_link(folder: Path) -> None:
    folder.rename(folder.with_name("real"))
    folder.symlink_to("real")


def other_modes(folder: Path) -> None:
    """What a group or the world may do is no matter, nor what is executable to others than the owner."""
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(0o755 | 0o022 if path.suffix == ".sh" else 0o644 | 0o011)


def checked_out(folder: Path, *options: str) -> None:
    """Commit the project, and check it out again as git does with these options."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q", "."], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    folder.rename(folder.with_name("origin"))
    subprocess.run(["git", *options, "clone", "-q", "origin", folder.name], cwd=folder.parent, check=True)


def with_carriage_returns(folder: Path) -> None:
    checked_out(folder, "-c", "core.autocrlf=true")
    assert b"\r\n" in (folder / "tools/count.py").read_bytes(), "git rewrote nothing"


def later_commit(folder: Path) -> None:
    """A repository at another commit, with the same content."""
    checked_out(folder)
    subprocess.run(
        ["git", "-c", "user.name=b", "-c", "user.email=b@c", "commit", "-q", "--allow-empty", "-m", "two"],
        cwd=folder,
        check=True,
    )


def noise() -> dict[str, str]:
    chance = random.Random(7)
    return {f"NOISE_{number}": chance.randbytes(8).hex() for number in range(200)}


OTHER_USER = ("unshare", "--user", "--map-user=4321", "--map-group=4321")
can_be_another = (
    shutil.which("unshare") is not None
    and subprocess.run([*OTHER_USER, "true"], capture_output=True, check=False).returncode == 0
)

WAYS = {
    "a deep folder with spaces and ü": Way(folder="x/deep/ü y/p q"),
    "from another folder": Way(from_elsewhere=True),
    "umask 077": Way(umask=0o077),
    "umask 000": Way(umask=0),
    "sources with other modes": Way(prepare=other_modes),
    "no home": Way(env={"HOME": "/nonexistent"}),
    "SOURCE_DATE_EPOCH 0": Way(env={"SOURCE_DATE_EPOCH": "0"}),
    "SOURCE_DATE_EPOCH far": Way(env={"SOURCE_DATE_EPOCH": "4102444800"}),
    "SOURCE_DATE_EPOCH garbage": Way(env={"SOURCE_DATE_EPOCH": "yesterday"}),
    "400 days later": Way(site=LATER),
    "sources of 1980": Way(prepare=touched(315532800)),
    "sources of the future": Way(prepare=touched(4102444800)),
    "Kathmandu": Way(env={"TZ": "Asia/Kathmandu"}),
    "locale C": Way(env={"LC_ALL": "C", "LANG": "C"}),
    "locale POSIX": Way(env={"LC_ALL": "POSIX"}),
    "locale tr_TR": Way(env={"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"}),
    "hash seed 0": Way(env={"PYTHONHASHSEED": "0"}),
    "hash seed 1": Way(env={"PYTHONHASHSEED": "1"}),
    "hash seed random": Way(env={"PYTHONHASHSEED": "random"}),
    "python -O": Way(env={"PYTHONOPTIMIZE": "2"}),
    "folders listed backwards": Way(site=ORDER.format(seed=0, reverse=True)),
    "folders listed at random": Way(site=ORDER.format(seed=random.randrange(1 << 30), reverse=False)),
    "files made in another order": Way(prepare=backwards),
    "a checkout with carriage returns": Way(prepare=with_carriage_returns),
    "another commit of the same content": Way(prepare=later_commit),
    "a source that is a link": Way(prepare=linked),
    "a project behind a link": Way(prepare=behind_a_link),
    "caches and what editors leave": Way(prepare=littered),
    "two hundred variables": Way(env=noise()),
    "a narrow terminal in colours": Way(env={"COLUMNS": "40", "FORCE_COLOR": "1"}),
    "no network": Way(before=("unshare", "--user", "--map-root-user", "--net")),
    "another user": Way(before=OTHER_USER),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_bytes_are_the_same(way: Way, plain: Bytes, tmp_path: Path) -> None:
    if way.before and not can_be_another:
        pytest.skip("this system gives its users no namespaces of their own")
    same(build(write(tmp_path / way.folder, FILES), way), plain)


def test_everything_at_once_is_the_same(plain: Bytes, tmp_path: Path) -> None:
    env = {
        "TZ": "Asia/Kathmandu",
        "LC_ALL": "tr_TR.UTF-8",
        "PYTHONHASHSEED": "random",
        "SOURCE_DATE_EPOCH": "1",
        **noise(),
    }
    site = LATER + ORDER.format(seed=random.randrange(1 << 30), reverse=False)
    way = Way(env=env, site=site, umask=0o077, prepare=with_carriage_returns, from_elsewhere=True)
    same(build(write(tmp_path / "x/deep/ü/p", FILES), way), plain)


def test_builds_at_the_same_time_leave_the_same_bytes(plain: Bytes, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", FILES)
    env = environment(tmp_path / "home")
    argv = [sys.executable, "-m", "toolc", "build", "-q"]
    builds = [subprocess.Popen(argv, cwd=folder, env=env, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [each.wait(timeout=120) for each in builds] == [0] * len(builds)
    same(build(folder, Way()), plain)


def test_a_change_is_seen(plain: Bytes, tmp_path: Path) -> None:
    """The comparison itself can fail."""
    way = Way(prepare=lambda folder: (folder / "vendor/base/emit/data/Zwei.md").write_text("# two\n"))
    with pytest.raises(AssertionError):
        same(build(write(tmp_path / "p", FILES), way), plain)


# ---------------------------------------------------------------------------------------------------------- the Pythons


def interpreter(version: str) -> str | None:
    """A Python of a version: on the PATH, or beside where this one's version manager keeps them."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python{version}"), *map(str, sorted(home.glob(f"{version}.*/bin/python{version}")))]
    for candidate in filter(None, found):
        asked = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60)
        if done.stdout.strip() == version:
            return candidate
    return None


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_another_python_gives_the_same_bytes(version: str, plain: Bytes, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        own = sys.executable
    else:
        own = str(tmp_path / "venv/bin/python")
        for argv in ([python, "-m", "venv", str(tmp_path / "venv")], [own, "-m", "pip", "install", "-q", str(ROOT)]):
            done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=300)
            assert done.returncode == 0, done.stderr
    same(build(write(tmp_path / "p", FILES), Way(), python=own), plain)
