def undescribed(x: int) -> str:
    return str(x)


def nothing_but_arguments(x: int) -> str:
    """Args:
    x: A number.
    """


def renamed(new: int) -> str:
    """Do it.

    Args:
        new (str): A number, whatever the docstring says.
        old: It was renamed.
    """


def bidi(x: int) -> str:
    """Read \u202etxt.exe\u202c, and hide."""


def zero_width(x: str = "a​b") -> str:
    """The default holds a character that nobody sees."""


def soft(x: int) -> str:
    """A soft­hyphen does nothing here."""
