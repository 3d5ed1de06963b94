"""The rules of the lock's format, each by its name: how it is spelled (L), and how versions meet (V).

The round trip, the laws and the long table of what is refused are in `test_lock`; here every rule has its test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from projects import Cli, project, write
from test_lock import ACME, ACME_LOCK, SEARCH, edited, set_in
from toolc import codes, lock
from toolc.lock.read import KNOWN_FEATURES
from toolc.model import Digest, Toolset
from toolc.resources import schema
from toolc.scaffold import scaffold


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line in a fresh project, with an empty home."""
    monkeypatch.chdir(project(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    return Cli(capture=capsys)


def spelled(toolset: Toolset) -> str:
    return lock.encode(toolset).decode()


def with_tool(**fields: Any) -> Toolset:
    return replace(ACME, tools={**ACME.tools, "search": replace(SEARCH, **fields)})


def read_back(toolset: Toolset, name: str = "search") -> dict[str, Any]:
    tool: dict[str, Any] = json.loads(spelled(toolset))["tools"][name]
    return tool


# --------------------------------------------------------------------------------------------------------- spelling


def l1_bytes() -> None:
    data = lock.encode(with_tool(description="Größe in µm: 你好"))
    assert data.decode("utf-8").count("Größe in µm: 你好") == 1
    assert data == (json.dumps(json.loads(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
    assert not data.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in data
    assert data.endswith(b"}\n") and not data.endswith(b"\n\n")


def l2_order_of_keys() -> None:
    keys = [*json.loads(spelled(ACME))]
    assert keys[0] == "lock_version"
    assert keys[-1] == "files"
    named = {
        name: Digest(sha256="0" * 64) for name in ("tools/local/\uffee", "tools/local/\U00010000", "tools/local/Z")
    }
    files = [*json.loads(spelled(replace(ACME, files={**ACME.files, **named})))["files"]]
    assert files == sorted(files)
    assert files.index("tools/local/\uffee") < files.index("tools/local/\U00010000"), "by code point, not by UTF-16"


def l3_order_of_what_the_model_sees() -> None:
    written = {
        "type": ["string", "null"],
        "properties": {"z": {"enum": ["b", "a"]}, "a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "required": ["z", "a"],
        "$defs": {"z": {}, "a": {}},
    }
    found = read_back(with_tool(input_schema=written))["input_schema"]
    assert json.dumps(found) == json.dumps({**written, "$defs": {"a": {}, "z": {}}})
    assert read_back(with_tool(env=("Z", "A"), sources=("tools/local/search.py",)))["execution"]["env"] == ["A", "Z"]


def l4_numbers() -> None:
    numbers = {"a": 1.0, "b": 2**63, "c": 9007199254740993, "d": 0.1, "e": 1e300, "f": -0.0}
    text = spelled(with_tool(input_schema={"type": "object", "default": numbers}))
    for line in ('"a": 1,', '"b": 9223372036854775808,', '"c": 9007199254740993,', '"d": 0.1,'):
        assert line in text
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON compliant"):
            lock.encode(with_tool(input_schema={"default": number}))


def l5_what_cannot_be_seen() -> None:
    hidden = "Format JSON.\U000e0072\U000e006d\u202e"
    toolset = with_tool(description=hidden)
    assert '"Format JSON.\\udb40\\udc72\\udb40\\udc6d\\u202e"' in spelled(toolset)
    assert lock.decode(lock.encode(toolset)).tools["search"].description == hidden


def l6_descriptions_are_lines() -> None:
    for text, lines in (("One.", ["One."]), ("", [""]), ("a\n\nb", ["a", "", "b"])):
        assert read_back(with_tool(description=text))["description"] == lines
    inner = {"type": "object", "properties": {"a": {"type": "string", "description": "x\ny"}}}
    found = read_back(with_tool(input_schema=inner))["input_schema"]
    jsonschema.Draft202012Validator.check_schema(found)
    assert found == inner


def l7_a_fact_a_line() -> None:
    def leaves(value: Any) -> int:
        if isinstance(value, dict | list) and value:
            return sum(leaves(item) for item in (value.values() if isinstance(value, dict) else value)) + 2
        return 1

    assert spelled(ACME).count("\n") == leaves(json.loads(spelled(ACME)))
    assert not any("{" in line and "}" in line.replace("{}", "") for line in spelled(ACME).split("\n"))


def l8_strict_reading() -> None:
    spoiled = {
        codes.LOCK_NOT_JSON: [
            ACME_LOCK.replace('"host": "aru"', '"host": "aru",\n  "host": "none"'),
            ACME_LOCK.replace("Lint.", "\\ud800"),
        ],
        codes.LOCK_CONFLICT: [ACME_LOCK.replace('  "host"', '<<<<<<< HEAD\n  "host"')],
        codes.LOCK_NOT_CANONICAL: [ACME_LOCK.replace("  ", "\t"), ACME_LOCK + " "],
        codes.LOCK_CARRIAGE_RETURNS: [ACME_LOCK.replace("\n", "\r\n")],
    }
    hints = {codes.LOCK_CONFLICT: "`toolc lock --resolve`", codes.LOCK_CARRIAGE_RETURNS: "`toolset.json text eol=lf`"}
    for code, texts in spoiled.items():
        for text in texts:
            with pytest.raises(lock.LockError) as raised:
                lock.decode(text.encode())
            assert raised.value.code == code.id
            assert hints.get(code, "") in str(raised.value)


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(rule, id=f"{rule.__name__[:2].upper()}-{rule.__name__[3:].replace('_', '-')}")
        for rule in (
            l1_bytes,
            l2_order_of_keys,
            l3_order_of_what_the_model_sees,
            l4_numbers,
            l5_what_cannot_be_seen,
            l6_descriptions_are_lines,
            l7_a_fact_a_line,
            l8_strict_reading,
        )
    ],
)
def test_a_lock_is_spelled_in_the_one_way_there_is(rule: Callable[[], None]) -> None:
    rule()


def test_l9_init_tells_git_how_a_lock_is_kept(tmp_path: Path) -> None:
    scaffold(tmp_path, "none")
    lines = (tmp_path / ".gitattributes").read_text().splitlines()
    assert "toolset.json text eol=lf -linguist-generated" in lines
    assert not any(word in line for line in lines for word in ("merge=ours", "merge=union", "-diff"))


def test_l10_writing_what_is_there_already_touches_nothing(cli: Cli, tmp_path: Path) -> None:
    assert cli("lock").status == 0
    path = tmp_path / "toolset.json"
    os.utime(path, ns=(1, 1))
    before = path.stat()
    for command in (["lock"], ["lock", "--check"], ["lock", "--resolve"], ["build"], ["build", "--locked"]):
        assert cli(*command).status == 0
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


# --------------------------------------------------------------------------------------------------------- versions

NEWER: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "V1-a-greater-version": (set_in("lock_version", to=lock.LOCK_VERSION + 1), codes.LOCK_TOO_NEW.id),
    "V2-a-feature": (set_in("requires", to=["pylock"]), codes.LOCK_REQUIRES_MORE.id),
    "V3-a-key-of-execution": (set_in("tools", "search", "execution", "sandbox", to=True), codes.LOCK_UNKNOWN_FACT.id),
}


@pytest.mark.parametrize(("edit", "code"), NEWER.values(), ids=NEWER)
def test_what_a_newer_toolc_wrote_and_this_one_would_misread_is_refused(
    cli: Cli, tmp_path: Path, edit: Callable[[dict[str, Any]], object], code: str
) -> None:
    write(tmp_path, {"toolset.json": edited(edit).decode()})
    for command in (["list", "toolset.json"], ["lock"], ["lock", "--check"], ["build"]):
        answer = cli(*command)
        assert (answer.status, f"error[{code}]" in answer.err) == (3, True), command
        assert "toolc" in answer.err.split(";")[-1], "it says which toolc reads it"
    assert (tmp_path / "toolset.json").read_bytes() == edited(edit), "V4: nothing is written over it"


def test_v3_unknown_keys_elsewhere_are_passed_over() -> None:
    assert lock.decode(edited(set_in("tools", "search", "deprecated", to=True))) == ACME


def test_v4_a_lock_with_keys_of_a_newer_toolc_is_not_written_over(cli: Cli, tmp_path: Path) -> None:
    assert cli("lock").status == 0
    newer = json.loads((tmp_path / "toolset.json").read_bytes())
    newer["provenance"] = {"builder": 1}
    text = lock.write.spell(newer)
    write(
        tmp_path, {"toolset.json": text, "tools/other.py": 'def other(a: str) -> str:\n    """Do."""\n    return a\n'}
    )
    for command in (["lock"], ["build"]):
        answer = cli(*command)
        assert (answer.status, "`/provenance`" in answer.err) == (3, True)
    assert (tmp_path / "toolset.json").read_text() == text


def test_v4_a_merge_drops_no_keys_of_a_newer_toolc() -> None:
    newer = edited(set_in("provenance", to=1))
    for versions in ((newer, lock.encode(ACME)), (lock.encode(ACME), newer)):
        with pytest.raises(lock.ForeignKeys):
            lock.merge(lock.encode(ACME), *versions)


def test_v5_a_lock_is_written_in_the_version_it_has() -> None:
    """There is one version so far: what is read is what is written."""
    assert json.loads(lock.encode(lock.decode(ACME_LOCK.encode())))["lock_version"] == 1 == lock.LOCK_VERSION


def test_v6_the_runtime_of_a_bundle_reads_the_locks_that_the_compiler_writes() -> None:
    from toolc_runtime import lockfile

    assert lock.LOCK_VERSION in range(1, lockfile.LOCK_VERSION + 1)
    assert lockfile.LOCK_VERSION - lock.LOCK_VERSION <= 1
    assert not KNOWN_FEATURES


def test_v7_the_schema_of_a_lock_is_printed_and_accepts_it(cli: Cli) -> None:
    printed = cli("schema", "toolset").json
    assert printed == schema("toolset")
    validator = jsonschema.Draft202012Validator(printed)
    assert validator.is_valid(json.loads(ACME_LOCK))
    spoiled = json.loads(ACME_LOCK)
    del spoiled["tools"]["run-linter"]["permission"]
    assert not validator.is_valid(spoiled)
