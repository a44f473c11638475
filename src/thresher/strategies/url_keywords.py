"""Scores links by keywords in the URL, as Crawl4AI does (`KeywordRelevanceScorer`); an independent implementation.

The score of a link is the share of keywords that occur anywhere in its URL, ignoring case. The page is not considered.
"""

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from thresher.errors import PluginError
from thresher.learn.tfidf import TfIdf
from thresher.protocols import View
from thresher.strategies.children import children
from thresher.types import Candidate, Judgement, ParsedPage, Reading
from thresher.work_faults import Untrained


class UrlKeywords:
    """Scores a link by the share of keywords in its URL.

    `keywords` are separated by commas; if none are given, the `count` stems that best distinguish the topic's examples
    from the others are used. Learned: `keywords_`.

    >>> UrlKeywords("boat, Sail").share("http://a.test/Boats/index.html")
    0.5
    """

    def __init__(self, keywords: str = "", count: int = 10) -> None:
        if count < 1:
            raise ValueError("count must be at least 1")
        self.keywords = keywords
        self.count = count
        self.keywords_ = [word.strip().lower() for word in keywords.split(",") if word.strip()]

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn the keywords of the topic, unless they were given."""
        if self.keywords:
            return self
        weighing = TfIdf().fit([page.terms for page, _ in examples])
        means = [
            np.asarray(
                weighing.transform([page.terms for page, label in examples if (label is not None) is kind]).sum(0)
            )
            / max(1, sum((label is not None) is kind for _, label in examples))
            for kind in (True, False)
        ]
        gain = (means[0] - means[1]).ravel()
        best = np.argsort(-gain, kind="stable")[: self.count]
        self.keywords_ = [weighing.terms_[index] for index in best if gain[index] > 0]
        return self

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing: only URLs matter."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Score every link by the share of the keywords in its URL."""
        if not self.keywords_:
            raise PluginError(
                "The strategy 'url-keywords' has no keywords and no topic pages to learn them from.",
                'Give it some: --strategy "url-keywords(keywords=boat,sail)".',
                Untrained(),
            )
        return children(reading, ((link, (self.share(link.url),)) for link in reading.links))

    def share(self, url: str) -> float:
        """Return the share of the keywords that occur in a URL."""
        lower = url.lower()
        return sum(word in lower for word in self.keywords_) / len(self.keywords_)
