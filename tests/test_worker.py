"""Python tools run in warm processes of their own, which can be ended, and which nothing of a tool outlasts."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bundles import bundle, python
from processes import descriptors, gone, kind, running, zombies
from toolc.model import Argument
from toolc_runtime import Result, Toolset

MODES = pytest.mark.parametrize("mode", ["worker", "inprocess"])


@contextmanager
def loaded(tmp_path: Path, source: str, *names: str, mode: str | None = None, **facts: Any) -> Iterator[Toolset]:
    """A toolset of the functions `names` of a file `probe.py`."""
    tools = {name: python("probe", name, **facts) for name in names}
    with Toolset.load(bundle(tmp_path, tools, {"probe.py": source}), mode=mode) as toolset:
        yield toolset


def call(tmp_path: Path, source: str, arguments: Mapping[str, Any] | None = None, **facts: Any) -> Result:
    """Call the function `probe` once."""
    with loaded(tmp_path, source, "probe", **facts) as tools:
        return tools.call("probe", arguments)


# ---- what comes back


@MODES
@pytest.mark.parametrize(
    ("body", "output", "value"),
    [
        pytest.param("return 'two words'", "two words", "two words", id="text"),
        pytest.param("return None", "", None, id="none"),
        pytest.param("return 3", "3", 3, id="integer"),
        pytest.param("return True", "True", True, id="boolean"),
        pytest.param("return float('nan')", "nan", "nan", id="nan"),
        pytest.param("return {(1,): float('-inf')}", '{"(1,)": "-inf"}', {"(1,)": "-inf"}, id="inner-infinity"),
        pytest.param("return {'é': (2, None)}", '{"é": [2, null]}', {"é": [2, None]}, id="mapping"),
        pytest.param("return {2, 1}", "[1, 2]", [1, 2], id="set"),
        pytest.param("return dataclasses.make_dataclass('D', ['x'])(1)", '{"x": 1}', {"x": 1}, id="dataclass"),
        pytest.param("return collections.namedtuple('N', 'x')(1)", '{"x": 1}', {"x": 1}, id="namedtuple"),
        pytest.param("return types.MappingProxyType({1: 2})", '{"1": 2}', {"1": 2}, id="any-mapping"),
        pytest.param("return [datetime.date(2024, 5, 6)]", '["2024-05-06"]', ["2024-05-06"], id="inner-date"),
        pytest.param("return pathlib.PurePosixPath('a/b')", "a/b", "a/b", id="anything-else"),
        pytest.param("return Model()", '{"mode": "json"}', {"mode": "json"}, id="model"),
    ],
)
def test_a_returned_value_becomes_text_and_stays_a_value(
    body: str, output: str, value: Any, mode: str, tmp_path: Path
) -> None:
    source = """
import collections, dataclasses, datetime, pathlib, types
class Model:
    def model_dump(self, mode, by_alias):
        return {"mode": mode}
def probe():
"""
    result = call(tmp_path, f"{source}    {body}\n", mode=mode)
    assert (result.ok, result.output, result.value) == (True, output, value)


@MODES
def test_async_functions_are_awaited(mode: str, tmp_path: Path) -> None:
    source = "import asyncio\nasync def probe(n):\n    await asyncio.sleep(0)\n    return n + 1\n"
    assert call(tmp_path, source, {"n": 1}, mode=mode).value == 2


def test_what_is_printed_stands_in_only_for_nothing(tmp_path: Path) -> None:
    source = """
import os, subprocess, sys
def noisy(answer):
    print("out"); print("err", file=sys.stderr); os.write(1, b"raw\\n"); subprocess.run(["echo", "child"])
    return answer
