"""Link analysis of portals, against stores of both kinds and beside another writer."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.rows import document, link, visit
from thresher.link_analysis import analyse_links
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DuplicateKind, DuplicateRow
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.types import Judgement
from thresher.web.urls import url_id

HUB, GOOD, FAIR, COPY = "http://hub.test/", "http://good.test/", "http://fair.test/", "http://copy.test/"
OTHER_HUB, MOVED, ROUND, ABOUT = "http://list.test/", "http://old.test/", "http://round.test/", "http://about.test/"


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = MemoryStore() if request.param == "memory" else open_store(tmp_path, create=True)
    yield store
    store.close()


def judged(topic: str | None) -> Judgement:
    return Judgement(topic=topic, confidence=0.5, probability=0.5)


def fill(store: Store, topic: str | None = None) -> int:
    """Write a small portal: GOOD is linked under its own name, under an old one and as a copy."""
    crawl = store.crawls.start("crawl", "default", {}, at=1.0).id
    judgement = None if topic is None else judged(topic)
    pages = [
        document(HUB, links=[link(GOOD), link(FAIR)], judgement=judgement),
        document(OTHER_HUB, links=[link(MOVED), link("http://never.test/")], judgement=judgement),
        document(ABOUT, links=[link(COPY), link(ROUND)], judgement=judgement),
        document(GOOD, judgement=judgement),
        document(FAIR, judgement=judgement),
        document(COPY, judgement=judgement),
    ]
    visits = [
        visit(MOVED, outcome="redirected", to="http://older.test/"),
        visit("http://older.test/", outcome="redirected", to=GOOD),
        visit(ROUND, outcome="redirected", to="http://round.test/2"),
        visit("http://round.test/2", outcome="redirected", to=ROUND),
    ]
    near = DuplicateRow(
        url_id=url_id(COPY), url=COPY, original=url_id(GOOD), original_url=GOOD, kind=DuplicateKind.NEAR
    )
    store.commit(Batch(crawl=crawl, at=2.0, documents=pages, visits=visits, duplicates=[near]))
    return crawl


def test_redirects_and_duplicates_are_folded(store: Store) -> None:
    fill(store)
    analysis = analyse_links(store)
    assert (len(analysis.links.stored), analysis.links.graph.nodes, analysis.links.graph.links.nnz) == (6, 5, 4)
    scores = store.scores.of([url_id(url) for url in (GOOD, FAIR, COPY, HUB)])
    good, fair, copy, hub = (scores[url_id(url)] for url in (GOOD, FAIR, COPY, HUB))
    assert good.authority > fair.authority > 0
    assert good.pagerank > fair.pagerank
    assert copy[1:] == good[1:]
    assert hub.hub > good.hub


def test_scores_do_not_depend_on_the_kind_of_store(tmp_path: Path) -> None:
    memory, sqlite = MemoryStore(), open_store(tmp_path, create=True)
    ids = [url_id(url) for url in (HUB, GOOD, FAIR, COPY, OTHER_HUB, ABOUT)]
    for store in (memory, sqlite):
        fill(store, "cats")
        analyse_links(store, by_relevance=True)
    assert memory.scores.of(ids) == sqlite.scores.of(ids)
    sqlite.close()


def test_pages_without_a_topic_have_no_hubs_and_authorities_where_others_have_one(store: Store) -> None:
    crawl = fill(store, "cats")
    store.commit(Batch(crawl=crawl, at=3.0, documents=[document(FAIR, judgement=judged(None))]))
    (topic,) = analyse_links(store).topics
    assert (topic.topic, int(topic.members.sum()), len(topic.nodes)) == ("cats", 4, 5)
    fair, good = (store.scores.of([url_id(url)])[url_id(url)] for url in (FAIR, GOOD))
    assert fair.hub is None
    assert fair.authority is None
    assert fair.pagerank > 0
    assert good.authority > 0


def test_an_empty_portal_and_one_page(store: Store) -> None:
    nothing = analyse_links(store)
    assert (nothing.topics, nothing.pagerank.tolist()) == ([], [])
    crawl = store.crawls.start("crawl", "default", {}, at=1.0).id
    store.commit(Batch(crawl=crawl, at=2.0, documents=[document(GOOD, links=[link(GOOD), link(FAIR)])]))
    assert analyse_links(store).pagerank.tolist() == [1.0]
    assert store.scores.of([url_id(GOOD)])[url_id(GOOD)][1:] == (0.0, 0.0, 1.0, 1.0)


def test_a_crawl_goes_on_beside_it(tmp_path: Path) -> None:
    crawler = open_store(tmp_path, create=True)
    crawl = fill(crawler)
    stop, written = threading.Event(), []

    def write() -> None:
        while not stop.is_set() or not written:
            url = f"http://new.test/{len(written)}"
            crawler.commit(Batch(crawl=crawl, at=3.0, documents=[document(url, links=[link(GOOD)])]))
            written.append(url_id(url))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        ranker = open_store(tmp_path)
        counts = [len(analyse_links(ranker).links.stored) for _ in range(5)]
        ranker.close()
    finally:
        stop.set()
        thread.join()
    assert counts == sorted(counts)
    assert len(list(crawler.documents.urls())) == 6 + len(written)
    assert crawler.scores.of([url_id(GOOD)])[url_id(GOOD)].pagerank > 0
    assert crawler.check() == []
    crawler.close()
