import os

MAX_ROWS = 5 * 20
DEFAULT_REGION = os.environ.get("ORDER_REGION", "eu")
