"""Clustering with peers: each clusters its own texts and shares the centroids, and all vote (Sizov, section 3.4.5)."""

from random import Random
from statistics import fmean
from typing import Final

import msgspec
from msgspec import Struct

from thresher.bench.organise.draws import TextSample, clustering_error
from thresher.bench.peers.classification import LOSSES, NUMBERS, PEERS
from thresher.bench.peers.distribution import dealt
from thresher.learn.clusterers import Clusterer
from thresher.learn.given_centroids import GivenCentroids, aligned
from thresher.learn.k_means import KMeans
from thresher.learn.meta_clustering import MetaClustering
from thresher.learn.tfidf import TfIdf
from thresher.peers.models import ClusterModel, checked_clusters, cluster_model

ASKED: Final = 4
"""Peers of each draw whose own texts are evaluated."""


class ClusterRun(Struct, frozen=True, kw_only=True):
    """The mean error on some peers' own texts, clustered by a number of peers together at a loss."""

    data: str
    k: int
    peers: int
    seed: int
    loss: float
    error: float


def measure_clustering(data: str, draw: TextSample, k: int, seed: int) -> list[ClusterRun]:
    """Measure all numbers of peers and losses on one draw of k topics."""
    rng = Random(f"{data}/{k}/clusters/{seed}")
    parts = dealt(list(range(len(draw.bags))), PEERS, rng)
    models = [_centroids(draw, part, k, seed) for part in parts]
    errors: dict[tuple[int, float], list[float]] = {}
    for own in rng.sample(range(PEERS), ASKED):
        order = [own, *rng.sample([peer for peer in range(PEERS) if peer != own], PEERS - 1)]
        bags = [draw.bags[text] for text in parts[own]]
        truth = draw.truth[parts[own]]
        weighing = TfIdf(min_bags=2).fit(bags)
        rows = weighing.transform(bags)
        columns = {term: place for place, term in enumerate(weighing.terms_)}
        methods: list[Clusterer] = [KMeans(k, seed=seed)]
        methods += [GivenCentroids(aligned(models[peer].terms, models[peer].centroids, columns)) for peer in order[1:]]
        for method in methods:
            method.fit(rows)
        for number in NUMBERS:
            meta = MetaClustering(k, methods[:number], function="majority").combine()
            for loss in LOSSES:
                error = clustering_error(truth, meta.at_loss(loss), k)
                errors.setdefault((number, loss), []).append(error)
    return [
        ClusterRun(data=data, k=k, peers=number, seed=seed, loss=loss, error=round(fmean(found), 4))
        for (number, loss), found in errors.items()
    ]


def _centroids(draw: TextSample, part: list[int], k: int, seed: int) -> ClusterModel:
    """Return the centroids of a peer's texts as another receives them."""
    bags = [draw.bags[text] for text in part]
    weighing = TfIdf(min_bags=2).fit(bags)
    means = KMeans(k, seed=seed).fit(weighing.transform(bags))
    made = cluster_model("topic", weighing.terms_, means.centroids_)
    arrived = checked_clusters(msgspec.json.decode(msgspec.json.encode(made)))
    if not isinstance(arrived, ClusterModel):
        raise RuntimeError(arrived.value)
    return arrived
