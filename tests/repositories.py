"""Real repositories for tests of git: a project of eight tools, committed with its lock, and branches of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from commands import Ran, environment, run, toolc
from projects import CONFIG, manifest, write
from toolc.pipeline import relock

LINES = [f"Line {number} says how." for number in range(8)]


def source(name: str, *, parameters: str = "text: str", text: str = "Do it.", body: str = "text") -> str:
    """A tool file of one function."""
    return f'def {name}({parameters}) -> str:\n    """{text}"""\n    return {body}\n'


EIGHT = {
    "toolc.toml": CONFIG + "\n[tools.alpha]\ntimeout = 30\n\n[tools.zeta]\ntimeout = 40\n",
    ".gitattributes": "*.png binary\ntoolset.json text eol=lf",
    **{f"tools/{name}.py": source(name) for name in ("alpha", "beta", "delta", "eps", "gamma", "kappa")},
    **{f"tools/{name}/tool.json": manifest(name) for name in ("mu", "zeta")},
    **{f"tools/{name}/run.sh": "#!/bin/sh\ncat\n" for name in ("mu", "zeta")},
    "tools/eps.py": source("eps", text="\n    ".join(["Do it.", "", *LINES])),
}


@dataclass(frozen=True, kw_only=True)
class Repo:
    """A repository of a project, and the home of whoever works in it."""

    root: Path
    home: Path

    def git(self, *arguments: str) -> Ran:
        """Run git; what it answers is the test's to judge."""
        identity = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return run(["git", *arguments], cwd=self.root, env=environment(self.home, **identity))

    def must(self, *arguments: str) -> str:
        """Run git, which has to succeed."""
        done = self.git(*arguments)
        assert done.status == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    def toolc(self, *arguments: str, stdin: str = "") -> Ran:
        """Run toolc in the project."""
        return toolc(*arguments, cwd=self.root, home=self.home, stdin=stdin)

    def commit(self, message: str) -> None:
        """Write the lock, and commit everything."""
        assert relock(self.root).lock is not None
        self.must("add", "-A")
        self.must("commit", "-q", "-m", message)

    def branch(self, name: str, change: Callable[[Path], object]) -> None:
        """A branch of the first commit with a change, its lock written."""
        self.must("checkout", "-q", "-b", name, "main")
        change(self.root)
        self.commit(name)

    @property
    def lock(self) -> bytes:
        """The lock as it stands."""
        return (self.root / "toolset.json").read_bytes()


def eight(folder: Path) -> Repo:
    """A repository of the eight tools, on `main`."""
    repo = Repo(root=folder / "work", home=folder / "home")
    repo.home.mkdir(parents=True)
    write(repo.root, EIGHT)
    repo.must("init", "-q", "-b", "main", ".")
    repo.commit("base")
    return repo


def copied(repo: Repo, folder: Path) -> Repo:
    """The same repository in another folder."""
    shutil.copytree(repo.root, folder / "work", symlinks=True)
    (folder / "home").mkdir()
    return Repo(root=folder / "work", home=folder / "home")
