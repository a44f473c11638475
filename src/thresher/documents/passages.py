"""The text of a page as it was written: a line for each passage that a reader sees apart from the next."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Final

_token: Final = re.compile(r"\S+").finditer
_blank_lines: Final = re.compile(r"\n\s*\n").split


def passages(texts: Sequence[str], borders: Iterable[int], joined: Collection[int] = ()) -> str:
    """Return texts in order as lines; at each of the `borders`, numbers of texts, another passage begins.

    Texts of one passage are set apart by a space where two words would run together, or a word and the end of a
    sentence, except those that are `joined` to the text before them.

    >>> passages(["Boats ", "sail", "ors", ". They", "\\n sail.", "Menu"], [5], joined={2})
    'Boats sailors. They sail.\\nMenu'
    """
    first = set(borders)
    lines: list[str] = []
    line: list[str] = []
    last = ""
    for number, text in enumerate(texts):
        if number in first:
            lines.append("".join(line))
            line = []
        elif text[:1].isalnum() and last not in " (-/'’" and number not in joined:
            line.append(" ")
        line.append(text)
        last = text[-1:]
    lines.append("".join(line))
    return tidy(lines)


def tidy(lines: Iterable[str]) -> str:
    """Return lines without soft hyphens and needless blanks, and without those that are blank.

    >>> tidy(["a \\n  boat", " ", "sails"])
    'a boat\\nsails'
    """
    return "\n".join(filter(None, (" ".join(line.replace("\xad", "").split()) for line in lines)))


def plain_passages(text: str) -> str:
    """Return the passages of a plain text, which blank lines set apart.

    >>> plain_passages("Of boats\\n\\nBoats sail,\\nand they float.")
    'Of boats\\nBoats sail, and they float.'
    """
    return tidy(_blank_lines(text))


def first_words(text: str, number: int) -> str:
    """Return a text as far as so many runs of characters between blanks.

    >>> first_words("Boats sail\\nand float", 3)
    'Boats sail\\nand'
    """
    if len(text) < 2 * number:
        return text
    beyond = next(islice(_token(text), number, None), None)
    return text if beyond is None else text[: beyond.start()].rstrip()
