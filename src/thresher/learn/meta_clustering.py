"""Meta clustering: several clusterings of the same documents, matched and combined by voting."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from thresher.learn.clusterers import RANKS, Clusterer, SelectingKMeans, SvdKMeans
from thresher.learn.k_means import NONE, STARTS, Floats, Labels
from thresher.learn.label_mapping import Mapping, agreements, mapped, purities
from thresher.learn.meta_functions import MetaFunction, decide, vote_shares
from thresher.learn.restrictive import most_certain, percentiles

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def base_methods(k: int, *, starts: int = STARTS, seed: int = 0) -> list[Clusterer]:
    """Return the methods that meta clustering combines by default.

    Plain k-means is not among them: when it goes wrong, it goes far wrong and misleads the others (docs/RESULTS.md).
    """
    return [
        SelectingKMeans(k, starts=starts, seed=seed),
        SvdKMeans(k, starts=starts, seed=seed),
        SvdKMeans(k, rank=2 * RANKS * k, starts=starts, seed=seed),
    ]


class MetaClustering:
    """Clusters documents by several methods and leaves open what they do not agree on.

    `mapping` says how their labels are matched, `function` how their votes are counted. Learned: `votes_`, the mapped
    labels (a row per method), `weights_` of the methods, `labels_` (-1 for undecided), `best_`, the label with the most
    votes whether they are enough or not, and `confidences_`, the weighted sum of the confidences of the methods that
    voted for that label.
    """

    def __init__(
        self,
        k: int,
        methods: Sequence[Clusterer] | None = None,
        *,
        mapping: Mapping = "assignment",
        function: MetaFunction = "unanimous",
        seed: int = 0,
    ) -> None:
        self.k = k
        self.methods = list(methods) if methods is not None else base_methods(k, seed=seed)
        self.mapping: Mapping = mapping
        self.function: MetaFunction = function
        self.votes_: Labels = np.zeros((0, 0), np.int64)
        self.weights_: Floats = np.zeros(0)
        self.labels_: Labels = np.zeros(0, np.int64)
        self.best_: Labels = np.zeros(0, np.int64)
        self.confidences_: Floats = np.zeros(0)

    def fit(self, rows: "csr_matrix") -> Self:
        """Cluster rows by every method and combine the results."""
        for method in self.methods:
            method.fit(rows)
        return self.combine()

    def combine(self) -> Self:
        """Combine methods that were fitted to the same rows."""
        found = np.array([method.labels_ for method in self.methods])
        self.votes_ = mapped(found, self.k, self.mapping)
        quality = purities(found, self.k) if self.mapping == "purity" else agreements(self.votes_)
        self.weights_ = quality / quality.sum() if quality.sum() > 0 else np.full(len(found), 1 / len(found))
        self.labels_ = decide(self.votes_, self.k, self.function, self.weights_).labels
        shares = vote_shares(self.votes_, self.k, self.weights_)
        self.best_ = np.where(shares.any(axis=1), shares.argmax(axis=1), NONE).astype(np.int64)
        sure = np.array([percentiles(method.confidences_) for method in self.methods])
        self.confidences_ = (self.weights_[:, None] * sure * (self.votes_ == self.best_)).sum(axis=0)
        return self

    def at_loss(self, loss: float) -> Labels:
        """Return the best label of each document, -1 for the share `loss` of them that is least certain."""
        return np.where(most_certain(self.confidences_, loss), self.best_, NONE)
