"""What every store must know of pages that repeat others."""

import pytest
from msgspec.structs import replace

from tests.store.rows import OTHER, THIRD, URL, document, visit
from thresher.reasons import Reason
from thresher.store.page_records import Alike, DuplicateKind, DuplicateRow
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.web.urls import url_id

SIMHASH = 0xF00F_0FF0_1234_8001


def repeats(url: str, original: str, kind: DuplicateKind = DuplicateKind.NEAR, distance: int = 2) -> DuplicateRow:
    return DuplicateRow(
        url_id=url_id(url),
        url=url,
        original=url_id(original),
        original_url=original,
        kind=kind,
        distance=distance,
        similarity=0.75,
    )


class DuplicatesContract:
    def test_pages_are_found_by_the_digest_of_their_text_oldest_first(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(THIRD, digest=b"d"), document(digest=b"e")]))
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document(OTHER, digest=b"d")]))
        assert store.duplicates.same_text(b"d") == [(url_id(THIRD), THIRD), (url_id(OTHER), OTHER)]
        assert store.duplicates.same_text(b"x") == []

    def test_pages_without_words_have_no_text_in_common(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document()]))
        assert store.duplicates.same_text(b"") == []

    def test_a_page_with_a_new_text_is_found_by_it_alone(self, store: Store, crawl: int) -> None:
        for digest, simhash in ((b"d", 1), (b"e", 1 << 63)):
            store.commit(Batch(crawl=crawl, at=1.0, documents=[document(digest=digest, simhash=simhash)]))
        assert store.duplicates.same_text(b"d") == []
        assert store.duplicates.same_text(b"e") == [(url_id(URL), URL)]
        assert store.duplicates.alike([1], 0) == {}
        assert [page.url for page in store.duplicates.alike([1 << 63], 0)[1 << 63]] == [URL]

    def test_pages_that_are_gone_are_nobodys_original(self, store: Store, crawl: int) -> None:
        found = document(digest=b"d", simhash=SIMHASH)
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit()], documents=[found]))
        gone = visit(at=9.0, outcome="failed", reason=Reason.GONE, status=410)
        store.commit(Batch(crawl=crawl, at=2.0, visits=[gone]))
        assert store.duplicates.same_text(b"d") == []
        assert store.duplicates.alike([SIMHASH], 3) == {}

    @pytest.mark.parametrize("simhash", [1, SIMHASH, (1 << 64) - 1, 1 << 63], ids=hex)
    def test_a_simhash_comes_back(self, store: Store, crawl: int, simhash: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(simhash=simhash)]))
        assert store.documents.document(url_id(URL)) == document(simhash=simhash)

    def test_every_page_within_three_bits_is_found_wherever_the_bits_are(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(simhash=SIMHASH)]))
        for flips in ((0, 16, 32), (0, 1, 2), (15, 47, 63), (31, 48, 62)):
            other = SIMHASH
            for bit in flips:
                other ^= 1 << bit
            terms = {"word": 1, "page": 2}
            assert store.duplicates.alike([other], 3) == {other: [Alike(url_id(URL), URL, 3, terms)]}
            assert store.duplicates.alike([other], 2) == {}

    def test_the_nearest_page_comes_first_then_the_oldest(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(simhash=SIMHASH ^ 1)]))
        same = [document(THIRD, simhash=SIMHASH), document(OTHER, simhash=SIMHASH)]
        store.commit(Batch(crawl=crawl, at=1.0, documents=same))
        assert [(page.url, page.distance) for page in store.duplicates.alike([SIMHASH], 3)[SIMHASH]] == [
            (THIRD, 0),
            (OTHER, 0),
            (URL, 1),
        ]

    def test_pages_without_a_simhash_are_like_nobody(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document()]))
        assert store.duplicates.alike([1], 3) == {}

    def test_what_a_page_repeats_comes_back(self, store: Store, crawl: int) -> None:
        rows = [repeats(URL, OTHER), repeats(URL, THIRD, DuplicateKind.CANONICAL, 0)]
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document()], duplicates=rows))
        assert store.duplicates.of(url_id(URL)) == [rows[1], rows[0]]
        assert store.duplicates.of(url_id(OTHER)) == []

    def test_what_was_known_of_a_page_is_forgotten_when_it_is_written_anew(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document()], duplicates=[repeats(URL, OTHER)]))
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document()]))
        assert store.duplicates.of(url_id(URL)) == []
        store.commit(Batch(crawl=crawl, at=3.0, duplicates=[repeats(URL, OTHER, DuplicateKind.DIGEST)]))
        again = repeats(URL, THIRD, DuplicateKind.CANONICAL)
        store.commit(Batch(crawl=crawl, at=4.0, duplicates=[again]))
        assert store.duplicates.of(url_id(URL)) == [again]

    def test_pairs_of_a_kind_are_given_in_the_order_of_the_ids(self, store: Store, crawl: int) -> None:
        urls = [f"http://h{number}.test/" for number in range(5)]
        rows = [repeats(url, URL, DuplicateKind.DIGEST, 0) for url in urls]
        rows.append(replace(rows[0], kind=DuplicateKind.NEAR, original=7))
        store.commit(Batch(crawl=crawl, at=1.0, duplicates=rows))
        assert list(store.duplicates.pairs(DuplicateKind.DIGEST)) == sorted((url_id(url), url_id(URL)) for url in urls)
        assert list(store.duplicates.pairs(DuplicateKind.NEAR)) == [(url_id(urls[0]), 7)]
