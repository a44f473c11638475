"""Measures how well topics are split: base methods, restrictive or not, and meta clustering.

See Sizov, section 3.4.2. "At equal loss" means that the base methods drop their least certain texts, as many as the
methods of the product disagree on.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.bench.organise.draws import OrganiseRun, TextSample, clustering_error
from thresher.learn.clusterers import Clusterer, SelectingKMeans, SvdKMeans
from thresher.learn.k_means import NONE, KMeans
from thresher.learn.meta_clustering import MetaClustering
from thresher.learn.restrictive import most_certain
from thresher.learn.spreading import spread
from thresher.organise.topic_pages import rows_of

SOURCE_RANK: Final = 2
"""The rank of the SVD in the source."""

TASK: Final = "split"


def measure_split(data: str, draw: TextSample, k: int, seed: int) -> list[OrganiseRun]:
    """Measure all methods on one draw."""
    rows = rows_of(draw.bags).weights
    bases: dict[str, Clusterer] = {
        "k-means": KMeans(k, seed=seed),
        "selecting": SelectingKMeans(k, seed=seed),
        "svd": SvdKMeans(k, seed=seed),
        "svd, twice the rank": SvdKMeans(k, rank=8 * k, seed=seed),
        "svd, rank 2": SvdKMeans(k, rank=SOURCE_RANK, seed=seed),
    }
    for method in bases.values():
        method.fit(rows)
    own = [bases["selecting"], bases["svd"], bases["svd, twice the rank"]]
    thesis = [bases["k-means"], bases["selecting"], bases["svd, rank 2"]]
    found: dict[str, NDArray[np.int64]] = {name: method.labels_ for name, method in bases.items()}
    for mapping in ("assignment", "purity"):
        for function in ("unanimous", "majority", "weighted"):
            meta = MetaClustering(k, own, mapping=mapping, function=function).combine()
            found[f"meta, {mapping}, {function}"] = meta.labels_
    found["meta of the source"] = MetaClustering(k, thesis, mapping="purity").combine().labels_
    found |= _at_equal_loss(bases, MetaClustering(k, own).combine())
    cores = found["meta, assignment, unanimous"]
    if len(np.unique(cores[cores >= 0])) > 1:
        found["meta, rest by svm"] = spread(rows, cores)
        found["meta, rest by transductive svm"] = spread(rows, cores, transductive=True)
    return [
        OrganiseRun(
            data=data,
            task=TASK,
            method=name,
            seed=seed,
            k=k,
            loss=round(float((labels < 0).mean()), 4),
            error=round(clustering_error(draw.truth, labels, k), 4),
        )
        for name, labels in found.items()
    ]


def _at_equal_loss(bases: dict[str, Clusterer], meta: MetaClustering) -> dict[str, NDArray[np.int64]]:
    loss = float((meta.labels_ < 0).mean())
    found = {"at equal loss: meta, ranked": meta.at_loss(loss)}
    for name, method in bases.items():
        kept = most_certain(method.confidences_, loss)
        found[f"at equal loss: {name}"] = np.where(kept, method.labels_, NONE)
    return found
