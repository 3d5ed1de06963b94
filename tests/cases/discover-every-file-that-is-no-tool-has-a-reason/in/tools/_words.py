"""Helpers that tool files import."""

SEPARATOR = " "
