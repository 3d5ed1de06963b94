"""The one door: load a bundle, call its tools, and get a result whatever happens."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import toolc_runtime
from bundles import bundle, command, python, seal
from processes import kind
from toolc_runtime import ApprovalRequest, BundleError, Result, Toolset

CLOSED = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["text"],
    "additionalProperties": False,
}
FILES = {"words.py": "def words(text='', count=1):\n    return text * count\n", "echo/run.sh": "#!/bin/sh\ncat\n"}
TOOLS: Mapping[str, Mapping[str, Any]] = {
    "words": python("words", "words", schema=CLOSED),
    "echo": command("./run.sh", permission="ask", description="Say it\nback."),
    "secret": command("touch", "ran", permission="deny"),
}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A bundle of three tools: one allowed, one to ask about, one denied."""
    return bundle(tmp_path, TOOLS, FILES, lock={"subsets": {"reader": ["words"]}, "version": "1.2"})


def sha256(path: Path) -> str:
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


# ---- load


def test_a_bundle_says_what_it_is(made: Path) -> None:
    with Toolset.load(made) as tools:
        assert (tools.name, tools.version, tools.names) == ("test", "1.2", ("echo", "words"))
        assert tools.digest == sha256(made / "toolset.json")
        assert tools.bundle_digest == sha256(made / "bundle.json")
        assert (tools.builtins.policy, tools.builtins.removed, tools.builtins.overridden) == ("explicit", (), ())


def test_what_the_host_is_to_do_with_its_own_tools(tmp_path: Path) -> None:
    builtins = {"policy": "replace", "overridden": ["bash"], "removed": ["web_fetch"]}
    with Toolset.load(bundle(tmp_path, {}, lock={"builtins": builtins})) as tools:
        assert (tools.builtins.removed, tools.builtins.overridden) == (("web_fetch",), ("bash",))


def test_the_expected_bundle_loads_and_no_other(made: Path) -> None:
    Toolset.load(made, expect=sha256(made / "bundle.json"), expect_toolset=sha256(made / "toolset.json")).close()
    zeros = "sha256:" + "0" * 64
    for expect, expect_toolset in ((zeros, None), (None, zeros), ("md5:0", None)):
        with pytest.raises(BundleError) as caught:
            Toolset.load(made, expect=expect, expect_toolset=expect_toolset)
        assert caught.value.code == "TC904"
        assert sha256(made / "bundle.json") in str(caught.value) or sha256(made / "toolset.json") in str(caught.value)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        pytest.param("absent", "there is no such folder", id="absent"),
        pytest.param("file", "it is a file", id="file"),
        pytest.param("empty", "there is no `bundle.json` in it", id="empty"),
    ],
)
def test_what_is_no_bundle_is_said(path: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BundleError, match=why) as caught:
        Toolset.load(tmp_path / path)
    assert caught.value.code == "TC903"


def test_a_changed_lock_is_refused_by_its_name(made: Path) -> None:
    """A16"""
    lock = made / "toolset.json"
    lock.write_bytes(lock.read_bytes().replace(b'"deny"', b'"allow"'))
    with pytest.raises(BundleError, match=r"toolset\.json") as caught:
        Toolset.load(made)
    assert caught.value.code == "TC904"


def test_a_fifo_in_the_place_of_a_file_does_not_hang(made: Path) -> None:
    (made / "bundle.json").unlink()
    os.mkfifo(made / "bundle.json")
    with pytest.raises(BundleError):
        Toolset.load(made)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"lock_version": 2}, "its lock version is 2", id="lock-version"),
        pytest.param({"requires": ["teleport"]}, "it requires `teleport`", id="requires"),
    ],
)
def test_a_newer_lock_is_refused(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=words) as caught:
        Toolset.load(bundle(tmp_path, {}, lock=change))
    assert caught.value.code == "TC905"


@pytest.mark.parametrize(
    ("version", "code"),
    [
        pytest.param(2, "TC905", id="newer"),
        pytest.param(None, "TC904", id="none"),
        pytest.param("1", "TC904", id="text"),
    ],
)
def test_an_index_of_another_version_is_refused(version: object, code: str, made: Path) -> None:
    index = json.loads((made / "bundle.json").read_text())
    (made / "bundle.json").write_text(json.dumps({**index, "bundle_version": version}))
    with pytest.raises(BundleError) as caught:
        Toolset.load(made)
    assert caught.value.code == code