"""
    with loaded(tmp_path, source, "noisy") as tools:
        printed = "out\nerr\nraw\nchild\n"
        result = tools.call("noisy", {"answer": "yes"})
        assert (result.output, result.printed) == ("yes", printed)
        result = tools.call("noisy", {"answer": None})
        assert (result.output, result.printed, result.value) == (printed, printed, None)
        assert tools.call("noisy", {"answer": ""}).output == ""


def test_a_large_answer_is_cut_and_its_value_is_whole(tmp_path: Path) -> None:
    result = call(tmp_path, "def probe():\n    return ['x' * 99] * 10000\n")
    assert result.truncated
    assert len(result.output) < 70_000
    assert isinstance(result.value, list)
    assert len(result.value) == 10_000


def test_no_half_characters_leave(tmp_path: Path) -> None:
    result = call(tmp_path, "def probe():\n    return 'a\\ud800b\\x1b[31m'\n")
    result.output.encode("utf-8")
    str(result.value).encode("utf-8")
    assert "\x1b" not in result.output


# ---- how it fails


@MODES
@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param("raise ValueError('no such page')", "ValueError: no such page", id="exception"),
        pytest.param("raise SystemExit(3)", "it called `sys.exit(3)`", id="sys-exit"),
        pytest.param("raise KeyboardInterrupt", "KeyboardInterrupt", id="interrupt"),
        pytest.param("import no_such_package", "the module `no_such_package` is not installed", id="import"),
        pytest.param("return probe()", "RecursionError", id="recursion"),
        pytest.param("return {'x': 10 ** 5000}", "ValueError", id="not-json"),
        pytest.param("raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})()", "`probe` failed: E", id="mute"),
    ],
)
def test_what_a_tool_raises_is_its_result(body: str, words: str, mode: str, tmp_path: Path) -> None:
    """R71"""
    result = call(tmp_path, f"def probe():\n    {body}\n", mode=mode)
    assert kind(result) == "failed"
    assert words in str(result)
    trace = result.details.get("trace", [])
    assert isinstance(trace, list)
    assert all(str(line).startswith("tools/team/probe.py:2, in probe") for line in trace)


def test_a_trace_names_the_tools_own_lines(tmp_path: Path) -> None:
    result = call(tmp_path, "import json\ndef probe():\n    return inner()\ndef inner():\n    return json.loads('{')\n")
    assert result.details["trace"] == ["tools/team/probe.py:3, in probe", "tools/team/probe.py:5, in inner"]


def test_an_import_error_is_that_calls_result(tmp_path: Path) -> None:
    """R51"""
    tools_ = {name: python(name, name) for name in ("good", "broken", "lost")}
    files = {
        "good.py": "def good():\n    return 'fine'\n",
        "broken.py": "1 / 0\ndef broken():\n    return ''\n",
        "lost.py": "import not_there.inner\ndef lost():\n    return ''\n",
    }
    with Toolset.load(bundle(tmp_path, tools_, files)) as tools:
        assert "ZeroDivisionError" in str(tools.call("broken"))
        assert "`not_there`" in str(tools.call("lost"))
        assert tools.call("good").output == "fine"
        assert "ZeroDivisionError" in str(tools.call("broken"))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param("import os; os._exit(4)", "ended itself, with exit status 4", id="exit"),
        pytest.param("import os; os.kill(os.getpid(), 11)", "was ended by SIGSEGV", id="crash"),
        pytest.param("import os; os.write(SOCKETS[0], b'x' * 99)", "wrote into, or closed", id="protocol"),
        pytest.param("import os; os.write = None", "ended itself", id="broken"),
    ],
)
def test_a_worker_that_is_lost_is_replaced(body: str, words: str, tmp_path: Path) -> None:
    source = f"""
import os, stat
SOCKETS = [n for n in range(3, 99) if os.path.exists(f"/proc/self/fd/{{n}}") and stat.S_ISSOCK(os.fstat(n).st_mode)]
def bad():
    print("before"); {body}
def good():
    return "fine"
"""
    with loaded(tmp_path, source, "bad", "good") as tools:
        result = tools.call("bad")
        assert kind(result) == "failed"
        assert words in str(result)
        assert result.printed == "before\n"  # and no traceback of ours
        assert tools.call("good").output == "fine"


def test_a_timeout_ends_the_worker_and_what_it_started(tmp_path: Path) -> None:
    seconds = f"431.{os.getpid()}"
    source = f"""
import subprocess
def slow():
    print("part"); subprocess.run(["sleep", "{seconds}"])
def good():
    return "fine"
