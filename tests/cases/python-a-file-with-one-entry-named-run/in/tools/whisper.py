from typing import Literal


def run(text: str, ending: Literal[".", "..."]):
    """Say a text quietly.
    Args:
        text (str): What to say.
        ending (Literal[".", "..."]): How it ends.
    """
    return text.lower() + ending
