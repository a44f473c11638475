"""Numbers with their nouns."""


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun; `more` is the plural if it does not just add an s.

    >>> counted(1, "topic"), counted(1200, "topic"), counted(2, "try", "tries")
    ('1 topic', '1,200 topics', '2 tries')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"
