"""The bench of peers: small draws of made-up topics, and an overlay of real processes."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from thresher.bench.organise.draws import TextSample
from thresher.bench.page_building import build_pages
from thresher.bench.peers.classification import LOSSES, NUMBERS, PairOfTopics, measure_pair
from thresher.bench.peers.clustering import measure_clustering
from thresher.bench.peers.distribution import dealt
from thresher.bench.peers.harvests import measure_harvest
from thresher.bench.peers.overlay_processes import run_processes, traffic
from thresher.bench.peers.overlay_simulation import simulate
from thresher.bench.webs.generated import generated


def bags(topic: int, number: int, own_words: int = 4) -> list[dict[str, int]]:
    """Return texts with a few words of their topic's thirty and many that all topics share."""
    found = []
    for place in range(number):
        rng = Random(f"{topic}/{place}")
        own = rng.sample([f"topic{topic}x{word}" for word in range(30)], own_words)
        found.append(dict.fromkeys([*own, *rng.sample([f"common{word}" for word in range(60)], 12)], 1))
    return found


def pair() -> PairOfTopics:
    first, second = bags(0, 160), bags(1, 160)
    return PairOfTopics(
        ("a", "b"),
        [*first[:100], *second[:100]],
        np.arange(200) < 100,
        [*first[100:], *second[100:]],
        np.arange(120) < 60,
    )


def test_texts_are_dealt_out_in_equal_shares_with_some_overlap() -> None:
    parts = dealt(list(range(200)), 16, Random(1))
    assert {len(part) for part in parts} <= {14, 15}
    assert all(len(set(part)) == len(part) for part in parts)
    assert {text for part in parts for text in part} == set(range(200))


def test_more_peers_are_more_accurate_and_a_loss_helps() -> None:
    runs = measure_pair("made", pair(), 0)
    assert len(runs) == len(NUMBERS) * (2 * len(LOSSES) + 1)
    found = {(run.method, run.peers, run.loss): run.accuracy for run in runs}
    assert found["equal", 16, 0.0] > found["equal", 1, 0.0]
    assert found["equal", 1, 0.5] >= found["equal", 1, 0.0]
    (alone,) = [run for run in runs if run.method == "unanimous" and run.peers == 1]
    assert (alone.loss, alone.estimated_loss) == (0.0, 0.0)
    (all_peers,) = [run for run in runs if run.method == "unanimous" and run.peers == 16]
    assert all_peers.chained_error is not None
    assert all_peers.beta_error is not None
    assert all_peers.chained_error <= all_peers.beta_error
    assert all_peers.loss > 0.0


def test_peers_cluster_together() -> None:
    texts = [bag for topic in range(3) for bag in bags(topic, 96, own_words=14)]
    draw = TextSample(["a", "b", "c"], texts, np.repeat(np.arange(3), 96))
    runs = measure_clustering("made", draw, 3, 0)
    found = {(run.peers, run.loss): run.error for run in runs}
    assert set(found) == {(number, loss) for number in NUMBERS for loss in LOSSES}
    assert found[16, 0.0] <= found[1, 0.0] + 0.05
    assert found[16, 0.5] <= found[16, 0.0]


@pytest.mark.slow
def test_a_crawl_hears_the_models_of_portals_that_know_other_sites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    web = generated(pages=1200, hosts=40, seed=5, profile="clean", languages="en")
    pages = build_pages(web.collection)
    topics = sorted(topic for topic, number in web.topics.items() if number >= 40)[:3]
    alone, together = measure_harvest(web, pages, topics, 1, 60)
    assert (alone.peers, alone.models) == (0, 0)
    assert together.peers == 3
    assert 0 < together.models <= 3 * len(topics)
    for run in (alone, together):
        assert run.pages == 60
        assert 0 < run.right <= run.accepted <= run.pages
        assert run.precision == pytest.approx(run.right / run.accepted, abs=1e-4)
    assert measure_harvest(web, pages, topics, 1, 60) == [alone, together]


def test_traffic_counts_both_directions() -> None:
    small, large = traffic(8), traffic(32)
    assert small.exchange < large.exchange < 50_000
    assert large.hourly == 12 * large.exchange


@pytest.mark.slow
def test_a_thousand_simulated_peers_stay_connected_under_churn() -> None:
    found = simulate(peers=1000, rounds=20, churn=0.3, seed=3)
    assert found.connected
    assert found.known_dead == 0.0
    assert found.largest_list <= 32


@pytest.mark.slow
def test_processes_stay_connected_when_some_are_killed_and_replaced() -> None:
    found = run_processes(5, churn=0.4)
    assert found.killed == 2
    assert found.seconds is not None
    assert found.after_churn is not None
