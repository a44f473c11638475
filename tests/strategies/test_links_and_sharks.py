"""Orders by links alone, and Shark-Search."""

import pytest

from tests.strategies.following import EmptyView, followed, memo_of
from thresher.crawl.view import CrawlPages
from thresher.errors import PluginError
from thresher.plugins import make_strategy
from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.memory import MemoryStore
from thresher.strategies.backlinks import BackLinks
from thresher.strategies.latent_order import LatentOrder
from thresher.strategies.pagerank_order import PageRankOrder
from thresher.strategies.shark_search import SharkSearch
from thresher.strategies.topic_words import TopicWords
from thresher.types import Candidate, Link, ParsedPage, Reading


def page(terms: str, *links: str, url: str = "http://a.test/") -> ParsedPage:
    counts = {term: terms.split().count(term) for term in terms.split()}
    return ParsedPage(url=url, title="", words=[], links=[Link(link, "", 0, 0) for link in links], terms=counts)


EXAMPLES: list[tuple[ParsedPage, str | None]] = [
    (page("boat sail wind"), "boats"),
    (page("boat sail sea"), "boats"),
    (page("car road wind"), None),
    (page("car road fuel"), None),
]
X, Y = "http://x.test/", "http://y.test/"


def test_back_links_are_counted_once_a_page_and_added_up() -> None:
    strategy = BackLinks()
    first, other = followed(strategy, page("", X, Y, X)), followed(strategy, page("", X, url="http://b.test/"))
    assert [(found.url, found.priority) for found in first] == [(X, (1.0,)), (Y, (1.0,))]
    both = strategy.merge(first[0], other[0])
    assert both.priority == (2.0,)
    assert both.parent == "http://a.test/"
    seeds: Reading[None] = Reading(candidate=Candidate(url="", priority=(), depth=-1), links=[Link(X, "", 0, 0)])
    start = next(iter(strategy.rank(seeds, EmptyView())))
    assert strategy.merge(start, other[0]).priority == start.priority


def test_page_rank_prefers_what_ranked_pages_link_to() -> None:
    strategy = PageRankOrder()
    found = {c.url: c.priority[0] for c in followed(strategy, page("", X, Y, url="http://a.test/"))}
    assert found[X] == found[Y] == pytest.approx(1.4)
    followed(strategy, page("", Y, url="http://b.test/"))
    again = {c.url: c.priority[0] for c in followed(strategy, page("", X, Y, url="http://c.test/"))}
    assert again[Y] > again[X] > 1.4


def test_page_rank_reads_the_graph_again_after_a_stop() -> None:
    web = Web(WebParameters(pages=120, hosts=6, seed=3, profile="finite"))
    store = MemoryStore()
    simulate(web, "pagerank", pages=60, store=store)

    class View(EmptyView):
        def __init__(self) -> None:
            self.known = CrawlPages(store)

        def best(self, limit: int) -> list[Candidate]:
            return [Candidate(url=link, priority=(0.5,)) for link in targets]

    known = CrawlPages(store)
    outlinks = known.outlinks(list(known.urls()))
    targets = sorted({link for links in outlinks.values() for link in links})
    fresh = dict(PageRankOrder().reorder(View()))
    assert max(fresh.values()) > (1.5,)


def test_a_shark_hands_relevance_down_and_forgets_with_each_click() -> None:
    strategy = SharkSearch(query="boat sail", decay=0.5).fit(EXAMPLES)
    (near,) = followed(strategy, page("boat sail", X))
    assert near.priority[0] == pytest.approx(0.5)
    (far,) = followed(strategy, page("car", Y, url=X), candidate=near)
    assert far.priority[0] == pytest.approx(0.25)
    (none,) = followed(strategy, page("car", Y, url="http://b.test/"))
    assert none.priority[0] == 0.0


def test_several_parents_count_by_the_best_or_by_their_sum() -> None:
    pages = [page("boat car", X, url="http://a.test/"), page("boat road", X, url="http://b.test/")]
    for parents, expected in (("best", 1.0), ("all", 2.0)):
        strategy = SharkSearch(query="boat", parents=parents).fit(EXAMPLES)
        one, other = (followed(strategy, found)[0] for found in pages)
        both = strategy.merge(one, other)
        assert both.priority[0] == pytest.approx(expected * one.priority[0])
        assert memo_of(both)["r"] == pytest.approx(expected * memo_of(one)["r"])


def test_words_of_bm25_come_from_the_examples_that_the_query_finds() -> None:
    strategy = make_strategy("shark-2(query=boat;retrieved=2)")
    assert isinstance(strategy, SharkSearch)
    strategy.fit(EXAMPLES)
    # The examples with the boat also have the sail, which the query does not name.
    assert strategy.read(page("sail"), None) > strategy.read(page("road"), None) == 0.0


def test_a_topic_becomes_a_query_and_several_topics_several() -> None:
    pages = [(page("boat sail sea"), "boats"), (page("boat sail wind"), "boats")]
    pages += [(page("rock fold sea"), "rocks"), (page("rock fold wind"), "rocks")]
    words = TopicWords(count=2).fit(pages)
    assert {topic: set(query) for topic, query in words.queries_.items()} == {
        "boats": {"boat", "sail"},
        "rocks": {"rock", "fold"},
    }
    strategy = SharkSearch(words=2).fit(pages)
    assert strategy.read(page("boat sail"), None) == strategy.read(page("rock fold"), None) == pytest.approx(1.0)


def test_words_outside_the_examples_may_be_asked_for() -> None:
    strategy = SharkSearch(query="yachts", terms=2).fit(EXAMPLES)
    assert strategy.read(page("yacht"), None) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["shark-1", "shark-2", "hcla", "phits"])
def test_one_page_is_enough_for_a_query(name: str) -> None:
    strategy = make_strategy(name)
    assert isinstance(strategy, SharkSearch | LatentOrder)
    strategy.fit([(page("boat sail wind"), "boats")])
    assert strategy.read(page("boat sail"), None) > strategy.read(page("boat car road"), None) > 0.0
    assert strategy.read(page("car road"), None) == 0.0


@pytest.mark.parametrize("name", ["shark-1", "shark-2", "hcla", "phits"])
def test_topics_that_no_word_sets_apart_have_no_query(name: str) -> None:
    strategy = make_strategy(name)
    assert isinstance(strategy, SharkSearch | LatentOrder)
    for other in (page(""), page("boat")):
        with pytest.raises(PluginError, match=f"'{name}'"):
            strategy.fit([(other, "boats"), (other, None)])
    assert list(TopicWords().fit([(page("boat"), "boats"), (page(""), "empty")]).queries_) == ["boats"]


def test_without_words_or_topic_a_shark_says_so() -> None:
    with pytest.raises(PluginError, match="'shark-1'"):
        SharkSearch().fit([(page("boat"), None)])
    with pytest.raises(PluginError, match="parents must be"):
        make_strategy("shark-1(parents=some)")
