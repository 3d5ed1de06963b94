"""A host needs the bundle alone: the runtime is in its `lib`. Give the model the definitions, call by name."""

import sys
from pathlib import Path

BUNDLE = Path(__file__).parent / "quickstart/dist/toolset"
sys.path.insert(0, str(BUNDLE / "lib"))

from toolc_runtime import ApprovalRequest, Toolset


def ask(request: ApprovalRequest) -> bool:
    return input(f"{request.tool} {request.arguments}: run it? [y/N] ") == "y"


with Toolset.load(BUNDLE, approve=ask) as tools:
    print(*sorted((tool["name"] for tool in tools.definitions("anthropic")), reverse=True), sep=", ")
    for arguments in ({"text": "two words"}, {"text": None}):
        result = tools.call("word_count", arguments)
        print("ok:" if result.ok else "not ok:", result)
