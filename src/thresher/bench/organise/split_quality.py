"""Measures how well topics are split: base methods, restrictive or not, and meta clustering.

See Sizov, section 3.4.2. "At the loss of" a vote means that a method drops its least certain texts, as many as the
vote leaves undecided.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.bench.organise.draws import OrganiseRun, TextSample, clustering_error
from thresher.learn.clusterers import Clusterer, SelectingKMeans, SvdKMeans
from thresher.learn.k_means import NONE, Floats, KMeans, Labels
from thresher.learn.meta_clustering import MetaClustering, base_methods, subspace_methods
from thresher.learn.meta_functions import MetaFunction
from thresher.learn.restrictive import most_certain
from thresher.learn.spreading import spread
from thresher.organise.topic_pages import rows_of

SOURCE_RANK: Final = 2
"""The rank of the SVD in the source."""

LOSSES: Final = (0.1, 0.2, 0.3, 0.5)
FUNCTIONS: Final[tuple[MetaFunction, ...]] = ("threshold", "unanimous", "majority", "weighted")
TASK: Final = "split"

Found = tuple[Labels, Floats]
"""The label and the certainty of each text."""


def measure_split(data: str, draw: TextSample, k: int, seed: int) -> list[OrganiseRun]:
    """Measure all methods on one draw."""
    rows = rows_of(draw.bags).weights
    bases: dict[str, Clusterer] = {
        "k-means": KMeans(k, seed=seed),
        "selecting": SelectingKMeans(k, seed=seed),
        "svd, half the rank": SvdKMeans(k, rank=2 * k, seed=seed),
        "svd": SvdKMeans(k, seed=seed),
        "svd, twice the rank": SvdKMeans(k, rank=8 * k, seed=seed),
        "svd, rank 2": SvdKMeans(k, rank=SOURCE_RANK, seed=seed),
    }
    few, many = base_methods(k, seed=seed), subspace_methods(k, seed=seed)
    for method in (*bases.values(), *few, *many):
        method.fit(rows)
    single: dict[str, Found] = {name: (method.labels_, method.confidences_) for name, method in bases.items()}
    found: dict[str, NDArray[np.int64]] = {name: labels for name, (labels, _) in single.items()}
    for function in FUNCTIONS:
        meta = MetaClustering(k, many, function=function).combine()
        found[f"meta, {function}"] = meta.labels_
        if function == "threshold":
            single["meta, ranked"] = meta.best_, meta.confidences_
        for mapping in ("assignment", "purity"):
            meta = MetaClustering(k, few, mapping=mapping, function=function).combine()
            found[f"meta of three, {mapping}, {function}"] = meta.labels_
    source = [bases["k-means"], bases["selecting"], bases["svd, rank 2"]]
    found["meta of the source"] = MetaClustering(k, source, mapping="purity", function="unanimous").combine().labels_
    for vote in ("threshold", "unanimous"):
        found |= _at_loss(single, float((found[f"meta, {vote}"] < 0).mean()), f"at the loss of {vote}")
    for loss in LOSSES:
        found |= _at_loss(single, loss, f"at loss {loss}")
    cores = found["meta, threshold"]
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


def _at_loss(methods: Mapping[str, Found], loss: float, when: str) -> dict[str, NDArray[np.int64]]:
    return {
        f"{when}: {name}": np.where(most_certain(confidences, loss), labels, NONE)
        for name, (labels, confidences) in methods.items()
    }
