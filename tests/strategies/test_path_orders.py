"""The HMM of browsing and the context graph, taught by the same sessions."""

from pathlib import Path

import pytest

from tests.sessions.test_sessions import visited, voyages
from tests.strategies.following import followed
from thresher.errors import PluginError
from thresher.plugins import make_strategy
from thresher.sessions.session import joined
from thresher.sessions.session_file import write_sessions
from thresher.strategies.browsing_hmm import BrowsingHmm
from thresher.strategies.context_graph import ContextGraph
from thresher.types import Candidate, Link, ParsedPage

NEXT = "http://next.test/"


def page(kind: str, number: int = 50) -> ParsedPage:
    seen = visited(number, kind)
    return ParsedPage(url=seen.url, title="", words=[], links=[Link(NEXT, "", 0, 0)], terms=seen.terms)


def learnt(name: str) -> BrowsingHmm | ContextGraph:
    strategy = make_strategy(name)
    assert isinstance(strategy, BrowsingHmm | ContextGraph)
    return strategy.learn(joined(voyages()))


@pytest.mark.parametrize(
    "name",
    [
        "hmm",
        "hmm(seen=clusters)",
        "hmm(dimensions=0;seen=clusters;order=lexicographic;parents=best)",
        "context-graph",
    ],
)
def test_links_of_pages_nearer_to_the_topic_come_first(name: str) -> None:
    strategy = learnt(name)
    town, port = (followed(strategy, page(kind))[0] for kind in ("towns", "ports"))
    assert port.priority > town.priority
    assert len(port.priority) == len(town.priority)


def test_the_way_to_a_page_counts_not_the_page_alone() -> None:
    strategy = learnt("hmm")
    (from_town,) = followed(strategy, page("towns"))
    lost = Candidate(url=page("ports").url, priority=(0.0,) * 4, memo='{"r":[-9.0,-9.0,-9.0,1.0]}')
    after_town = followed(strategy, page("ports"), candidate=from_town)[0]
    after_nothing = followed(strategy, page("ports"), candidate=lost)[0]
    assert after_town.priority > after_nothing.priority


def test_a_further_page_that_leads_to_the_topic_raises_a_score_and_one_that_does_not_lowers_it() -> None:
    strategy = learnt("hmm")
    assert isinstance(strategy, BrowsingHmm)
    port, town = (followed(strategy, page(kind))[0] for kind in ("ports", "towns"))
    both = strategy.merge(port, followed(strategy, page("ports", 51))[0])
    assert both.priority > port.priority
    assert strategy.merge(port, town).priority < port.priority
    assert strategy.merge(port, town).priority == strategy.merge(town, port).priority
    assert sum(added for _, _, added in strategy.account(both)) == pytest.approx(both.priority[0])
    start = Candidate(url=NEXT, priority=(9.0,))
    assert strategy.merge(start, port) == start


def test_many_pages_alike_do_not_drown_the_words_of_a_page() -> None:
    strategy = learnt("hmm")
    assert isinstance(strategy, BrowsingHmm)
    (one,) = followed(strategy, page("towns"))
    many = one
    for number in range(51, 81):
        many = strategy.merge(many, followed(strategy, page("towns", number))[0])
    after_one, after_many = (followed(strategy, page("ports"), candidate=found)[0] for found in (one, many))
    assert after_many.priority == pytest.approx(after_one.priority, abs=0.05)


def test_with_the_best_parent_only_other_pages_change_nothing() -> None:
    strategy = learnt("hmm(parents=best)")
    assert isinstance(strategy, BrowsingHmm)
    port, town = (followed(strategy, page(kind))[0] for kind in ("ports", "towns"))
    assert strategy.merge(town, port) == port == strategy.merge(port, town)
    with pytest.raises(ValueError, match="parents"):
        BrowsingHmm(parents="most")


def test_nearly_equal_probabilities_are_equal() -> None:
    strategy = learnt("hmm(order=lexicographic)")
    for found in followed(strategy, page("ports")):
        assert all(share / 0.001 == pytest.approx(round(share / 0.001)) for share in found.priority)


def test_sessions_may_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "paths.jsonl"
    write_sessions(path, voyages())
    for name in ("hmm", "context-graph"):
        strategy = make_strategy(f"{name}(paths={path})")
        assert isinstance(strategy, BrowsingHmm | ContextGraph)
        strategy.fit([(page("towns"), None)])
        assert followed(strategy, page("ports"))[0].priority > followed(strategy, page("towns"))[0].priority
        missing = make_strategy(f"{name}(paths={path}.none)")
        assert isinstance(missing, BrowsingHmm | ContextGraph)
        with pytest.raises(PluginError, match="cannot be read"):
            missing.fit([])
        with pytest.raises(PluginError, match=f"'{name}'"):
            make_strategy(name).fit([(page("towns"), None)])  # type: ignore[attr-defined]


def test_the_links_between_examples_are_a_session_too() -> None:
    examples: list[tuple[ParsedPage, str | None]] = []
    for n in range(6):
        kinds = ["towns", "ports", "boats"]
        pages = [page(kind, n) for kind in kinds]
        for place, kind in enumerate(kinds):
            links = [Link(pages[place + 1].url, "", 0, 0)] if place < 2 else []
            whole = ParsedPage(url=pages[place].url, title="", words=[], links=links, terms=pages[place].terms)
            examples.append((whole, "boats" if kind == "boats" else None))
    for strategy in (BrowsingHmm().fit(examples), ContextGraph().fit(examples)):
        assert followed(strategy, page("ports"))[0].priority > followed(strategy, page("towns"))[0].priority


def test_one_example_is_a_context_graph_and_one_without_words_is_none() -> None:
    boats = page("boats")
    strategy = ContextGraph().fit([(boats, "boats")])
    assert strategy.read(boats, None).number == 0
    with pytest.raises(PluginError, match="'context-graph'"):
        ContextGraph().fit([(ParsedPage(url="http://a.test/", title="", words=[], links=[], terms={}), "boats")])


def test_a_page_that_fits_no_layer_waits_longest() -> None:
    strategy = ContextGraph(least=1.0).learn(joined(voyages()))
    (found,) = followed(strategy, page("ports"))
    assert found.priority[0] == 0.0
    assert "no layer" in strategy.account(found)[0][0]


def test_accounts_say_how_far_the_topic_is() -> None:
    hmm = learnt("hmm")
    (found,) = followed(hmm, page("ports"))
    told = hmm.account(found)
    assert sum(added for _, _, added in told) == pytest.approx(found.priority[0])
    assert [feature for feature, _, _ in told] == [
        "probability that it is on the topic, by the paths to it",
        "probability that it is 1 click from it",
        "probability that it is 2 clicks from it",
    ]
    assert hmm.account(Candidate(url=NEXT, priority=(1.0,))) == []
    graph = learnt("context-graph")
    assert graph.account(followed(graph, page("ports"))[0])[0][1] == 1.0
