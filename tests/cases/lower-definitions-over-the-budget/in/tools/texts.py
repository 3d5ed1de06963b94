def short(text: str) -> str:
    """Shorten a text."""
    return text


def long(text: str) -> str:
    """Lengthen a text.

    It says everything twice, and then once more, so that nobody can miss it; it adds examples where there were none,
    and explains the examples, and at the end it sums up what it has said and in which order.
    """
    return text
