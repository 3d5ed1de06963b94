"""A tool is a function: its signature becomes the schema, its docstring the description."""


def word_count(text: str, unique: bool = False) -> str:
    """Count the words of a text. Use it before you quote a length.

    Args:
        text: The text to count.
        unique: Count each different word once, whatever its case.
    """
    words = text.lower().split()
    return str(len(set(words) if unique else words))
