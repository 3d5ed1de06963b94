"""Whether two texts of a file are one program: the bytes of both sides go in, yes, no or "cannot be told" comes out.

The files may be anyone's. They are parsed and never run, large ones are not parsed at all, and whatever this Python
cannot parse has changed.
"""

from __future__ import annotations

import ast
import hashlib
import re
import warnings

from toolc import jsontext
from toolc.lock.write import spell
from toolc.model import Digest

_LIMIT_BYTES = 256 << 10
# A file that looks at its own text can act on a comment or a docstring.
_READS_ITSELF = re.compile(
    rb"__doc__|getdoc|docopt|doctest|getsource|getcomments|__file__|__code__|__spec__|__loader__|linecache|tokenize"
    rb"|inspect|co_firstlineno|f_lineno|_getframe"
)
# Python reads the encoding from such a comment, and another encoding is another program.
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=]", re.MULTILINE)


def is_reformatting(path: str, old: bytes | None, new: bytes | None, was: Digest, now: Digest) -> bool | None:
    """Whether only comments, docstrings or layout differ; None where the files of the lock are not at hand."""
    if old is None or new is None:
        return None
    # A working tree may have moved on since its lock was written; then these are other files.
    if any(hashlib.sha256(data).hexdigest() != digest.sha256 for data, digest in ((old, was), (new, now))):
        return None
    if max(len(old), len(new)) > _LIMIT_BYTES:
        return False
    if path.endswith(".py"):
        before, after = _program(old), _program(new)
    elif path.endswith(".json"):
        before, after = _value(old), _value(new)
    else:
        return False
    return before is not None and before == after


def _program(data: bytes) -> str | None:
    """What Python makes of a source but for its docstrings; None where that cannot be said."""
    if _READS_ITSELF.search(data) or _COOKIE.search(data):
        return None
    try:
        text = data.decode("utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a string is the linter's business
            tree = ast.parse(text.removeprefix("\ufeff"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                _drop_docstring(node)
        return ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _drop_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            # A body cannot be empty, and one of a docstring alone does what `pass` does.
            node.body = rest or [ast.Pass()]


def _value(data: bytes) -> str | None:
    """What a JSON text says, its keys in their order; None where it is not strict JSON."""
    try:
        return spell(jsontext.parse(data.decode("utf-8")).value)
    except ValueError:
        return None
