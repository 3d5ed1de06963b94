"""Asks before it acts, on the standard input or on the terminal itself, if a variable says so."""

import os


def deploy(target: str) -> str:
    """Deploy to a target."""
    if os.environ.get("DEPLOY_INTERACTIVE", "true") == "true":
        answer = input(f"Deploy to {target}? [y/N] ")
        return f"asked, and got {answer!r}"
    return "deployed"


def log_in(user: str) -> str:
    """Log in with a password."""
    try:
        with open("/dev/tty") as terminal:
            return terminal.readline()
    except OSError:
        return "there is no terminal to ask on"
