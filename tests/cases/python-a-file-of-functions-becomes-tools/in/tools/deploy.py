import httpx
from aru.plugins import tool


@tool(
    description="Deploy the current branch to an environment.",
    permission="ask",
    timeout=2 * 60,
    background="keep",
    annotations={"destructiveHint": True, "title": "Deploy"},
)
async def deploy(environment: str = "staging", /, *services: str, **labels: str):
    """Not this text."""
    async with httpx.AsyncClient() as client:
        return (await client.post(environment, json=[services, labels])).json()
