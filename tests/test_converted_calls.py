"""A tool gets what it declared in a worker, in the host and behind a wrapper, and is told of its call if it asks."""

from __future__ import annotations

import asyncio
import json
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bundles import bundle, python
from toolc.model import Argument
from toolc_runtime import BundleError, Result, Toolset

TEXT = {"type": "string"}
NULL = {"type": "null"}
DATE = {"type": "string", "format": "date"}
POINT = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x"]}


TOOLS = """
import asyncio
from collections import deque
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from toolc import ToolContext, tool

import shapes


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Size(str, Enum):
    BIG = "big"


class Level(int, Enum):
    HIGH = 2


class Pt(NamedTuple):
    x: int
    y: int = 0


def probe(when: date, color=Color.BLUE, tags: "set[int]" = frozenset(), shape: "shapes.Shape | None" = None) -> str:
    return repr((when, color, tags, shape))


async def later(when: date) -> str:
    await asyncio.sleep(0)
    return repr(when)


def count(words) -> str:
    return repr(words)


def point(p: Pt) -> str:
    return repr(p)


def places(a: date, /, ctx: ToolContext, b: date = date.min, *rest: date, **more: date) -> str:
    return repr((a, ctx.name, b, rest, more))


def only(ctx: ToolContext, /) -> str:
    return ctx.name


@tool
def told(ctx: ToolContext) -> str:
    ctx.check()
    assert isinstance(ctx, ToolContext)
    return repr((ctx.name, ctx.call_id, ctx.cwd == str(Path.cwd()), 0 < ctx.remaining_s < 25.5, ctx.cancelled))


def stopping(ctx: ToolContext) -> str:
    import time
    while True:
        try:
            ctx.check()
        except Exception:
            pass
        time.sleep(0.01)


def back(what: str) -> object:
    return {
        "enum": Color.RED,
        "str-enum": Size.BIG,
        "int-enum": Level.HIGH,
        "date": date(2024, 1, 5),
        "bytes": b"hi",
        "path": Path("a"),
        "decimal": Decimal("1.50"),
        "all": {
            "color": Color.RED,
            "level": Level.HIGH,
            Color.BLUE: date(2024, 1, 5),
            "shape": shapes.Shape(Decimal("1.50"), [Path("a")]),
            "list": deque([timedelta(hours=36), b"hi", {2, 1}, Pt(1)]),
        },
    }[what]
"""

SHAPES = """
from dataclasses import dataclass


@dataclass
class Shape:
    size: object
    paths: list

    def __post_init__(self):
        if not self.paths:
            raise ValueError("a shape without paths")
"""

PROBE = {
    "type": "object",
    "properties": {
        "when": DATE,
        "color": {"type": "string", "enum": ["red", "blue"], "default": "blue"},
        "tags": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
        "shape": {"anyOf": [{"$ref": "#/$defs/Shape"}, NULL]},
    },
    "required": ["when"],
    "additionalProperties": False,
    "$defs": {
        "Shape": {
            "type": "object",
            "properties": {
                "size": {"anyOf": [{"type": "number"}, TEXT]},
                "paths": {"type": "array", "items": {"type": "string", "format": "path"}},
            },
            "required": ["size", "paths"],
        }
    },
}
PROBING = {
    "/$defs/Shape": "class:shapes:Shape",
    "/$defs/Shape/properties/paths/items": "path",
    "/$defs/Shape/properties/size": "decimal",
    "/properties/color": "class:t:Color",
    "/properties/tags": "set",
    "/properties/when": "date",
}


