"""Reads a variable that a build does not have."""

import os

TOKEN = os.environ["SERVICE_TOKEN"]


def fetch(page: str) -> str:
    """Fetch a page."""
    return TOKEN
