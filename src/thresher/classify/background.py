"""The packaged background: short English texts about everyday subjects, for portals that have no other negatives.

`background.txt` holds them, parted by blank lines; they were written for it.
"""

from importlib import resources

from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Page

LANGUAGE = "en"


def background() -> list[Page]:
    """Return the texts as pages of no address.

    >>> len(background()) >= 80
    True
    """
    text = resources.files("thresher.classify").joinpath("background.txt").read_text("utf-8")
    return [_page(number, part) for number, part in enumerate(text.strip().split("\n\n"), 1)]


def _page(number: int, text: str) -> Page:
    found = words(text)
    terms = count_stems(found, LANGUAGE)
    return Page(url=f"background:{number}", title="", words=found, links=[], terms=terms, language=LANGUAGE)
