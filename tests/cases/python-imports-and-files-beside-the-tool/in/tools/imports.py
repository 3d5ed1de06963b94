import json

import httpx
import yaml
from google.cloud import storage

import _near
import _stolen
from .. import above
from aru.runtime import get_ctx

try:
    import orjson
except ImportError:
    orjson = json


def imports() -> str:
    """Import all sorts of things."""
    import pandas
