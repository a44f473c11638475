"""Lets clusterings received from other portals vote in a split.

(Sizov, section 3.3.3.) Clusterings that disagree with the portal's own methods are left out, and those that remain
never have more votes than the own methods.
"""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.learn.cluster_number import rand_index
from thresher.learn.clusterers import Clusterer
from thresher.learn.label_mapping import Mapping
from thresher.learn.meta_clustering import MetaClustering, base_methods, subspace_methods
from thresher.learn.meta_functions import SHARE, MetaFunction

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LEAST_ALIKE: Final = 0.25
"""Minimum adjusted Rand index between a received clustering and the consensus of the own methods."""

MOST: Final = 5
"""Maximum number of received clusterings; all of them together have as many votes as the own methods."""


def clustered_together(
    rows: "csr_matrix",
    k: int,
    received: Sequence[Clusterer],
    *,
    mapping: Mapping = "assignment",
    function: MetaFunction = "threshold",
    share: float = SHARE,
    seed: int = 0,
) -> MetaClustering:
    """Return the meta clustering of the own methods and of sufficiently similar received clusterings."""
    own = base_methods(k, seed=seed) if mapping == "purity" else subspace_methods(k, seed=seed)
    first = MetaClustering(k, own).fit(rows)
    voting = like_enough(first, received, rows) * max(1, len(own) // MOST)
    return MetaClustering(k, [*own, *voting], mapping=mapping, function=function, share=share).combine()


def like_enough(own: MetaClustering, received: Sequence[Clusterer], rows: "csr_matrix") -> list[Clusterer]:
    """Return the received clusterings that agree with the own one, most similar first.

    There are at most `MOST`, and no more than own methods.
    """
    found = []
    for clusterer in received:
        labels = clusterer.fit(rows).labels_
        decided = (own.labels_ >= 0) & (labels >= 0)
        alike = rand_index(own.labels_[decided], labels[decided]) if decided.any() else 0.0
        if alike >= LEAST_ALIKE and len(np.unique(labels[decided])) > 1:
            found.append((alike, clusterer))
        else:
            logging.getLogger("thresher.peers").warning(
                "a received clustering was left out: it agrees with none of ours"
            )
    found.sort(key=lambda pair: -pair[0])
    return [clusterer for _, clusterer in found[: min(MOST, len(own.methods))]]
