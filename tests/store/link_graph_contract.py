"""What every store must tell link analysis, and keep of what it says."""

from array import array
from itertools import chain

import pytest

from tests.store.rows import OTHER, THIRD, URL, document, link, url_row, visit
from thresher.reasons import Reason
from thresher.store.page_records import LinkedPage, PageScores
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.sqlite import link_graph
from thresher.types import Judgement
from thresher.web.urls import url_id

ID, OTHER_ID, THIRD_ID = url_id(URL), url_id(OTHER), url_id(THIRD)
JUDGED = Judgement(topic="cats", confidence=0.25, probability=0.75)


def pairs(store: Store) -> list[tuple[int, int]]:
    """Return all edges of a store, sorted."""
    blocks = list(store.graph.edges())
    assert all(isinstance(block, array) and block.itemsize == 8 for block in blocks)
    return sorted(pair for block in blocks for pair in zip(block[::2], block[1::2], strict=True))


class LinkGraphContract:
    def test_an_empty_portal_has_no_graph(self, store: Store) -> None:
        assert list(store.graph.pages()) == list(store.graph.page_columns()) == []
        assert list(store.graph.edges()) == []
        assert list(store.graph.redirects()) == []
        assert store.scores.of([ID]) == {}
        store.scores.keep([])

    def test_pages_come_with_host_and_newest_judgement_in_the_order_of_ids(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL, judgement=JUDGED), document(THIRD)]))
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document(URL)]))
        expected = [LinkedPage(ID, "a.test", "cats", 0.25), LinkedPage(THIRD_ID, "b.test", None, None)]
        assert list(chain.from_iterable(store.graph.pages())) == sorted(expected)
        columns = list(store.graph.page_columns())
        assert [page for block in columns for page in zip(*block, strict=True)] == sorted(expected)

    def test_pages_that_are_gone_are_left_out(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL), document(OTHER)]))
        missing = visit(URL, outcome="failed", reason=Reason.GONE)
        store.commit(Batch(crawl=crawl, at=2.0, visits=[missing]))
        assert [page.id for page in chain.from_iterable(store.graph.pages())] == [OTHER_ID]

    def test_every_link_is_an_edge(self, store: Store, crawl: int) -> None:
        pages = [document(URL, links=[link(OTHER), link(THIRD), link(OTHER)]), document(OTHER, links=[link(OTHER)])]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        assert pairs(store) == sorted([(ID, OTHER_ID), (ID, THIRD_ID), (ID, OTHER_ID), (OTHER_ID, OTHER_ID)])

    def test_edges_to_many_hosts_come_whole_however_they_are_parted(
        self, store: Store, crawl: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # One target per block, and so many hosts that their ids lie in all parts.
        monkeypatch.setattr(link_graph, "_TARGETS_AT_ONCE", 1)
        targets = [f"http://host{number % 50}.test/{number}" for number in range(60)]
        pages = [document(URL, links=[link(target) for target in targets]), document(OTHER, links=[link(targets[0])])]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        expected = [(ID, url_id(target)) for target in targets]
        assert pairs(store) == sorted([*expected, (OTHER_ID, url_id(targets[0]))])

    def test_links_that_a_page_lost_are_no_edges(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL, links=[link(OTHER), link(THIRD)])]))
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document(URL, links=[link(THIRD)])]))
        assert pairs(store) == [(ID, THIRD_ID)]

    def test_pages_tell_where_they_link_to_each_target_once_in_their_order(self, store: Store, crawl: int) -> None:
        pages = [document(URL, links=[link(THIRD), link(OTHER), link(THIRD)]), document(OTHER, links=[])]
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(OTHER)], documents=pages))
        assert store.graph.outlinks([OTHER_ID, ID, THIRD_ID]) == {ID: [THIRD, OTHER], OTHER_ID: []}
        assert store.graph.outlinks([]) == {}
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document(URL, links=[link(URL)])]))
        assert store.graph.outlinks([ID]) == {ID: [URL]}

    def test_pages_that_link_to_an_address_come_in_the_order_of_ids_and_only_so_many(
        self, store: Store, crawl: int
    ) -> None:
        linking = sorted([f"http://{name}.test/" for name in "cdefg"], key=url_id)
        pages = [document(url, links=[link(OTHER), link(OTHER)]) for url in linking]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        named = [(url_id(url), url) for url in linking]
        assert store.graph.inlinks([OTHER_ID, ID], 9) == {OTHER_ID: named, ID: []}
        assert store.graph.inlinks([OTHER_ID], 2) == {OTHER_ID: named[:2]}
        assert store.graph.inlinks([], 2) == {}
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document(linking[0], links=[link(URL)])]))
        assert store.graph.inlinks([OTHER_ID, ID], 9) == {OTHER_ID: named[1:], ID: named[:1]}

    def test_terms_of_many_pages_at_once(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL, terms={"ä": 2}), document(OTHER, terms={})]))
        assert store.documents.terms([ID, THIRD_ID, OTHER_ID]) == {ID: {"ä": 2}, OTHER_ID: {}}
        assert store.documents.terms([]) == {}

    def test_the_newest_redirect_counts(self, store: Store, crawl: int) -> None:
        visits = [
            visit(URL, outcome="redirected", to=OTHER),
            visit(URL, outcome="redirected", to="HTTP://B.test"),
            visit(OTHER, outcome="redirected", to=OTHER),
            visit(THIRD, outcome="redirected", to="mailto:someone"),
            visit(THIRD, outcome="redirected"),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, visits=visits))
        assert list(store.graph.redirects()) == [(ID, THIRD_ID)]

    def test_crawls_tell_what_they_found_on_no_stored_page(self, store: Store, crawl: int) -> None:
        sitemap, waiting = "http://a.test/sitemap.xml", "http://a.test/waiting"
        rows = [
            url_row(URL),
            url_row(OTHER, parent=URL),
            url_row(sitemap, order=1),
            url_row(THIRD, parent=sitemap),
            url_row(waiting, parent=sitemap),
        ]
        pages = [document(URL), document(OTHER), document(THIRD)]
        store.commit(Batch(crawl=crawl, at=1.0, urls=rows, documents=pages))
        given = {(ID, None), (url_id(sitemap), None)}
        assert set(store.graph.entries([crawl])) == {*given, (THIRD_ID, url_id(sitemap))}
        later = store.crawls.start(CrawlKind.HARVEST, "default", {}, at=2.0).id
        elsewhere = [url_row(OTHER, parent=URL), url_row(URL, parent="http://gone.test/")]
        store.commit(Batch(crawl=later, at=2.0, urls=elsewhere))
        assert list(store.graph.entries([later])) == [(ID, url_id("http://gone.test/"))]
        assert list(store.graph.entries([])) == []

    def test_scores_survive_a_page_that_is_fetched_again(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL), document(OTHER)]))
        before = store.log.last()
        store.scores.keep([PageScores(ID, 0.5, 0.25, 0.125), PageScores(THIRD_ID, 1.0, 1.0, 1.0)])
        assert store.log.last() == before
        assert list(store.log.documents_since(before)) == []
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document(URL, text="Anew.")]))
        assert store.scores.of([ID, OTHER_ID, THIRD_ID]) == {
            ID: PageScores(ID, 0.5, 0.25, 0.125),
            OTHER_ID: PageScores(OTHER_ID, None, None, None),
        }

    def test_newer_scores_replace_older_ones(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL)]))
        store.scores.keep([PageScores(ID, 0.5, 0.25, 0.125)])
        store.scores.keep([PageScores(ID, None, None, 0.5)])
        assert store.scores.of([ID]) == {ID: PageScores(ID, None, None, 0.5)}
