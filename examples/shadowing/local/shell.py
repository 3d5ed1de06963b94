import subprocess

from toolc import tool


@tool(override=True)
def bash(command: str) -> str:
    """Run a command in a plain POSIX shell. Replaces the host's `bash`."""
    run = ["sh", "-c", command]
    return subprocess.run(run, capture_output=True, text=True).stdout
