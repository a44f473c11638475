"""What every store must know of pages that are checked again: which are due, which are gone, what is at hand."""

import pytest
from msgspec.structs import replace

from tests.store.rows import OTHER, THIRD, URL, document, url_row, visit
from thresher.reasons import Reason
from thresher.store.page_records import KnownPage, VisitRow
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.store.url_records import UrlMove, UrlState
from thresher.types import Copy
from thresher.web.urls import url_id

ID = url_id(URL)
GONE = visit(at=9.0, outcome="failed", reason=Reason.NOT_FOUND, status=404)


class PresenceContract:
    def test_the_copy_of_a_candidate_comes_back(self, store: Store, crawl: int) -> None:
        copy = Copy(etag='W/"ä"', last_modified="Mon", digest=b"\0\xff", at=7.5)
        row = url_row(copy=copy)
        store.commit(Batch(crawl=crawl, at=1.0, urls=[row, url_row(OTHER)]))
        store.commit(Batch(crawl=crawl, at=1.0, moves=[UrlMove(ID, UrlState.DONE)]))
        assert store.urls.rows(crawl, [ID])[ID] == replace(row, state=UrlState.DONE)
        assert store.urls.rows(crawl, [url_id(OTHER)])[url_id(OTHER)].candidate.copy is None

    @pytest.mark.parametrize(
        "last",
        [
            GONE,
            visit(at=9.0, outcome="failed", reason=Reason.GONE, status=410),
            visit(at=9.0, outcome="fetched", reason=Reason.NOINDEX, status=200),
            visit(at=9.0, outcome="redirected", to=OTHER, status=301),
        ],
        ids=["not-found", "gone", "noindex", "moved"],
    )
    def test_a_page_that_is_gone_is_marked_and_stays_readable(self, store: Store, crawl: int, last: VisitRow) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit()], documents=[document()]))
        before = store.log.last()
        store.commit(Batch(crawl=crawl, at=2.0, visits=[last]))
        assert store.documents.document(ID) == document(gone=9.0)
        assert [url for _, url in store.log.documents_since(before)] == [URL]
        store.commit(Batch(crawl=crawl, at=3.0, visits=[replace(last, at=10.0)]))
        assert store.documents.document(ID) == document(gone=9.0)

    @pytest.mark.parametrize(
        "last",
        [
            visit(at=9.0, outcome="failed", reason=Reason.TIMEOUT),
            visit(at=9.0, outcome="failed", reason=Reason.UNAVAILABLE, status=503),
            visit(at=9.0, outcome="redirected", to=OTHER, status=302),
            visit(OTHER, at=9.0, outcome="failed", reason=Reason.GONE, status=410),
            replace(GONE, url=OTHER),
        ],
        ids=["timeout", "unavailable", "elsewhere-for-now", "another-page", "another-page-under-its-id"],
    )
    def test_what_does_not_tell_changes_nothing(self, store: Store, crawl: int, last: VisitRow) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit()], documents=[document()]))
        before = store.log.last()
        store.commit(Batch(crawl=crawl, at=2.0, visits=[last]))
        assert store.documents.document(ID) == document()
        assert list(store.log.documents_since(before)) == []

    @pytest.mark.parametrize("outcome", ["unchanged", "fetched"])
    def test_a_page_that_is_back_loses_its_mark(self, store: Store, crawl: int, outcome: str) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit(), GONE], documents=[]))
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document()]))
        store.commit(Batch(crawl=crawl, at=2.0, visits=[GONE]))
        store.commit(Batch(crawl=crawl, at=3.0, visits=[visit(at=10.0, outcome=outcome)]))
        assert store.documents.document(ID) == document()

    def test_a_page_that_is_written_again_is_there(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document()]))
        store.commit(Batch(crawl=crawl, at=2.0, visits=[GONE]))
        last = store.commit(Batch(crawl=crawl, at=3.0, visits=[visit(at=10.0)], documents=[document(at=10.0)]))
        assert store.documents.document(ID) == document(at=10.0)
        assert list(store.log.documents_since(0)) == [(last, URL)]

    def test_the_pages_visited_longest_ago_are_due_first(self, store: Store, crawl: int) -> None:
        pages = [document(URL, depth=2, origin=OTHER, digest=b"d"), document(OTHER), document(THIRD)]
        seen = [
            visit(URL, at=5.0, etag='"1"', last_modified="Mon"),
            visit(OTHER, at=7.0),
            visit(THIRD, at=6.0),
            visit(URL, at=8.0, outcome="failed", reason=Reason.TIMEOUT),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, visits=seen, documents=pages))
        due = list(store.documents.due(100.0))
        assert [(known.url, known.visited) for known in due] == [(THIRD, 6.0), (OTHER, 7.0), (URL, 8.0)]
        copy = Copy(etag='"1"', last_modified="Mon", digest=b"d", at=5.0)
        assert due[2] == KnownPage(url=URL, visited=8.0, copy=copy, depth=2, origin=OTHER)
        assert list(store.documents.due(100.0, 2)) == due[:2]
        assert list(store.documents.due(7.0)) == due[:1]
        assert list(store.documents.due(6.0)) == []

    def test_validators_are_those_of_the_newest_good_visit(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit(etag='"1"')], documents=[document(digest=b"d")]))
        later = [
            visit(at=6.0, outcome="unchanged", etag='"2"'),
            visit(at=7.0, outcome="fetched", reason=Reason.UNREADABLE, etag='"3"'),
            visit(at=8.0, outcome="failed", reason=Reason.TIMEOUT, etag='"4"'),
        ]
        store.commit(Batch(crawl=crawl, at=2.0, visits=later))
        [known] = store.documents.due(100.0)
        assert known == KnownPage(url=URL, visited=8.0, copy=Copy(etag='"2"', digest=b"d", at=5.0))

    def test_of_a_page_that_is_gone_nothing_is_at_hand(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit(etag='"1"')], documents=[document(digest=b"d")]))
        store.commit(Batch(crawl=crawl, at=2.0, visits=[GONE]))
        assert list(store.documents.due(100.0)) == [KnownPage(url=URL, visited=9.0, copy=Copy(at=5.0))]
