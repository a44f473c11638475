"""The title of a document, on one line."""

import re
from typing import Final

MAX_TITLE: Final = 500
"""Characters of a title."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def tidy_title(text: str) -> str:
    """Return a title without line ends, repeated blanks and control characters, cut if it is too long.

    >>> tidy_title("  Boats\\n and\\x00  ships ")
    'Boats and ships'
    """
    return " ".join(_CONTROLS.sub("", " ".join(text.split())).split())[:MAX_TITLE]
