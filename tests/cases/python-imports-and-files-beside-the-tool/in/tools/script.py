# /// script
# dependencies = ["httpx"
# ///


def script() -> str:
    """Its script block is not TOML."""
