from typing import Literal

Case = Literal["ignore", "respect"]


def split(text: str) -> list[str]:
    return text.split()
