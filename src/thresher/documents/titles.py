"""The title of a document, on one line."""

import re
from typing import Final

MAX_TITLE: Final = 500
"""Maximum length of a title in characters."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def tidy_title(text: str) -> str:
    """Return a title without line breaks, repeated spaces and control characters, cut if it is too long.

    >>> tidy_title("  Boats\\n and\\x00  ships ")
    'Boats and ships'
    """
    return " ".join(_CONTROLS.sub("", " ".join(text.split())).split())[:MAX_TITLE]
