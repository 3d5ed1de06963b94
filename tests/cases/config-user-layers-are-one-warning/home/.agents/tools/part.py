def part(name: str) -> str:
    """Say goodbye to somebody by name."""
    return f"Goodbye, {name}"
