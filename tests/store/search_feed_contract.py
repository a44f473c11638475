"""What every store must tell the search index."""

from itertools import chain

from tests.store.rows import OTHER, THIRD, URL, document, link, visit
from thresher.reasons import Reason
from thresher.store.page_records import PageScores
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.store.search_records import SavedSearch, SearchablePage, SearchFeedback
from thresher.types import Judgement
from thresher.web.urls import url_id

ID, OTHER_ID, THIRD_ID = url_id(URL), url_id(OTHER), url_id(THIRD)


def feed(store: Store, since: int = 0) -> dict[int, SearchablePage]:
    """Return what the feed gives, by id; it must come in the order of the sequence numbers."""
    pages = list(chain.from_iterable(store.search_feed.pages(since)))
    assert [page.seq for page in pages] == sorted({page.seq for page in pages})
    return {page.id: page for page in pages}


class SearchFeedContract:
    def test_an_empty_portal_feeds_nothing(self, store: Store) -> None:
        assert feed(store) == {}
        assert list(store.search_feed.scores()) == []
        assert store.search_feed.texts([ID]) == store.search_feed.heads([ID]) == {}
        assert store.search_feed.anchors(ID, 10) == {}

    def test_a_page_comes_with_its_newest_judgement(self, store: Store, crawl: int) -> None:
        first = Judgement(topic="cats", confidence=0.5, probability=0.75, model="m1")
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL, judgement=first), document(OTHER)]))
        assert feed(store)[ID][10:] == ("cats", 0.5, 0.75, "m1", "unreviewed")
        assert feed(store)[OTHER_ID][10:] == (None, None, None, None, "unreviewed")
        mark = store.log.last()
        second = Judgement(topic=None, confidence=-0.5, probability=0.25, model="m2")
        store.commit(Batch(crawl=crawl, at=2.0, judgements={ID: second}))
        assert feed(store, mark).keys() == {ID}
        assert feed(store, mark)[ID][10:] == (None, -0.5, 0.25, "m2", "unreviewed")

    def test_pages_that_are_gone_or_ask_not_to_be_indexed_are_told_as_such(self, store: Store, crawl: int) -> None:
        pages = [document(URL), document(OTHER, robots=("nofollow", "noindex")), document(THIRD)]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        mark = store.log.last()
        store.commit(Batch(crawl=crawl, at=2.0, visits=[visit(URL, outcome="failed", reason=Reason.GONE)]))
        assert {id_: page.searchable for id_, page in feed(store).items()} == {
            ID: False,
            OTHER_ID: False,
            THIRD_ID: True,
        }
        assert feed(store, mark).keys() == {ID}

    def test_texts_and_heads_of_stored_pages(self, store: Store, crawl: int) -> None:
        row = document(URL, preview="Few words.", robots=("nosnippet",), language="en")
        store.commit(Batch(crawl=crawl, at=1.0, documents=[row]))
        text = store.search_feed.texts([ID, OTHER_ID])
        assert list(text.values()) == [(URL, "A title", "Words of the page.", "en", {"word": 1, "page": 2})]
        heads = store.search_feed.heads([OTHER_ID, ID])
        assert heads == {ID: (URL, "A title", "Words of the page.", "Few words.", "en", ("nosnippet",))}

    def test_links_are_told_by_their_targets_and_by_their_texts(self, store: Store, crawl: int) -> None:
        pages = [
            document(URL, links=[link(THIRD, "here"), link(OTHER, "two"), link(THIRD, "cats")]),
            document(OTHER, links=[link(THIRD, "cats")]),
            document(THIRD),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        assert store.search_feed.targets([ID, OTHER_ID, THIRD_ID]) == {
            ID: sorted([THIRD_ID, OTHER_ID]),
            OTHER_ID: [THIRD_ID],
        }
        assert store.search_feed.anchors(THIRD_ID, 10) == {"cats": 2, "here": 1}
        assert sum(store.search_feed.anchors(THIRD_ID, 2).values()) == 2

    def test_links_of_pages_that_cannot_be_found_lend_no_text(self, store: Store, crawl: int) -> None:
        pages = [
            document(URL, links=[link(THIRD, "secret")], robots=("noindex",)),
            document(OTHER, links=[link(THIRD, "cats")]),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        assert store.search_feed.anchors(THIRD_ID, 10) == {"cats": 1}

    def test_scores_have_a_version(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL), document(OTHER)]))
        before = store.search_feed.scores_version()
        store.scores.keep([PageScores(ID, 0.1, 0.2, 0.3)])
        assert store.search_feed.scores_version() != before
        found = list(chain.from_iterable(store.search_feed.scores()))
        expected = [PageScores(ID, 0.1, 0.2, 0.3), PageScores(OTHER_ID, None, None, None)]
        assert found == sorted(expected, key=lambda row: row.id)

    def test_saved_searches_have_one_row_for_each_name(self, store: Store) -> None:
        assert store.searches.saved() == []
        first = SavedSearch(name="b", query="boats", at=1.0, looked=1.0, seq=3)
        second = SavedSearch(name="a", query="hats", rank="text=1", at=2.0, looked=2.0, seq=4)
        for search in (first, second, SavedSearch(name="b", query="red boats", at=3.0, looked=3.0, seq=5)):
            store.searches.save(search)
        assert [(search.name, search.query, search.seq) for search in store.searches.saved()] == [
            ("a", "hats", 4),
            ("b", "red boats", 5),
        ]
        assert store.searches.forget("b")
        assert not store.searches.forget("b")
        assert store.searches.saved() == [second]

    def test_feedback_stays_until_it_is_deleted(self, store: Store) -> None:
        row = SearchFeedback(profile="me", query="boats", at=1.0, weights={"text": 1.0}, relevant=(URL,))
        first, second = store.searches.add_feedback(row), store.searches.add_feedback(row)
        assert [found.id for found in store.searches.feedback()] == [first, second]
        assert store.searches.feedback()[0].relevant == (URL,)
        assert store.searches.forget_feedback([first, 99]) == 1
        assert [found.id for found in store.searches.feedback()] == [second]
