"""Letters to customers. Hosts that take every function of a module they have imported offer `dedent` as well."""

from textwrap import dedent, indent
from urllib.parse import quote as url_quote

from _salutation import salutation


def letter(name: str, text: str) -> str:
    """Write a letter.

    Args:
        name: Who gets it
        text: What it says
    """
    return dedent(salutation(name)) + indent(text, "  ")
