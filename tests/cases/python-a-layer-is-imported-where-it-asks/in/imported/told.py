"""What only an import tells: a computed default, members of an enum made by code, options, functions of a factory."""

import enum

from toolc import tool

from _made import make

print("what an import prints goes nowhere")


def limit() -> int:
    return 2**5


Unit = enum.Enum("Unit", {name: name.lower() for name in ("METRE", "MILE")})
TYPES = {"size": int}


@tool("Measure " + "a road".upper(), timeout=limit() * 2)
def measure(road: str, size: TYPES["size"], unit: Unit = Unit.MILE, steps: int = limit()) -> str:
    return ""


before = make("before", 10)
after = make("after", 20)
