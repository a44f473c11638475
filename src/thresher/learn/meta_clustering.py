"""Meta clustering: several clusterings of the same documents, matched and combined by voting."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from thresher.learn.clusterers import RANKS, Clusterer, SelectingKMeans, SubspaceKMeans, SvdKMeans
from thresher.learn.k_means import NONE, Floats, Labels, leads
from thresher.learn.label_mapping import Mapping, agreements, mapped, purities
from thresher.learn.meta_functions import SHARE, MetaFunction, decide, vote_shares
from thresher.learn.restrictive import most_certain, percentiles

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SUBSPACE_RANKS: Final = (2, 4, 6, 8, 12)
"""Ranks of the subspaces, for each cluster."""

EACH_RANK: Final = 3
"""Number of subspaces of each rank."""

MOST_RANK: Final = 100


def base_methods(k: int, *, seed: int = 0) -> list[Clusterer]:
    """Return a few different methods, as in the source: few enough to be matched by purity.

    Plain k-means is not among them: when it goes wrong, it goes far wrong and misleads the others (docs/RESULTS.md).
    """
    return [
        SelectingKMeans(k, seed=seed),
        SvdKMeans(k, seed=seed),
        SvdKMeans(k, rank=2 * RANKS * k, seed=seed),
    ]


def subspace_methods(k: int, *, seed: int = 0) -> list[Clusterer]:
    """Return the methods that meta clustering combines by default: subspaces of different stems and ranks.

    They err more independently of one another than the base methods do, so that their vote beats the best of them.
    """
    ranks = [min(MOST_RANK, rank * k) for rank in SUBSPACE_RANKS] * EACH_RANK
    return [SubspaceKMeans(k, rank=rank, seed=seed * len(ranks) + number) for number, rank in enumerate(ranks)]


class MetaClustering:
    """Clusters documents by several methods and leaves open what they do not agree on.

    `mapping` says how their labels are matched, `function` how their votes are counted, and `share` how many a
    threshold requires. Learned: `votes_`, the mapped labels (a row per method), `weights_` of the methods, `labels_`
    (-1 for undecided), `best_`, the label with the most votes whether they are enough or not, and `confidences_`: by
    how many votes that label leads and, among equal leads, how sure the methods that voted for it are.
    """

    def __init__(
        self,
        k: int,
        methods: Sequence[Clusterer] | None = None,
        *,
        mapping: Mapping = "assignment",
        function: MetaFunction = "threshold",
        share: float = SHARE,
        seed: int = 0,
    ) -> None:
        self.k = k
        self.methods = list(methods) if methods is not None else subspace_methods(k, seed=seed)
        self.share = share
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
        self.labels_ = decide(self.votes_, self.k, self.function, self.weights_, self.share).labels
        shares = vote_shares(self.votes_, self.k, self.weights_ if self.function == "weighted" else None)
        self.best_ = np.where(shares.any(axis=1), shares.argmax(axis=1), NONE).astype(np.int64)
        sure = np.array([percentiles(method.confidences_) for method in self.methods])
        agreed = (sure * (self.votes_ == self.best_)).mean(axis=0)
        # Less than one vote.
        self.confidences_ = leads(shares) + agreed / (len(found) + 1)
        return self

    def at_loss(self, loss: float) -> Labels:
        """Return the best label of each document, -1 for the share `loss` of them that is least certain."""
        return np.where(most_certain(self.confidences_, loss), self.best_, NONE)
