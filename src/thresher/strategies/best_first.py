"""Best-first: follows the links of the page most similar to the topic.

The similarity is the cosine of the parent page with the centroid of the topic's examples in TF·IDF space, as in the
best-first crawlers used as baselines (Menczer, Pant and Srinivasan, 2004). With `nearest` it is the cosine with the
most similar example instead, as Liu, Janssen and Milios compare it (2006).
"""

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from thresher.learn.term_margins import LinearMargins
from thresher.learn.tfidf import TfIdf
from thresher.protocols import View
from thresher.strategies.asking import no_examples
from thresher.strategies.children import children
from thresher.types import Candidate, Judgement, ParsedPage, Reading


class BestFirst:
    """Scores all links of a page by the cosine of the page with the topic.

    A stem counts if it occurs in at least `min_pages` of the examples; examples without a topic only show which stems
    are common everywhere. With `nearest`, a page is compared with each of the topic's examples and the best cosine
    counts. Learned: `cosines_`.
    """

    def __init__(self, min_pages: int = 2, nearest: bool = False) -> None:
        self.min_pages = min_pages
        self.nearest = nearest
        self.cosines_: list[LinearMargins] = []

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn the pages that have a topic, or their centroid."""
        topic = [page.terms for page, label in examples if label is not None]
        if not topic:
            raise no_examples("best-first")
        weighing = TfIdf(self.min_pages).fit([page.terms for page, _ in examples])
        rows = weighing.transform(topic)
        rows = rows.toarray() if self.nearest else np.asarray(rows.mean(axis=0))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        # The margin of a linear model whose weights are a row of length one is the cosine with that row.
        unit = rows / np.where(lengths > 0, lengths, 1.0)
        self.cosines_ = [LinearMargins(weighing.terms_, weighing.idf_, row, 0.0) for row in unit]
        return self

    def read(self, page: ParsedPage, judgement: Judgement | None) -> float:
        """Return the cosine of the page."""
        if not self.cosines_:
            raise no_examples("best-first")
        return max(cosine.margin(page.terms) for cosine in self.cosines_)

    def rank(self, reading: Reading[float], view: View) -> Iterable[Candidate]:
        """Score every link by its page; start pages come first."""
        if not self.cosines_:
            raise no_examples("best-first")
        cosine = 1.0 if reading.features is None else reading.features
        return children(reading, ((link, cosine) for link in reading.links))
