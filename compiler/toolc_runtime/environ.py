"""The environment of a tool: a policy, the names it declares and the host's variables go in, its own come out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"

_PASSED = ("PATH", "HOME", "TMPDIR", "LANG", "TZ")

# Nobody is there to answer: no colours, no pagers, no questions.
_UNATTENDED = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "DEBIAN_FRONTEND": "noninteractive",
    "CI": "1",
}
_PYTHON = {"PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}

# Each of these makes a program load or run code that nobody reviewed.
_DROPPED_PREFIXES = ("LD_", "DYLD_", "BASH_FUNC_")
_DROPPED = frozenset(
    {
        "BASHOPTS",
        "BASH_ENV",
        "ENV",
        "GCONV_PATH",
        "IFS",
        "NODE_OPTIONS",
        "PERL5LIB",
        "PERL5OPT",
        "PROMPT_COMMAND",
        "PS4",
        "PYTHONBREAKPOINT",
        "PYTHONHOME",
        "PYTHONINSPECT",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "PYTHONUSERBASE",
        "PYTHONWARNINGS",
        "RUBYLIB",
        "RUBYOPT",
        "SHELLOPTS",
    }
)


def is_dropped(name: str) -> bool:
    """Whether a variable reaches no tool under any policy."""
    return name in _DROPPED or name.startswith(_DROPPED_PREFIXES)


def build(policy: str, names: Iterable[str], host: Mapping[str, str]) -> dict[str, str]:
    """The variables of a tool. `names` are the lock's; `host` is the environment of the host."""
    if policy == "inherit":
        env = {**_PYTHON, **{name: value for name, value in host.items() if not is_dropped(name)}}
    else:
        env = {**_UNATTENDED, **_PYTHON}
        for name, value in host.items():
            if name in _PASSED or name.startswith("LC_"):
                env[name] = value
        for name in map(_plain, names):
            if name in host and not is_dropped(name):
                env[name] = host[name]
    env.setdefault("PATH", DEFAULT_PATH)
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # a bundle is never written into
    return env


def missing(names: Iterable[str], host: Mapping[str, str]) -> list[str]:
    """The variables that the tool needs and the host does not have. One that ends in `?` is passed where it is set."""
    return [name for name in names if not name.endswith("?") and name not in host and not is_dropped(name)]


def _plain(name: str) -> str:
    return name.removesuffix("?")
