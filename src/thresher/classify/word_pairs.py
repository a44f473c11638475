"""Word pairs: two adjacent stems say more than each of them alone, so they are features too."""

from collections import Counter
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from thresher.text.stems import stems_of
from thresher.text.words import words
from thresher.types import ParsedPage

MOST: Final = 20_000
"""Maximum number of words of a page to consider."""


def with_pairs(page: ParsedPage) -> ParsedPage:
    """Return a page whose terms include its word pairs, separated by a space; unchanged if it already has some.

    Stop words are skipped, and a repeated word is not a pair.

    >>> words = ["The", "sailing", "boats"]
    >>> page = ParsedPage(url="", title="", words=words, links=[], terms={"sail": 1}, language="en")
    >>> with_pairs(page).terms
    {'sail': 1, 'sail boat': 1}
    """
    if any(" " in stem for stem in page.terms):
        return page
    text = (page.words or words(page.text))[:MOST]
    stems = [stem for counted in stems_of(text, page.language) for stem in counted]
    pairs = Counter(f"{one} {other}" for one, other in pairwise(stems) if one != other)
    return replace(page, terms={**page.terms, **pairs}) if pairs else page
