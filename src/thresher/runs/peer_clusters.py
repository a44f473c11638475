"""Fetches peers' clusters of a topic, which vote on a split."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from thresher.config.load import load
from thresher.errors import InputError, command
from thresher.learn.clusterers import Clusterer
from thresher.learn.given_centroids import GivenCentroids, aligned
from thresher.peers.client import PeerClient
from thresher.peers.models import ClusterModel, ModelFault, checked_clusters
from thresher.peers.using import failure_sentence
from thresher.runs.peering import Peering, matched_peers
from thresher.store.peer_records import PeerRow
from thresher.store.protocol import Store
from thresher.work_faults import NoPeerMatches


def peer_clusters(portal: Path, store: Store, topic: str) -> Callable[[int, Sequence[str]], list[Clusterer]]:
    """Return a function that fetches the clusters of the peers whose models are in use for a topic.

    Raises InputError if there is no such peer. Peers that do not answer, or send invalid data, are logged and left out.
    """
    asked = matched_peers(store, topic)
    if not asked:
        raise InputError(
            f"No peer's topic matches {topic}.",
            f"Fetch models: {command('peers', portal, 'use')}",
            NoPeerMatches(topic=topic),
        )
    client = Peering(portal, store, load(portal).settings).client

    def received(k: int, terms: Sequence[str]) -> list[Clusterer]:
        columns = {term: place for place, term in enumerate(terms)}
        found = asyncio.run(_clusters(client, asked, k))
        return [GivenCentroids(aligned(one.terms, one.centroids, columns)) for one in found]

    return received


async def _clusters(client: PeerClient, asked: Sequence[tuple[PeerRow, str]], k: int) -> list[ClusterModel]:
    found = []
    for peer, topic in asked:
        answer = await client.send(peer.key, peer.address, "clusters", {"topic": topic, "k": k})
        model = checked_clusters(answer.get("clusters")) if isinstance(answer, dict) else None
        if model is None or isinstance(model, ModelFault) or len(model.centroids) != k:
            why = answer if not isinstance(answer, dict) else None
            told = failure_sentence(why) if why is not None else "Its clusters cannot be used."
            logging.getLogger("thresher.peers").warning("%s: %s", peer.name, told)
            continue
        found.append(model)
    return found
