"""The battery every registered strategy must pass."""

import json
from collections import Counter
from math import isfinite
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from tests.machine import spending
from tests.strategies.examples import Examples, examples_of
from tests.strategies.following import EmptyView, followed, read
from thresher.analysers import taught
from thresher.classify.flat import FlatClassifier
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.errors import PluginError
from thresher.plugins import STRATEGIES, make_strategy
from thresher.protocols import (
    Chooses,
    Consults,
    Explains,
    Merges,
    Remembers,
    Reorders,
    Strategy,
    Trains,
    View,
)
from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.memory import MemoryStore
from thresher.store.url_records import UrlState
from thresher.types import MEMO_BYTES, Candidate, Link, ParsedPage, Reading
from thresher.web.urls import canonical, host_of, url_id

ABLE = "tests.strategies.able:FewOfEachSite"
NAMES = [*sorted(STRATEGIES), ABLE]
KINDS = {type(make_strategy(name)): name for name in reversed(NAMES)}
CRAWLED = sorted(KINDS.values())
"""One name of each class: names that differ in their parameters alone crawl by the same code."""
USUAL = ("default", "breadth-first", "hcla", ABLE)
OF_SITES = ("websites", "site-sample")
OF_PAGES = [name for name in NAMES if name not in OF_SITES]
"""Strategies that price the links of a page, and no others: those for whole sites go to their home pages."""


def usual_first(names: list[str]) -> list[Any]:
    """Return the names, those of less common strategies marked as slow: each of their crawls takes seconds."""
    return [name if name in USUAL else pytest.param(name, marks=pytest.mark.slow) for name in names]


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(WebParameters(pages=150, hosts=10, seed=3, profile="finite"))


@pytest.fixture(scope="module")
def examples(web: Web) -> Examples:
    return examples_of(web)


@pytest.fixture(scope="module")
def classifier(examples: Examples) -> FlatClassifier:
    return FlatClassifier().fit(examples)


def page_of(links: int, words: int = 300) -> ParsedPage:
    text = [f"word{number % 97}" for number in range(words)]
    return ParsedPage(
        url="http://a.test/",
        title="A page",
        words=text,
        links=[Link(f"http://h{n % 7}.test/p{n}", f"anchor {n}", n % max(1, words), 1) for n in range(links)],
        terms={word: text.count(word) for word in set(text)},
    )


@pytest.fixture
def made(name: str, classifier: FlatClassifier, examples: Examples) -> Strategy:
    """Make a strategy and teach it, as a crawl does before its first page."""
    return taught(make_strategy(name), name, classifier, examples)


def ranked(strategy: Strategy, page: ParsedPage) -> list[Candidate]:
    return followed(strategy, page, candidate=Candidate(url=page.url, priority=(1.0,), depth=2))


@pytest.mark.parametrize("name", NAMES)
def test_ranks_seeds_like_the_links_of_a_page_nobody_fetched(made: Strategy) -> None:
    root = Candidate(url="", priority=(), depth=-1)
    seeds = [Link("http://a.test/", "", 0, 0), Link("http://b.test/", "", 0, 0)]
    found = list(made.rank(Reading(candidate=root, links=seeds), EmptyView()))
    assert [candidate.url for candidate in found] == ["http://a.test/", "http://b.test/"]
    assert {candidate.depth for candidate in found} == {0}
    assert {candidate.parent for candidate in found} == {None}


@pytest.mark.parametrize("name", OF_PAGES)
@pytest.mark.parametrize("links", [0, 1, 50, 10_000])
def test_survives_empty_and_huge_pages(made: Strategy, links: int) -> None:
    found = ranked(made, page_of(links, words=0 if links == 0 else 300))
    assert {candidate.url for candidate in found} <= {link.url for link in page_of(links).links}
    assert len({len(candidate.priority) for candidate in found}) <= 1
    for candidate in found:
        assert candidate.depth == 3
        assert canonical(candidate.url) == candidate.url
        assert len(candidate.memo.encode()) <= MEMO_BYTES
        assert all(value == value and abs(value) != float("inf") for value in candidate.priority)


@pytest.mark.parametrize("name", usual_first(CRAWLED))
def test_same_seed_same_log_byte_for_byte(name: str, web: Web, examples: Examples) -> None:
    logs = [msgspec.json.encode(simulate(web, name, pages=50, examples=examples).log()) for _ in range(2)]
    assert logs[0] == logs[1]


@pytest.mark.parametrize("name", CRAWLED)
def test_never_leaves_its_scope(name: str, web: Web, examples: Examples) -> None:
    seeds = web.start_pages()[:2]
    homes = {host_of(url) for url in seeds}
    borders = ["crawl.scope=hosts", "crawl.max_depth=3"]
    done = simulate(web, name, pages=50, seeds=seeds, overrides=borders, examples=examples)
    visited = [entry.url for entry in done.log() if entry.url]
    assert visited
    assert {host_of(url) for url in visited} <= homes


