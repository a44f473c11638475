"""HCLA and PHITS: waiting pages in a space of words and links."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.strategies.following import EmptyView, followed
from thresher.crawl.view import CrawlPages
from thresher.errors import PluginError
from thresher.plugins import make_strategy
from thresher.store.memory import MemoryStore
from thresher.strategies.expanded_matrix import ExpandedMatrix
from thresher.strategies.hcla import Hcla
from thresher.strategies.latent_order import LatentOrder
from thresher.strategies.phits import Phits
from thresher.strategies.topic_words import TopicWords
from thresher.types import Candidate, Link, ParsedPage

BOATS = "boat sail mast sea harbour"
CARS = "car road wheel fuel motor"
COMMON = "page home news"


def page(url: str, terms: str, *links: str) -> ParsedPage:
    counts = {term: terms.split().count(term) for term in terms.split()}
    return ParsedPage(url=url, title="", words=[], links=[Link(link, "", 0, 0) for link in links], terms=counts)


CORPUS: list[tuple[ParsedPage, str | None]] = [
    (page(f"http://c.test/{number}", f"{' '.join(words.split()[number % 3 :])} {COMMON}"), topic)
    for words, topic in ((BOATS, "boats"), (CARS, None))
    for number in range(6)
]


class Crawled(EmptyView):
    """A view of a crawl that has fetched some pages, while the URLs they link to wait."""

    def __init__(self, pages: Sequence[ParsedPage]) -> None:
        self._pages = {found.url: found for found in pages}
        self.waiting_now: dict[str, Candidate] = {}
        self.known = _Known(self._pages)

    def pages(self) -> int:
        return len(self._pages)

    def best(self, limit: int) -> list[Candidate]:
        return list(self.waiting_now.values())[:limit]


class _Known(CrawlPages):
    def __init__(self, pages: Mapping[str, ParsedPage]) -> None:
        super().__init__(MemoryStore())
        self._of = pages

    def terms(self, urls: Sequence[str]) -> dict[str, dict[str, int]]:
        return {url: self._of[url].terms for url in urls if url in self._of}

    def outlinks(self, urls: Sequence[str]) -> dict[str, list[str]]:
        return {url: [link.url for link in self._of[url].links] for url in urls if url in self._of}


FETCHED = [
    page("http://b.test/", f"boat sail {COMMON}", "http://b.test/1", "http://b.test/2", "http://both.test/"),
    page("http://d.test/", f"mast sea {COMMON}", "http://b.test/2", "http://b.test/"),
    page("http://e.test/", f"car road {COMMON}", "http://e.test/1", "http://e.test/2", "http://both.test/"),
    page("http://f.test/", f"wheel fuel {COMMON}", "http://e.test/2", "http://e.test/"),
]


def crawled(strategy: LatentOrder, pages: Sequence[ParsedPage] = FETCHED) -> tuple[Crawled, dict[str, float]]:
    """Let a strategy rank some pages and return its new prices of what waits."""
    view = Crawled(pages)
    for found in pages:
        for candidate in followed(strategy, found):
            if candidate.url not in view._pages:
                waiting = view.waiting_now.get(candidate.url)
                view.waiting_now[candidate.url] = strategy.merge(waiting, candidate) if waiting else candidate
    return view, {url: price[0] for url, price in strategy.reorder(view)}


def fixed(**changes: Any) -> Hcla:
    """Return an order that does not depend on the size of the crawl, nor on distance from the start pages."""
    return Hcla(**{"k": 50, "n": 50, "breadth": 0, **changes})


@pytest.mark.parametrize("links", ["plain", "scaled"])
@pytest.mark.parametrize("method", ["update", "recompute", "fold-in"])
def test_without_anchors_links_alone_give_a_sensible_score(method: str, links: str) -> None:
    strategy = fixed(k=8, method=method, links=links, query="boat sail").fit(CORPUS)
    _, prices = crawled(strategy)
    assert prices["http://b.test/1"] > 0
    assert prices["http://b.test/2"] > 0
    assert min(prices["http://b.test/1"], prices["http://b.test/2"]) > prices["http://e.test/2"]
    assert prices["http://both.test/"] > prices["http://e.test/2"]
    if method != "fold-in":
        # What is folded in moves nothing, and so says less of what several pages link to.
        assert prices["http://b.test/2"] > prices["http://both.test/"]


def test_an_update_prices_as_recomputing_does() -> None:
    prices = [crawled(fixed(k=40, query="boat", method=method).fit(CORPUS))[1] for method in ("update", "recompute")]
    assert prices[0] == pytest.approx(prices[1], abs=0.05)


def test_the_diagonal_brings_words_to_what_a_page_links_to() -> None:
    alone = [page("http://b.test/", BOATS, "http://b.test/1")]
    for diagonal, found in ((True, True), (False, False)):
        strategy = fixed(k=8, diagonal=diagonal, query="boat sail").fit(CORPUS)
        _, prices = crawled(strategy, alone)
        assert (prices["http://b.test/1"] > 0.05) is found


def test_anchors_and_topic_documents_count_where_they_are_asked_for() -> None:
    said = ParsedPage(
        url="http://x.test/",
        title="",
        words=[],
        links=[Link("http://x.test/1", "boats", 0, 1), Link("http://x.test/2", "cars", 0, 1)],
        terms={"news": 1},
    )
    for against in ("query", "documents"):
        _, prices = crawled(fixed(k=8, against=against, words=3, anchors=True).fit(CORPUS), [said])
        assert prices["http://x.test/1"] > prices["http://x.test/2"]
        assert all(price <= 1 + 1e-9 for price in prices.values())
    _, prices = crawled(fixed(k=8).fit(CORPUS), [said])
    assert prices["http://x.test/1"] == pytest.approx(prices["http://x.test/2"])


def test_a_folder_of_texts_may_be_the_corpus(tmp_path: Path) -> None:
    for number, words in enumerate((BOATS, BOATS, CARS, CARS)):
        (tmp_path / f"{number}.txt").write_text(f"{words} {COMMON}")
    strategy = fixed(k=4, corpus=str(tmp_path), query="boat").fit(CORPUS)
    _, prices = crawled(strategy)
    assert prices["http://b.test/1"] > prices["http://e.test/2"]
    with pytest.raises(PluginError, match="no text files"):
        Hcla(corpus=str(tmp_path / "none")).fit(CORPUS)


def test_it_hands_over_after_a_while_and_may_keep_a_share_of_the_shark() -> None:
    waits = fixed(hand_over=5, query="boat").fit(CORPUS)
    assert crawled(waits)[1] == {}
    view, mixed = crawled(fixed(shark=1.0, query="boat").fit(CORPUS))
    shark = {url: candidate.priority[0] for url, candidate in view.waiting_now.items()}
    scale = mixed["http://b.test/1"] / shark["http://b.test/1"]
    assert mixed == pytest.approx({url: scale * price for url, price in shark.items()})


def test_breadth_first_order_has_a_share_that_fades() -> None:
    # The far page is on the topic, the near one is not; with much breadth, distance decides.
    pages = [*FETCHED, page("http://g.test/", BOATS, "http://far.test/")]
    found = {}
    for breadth in (0, 10_000):
        strategy = fixed(k=8, query="boat sail", breadth=breadth).fit(CORPUS)
        view, _ = crawled(strategy, pages)
        far = view.waiting_now["http://far.test/"]
        view.waiting_now["http://far.test/"] = replace(far, depth=8)
        found[breadth] = {url: price[0] for url, price in strategy.reorder(view)}
        for url, candidate in view.waiting_now.items():
            priced = replace(candidate, priority=(found[breadth][url],))
            told = strategy.account(priced)
            assert sum(added for _, _, added in told) == pytest.approx(found[breadth][url])
            assert ("closeness to the start pages" in [name for name, _, _ in told]) is bool(breadth)
    assert found[0]["http://far.test/"] > found[0]["http://e.test/1"]
    assert found[10_000]["http://far.test/"] < found[10_000]["http://e.test/1"]
    with pytest.raises(ValueError, match="breadth"):
        Hcla(breadth=-1)


def test_reorderings_become_rarer_as_the_crawl_grows_unless_their_interval_is_given() -> None:
    strategy = Hcla()
    due = [pages for pages in range(10, 4000, 10) if strategy.is_due(pages)]
    gaps = [after - before for before, after in pairwise(due)]
    assert gaps == sorted(gaps)
    assert (due[0], gaps[0], gaps[-1]) == (10, 10, 100)
    given = Hcla(n=25)
    assert given.reorder_every == 25
    assert all(given.is_due(pages) for pages in range(25, 4000, 25))


def test_a_state_keeps_the_share_of_breadth_first_order() -> None:
    strategy = fixed(k=8, query="boat sail", breadth=10).fit(CORPUS)
    crawled(strategy)
    other = fixed(k=8, query="boat sail", breadth=10).fit(CORPUS)
    other.restore(strategy.state())
    (mine,), (theirs,) = (followed(one, page("http://n.test/", BOATS, "http://m.test/")) for one in (strategy, other))
    assert mine.priority == theirs.priority
    older = {key: value for key, value in strategy.state().items() if key != "breadth"}
    other.restore(older)


def test_too_many_pages_are_dropped_and_the_newest_and_nearest_stay() -> None:
    pages = [page(f"http://p.test/{n}", BOATS if n % 2 else CARS, f"http://w.test/{n}") for n in range(30)]
    strategy = fixed(k=4, fetched=12, query="boat sail").fit(CORPUS)
    crawled(strategy, pages[:12])
    crawled(strategy, pages)
    kept = strategy.state()["pages"]
    assert len(kept) <= 12
    assert {f"http://p.test/{n}" for n in range(28, 30)} <= set(kept)
    old = [int(url.rsplit("/", 1)[1]) for url in kept if int(url.rsplit("/", 1)[1]) < 12]
    assert all(number % 2 for number in old)


@pytest.mark.parametrize("spec", ["hcla(n=50;query=boat)", "hcla(query=boat)", "phits(query=boat)"])
def test_after_a_kill_it_prices_as_before(spec: str) -> None:
    strategy, other = make_strategy(spec), make_strategy(spec)
    assert isinstance(strategy, LatentOrder)
    assert isinstance(other, LatentOrder)
    view, before = crawled(strategy.fit(CORPUS))
    other.fit(CORPUS).restore(strategy.state())
    again = {url: price[0] for url, price in other.reorder(view)}
    if spec == "hcla(query=boat)":
        # The state says that a reordering has just been made.
        assert again == {}
    elif "hcla" in spec:
        assert again == pytest.approx(before, abs=1e-6)
    else:
        assert again["http://b.test/2"] > again["http://e.test/2"]


def test_accounts_tell_the_space_from_what_is_only_inherited_yet() -> None:
    strategy = fixed(query="boat", shark=0.25).fit(CORPUS)
    view, prices = crawled(strategy)
    fresh = followed(strategy, FETCHED[0])[0]
    assert "until the next reordering" in strategy.account(fresh)[0][0]
    url, price = next(iter(prices.items()))
    candidate = Candidate(url=url, priority=(price,), memo=view.waiting_now[url].memo)
    told = strategy.account(candidate)
    assert sum(added for _, _, added in told) == pytest.approx(price)
    assert strategy.account(Candidate(url=url, priority=(1.0,), memo='{"x": 1}')) == []


def test_aspects_of_links_and_words_order_what_waits() -> None:
    strategy = make_strategy("phits(aspects=2;query=boat sail)")
    assert isinstance(strategy, LatentOrder)
    _, prices = crawled(strategy.fit(CORPUS))
    assert prices["http://b.test/2"] > prices["http://e.test/2"]
    assert all(0 <= price <= 1 for price in prices.values())


def test_one_example_makes_a_space() -> None:
    example: list[tuple[ParsedPage, str | None]] = [(page("http://c.test/", BOATS), "boats")]
    _, prices = crawled(fixed().fit(example))
    assert prices["http://b.test/2"] > prices["http://e.test/2"]
    # Aspects need several pages to differ; with one they still give a price to each page that waits.
    _, shares = crawled(Phits().fit(example))
    assert shares.keys() == prices.keys()
    assert all(0 <= share <= 1 for share in shares.values())


def test_the_expanded_matrix_has_what_the_source_says() -> None:
    weighing = TopicWords(query="boat").fit(CORPUS).weighing_
    matrix = ExpandedMatrix(weighing, "plain")
    for found in FETCHED[:2]:
        matrix.add(found.url, found.terms, [link.url for link in found.links])
    columns: Any = matrix.pages(0).toarray()
    links = columns[matrix.terms :]
    # b links to itself by the diagonal, d to b and to itself; all columns have length one.
    assert (links > 0).tolist() == [[True, False], [True, True]]
    assert np.linalg.norm(columns, axis=0) == pytest.approx([1.0, 1.0])
    waiting = matrix.waiting(["http://b.test/2", "http://nobody.test/"], [None, None]).toarray()
    assert waiting[matrix.terms :, 0] == pytest.approx([0.5**0.5, 0.5**0.5])
    assert not waiting[:, 1].any()


@pytest.mark.parametrize(
    "spec", ["hcla(links=odd)", "hcla(k=-1)", "hcla(n=-1)", "hcla(fetched=2)", "phits(aspects=0)", "phits(n=0)"]
)
def test_parameters_that_cannot_be_are_refused(spec: str) -> None:
    with pytest.raises(PluginError, match="cannot be created"):
        make_strategy(spec)
