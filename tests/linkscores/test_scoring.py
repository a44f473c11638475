"""Base sets, page graphs and scores of topics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.linkscores.base_set import base_set, inner_edges
from thresher.linkscores.folding import fold
from thresher.linkscores.page_graph import PageGraph, page_graph
from thresher.linkscores.scoring import PageFacts, page_ranks, topic_page_ranks, topic_scores, virtual_links
from thresher.linkscores.virtual_links import VirtualLinks, far_apart

Pairs = list[tuple[int, int]]
PAGES = 8
links = st.lists(st.tuples(st.integers(0, PAGES - 1), st.integers(0, PAGES - 1)), max_size=40)


def graph_of(pages: int, pairs: Pairs) -> PageGraph:
    return page_graph(fold(np.arange(pages), [], []), [np.array(pairs, np.int64).reshape(-1)])


def facts(hosts: list[int], topics: list[int], names: list[str], confidences: list[float] | None = None) -> PageFacts:
    sure = np.array(confidences or [1.0] * len(hosts))
    return PageFacts(np.array(hosts, np.int64), np.array(topics, np.int64), sure, names)


def random() -> np.random.Generator:
    return np.random.default_rng(0)


@given(links, st.sets(st.integers(0, PAGES - 1), min_size=1), st.integers(0, 3))
def test_base_set_against_its_definition(pairs: Pairs, members: set[int], bound: int) -> None:
    graph = graph_of(PAGES, pairs)
    found = set(base_set(graph, np.array(sorted(members)), random(), predecessors=bound).tolist())
    after = {target for source, target in pairs if source in members}
    before = {member: {s for s, t in pairs if t == member and s != t} for member in members}
    assert members | after <= found <= members | after | set().union(*before.values())
    drawn = found - members - after
    assert len(drawn) <= bound * len(members)
    assert all(sources <= found for sources in before.values() if len(sources) <= bound)


@given(links, st.sets(st.integers(0, PAGES - 1)))
def test_inner_edges_are_those_between_the_nodes(pairs: Pairs, nodes: set[int]) -> None:
    chosen = np.array(sorted(nodes), np.int64)
    sources, targets = inner_edges(graph_of(PAGES, pairs), chosen)
    found = set(zip(chosen[sources].tolist(), chosen[targets].tolist(), strict=True))
    assert found == {(s, t) for s, t in pairs if s in nodes and t in nodes and s != t}


def test_a_sample_of_predecessors_is_repeatable() -> None:
    graph = graph_of(200, [(source, 0) for source in range(1, 200)])
    first, second = (base_set(graph, np.array([0]), random(), predecessors=10).tolist() for _ in range(2))
    assert first == second
    assert len(first) == 11


def test_links_to_a_redirect_and_to_a_duplicate_count_for_the_page() -> None:
    folding = fold(np.array([10, 20, 30, 40]), [(5, 10)], [(40, 10)])
    graph = page_graph(folding, [np.array([20, 5]), np.array([30, 40, 40, 20, 10, 40, 20, 99])])
    assert graph.ids.tolist() == [10, 20, 30]
    assert graph.links.toarray().tolist() == [[0, 1, 0], [1, 0, 0], [1, 0, 0]]
    assert (graph.backlinks != graph.links.T).nnz == 0


def test_topics_are_scored_apart() -> None:
    # Pages 0–3 are about cats, page 1 being the one the others link to; 4–6 about dogs, with page 6 linked most.
    pairs = [(0, 1), (2, 1), (3, 1), (3, 2), (4, 6), (5, 6), (7, 5)]
    found = topic_scores(
        graph_of(8, pairs), facts(list(range(8)), [0, 0, 0, 0, 1, 1, 1, -1], ["purr", "bark"]), random()
    )
    assert [scores.topic for scores in found] == ["bark", "purr"]
    cats, dogs = found[1], found[0]
    assert cats.nodes.tolist() == [0, 1, 2, 3]
    assert cats.nodes[cats.authorities.argmax()] == 1
    assert dogs.nodes.tolist() == [4, 5, 6, 7]
    assert dogs.members.tolist() == [True, True, True, False]
    assert dogs.nodes[dogs.authorities.argmax()] == 6


def test_a_topic_without_pages_is_left_out() -> None:
    found = topic_scores(graph_of(2, [(0, 1)]), facts([0, 1], [1, -1], ["none", "some"]), random())
    assert [scores.topic for scores in found] == ["some"]


def test_without_topics_all_pages_are_one_base_set() -> None:
    (found,) = topic_scores(graph_of(3, [(0, 1), (2, 1)]), facts([0, 1, 2], [-1, -1, -1], []), random())
    assert found.topic is None
    assert found.nodes.tolist() == [0, 1, 2]
    assert found.authorities.tolist() == pytest.approx([0.0, 1.0, 0.0])


def test_where_all_links_stay_on_one_host_they_count() -> None:
    (found,) = topic_scores(graph_of(3, [(0, 1), (2, 1)]), facts([0, 0, 0], [-1, -1, -1], []), random())
    assert found.authorities.argmax() == 1
    assert found.inside > 0


def test_links_inside_a_host_count_for_less_beside_a_few_others() -> None:
    pairs = [(0, 1), (2, 1), (3, 4)]
    (found,) = topic_scores(graph_of(5, pairs), facts([0, 0, 0, 1, 2], [-1] * 5, []), random())
    assert found.authorities.argmax() == 4
    assert found.authorities[1] < 0.01
    assert 0 < found.inside < 0.2


def test_links_inside_a_host_do_not_count_beside_many_others() -> None:
    pairs = [(0, 1), (2, 1), (3, 4), (0, 3), (0, 4), (1, 4), (2, 4)]
    (found,) = topic_scores(graph_of(5, pairs), facts([0, 0, 0, 1, 2], [-1] * 5, []), random())
    assert found.authorities[1] == 0.0
    assert found.inside == 0.0


def test_relevance_decides_between_equals() -> None:
    pairs = [(0, 2), (1, 3)]
    known = facts([0, 1, 2, 3], [0, 0, 0, 0], ["t"], [0.9, 0.1, 0.5, 0.5])
    plain, weighted = (topic_scores(graph_of(4, pairs), known, random(), by_relevance=by)[0] for by in (False, True))
    assert plain.authorities[2] == pytest.approx(plain.authorities[3])
    assert weighted.authorities[2] > weighted.authorities[3]


def test_relevance_of_unsure_pages_changes_nothing() -> None:
    known = facts([0, 1], [0, 0], ["t"], [float("nan"), -1.0])
    (found,) = topic_scores(graph_of(2, [(0, 1)]), known, random(), by_relevance=True)
    assert found.authorities.tolist() == [0.0, 1.0]


def test_no_page_and_one_page() -> None:
    assert topic_scores(graph_of(0, []), facts([], [], []), random()) == []
    assert page_ranks(graph_of(0, [])).tolist() == []
    (alone,) = topic_scores(graph_of(1, [(0, 0)]), facts([0], [-1], []), random())
    assert (alone.hubs.tolist(), alone.authorities.tolist()) == ([0.0], [0.0])
    assert page_ranks(graph_of(1, [(0, 0)])).tolist() == [1.0]


@given(links)
def test_page_ranks_sum_to_one(pairs: Pairs) -> None:
    found = page_ranks(graph_of(PAGES, pairs))
    assert found.sum() == pytest.approx(1.0)
    assert (found > 0).all()


@given(links, st.sets(st.integers(0, PAGES - 1), min_size=1), st.integers(0, 3))
def test_virtual_links_connect_what_is_far_apart_and_nothing_else(pairs: Pairs, chosen: set[int], far: int) -> None:
    sources, targets = far_apart(graph_of(PAGES, pairs), np.array(sorted(chosen)), far)
    reached = {page: {page} for page in chosen}
    for _ in range(far):
        reached = {page: known | {t for s, t in pairs if s in known} for page, known in reached.items()}
    wanted = {(one, other) for one in chosen for other in chosen if other not in reached[one]}
    assert set(zip(sources.tolist(), targets.tolist(), strict=True)) == wanted


@pytest.mark.parametrize("kind", [VirtualLinks.PAGES, VirtualLinks.HUBS])
def test_virtual_links_raise_pages_of_a_topic_that_nobody_links_to(kind: VirtualLinks) -> None:
    graph = graph_of(6, [(0, 1), (1, 0), (4, 5), (5, 4)])
    known = facts([0, 0, 1, 2, 3, 3], [0, 0, 0, 0, -1, -1], ["cats"])
    topics = topic_scores(graph, known, random())
    assert virtual_links(graph, known, topics, VirtualLinks.NONE) is None
    plain = topic_page_ranks(graph, known)
    raised = topic_page_ranks(graph, known, virtual=virtual_links(graph, known, topics, kind))
    assert raised[2] > plain[2]
    assert raised[4] < plain[4]
