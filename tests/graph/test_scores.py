"""HITS and PageRank against dense computations and known graphs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.graph.hits import hits, weighted_edges
from thresher.graph.pagerank import pagerank

NODES = 7
edges = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=30)


def arrays(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


@given(edges)
def test_pagerank_is_the_stationary_distribution(pairs: list[tuple[int, int]]) -> None:
    rank = pagerank(*arrays(pairs), NODES, jump=0.2, iterations=500)
    matrix = np.zeros((NODES, NODES))
    for source, target in set(pairs):
        matrix[target, source] = 1.0
    degree = matrix.sum(axis=0)
    step = np.where(degree > 0, matrix / np.maximum(degree, 1), 1.0 / NODES)
    assert rank.sum() == pytest.approx(1.0)
    assert 0.8 * step @ rank + 0.2 / NODES == pytest.approx(rank, abs=1e-8)


@given(edges, st.lists(st.sampled_from([0.0, 0.5, 2.0, float("nan"), -1.0]), min_size=NODES, max_size=NODES))
def test_a_reader_who_prefers_relevant_pages(pairs: list[tuple[int, int]], relevance: list[float]) -> None:
    rank = pagerank(*arrays(pairs), NODES, jump=0.2, iterations=500, relevance=np.array(relevance))
    worth = np.maximum(np.nan_to_num(np.array(relevance)), 0.0)
    step = np.full((NODES, NODES), 1.0 / NODES)
    for source in range(NODES):
        targets = sorted({target for start, target in pairs if start == source})
        if targets:
            wanted = worth[targets] if worth[targets].sum() > 0 else np.ones(len(targets))
            step[:, source] = 0.0
            step[targets, source] = wanted / wanted.sum()
    assert rank.sum() == pytest.approx(1.0)
    assert 0.8 * step @ rank + 0.2 / NODES == pytest.approx(rank, abs=1e-8)


def test_pagerank_prefers_what_it_is_told_to() -> None:
    rank = pagerank(*arrays([(0, 1), (1, 0), (2, 3), (3, 2)]), 4, preference=np.array([1.0, 0, 0, 0]))
    assert rank[2] == rank[3] == pytest.approx(0.0)
    assert rank[0] > rank[1] > 0


def test_no_nodes_and_no_edges() -> None:
    none = np.zeros(0, np.int64)
    assert pagerank(none, none, 0).tolist() == []
    assert pagerank(none, none, 2).tolist() == [0.5, 0.5]
    assert hits(none, none, 3).authorities.tolist() == [0.0, 0.0, 0.0]


@given(edges)
def test_hits_are_the_leading_singular_vectors(pairs: list[tuple[int, int]]) -> None:
    found = hits(*arrays(pairs), NODES, iterations=400, tolerance=0.0)
    matrix = np.zeros((NODES, NODES))
    for source, target in set(pairs):
        if source != target:
            matrix[source, target] = 1.0
    largest = np.linalg.norm(matrix, 2)
    if largest:
        assert np.linalg.norm(matrix @ found.authorities) == pytest.approx(largest, rel=1e-3)
        assert np.linalg.norm(found.hubs) == pytest.approx(1.0)


def test_pages_of_one_host_speak_with_one_voice() -> None:
    # Five pages of host 0 link to page 5; two pages of two hosts link to page 6; a hub of a third host links to both.
    pairs = [(page, 5) for page in range(5)] + [(7, 6), (8, 6), (9, 5), (9, 6)]
    sources, targets = arrays(pairs)
    hosts = np.array([0, 0, 0, 0, 0, 1, 2, 3, 4, 5])
    plain, weighted = hits(sources, targets, 10), hits(sources, targets, 10, hosts)
    assert plain.authorities[5] > plain.authorities[6]
    assert weighted.authorities[6] > weighted.authorities[5]


def test_links_inside_a_host_do_not_count() -> None:
    sources, targets = arrays([(0, 1), (2, 1), (2, 3)])
    found = hits(sources, targets, 4, np.array([0, 0, 1, 2]))
    assert found.hubs[0] == 0.0
    assert found.authorities[1] > 0


def test_relevance_counts() -> None:
    sources, targets = arrays([(0, 2), (1, 3)])
    found = hits(sources, targets, 4, relevance=np.array([1.0, 0.1, 1.0, 1.0]))
    assert found.authorities[2] > found.authorities[3]


def test_host_weights_against_counting() -> None:
    rng = np.random.default_rng(1)
    sources, targets = rng.integers(0, 30, 300), rng.integers(0, 30, 300)
    hosts = rng.integers(0, 6, 30)
    edges = weighted_edges(sources, targets, 30, hosts)
    across = {(s, t) for s, t in zip(sources.tolist(), targets.tolist(), strict=True) if hosts[s] != hosts[t]}
    authority, hub = edges.to_authority.toarray(), edges.to_hub.toarray()
    assert edges.to_hub.nnz == len(across)
    for source, target in across:
        one_voice = sum(hosts[s] == hosts[source] and t == target for s, t in across)
        one_host = sum(s == source and hosts[t] == hosts[target] for s, t in across)
        row, column = edges.places[target], edges.places[source]
        assert authority[row, column] == pytest.approx(1 / one_voice)
        assert hub[column, row] == pytest.approx(1 / one_host)


def test_large_graphs_in_single_precision_give_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    sources, targets, hosts = (generator.integers(0, 60, 400) for _ in range(3))
    double = hits(sources, targets, 60, hosts[:60])
    monkeypatch.setattr("thresher.graph.hits.LARGE", 10)
    single = hits(sources, targets, 60, hosts[:60])
    assert single.authorities.dtype == np.float64
    assert np.allclose(single.authorities, double.authorities, atol=1e-5)
    assert np.allclose(single.hubs, double.hubs, atol=1e-5)
    assert not np.array_equal(single.hubs, double.hubs)


def test_edges_inside_a_host_weigh_what_they_are_told_to() -> None:
    sources, targets, hosts = np.array([0, 0, 2]), np.array([1, 2, 1]), np.array([0, 0, 1])
    weights = [weighted_edges(sources, targets, 3, hosts, inside=inside).to_hub.toarray() for inside in (0.0, 0.5, 1.0)]
    places = weighted_edges(sources, targets, 3, hosts).places
    inside = [float(found[places[0], places[1]]) for found in weights]
    assert inside == [0.0, 0.5, 1.0]
    between = [(float(found[places[0], places[2]]), float(found[places[2], places[1]])) for found in weights]
    assert between == [(1.0, 1.0)] * 3
