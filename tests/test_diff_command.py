"""`toolc diff` as it is used: in real repositories, on locks, bundles, revisions and ranges, in every form."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from commands import Ran, environment, run, toolc
from projects import CONFIG, WORD_COUNT, manifest, project, write
from test_reports import commands, sarif_schema  # noqa: F401 - a fixture
from toolc.render.diffs.markdown import LIMIT
from toolc.resources import schema

NARROWED = WORD_COUNT.replace("text: str", "text: str, region: str")
LOOSE_BASE = manifest("probe", parameters={"type": "object", "properties": {"n": {"type": "integer"}}})


class Repository:
    """A project in a repository of its own, built and committed on `main`."""

    def __init__(self, root: Path, *, within: str = "") -> None:
        self.root = root
        self.project = root / within
        self.home = root.parent / "home"
        self.home.mkdir(exist_ok=True)
        root.mkdir(exist_ok=True)
        self.git("init", "-q", "-b", "main", ".")
        project(self.project)
        write(root, {".gitignore": "dist/\n"})
        self.commit("one")

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        identity = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        done = run(["git", *arguments], cwd=cwd or self.root, env=environment(self.home, **identity))
        assert done.status == 0, done.stderr
        return done.stdout

    def build(self) -> None:
        done = toolc("build", "-q", cwd=self.project, home=self.home)
        assert done.status == 0, done.stderr

    def commit(self, message: str) -> None:
        self.build()
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def change(self, **files: str) -> None:
        """Write tool files by their stems, and build."""
        write(self.project, {f"tools/{stem}.py": text for stem, text in files.items()})
        self.build()

    def diff(self, *arguments: str, cwd: Path | None = None, **env: str) -> Ran:
        return toolc("diff", *arguments, cwd=cwd or self.project, home=self.home, env=env)

    def findings(self, *arguments: str, cwd: Path | None = None) -> dict[str, Any]:
        done = self.diff("--format", "json", "--exit-zero", *arguments, cwd=cwd)
        assert done.status == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        jsonschema.validate(answer, schema("diff"))
        return answer

    def rules(self, *arguments: str, cwd: Path | None = None) -> set[str]:
        return {finding["rule"] for finding in self.findings(*arguments, cwd=cwd)["findings"]}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "work")


# ----------------------------------------------------------------------------------------------------- what is compared


def test_a_branch_is_compared_with_where_it_left_the_main_one(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.change(word_count=NARROWED)
    repository.commit("narrow")
    repository.git("checkout", "-q", "main")
    repository.change(other=WORD_COUNT.replace("word_count", "other"))
    repository.commit("another tool")
    repository.git("checkout", "-q", "topic")
    rules = repository.rules()
    assert "T201" in rules
    assert "T102" not in rules, "what main did meanwhile is no matter of this branch"
    assert "T102" in repository.rules("main")


@pytest.mark.parametrize(
    "arguments",
    [
        ["HEAD~1"],
        ["HEAD~1", "HEAD"],
        ["HEAD~1..HEAD"],
        ["HEAD~1..."],
        ["HEAD~1:toolset.json"],
        ["HEAD~1:./toolset.json"],
        ["HEAD~1:", "toolset.json"],
        ["old", "."],
        ["old", "dist/toolset"],
        ["HEAD~1", "./dist/toolset"],
        ["old.json", "toolset.json"],
    ],
    ids=" ".join,
)
def test_a_side_is_a_lock_a_bundle_a_project_or_a_revision(repository: Repository, arguments: list[str]) -> None:
    subprocess.run(["cp", "-r", "dist/toolset", "old"], cwd=repository.project, check=True)
    subprocess.run(["cp", "toolset.json", "old.json"], cwd=repository.project, check=True)
    write(repository.root, {".gitignore": "dist/\nold\nold.json\n"})
    repository.change(word_count=NARROWED)
    repository.commit("narrow")
    assert "T201" in repository.rules(*arguments)
    assert repository.diff(*arguments).status == 1


def test_a_project_below_the_top_is_found_from_its_own_folders(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "work", within="deep/er")
    repository.change(word_count=NARROWED)
    found = repository.findings("main", cwd=repository.project / "tools")
    assert "T201" in {finding["rule"] for finding in found["findings"]}
    assert found["old"]["label"] == "deep/er/toolset.json at main"
    assert found["findings"][0]["location"]["path"] == "../toolset.json"
    assert "T201" in repository.rules("main:deep/er", cwd=repository.root / "deep")


def test_a_lock_that_was_not_there_and_one_that_is_gone_are_empty_sides(repository: Repository) -> None:
    repository.git("rm", "-q", "toolset.json")
    repository.git("commit", "-q", "-m", "none")
    assert {"T102"} <= repository.rules("HEAD~1")
    assert {"T101"} <= repository.rules("HEAD", "HEAD~1")
    assert repository.diff("HEAD").stdout.startswith("nothing changed")


def test_a_lock_that_moved_is_compared_with_where_it_was(repository: Repository) -> None:
    (repository.root / "sub").mkdir()
    for name in ("toolc.toml", "tools", "toolset.json"):
        repository.git("mv", name, f"sub/{name}")
    write(repository.root / "sub", {"tools/word_count.py": NARROWED})
    assert toolc("build", "-q", cwd=repository.root / "sub", home=repository.home).status == 0
    rules = repository.rules("main", cwd=repository.root / "sub")
    assert "T201" in rules
    assert "T101" not in rules


def test_nothing_is_checked_out_or_written(repository: Repository) -> None:
    repository.change(word_count=NARROWED)
    before = repository.git("status", "--porcelain=v2", "--branch")
    index = (repository.root / ".git" / "index").read_bytes()
    repository.findings("main")
    assert repository.git("status", "--porcelain=v2", "--branch") == before
    assert (repository.root / ".git" / "index").read_bytes() == index


def test_no_filter_pager_or_external_diff_of_the_repository_runs(repository: Repository) -> None:
    mark = repository.root.parent / "ran"
    program = f"touch {mark}; cat"
    for key in ("core.pager", "diff.external", "diff.toolset.textconv", "filter.evil.smudge", "core.fsmonitor"):
        repository.git("config", key, program)
    write(repository.root, {".gitattributes": "* filter=evil diff=toolset\n"})
    mark.unlink(missing_ok=True)  # git's own commands of this test may have made it
    (repository.root / "tools" / "word_count.py").write_text(NARROWED)
    assert toolc("lock", cwd=repository.project, home=repository.home).status == 0
    assert "T201" in repository.rules("main")
    assert not mark.exists()


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["nowhere"], 3, "`nowhere` is neither a path nor a revision"),
        (["nowhere:toolset.json"], 3, "there is no revision `nowhere`"),
        (["main:other.json"], 3, "there is no file `other.json` at `main`"),
        (["tools"], 3, "it is no bundle"),
        (["main"], 3, "`main` is a path and a revision too: write `./main`"),
        (["a", "b", "c"], 2, "unexpected extra argument"),
        (["--", "-x"], 3, "`-x` is neither a path nor a revision"),
        (["main..nowhere"], 3, "there is no revision `nowhere`"),
        ([""], 2, "a side that is compared is empty"),
    ],
)
def test_what_cannot_be_compared_is_told(repository: Repository, arguments: list[str], status: int, said: str) -> None:
    if arguments == ["main"]:
        (repository.root / "main").mkdir()
    done = repository.diff(*arguments)
    assert (done.status, said in done.stderr.replace("no bundle that can be read", "it is no bundle")) == (
        status,
        True,
    ), done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_a_repository_compares_files_alone(tmp_path: Path) -> None:
    project(tmp_path)
    assert toolc("build", "-q", cwd=tmp_path).status == 0
    assert toolc("diff", "toolset.json", "dist/toolset", cwd=tmp_path).stdout.startswith("nothing changed")
    alone = toolc("diff", cwd=tmp_path)
    assert alone.status == 3
    assert "in no repository" in alone.stderr


def test_without_git_files_are_still_compared(repository: Repository, tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    assert repository.diff("./toolset.json", "./dist/toolset", PATH=str(bare)).status == 0
    done = repository.diff("main", PATH=str(bare))
    assert done.status == 3
    assert "there is no `git` on the PATH" in done.stderr


def test_a_shallow_clone_is_told_to_fetch_its_history(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.change(word_count=NARROWED)
    repository.commit("narrow")
    repository.git("checkout", "-q", "main")
    repository.git("commit", "-q", "--allow-empty", "-m", "meanwhile")
    shallow = repository.root.parent / "shallow"
    origin = repository.root.as_uri()
    repository.git("clone", "-q", "--depth", "1", "--no-single-branch", "-b", "topic", origin, str(shallow))
    done = toolc("diff", cwd=shallow, home=repository.home)
    assert done.status == 3
    assert "fetch-depth: 0" in done.stderr


# ----------------------------------------------------------------------------------------------------------- the answer


def test_the_exit_status_is_of_the_worst_that_nobody_answered_for(repository: Repository) -> None:
    repository.change(word_count=WORD_COUNT.replace("Count the words", "Count all words"))
    assert repository.diff("HEAD").status == 0
    assert repository.diff("HEAD", "--fail-on", "risky").status == 1
    repository.change(word_count=NARROWED)
    assert repository.diff("HEAD").status == 1
    assert repository.diff("HEAD", "--exit-zero").status == 0
    assert repository.diff("HEAD", "--consumer", "live").status == 0
    assert repository.diff("HEAD", "HEAD").status == 0


def test_an_acknowledged_change_passes_and_another_does_not(repository: Repository) -> None:
    repository.change(word_count=NARROWED)
    blocks = "".join(
        f'[[ack]]\nfingerprint = "{finding["fingerprint"]}"\nrule = "{finding["rule"]}"\ntool = "{finding["tool"]}"\n'
        'reason = "every caller is ours"\nby = "me"\n'
        for finding in repository.findings("HEAD")["findings"]
        if "breaking" in (finding["severity"], finding["security"])
    )
    write(repository.project, {"toolset.acks.toml": blocks})
    done = repository.diff("HEAD")
    assert done.status == 0
    assert "acknowledged: every caller is ours" in done.stdout
    repository.change(word_count=NARROWED.replace("region: str", "region: int"))
    again = repository.diff("HEAD")
    assert again.status == 1
    assert "acknowledged, but found no more" in again.stdout


def test_what_a_project_says_of_a_rule_counts_and_a_mistake_in_it_stops(repository: Repository) -> None:
    repository.change(word_count=NARROWED)
    write(repository.project, {"toolc.toml": f'{CONFIG}\n[diff.severity]\nT201 = "risky"\n'})
    assert repository.diff("HEAD").status == 0
    write(repository.project, {"toolc.toml": f'{CONFIG}\n[diff.severity]\nT2001 = "risky"\n'})
    done = repository.diff("HEAD")
    assert done.status == 3
    assert "T2001" in done.stderr
    assert done.stdout == ""


def test_a_breaking_change_is_shown_with_arguments_that_break(repository: Repository) -> None:
    repository.change(word_count=NARROWED)
    [finding] = [entry for entry in repository.findings("HEAD")["findings"] if entry["rule"] == "T201"]
    lock = json.loads(repository.git("show", "HEAD:toolset.json"))
    old, new = (
        side["tools"]["word_count"]["input_schema"]
        for side in (lock, json.loads((repository.project / "toolset.json").read_text()))
    )
    jsonschema.validate(finding["witness"], old)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(finding["witness"], new)
    assert f"accepted before, refused now: {json.dumps(finding['witness'])}" in repository.diff("HEAD").stdout
    line = (repository.project / "toolset.json").read_text().splitlines()[finding["location"]["line"] - 1]
    assert '"region"' in line


def test_several_forms_at_once(repository: Repository, sarif_schema: dict[str, Any]) -> None:  # noqa: F811
    repository.change(word_count=NARROWED)
    done = repository.diff(
        "HEAD", "--format", "markdown=c.md", "--format", "sarif=s.json", "--format", "json=d.json", "--format", "github"
    )
    assert done.status == 1
    told = commands(done.stdout)
    assert told[0][0] == "error"
    assert told[0][1]["file"] == "toolset.json"
    sarif = json.loads((repository.project / "s.json").read_text())
    jsonschema.validate(sarif, sarif_schema)
    answer = json.loads((repository.project / "d.json").read_text())
    jsonschema.validate(answer, schema("diff"))
    prints = {result["partialFingerprints"]["toolcFinding/v1"] for result in sarif["runs"][0]["results"]}
    assert prints == {finding["fingerprint"] for finding in answer["findings"]}
    assert (repository.project / "c.md").read_text().startswith("<!-- toolc-diff:demo -->\n### \u274c ")


HOSTILE = (
    "Ping @octocat about #12, see ![x](https://evil.example/a.png) <img src=x onerror=alert(1)>\n"
    "```\n</details>\n# Approved by security\n````\n~~~\n| a | b |\nend with two backticks ``"
)


def test_a_comment_renders_nothing_of_a_tools_text(repository: Repository) -> None:
    repository.change(hostile=f'def hostile(text: str) -> str:\n    """{HOSTILE}"""\n    return text\n')
    comment = repository.diff("HEAD", "--format", "markdown").stdout
    outside = _outside_of_code(comment)
    for text in ("octocat", "evil.example", "onerror", "Approved by security"):
        assert text in comment, "the reviewer has to see it"
        assert text not in outside, f"{text!r} would be rendered"


def _outside_of_code(markdown: str) -> str:
    """What is left of a document without its fences and code spans, by CommonMark's rules for both."""
    left, fence = [], ""
    for line in markdown.splitlines():
        mark = re.match(r" *(`{3,})(.*)$", line)
        if fence:
            if mark and len(mark[1]) >= len(fence) and not mark[2].strip():
                fence = ""
            continue
        if mark and "`" not in mark[2]:
            fence = mark[1]
            continue
        left.append(re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", line))
    assert not fence, "a fence is left open"
    return "\n".join(left)


def test_a_comment_keeps_within_the_limit_and_all_that_breaks(repository: Repository) -> None:
    many = "\n\n".join(
        f'def tool_{n:03}(text: str) -> str:\n    """{"Say a long thing. " * 40}"""\n    return text'
        for n in range(150)
    )
    repository.change(many=many)
    repository.commit("many")
    longer = many.replace("long", "very long").replace("tool_000(text: str)", "tool_000(text: str, region: str)")
    repository.change(many=longer)
    comment = repository.diff("HEAD", "--format", "markdown").stdout
    assert len(comment) <= LIMIT
    assert "[T201]" in comment


def test_invisible_characters_are_spelled_out_in_every_form(tmp_path: Path) -> None:
    project(tmp_path)
    assert toolc("build", "-q", cwd=tmp_path).status == 0
    lock = (tmp_path / "toolset.json").read_text()
    (tmp_path / "new.json").write_text(lock.replace("Count the words", "Count\\u202e the words\\u200b"))
    for form in ("text", "markdown", "github", "sarif", "json"):
        done = toolc("diff", "./toolset.json", "./new.json", "--format", form, cwd=tmp_path)
        assert done.status == 1, "T304 is breaking"
        assert "\u202e" not in done.stdout
        assert "\u200b" not in done.stdout
    assert "\\u{202e}" in toolc("diff", "./toolset.json", "./new.json", cwd=tmp_path).stdout


def test_a_new_tool_is_shown_whole(repository: Repository) -> None:
    write(repository.project, {"tools/probe/tool.json": LOOSE_BASE, "tools/probe/run.sh": "#!/bin/sh\ncat\n"})
    repository.build()
    text = repository.diff("HEAD").stdout
    for line in ("+ Do probe.", "+ parameters: n", "+ permission: allow", "+ runs: ./run.sh"):
        assert line in text
