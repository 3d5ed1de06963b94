"""Exceptions for what no edit of a tool file would cure. Each builds its text from its attributes."""


class ToolcError(Exception):
    """Something outside the tool files stops the command; `exit_status` is of the command line's table."""

    exit_status = 3
    code: str = "TC700"
