def leaves() -> str:
    """Its `include` leads out of the layer."""
