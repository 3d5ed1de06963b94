"""Unicode's general categories as ranges of characters, for `\\p{...}` in patterns, by this Python's own tables."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ecma import Ranges

# The planes that hold characters one by one; above them are tags, variation selectors and private use.
_END = 0x40000
_ABOVE = (
    ("Cn", 0x40000, 0xE0000), ("Cf", 0xE0001, 0xE0001), ("Cn", 0xE0002, 0xE001F), ("Cf", 0xE0020, 0xE007F),
    ("Cn", 0xE0080, 0xE00FF), ("Mn", 0xE0100, 0xE01EF), ("Cn", 0xE01F0, 0xEFFFF), ("Co", 0xF0000, 0xFFFFD),
    ("Cn", 0xFFFFE, 0xFFFFF), ("Co", 0x100000, 0x10FFFD), ("Cn", 0x10FFFE, 0x10FFFF),
)  # fmt: skip

_LONG_NAMES = {
    "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Unassigned": "Cn", "Private_Use": "Co",
    "Surrogate": "Cs", "Letter": "L", "Cased_Letter": "LC", "Lowercase_Letter": "Ll", "Modifier_Letter": "Lm",
    "Other_Letter": "Lo", "Titlecase_Letter": "Lt", "Uppercase_Letter": "Lu", "Mark": "M", "Combining_Mark": "M",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Nonspacing_Mark": "Mn", "Number": "N", "Decimal_Number": "Nd",
    "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
    "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Close_Punctuation": "Pe", "Final_Punctuation": "Pf",
    "Initial_Punctuation": "Pi", "Other_Punctuation": "Po", "Open_Punctuation": "Ps", "Symbol": "S",
    "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Math_Symbol": "Sm", "Other_Symbol": "So", "Separator": "Z",
    "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Space_Separator": "Zs",
}  # fmt: skip

_table: list[tuple[str, int, int]] = []


def category(name: str) -> Ranges | None:
    """The ranges of a category, by its short or long name; None for a property that is no category."""
    _, _, value = name.rpartition("=")
    if name not in (value, f"gc={value}", f"General_Category={value}"):
        return None
    short = _LONG_NAMES.get(value, value)
    wanted = ("Lu", "Ll", "Lt") if short == "LC" else (short,)
    found: list[tuple[int, int]] = []
    for category_, low, high in _ranges():
        if category_ in wanted or category_[0] in wanted:
            if found and found[-1][1] + 1 == low:
                found[-1] = (found[-1][0], high)
            else:
                found.append((low, high))
    return tuple(found) or None


def _ranges() -> list[tuple[str, int, int]]:
    """Every character's category, in runs. Some milliseconds of work, done once, where a schema asks for it."""
    if not _table:
        import unicodedata

        table: list[tuple[str, int, int]] = []
        start, last = 0, "Cc"
        for code, name in enumerate(map(unicodedata.category, map(chr, range(_END)))):
            if name != last:
                table.append((last, start, code - 1))
                start, last = code, name
        _table[:] = [*table, (last, start, _END - 1), *_ABOVE]
    return _table
