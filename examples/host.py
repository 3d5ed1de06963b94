"""A host in ten lines: load a bundle, give the model its definitions, call by name."""

from pathlib import Path

from toolc_runtime import Toolset

bundle = Path(__file__).parent / "quickstart" / "dist" / "toolset"

with Toolset.load(bundle) as tools:
    print(*sorted((tool["name"] for tool in tools.definitions("anthropic")), reverse=True), sep=", ")
    for arguments in ({"text": "two words"}, {"text": None}):
        result = tools.call("word_count", arguments)
        print("ok:" if result.ok else "not ok:", result)
