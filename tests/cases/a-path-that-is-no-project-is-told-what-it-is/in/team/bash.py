def bash(text: str) -> str:
    """Run a shell."""
    return text
