"""Crawls for a query: scores a link by how much of the query is around it and on the pages that lead to it.

score = how much of the query is in the anchor, the address and the windows of 10 and 40 words around the link
      + how much is on its page, or what remains of the best page on the path to it
      - a small penalty for every click from the start.

Words are weighted by their rarity among the pages seen or, while these are few, in general language.
"""

from collections.abc import Iterable
from itertools import islice
from math import exp, log
from typing import Any, Final

from msgspec import Struct

from thresher.protocols import View
from thresher.strategies.children import children
from thresher.strategies.memos import Memos
from thresher.strategies.query_mentions import LinkMentions, PageMentions, alone, mentions
from thresher.text.query_words import QueryWords
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading

START: Final = 10.0
"""The score of start pages, which come first."""

BLEND: Final = (0.2, 0.3, 0.3, 0.2)
"""Weights of the wide window, the narrow window, the anchor and the address around a link."""

OFTEN: Final = 0.5
"""Number of occurrences at which a word counts half."""

LEARNT_FROM: Final = 1000
"""Maximum number of stored pages used to estimate word rarity at the start of a crawl."""

_TYPICAL: Final = 500
"""Number of words on a typical page."""

_PRIOR: Final = 20.0
"""Weight of general language in the rarity of a word, in pages."""

_DIGITS: Final = 4


class QueryPath(Struct, frozen=True, rename={"said": "s", "share": "p"}):
    """What is known about a link: the share of the query `said` around it, and the `share` on the path to it."""

    said: float
    share: float


class QueryScorer:
    """Scores links by how much of a query occurs in the words around them and on the pages before them.

    `text` is the query; without one, all links get the same score. A page without the query passes on `decay` times
    what the page before it had; every click costs `click`; `page` is the weight of the pages relative to the words
    around a link. Learned: `pages_`, the number of pages seen, and `having_`, how many contain each word.
    """

    prices: PriceMeaning = "shares"

    def __init__(self, text: str = "", page: float = 0.6, decay: float = 0.7, click: float = 0.05) -> None:
        if not 0 <= decay <= 1 or not 0 <= page < 100 or not 0 <= click < 100:
            raise ValueError("decay must be between 0 and 1, page and click between 0 and 100")
        self.text = text
        self.page = page
        self.decay = decay
        self.click = click
        self._query = QueryWords(text)
        self._memos = Memos(QueryPath)
        self.pages_ = 0
        self.having_ = [0] * len(self._query.words)
        self._weights: list[float] = []

    def read(self, page: ParsedPage, judgement: Judgement | None) -> PageMentions:
        """Return where the page mentions the query."""
        return mentions(page, self._query)

    def rank(self, reading: Reading[PageMentions], view: View) -> Iterable[Candidate]:
        """Score every link; start pages come first, and links without a page count by their own words."""
        if reading.candidate.depth < 0:
            return children(reading, ((link, START) for link in reading.links))
        if not self.pages_:
            self._acquaint(view)
        before = self._memos.of(reading.candidate)
        share = self.decay * before.share if before is not None else 0.0
        said = reading.features
        if said is not None:
            self._meet([number for number, count in enumerate(said.counts) if count])
            share = max(share, self._share(said.counts))
        links = said.links if said is not None else [alone(link, self._query) for link in reading.links]
        return self._candidates(reading, links, round(share, _DIGITS))

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the parts of a candidate's score; empty if another strategy set it."""
        known = self._memos.of(candidate) if self._memos.fits(candidate) else None
        if known is None:
            return [("start page", START, START)] if candidate.priority == (START,) else []
        return [
            ("share of the query in the words around the link and in its address", known.said, known.said),
            ("share of the query on the pages that led here", known.share, self.page * known.share),
            ("clicks", candidate.depth, -self.click * candidate.depth),
        ]

    def state(self) -> dict[str, Any]:
        """Return how rare the words were so far."""
        return {"pages": self.pages_, "having": self.having_}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        self.pages_, self.having_ = int(state["pages"]), [int(number) for number in state["having"]]
        self._weights = []

    def _candidates(
        self, reading: Reading[PageMentions], links: list[LinkMentions], share: float
    ) -> Iterable[Candidate]:
        depth = reading.candidate.depth + 1
        memos: dict[LinkMentions, tuple[float, str]] = {}
        for link, found in zip(reading.links, links, strict=True):
            if found not in memos:
                said = round(self._said(found), _DIGITS)
                memos[found] = (
                    said + self.page * share - self.click * depth,
                    self._memos.write(QueryPath(said, share)),
                )
            price, memo = memos[found]
            yield Candidate(
                url=link.url,
                priority=(price,),
                depth=depth,
                parent=reading.candidate.url or None,
                anchor=link.anchor,
                memo=memo,
            )

    def _said(self, found: LinkMentions) -> float:
        wide, narrow, anchor, address = BLEND
        return (
            wide * self._part(found.wide)
            + narrow * self._part(found.narrow)
            + anchor * self._part(found.anchor)
            + address * self._part(found.address)
        )

    def _part(self, mask: int) -> float:
        """Return the share of the query in a set of its words."""
        if not mask:
            return 0.0
        weights = self._rarity()
        return sum(weight for number, weight in enumerate(weights) if mask >> number & 1) / sum(weights)

    def _share(self, counts: list[int]) -> float:
        """Return how much of the query a page has."""
        weights = self._rarity()
        had = sum(weight * count / (count + OFTEN) for weight, count in zip(weights, counts, strict=True))
        return had / (sum(weights) or 1.0)

    def _rarity(self) -> list[float]:
        """Return the weight of each word: higher for rarer words."""
        if not self._weights:
            for having, general in zip(self.having_, self._query.general, strict=True):
                usual = 1.0 - exp(-general * _TYPICAL)
                self._weights.append(log((self.pages_ + _PRIOR + 1.0) / (having + _PRIOR * usual + 0.5)))
        return self._weights

    def _meet(self, words: Iterable[int]) -> None:
        """Count a page that has some words of the query."""
        self.pages_ += 1
        for word in words:
            self.having_[word] += 1
        self._weights = []

    def _acquaint(self, view: View) -> None:
        """Count the stored pages, or some of them, when the crawl starts."""
        urls = list(islice(view.known.urls(), LEARNT_FROM))
        stems = self._query.stems("")
        for terms in view.known.terms(urls).values():
            self._meet({word for stem, word in stems.items() if stem in terms})
