"""Clusterings of other portals in a split: good ones vote, nonsense does not."""

import logging
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from tests.organise.made import pastimes, portal
from thresher.cli.main import call
from thresher.learn.clusterers import Clusterer
from thresher.learn.given_centroids import GivenCentroids, aligned
from thresher.learn.label_mapping import Mapping
from thresher.learn.meta_clustering import MetaClustering
from thresher.organise.shared_clusters import MOST, clustered_together, like_enough
from thresher.organise.splitting import SplitOptions, split_topic
from thresher.organise.topic_pages import bags_of, pages_of, rows_of
from thresher.peers.sharing import clustered


@pytest.mark.slow
def test_centroids_of_a_peer_vote_in_a_split(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with portal(tmp_path / "theirs", pastimes(12)) as theirs:
        model = clustered(theirs, "Pastimes", 3)
        assert clustered(theirs, "Pastimes", 20) is None
        assert clustered(theirs, "Elsewhere", 2) is None
    assert model is not None
    asked: list[int] = []

    def received(k: int, terms: list[str]) -> list[Clusterer]:
        asked.append(k)
        columns = {term: place for place, term in enumerate(terms)}
        good = GivenCentroids(aligned(model.terms, model.centroids, columns))
        # Words that pages of all subjects have.
        noise = GivenCentroids(np.eye(len(terms))[[terms.index(stem) for stem in ("friend", "town", "long")]])
        return [noise, good]

    with portal(tmp_path / "ours", pastimes()) as store:
        split = split_topic(store, "Pastimes", SplitOptions(into=3), (), received)  # type: ignore[arg-type]
        rows = rows_of(bags_of(store, [page.id for page in pages_of(store, "Pastimes")]))
        own = MetaClustering(3).fit(rows.weights)
        kept = like_enough(own, received(3, rows.terms), rows.weights)
        many = like_enough(own, received(3, rows.terms)[1:] * 9, rows.weights)
        alone = clustered_together(rows.weights, 3, [])
        voting = [
            clustered_together(rows.weights, 3, received(3, rows.terms)[1:] * 9, mapping=mapping).methods
            for mapping in get_args(Mapping)
        ]
    assert asked[0] == 3
    subjects = [{page.url.split("/")[2] for page in cluster.core} for cluster in split.clusters]
    assert sorted(map(len, subjects)) == [1, 1, 1]
    assert len(kept) == 1
    assert len(many) == MOST
    for methods in voting:
        assert sum(isinstance(method, GivenCentroids) for method in methods) == len(methods) // 2
    assert alone.labels_.tolist() == own.labels_.tolist()
    assert any("left out" in record.getMessage() for record in caplog.records if record.levelno == logging.WARNING)


def test_a_split_with_peers_needs_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with portal(tmp_path / "ours", pastimes(8)):
        pass
    assert call(["split", str(tmp_path / "ours"), "Pastimes", "--peers"]) != 0
    assert "No peer's topic matches Pastimes" in capsys.readouterr().err
    assert call(["split", str(tmp_path / "ours"), "Pastimes", "--peers", "--method", "svd"]) != 0
    assert "Clusters of peers need the method meta" in capsys.readouterr().err