"""
    with loaded(tmp_path, source, "slow", "good") as tools:
        assert tools.call("good").ok
        begun = time.monotonic()
        result = tools.call("slow", timeout_s=0.5)
        assert time.monotonic() - begun < 2
        assert (kind(result), result.output) == ("timeout", "part\n")
        assert gone(seconds)
        assert tools.call("good").output == "fine"


def test_a_flood_of_prints_is_stopped(tmp_path: Path) -> None:
    result = call(tmp_path, "def probe():\n    while True:\n        print('y' * 4000)\n")
    assert kind(result) == "output-limit"


@pytest.mark.parametrize("background", ["kill", "keep"])
def test_a_process_left_behind_by_a_python_tool(background: str, tmp_path: Path) -> None:
    seconds = f"{432 if background == 'kill' else 433}.{os.getpid()}"
    source = f"import subprocess\ndef probe():\n    return str(subprocess.Popen(['sleep', '{seconds}']).pid)\n"
    with loaded(tmp_path, source, "probe", background=background) as tools:
        result = tools.call("probe")
    assert result.ok
    if background == "kill":
        assert gone(seconds)
    else:
        assert result.details["survivors"] == running(seconds) == [int(result.output)]
        os.kill(int(result.output), 9)


# ---- its modules


@MODES
def test_a_tool_file_shadows_nothing_and_layers_never_mix(mode: str, tmp_path: Path) -> None:
    files = {
        "json.py": "def spell():\n    import json, helper\n    return json.dumps([helper.NAME])\n",
        "helper.py": "NAME = __name__.rpartition('.')[2]\n",
    }
    one = bundle(tmp_path / "1", {"spell": python("json", "spell")}, files, layer="one")
    two = bundle(
        tmp_path / "2", {"spell": python("json", "spell")}, files | {"helper.py": "NAME = 'two'\n"}, layer="two"
    )
    with Toolset.load(one, mode=mode) as first, Toolset.load(two, mode=mode) as second:
        assert first.call("spell").output == '["helper"]'
        assert second.call("spell").output == '["two"]'
        assert first.call("spell").output == '["helper"]'
    import json as ours

    assert ours.dumps([1]) == "[1]"


@MODES
def test_the_shims_stand_in_for_what_a_tool_file_was_written_for(mode: str, tmp_path: Path) -> None:
    source = """
from aru.plugins import tool
import aru.plugins
from toolc import tool as other

@tool
def bare():
    return "bare"

@aru.plugins.tool("words", override=True)
def full():
    return "full"

@other(description="words")
def ours():
    return "ours"
"""
    with loaded(tmp_path, source, "bare", "full", "ours", mode=mode) as tools:
        assert [tools.call(name).output for name in ("bare", "full", "ours")] == ["bare", "full", "ours"]


@MODES
def test_a_tool_file_called_as_what_it_was_written_for_hides_nothing(mode: str, tmp_path: Path) -> None:
    source = "from aru.plugins import tool\n@tool\ndef probe():\n    return __name__.rpartition('.')[2]\n"
    tools = {name: python(name, "probe") for name in ("aru", "toolc", "other")}
    made = bundle(tmp_path, tools, {f"{name}.py": source for name in tools})
    with Toolset.load(made, mode=mode) as toolset:
        assert [str(toolset.call(name)) for name in tools] == [*tools]


@MODES
def test_packages_of_a_layer(mode: str, tmp_path: Path) -> None:
    files = {
        "probe.py": """
import pkg.inner
from pkg import inner as same
from pkg.deep.leaf import LEAF
def probe():
    return [pkg.inner is same, pkg.inner.up(), LEAF]
