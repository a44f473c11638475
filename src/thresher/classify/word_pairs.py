"""Word pairs: two stems that stand side by side say more than each of them alone, and are features of their own."""

from collections import Counter
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from thresher.text.stems import stems_of
from thresher.text.words import words
from thresher.types import Page

MOST: Final = 20_000
"""Words of a page that are looked at."""


def with_pairs(page: Page) -> Page:
    """Return a page whose terms include its word pairs, written with a space; as it is if it has some already.

    Stop words are passed over, and a word beside itself is no pair.

    >>> page = Page(url="", title="", words=["The", "sailing", "boats"], links=[], terms={"sail": 1}, language="en")
    >>> with_pairs(page).terms
    {'sail': 1, 'sail boat': 1}
    """
    if any(" " in stem for stem in page.terms):
        return page
    text = (page.words or words(page.text))[:MOST]
    stems = [stem for counted in stems_of(text, page.language) for stem in counted]
    pairs = Counter(f"{one} {other}" for one, other in pairwise(stems) if one != other)
    return replace(page, terms={**page.terms, **pairs}) if pairs else page