def test_an_index_too_large_to_be_one_is_not_read(made: Path) -> None:
    os.truncate(made / "bundle.json", 1 << 40)
    with pytest.raises(BundleError, match="larger than 64 MiB"):
        Toolset.load(made)


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        pytest.param(("execution", "sandbox"), "none", "TC905", id="unknown-key-of-execution"),
        pytest.param(("execution", "kind"), "wasm", "TC905", id="unknown-kind"),
        pytest.param(("execution", "background"), "maybe", "TC905", id="unknown-background"),
        pytest.param(("execution", "timeout_s"), 0, "TC904", id="no-time"),
        pytest.param(("execution", "timeout_s"), 1e300, "TC904", id="no-end"),
        pytest.param(("execution", "argv"), [], "TC904", id="no-program"),
        pytest.param(("origin", "layer"), "../../etc", "TC904", id="a-path-that-leaves"),
        pytest.param(("sources",), ["tools/team/unlisted"], "TC904", id="a-source-without-digest"),
        pytest.param(("future",), {"anything": 1}, None, id="unknown-key-elsewhere"),
    ],
)
def test_a_lock_is_read_strictly_where_a_guess_could_run_something(
    pointer: tuple[str, ...], value: Any, code: str | None, made: Path
) -> None:
    lock = json.loads((made / "toolset.json").read_text())
    target = lock["tools"]["echo"]
    for key in pointer[:-1]:
        target = target[key]
    target[pointer[-1]] = value
    (made / "toolset.json").write_text(json.dumps(lock))
    seal(made)
    if code is None:
        Toolset.load(made).close()
        return
    with pytest.raises(BundleError) as caught:
        Toolset.load(made)
    assert caught.value.code == code
    assert "`echo`" in str(caught.value)


def test_a_conversion_that_is_not_known_is_not_left_out(made: Path) -> None:
    lock = json.loads((made / "toolset.json").read_text())
    lock["tools"]["words"]["execution"]["conversions"] = {"/properties/text": "teapot"}
    (made / "toolset.json").write_text(json.dumps(lock))
    seal(made)
    with pytest.raises(BundleError, match="`words` converts its argument `/properties/text`") as caught:
        Toolset.load(made)
    assert caught.value.code == "TC905"


@pytest.mark.parametrize("level", ["Allow", "ALLOW ", "yes", ""])
def test_an_unknown_permission_is_a_denial(level: str, made: Path) -> None:
    """A39"""
    lock = json.loads((made / "toolset.json").read_text())
    lock["tools"]["echo"]["permission"] = level
    (made / "toolset.json").write_text(json.dumps(lock))
    seal(made)
    with Toolset.load(made, approve=lambda _: True) as tools:
        assert kind(tools.call("echo")) == "denied"


# ---- find and deny


@pytest.mark.parametrize("name", ["wrods", "Words", "word"])
def test_an_unknown_name_gets_a_suggestion(name: str, made: Path) -> None:
    with Toolset.load(made) as tools:
        result = tools.call(name)
    assert kind(result) == "unknown-tool"
    assert str(result) == f"there is no tool `{name}`; did you mean `words`?"


def test_a_name_of_any_length_is_answered(made: Path) -> None:
    """A40"""
    with Toolset.load(made) as tools:
        for _ in range(100):
            assert len(str(tools.call("x" * 100_000))) < 200


def test_a_denied_tool_is_never_run_nor_offered(made: Path) -> None:
    """A40, R52"""
    with Toolset.load(made, approve=lambda _: True) as tools:
        result = tools.call("secret", {"anything": 1})
        assert "secret" not in tools.names
    assert (kind(result), result.output) == ("denied", "")
    assert not (made / "tools/team/secret/ran").exists()


# ---- validate and convert


def test_every_problem_of_the_arguments_is_told(made: Path) -> None:
    with Toolset.load(made) as tools:
        result = tools.call("words", {"count": "many", "texts": "a"})
    assert kind(result) == "invalid-arguments"
    assert result.error is not None
    assert {problem.path for problem in result.error.problems} >= {("count",)}
    assert len(result.error.problems) == 3
    assert str(result).count("\n- ") == 3
    assert "text" in str(result)


@pytest.mark.parametrize(
    "given", [{"text": "ab", "count": 2}, {"text": "ab", "count": "2"}, '{"text": "ab", "count": 2.0}']
)
def test_what_can_be_converted_without_loss_is(given: Any, made: Path) -> None:
    with Toolset.load(made) as tools:
        assert tools.call("words", given).output == "abab"


