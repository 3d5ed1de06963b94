"""Files made to break a compiler, and what checking them takes.

    python hostile.py [WORD]

checks each case in a process of its own, those with the word in their names, and prints its time, its peak memory and
what is said. A case is the files of a layer, and the code of one of the diagnostics; one without a code is odd and
sound, and compiles without an error. The files are written by small programs, when they are asked for.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from commands import environment

HANG_S = 30
CONFIG = '[toolset]\nuser-layers = "exclude"\n[[layers]]\nname = "tools"\npath = "tools"\n'

# Starts the command and waits for it alone: what a process may count to its own peak is this small one's, no more.
MEASURE = """\
import os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(pid, 0)
with open(sys.argv[1], "w") as file:
    print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss, file=file)
"""

HEAD = """\
from __future__ import annotations
from dataclasses import dataclass
from enum import Enum, auto
from typing import *

T = TypeVar("T")
"""
SYNTAX, TOO_COMPLEX, TOO_LARGE_FILE, NOT_UTF8, TOO_LARGE = "TC401", "TC404", "TC205", "TC206", "TC447"
NO_JSON, UNRESOLVED, UNTYPED, NOT_STATIC, UNDOCUMENTED = "TC430", "TC431", "TC433", "TC436", "TC451"

Files = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Case:
    """Files of a layer, and a code among what is said of them; None where they compile."""

    code: str | None
    write: Callable[[], str | bytes | Files]

    @property
    def files(self) -> Files:
        """The files by path."""
        written = self.write()
        return written if isinstance(written, Mapping) else {"tools.py": written}


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What became of `toolc check`."""

    status: int
    codes: list[str]
    errors: int
    stderr: str
    cpu_s: float
    peak_mib: float


def each(count: int, text: Callable[[int], str]) -> str:
    """The texts for the numbers below a count."""
    return "".join(map(text, range(count)))


def member(number: int) -> str:
    return f"  m{number} = {number}\n"


def model_of_models(number: int) -> str:
    fields = each(120, lambda i: f"  x{i}: C{i}\n")
    return f"@dataclass\nclass C{number}:\n{fields}"


def nested_class(number: int) -> str:
    return f"{' ' * number}class C{number}(Enum):\n"


def tool(annotation: str = "str", default: str = "", *, before: str = "", doc: str = "Do it.") -> str:
    """A file with one tool that takes one parameter."""
    given = f" = {default}" if default else ""
    return f'{HEAD}{before}\ndef work(value: {annotation}{given}) -> str:\n    """{doc}"""\n    return ""\n'


def chain(count: int, first: str, link: str) -> str:
    """Assignments `A0 = first`, `A1 = link`, and so on, with the name before in place of `@`."""
    return f"A0 = {first}\n" + each(count, lambda i: f"A{i + 1} = {link.replace('@', f'A{i}')}\n")


def documented(section: str) -> str:
    return tool(doc=f"Do it.\n\n{section}")


def branches(count: int, name: Callable[[int], str]) -> str:
    return each(count, lambda i: f"if x{i}:\n  def {name(i)}() -> str: 0\n")


def nested(code: str, opening: str, inner: str, closing: str) -> Case:
    """An expression within itself, as a default, as a type, and less deep in every place that is read."""
    deep = opening * 5_000 + inner + closing * 5_000
    shallow = opening * 80 + inner + closing * 80
    files = {
        "deep.py": tool("int", deep),
        "typed.py": tool(deep),
        "shallow.py": f"X = {shallow}\n@other({shallow})\ndef work(value: int = {shallow}) -> str:\n    'Do it.'\n",
    }
    return Case(code, lambda: files)


