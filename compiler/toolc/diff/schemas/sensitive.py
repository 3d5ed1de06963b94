"""Tell from a name what a parameter can reach: the name of a property goes in, subjects come out."""

from __future__ import annotations

import re
from enum import Enum, auto


class Subject(Enum):
    """What a parameter can reach."""

    PATH = auto()
    HOST = auto()
    COMMAND = auto()
    SECRET = auto()
    ACCOUNT = auto()


# Words that a name is made of: `output_path`, `outputPath` and `path` all speak of a path.
_WORDS: dict[Subject, frozenset[str]] = {
    Subject.PATH: frozenset(
        {"path", "paths", "file", "files", "filename", "filepath", "dir", "dirs", "directory", "folder", "root", "cwd"}
        | {"workdir", "glob", "dest", "destination", "output"}
    ),
    Subject.HOST: frozenset(
        {"url", "urls", "uri", "uris", "host", "hosts", "hostname", "domain", "endpoint", "address", "ip", "port"}
        | {"proxy", "server", "origin", "webhook", "callback", "redirect"}
    ),
    Subject.COMMAND: frozenset(
        {"command", "commands", "cmd", "exec", "execute", "shell", "script", "code", "eval", "args", "argv", "flags"}
        | {"options", "sql", "expression", "template", "program", "binary", "env", "environment", "hook"}
    ),
    Subject.SECRET: frozenset(
        {"token", "tokens", "secret", "secrets", "password", "passwd", "passphrase", "key", "apikey", "credential"}
        | {"credentials", "auth", "authorization", "cookie", "cookies", "session", "header", "headers"}
    ),
    Subject.ACCOUNT: frozenset(
        {
            "sudo",
            "root",
            "admin",
            "user",
            "role",
            "permission",
            "permissions",
            "force",
            "recursive",
            "unsafe",
            "insecure",
        }
        | {"verify", "recipient", "recipients", "to", "cc", "bcc"}
    ),
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def subjects(name: str) -> frozenset[Subject]:
    """What a property's name speaks of."""
    words = {word.lower() for word in _WORD.findall(name)}
    return frozenset(subject for subject, known in _WORDS.items() if words & known)
