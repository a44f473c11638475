"""The evidence of a page about its site: a confidence for each class of sites.

This is what all page classifiers for websites share: the classes, term weights, and what is learned from held-out
sites: how often the classifier is wrong and how its scores become confidences. Pages of a site are similar, so a site
is held out as a whole. Every class counts the same there, and every site of a class: confidences compare classes and
not their sizes, and one large site does not drown the others.
"""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from thresher.classify.background import background
from thresher.errors import InputError
from thresher.learn.tfidf import TfIdf, log_count
from thresher.types import ParsedPage
from thresher.work_faults import NoSites

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

OTHER: Final = ""
"""The class of sites that belong to no topic."""

NEGATIVE: Final = "others"
"""The last segment of a label that marks a negative example."""

FOLDS: Final = 10
UNKNOWN_ERROR: Final = 0.45
"""The error of a classifier that could not be tested on any unseen site."""

Floats = NDArray[np.float64]
Classes = NDArray[np.int64]


class SitePages(ABC):
    """Computes the confidence of each class for pages.

    A stem counts if it occurs in `min_pages` examples, and at most `max_terms` do; with `calibrated`, held-out sites
    determine how scores become confidences. Learned: `classes_`, the topics in order of name with `OTHER` last;
    `error_`, the share of misclassified held-out pages, averaged over the sites of a class and over the classes;
    `power_` and `offsets_`, which turn scores into confidences.
    """

    def __init__(self, calibrated: bool = True, min_pages: int = 2, max_terms: int = 30_000) -> None:
        self.calibrated = calibrated
        self.min_pages = min_pages
        self.max_terms = max_terms
        self.classes_: tuple[str, ...] = ()
        self.error_ = UNKNOWN_ERROR
        self.power_ = 1.0
        self.offsets_: Floats = np.zeros(0)
        self._columns: dict[str, int] = {}
        self._idf: Floats = np.zeros(0)

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]], sites: Sequence[str] | None = None) -> Self:
        """Learn from pages with their topic; None, or a label that ends in `OTHERS`, marks pages without a topic.

        `sites` names the site of each page, by default its URL: pages of one site are held out together. If every page
        has a topic, general language represents all other sites. Raises InputError if there is no topic.
        """
        labels = [OTHER if is_negative(label) else label or OTHER for _, label in examples]
        if not any(labels):
            raise InputError(
                "There is no site to learn a topic from.", "Bookmark some sites, in a folder per topic.", NoSites()
            )
        pages = [page for page, _ in examples]
        groups = list(sites) if sites is not None else [page.url for page in pages]
        if OTHER not in labels:
            more = background(pages, min(200, max(20, len(pages))))
            pages, labels = [*pages, *more], [*labels, *[OTHER] * len(more)]
            groups += [page.url for page in more]
        self.classes_ = (*sorted({label for label in labels if label}), OTHER)
        bags = [page.terms for page in pages]
        truth = np.array([self.classes_.index(label) for label in labels])
        weighing = TfIdf(self.min_pages, self.max_terms).fit(bags)
        rows = weighing.transform(bags)
        self._columns = {term: place for place, term in enumerate(weighing.terms_)}
        self._idf = weighing.idf_
        self._cross_validate(rows, truth, groups)
        self._learn(rows, truth)
        return self

    def confidences(self, terms: Mapping[str, int]) -> Floats:
        """Return the confidence of each class for a bag of stems; they sum to 1."""
        columns = self._columns
        places = [(columns[term], log_count(count)) for term, count in terms.items() if term in columns]
        index = np.array([place for place, _ in places], np.int64)
        values = np.array([weight for _, weight in places]) * self._idf[index]
        length = math.sqrt(float(values @ values)) or 1.0
        return self._shares(self._score(index, values / length))

    @abstractmethod
    def _learn(self, rows: "csr_matrix", truth: Classes) -> None:
        """Learn the classes from rows of term weights; `truth` has their class numbers."""

    @abstractmethod
    def _scores(self, rows: "csr_matrix") -> Floats:
        """Return the score of each class, in columns, for each row."""

    @abstractmethod
    def _score(self, index: Classes, values: Floats) -> Floats:
        """Return the score of each class for one row, given by the indexes and weights of its terms."""

    def _shares(self, scores: Floats) -> Floats:
        scaled = self.power_ * scores + self.offsets_
        grown = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
        return np.asarray(grown / grown.sum(axis=-1, keepdims=True))

    def _cross_validate(self, rows: "csr_matrix", truth: Classes, groups: Sequence[str]) -> None:
        """Learn the error, and the calibration if wanted, from pages of held-out sites.

        The term weights, which do not depend on classes, are those of all pages.
        """
        self.power_, self.offsets_ = 1.0, np.zeros(len(self.classes_))
        fold = site_folds(groups, truth)
        if fold.max() == 0:
            self.error_ = UNKNOWN_ERROR
            return
        scores = np.zeros((len(truth), len(self.classes_)))
        for number in range(int(fold.max()) + 1):
            seen, unseen = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            self._learn(rows[seen], truth[seen])
            scores[unseen] = self._scores(rows[unseen])
        weights = balanced(groups, truth)
        if self.calibrated:
            self.power_, self.offsets_ = calibration(scores, truth, weights)
        self.error_ = float(weights @ (self._shares(scores).argmax(axis=1) != truth))


