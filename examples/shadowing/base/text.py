def summarize(text: str) -> str:
    """Return the first line of a text."""
    return text.splitlines()[0]


def lint(path: str) -> str:
    """Check a file's style."""
    return f"{path}: no findings"
