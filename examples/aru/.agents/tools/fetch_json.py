import asyncio
import json
from urllib.request import urlopen

from aru.plugins import tool


@tool(description="Fetch a JSON document from a URL and return its first 2000 characters")
async def fetch_json(url: str, timeout_s: float = 10) -> str:
    document = await asyncio.to_thread(read, url, timeout_s)
    return json.dumps(document, ensure_ascii=False)[:2000]


def read(url: str, timeout_s: float):
    with urlopen(url, timeout=timeout_s) as response:
        return json.load(response)