@pytest.mark.parametrize("name", usual_first([name for name in CRAWLED if name not in (ABLE, *OF_SITES)]))
def test_stopped_and_resumed_it_ends_with_the_same_pages(name: str, web: Web, examples: Examples) -> None:
    whole = set(simulate(web, name, examples=examples).store.documents.urls())
    store = MemoryStore()
    first = simulate(web, name, pages=50, store=store, examples=examples)
    assert first.progress.pages == 50
    row = store.crawls.get()
    assert row is not None
    second = simulate(web, name, store=store, crawl=row, examples=examples)
    assert second.progress.stopped_because == "empty"
    assert set(store.documents.urls()) == whole
    visits = [
        entry.url for entry in second.log() if entry.kind == "fetched" and not (entry.url or "").endswith("/robots.txt")
    ]
    assert len(visits) == len(set(visits))


@pytest.mark.parametrize("name", NAMES)
def test_state_makes_the_round_trip_through_json(name: str) -> None:
    strategy = make_strategy(name)
    if not isinstance(strategy, Remembers):
        assert not hasattr(strategy, "restore"), "a strategy with restore also needs state"
        return
    state = json.loads(json.dumps(strategy.state()))
    other = make_strategy(name)
    assert isinstance(other, Remembers)
    other.restore(state)
    assert other.state() == state


@pytest.mark.parametrize("name", NAMES)
def test_is_cheap(made: Strategy) -> None:
    page = page_of(100)
    ranked(made, page)
    with spending() as spent:
        for _ in range(20):
            ranked(made, page)
    per_link = spent.seconds / 20 / 100
    assert per_link < 0.004, f"{per_link * 1000:.3f} ms per link"


@pytest.mark.parametrize("name", CRAWLED)
def test_without_topics_it_crawls_or_says_what_it_lacks(name: str, web: Web) -> None:
    if isinstance(make_strategy(name), Consults | Trains):
        with pytest.raises(PluginError, match=f"'{name}'") as caught:
            simulate(web, name, pages=5)
        assert caught.value.remedy
    else:
        assert simulate(web, name, pages=5).progress.pages == 5


@pytest.mark.parametrize("name", NAMES)
def test_what_it_reads_comes_back_in_the_type_that_it_declares_and_ranks_by(made: Strategy) -> None:
    declared = get_type_hints(type(made).read)["return"]
    (ranked_by,) = get_args(get_type_hints(type(made).rank)["reading"])
    assert ranked_by | None == declared | None
    for links in (0, 1, 50):
        assert read(made, page_of(links)).features == made.read(page_of(links), None)


@pytest.mark.parametrize("name", OF_PAGES)
def test_a_link_found_again_stays_the_same_url(made: Strategy) -> None:
    if not isinstance(made, Merges):
        return
    first, second = (ranked(made, replace(page_of(10), url=f"http://{site}.test/")) for site in "ab")
    for waiting, new in zip(first, second, strict=True):
        both = made.merge(waiting, new)
        assert both.url == waiting.url
        assert len(both.priority) == len(waiting.priority)
        assert len(both.memo.encode()) <= MEMO_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_the_account_of_a_price_adds_up_to_it(made: Strategy) -> None:
    if not isinstance(made, Explains):
        return
    for candidate in ranked(made, page_of(10)):
        told = made.account(candidate)
        assert sum(added for _, _, added in told) == pytest.approx(candidate.priority[0])
        assert all(feature for feature, _, _ in told)


@pytest.mark.parametrize("name", NAMES)
def test_it_chooses_one_of_the_queues_that_are_ready(made: Strategy) -> None:
    if isinstance(made, Chooses):
        assert made.choose(["b", "a", "c"], EmptyView()) in ("a", "b", "c")


@pytest.mark.parametrize("name", CRAWLED)
def test_new_prices_are_numbers_of_urls_that_wait(
    name: str, web: Web, examples: Examples, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = type(make_strategy(name))
    if not issubclass(kind, Reorders):
        return
    plain, prices = kind.reorder, []

    def noted(self: Reorders, view: View) -> Any:
        found = list(plain(self, view))
        waiting = {candidate.url for candidate in view.best(10_000)}
        assert {url for url, _ in found} <= waiting
        prices.extend(price for _, price in found)
        return found

    monkeypatch.setattr(kind, "reorder", noted)
    simulate(web, name, pages=50, examples=examples, overrides=["engine.reorder_every=20"])
    assert prices
    assert all(isinstance(price, tuple) and all(isfinite(part) for part in price) for price in prices)


def test_closed_queues_give_nothing_more_also_after_a_stop(web: Web, examples: Examples) -> None:
    store = MemoryStore()
    few, alone = f"{ABLE}(pages=4)", ["engine.parallel=1"]
    first = simulate(web, few, pages=20, store=store, examples=examples, overrides=alone)
    row = store.crawls.get()
    assert row is not None
    last = simulate(web, few, store=store, crawl=row, examples=examples, overrides=alone)
    assert last.progress.stopped_because == "empty"
    assert last.progress.refused["queue-closed"] > first.progress.refused["queue-closed"] > 0
    rows = store.urls.rows(row.id, [url_id(entry.url) for entry in last.log() if entry.url]).values()
    fetched = Counter(found.candidate.queue for found in rows if found.state is UrlState.DONE)
    assert max(fetched.values()) == 4
    assert not list(store.urls.waiting(row.id))


def test_virtual_clock_is_what_makes_it_repeatable() -> None:
    async def read() -> float:
        return VirtualClock().now()

    assert run_virtual(read()) == run_virtual(read()) == 0.0
