"""Classifies pages of sites by linear models: the likelihood of a page for each class, by the weights of its words.

There are two models, both always calibrated: naive Bayes, whose score of a class is the log-probability of the page's
words, and one support vector machine per class against all others.
"""

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from thresher.classify.site_pages import Classes, Floats, SitePages

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Margins = Literal["naive-bayes", "svm"]


class LinearPages(SitePages):
    """Computes the confidence of each class for pages with a linear model; `smoothing` is for naive Bayes.

    >>> from thresher.types import ParsedPage
    >>> def page(host, text):
    ...     words = {word: 1 for word in text.split()}
    ...     return ParsedPage(url=f"http://{host}/", title="", words=[], links=[], terms=words)
    >>> boats = [(page(f"a{n}", "boat sail wind"), "boats") for n in range(3)]
    >>> cars = [(page(f"b{n}", "car road wheel"), None) for n in range(3)]
    >>> int(LinearPages().fit([*boats, *cars]).confidences({"boat": 2, "wind": 1}).argmax())
    0
    """

    def __init__(
        self, model: Margins = "naive-bayes", smoothing: float = 1.0, min_pages: int = 2, max_terms: int = 30_000
    ) -> None:
        if model not in get_args(Margins):
            raise ValueError(f"the model must be one of {', '.join(get_args(Margins))}")
        super().__init__(True, min_pages, max_terms)
        self.model = model
        self.smoothing = smoothing
        self._weights: Floats = np.zeros((0, 0))
        self._biases: Floats = np.zeros(0)

    def _learn(self, rows: "csr_matrix", truth: Classes) -> None:
        """Learn the weights of words for each class."""
        number = len(self.classes_)
        if self.model == "naive-bayes":
            sums = np.stack(
                [np.asarray(rows[np.flatnonzero(truth == kind)].sum(axis=0)).ravel() for kind in range(number)]
            )
            smooth = sums + self.smoothing
            self._weights = np.log(smooth / smooth.sum(axis=1, keepdims=True))
            self._biases = np.zeros(number)
            return
        from thresher.learn.linear import LinearSvm

        found = [LinearSvm(balanced=True).weights(rows, truth == kind) for kind in range(number)]
        self._weights = np.stack([weights for weights, _ in found])
        self._biases = np.array([bias for _, bias in found])

    def _scores(self, rows: "csr_matrix") -> Floats:
        """Return the score of each class for each row."""
        return np.asarray(rows @ self._weights.T) + self._biases

    def _score(self, index: Classes, values: Floats) -> Floats:
        """Return the score of each class for one row."""
        return np.asarray(self._weights[:, index] @ values) + self._biases
