import os

from toolc import tool

LIMIT = 5
LIMIT = 6


@tool(desciption="misspelt", retries=3)
def unknown() -> str:
    """Arguments there are not."""


@tool(
    f"in {os.sep}",
    timeout=LIMIT,
    name=os.environ["NAME"],
    **{"override": True},
)
def computed() -> str:
    """Arguments that would have to be computed."""


@tool(
    name=3,
    description=["a", "list"],
    override="yes",
    timeout=-1,
    permission="maybe",
    background="detach",
    annotations={"readonlyHint": True, "title": 3},
)
def wrong() -> str:
    """Values they cannot have."""


@tool(name="S3 Reader Tool")
def spaces() -> str:
    """A name that no provider takes."""
