"""Back-link order: the URL that most fetched pages link to comes first (Cho, Garcia-Molina and Page, 1998)."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from thresher.protocols import View
from thresher.strategies.children import children, each_once
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading

START: Final = 1e9
"""The score of start pages, which come first."""


class BackLinks:
    """Scores a URL by the number of fetched pages that link to it."""

    prices: PriceMeaning = "nothing"

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing: only links are counted."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Count one link to each URL, however often the page links to it."""
        price = START if reading.candidate.depth < 0 else 1.0
        return children(reading, ((link, price) for link in each_once(reading.links)))

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Add up the links of both; the path by which the URL was first found stays."""
        total = min(waiting.priority[0] + new.priority[0], START)
        return replace(waiting, priority=(total,))

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the number of links, which is the score."""
        price = candidate.priority[0]
        return [("start page" if price >= START else "fetched pages that link to it", price, price)]
