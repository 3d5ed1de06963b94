"""Ask git: a revision and a path go in, the bytes that stand there come out. Nothing is checked out, and nothing is
written but settings of the repository that a user agreed to.

Git is run as a program, without a shell. Only plumbing is used, which runs no filter, hook, pager or external diff that
a repository could have configured.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from toolc import codes
from toolc.errors import ToolcError
from toolc.text import escape

TIMEOUT_S = 60

# Where a branch usually comes from, the surest first.
_MAIN_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")


class GitRefused(ToolcError):
    """Git did not answer. `why` is what is so, `said` what git printed."""

    code = codes.GIT_REFUSED.id

    def __init__(self, why: str, said: str = "") -> None:
        self.why = why
        self.said = said
        super().__init__(escape(f"{why}: {said}" if said else why))


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository, seen from its work tree."""

    root: Path  # the top of the work tree

    def commit(self, revision: str) -> str | None:
        """The id of the commit that a revision names; None where it names none."""
        asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
        done = _git(asked, self.root)
        return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else None

    def need(self, revision: str) -> str:
        """As `commit`; raises `GitRefused` where there is none."""
        found = self.commit(revision)
        if found is None:
            raise GitRefused(f"there is no revision `{revision}` in this repository{self._shallow_advice()}")
        return found

    def blob(self, commit: str, path: str) -> bytes | None:
        """The bytes of a file in a commit; None where the commit has no such file."""
        done = _git(["cat-file", "blob", f"{commit}:{path}"], self.root)
        return done.stdout if done.returncode == 0 else None

    def is_folder(self, commit: str, path: str) -> bool:
        """Whether a path is a folder in a commit."""
        return _git(["cat-file", "-t", f"{commit}:{path}"], self.root).stdout.strip() == b"tree"

    def merge_base(self, one: str, other: str) -> str:
        """The commit in which two parted; raises `GitRefused` where they never were one."""
        done = _git(["merge-base", self.need(one), self.need(other)], self.root)
        if done.returncode != 0:
            why = f"`{one}` and `{other}` have no common commit{self._shallow_advice()}"
            raise GitRefused(why, done.stderr.decode("utf-8", "replace").strip())
        return done.stdout.decode("ascii", "replace").strip()

    def main_branch(self) -> str:
        """The branch that others come from; raises `GitRefused` where none of the usual names is there."""
        for name in _MAIN_BRANCHES:
            if self.commit(name) is not None:
                return name
        named = ", ".join(f"`{name}`" for name in _MAIN_BRANCHES)
        raise GitRefused(f"there is no main branch to compare with, as none of {named} is there; name a revision")

    def renamed_from(self, commit: str, path: str, later: str | None = None) -> str | None:
        """Where a file that stands at `path` in `later` (None: the work tree) stood in a commit, if it was renamed."""
        asked = ["diff-tree" if later else "diff-index", "-z", "-M", "-r", "--diff-filter=R", "--name-status", commit]
        done = _git([*asked, *([later] if later else [])], self.root)
        words = done.stdout.decode("utf-8", "surrogateescape").split("\0")
        for _, before, after in zip(words[::3], words[1::3], words[2::3], strict=False):
            if after == path:
                return before
        return None

    def stages(self, path: str) -> dict[int, bytes]:
        """The versions of a file that is not merged: 1 is what both came from, 2 ours, 3 theirs. Empty where it is."""
        done = _git(["ls-files", "--unmerged", "-z", "--", f":(literal){path}"], self.root)
        found = {}
        for row in done.stdout.split(b"\0")[:-1]:
            _, blob, stage = row.partition(b"\t")[0].split(b" ")
            content = _git(["cat-file", "blob", blob.decode("ascii")], self.root)
            if content.returncode == 0:
                found[int(stage)] = content.stdout
        return found

    def setting(self, key: str) -> str | None:
        """The value of a setting of this repository alone; None where it has none."""
        done = _git(["config", "--local", "--get", key], self.root)
        return done.stdout.decode("utf-8", "replace").removesuffix("\n") if done.returncode == 0 else None

    def set(self, key: str, value: str) -> None:
        """Write a setting of this repository; raises `GitRefused`."""
        done = _git(["config", "--local", key, value], self.root)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise GitRefused(f"git does not take the setting `{key}`", said)

    def attributes(self, path: str, names: Sequence[str]) -> dict[str, str]:
        """The attributes of a path that are in force: a value, `set`, `unset` or `unspecified`."""
        done = _git(["check-attr", "-z", *names, "--", path], self.root)
        words = done.stdout.decode("utf-8", "replace").split("\0")
        return dict(zip(words[1::3], words[2::3], strict=False))

    def _shallow_advice(self) -> str:
        done = _git(["rev-parse", "--is-shallow-repository"], self.root)
        if done.stdout.strip() != b"true":
            return ""
        return "; the clone is shallow: fetch its history (`git fetch --unshallow`, or `fetch-depth: 0` in a workflow)"


def find(folder: Path) -> Repository | None:
    """The repository that a folder is in; None where it is in none. Raises `GitRefused` where git keeps it from us."""
    done = _git(["rev-parse", "--show-toplevel"], folder)
    if done.returncode == 0:
        return Repository(root=Path(os.fsdecode(done.stdout.removesuffix(b"\n"))))
    said = done.stderr.decode("utf-8", "replace").strip()
    if "not a git repository" in said:
        return None
    raise GitRefused("git cannot read this repository", said)


def merge_lines(ours: Path, base: Path, theirs: Path) -> tuple[bytes, bool]:
    """What git makes of three files by their lines alone, and whether nothing is open in it."""
    labels = [word for label in ("ours", "base", "theirs") for word in ("-L", label)]
    files = [str(path.absolute()) for path in (ours, base, theirs)]
    done = _git(["merge-file", "-p", *labels, *files], Path())
    if done.returncode < 0 or done.returncode > 127:  # up to here it is how many places are open
        raise GitRefused("git cannot merge the files", done.stderr.decode("utf-8", "replace").strip())
    return done.stdout, done.returncode == 0


def _git(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    environment = {
        **os.environ,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",  # one of git's sentences is read
    }
    try:
        return subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError:
        raise GitRefused("there is no `git` on the PATH; files can be compared without it") from None
    except subprocess.TimeoutExpired:
        raise GitRefused(f"`git {arguments[0]}` did not answer within {TIMEOUT_S} seconds") from None
    except OSError as error:
        raise GitRefused("`git` cannot be started", os.strerror(error.errno or 0)) from None
