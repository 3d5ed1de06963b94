# /// script
# dependencies = ["polars>=1"]
# ///
import polars


def shape(path: str) -> str:
    """Tell the shape of a table."""
    return str(polars.read_csv(path).shape)
