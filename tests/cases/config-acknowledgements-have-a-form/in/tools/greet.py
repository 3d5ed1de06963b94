def greet(name: str) -> str:
    """Greet somebody by name."""
    return f"Hello, {name}"
