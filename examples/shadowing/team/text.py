def summarize(text: str, sentences: int = 1) -> str:
    """Return the first sentences of a text. Shadows the base layer's `summarize`."""
    return ". ".join(text.split(". ")[:sentences])
