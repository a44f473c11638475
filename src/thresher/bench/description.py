"""The description of a topic: the centroid of its examples, to measure the similarity of fetched pages.

Pages are weighted by TF·IDF over all training pages; words in fewer than two of these are ignored.
"""

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from thresher.learn.term_margins import LinearMargins
from thresher.learn.tfidf import TfIdf
from thresher.types import ParsedPage


class Description:
    """Measures how close a page is to the examples of a topic.

    >>> def page(text):
    ...     return ParsedPage(url="", title="", words=[], links=[], terms={word: 1 for word in text.split()})
    >>> examples = [(page("boat sail"), "boats")] * 2 + [(page("car"), None)] * 2
    >>> found = Description().fit(examples)
    >>> round(found.similarity({"boat": 1, "sail": 1}), 6), found.similarity({"car": 3}), found.similarity({})
    (1.0, 0.0, 0.0)
    """

    def __init__(self) -> None:
        self._cosine = LinearMargins([], np.zeros(0), np.zeros(0), 0.0)

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Compute the centroid of the pages that have a topic."""
        weighing = TfIdf().fit([page.terms for page, _ in examples])
        own = weighing.transform([page.terms for page, topic in examples if topic is not None])
        centroid = np.asarray(own.sum(axis=0), dtype=np.float64).ravel()
        length = float(np.linalg.norm(centroid)) or 1.0
        # A margin is the dot product of a unit row with the weights; with unit weights it is the cosine.
        self._cosine = LinearMargins(weighing.terms_, weighing.idf_, centroid / length, 0.0)
        return self

    def similarity(self, terms: Mapping[str, int]) -> float:
        """Return the cosine of a bag of stems with the centroid, 0 if they share no word."""
        return self._cosine.margin(terms)
