"""Exceptions for what no edit of a tool file would cure. Each builds its text from its attributes."""


class ToolcError(Exception):
    """Something outside the user's tool files stops the command; `exit_status` follows the table of the command line."""

    exit_status = 3
    code: str = "TC700"