CASES: Mapping[str, Case] = {
    # ---------------------------------------------------------------------------------------------- sheer size
    "a-million-parentheses": Case(TOO_COMPLEX, lambda: tool("int", "(" * 10**6 + "1" + ")" * 10**6)),
    "a-literal-of-fifty-megabytes": Case(TOO_LARGE_FILE, lambda: "X = [" + "1," * 25_000_000 + "]\n"),
    "a-string-of-fifty-megabytes": Case(TOO_LARGE_FILE, lambda: f"X = '{'a' * 50_000_000}'\n"),
    "a-string-as-large-as-a-file": Case(None, lambda: tool("str", f"'{'a' * 1_900_000}'")),
    "a-type-in-quotes-as-large-as-a-file": Case(UNRESOLVED, lambda: tool(f"'{'a' * 1_900_000}'")),
    "a-name-as-large-as-a-file": Case("TC420", lambda: f"def {'a' * 1_900_000}() -> str: 'Do it.'\n"),
    "an-import-of-a-long-dotted-name": Case(TOO_COMPLEX, lambda: f"import {'.'.join('a' * 30_000)}\n{tool()}"),
    "an-import-of-thousands-of-names": Case(
        "TC460", lambda: f"import {','.join(f'a{i}' for i in range(30_000))}\n{tool()}"
    ),
    "ninety-thousand-dots": Case("TC462", lambda: f"from {'.' * 90_000} import x\n{tool()}"),
    "a-hundred-thousand-functions": Case(TOO_COMPLEX, lambda: each(100_000, lambda i: f"def f{i}(): pass\n")),
    "ten-thousand-tools": Case(TOO_LARGE, lambda: each(9_000, lambda i: f"def f{i}() -> str: 0\n")),
    "a-hundred-thousand-parameters": Case(TOO_COMPLEX, lambda: f"def f({each(100_000, lambda i: f'p{i},')}): 0\n"),
    "forty-thousand-parameters": Case(TOO_LARGE, lambda: f"def f({each(40_000, lambda i: f'p{i},')}) -> str: 0\n"),
    "a-hundred-thousand-fields": Case(
        TOO_COMPLEX, lambda: tool("M", before="class M(TypedDict):\n" + each(100_000, lambda i: f"  f{i}: int\n"))
    ),
    "twenty-thousand-fields": Case(
        TOO_LARGE, lambda: tool("M", before="class M(TypedDict):\n" + each(20_000, lambda i: f"  f{i}: int\n"))
    ),
    "a-hundred-thousand-members-of-an-enum": Case(
        TOO_COMPLEX, lambda: tool("E", before="class E(Enum):\n" + each(100_000, lambda i: f"  m{i} = {i}\n"))
    ),
    "fifteen-thousand-members-of-an-enum": Case(
        TOO_LARGE, lambda: tool("E", before="class E(Enum):\n" + each(15_000, lambda i: f"  m{i} = auto()\n"))
    ),
    "a-hundred-thousand-members-of-a-union": Case(TOO_COMPLEX, lambda: tool("int" + " | int" * 100_000)),
    "thousands-of-members-of-a-union": Case(
        None, lambda: tool(f"Union[{each(2_000, lambda i: f'tuple[Literal[{i}]],')}]")
    ),
    "a-hundred-thousand-values": Case(TOO_COMPLEX, lambda: tool(f"Literal[{each(100_000, lambda i: f'{i},')}]")),
    "forty-thousand-values": Case(TOO_LARGE, lambda: tool(f"Literal[{each(40_000, lambda i: f'{i},')}]")),
    "thousands-of-enums-in-parameters": Case(
        TOO_LARGE,
        lambda: (
            f"{HEAD}class E(Enum):\n{each(5_000, member)}"
            f"def work({each(900, lambda i: f'p{i}: E,')}) -> str: 'Do it.'\n"
        ),
    ),
    # ------------------------------------------------------------------------------------- deep nesting
    "nested-functions": Case(SYNTAX, lambda: each(500, lambda i: f"{' ' * i}def f{i}() -> str:\n") + " " * 500 + "0\n"),
    "a-long-chain-of-elif": Case(TOO_COMPLEX, lambda: "if a: 0\n" + each(15_000, lambda i: f"elif x{i}: 0\n")),
    "deep-lists": Case(TOO_LARGE, lambda: tool("list[" * 90 + "int" + "]" * 90)),
    "deep-lists-in-quotes": Case(UNRESOLVED, lambda: tool(f"'{'list[' * 20_000}int{']' * 20_000}'")),
    "quotes-in-quotes": Case(TOO_LARGE, lambda: tool("A500", before=chain(500, "'int'", "'@'"))),
    "nested-classes": Case(
        None,
        lambda: (
            f"{HEAD}{each(90, nested_class)}{' ' * 90}a = 1\n"
            f"def work(x: C0{each(89, lambda i: f'.C{i + 1}')}) -> str: 'Do it.'\n"
        ),
    ),
    # ------------------------------------------------------------------------- what grows when it is read
    "aliases-that-double": Case(TOO_LARGE, lambda: tool("A40", before=chain(40, "int", "tuple[@, @]"))),
    "unions-that-double": Case(TOO_LARGE, lambda: tool("A40", before=chain(40, "int", "list[@] | set[@]"))),
    "literals-that-double": Case(TOO_LARGE, lambda: tool("A40", before=chain(40, "Literal[1]", "Literal[@, @]"))),
    "bounds-that-double": Case(TOO_LARGE, lambda: tool("A40", before=chain(40, "int", "TypeVar('A', @, @)"))),
    "generic-aliases-that-double": Case(
        TOO_LARGE, lambda: tool("A40[int]", before=chain(40, "list[T]", "@[tuple[T, T]]"))
    ),
    "a-generic-model-that-grows": Case(
        TOO_LARGE, lambda: tool("M[int]", before="@dataclass\nclass M(Generic[T]):\n  x: M[list[T]] | None\n")
    ),
    "a-generic-model-that-doubles": Case(
        TOO_LARGE, lambda: tool("M[int]", before="@dataclass\nclass M(Generic[T]):\n  x: M[tuple[T, T]] | None\n")
    ),
    "models-of-all-models": Case(
        TOO_LARGE,
        lambda: tool("C0", before=each(120, model_of_models)),
    ),
    "constants-that-double": Case(NOT_STATIC, lambda: tool("list", "A60", before=chain(60, "[1]", "[@] * 2"))),
    "a-constant-repeated-in-a-list": Case(
        NOT_STATIC, lambda: tool("list", "[A0] * 60_000", before="A0 = 'a' * 60_000\n")
    ),
    "a-constant-in-every-default": Case(
        TOO_LARGE, lambda: f"A = 'a' * 60_000\ndef f({each(900, lambda i: f'p{i}: str = A,')}) -> str: 0\n"
    ),
    "a-long-chain-of-aliases": Case(TOO_LARGE, lambda: tool("A12000", before=chain(12_000, "int", "@"))),
    "a-long-chain-of-constants": Case(NOT_STATIC, lambda: tool("int", "A12000", before=chain(12_000, "1", "@"))),
    "a-power-of-ten": Case(NOT_STATIC, lambda: tool("int", "10**10000")),
    "a-tower-of-powers": Case(NOT_STATIC, lambda: tool("int", "9**9**9")),
    "a-long-shift": Case(NOT_STATIC, lambda: tool("int", "1 << 10**9")),
    "a-long-text": Case(NOT_STATIC, lambda: tool("str", "'a' * 10**9")),
    "a-long-list": Case(NOT_STATIC, lambda: tool("list", "[0] * 10**9")),
    "a-wide-format": Case(NOT_STATIC, lambda: tool("str", "'%1000000000s' % 'a'")),
    "a-number-of-a-million-digits-as-default": Case(NOT_STATIC, lambda: tool("int", f"0x{'f' * 10**6}")),
    "a-number-of-a-million-digits-as-value": Case(NO_JSON, lambda: tool(f"Literal[0x{'f' * 10**6}]")),
    "a-number-of-a-million-digits-as-type": Case(UNRESOLVED, lambda: tool(f"0x{'f' * 10**6}")),
    "a-number-of-a-million-digits-in-an-enum": Case(
        UNRESOLVED, lambda: tool("E", before=f"class E(Enum):\n  a = 0x{'f' * 10**6}\n")
    ),
    # ------------------------------------------------------------------------------------------ circles
    "aliases-of-each-other": Case(NO_JSON, lambda: tool("A", before="A = 'B'\nB = 'A'\n")),
    "constants-of-each-other": Case(NOT_STATIC, lambda: tool("int", "A", before="A = B\nB = A\n")),
    "bases-of-each-other": Case(
        NO_JSON, lambda: tool("A", before="@dataclass\nclass A(B): pass\n@dataclass\nclass B(A, A): pass\n")
    ),
    "a-class-that-derives-from-itself": Case(NO_JSON, lambda: tool("A", before="@dataclass\nclass A(A): x: int\n")),
    "bases-that-double": Case(
        NO_JSON,
        lambda: tool("C60", before="class C0: pass\n" + each(60, lambda i: f"class C{i + 1}(C{i}, C{i}): pass\n")),
    ),
    "enums-of-each-other": Case(
        UNRESOLVED, lambda: tool("A", before="class A(Enum):\n  a = B.a\nclass B(Enum):\n  a = A.a\n")
    ),
    "new-types-of-each-other": Case(NO_JSON, lambda: tool("A", before="A = NewType('A', B)\nB = NewType('B', A)\n")),
    "bounds-of-each-other": Case(
        NO_JSON, lambda: tool("A", before="A = TypeVar('A', bound='B')\nB = TypeVar('B', bound='A')\n")
    ),
    "imports-of-each-other": Case(
        UNRESOLVED, lambda: {"a.py": "from b import *\n" + tool("x"), "b.py": "from a import *\nfrom a import x\n"}
    ),
    "stars-of-all-files": Case(
        NO_JSON,
        lambda: {f"m{i}.py": each(40, lambda j: f"from m{j} import *\n") + tool("Thing") for i in range(40)},
    ),
    "a-thousand-files-that-import-each-other": Case(
        TOO_LARGE,
        lambda: {f"m{i}.py": f"from m{(i + 1) % 1000} import x\ndef f{i}() -> str: 0\n" for i in range(1000)},
    ),
    # --------------------------------------------------------------------------------------- docstrings
    "a-docstring-of-unknown-names": Case(
        UNDOCUMENTED, lambda: documented("    Args:\n" + each(25_000, lambda i: f"        v{i}: x\n"))
    ),
    "a-docstring-of-bullets": Case(None, lambda: documented("    Args:\n" + "        - value: x\n" * 20_000)),
    "a-docstring-of-headers": Case(None, lambda: documented("    Args:\n" * 40_000)),
    "a-docstring-of-rules": Case(None, lambda: documented("    Parameters\n    ---\n" * 20_000)),
    "a-docstring-of-fields": Case(None, lambda: documented("    :param value: x\n" * 15_000)),
    "a-docstring-of-parentheses": Case(None, lambda: documented("    Args:\n        value " + "(" * 90_000)),
    "a-docstring-of-closed-parentheses": Case(None, lambda: documented("    Args:\n        value " + "(a) " * 30_000)),
    "a-docstring-of-dashes": Case(None, lambda: documented("    Args:\n        value " + "- " * 90_000)),
    "a-docstring-of-blank-space": Case(None, lambda: documented("    Args:\n        value" + " " * 1_900_000 + "x\n")),
    "a-docstring-of-blank-lines": Case(None, lambda: documented("    Args:\n" + "        \n" * 200_000)),
    "a-docstring-of-one-word": Case(None, lambda: documented("    Args:\n        " + "value" * 300_000)),
    "a-docstring-of-tabs": Case(None, lambda: documented("\t" * 1_900_000)),
    "a-docstring-of-types": Case(None, lambda: documented(f"    Args:\n        value ({'int or ' * 40_000}int): x\n")),
    "a-docstring-of-choices": Case(
        None, lambda: documented("    Args:\n        value: x (choices: [" + "1," * 40_000 + "])\n")
    ),
    "a-docstring-of-invisible-characters": Case("TC453", lambda: documented("\u200b" * 90_000)),
    # --------------------------------------------------------------------------------------- characters
    "a-nul": Case(SYNTAX, lambda: b"def f() -> str: 'Do\0it.'\n"),
    "a-nul-in-an-escape": Case(UNRESOLVED, lambda: tool("'in\\x00t'")),
    "a-surrogate": Case(NOT_UTF8, lambda: b"X = '\xed\xa0\x80'\n"),
    "a-surrogate-in-an-escape": Case("TC453", lambda: tool("Literal['\\ud800']", doc="\\udfff")),
    "a-surrogate-as-a-name": Case(
        "TC420", lambda: "from toolc import tool\n@tool(name='\\ud800')\ndef f() -> str: 'Do it.'\n"
    ),
    "two-byte-order-marks": Case(SYNTAX, lambda: b"\xef\xbb\xbf" * 2 + tool().encode()),
    "a-byte-order-mark": Case(None, lambda: b"\xef\xbb\xbf" + tool().encode()),
    "utf-16": Case(NOT_UTF8, lambda: tool().encode("utf-16")),
    "utf-32": Case(NOT_UTF8, lambda: tool().encode("utf-32")),
    "an-encoding-that-is-not": Case("TC403", lambda: f"# coding: {'x' * 1_000_000}\n{tool()}"),
    "a-line-of-encodings": Case("TC403", lambda: "#" + "coding: " * 200_000 + f"\n{tool()}"),
    "form-feeds": Case(None, lambda: "\f\n" * 500_000 + tool()),
    "carriage-returns-alone": Case(None, lambda: tool().replace("\n", "\r")),
    "enormous-indentation": Case(None, lambda: f"if 1:\n{' ' * 1_900_000}def f() -> str: 'Do it.'\n"),
    "tabs-and-spaces": Case(SYNTAX, lambda: "if 1:\n\tx = 1\n        y = 2\n"),
    "lines-that-go-on": Case(TOO_COMPLEX, lambda: "def \\\n" + "\\\n" * 300_000 + "f() -> str: 'Do it.'\n"),
    # --------------------------------------------------------------------------------- many of one kind
    "branches-that-define-one-tool": Case("TC415", lambda: branches(4_500, lambda _: "f")),
    "branches-that-define-their-own": Case(TOO_LARGE, lambda: branches(4_500, "f{}".format)),
    "arms-of-a-match": Case("TC410", lambda: "match x:\n" + each(10_000, lambda i: f"  case {i}: f{i} = 1\n")),
    "tries": Case("TC410", lambda: each(6_000, lambda i: f"try:\n  x{i} = 1\nexcept E:\n  y{i} = 2\n")),
    "decorators": Case(None, lambda: "@x\n" * 40_000 + "def f() -> str: 'Do it.'\n"),
    "names-in-all-that-nothing-defines": Case(
        "TC416", lambda: "__all__ = [" + each(15_000, "'a{}',".format) + "]\ndef f() -> str: 0\n"
    ),
    "arguments-of-a-decorator": Case(
        "TC422",
        lambda: f"from toolc import tool\n@tool({each(15_000, 'a{}=1,'.format)})\ndef f() -> str: 'Do it.'\n",
    ),
    "pieces-of-an-f-string": Case(None, lambda: "def f() -> str:\n  f'" + "{x}" * 20_000 + "'\n"),
    "a-deep-script-block": Case("TC466", lambda: f"# /// script\n# x = {'[' * 40_000}\n# ///\n{tool()}"),
    "a-deep-manifest": Case(
        "TC301",
        lambda: {"x/tool.json": '{"parameters": ' + '{"properties": {"a": ' * 20_000 + "1" + "}}" * 20_000 + "}"},
    ),
}