@pytest.mark.parametrize(
    "given",
    ["{", '{"text": NaN}', '{"text": "a", "text": "b"}', "[]", "[" * 100_000, '{"text": "\\ud800"}', {"text": {1}}, 5],
    ids=["broken", "nan", "twice", "list", "deep", "surrogate", "set", "number"],
)
def test_arguments_that_are_no_object_of_json_are_refused(given: Any, made: Path) -> None:
    """A41"""
    with Toolset.load(made, approve=lambda _: True) as tools:
        assert kind(tools.call("words", given)) == "invalid-arguments"
        assert kind(tools.call("echo", given)) == "invalid-arguments"


def test_extras_reach_a_command_whose_schema_is_open(made: Path) -> None:
    with Toolset.load(made, approve=lambda _: True) as tools:
        assert tools.call("echo", {"b": 1, "a": [True]}).output == '{"b":1,"a":[true]}\n'
        assert tools.call("echo").output == "{}\n"


# ---- approve


def test_without_an_approver_the_model_is_told_what_to_say(made: Path) -> None:
    with Toolset.load(made) as tools:
        result = tools.call("echo")
    assert kind(result) == "not-approved"
    assert "tell the user" in str(result)


def test_the_approver_sees_what_will_run(made: Path) -> None:
    seen: list[ApprovalRequest] = []

    def approve(request: ApprovalRequest) -> bool:
        seen.append(request)
        return True

    with Toolset.load(made, approve=approve) as tools:
        assert tools.call("echo", '{"a": 1}', call_id="call-7").ok
        assert tools.call("words", {"text": "a"}).ok
    (request,) = seen
    assert (request.tool, request.arguments, request.description) == ("echo", {"a": 1}, "Say it\nback.")
    assert request.call_id == "call-7"
    assert request.digest.startswith("sha256:")


def test_what_was_approved_is_what_runs(made: Path) -> None:
    given: dict[str, Any] = {"a": [1]}

    def approve(request: ApprovalRequest) -> bool:
        request.arguments["a"].append(2)  # type: ignore[union-attr]  # it is a list
        given["a"].append(3)
        return True

    for name in ("echo", "asked"):
        tools_ = {"echo": TOOLS["echo"], "asked": python("probe", "probe", permission="ask")}
        files = FILES | {"probe.py": "def probe(a):\n    return {'a': a}\n"}
        with Toolset.load(bundle(made.parent / name, tools_, files), approve=approve) as tools:
            given["a"] = [1]
            assert "".join(tools.call(name, given).output.split()) == '{"a":[1]}'


@pytest.mark.parametrize("answer", [False, None, "yes", 1])
def test_only_true_is_a_yes(answer: Any, made: Path) -> None:
    with Toolset.load(made, approve=lambda _: answer) as tools:
        result = tools.call("echo")
    assert kind(result) == "not-approved"
    assert "was not approved" in str(result)


def test_the_approver_of_a_call_stands_in_for_the_toolsets(made: Path) -> None:
    with Toolset.load(made, approve=lambda _: False) as tools:
        assert tools.call("echo", approve=lambda _: True).ok
    with Toolset.load(made, approve=lambda _: True) as tools:
        assert kind(tools.call("echo", approve=lambda _: False)) == "not-approved"


def test_bad_arguments_are_not_asked_about(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"words": python("words", "words", schema=CLOSED, permission="ask")}, FILES)
    asked: list[str] = []

    def approve(request: ApprovalRequest) -> bool:
        asked.append(request.tool)
        return True

    with Toolset.load(made, approve=approve) as tools:
        assert kind(tools.call("words", {"text": 5})) == "invalid-arguments"
    assert asked == []


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_an_approver_under_asyncio(asynchronous: bool, made: Path) -> None:
    async def approve(request: ApprovalRequest) -> bool:
        await asyncio.sleep(0)
        return request.tool == "echo"

    async def main() -> Result:
        with Toolset.load(made, approve=approve if asynchronous else lambda request: request.tool == "echo") as tools:
            return await tools.acall("echo", {"a": 1})

    assert asyncio.run(main()).output == '{"a":1}\n'


def test_an_async_approver_needs_acall(made: Path) -> None:
    async def approve(_: ApprovalRequest) -> bool:
        return True

    with Toolset.load(made, approve=approve) as tools, pytest.raises(TypeError, match="acall"):
        tools.call("echo")


def test_an_approver_that_answers_later_needs_acall(made: Path) -> None:
    class Later:
        def __await__(self) -> Any:
            yield

    with Toolset.load(made, approve=lambda _: Later()) as tools, pytest.raises(TypeError, match="acall"):
        tools.call("echo")


