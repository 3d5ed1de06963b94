def salutation(name: str) -> str:
    """Greet someone in writing."""
    return f"""\
        Dear {name},
        """
