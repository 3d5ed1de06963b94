"""What a wrapper says of its tool: `--help` and `--schema`."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .jsontext import Json
    from .lockfile import LockedTool

_OPTIONS = """\
Options:
  --args JSON  the arguments, in place of standard input
  --yes        approve a tool whose permission is `ask`, for this call
  --schema     print the JSON Schema of the arguments
  --help       print this

Exit status: 0 done, 1 the tool failed or did not run, 2 the command line is not understood.
"""


def schema_text(tool: LockedTool) -> str:
    """The schema of the tool's arguments."""
    return json.dumps(tool.input_schema, indent=2, ensure_ascii=False) + "\n"


def help_text(tool: LockedTool) -> str:
    """What the tool does and what it takes."""
    rows = _parameters(tool.input_schema)
    takes = "\n".join(["Arguments, one JSON object on standard input:", *rows]) if rows else "It takes no arguments."
    return f"usage: {tool.name} [--args JSON] [--yes]\n\n{tool.description.strip()}\n\n{takes}\n\n{_OPTIONS}"


def _parameters(schema: dict[str, Json]) -> list[str]:
    properties = schema.get("properties")
    required = schema.get("required")
    if not isinstance(properties, dict):
        return []
    needed = required if isinstance(required, list) else []
    rows = []
    for name, inner in properties.items():
        row = f"  {name} ({_type(inner)}{', required' if name in needed else ''})"
        if isinstance(inner, dict):
            description = inner.get("description")
            if isinstance(description, str) and description.strip():
                row += f": {' '.join(description.split())}"
            if "default" in inner:
                row += f" [default: {json.dumps(inner['default'], ensure_ascii=False)}]"
        rows.append(row)
    return rows


def _type(schema: Json) -> str:
    if not isinstance(schema, dict):
        return "anything"
    enum = schema.get("enum")
    if isinstance(enum, list):
        return " | ".join(json.dumps(member, ensure_ascii=False) for member in enum)
    kind = schema.get("type")
    if kind == "array":
        return f"array of {_type(schema['items'])}" if "items" in schema else "array"
    if isinstance(kind, str):
        return kind
    if isinstance(kind, list):
        return " | ".join(str(name) for name in kind)
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return " | ".join(_type(branch) for branch in branches)
    reference = schema.get("$ref")
    return reference.rpartition("/")[2] if isinstance(reference, str) else "anything"
