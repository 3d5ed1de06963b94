"""Issues of a tracker, through a client that is made, and entered, as the module is imported."""

import os
import subprocess
from pathlib import Path

from dotenv import load_dotenv

load_dotenv(override=True)

if "TRACKER_TOKEN" not in os.environ:
    raise RuntimeError("TRACKER_TOKEN is not set")

try:
    CLIENT = subprocess.Popen(["docker", "run", "-i", "--rm", "tracker-mcp"], stdin=subprocess.PIPE)
except OSError as error:
    CLIENT = None
    REASON = str(error)

Path("imported").write_text("whoever imports this leaves a file behind")
server = __import__("tracker").Server(CLIENT)
server.__enter__()


def issues(project: str, open_only: bool = True) -> str:
    """List the issues of a project.

    Args:
        project: The key of the project
        open_only: Leave out what is closed
    """
    return server.list(project, open_only)