""",
        "pkg/__init__.py": "NAME = 'pkg'\n",
        "pkg/inner.py": "from . import NAME\nfrom .deep import leaf\ndef up():\n    return NAME + leaf.LEAF\n",
        "pkg/deep/leaf.py": "LEAF = 'leaf'\n",
    }
    with Toolset.load(bundle(tmp_path, {"probe": python("probe", "probe")}, files), mode=mode) as tools:
        assert tools.call("probe").value == [True, "pkgleaf", "leaf"]


@MODES
def test_a_missing_module_of_a_layer_is_named_as_the_file_named_it(mode: str, tmp_path: Path) -> None:
    files = {"probe.py": "def probe():\n    from pkg import nothing\n", "pkg/__init__.py": "import pkg.absent\n"}
    with Toolset.load(bundle(tmp_path, {"probe": python("probe", "probe")}, files), mode=mode) as tools:
        assert "the module `pkg.absent` is not installed" in str(tools.call("probe"))


def test_a_changed_module_is_refused_even_where_the_tool_catches_everything(tmp_path: Path) -> None:
    source = (
        "def probe():\n    try:\n        import helper\n    except Exception:\n        pass\n    return 'went on'\n"
    )
    made = bundle(tmp_path, {"probe": python("probe", "probe")}, {"probe.py": source, "helper.py": "X = 1\n"})
    with Toolset.load(made) as tools:
        assert tools.call("probe").ok  # checked once a load
    with Toolset.load(made) as tools:
        (made / "tools/team/helper.py").write_text("X = 2\n")
        result = tools.call("probe")
        assert kind(result) == "corrupt"
        assert "tools/team/helper.py" in str(result)


def test_bytecode_in_a_bundle_is_neither_read_nor_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    made = bundle(tmp_path, {"probe": python("probe", "probe")}, {"probe.py": "def probe():\n    return 'reviewed'\n"})
    import importlib.util
    import py_compile

    other = tmp_path / "other.py"
    other.write_text("def probe():\n    return 'unreviewed'\n")
    os.utime(other, (1, 1))
    os.utime(made / "tools/team/probe.py", (1, 1))
    cached = Path(importlib.util.cache_from_source(str(made / "tools/team/probe.py")))
    py_compile.compile(str(other), cfile=str(cached), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    before = sorted(made.rglob("*"))
    for mode in ("worker", "inprocess"):
        with Toolset.load(made, mode=mode) as tools:
            assert tools.call("probe").output == "reviewed"
    assert sorted(made.rglob("*")) == before


def test_the_runtime_of_the_bundle_is_checked_before_a_worker_runs_it(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"probe": python("probe", "probe")}, {"probe.py": "def probe():\n    return ''\n"})
    with Toolset.load(made) as tools:
        path = made / "lib/toolc_runtime/invoke.py"
        path.write_bytes(path.read_bytes() + b"\n")
        result = tools.call("probe")
    assert kind(result) == "corrupt"
    assert "lib/toolc_runtime/invoke.py" in str(result)


# ---- how arguments arrive


@MODES
def test_arguments_reach_parameters_of_every_kind(mode: str, tmp_path: Path) -> None:
    source = "def probe(a, b=2, /, *rest, key=5, **more):\n    return [a, b, list(rest), key, more]\n"
    facts = python(
        "probe",
        "probe",
        schema={"type": "object", "properties": {"a": {}, "b": {}, "rest": {}, "class": {}}},
        arguments={
            "a": Argument(parameter="a", kind="positional"),
            "b": Argument(parameter="b", kind="positional"),
            "rest": Argument(parameter="rest", kind="*"),
            "class": Argument(parameter="key", kind="keyword"),
            "more": Argument(parameter="more", kind="**"),
        },
    )
    with Toolset.load(bundle(tmp_path, {"probe": facts}, {"probe.py": source}), mode=mode) as tools:
        assert tools.call("probe", {"b": 1, "a": 0, "rest": [8, 9], "class": 7, "x": 1}).value == [
            0,
            1,
            [8, 9],
            7,
            {"x": 1},
        ]
        assert tools.call("probe", {"a": 0}).value == [0, 2, [], 5, {}]
        assert tools.call("probe", {"a": 0, "more": {"y": 1}}).value == [0, 2, [], 5, {"y": 1}]
        assert tools.call("probe", {"a": 0, "rest": [9]}).value == [0, 2, [9], 5, {}]


def test_a_positional_default_in_the_middle_is_filled_in(tmp_path: Path) -> None:
    source = "def probe(a, b='B', c='C', /):\n    return a + b + c\n"
    kinds = {name: Argument(parameter=name, kind="positional") for name in "abc"}
    schema = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}}
    with loaded(tmp_path, source, "probe", arguments=kinds, schema=schema) as tools:
        assert tools.call("probe", {"a": "1", "c": "3"}).output == "1B3"


@MODES
def test_a_parameter_that_is_not_exposed_keeps_its_place(mode: str, tmp_path: Path) -> None:
    source = "def probe(a, hidden='H', c='C', /):\n    return a + hidden + c\n"
    kinds = {name: Argument(parameter=name, kind="positional") for name in "ac"}
    with loaded(tmp_path, source, "probe", arguments=kinds, mode=mode) as tools:
        assert tools.call("probe", {"a": "1", "c": "3"}).output == "1H3"
        assert tools.call("probe", {"a": "1"}).output == "1HC"
        assert "missing 1 required positional argument: 'a'" in str(tools.call("probe", {"c": "3"}))


# ---- its surroundings


def test_a_worker_sees_the_folder_and_the_variables_of_its_host_at_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
import os
def probe():
    os.chdir("/"); os.environ["LEFT"] = "1"
    return None
def look():
    return [os.getcwd(), *map(os.environ.get, ("MINE", "SECRET", "TOOLC_TOOL", "TOOLC_HOST_CWD"))]
"""
    monkeypatch.setenv("SECRET", "s")
    with loaded(tmp_path, source, "probe", "look", env=("MINE",)) as tools:
        for value in ("one", "two"):
            monkeypatch.setenv("MINE", value)
            assert tools.call("probe").ok
            assert tools.call("look").value == [str(Path.cwd()), value, None, "look", str(Path.cwd())]
        monkeypatch.chdir(tmp_path)
        looked = tools.call("look").value
        assert isinstance(looked, list)
        assert looked[0] == str(tmp_path)