NESTED: Mapping[str, tuple[str, str, str, str]] = {
    "parentheses": (SYNTAX, "(", "1", ")"),
    "lists": (SYNTAX, "[", "", "]"),
    "dictionaries": (SYNTAX, "{1:", "1", "}"),
    "calls-in-calls": (SYNTAX, "x(", "", ")"),
    "subscripts-in-subscripts": (SYNTAX, "x[", "0", "]"),
    "comprehensions": (SYNTAX, "[x for x in ", "y", "]"),
    "f-strings": (SYNTAX, "f'{", "1", "}'"),
    "negations": (TOO_COMPLEX, "-", "1", ""),
    "nots": (TOO_COMPLEX, "not ", "1", ""),
    "attributes": (TOO_COMPLEX, "", "x", ".a"),
    "calls": (TOO_COMPLEX, "", "x", "()"),
    "subscripts": (TOO_COMPLEX, "", "x", "[0]"),
    "sums": (TOO_COMPLEX, "1+", "1", ""),
    "powers": (TOO_COMPLEX, "1**", "1", ""),
    "conditions": (TOO_COMPLEX, "1 if x else ", "1", ""),
    "lambdas": (TOO_COMPLEX, "lambda: ", "1", ""),
    "comparisons": (UNRESOLVED, "1<", "1", ""),
    "ands": (UNRESOLVED, "x and ", "1", ""),
}


