"""Rules T701 to T713: environments, packages and their hashes, each in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from diffing import digest, one, said, side, verdicts
from toolc.diff import compare, requirements
from toolc.diff.packages import is_major
from toolc.model import Environment, Toolset

PATH = "requirements/default.txt"
A, B, C = (letter * 64 for letter in "abc")


def locked(packages: Mapping[str, str], *, python: str = ">=3.11", path: str = PATH, content: str = "") -> Toolset:
    """A toolset with one environment, whose file of requirements holds `content`."""
    plain = one(environment="default")
    environment = Environment(requires_python=python, requirements=path, packages=packages)
    return replace(plain, python={"default": environment}, files={**plain.files, path: digest(content)})


HTTPX = {"httpx": "0.28.1"}


@pytest.mark.parametrize(
    ("old", "new", "there", "back"),
    [
        pytest.param(
            locked({"httpx": "1.2.3"}),
            locked({"httpx": "1.3"}),
            ["T701 info/info/info"],
            ["T702 info/risky/risky"],
            id="a minor version",
        ),
        pytest.param(
            locked({"httpx": "1.2.3"}),
            locked({"httpx": "2.0"}),
            ["T702 info/risky/risky"],
            ["T702 info/risky/risky"],
            id="a major version",
        ),
        pytest.param(
            locked(HTTPX),
            locked({**HTTPX, "idna": "3.10"}),
            ["T703 info/info/risky"],
            ["T703 info/info/info"],
            id="a package",
        ),
        pytest.param(
            locked(HTTPX, python=">=3.11"),
            locked(HTTPX, python=">=3.12"),
            ["T707 info/breaking/info"],
            ["T707 info/info/info"],
            id="a higher Python",
        ),
        pytest.param(
            locked(HTTPX, python=">=3.11"),
            locked(HTTPX, python=">=3.11,<3.13"),
            ["T707 info/risky/info"],
            ["T707 info/risky/info"],
            id="a Python that cannot be compared",
        ),
        pytest.param(
            locked(HTTPX),
            locked(HTTPX, path="requirements/other.txt"),
            ["T712 info/info/info"],
            ["T712 info/info/info"],
            id="a file that moved",
        ),
        pytest.param(
            one(),
            replace(locked(HTTPX), tools=one().tools),
            ["T710 info/risky/risky"],
            ["T711 info/info/info"],
            id="an environment",
        ),
        pytest.param(
            locked(HTTPX),
            locked(HTTPX, content="more"),
            ["T704 info/risky/risky"],
            ["T704 info/risky/risky"],
            id="other requirements of the same versions, not at hand",
        ),
        pytest.param(
            locked({"httpx": "1.2"}),
            locked({"httpx": "1.3"}, content="more"),
            ["T701 info/info/info", "T713 info/info/risky"],
            ["T702 info/risky/risky", "T713 info/info/risky"],
            id="other requirements of other versions, not at hand",
        ),
    ],
)
def test_a_change_of_packages_and_its_reverse_are_judged(
    old: Toolset, new: Toolset, there: list[str], back: list[str]
) -> None:
    assert verdicts(old, new) == there
    assert verdicts(new, old) == back


def pinned(*hashes: str, version: str = "0.28.1", more: str = "") -> str:
    lines = [f"httpx=={version}", *(f"    --hash=sha256:{each}" for each in hashes)]
    return " \\\n".join(lines) + f"\n{more}"


@pytest.mark.parametrize(
    ("old", "new", "there", "back"),
    [
        pytest.param(
            pinned(A), pinned(B), ["T704 info/risky/breaking"], ["T704 info/risky/breaking"], id="another artifact"
        ),
        pytest.param(pinned(A), pinned(A, B), ["T704 info/info/info"], ["T704 info/risky/risky"], id="one more build"),
        pytest.param(
            pinned(A, B), pinned(B, C), ["T704 info/risky/breaking"], ["T704 info/risky/breaking"], id="one exchanged"
        ),
        pytest.param(
            pinned(A), pinned(), ["T709 info/breaking/breaking"], ["T704 info/info/info"], id="no hashes at all"
        ),
        pytest.param(
            pinned(A),
            pinned(A, more="# by hand\n"),
            ["T713 info/info/info"],
            ["T713 info/info/info"],
            id="a comment",
        ),
    ],
)
def test_the_hashes_of_files_at_hand_are_compared(old: str, new: str, there: list[str], back: list[str]) -> None:
    before, after = (side(locked(HTTPX, content=text), files={PATH: text}) for text in (old, new))
    assert sorted(said(finding) for finding in compare(before, after).findings) == there
    assert sorted(said(finding) for finding in compare(after, before).findings) == back


def test_a_package_that_stays_is_compared_while_another_is_upgraded() -> None:
    texts = [pinned(A, more="idna==3.9\n"), pinned(B, more="idna==3.10\n")]
    before, after = (
        side(locked({**HTTPX, "idna": version}, content=text), files={PATH: text})
        for version, text in zip(("3.9", "3.10"), texts, strict=True)
    )
    found = sorted(said(finding) for finding in compare(before, after).findings)
    assert found == ["T701 info/info/info", "T704 info/risky/breaking"]


@pytest.mark.parametrize(
    ("old", "new", "major"),
    [
        pytest.param("1.2.3", "1.2.4", False, id="patch"),
        pytest.param("1.9", "1.10", False, id="numbers, not letters"),
        pytest.param("1.2", "1.2.0", False, id="closing zeros"),
        pytest.param("1.2", "2.0", True, id="major"),
        pytest.param("0.27", "0.28", True, id="before 1.0 the second part leads"),
        pytest.param("0.27.1", "0.27.2", False, id="before 1.0, a patch"),
        pytest.param("1.0rc1", "1.0", False, id="released"),
        pytest.param("1.0", "1.0rc1", True, id="back to a candidate"),
        pytest.param("1.0.dev3", "1.0", False, id="a snapshot released"),
        pytest.param("1.0", "1.0.post1", False, id="a post-release"),
        pytest.param("1.3", "1!1.2", True, id="another epoch"),
        pytest.param("1.0", "main", True, id="no number"),
    ],
)
def test_a_version_is_major_or_not(old: str, new: str, major: bool) -> None:
    assert is_major(old, new) is major


@pytest.mark.parametrize(
    ("text", "hashes"),
    [
        pytest.param(
            f"Foo_Bar.baz==1 --hash=sha256:{A}", {"foo-bar-baz": {f"sha256:{A}"}}, id="its name as indexes have it"
        ),
        pytest.param(
            f"a==1 \\\n  --hash=sha256:{A} \\\n  --hash=sha256:{B}\n",
            {"a": {f"sha256:{A}", f"sha256:{B}"}},
            id="over lines",
        ),
        pytest.param(f"a==1 # --hash=sha256:{A}\n", {"a": set()}, id="a hash in a comment"),
        pytest.param(
            f"--index-url https://example.org\n# a\n\na==1 ; python_version < '4' --hash=sha256:{A}\n",
            {"a": {f"sha256:{A}"}},
            id="options and markers",
        ),
    ],
)
def test_requirements_are_read(text: str, hashes: dict[str, set[str]]) -> None:
    found = requirements.hashes(text.encode(), digest(text)) or {}
    assert {name: set(each) for name, each in found.items()} == hashes


def test_requirements_that_are_not_the_locks_are_not_believed() -> None:
    assert requirements.hashes(b"a==1\n", digest("a==2\n")) is None
    assert requirements.hashes(None, digest("a==2\n")) is None
    assert requirements.hashes(b"\xff", digest(b"\xff")) is None
