def deploy(target: str) -> str:
    """Deploy."""
    return target
