from typing import Literal

from toolc import tool


@tool
def run(text: str, ending: Literal["!", "?"] = "!"):
    """Say a text loudly.
    Args:
        text (str): What to say.
        ending (Literal["!", "?"]): How it ends.

    Returns:
        str: The text.
    """
    return text.upper() + ending
