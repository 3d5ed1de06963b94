def run(text: str) -> str:
    """The only one takes the name of the file."""
