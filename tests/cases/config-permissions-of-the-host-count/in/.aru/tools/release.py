def build(target: str) -> str:
    """Build a target."""
    return target


def deploy(environment: str) -> str:
    """Deploy to an environment."""
    return environment


def publish(version: str) -> str:
    """Publish a version."""
    return version


def rollback(version: str) -> str:
    """Go back to a version."""
    return version


def wipe(path: str) -> str:
    """Remove a folder."""
    return path