def test_a_worker_has_no_input_and_no_channel_to_give_away(tmp_path: Path) -> None:
    source = """
import subprocess, sys
def probe():
    listed = subprocess.run(["sh", "-c", "ls /proc/$$/fd"], capture_output=True, text=True).stdout
    return [sys.stdin.read(), listed.split()]
"""
    assert call(tmp_path, source).value == ["", ["0", "1", "2"]]


# ---- many of them


def test_a_queued_call_that_is_cancelled_waits_for_no_worker(tmp_path: Path) -> None:
    async def main(tools: Toolset) -> None:
        busy = [asyncio.ensure_future(tools.acall("probe", {"s": 60})) for _ in range(40)]
        await asyncio.sleep(0.2)
        last = busy.pop()  # it waits for a thread
        last.cancel()
        await asyncio.wait([last])
        some = busy.pop(20)  # it waits for a worker
        some.cancel()
        await asyncio.wait([some])
        assert not any(call.done() for call in busy)
        for call in busy:
            call.cancel()
        await asyncio.wait(busy)
        assert all(call.cancelled() for call in busy)

    with loaded(tmp_path, "import time\ndef probe(s):\n    time.sleep(s)\n    return ''\n", "probe") as tools:
        asyncio.run(main(tools))


def test_a_warm_worker_is_used_again(tmp_path: Path) -> None:
    with loaded(tmp_path, "import os\ndef probe():\n    return os.getpid()\n", "probe") as tools:
        assert len({tools.call("probe").value for _ in range(5)}) == 1
        assert tools.call("probe").value != os.getpid()


