"""The types that are known by name: of the standard library and of pydantic, each with its schema and its conversion.

These tables are fixed, so that a file compiles to the same schema everywhere, whatever is installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolc.model import Json, Schema

_ABSTRACT = ("typing", "collections.abc")


def _names(modules: Iterable[str], *names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module in modules for name in names)


def _text(format_: str) -> Schema:
    return {"type": "string", "format": format_}


# The schema, and what is made of a value; nothing where JSON's own value will do.
SCALARS: Mapping[str, tuple[Schema, str | None]] = {
    "builtins.str": ({"type": "string"}, None),
    "builtins.int": ({"type": "integer"}, None),
    "builtins.float": ({"type": "number"}, "float"),
    "builtins.bool": ({"type": "boolean"}, None),
    "builtins.bytes": ({"type": "string", "contentEncoding": "base64"}, "bytes"),
    "builtins.complex": ({"type": "string"}, "complex"),
    "builtins.object": ({}, None),
    "datetime.date": (_text("date"), "date"),
    "datetime.datetime": (_text("date-time"), "datetime"),
    "datetime.time": (_text("time"), "time"),
    "datetime.timedelta": (_text("duration"), "timedelta"),
    "decimal.Decimal": ({"anyOf": [{"type": "number"}, {"type": "string"}]}, "decimal"),
    "ipaddress.IPv4Address": (_text("ipv4"), "ipv4"),
    "ipaddress.IPv4Network": (_text("ipv4network"), "ipv4-network"),
    "ipaddress.IPv6Address": (_text("ipv6"), "ipv6"),
    "ipaddress.IPv6Network": (_text("ipv6network"), "ipv6-network"),
    "os.PathLike": (_text("path"), "path"),
    "pathlib.Path": (_text("path"), "path"),
    "pathlib.PosixPath": (_text("path"), "path"),
    "pathlib.PurePath": (_text("path"), "purepath"),
    "pathlib.PurePosixPath": (_text("path"), "purepath"),
    "re.Pattern": (_text("regex"), "regex"),
    "types.NoneType": ({"type": "null"}, None),
    "typing.Any": ({}, None),
    "typing.LiteralString": ({"type": "string"}, None),
    "typing.Pattern": (_text("regex"), "regex"),
    "typing.Text": ({"type": "string"}, None),
    "uuid.UUID": (_text("uuid"), "uuid"),
}
# Generic in what does not show in JSON: `PathLike[str]`, `Pattern[str]`.
OF_TEXT = frozenset({"os.PathLike", "re.Pattern", "typing.Pattern"})

# What a JSON array, as the list that it becomes, can stand for.
LISTS = frozenset({"builtins.list", "typing.List"}) | _names(
    _ABSTRACT, "Collection", "Iterable", "MutableSequence", "Reversible", "Sequence"
)
ITERATORS = _names(_ABSTRACT, "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Generator", "Iterator")
SETS: Mapping[str, str] = {
    "builtins.frozenset": "frozenset",
    "builtins.set": "set",
    "collections.abc.MutableSet": "set",
    "collections.abc.Set": "set",
    "typing.AbstractSet": "set",
    "typing.FrozenSet": "frozenset",
    "typing.MutableSet": "set",
    "typing.Set": "set",
}
TUPLES = frozenset({"builtins.tuple", "typing.Tuple"})
DEQUES = frozenset({"collections.deque", "typing.Deque"})
MAPPINGS: Mapping[str, str | None] = {
    "builtins.dict": None,
    "collections.OrderedDict": "class:collections:OrderedDict",
    "collections.defaultdict": "class:collections:defaultdict",
    "typing.DefaultDict": "class:collections:defaultdict",
    "typing.Dict": None,
    "typing.OrderedDict": "class:collections:OrderedDict",
    **dict.fromkeys(_names(_ABSTRACT, "Mapping", "MutableMapping")),
}
COUNTERS = frozenset({"collections.Counter", "typing.Counter"})
COUNTER = "class:collections:Counter"

QUALIFIERS = frozenset(f"typing.{name}" for name in ("ClassVar", "Final", "NotRequired", "ReadOnly", "Required"))
DOCS = frozenset({"annotated_doc.Doc", "typing.Doc"})

# What the names in a JSON object can stand for beside strings, and how they are spelled there.
NAMES: Mapping[str, Schema] = {"integer": {"pattern": "^-?(0|[1-9][0-9]*)$"}}

# --------------------------------------------------------------------------------------------------------- pydantic

_POSITIVE: Schema = {"exclusiveMinimum": 0}
_NEGATIVE: Schema = {"exclusiveMaximum": 0}
_NOT_NEGATIVE: Schema = {"minimum": 0}
_NOT_POSITIVE: Schema = {"maximum": 0}

_NUMBERS: dict[str, tuple[Schema, str | None]] = {
    f"pydantic.{sign}{kind}": ({"type": type_, **bound}, made)
    for kind, type_, made in (("Int", "integer", None), ("Float", "number", "float"))
    for sign, bound in (
        ("Positive", _POSITIVE),
        ("Negative", _NEGATIVE),
        ("NonNegative", _NOT_NEGATIVE),
        ("NonPositive", _NOT_POSITIVE),
    )
}
PYDANTIC: Mapping[str, tuple[Schema, str | None]] = {
    **_NUMBERS,
    "pydantic.AwareDatetime": ({**_text("date-time"), "pattern": "([Zz]|[+-][0-9]{2}:[0-9]{2})$"}, "datetime"),
    "pydantic.DirectoryPath": (_text("path"), "path"),
    "pydantic.EmailStr": (_text("email"), None),
    "pydantic.FilePath": (_text("path"), "path"),
    "pydantic.FiniteFloat": ({"type": "number"}, "float"),
    "pydantic.FutureDate": (_text("date"), "date"),
    "pydantic.FutureDatetime": (_text("date-time"), "datetime"),
    "pydantic.JsonValue": ({}, None),
    "pydantic.NaiveDatetime": ({**_text("date-time"), "pattern": "^.{10}[^Zz+-]*$"}, "datetime"),
    "pydantic.NewPath": (_text("path"), "path"),
    "pydantic.PastDate": (_text("date"), "date"),
    "pydantic.PastDatetime": (_text("date-time"), "datetime"),
    "pydantic.SecretStr": (_text("password"), "class:pydantic:SecretStr"),
    "pydantic.StrictBool": ({"type": "boolean"}, None),
    "pydantic.StrictBytes": ({"type": "string", "contentEncoding": "base64"}, "bytes"),
    "pydantic.StrictFloat": ({"type": "number"}, "float"),
    "pydantic.StrictInt": ({"type": "integer"}, None),
    "pydantic.StrictStr": ({"type": "string"}, None),
    **{
        f"pydantic.{name}": (_text("uri"), f"class:pydantic:{name}")
        for name in ("AnyHttpUrl", "AnyUrl", "AnyWebsocketUrl", "FileUrl", "FtpUrl", "HttpUrl", "WebsocketUrl")
    },
    **{f"pydantic.UUID{version}": (_text("uuid"), "uuid") for version in (1, 3, 4, 5, 6, 7, 8)},
}
# What is called in the place of a type, with its constraints: the type that it constrains.
CONSTRAINED: Mapping[str, str] = {
    "pydantic.conbytes": "builtins.bytes",
    "pydantic.condate": "datetime.date",
    "pydantic.condecimal": "decimal.Decimal",
    "pydantic.confloat": "builtins.float",
    "pydantic.confrozenset": "builtins.frozenset",
    "pydantic.conint": "builtins.int",
    "pydantic.conlist": "builtins.list",
    "pydantic.conset": "builtins.set",
    "pydantic.constr": "builtins.str",
}


def known(name: str) -> tuple[Schema, str | None] | None:
    """The schema and the conversion of a name that takes no arguments."""
    found = SCALARS.get(name) or PYDANTIC.get(name)
    return None if found is None else (_copy(found[0]), found[1])


def _copy(schema: Schema) -> Schema:
    copied: dict[str, Json] = dict(schema)
    return copied