def test_a_tools_digest_changes_with_its_text_and_with_its_code(tmp_path: Path) -> None:
    """A34"""

    seen: list[str] = []

    def approve(request: ApprovalRequest) -> bool:
        seen.append(request.digest)
        return False

    def digest(number: int, description: str, script: str) -> str:
        tool = command("./run.sh", permission="ask", description=description)
        with Toolset.load(bundle(tmp_path / str(number), {"echo": tool}, {"echo/run.sh": script})) as tools:
            tools.call("echo", approve=approve)
        return seen[-1]

    plain = digest(1, "Echo.", FILES["echo/run.sh"])
    assert digest(2, "Echo.", FILES["echo/run.sh"]) == plain
    assert len({plain, digest(3, "Echo!", FILES["echo/run.sh"]), digest(4, "Echo.", "#!/bin/sh\ncat -A\n")}) == 3


# ---- verify


@pytest.mark.parametrize("change", ["flip", "remove"])
@pytest.mark.parametrize(("name", "path"), [("words", "tools/team/words.py"), ("echo", "tools/team/echo/run.sh")])
def test_a_changed_source_is_refused_by_its_name(name: str, path: str, change: str, made: Path) -> None:
    """A16"""
    with Toolset.load(made, approve=lambda _: True) as tools:
        if change == "flip":
            data = bytearray((made / path).read_bytes())
            data[3] ^= 1
            (made / path).write_bytes(data)
        else:
            (made / path).unlink()
        result = tools.call(name, {"text": "a"})
    assert (kind(result), result.output) == ("corrupt", "")
    assert path in str(result)


def test_a_fifo_in_the_place_of_a_source_does_not_hang(made: Path) -> None:
    (made / "tools/team/words.py").unlink()
    os.mkfifo(made / "tools/team/words.py")
    with Toolset.load(made) as tools:
        assert kind(tools.call("words", {"text": "a"})) == "corrupt"


def test_another_tools_change_is_no_matter(made: Path) -> None:
    (made / "tools/team/words.py").write_text("")
    with Toolset.load(made, approve=lambda _: True) as tools:
        assert tools.call("echo").ok


def test_a_bundle_that_was_replaced_is_refused_until_it_is_reloaded(made: Path, tmp_path: Path) -> None:
    """A18"""
    with Toolset.load(made, approve=lambda _: True) as tools:
        assert tools.call("echo").output == "{}\n"
        assert tools.call("words", {"text": "a"}).output == "a"
        other = bundle(tmp_path / "other", TOOLS, {**FILES, "echo/run.sh": "#!/bin/sh\necho new\n"})
        made.rename(tmp_path / "old")
        other.rename(made)
        for name, arguments in (("echo", {}), ("words", {"text": "a"})):
            result = tools.call(name, arguments)
            assert kind(result) == "corrupt"
            assert "rebuilt since it was loaded" in str(result)
        with pytest.raises(BundleError, match="rebuilt"):
            tools.definitions("openai")
        tools.reload()
        assert tools.call("echo").output == "new\n"


def test_a_bundle_that_went_away_is_not_called_rebuilt(made: Path) -> None:
    with Toolset.load(made) as tools:
        made.rename(made.with_name("elsewhere"))
        result = tools.call("words", {"text": "a"})
    assert (kind(result), "is not where it was loaded from" in str(result)) == ("corrupt", True)


def test_a_bundle_that_was_rebuilt_with_the_same_bytes_goes_on(made: Path, tmp_path: Path) -> None:
    with Toolset.load(made, approve=lambda _: True) as tools:
        assert tools.call("echo").ok
        shutil.copytree(made, tmp_path / "copy")
        shutil.rmtree(made)
        assert kind(tools.call("echo")) == "corrupt"
        (tmp_path / "copy").rename(made)
        assert tools.call("echo").ok


def test_reload_keeps_its_expectations(made: Path, tmp_path: Path) -> None:
    with Toolset.load(made, expect=sha256(made / "bundle.json")) as tools:
        shutil.rmtree(made)
        bundle(tmp_path, TOOLS, {**FILES, "echo/more": "x"})
        with pytest.raises(BundleError):
            tools.reload()


def test_reload_lets_what_runs_come_to_its_end(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"slow": command("sh", "-c", "sleep 0.5; echo done")})
    results: list[Result] = []
    with Toolset.load(made) as tools:
        thread = threading.Thread(target=lambda: results.append(tools.call("slow")))
        thread.start()
        while not list(Path("/proc/self/task").glob("*/children")):
            pass
        tools.reload()
        thread.join()
        assert tools.call("slow").output == "done\n"
    assert kind(results[0]) in (None, "unavailable")


