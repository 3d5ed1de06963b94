def get_weather(location: str) -> str:
    """Get the weather of a place.

    Args:
        location: The place
    """
    return "rain"
