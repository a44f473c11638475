"""Classifies pages of sites by centroids: the likelihood of a page for each class (Ester, Kriegel and Schubert, 4.3.1).

The pages of a class differ: products, news, contacts. So each class is split by k-means, and a page is compared with
the closest centroid of each class. With the cosine distance d to that centroid, clipped to 0.001 and 1, a class weighs
κ - ln d, and its confidence is its share of all weights: nearly equal if all classes are far, sensitive if one is
close. The calibrated variant raises the weights to a power and adds an offset per class (`site_pages.py`).
"""

from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.classify.site_pages import Classes, Floats, SitePages

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

CLOSEST: Final = 0.001
ROUNDS: Final = 15
"""Maximum number of k-means iterations."""

PER_CENTROID: Final = 6
"""Number of pages that a centroid needs."""


class CentroidClassifier(SitePages):
    """Computes the confidence of each class for pages from the closest centroids.

    `centroids` is the maximum number per class, `kappa` the weight of a class at the largest distance.

    >>> from thresher.types import ParsedPage
    >>> def page(host, text):
    ...     words = {word: 1 for word in text.split()}
    ...     return ParsedPage(url=f"http://{host}/", title="", words=[], links=[], terms=words)
    >>> boats = [(page(f"a{n}", "boat sail wind"), "boats") for n in range(3)]
    >>> cars = [(page(f"b{n}", "car road wheel"), None) for n in range(3)]
    >>> found = CentroidClassifier(calibrated=False).fit([*boats, *cars])
    >>> found.classes_, int(found.confidences({"boat": 2, "wind": 1}).argmax())
    (('boats', ''), 0)
    """

    def __init__(
        self,
        centroids: int = 8,
        kappa: float = 0.1,
        calibrated: bool = True,
        min_pages: int = 2,
        max_terms: int = 30_000,
        seed: int = 0,
    ) -> None:
        if centroids < 1 or kappa <= 0:
            raise ValueError("centroids must be at least 1 and kappa more than 0")
        super().__init__(calibrated, min_pages, max_terms)
        self.centroids = centroids
        self.kappa = kappa
        self.seed = seed
        self._matrix: Floats = np.zeros((0, 0))
        self._owner: Classes = np.zeros(0, np.int64)

    def _learn(self, rows: "csr_matrix", truth: Classes) -> None:
        """Compute the centroids of all classes."""
        found = [
            spherical_means(rows[np.flatnonzero(truth == number)], self.centroids, self.seed)
            for number in range(len(self.classes_))
        ]
        self._matrix = np.vstack(found)
        self._owner = np.repeat(np.arange(len(found)), [len(own) for own in found])

    def _scores(self, rows: "csr_matrix") -> Floats:
        """Return the logarithm of the weight of each class for each row."""
        return self._weights(np.asarray(rows @ self._matrix.T))

    def _score(self, index: Classes, values: Floats) -> Floats:
        """Return the logarithm of the weight of each class for one row."""
        return np.asarray(self._weights((self._matrix[:, index] @ values)[None, :])[0])

    def _weights(self, near: Floats) -> Floats:
        """Return ln(κ - ln d) for the closest centroid of each class, from the cosines of all centroids."""
        classes = range(len(self.classes_))
        best = np.stack([near[:, self._owner == number].max(axis=1, initial=0.0) for number in classes], axis=1)
        return np.asarray(np.log(self.kappa - np.log(np.clip(1.0 - best, CLOSEST, 1.0))))


def spherical_means(rows: "csr_matrix", most: int, seed: int) -> Floats:
    """Return at most `most` centroids of unit-length rows, by k-means with the cosine; they have unit length too."""
    number, columns = rows.shape
    wanted = max(1, min(most, number // PER_CENTROID))
    if number == 0:
        return np.zeros((1, columns))
    rng = np.random.default_rng(seed)
    chosen = [int(rng.integers(number))]
    near = np.asarray((rows @ rows[chosen[0]].T).todense()).ravel()
    while len(chosen) < wanted:
        # Rows far from all chosen ones are the most likely to be chosen next (k-means++).
        far = np.clip(1.0 - near, 0.0, None) ** 2
        chosen.append(int(rng.choice(number, p=far / far.sum())) if far.sum() > 0 else int(rng.integers(number)))
        near = np.maximum(near, np.asarray((rows @ rows[chosen[-1]].T).todense()).ravel())
    centres = np.asarray(rows[chosen].todense())
    owner = np.full(number, -1)
    for _ in range(ROUNDS):
        nearest = np.asarray(rows @ centres.T).argmax(axis=1)
        if (nearest == owner).all():
            break
        owner = nearest
        for place in range(len(centres)):
            own = np.flatnonzero(owner == place)
            if len(own):
                centres[place] = np.asarray(rows[own].sum(axis=0)).ravel()
        lengths = np.linalg.norm(centres, axis=1, keepdims=True)
        centres = centres / np.where(lengths > 0, lengths, 1.0)
    return centres