def write(case: Case, folder: Path) -> None:
    """Make a project of the files of a case."""
    (folder / "toolc.toml").write_text(CONFIG)
    for path, content in case.files.items():
        target = folder / "tools" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())


def check(case: Case, folder: Path) -> Checked:
    """Run `toolc check` on the files of a case, in a process of its own."""
    write(case, folder)
    used = folder / "used"
    command = [sys.executable, "-m", "toolc", "check", "-v", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, str(used), *command],
        cwd=folder,
        env=environment(folder / ".no-home"),
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
    )
    status, cpu_s, peak_kib = used.read_text().split()
    told = json.loads(done.stdout).get("diagnostics", []) if done.stdout else []
    return Checked(
        status=int(status),
        codes=[diagnostic["code"] for diagnostic in told],
        errors=sum(diagnostic["severity"] == "error" for diagnostic in told),
        stderr=done.stderr,
        cpu_s=float(cpu_s),
        peak_mib=float(peak_kib) / 1024,
    )


def cases() -> dict[str, Case]:
    """All cases by name."""
    return {**CASES, **{f"nested-{name}": nested(*parts) for name, parts in NESTED.items()}}


def main(word: str) -> None:
    """Print a line for each case."""
    for name, case in cases().items():
        if word in name:
            with tempfile.TemporaryDirectory() as folder:
                checked = check(case, Path(folder))
            told = " ".join(sorted(set(checked.codes))) or "compiles"
            print(f"{name:48} {checked.cpu_s:6.2f} s {checked.peak_mib:6.0f} MiB  {told}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