def _places() -> dict[str, Any]:
    names = {"a": "positional", "b": "positional", "rest": "*"}
    arguments = {name: Argument(parameter=name, kind=kind) for name, kind in names.items()}
    properties = {"a": DATE, "b": DATE, "rest": {"type": "array", "items": DATE}}
    schema = {"type": "object", "properties": properties, "additionalProperties": DATE}
    conversions = {
        "": "context:ctx",
        "/additionalProperties": "date",
        "/properties/a": "date",
        "/properties/b": "date",
        "/properties/rest/items": "date",
    }
    return python("t", "places", schema=schema, arguments=arguments, conversions=conversions)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of these tools."""
    day = {"type": "object", "properties": {"when": DATE}, "additionalProperties": False}
    point = {"type": "object", "properties": {"p": {"$ref": "#/$defs/Pt"}}, "$defs": {"Pt": POINT}}
    context = {"": "context:ctx"}
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    return bundle(
        tmp_path_factory.mktemp("made"),
        {
            "probe": python("t", "probe", schema=PROBE, conversions=PROBING),
            "later": python("t", "later", schema=day, conversions={"/properties/when": "date"}),
            "point": python("t", "point", schema=point, conversions={"/$defs/Pt": "class:t:Pt"}),
            "count": python(
                "t",
                "count",
                schema={"type": "object", "properties": {"words": {"type": "object", "additionalProperties": True}}},
                conversions={"/properties/words": "class:collections:Counter"},
            ),
            "places": _places(),
            "only": python("t", "only", schema=closed, conversions=context),
            "told": python("t", "told", schema=closed, conversions=context),
            "stopping": python("t", "stopping", schema=closed, conversions=context, timeout_s=0.3),
            "back": python("t", "back"),
            "lost": python("t", "probe", schema=day, conversions={"/properties/when": "class:t:Gone"}),
        },
        {"t.py": TOOLS, "shapes.py": SHAPES},
    )


@pytest.fixture(scope="module", params=["worker", "inprocess", "wrapper"])
def call(request: pytest.FixtureRequest, folder: Path) -> Iterator[Any]:
    """Call a tool in one of the three ways: whether it went well, and what the model is sent."""
    if request.param == "wrapper":

        def run(name: str, arguments: dict[str, Any]) -> tuple[bool, str]:
            words = [str(folder / "bin" / name), "--args", json.dumps(arguments)]
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
            assert done.returncode in (0, 1), done.stderr
            return done.returncode == 0, done.stdout.removesuffix("\n")

        yield run
        return
    with Toolset.load(folder, mode=request.param) as tools:

        def ask(name: str, arguments: dict[str, Any]) -> tuple[bool, str]:
            result = tools.call(name, arguments)
            return result.ok, str(result)

        yield ask


NOT = "the arguments of `{}` are not as it declares them; correct them and call it again\n"


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        pytest.param(
            "probe",
            {"when": "2024-01-05"},
            "(datetime.date(2024, 1, 5), <Color.BLUE: 'blue'>, frozenset(), None)",
            id="defaults-are-the-functions-own",
        ),
        pytest.param(
            "probe",
            {"when": "2024-01-05", "color": "RED", "tags": [1, 1], "shape": {"size": "1.50", "paths": ["a"]}},
            "(datetime.date(2024, 1, 5), <Color.RED: 'red'>, {1}, Shape(size=Decimal('1.50'), paths=[PosixPath('a')]))",
            id="repaired-first-then-converted",
        ),
        pytest.param("later", {"when": "2024-01-05"}, "datetime.date(2024, 1, 5)", id="async"),
        pytest.param("count", {"words": {"a": 1}}, "Counter({'a': 1})", id="a-class-of-the-standard-library"),
        pytest.param("point", {"p": {"x": 1}}, "Pt(x=1, y=0)", id="named-tuple-of-an-object"),
        pytest.param("point", {"p": [1, 2]}, "Pt(x=1, y=2)", id="named-tuple-of-an-array"),
        pytest.param(
            "places",
            {"a": "2024-01-05", "b": "2024-01-06", "rest": ["2024-01-07"], "z": "2024-01-08"},
            "(datetime.date(2024, 1, 5), 'places', datetime.date(2024, 1, 6), (datetime.date(2024, 1, 7),), "
            "{'z': datetime.date(2024, 1, 8)})",
            id="by-place-and-with-the-context-between",
        ),
        pytest.param("only", {}, "only", id="a-context-by-place-alone"),
        pytest.param("back", {"what": "enum"}, "red", id="returns-an-enum"),
        pytest.param("back", {"what": "str-enum"}, "big", id="returns-a-str-enum"),
        pytest.param("back", {"what": "int-enum"}, "2", id="returns-an-int-enum"),
        pytest.param("back", {"what": "date"}, "2024-01-05", id="returns-a-date"),
        pytest.param("back", {"what": "bytes"}, "aGk=", id="returns-bytes"),
        pytest.param("back", {"what": "path"}, "a", id="returns-a-path"),
        pytest.param("back", {"what": "decimal"}, "1.50", id="returns-a-decimal"),
        pytest.param(
            "back",
            {"what": "all"},
            '{"color": "red", "level": 2, "blue": "2024-01-05", "shape": {"size": "1.50", "paths": ["a"]}, '
            '"list": ["P1DT12H", "aGk=", [1, 2], {"x": 1, "y": 0}]}',
            id="returns-all-of-it",
        ),
    ],
)
def test_a_tool_gets_what_it_declared_wherever_it_runs(
    name: str, arguments: dict[str, Any], answer: str, call: Any
) -> None:
    assert call(name, arguments) == (True, answer)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        pytest.param(
            "probe",
            {"when": "2024-02-30", "shape": {"size": 1, "paths": [1]}},
            NOT.format("probe")
            + "- when: '2024-02-30' is not a date such as 2024-01-31\n- shape.paths[0]: 1 is not a string",
            id="the-check-refuses",
        ),
        pytest.param(
            "probe",
            {"when": "2024-01-05", "shape": {"size": "many", "paths": ["a\0"]}},
            NOT.format("probe")
            + "- shape.size: 'many' is not a decimal number such as 12.50\n"
            + "- shape.paths[0]: has a NUL character, which no path can have",
            id="the-conversion-refuses",
        ),
        pytest.param(
            "probe",
            {"when": "2024-01-05", "shape": {"size": 1, "paths": []}},
            NOT.format("probe") + "- shape: Shape does not accept it: a shape without paths",
            id="the-class-refuses",
        ),
        pytest.param(
            "point",
            {"p": [1, 2, 3]},
            NOT.format("point") + "- p: an array is not an object",
            id="more-items-than-there-are-fields",
        ),
        pytest.param("point", {"p": [1, "a"]}, NOT.format("point") + "- p.y: 'a' is not an integer", id="a-wrong-item"),
        pytest.param(
            "lost",
            {"when": "2024-01-05"},
            "`lost` failed: AttributeError: module 'toolc_layer_",
            id="a-class-that-is-not-there",
        ),
    ],
)
def test_what_cannot_be_converted_is_told_to_the_model(
    name: str, arguments: dict[str, Any], words: str, call: Any
) -> None:
    ok, answer = call(name, arguments)
    assert not ok
    assert answer.startswith(words)


def kind(result: Result) -> str:
    return "" if result.error is None else result.error.kind


def test_a_refused_conversion_is_invalid_arguments_with_places(folder: Path) -> None:
    for mode in ("worker", "inprocess"):
        with Toolset.load(folder, mode=mode) as tools:
            result = tools.call("probe", {"when": "2024-01-05", "shape": {"size": 1, "paths": []}})
            assert kind(result) == "invalid-arguments"
            assert result.error is not None
            assert [problem.path for problem in result.error.problems] == [("shape",)]


def test_a_worker_keeps_its_plans_from_call_to_call(folder: Path) -> None:
    with Toolset.load(folder) as tools:
        answers = {str(tools.call("later", {"when": f"2024-01-0{i}"})) for i in range(1, 6)}
        assert len(answers) == 5
        assert str(tools.call("probe", {"when": "2024-01-05"})).startswith("(datetime.date(2024, 1, 5)")


def test_a_tool_is_told_of_its_call(call: Any) -> None:
    ok, answer = call("told", {})
    assert ok, answer
    assert answer.startswith("('told', '")
    assert answer.endswith("', True, True, False)")


def test_the_call_id_is_the_hosts(folder: Path) -> None:
    for mode in ("worker", "inprocess"):
        with Toolset.load(folder, mode=mode) as tools:
            assert "'abc'" in str(tools.call("told", {}, call_id="abc"))


def test_a_tool_in_process_that_asks_is_stopped_at_its_deadline(folder: Path) -> None:
    with Toolset.load(folder, mode="inprocess") as tools:
        assert kind(tools.call("stopping", {})) == "timeout"
        assert kind(tools.call("stopping", {})) == "timeout", "it has ended, so it may be called again"


def test_a_tool_in_process_is_stopped_when_its_toolset_is_closed(folder: Path) -> None:
    tools = Toolset.load(folder, mode="inprocess")
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(tools.call("stopping", {}, timeout_s=60)))
    thread.start()
    while not tools._shared.loaded._running:  # until it has begun
        pass
    tools.close()
    thread.join(30)
    assert [kind(result) for result in results] == ["cancelled"]


def test_a_tool_in_process_is_stopped_when_its_task_is_cancelled(folder: Path) -> None:
    events: list[dict[str, Any]] = []

    async def main(tools: Toolset) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(tools.acall("stopping", {}, timeout_s=60), 0.2)

    with Toolset.load(folder, mode="inprocess", on_event=events.append) as tools:
        asyncio.run(main(tools))
        for _ in range(1000):
            if len(events) > 1:
                break
            time.sleep(0.01)
    assert [event["event"] for event in events] == ["start", "end"]


@pytest.mark.parametrize(
    ("pointer", "made_of_it"),
    [
        pytest.param("/properties/when", "teapot", id="unknown"),
        pytest.param("/properties/when", "class:t", id="a-class-without-a-name"),
        pytest.param("/properties/when", "class:../t:A", id="a-class-outside"),
        pytest.param("/properties/when", "class:t:A:B", id="too-many-parts"),
        pytest.param("/properties/when", "context:ctx", id="a-context-that-is-an-argument"),
        pytest.param("", "date", id="the-arguments-as-a-whole"),
    ],
)
def test_a_conversion_that_is_not_known_is_refused_at_load(pointer: str, made_of_it: str, tmp_path: Path) -> None:
    tool = python("t", "f", conversions={pointer: made_of_it})
    made = bundle(tmp_path, {"f": tool}, {"t.py": "def f(): ..."})
    with pytest.raises(BundleError) as caught:
        Toolset.load(made)
    assert caught.value.code == "TC905"