def test_a_link_that_is_switched_does_not_mix_two_bundles(made: Path, tmp_path: Path) -> None:
    other = bundle(tmp_path / "other", {"echo": command("echo", "other")})
    current = tmp_path / "current"
    current.symlink_to(made)
    with Toolset.load(current, approve=lambda _: True) as tools:
        current.unlink()
        current.symlink_to(other)
        assert tools.call("echo").output == "{}\n"
        tools.reload()
        assert tools.call("echo").output == "other\n"


# ---- views and definitions


def test_definitions_come_from_the_bundle(made: Path) -> None:
    with Toolset.load(made) as tools:
        assert tools.definitions("openai") == [{"name": "echo"}, {"name": "secret"}, {"name": "words"}]
        assert tools.subset("reader").definitions("openai") == [{"name": "words"}]
        with pytest.raises(ValueError, match="it has openai"):
            tools.definitions("cobol")


def test_changed_definitions_are_refused(made: Path) -> None:
    with Toolset.load(made) as tools:
        (made / "definitions/openai.json").write_text("[]")
        with pytest.raises(BundleError, match=r"definitions/openai\.json"):
            tools.definitions("openai")


def test_other_names_are_unknown_in_a_subset(made: Path) -> None:
    with Toolset.load(made, approve=lambda _: True) as tools:
        reader = tools.subset("reader")
        assert reader.names == ("words",)
        assert reader.call("words", {"text": "a"}).ok
        assert kind(reader.call("echo")) == "unknown-tool"
        assert kind(reader.call("secret")) == "unknown-tool"
        with pytest.raises(ValueError, match="reader"):
            tools.subset("writer")
        reader.close()
        assert tools.call("words", {"text": "a"}).ok


# ---- events


def test_each_call_is_told_of_without_its_values(made: Path) -> None:
    events: list[dict[str, Any]] = []
    with Toolset.load(made, on_event=events.append) as tools:
        tools.call("words", {"text": "hush"}, call_id="1")
        tools.call("echo", {"text": "hush"}, call_id="2")
        tools.call("secret", {"text": "hush"}, call_id="3")
        tools.call("words", {"text": 5}, call_id="4")
    assert [(event["event"], event["tool"], event["call_id"], event.get("kind")) for event in events] == [
        ("start", "words", "1", None),
        ("end", "words", "1", None),
        ("denied", "echo", "2", "not-approved"),
        ("denied", "secret", "3", "denied"),
        ("end", "words", "4", "invalid-arguments"),
    ]
    assert "hush" not in json.dumps(events)


# ---- the host's own mistakes


def test_the_mistakes_of_a_host_are_exceptions(made: Path) -> None:
    with pytest.raises(ValueError, match="mode"):
        Toolset.load(made, mode="fast")
    tools = Toolset.load(made)
    for timeout_s in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="timeout_s"):
            tools.call("words", {"text": "a"}, timeout_s=timeout_s)
    for call_id in ("a\0b", "x" * 2000, 5):
        with pytest.raises(ValueError, match="call_id"):
            tools.call("words", {"text": "a"}, call_id=call_id)  # type: ignore[arg-type]
    tools.close()
    with pytest.raises(RuntimeError, match="closed"):
        tools.call("words")


@pytest.mark.parametrize("name", [None, 3, ["words"], {}])
def test_a_name_that_is_no_string_is_an_answer_too(name: Any, made: Path) -> None:
    with Toolset.load(made) as tools:
        assert kind(tools.call(name)) == "unknown-tool"


def test_any_name_for_a_call_will_do(made: Path) -> None:
    with Toolset.load(made, approve=lambda _: True) as tools:
        for call_id in ("é", "\ud800", "", "toolu_01 $(x)"):
            assert tools.call("words", {"text": "a"}, call_id=call_id).ok
            assert tools.call("echo", call_id=call_id).ok


def test_a_tool_with_dependencies_is_unavailable_until_they_are_installed(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"words": python("words", "words", environment="default")}, FILES)
    with Toolset.load(made) as tools:
        result = tools.call("words")
    assert kind(result) == "unavailable"
    assert "toolc install" in str(result)


def test_the_public_names_are_there() -> None:
    for name in toolc_runtime.__all__:
        assert getattr(toolc_runtime, name) is getattr(toolc_runtime, name)
        assert name in dir(toolc_runtime)
    with pytest.raises(AttributeError):
        toolc_runtime.nothing  # noqa: B018  (the access is the test)
