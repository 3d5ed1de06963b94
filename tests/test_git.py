"""Locks under git, with real repositories: plain merges, the driver, the resolver, the outline, and the setup of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from projects import manifest, write
from repositories import EIGHT, LINES, Repo, copied, eight, source
from toolc import lock


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return eight(tmp_path_factory.mktemp("eight"))


@pytest.fixture
def repo(original: Repo, tmp_path: Path) -> Repo:
    return copied(original, tmp_path)


Change = Callable[[Path], object]


def writes(**tools: str) -> Change:
    return lambda root: write(root, {f"tools/{name}.py": text for name, text in tools.items()})


def configures(old: str, new: str) -> Change:
    def change(root: Path) -> None:
        text = (root / "toolc.toml").read_text()
        assert old in text
        (root / "toolc.toml").write_text(text.replace(old, new))

    return change


def describes(*lines: str) -> Change:
    return writes(eps=source("eps", text="\n    ".join(["Do it.", "", *lines])))


# ------------------------------------------------------------------------------------------------ two branches merge


@pytest.mark.parametrize(
    ("ours", "theirs", "plain"),
    [
        pytest.param(
            writes(bison=source("bison")), writes(omega=source("omega")), True, id="a-tool-each-in-different-places"
        ),
        pytest.param(
            lambda root: (root / "tools/beta.py").unlink(),
            lambda root: write(root, {"tools/mu/tool.json": manifest("mu", description="Do mu well.")}),
            True,
            id="one-removed-and-another-changed",
        ),
        pytest.param(
            writes(alpha=source("alpha", parameters="text: str, limit: int = 3")),
            writes(kappa=source("kappa", text="Do it well.")),
            True,
            id="two-tools-changed",
        ),
        pytest.param(
            configures("[tools.zeta]\ntimeout = 40", "[tools.zeta]\ntimeout = 60"),
            lambda root: write(root, {"tools/zeta/tool.json": manifest("zeta", description="Do zeta well.")}),
            True,
            id="two-facts-of-one-tool",
        ),
        pytest.param(writes(bird=source("bird")), writes(bison=source("bison")), False, id="a-tool-each-at-one-place"),
        pytest.param(
            writes(alpha=source("alpha", body="text.upper()")),
            writes(gamma=source("gamma", text="Do gamma.")),
            True,
            id="code-of-one-and-words-of-another",
        ),
        pytest.param(
            configures('"*" = "allow"', '"*" = "allow"\ndelta = "deny"'),
            configures("[tools.zeta]\n", '[subsets.few]\ninclude = ["alpha", "mu"]\n\n[tools.zeta]\n'),
            True,
            id="a-permission-and-a-subset",
        ),
    ],
)
def test_two_branches_merge_into_the_lock_of_the_merged_files(
    repo: Repo, ours: Change, theirs: Change, plain: bool
) -> None:
    repo.branch("theirs", theirs)
    repo.branch("ours", ours)
    merged = repo.git("merge", "-q", "--no-edit", "theirs")
    conflicted = repo.must("diff", "--name-only", "--diff-filter=U").split()

    assert (merged.status, conflicted) == ((0, []) if plain else (1, ["toolset.json"])), "what plain git can do"
    by_lines = repo.lock if plain else None
    repo.must("reset", "-q", "--hard", "ours")
    assert repo.toolc("git", "setup", "--yes").status == 0
    repo.must("commit", "-qam", "set up")
    driven = repo.git("merge", "-q", "--no-edit", "theirs")

    assert driven.status == 0, driven.stderr
    assert by_lines in (None, repo.lock), "the driver changes nothing where plain git is right"
    assert lock.encode(lock.decode(repo.lock)) == repo.lock
    check = repo.toolc("lock", "--check")
    assert check.status == 0, check.stdout


def test_two_lines_of_one_description_merge_and_the_digest_of_the_file_is_what_the_file_says(repo: Repo) -> None:
    repo.branch("theirs", describes(*LINES[:-1], "The last line is theirs."))
    repo.branch("ours", describes("The first line is ours.", *LINES[1:]))
    assert repo.git("merge", "-q", "--no-edit", "theirs").status == 1
    text = repo.lock.decode()

    assert text.count("<<<<<<<") == 1, "the lines of the description merged"
    assert re.search(
        r'<<<<<<< HEAD\n    "tools/tools/eps.py": .*\n=======\n    "tools/tools/eps.py": .*\n>>>>>>>', text
    )
    resolved = repo.toolc("lock", "--resolve")
    assert (resolved.status, resolved.stdout) == (0, "toolset.json\n")
    assert "`/files/tools~1tools~1eps.py`: both sides changed it, differently; took what the project gives" in (
        resolved.stderr
    )
    assert repo.toolc("lock", "--check").status == 0
    description = lock.decode(repo.lock).tools["eps"].description
    assert "The first line is ours." in description
    assert "The last line is theirs." in description


# ---------------------------------------------------------------------------------------------------------- resolving


def conflict(repo: Repo, *, style: str = "merge") -> None:
    """A merge in which a tool was added at one place by each, and a third removed by one."""

    def ours(root: Path) -> None:
        writes(bird=source("bird"))(root)

    def theirs(root: Path) -> None:
        writes(bison=source("bison"))(root)
        (root / "tools/beta.py").unlink()

    repo.branch("theirs", theirs)
    repo.branch("ours", ours)
    assert repo.git("-c", f"merge.conflictStyle={style}", "merge", "-q", "--no-edit", "theirs").status == 1


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("index", [True, False], ids=["git-has-the-versions", "only-the-markers-have-them"])
def test_a_lock_with_markers_is_resolved(repo: Repo, style: str, index: bool) -> None:
    conflict(repo, style=style)
    if not index:
        repo.must("add", "-A")
    resolved = repo.toolc("lock", "--resolve")

    assert resolved.status == 0, resolved.stderr
    assert "now run `toolc lock --check`" in resolved.stderr
    tools = lock.decode(repo.lock).tools
    assert {"bird", "bison"} <= tools.keys()
    assert "beta" not in tools, "what was removed does not come back"
    assert repo.toolc("lock", "--check").status == 0


def test_what_is_decided_in_the_project_is_decided_in_the_lock(repo: Repo) -> None:
    repo.branch("theirs", configures("timeout = 30", "timeout = 31"))
    repo.branch("ours", configures("timeout = 30", "timeout = 32"))
    assert repo.git("merge", "-q", "--no-edit", "theirs").status == 1
    undecided = repo.toolc("lock", "--resolve", "--format", "json")

    assert undecided.status == 1
    assert [entry["pointer"] for entry in json.loads(undecided.stdout)["conflicts"]] == [
        "/tools/alpha/execution/timeout_s"
    ]
    write(repo.root, {"toolc.toml": EIGHT["toolc.toml"].replace("timeout = 30", "timeout = 31")})
    assert repo.toolc("lock", "--resolve").status == 0
    assert lock.decode(repo.lock).tools["alpha"].timeout_s == 31
    assert repo.toolc("lock", "--check").status == 0


def test_a_lock_that_a_link_stands_for_is_not_written(repo: Repo) -> None:
    conflict(repo)
    (repo.root / "toolset.json").rename(repo.root / "elsewhere.json")
    (repo.root / "toolset.json").symlink_to("elsewhere.json")
    before = (repo.root / "elsewhere.json").read_bytes()

    assert repo.toolc("lock", "--resolve").status == 3
    assert (repo.root / "elsewhere.json").read_bytes() == before


# ------------------------------------------------------------------------------------------------------- setting it up


@pytest.fixture
def ready(repo: Repo) -> Repo:
    """A repository in which git knows locks."""
    assert repo.toolc("git", "setup", "--yes").status == 0
    repo.must("commit", "-qam", "set up")
    return repo


def test_setup_shows_every_line_before_it_writes_one(repo: Repo) -> None:
    config, attributes = ((repo.root / name).read_bytes() for name in (".git/config", ".gitattributes"))
    dry, asked = repo.toolc("git", "setup", "--dry-run"), repo.toolc("git", "setup")

    assert (dry.status, asked.status) == (0, 1), "nobody can be asked here"
    assert asked.stdout == dry.stdout
    assert "--yes" in asked.stderr
    assert [line.split(" ")[3] for line in dry.stdout.splitlines()[:-1]] == [
        "diff.toolset.xfuncname",
        "diff.toolset.textconv",
        "merge.toolset.name",
        "merge.toolset.driver",
    ]
    assert dry.stdout.splitlines()[-1] == (
        ".gitattributes: toolset.json diff=toolset merge=toolset -linguist-generated"
    )
    assert [(repo.root / name).read_bytes() for name in (".git/config", ".gitattributes")] == [config, attributes]


def test_what_setup_shows_is_what_a_shell_would_write(repo: Repo, original: Repo, tmp_path: Path) -> None:
    other = copied(original, tmp_path / "other")
    lines = repo.toolc("git", "setup", "--yes").stdout.splitlines()
    for line in lines[:-1]:
        write(other.root, {"line.sh": line})
        other.must("-c", f"alias.x=!{line}", "x")

    assert (other.root / ".git/config").read_text() == (repo.root / ".git/config").read_text()


def test_setup_keeps_what_gitattributes_has_and_does_nothing_twice(repo: Repo) -> None:
    assert repo.toolc("git", "setup", "--yes").status == 0
    written = (repo.root / ".gitattributes").read_text()

    assert written == (
        "*.png binary\ntoolset.json text eol=lf\ntoolset.json diff=toolset merge=toolset -linguist-generated\n"
    )
    again = repo.toolc("git", "setup")
    assert (again.status, again.stdout, again.stderr) == (0, "", "everything is set up already\n")
    assert (repo.root / ".gitattributes").read_text() == written
    assert not (repo.home / ".gitconfig").exists()


def test_setup_of_a_project_in_a_folder_of_its_repository(repo: Repo) -> None:
    write(repo.root, {"services/a/toolc.toml": EIGHT["toolc.toml"], "services/a/toolset.json": "{}\n"})
    done = repo.toolc("git", "setup", "services/a", "--yes")

    assert done.status == 0
    assert (repo.root / "services/a/.gitattributes").is_file()
    answer = repo.must("check-attr", "merge", "--", "services/a/toolset.json")
    assert answer == "services/a/toolset.json: merge: toolset\n"


def test_setup_outside_a_repository_says_so(tmp_path: Path, repo: Repo) -> None:
    write(tmp_path / "plain", {"toolc.toml": EIGHT["toolc.toml"]})
    done = repo.toolc("git", "setup", "--yes", str(tmp_path / "plain"))

    assert (done.status, "nothing to set up" in done.stderr) == (3, True)


# ------------------------------------------------------------------------------------------------ what git then shows


def test_the_heading_of_a_hunk_names_the_tool(ready: Repo) -> None:
    ready.branch("topic", configures("timeout = 40", "timeout = 41"))

    assert re.search(r"^@@ .* @@ zeta$", ready.must("diff", "--no-textconv", "main", "--", "toolset.json"), re.M)
    assert re.search(r"^@@ .* @@ tool zeta$", ready.must("diff", "main", "--", "toolset.json"), re.M)


def test_git_diff_shows_the_outline_of_a_lock(ready: Repo) -> None:
    ready.branch("topic", writes(alpha=source("alpha", parameters="text: str, limit: int = 3", text="Do more.")))
    lines = ready.must("diff", "main", "--", "toolset.json").splitlines()

    assert "-  Do it." in lines
    assert "+  Do more." in lines
    assert '+  parameter limit: {"type": "integer", "default": 3}' in lines


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\x00", b"<<<<<<< HEAD\n"], ids=["empty", "cut", "bytes", "markers"])
def test_the_outline_of_what_is_no_lock_is_that(repo: Repo, data: bytes) -> None:
    (repo.root / "x.json").write_bytes(data)
    shown = repo.toolc("git", "textconv", "x.json")

    assert shown.status == 0
    assert shown.stdout == data.decode("utf-8", "backslashreplace")


# ---------------------------------------------------------------------------------------------------------- the driver


def test_the_driver_leaves_markers_round_what_is_open_and_git_says_so(ready: Repo) -> None:
    ready.branch("theirs", configures("timeout = 30", "timeout = 31"))
    ready.branch("ours", configures("timeout = 30", "timeout = 32"))
    merged = ready.git("merge", "-q", "--no-edit", "theirs")

    assert merged.status == 1
    assert "toolset.json: `/tools/alpha/execution/timeout_s`: both sides changed it, differently" in merged.stderr
    assert ready.must("diff", "--name-only", "--diff-filter=U").split() == ["toolc.toml", "toolset.json"]
    assert (
        '<<<<<<< ours\n        "timeout_s": 32,\n=======\n        "timeout_s": 31,\n>>>>>>> theirs\n'
    ) in ready.lock.decode()


def test_what_no_toolc_here_can_read_is_merged_by_its_lines(repo: Repo) -> None:
    base = repo.lock.decode().replace('"lock_version": 1', '"lock_version": 99')
    versions = {"base": base, "ours": base.replace('"demo"', '"ours"'), "theirs": base.replace("Do it.", "Do that.")}
    write(repo.root, versions)
    done = repo.toolc("git", "merge", "base", "ours", "theirs", "a/toolset.json")

    assert done.status == 0
    assert "`a/toolset.json` was merged by its lines" in done.stderr
    assert (repo.root / "ours").read_text() == versions["ours"].replace("Do it.", "Do that.")


def test_the_driver_merges_a_lock_that_both_branches_began(repo: Repo) -> None:
    empty = '{\n  "lock_version": 1,\n  "requires": [],\n  "toolset": "t",\n  "host": "none",\n  "layers": [],\n'
    ours = empty + '  "subsets": {\n    "a": []\n  },\n  "tools": {},\n  "files": {}\n}\n'
    theirs = empty + '  "subsets": {\n    "b": []\n  },\n  "tools": {},\n  "files": {}\n}\n'
    write(repo.root, {"base": "", "ours": ours, "theirs": theirs})

    assert repo.toolc("git", "merge", "base", "ours", "theirs").status == 0
    assert [*lock.decode((repo.root / "ours").read_bytes()).subsets] == ["a", "b"]
