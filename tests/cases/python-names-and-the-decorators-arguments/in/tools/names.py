def übersetze(text: str) -> str:
    """A letter beyond ASCII."""


def ｆｉｎｄ(text: str) -> str:
    """Letters that are not what they seem."""


def a_name_that_is_so_long_that_it_says_more_than_its_whole_description_does(text: str) -> str:
    """A long name."""
