"""The lock: its bytes, its round trip, what a reader refuses, and what a difference is called."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolc import codes, lock
from toolc.errors import ToolcError
from toolc.model import (
    Argument,
    Background,
    ClashPolicy,
    CommandEntry,
    Digest,
    Environment,
    EnvPolicy,
    Introspect,
    Level,
    LockedBuiltins,
    LockedLayer,
    LockedShadow,
    Mode,
    Origin,
    PythonEntry,
    Reason,
    Scope,
    Tool,
    Toolset,
)
from toolc.names import path_problem
from toolc.resources import schema
from toolc.text import INVISIBLE

# ------------------------------------------------------------------------------------------------------- one toolset

TEAM = LockedLayer(name="team", path="vendor/team-tools", scope=Scope.VENDORED, introspect=Introspect.IMPORT)
LOCAL = LockedLayer(name="local", path="tools", scope=Scope.PROJECT)
SHADOW = LockedShadow(layer="team", path="grep/tool.json", reason=Reason.PRECEDENCE)

SEARCH = Tool(
    name="search",
    description="Find a text.\n\nReturns the lines.",
    input_schema={
        "type": "object",
        "properties": {"pattern": {"type": "string"}, "limit": {"type": "integer", "default": 10.0}},
        "required": ["pattern"],
        "additionalProperties": False,
    },
    output_schema={"type": "string"},
    annotations={"readOnlyHint": True, "idempotentHint": True},
    permission=Level.ASK,
    entry=PythonEntry(
        module="search",
        function="search",
        is_async=True,
        arguments={"pattern": Argument(parameter="pattern", kind="positional")},
        conversions={"/properties/limit": "date"},
    ),
    mode=Mode.INPROCESS,
    env_policy=EnvPolicy.DECLARED,
    env=("DSN",),
    timeout_s=25.0,
    background=Background.KILL,
    environment="default",
    origin=Origin(layer="local", path="search.py", shadows=(SHADOW,)),
    sources=("tools/local/search.py",),
)
LINT = Tool(
    name="run-linter",
    description="Lint.",
    input_schema={"type": "object", "properties": {}},
    permission=Level.ALLOW,
    entry=CommandEntry(argv=("sh", "-c", "cat | ./lint")),
    env_policy=EnvPolicy.INHERIT,
    timeout_s=0.5,
    background=Background.KEEP,
    origin=Origin(layer="team", path="run-linter/tool.json"),
    sources=("tools/team/run-linter/lint", "tools/team/run-linter/tool.json"),
)
ACME = Toolset(
    name="acme",
    version="1.4.0",
    host="aru",
    layers=(TEAM, LOCAL),
    builtins=LockedBuiltins(policy=ClashPolicy.EXPLICIT, overridden=("grep",), removed=("web_fetch",)),
    subsets={"reviewer": ("search",)},
    tools={"search": SEARCH, "run-linter": LINT},
    hidden={"bash": (LockedShadow(layer="local", path="bash.py", reason=Reason.BUILTIN),), "old": ()},
    python={
        "default": Environment(
            requires_python=">=3.11", requirements="requirements/default.txt", packages={"httpx": "0.28.1"}
        )
    },
    files={
        "tools/team/run-linter/lint": Digest(sha256="a" * 64, executable=True),
        "tools/team/run-linter/tool.json": Digest(sha256="b" * 64),
        "tools/local/search.py": Digest(sha256="c" * 64),
        "requirements/default.txt": Digest(sha256="d" * 64),
    },
)

ACME_LOCK = """\
{
  "lock_version": 1,
  "requires": [],
  "toolset": "acme",
  "version": "1.4.0",
  "host": "aru",
  "layers": [
    {
      "name": "team",
      "path": "vendor/team-tools",
      "scope": "vendored",
      "introspect": "import"
    },
    {
      "name": "local",
      "path": "tools",
      "scope": "project"
    }
  ],
  "builtins": {
    "policy": "explicit",
    "overridden": [
      "grep"
    ],
    "removed": [
      "web_fetch"
    ]
  },
  "subsets": {
    "reviewer": [
      "search"
    ]
  },
  "tools": {
    "run-linter": {
      "description": [
        "Lint."
      ],
      "input_schema": {
        "type": "object",
        "properties": {}
      },
      "permission": "allow",
      "execution": {
        "kind": "command",
        "argv": [
          "sh",
          "-c",
          "cat | ./lint"
        ],
        "env_policy": "inherit",
        "env": [],
        "timeout_s": 0.5,
        "background": "keep"
      },
      "origin": {
        "layer": "team",
        "path": "run-linter/tool.json"
      },
      "sources": [
        "tools/team/run-linter/lint",
        "tools/team/run-linter/tool.json"
      ]
    },
    "search": {
      "description": [
        "Find a text.",
        "",
        "Returns the lines."
      ],
      "input_schema": {
        "type": "object",
        "properties": {
          "pattern": {
            "type": "string"
          },
          "limit": {
            "type": "integer",
            "default": 10
          }
        },
        "required": [
          "pattern"
        ],
        "additionalProperties": false
      },
      "output_schema": {
        "type": "string"
      },
      "annotations": {
        "idempotentHint": true,
        "readOnlyHint": true
      },
      "permission": "ask",
      "execution": {
        "kind": "python",
        "module": "search",
        "function": "search",
        "async": true,
        "mode": "inprocess",
        "arguments": {
          "pattern": [
            "pattern",
            "positional"
          ]
        },
        "conversions": {
          "/properties/limit": "date"
        },
        "env_policy": "declared",
        "env": [
          "DSN"
        ],
        "timeout_s": 25,
        "background": "kill",
        "environment": "default"
      },
      "origin": {
        "layer": "local",
        "path": "search.py",
        "shadows": [
          {
            "layer": "team",
            "path": "grep/tool.json",
            "reason": "precedence"
          }
        ]
      },
      "sources": [
        "tools/local/search.py"
      ]
    }
  },
  "hidden": {
    "bash": [
      {
        "layer": "local",
        "path": "bash.py",
        "reason": "builtin"
      }
    ],
    "old": []
  },
  "python": {
    "default": {
      "requires_python": ">=3.11",
      "requirements": "requirements/default.txt",
      "packages": {
        "httpx": "0.28.1"
      }
    }
  },
  "files": {
    "requirements/default.txt": "sha256:%(d)s",
    "tools/local/search.py": "sha256:%(c)s",
    "tools/team/run-linter/lint": "sha256:%(a)s x",
    "tools/team/run-linter/tool.json": "sha256:%(b)s"
  }
}
""" % {letter: letter * 64 for letter in "abcd"}


def test_the_bytes_of_a_lock() -> None:
    assert lock.encode(ACME).decode() == ACME_LOCK


def test_a_toolset_without_anything_optional_has_only_the_fields_every_lock_has() -> None:
    assert json.loads(lock.encode(Toolset(name="toolset"))) == {
        "lock_version": 1,
        "requires": [],
        "toolset": "toolset",
        "host": "none",
        "layers": [],
        "tools": {},
        "files": {},
    }


# --------------------------------------------------------------------------------------------------------- the laws

TEXTS = st.text(max_size=20)
WORDS = st.text(alphabet="abcXYZ_09-", min_size=1, max_size=8)
TOOL_NAMES = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,6}", fullmatch=True)
LAYER_NAMES = ("base", "team-tools", "x1")
FILE_NAMES = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\:."), min_size=1, max_size=6
).filter(lambda name: path_problem(name) is None)
PATHS = st.lists(FILE_NAMES, min_size=1, max_size=3).map("/".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
SCHEMAS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(TEXTS, JSON, max_size=3)},
    optional={"$defs": st.dictionaries(TEXTS, JSON, max_size=3), "default": JSON, "items": JSON},
)


def shadows(*reasons: Reason) -> st.SearchStrategy[tuple[LockedShadow, ...]]:
    layers = st.sampled_from(LAYER_NAMES)
    one = st.builds(LockedShadow, layer=layers, path=PATHS, reason=st.sampled_from(reasons))
    return st.lists(one, max_size=2).map(tuple)


# A toolset takes long to draw, and its fields are independent: a few dozen meet every combination that matters.
few = settings(max_examples=25, deadline=None)


def names(of: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(of, unique=True, max_size=3).map(lambda found: tuple(sorted(found)))


@st.composite
def toolsets(draw: st.DrawFn) -> Toolset:
    layers = [
        LockedLayer(
            name=name,
            path=draw(TEXTS),
            scope=draw(st.sampled_from(Scope)),
            introspect=draw(st.sampled_from(Introspect)),
        )
        for name in draw(st.permutations(LAYER_NAMES))
    ]
    digests = st.builds(Digest, sha256=st.from_regex(r"[0-9a-f]{64}", fullmatch=True), executable=st.booleans())
    sources = st.tuples(st.just("tools"), st.sampled_from(LAYER_NAMES), PATHS).map("/".join)
    files = draw(st.dictionaries(sources, digests, max_size=4))
    python = draw(
        st.dictionaries(
            WORDS,
            st.builds(
                Environment,
                requires_python=TEXTS,
                requirements=WORDS.map(lambda word: f"requirements/{word}.txt").filter(
                    lambda path: path_problem(path) is None
                ),
                packages=st.dictionaries(WORDS, WORDS, max_size=2),
            ),
            max_size=2,
        )
    )
    files |= {environment.requirements: draw(digests) for environment in python.values()}
    shipped = sorted(path for path in files if path.startswith("tools/"))
    tools = {name: draw(tool(name, shipped, sorted(python))) for name in draw(st.lists(TOOL_NAMES, max_size=3))}
    return Toolset(
        name=draw(TEXTS),
        version=draw(st.none() | TEXTS),
        host=draw(WORDS),
        layers=tuple(layers),
        builtins=draw(
            st.none()
            | st.builds(
                LockedBuiltins, policy=st.sampled_from(ClashPolicy), overridden=names(WORDS), removed=names(WORDS)
            )
        ),
        subsets=draw(st.dictionaries(WORDS, names(st.sampled_from(sorted(tools)))) if tools else st.just({})),
        tools=tools,
        hidden=draw(st.dictionaries(TEXTS, shadows(Reason.BUILTIN, Reason.DISABLED), max_size=2)),
        python=python,
        files=files,
    )


@st.composite
def tool(draw: st.DrawFn, name: str, shipped: list[str], environments: list[str]) -> Tool:
    python = draw(st.booleans())
    kinds = st.sampled_from(["positional", "keyword", "*", "**"])
    return Tool(
        name=name,
        description=draw(TEXTS),
        input_schema=draw(SCHEMAS),
        output_schema=draw(st.none() | SCHEMAS),
        annotations=draw(st.dictionaries(WORDS, JSON, max_size=2)),
        permission=draw(st.sampled_from(Level)),
        entry=PythonEntry(
            module=".".join(draw(st.lists(WORDS, min_size=1, max_size=2))),
            function=draw(WORDS),
            is_async=draw(st.booleans()),
            arguments=draw(st.dictionaries(TEXTS, st.builds(Argument, parameter=TEXTS, kind=kinds), max_size=2)),
            conversions=draw(st.dictionaries(TEXTS, TEXTS, max_size=2)),
        )
        if python
        else CommandEntry(argv=tuple(draw(st.lists(TEXTS, min_size=1, max_size=3)))),
        mode=draw(st.sampled_from(Mode)) if python else Mode.WORKER,
        env_policy=draw(st.sampled_from(EnvPolicy)),
        env=draw(names(st.from_regex(r"[A-Z_]{1,6}[?]?", fullmatch=True))),
        timeout_s=draw(st.integers(1, 600) | st.floats(0.001, 600)),
        background=draw(st.sampled_from(Background)),
        environment=draw(st.sampled_from([None, *environments])),
        origin=Origin(
            layer=draw(st.sampled_from(LAYER_NAMES)), path=draw(PATHS), shadows=draw(shadows(Reason.PRECEDENCE))
        ),
        sources=draw(names(st.sampled_from(shipped))) if shipped else (),
    )


@few
@given(toolsets())
def test_decoding_what_was_encoded_gives_the_same_toolset(toolset: Toolset) -> None:
    data = lock.encode(toolset)

    assert lock.decode(data) == toolset
    assert lock.encode(lock.decode(data)) == data
    assert lock.foreign_keys(data) == ()


@few
@given(toolsets())
def test_every_lock_is_valid_by_its_schema(toolset: Toolset) -> None:
    jsonschema.Draft202012Validator(schema("toolset")).validate(json.loads(lock.encode(toolset)))


@few
@given(toolsets())
def test_a_lock_is_lines_of_visible_text(toolset: Toolset) -> None:
    text = lock.encode(toolset).decode()

    assert text.endswith("}\n")
    assert "\r" not in text
    assert not INVISIBLE.search(text)
    # One fact a line: a line holds a value, or opens or closes what the next ones hold.
    assert all(line == line.rstrip() and len(line) - len(line.lstrip()) in range(0, 64, 2) for line in text.split("\n"))


# --------------------------------------------------------------------------------------------------- spelling, order


def encoded_tool(**fields: Any) -> str:
    plain = replace(LINT, **fields)
    return lock.encode(replace(ACME, tools={"run-linter": plain}, subsets={})).decode()


@pytest.mark.parametrize(
    ("character", "spelled"),
    [
        pytest.param("\U000e0072", "\\udb40\\udc72", id="tag"),
        pytest.param("\u202e", "\\u202e", id="bidi-override"),
        pytest.param("\u200b", "\\u200b", id="zero-width-space"),
        pytest.param("\u200d", "\\u200d", id="joiner"),
        pytest.param("\ufe0f", "\\ufe0f", id="variation-selector"),
        pytest.param("\u2028", "\\u2028", id="line-separator"),
        pytest.param("\ue000", "\\ue000", id="private-use"),
        pytest.param("\x7f", "\\u007f", id="delete"),
        pytest.param("\x85", "\\u0085", id="c1"),
        pytest.param("\x1b", "\\u001b", id="escape"),
        pytest.param("\t", "\\t", id="tab"),
        pytest.param("é 日本 😀", "é 日本 😀", id="visible-text-stays"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out_wherever_it_stands(character: str, spelled: str) -> None:
    text = encoded_tool(
        description=f"a{character}b", input_schema={"type": "object", "properties": {f"k{character}": {}}}
    )

    assert f'"a{spelled}b"' in text
    assert f'"k{spelled}": {{}}' in text
    assert lock.decode(text.encode()).tools["run-linter"].description == f"a{character}b"


@pytest.mark.parametrize(
    ("number", "spelled"),
    [
        pytest.param(25.0, "25", id="whole-float"),
        pytest.param(-0.0, "0", id="minus-zero"),
        pytest.param(0.1, "0.1", id="shortest"),
        pytest.param(9007199254740993, "9007199254740993", id="beyond-doubles"),
        pytest.param(1e-7, "1e-07", id="small"),
    ],
)
def test_numbers_have_one_spelling(number: float, spelled: str) -> None:
    assert f'"default": {spelled}\n' in encoded_tool(input_schema={"type": "object", "default": number})


def test_not_a_number_is_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encoded_tool(input_schema={"default": float("nan")})


def test_what_the_model_sees_keeps_its_order_and_definitions_are_sorted() -> None:
    written = {
        "type": "object",
        "properties": {"z": {"enum": ["b", "a"]}, "$defs": {"y": 1, "x": 2}, "a": {"$defs": {"q": {}, "p": {}}}},
        "required": ["z", "a"],
        "$defs": {"B": {"properties": {"n": {}, "m": {}}}, "A": {}},
    }
    text = encoded_tool(input_schema=written)
    tool = json.loads(text)["tools"]["run-linter"]["input_schema"]

    assert list(tool["properties"]) == ["z", "$defs", "a"]
    assert list(tool["properties"]["$defs"]) == ["y", "x"]  # a parameter of that name, not the keyword
    assert list(tool["properties"]["a"]["$defs"]) == ["p", "q"]
    assert tool["properties"]["z"]["enum"] == ["b", "a"]
    assert tool["required"] == ["z", "a"]
    assert list(tool["$defs"]) == ["A", "B"]
    assert list(tool["$defs"]["B"]["properties"]) == ["n", "m"]


def test_names_are_sorted_by_code_point() -> None:
    # UTF-16 units would put the astral name first.
    files = {f"tools/local/{name}": Digest(sha256="a" * 64) for name in ("\U00010000", "\uff5e", "Z", "a")}
    text = lock.encode(replace(Toolset(name="x"), layers=(LOCAL,), files=files)).decode()

    assert list(json.loads(text)["files"]) == [f"tools/local/{name}" for name in ("Z", "a", "\uff5e", "\U00010000")]


def test_the_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    (tmp_path / "acme.json").write_bytes(lock.encode(ACME))
    program = (
        "import sys; from toolc import lock; from pathlib import Path;"
        "sys.stdout.buffer.write(lock.encode(lock.decode(Path(sys.argv[1]).read_bytes())))"
    )
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", program, tmp_path / "acme.json"],
            env={"PYTHONHASHSEED": seed, "LC_ALL": "C"},
            capture_output=True,
            check=True,
        )
        assert ran.stdout == lock.encode(ACME)


# ---------------------------------------------------------------------------------------------------- what is refused

Edit = Callable[[dict[str, Any]], object]


def edited(edit: Edit) -> bytes:
    """The lock of `ACME` after a change that keeps it canonically spelled."""
    data = json.loads(ACME_LOCK)
    edit(data)
    return lock.write.spell(data).encode()


def set_in(*steps: str | int, to: Any) -> Edit:
    def edit(data: Any) -> None:
        for step in steps[:-1]:
            data = data[step]
        data[steps[-1]] = to

    return edit


def drop(*steps: str) -> Edit:
    def edit(data: Any) -> None:
        for step in steps[:-1]:
            data = data[step]
        del data[steps[-1]]

    return edit


EXECUTION = ("tools", "search", "execution")


@pytest.mark.parametrize(
    ("edit", "code", "message"),
    [
        pytest.param(set_in("lock_version", to=2), "LOCK_TOO_NEW", "version 2", id="newer"),
        pytest.param(set_in("requires", to=["pylock"]), "LOCK_REQUIRES_MORE", "`pylock`", id="requires"),
        pytest.param(set_in(*EXECUTION, "sandbox", to=True), "LOCK_UNKNOWN_FACT", "`sandbox`", id="execution-key"),
        pytest.param(
            set_in("tools", "search", "permission", to={"level": "ask"}),
            "LOCK_SHAPE",
            "is not a string",
            id="permission",
        ),
        pytest.param(
            set_in("tools", "search", "permission", to="sometimes"), "LOCK_SHAPE", "`sometimes`", id="permission-word"
        ),
        pytest.param(set_in(*EXECUTION, "kind", to="wasm"), "LOCK_SHAPE", "`kind`", id="execution-kind"),
        pytest.param(drop(*EXECUTION, "env"), "LOCK_SHAPE", "lacks `env`", id="missing-key"),
        pytest.param(drop("lock_version"), "LOCK_SHAPE", "lacks `lock_version`", id="no-version"),
        pytest.param(set_in("lock_version", to=True), "LOCK_SHAPE", "is not a whole number", id="version-true"),
        pytest.param(set_in("lock_version", to=0), "LOCK_SHAPE", "is below 1", id="version-zero"),
        pytest.param(set_in(*EXECUTION, "timeout_s", to=0), "LOCK_SHAPE", "seconds above 0", id="no-time"),
        pytest.param(set_in(*EXECUTION, "async", to=1), "LOCK_SHAPE", "neither true nor false", id="async-one"),
        pytest.param(
            set_in(*EXECUTION, "arguments", "pattern", to=["p", "?"]), "LOCK_SHAPE", "one of", id="argument-kind"
        ),
        pytest.param(
            set_in("tools", "run-linter", "execution", "argv", to=[]), "LOCK_SHAPE", "no program", id="empty-argv"
        ),
        pytest.param(
            set_in("tools", "search", "description", to=["a\nb"]), "LOCK_SHAPE", "more than one line", id="long-line"
        ),
        pytest.param(set_in("tools", "search", "description", to="a"), "LOCK_SHAPE", "not a list", id="no-lines"),
        pytest.param(set_in("layers", 1, "name", to="team"), "LOCK_SHAPE", "layer twice", id="layer-twice"),
        pytest.param(
            set_in("tools", "search", "origin", "layer", to="gone"), "LOCK_SHAPE", "`gone`", id="unknown-layer"
        ),
        pytest.param(drop("files", "tools/local/search.py"), "LOCK_SHAPE", "/files", id="source-not-in-files"),
        pytest.param(drop("files", "requirements/default.txt"), "LOCK_SHAPE", "/files", id="requirements-not-in-files"),
        pytest.param(set_in("subsets", "reviewer", to=["gone"]), "LOCK_SHAPE", "`gone`", id="subset-of-nothing"),
        pytest.param(set_in(*EXECUTION, "environment", to="gone"), "LOCK_SHAPE", "`gone`", id="unknown-environment"),
        pytest.param(
            set_in("files", "tools/local/search.py", to="md5:0"), "LOCK_SHAPE", "64 digits", id="another-digest"
        ),
        pytest.param(set_in("tools", "../bin", to={}), "LOCK_UNSAFE_NAME", "no tool can have", id="tool-name-up"),
        pytest.param(set_in("tools", "-x", to={}), "LOCK_UNSAFE_NAME", "no tool can have", id="tool-name-option"),
        pytest.param(set_in("layers", 0, "name", to=".."), "LOCK_UNSAFE_NAME", "name of a layer", id="layer-name-up"),
        pytest.param(set_in("subsets", "..", to=[]), "LOCK_UNSAFE_NAME", "folder's", id="subset-name-up"),
        pytest.param(set_in(*EXECUTION, "module", to="..x"), "LOCK_UNSAFE_NAME", "a module", id="module-up"),
        pytest.param(set_in(*EXECUTION, "module", to="/etc/x"), "LOCK_UNSAFE_NAME", "a module", id="module-path"),
        pytest.param(
            set_in("files", "toolset.json", to="sha256:" + "0" * 64), "LOCK_UNSAFE_NAME", "layer", id="file-elsewhere"
        ),
        pytest.param(
            set_in("files", "tools/gone/x", to="sha256:" + "0" * 64), "LOCK_UNSAFE_NAME", "layer", id="file-of-no-layer"
        ),
        *(
            pytest.param(
                set_in("tools", "search", "sources", 0, to=path), "LOCK_UNSAFE_NAME", "path", id=f"source-{path}"
            )
            for path in (
                "/etc/passwd",
                "tools/../../x",
                "tools//x",
                "./tools/x",
                "C:/x",
                "tools\\x",
                "bin/x",
                "",
                "tools/x\x00",
            )
        ),
    ],
)
def test_a_lock_that_a_stranger_wrote(edit: Edit, code: str, message: str) -> None:
    with pytest.raises(lock.LockError) as raised:
        lock.decode(edited(edit), path="some/toolset.json")

    assert raised.value.code == getattr(codes, code).id
    assert raised.value.exit_status == 3
    assert str(raised.value).startswith("some/toolset.json:")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("spoil", "code", "line"),
    [
        pytest.param(lambda text: "\ufeff" + text, "LOCK_NOT_JSON", 1, id="byte-order-mark"),
        pytest.param(lambda text: text[:-3], "LOCK_NOT_JSON", None, id="cut-short"),
        pytest.param(lambda text: text[:0], "LOCK_NOT_JSON", None, id="empty"),
        pytest.param(lambda text: "[" * 100_000 + text, "LOCK_NOT_JSON", 1, id="deep"),
        pytest.param(
            lambda text: text.replace('"host": "aru"', '"host": "aru",\n  "host": "none"'),
            "LOCK_NOT_JSON",
            7,
            id="twice",
        ),
        pytest.param(lambda text: text.replace("0.5", "NaN"), "LOCK_NOT_JSON", None, id="nan"),
        pytest.param(lambda text: text.replace("0.5", "1" * 5000), "LOCK_NOT_JSON", None, id="long-number"),
        pytest.param(lambda text: text.replace("Lint.", "\\ud800"), "LOCK_NOT_JSON", None, id="half-a-character"),
        pytest.param(lambda text: text.replace("\n", "\r\n"), "LOCK_CARRIAGE_RETURNS", 1, id="carriage-returns"),
        pytest.param(
            lambda text: text.replace('  "host"', '<<<<<<< HEAD\n  "host"'), "LOCK_CONFLICT", 6, id="conflict"
        ),
        pytest.param(
            lambda text: text.replace('  "host"', '<<<<<<< HEAD\n  "host"').replace("\n", "\r\n"),
            "LOCK_CONFLICT",
            6,
            id="conflict-with-carriage-returns",
        ),
        pytest.param(lambda text: text.replace("  ", "    "), "LOCK_NOT_CANONICAL", 2, id="indented-by-four"),
        pytest.param(lambda text: text[:-1], "LOCK_NOT_CANONICAL", None, id="no-last-line-end"),
        pytest.param(lambda text: text + "\n", "LOCK_NOT_CANONICAL", None, id="a-line-more"),
        pytest.param(lambda text: text.replace("25,", "25.0,"), "LOCK_NOT_CANONICAL", None, id="float"),
        pytest.param(lambda text: text.replace("acme", "\\u0061cme"), "LOCK_NOT_CANONICAL", 4, id="escaped-letter"),
        pytest.param(
            lambda text: text.replace('  "requires": [],\n', "").replace(
                '  "host": "aru",\n', '  "host": "aru",\n  "requires": [],\n'
            ),
            "LOCK_NOT_CANONICAL",
            3,
            id="another-order",
        ),
        pytest.param(
            lambda text: text.replace(
                '        "kind": "command"', '        "async": false,\n        "kind": "command"'
            ),
            "LOCK_UNKNOWN_FACT",
            None,
            id="a-key-of-the-other-kind",
        ),
        pytest.param(
            lambda text: text.replace('"async": true', '"async": false'), "LOCK_NOT_CANONICAL", None, id="spelt-default"
        ),
    ],
)
def test_a_lock_that_was_edited_or_mangled(spoil: Callable[[str], str], code: str, line: int | None) -> None:
    with pytest.raises(lock.LockError) as raised:
        lock.decode(spoil(ACME_LOCK).encode())

    assert raised.value.code == getattr(codes, code).id
    if line is not None:
        assert getattr(raised.value, "line", None) == line


def test_a_lock_in_another_encoding() -> None:
    with pytest.raises(lock.LockError) as raised:
        lock.decode(ACME_LOCK.replace("Lint.", "Prüfen.").encode("latin-1"))

    assert raised.value.code == codes.LOCK_NOT_UTF8.id


def test_a_conflict_says_what_to_do() -> None:
    with pytest.raises(lock.LockError, match="run `toolc lock --resolve`"):
        lock.decode(b"{\n<<<<<<< HEAD\n")


def test_a_message_never_prints_what_cannot_be_seen() -> None:
    with pytest.raises(lock.LockError) as raised:
        lock.decode(edited(set_in("tools", "search", "permission", to="al\u202elow\x1b[2J")))

    assert str(raised.value).isprintable()


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_bytes_end_in_anything_but_a_lock_error(data: bytes) -> None:
    with pytest.raises(ToolcError):
        lock.decode(data)


# ------------------------------------------------------------------------------------------------ newer locks, merges


def test_unknown_keys_elsewhere_are_passed_over_and_named_for_the_writer() -> None:
    def edit(data: Any) -> None:
        data["provenance"] = {"builder": 1}
        data["tools"]["search"]["deprecated"] = True

    data = edited(edit)

    assert lock.decode(data) == ACME
    assert lock.foreign_keys(data) == ("/provenance", "/tools/search/deprecated")
    assert "`/provenance`" in str(lock.ForeignKeys("toolset.json", keys=lock.foreign_keys(data)))


def test_what_stands_in_a_schema_is_never_foreign() -> None:
    toolset = replace(ACME, tools={**ACME.tools, "run-linter": replace(LINT, input_schema={"x-vendor": {"a": [1]}})})

    assert lock.foreign_keys(lock.encode(toolset)) == ()


def merged(tmp_path: Path, base: Toolset, ours: Toolset, theirs: Toolset) -> tuple[int, bytes]:
    """What git makes of two branches of a lock, with no driver."""
    paths = []
    for name, toolset in (("ours", ours), ("base", base), ("theirs", theirs)):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(lock.encode(toolset))
    ran = subprocess.run(["git", "merge-file", "-p", *paths], capture_output=True, check=False)
    return ran.returncode, ran.stdout


def tool_named(name: str) -> Tool:
    return replace(SEARCH, name=name, environment=None)


EIGHT = replace(
    ACME,
    python={},
    subsets={},
    files={path: digest for path, digest in ACME.files.items() if path.startswith("tools/")},
    tools={name: tool_named(name) for name in ("alpha", "beta", "delta", "eps", "gamma", "kappa", "mu", "zeta")},
)


def with_tools(*tools: Tool) -> Toolset:
    return replace(EIGHT, tools={**EIGHT.tools, **{tool.name: tool for tool in tools}})


def without_tools(*names: str) -> Toolset:
    return replace(EIGHT, tools={name: tool for name, tool in EIGHT.tools.items() if name not in names})


LINES = [f"Line {number}." for number in range(8)]


def described(first: str, last: str) -> Tool:
    return replace(tool_named("beta"), description="\n".join([first, *LINES, last]))


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "wanted"),
    [
        pytest.param(
            EIGHT,
            with_tools(tool_named("bison")),
            with_tools(tool_named("omega")),
            with_tools(tool_named("bison"), tool_named("omega")),
            id="two-tools-added",
        ),
        pytest.param(
            EIGHT,
            without_tools("beta"),
            with_tools(replace(tool_named("mu"), permission=Level.DENY)),
            replace(
                with_tools(replace(tool_named("mu"), permission=Level.DENY)),
                tools={**without_tools("beta").tools, "mu": replace(tool_named("mu"), permission=Level.DENY)},
            ),
            id="one-removed-one-changed",
        ),
        pytest.param(
            EIGHT,
            with_tools(replace(tool_named("beta"), timeout_s=60)),
            with_tools(replace(tool_named("beta"), description="Another text.")),
            with_tools(replace(tool_named("beta"), timeout_s=60, description="Another text.")),
            id="two-fields-of-one-tool",
        ),
        pytest.param(
            with_tools(described("a", "z")),
            with_tools(described("A", "z")),
            with_tools(described("a", "Z")),
            with_tools(described("A", "Z")),
            id="two-lines-of-one-description",
        ),
    ],
)
def test_git_merges_two_branches_into_the_canonical_lock_of_both(
    tmp_path: Path, base: Toolset, ours: Toolset, theirs: Toolset, wanted: Toolset
) -> None:
    status, data = merged(tmp_path, base, ours, theirs)

    assert status == 0
    assert data == lock.encode(wanted)


def test_a_merge_that_git_cannot_do_is_named_as_one(tmp_path: Path) -> None:
    status, data = merged(
        tmp_path,
        EIGHT,
        with_tools(replace(tool_named("beta"), timeout_s=60)),
        with_tools(replace(tool_named("beta"), timeout_s=90)),
    )

    assert status == 1
    with pytest.raises(lock.LockError) as raised:
        lock.decode(data)
    assert raised.value.code == codes.LOCK_CONFLICT.id
