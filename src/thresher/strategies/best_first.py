"""Best-first: links of the page that is most like the topic come first.

The likeness is the cosine of the parent page with the centroid of the topic's examples in TF·IDF space, as in the
best-first crawlers that focused crawlers are measured against (Menczer, Pant and Srinivasan, 2004).
"""

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from thresher.learn.term_margins import LinearMargins
from thresher.learn.tfidf import TfIdf
from thresher.protocols import View
from thresher.strategies.asking import no_examples
from thresher.strategies.children import children
from thresher.types import Candidate, Judgement, Page, Reading


class BestFirst:
    """Prices all links of a page by the cosine of the page with the topic.

    A stem counts if it occurs in at least `min_pages` of the examples; those of no topic only tell which stems are
    common everywhere. Learnt: `cosine_`.
    """

    def __init__(self, min_pages: int = 2) -> None:
        self.min_pages = min_pages
        self.cosine_: LinearMargins | None = None

    def fit(self, examples: Sequence[tuple[Page, str | None]]) -> Self:
        """Learn the centroid of the pages that have a topic."""
        topic = [page.terms for page, label in examples if label is not None]
        if not topic:
            raise no_examples("best-first")
        weighing = TfIdf(self.min_pages).fit([page.terms for page, _ in examples])
        centroid = np.asarray(weighing.transform(topic).mean(axis=0)).ravel()
        length = float(np.linalg.norm(centroid)) or 1.0
        # The margin of a linear model whose weights are a row of length one is the cosine with that row.
        self.cosine_ = LinearMargins(weighing.terms_, weighing.idf_, centroid / length, 0.0)
        return self

    def read(self, page: Page, judgement: Judgement | None) -> float:
        """Return the cosine of the page."""
        if self.cosine_ is None:
            raise no_examples("best-first")
        return self.cosine_.margin(page.terms)

    def rank(self, reading: Reading[float], view: View) -> Iterable[Candidate]:
        """Price every link by its page; start pages come first."""
        if self.cosine_ is None:
            raise no_examples("best-first")
        cosine = 1.0 if reading.features is None else reading.features
        return children(reading, ((link, cosine) for link in reading.links))
