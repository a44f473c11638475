"""What every store must know of files: what they say of themselves, members of archives, details of reasons."""

from tests.store.rows import OTHER, THIRD, URL, document, visit
from thresher.reasons import Reason
from thresher.store.page_records import Copied
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.web.urls import url_id

MEMBERS = [f"{URL}!/{name}" for name in ("a.txt", "ü/b.pdf")]


class FilesContract:
    def test_what_a_file_says_of_itself_comes_back(self, store: Store, crawl: int) -> None:
        row = document(about={"author": "Ann Lée", "created": "2024-01-31"}, archive=OTHER)
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit()], documents=[row]))
        assert store.documents.document(url_id(URL)) == row
        store.commit(Batch(crawl=crawl, at=2.0, visits=[visit(at=6.0)], documents=[document()]))
        assert store.documents.document(url_id(URL)) == document()

    def test_members_of_an_archive_are_found_while_they_are_there(self, store: Store, crawl: int) -> None:
        rows = [document(member, archive=URL, digest=member.encode()[-16:]) for member in MEMBERS]
        other = document(THIRD, archive=OTHER)
        visits = [visit(member) for member in (*MEMBERS, THIRD)]
        store.commit(Batch(crawl=crawl, at=1.0, visits=visits, documents=[*rows, other]))
        found = [Copied(row.url_id, row.url, row.digest) for row in rows]
        assert store.documents.members(URL) == sorted(found)
        assert store.documents.members(f"{URL}x") == []
        assert {page.archive for page in store.documents.due(100.0)} == {URL, OTHER}
        gone = visit(MEMBERS[0], at=9.0, outcome="failed", reason=Reason.NOT_FOUND, status=200)
        store.commit(Batch(crawl=crawl, at=2.0, visits=[gone]))
        assert [member.url for member in store.documents.members(URL)] == [MEMBERS[1]]

    def test_details_of_a_reason_are_counted(self, store: Store, crawl: int) -> None:
        told = ["de", "fr", "de", ""]
        visits = [
            visit(f"{URL}{n}", outcome="failed", reason=Reason.WRONG_LANGUAGE, detail=code)
            for n, code in enumerate(told)
        ]
        store.commit(Batch(crawl=crawl, at=1.0, visits=[*visits, visit(outcome="failed", reason=Reason.TIMEOUT)]))
        assert list(store.log.details(crawl, Reason.WRONG_LANGUAGE).items()) == [("de", 2), ("", 1), ("fr", 1)]
        assert store.log.details(crawl + 1, Reason.WRONG_LANGUAGE) == {}
