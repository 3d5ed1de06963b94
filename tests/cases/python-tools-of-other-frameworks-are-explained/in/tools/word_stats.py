"""As Strands takes it: a description beside a function of the same name."""

TOOL_SPEC = {
    "name": "word_stats",
    "description": (
        "Count the words of a text, "
        "and how often each is there."
    ),
    "inputSchema": {
        "json": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        }
    },
}


def word_stats(tool_use, **kwargs):
    text = tool_use["input"]["text"]
    return {"toolUseId": tool_use["toolUseId"], "status": "success", "content": [{"text": str(len(text.split()))}]}