def site_folds(groups: Sequence[str], truth: Classes) -> Classes:
    """Return the fold of each page: whole sites, those of each class dealt out in turn, at most ten folds.

    >>> site_folds(["a", "a", "b", "c", "d"], np.array([0, 0, 0, 1, 1])).tolist()
    [0, 0, 1, 0, 1]
    """
    found = np.zeros(len(groups), np.int64)
    places = {kind: np.flatnonzero(truth == kind).tolist() for kind in np.unique(truth).tolist()}
    orders = {
        kind: {site: turn for turn, site in enumerate(dict.fromkeys(groups[place] for place in own))}
        for kind, own in places.items()
    }
    number = max(1, min(FOLDS, *(len(order) for order in orders.values())))
    for kind, own in places.items():
        for place in own:
            found[place] = orders[kind][groups[place]] % number
    return found


def balanced(groups: Sequence[str], truth: Classes) -> Floats:
    """Return the weight of each page: classes weigh the same, as do the sites of a class, and all weights sum to 1.

    >>> balanced(["a", "a", "b", "c"], np.array([0, 0, 0, 1])).tolist()
    [0.125, 0.125, 0.25, 0.5]
    """
    places = list(zip(groups, truth.tolist(), strict=True))
    pages = Counter(places)
    sites = Counter(kind for _, kind in pages)
    return np.array([1.0 / (pages[place] * sites[place[1]] * len(sites)) for place in places])


def calibration(scores: Floats, truth: Classes, weights: Floats) -> tuple[float, Floats]:
    """Return the power and the offsets that make the scores of weighted pages predict their classes best.

    >>> scores, truth = np.array([[1.0, 0.0], [0.9, 0.0], [0.0, 1.0], [0.1, 0.8]]), np.array([0, 0, 1, 1])
    >>> power, offsets = calibration(scores, truth, np.full(4, 0.25))
    >>> power > 1, offsets.shape
    (True, (2,))
    """
    from scipy.optimize import minimize

    classes = scores.shape[1]
    spread = float(np.abs(scores - scores.mean(axis=1, keepdims=True)).mean()) or 1.0
    scaled = (scores - scores.mean(axis=1, keepdims=True)) / spread

    def loss(values: Floats) -> float:
        logits = math.exp(values[0]) * scaled + np.append(values[1:], 0.0)
        top = logits.max(axis=1, keepdims=True)
        likely = logits[np.arange(len(truth)), truth] - top[:, 0] - np.log(np.exp(logits - top).sum(axis=1))
        return float(-(weights * likely).sum() + 1e-3 * (values @ values))

    found = minimize(loss, np.zeros(classes), method="L-BFGS-B", bounds=[(-3.0, 3.0)] + [(-8.0, 8.0)] * (classes - 1))
    return math.exp(float(found.x[0])) / spread, np.append(found.x[1:], 0.0)


def is_negative(label: str | None) -> bool:
    """Return whether a label marks a page without a topic."""
    return label is None or label.rpartition("/")[2].lower() == NEGATIVE