def test_calls_from_many_threads(tmp_path: Path) -> None:
    source = """
import os, time
def good(n):
    print(n)
    return n
def bad(n):
    os._exit(1)
def slow(n):
    time.sleep(60)
"""
    with loaded(tmp_path, source, "good", "bad", "slow") as tools:
        for name in ("good", "bad"):
            tools.call(name, {"n": 0})
        wrong: list[object] = []

        def many(thread: int) -> None:
            for turn in range(6):
                n = thread * 100 + turn
                result = tools.call("good", {"n": n})
                if (result.value, result.printed) != (n, f"{n}\n"):
                    wrong.append(result)
                if turn == 2 and kind(tools.call("bad", {"n": n})) != "failed":
                    wrong.append("bad")
                if turn == 4 and kind(tools.call("slow", {"n": n}, timeout_s=0.3)) not in ("timeout", "unavailable"):
                    wrong.append("slow")

        threads = [threading.Thread(target=many, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
    assert zombies() == []


def test_a_call_that_finds_every_worker_busy_waits_no_longer_than_its_own_time(tmp_path: Path) -> None:
    with loaded(tmp_path, "import time\ndef slow():\n    time.sleep(60)\n", "slow", timeout_s=2) as tools:
        threads = [threading.Thread(target=tools.call, args=("slow",)) for _ in range(16)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        begun = time.monotonic()
        result = tools.call("slow", timeout_s=0.2)
        assert time.monotonic() - begun < 1.7
        assert kind(result) == "unavailable"
        tools.close()
        for thread in threads:
            thread.join()


def test_closing_leaves_no_process_and_no_descriptor(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"probe": python("probe", "probe")}, {"probe.py": "def probe():\n    return ''\n"})
    counts = []
    for _ in range(3):
        with Toolset.load(made) as tools:
            assert tools.call("probe").ok
        counts.append(descriptors())
        with pytest.raises(RuntimeError, match="closed"):
            tools.call("probe")
        tools.close()
    assert len(set(counts)) == 1
    assert zombies() == []
    assert running(str(made)) == []


def test_a_worker_ends_with_its_host(tmp_path: Path) -> None:
    import subprocess
    import sys

    made = bundle(tmp_path, {"probe": python("probe", "probe")}, {"probe.py": "def probe():\n    return ''\n"})
    program = (
        f"import os; from toolc_runtime import Toolset; t = Toolset.load({str(made)!r}); t.call('probe'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert gone(str(made))


# ---- in the host's own process


def test_an_overdue_call_in_process_is_a_timeout_when_it_returns(tmp_path: Path) -> None:
    source = "import time\ndef probe(s):\n    time.sleep(s)\n    return 'late'\n"
    with loaded(tmp_path, source, "probe", mode="inprocess", timeout_s=0.2) as tools:
        result = tools.call("probe", {"s": 0.4})
        assert (kind(result), result.output) == ("timeout", "late")
        assert tools.call("probe", {"s": 0}).ok


def test_acall_stops_waiting_in_process_and_the_tool_is_unavailable_until_it_returns(tmp_path: Path) -> None:
    source = "import time\ndef probe(s):\n    time.sleep(s)\n    return ''\n"

    async def main(tools: Toolset) -> None:
        begun = time.monotonic()
        assert kind(await tools.acall("probe", {"s": 1})) == "timeout"
        assert time.monotonic() - begun < 0.9
        assert kind(await tools.acall("probe", {"s": 0})) == "unavailable"
        await asyncio.sleep(1)
        assert (await tools.acall("probe", {"s": 0})).ok

    with loaded(tmp_path, source, "probe", mode="inprocess", timeout_s=0.2) as tools:
        asyncio.run(main(tools))


def test_an_overdue_call_in_process_is_told_of(tmp_path: Path) -> None:
    events: list[str] = []
    source = "import time\ndef probe(s):\n    time.sleep(s)\n    return ''\n"
    made = bundle(tmp_path, {"probe": python("probe", "probe", timeout_s=0.1)}, {"probe.py": source})

    async def main(tools: Toolset) -> None:
        assert kind(await tools.acall("probe", {"s": 0.4})) == "timeout"
        assert events == ["start", "overdue"]

    with Toolset.load(made, mode="inprocess", on_event=lambda event: events.append(str(event["event"]))) as tools:
        asyncio.run(main(tools))


def test_an_async_function_in_process_can_be_called_from_an_event_loop(tmp_path: Path) -> None:
    source = "import asyncio\nasync def probe():\n    return await asyncio.sleep(0, 'awaited')\n"

    async def main(tools: Toolset) -> Result:
        return tools.call("probe")

    with loaded(tmp_path, source, "probe", mode="inprocess") as tools:
        assert str(asyncio.run(main(tools))) == "awaited"


def test_a_tool_in_process_cannot_reach_the_hosts_own_values(tmp_path: Path) -> None:
    mine: dict[str, Any] = {"items": [1]}
    with loaded(tmp_path, "def probe(items):\n    items.append(2)\n    return items\n", "probe") as tools:
        assert tools.call("probe", mine).value == [1, 2]
    assert mine == {"items": [1]}


def test_the_host_sees_nothing_of_a_layer(tmp_path: Path) -> None:
    import sys

    before = (set(sys.modules), list(sys.meta_path), list(sys.path))
    with loaded(tmp_path, "import only_here\ndef probe():\n    return ''\n", "probe", mode="inprocess") as tools:
        tools.call("probe")
        with pytest.raises(ModuleNotFoundError):
            __import__("probe")
    assert (set(sys.modules) - before[0], sys.meta_path, sys.path) == (set(), before[1], before[2])
