"""Objects of the tool's own classes are made of JSON, and what a class refuses is a problem at its place."""

from __future__ import annotations

import datetime as dt
import importlib.util
import sys
from types import ModuleType
from typing import Any

import pytest

from converting import converted

TEXT = {"type": "string"}
DATE = {"type": "string", "format": "date"}
DAY = "datetime.date(2024, 1, 5)"
TREE = {
    "type": "object",
    "properties": {"at": DATE, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
}

CLASSES = """
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, IntEnum
from typing import NamedTuple

import attrs
import pydantic
from pydantic import BaseModel, ConfigDict, Field, HttpUrl, SecretStr, field_validator
from pydantic.dataclasses import dataclass as checked


class Color(Enum):
    RED = "red"
    PAIR = (1, 2)


class Prio(IntEnum):
    HIGH = 2


class Folded(Enum):
    A = "a"

    @classmethod
    def _missing_(cls, value):
        raise KeyError(value)


@dataclass(kw_only=True)
class Item:
    n: int
    made: int = field(default=0, init=False)

    def __post_init__(self):
        if self.n < 0:
            raise ValueError("n is negative")
        if self.n == 404:
            raise self.missing
        self.made = self.n + 1


@dataclass
class Other:
    m: int = 0


@dataclass
class Tree:
    at: date
    children: "tuple[Tree, ...]" = ()


class Pt(NamedTuple):
    x: int
    y: int = 0


@attrs.define
class Attr:
    _hidden: int
    plain: int = attrs.field(default=1, validator=attrs.validators.instance_of(int))


class Inner(BaseModel):
    at: date


class Model(BaseModel):
    model_config = ConfigDict(strict=True)
    inner: Inner
    tags: set[int] = set()
    data: bytes = b""
    n: int = Field(default=1, alias="number")

    @field_validator("n")
    @classmethod
    def _small(cls, value):
        if value > 9:
            raise ValueError("is too large to be counted on fingers")
        return value


@checked
class Checked:
    at: date


class Id(str):
    pass


class Bag(dict):
    pass


class Outer:
    @dataclass
    class Nested:
        a: int
"""

ITEM = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
OTHER = {"type": "object", "properties": {"m": {"type": "integer"}}}
POINT = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x"]}
MODEL = {
    "type": "object",
    "properties": {
        "inner": {"$ref": "#/$defs/Inner"},
        "tags": {"type": "array"},
        "data": {"type": "string", "contentEncoding": "base64"},
        "number": {"type": "integer"},
    },
}
INNER = {"type": "object", "properties": {"at": DATE}}
DEFS = {"Item": ITEM, "Other": OTHER, "Tree": TREE, "Pt": POINT, "Model": MODEL, "Inner": INNER}
MODELS = {
    "/$defs/Model": "class:made:Model",
    "/$defs/Inner": "class:made:Inner",
    "/$defs/Inner/properties/at": "date",
    "/$defs/Model/properties/tags": "set",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module of the classes."""
    pytest.importorskip("pydantic")
    pytest.importorskip("attrs")
    file = tmp_path_factory.mktemp("made") / "made.py"
    file.write_text(CLASSES)
    spec = importlib.util.spec_from_file_location("made", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["made"] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["made"]
    return module


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


@pytest.mark.parametrize(
    ("schema", "conversions", "value", "wanted"),
    [
        pytest.param(TEXT, {"": "class:made:Color"}, "red", "<Color.RED: 'red'>", id="enum"),
        pytest.param({}, {"": "class:made:Color"}, [1, 2], "<Color.PAIR: (1, 2)>", id="enum-of-a-tuple"),
        pytest.param({}, {"": "class:made:Prio"}, 2, "<Prio.HIGH: 2>", id="int-enum"),
        pytest.param(ref("Item"), {"/$defs/Item": "class:made:Item"}, {"n": 1}, "Item(n=1, made=2)", id="dataclass"),
        pytest.param(
            ref("Tree"),
            {
                "/$defs/Tree": "class:made:Tree",
                "/$defs/Tree/properties/at": "date",
                "/$defs/Tree/properties/children": "tuple",
            },
            {"at": "2024-01-05", "children": [{"at": "2024-01-05"}]},
            f"Tree(at={DAY}, children=(Tree(at={DAY}, children=()),))",
            id="a-class-that-holds-itself",
        ),
        pytest.param(ref("Pt"), {"/$defs/Pt": "class:made:Pt"}, {"x": 1}, "Pt(x=1, y=0)", id="named-tuple"),
        pytest.param(
            {"type": "object", "properties": {"hidden": {}, "plain": {}}},
            {"": "class:made:Attr"},
            {"hidden": 3},
            "Attr(_hidden=3, plain=1)",
            id="attrs-by-alias",
        ),
        pytest.param(
            {"type": "object", "properties": {"_hidden": {}, "plain": {}}},
            {"": "class:made:Attr"},
            {"_hidden": 3},
            "Attr(_hidden=3, plain=1)",
            id="attrs-by-name",
        ),
        pytest.param(
            ref("Model"),
            MODELS,
            {"inner": {"at": "2024-01-05"}, "tags": [1, 1], "number": 3},
            f"Model(inner=Inner(at={DAY}), tags={{1}}, data=b'', n=3)",
            id="a-strict-model-takes-json",
        ),
        pytest.param(
            {"type": "object", "properties": {"at": DATE}},
            {"": "class:made:Checked", "/properties/at": "date"},
            {"at": "2024-01-05"},
            f"Checked(at={DAY})",
            id="a-dataclass-of-pydantic",
        ),
        pytest.param(TEXT, {"": "class:made:Id"}, "a", "'a'", id="a-class-of-one-value"),
        pytest.param(TEXT, {"": "class:made:SecretStr"}, "a", "SecretStr('**********')", id="a-secret-of-pydantic"),
        pytest.param(TEXT, {"": "class:made:HttpUrl"}, "http://a", "HttpUrl('http://a/')", id="an-address-of-pydantic"),
        pytest.param(
            {"type": "object", "additionalProperties": True, "propertyNames": TEXT},
            {"": "class:made:Bag", "/propertyNames": "int"},
            {"1": "a"},
            "{1: 'a'}",
            id="a-mapping-of-its-own",
        ),
        pytest.param(
            {"type": "object", "properties": {"a": {}}},
            {"": "class:made:Outer.Nested"},
            {"a": 1},
            "Outer.Nested(a=1)",
            id="a-class-in-a-class",
        ),
        pytest.param(
            {"anyOf": [ref("Item"), ref("Other")]},
            {"/$defs/Item": "class:made:Item", "/$defs/Other": "class:made:Other"},
            {"m": 1},
            "Other(m=1)",
            id="a-union-by-what-is-required",
        ),
        pytest.param(
            {"anyOf": [ref("Other"), ref("Item")]},
            {"/$defs/Item": "class:made:Item", "/$defs/Other": "class:made:Other"},
            {"n": 1},
            "Item(n=1, made=2)",
            id="a-union-by-what-the-class-takes",
        ),
    ],
)
def test_an_object_of_the_tools_own_class_is_made(
    schema: dict[str, Any], conversions: dict[str, str], value: object, wanted: str, made: ModuleType
) -> None:
    assert repr(converted(schema, conversions, value, DEFS, made)) == wanted


@pytest.mark.parametrize(
    ("schema", "conversions", "value", "problems"),
    [
        pytest.param(TEXT, {"": "class:made:Color"}, "green", ["x: 'green' is not 'red', (1, 2)"], id="not-a-member"),
        pytest.param(TEXT, {"": "class:made:Folded"}, "b", ["x: 'b' is not 'a'"], id="not-a-member-either"),
        pytest.param(
            {"type": "array", "items": ref("Item")},
            {"/$defs/Item": "class:made:Item"},
            [{"n": 1}, {"n": -1}],
            ["x[1]: Item does not accept it: n is negative"],
            id="post-init",
        ),
        pytest.param(
            ref("Item"),
            {"/$defs/Item": "class:made:Item"},
            {"n": 1, "m": 2, "made": 3},
            ["x: unknown property 'm' (known: 'n')", "x: unknown property 'made' (known: 'n')"],
            id="unknown-properties",
        ),
        pytest.param(
            {"type": "object", "properties": {"hidden": {}, "plain": {}}},
            {"": "class:made:Attr"},
            {"hidden": 3, "plain": "a"},
            ["x: Attr does not accept it: 'plain' must be <class 'int'> (got 'a' that is a <class 'str'>)."],
            id="attrs-validator",
        ),
        pytest.param(
            ref("Model"),
            MODELS,
            {"inner": {}, "tags": ["a"], "number": 10},
            [
                "x.inner.at: Field required",
                "x.tags[0]: Input should be a valid integer",
                "x.number: is too large to be counted on fingers",
            ],
            id="a-model-says-all-of-it-by-place",
        ),
        pytest.param(
            TEXT,
            {"": "class:made:HttpUrl"},
            "a",
            ["x: Input should be a valid URL, relative URL without a base"],
            id="url",
        ),
        pytest.param(
            ref("Model"), MODELS, {"number": 1}, ["x.inner: Field required"], id="what-a-model-misses-is-a-place"
        ),
        pytest.param(
            {"anyOf": [ref("Other"), ref("Item")]},
            {"/$defs/Item": "class:made:Item", "/$defs/Other": "class:made:Other"},
            {"n": -1},
            ["x: unknown property 'n' (known: 'm')"],
            id="no-branch-of-a-union",
        ),
    ],
)
def test_what_a_class_refuses_is_a_problem_at_its_place(
    schema: dict[str, Any], conversions: dict[str, str], value: object, problems: list[str], made: ModuleType
) -> None:
    assert converted(schema, conversions, value, DEFS, made) == problems


@pytest.mark.parametrize(
    ("config", "text", "data"),
    [
        pytest.param({}, "aGk=", b"hi", id="of-text"),
        pytest.param({}, "/9j/", b"\xff\xd8\xff", id="of-no-text"),
        pytest.param({"val_json_bytes": "base64"}, "/9j/", b"\xff\xd8\xff", id="read-as-base64"),
        pytest.param({"val_json_bytes": "hex"}, "aGk=", b"hi", id="read-as-hex"),
        pytest.param({"strict": True}, "aGk=", b"hi", id="strict"),
    ],
)
def test_bytes_in_a_model_are_base64_as_everywhere(
    config: dict[str, Any], text: str, data: bytes, made: ModuleType
) -> None:
    conversions = {"/$defs/Inner": "class:made:Inner", "/$defs/Inner/properties/data": "bytes"}
    defs = {"Inner": {"type": "object", "properties": {"data": TEXT, "at": DATE}}}
    model = made.__dict__["pydantic"].create_model("Inner", __config__=config, data=(bytes, ...), at=(dt.date, ...))
    module = ModuleType("made")
    module.__dict__["Inner"] = model
    got = converted(ref("Inner"), conversions, {"data": text, "at": "2024-01-05"}, defs, module)
    assert (got.data, got.at) == (data, dt.date(2024, 1, 5))


def test_null_is_none_for_what_is_optional_whatever_its_class_makes_of_null(made: ModuleType) -> None:
    module = ModuleType("made")
    module.__dict__["Root"] = made.__dict__["pydantic"].RootModel[int | None]
    schema = {"anyOf": [ref("Root"), {"type": "null"}]}
    defs = {"Root": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}
    conversions = {"/$defs/Root": "class:made:Root"}
    assert converted(schema, conversions, None, defs, module) is None
    assert converted(schema, conversions, 3, defs, module).root == 3


def test_a_mistake_in_the_code_of_a_class_is_no_problem_of_the_value(made: ModuleType) -> None:
    with pytest.raises(AttributeError, match="missing"):
        converted(ref("Item"), {"/$defs/Item": "class:made:Item"}, {"n": 404}, DEFS, made)
