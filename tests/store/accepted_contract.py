"""What every store must do with the pages that topics have accepted."""

import math

from msgspec.structs import replace

from tests.store.rows import OTHER, THIRD, URL, document, visit
from thresher.reasons import Reason
from thresher.store.page_records import DocumentRow, ReviewState
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.types import Judgement
from thresher.web.urls import url_id


def judged(url: str, topic: str | None, confidence: float) -> DocumentRow:
    return document(url, judgement=Judgement(topic=topic, confidence=confidence, probability=0.75))


def urls(store: Store, topic: str | None = None, limit: int = 0, offset: int = 0) -> list[str]:
    return [page.url for page in store.documents.accepted(topic, limit=limit, offset=offset)]


class AcceptedContract:
    def test_accepted_pages_come_best_first(self, store: Store, crawl: int) -> None:
        rejected = judged("http://c.test/", None, -1.0)
        pages = [judged(URL, "Pets/Cats", 0.5), judged(OTHER, "Pets/Cats", 2.5), judged(THIRD, "Pets", 1.5)]
        assert urls(store) == []
        store.commit(Batch(crawl=crawl, at=1.0, documents=[*pages, rejected, document("http://d.test/")]))
        assert urls(store) == [OTHER, THIRD, URL]
        assert store.documents.count_accepted() == 3
        best = next(store.documents.accepted())
        assert (best.url_id, best.title, best.topic) == (url_id(OTHER), "A title", "Pets/Cats")
        assert (best.confidence, best.probability, best.state) == (2.5, 0.75, ReviewState.UNREVIEWED)

    def test_a_topic_has_the_pages_of_everything_below_it(self, store: Store, crawl: int) -> None:
        names = ["Pets", "Pets/Cats", "Pets/Cats/Wild", "Pets and people", "Pets.org", "Pets0", "Pet", "Pets%2FCats"]
        pages = [judged(f"http://a.test/{number}", name, -number) for number, name in enumerate(names)]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        assert urls(store, "Pets") == ["http://a.test/0", "http://a.test/1", "http://a.test/2"]
        assert urls(store, "Pets/Cats") == ["http://a.test/1", "http://a.test/2"]
        assert urls(store, "Pets/Dogs") == []
        assert [store.documents.count_accepted(name) for name in ("Pets", "Pets/Cats", "Dogs")] == [3, 2, 0]

    def test_accepted_pages_can_be_had_a_few_at_a_time(self, store: Store, crawl: int) -> None:
        pages = [judged(f"http://a.test/{number}", "Cats", float(-(number // 2))) for number in range(1200)]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
        all_of_them = urls(store)
        assert len(all_of_them) == 1200
        assert urls(store, limit=7, offset=600) == all_of_them[600:607]
        assert urls(store, "Cats", offset=1190) == all_of_them[1190:]
        assert urls(store, offset=1200) == []
        # Pages of one confidence have an order too, so that none is shown twice.
        assert sorted(all_of_them[:2], key=url_id) == all_of_them[:2]

    def test_pages_that_are_gone_or_not_to_be_indexed_are_left_out(self, store: Store, crawl: int) -> None:
        private = replace(judged(OTHER, "Cats", 1.0), robots=("noindex", "nofollow"))
        polite = replace(judged(THIRD, "Cats", 0.5), robots=("nofollow",))
        store.commit(Batch(crawl=crawl, at=1.0, documents=[judged(URL, "Cats", 2.0), private, polite]))
        assert urls(store) == [URL, THIRD]
        gone = visit(URL, at=2.0, outcome="failed", reason=Reason.NOT_FOUND, status=404)
        store.commit(Batch(crawl=crawl, at=2.0, visits=[gone]))
        assert urls(store) == [THIRD]
        assert store.documents.count_accepted("Cats") == 1
        store.commit(Batch(crawl=crawl, at=3.0, visits=[visit(URL, at=3.0)]))
        assert urls(store) == [URL, THIRD]

    def test_the_newest_judgement_counts(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[judged(URL, "Cats", 2.0), judged(OTHER, "Cats", 1.0)]))
        moved = Judgement(topic="Dogs", confidence=3.0, probability=math.nan)
        store.commit(Batch(crawl=crawl, at=2.0, judgements={url_id(OTHER): moved}))
        (page,) = store.documents.accepted("Dogs")
        assert (page.url, page.confidence) == (OTHER, 3.0)
        assert math.isnan(page.probability)
        store.commit(Batch(crawl=crawl, at=3.0, judgements={url_id(OTHER): replace(moved, topic=None)}))
        assert urls(store) == [URL]

    def test_a_page_was_found_when_it_was_first_seen(self, store: Store, crawl: int) -> None:
        page = judged(URL, "Cats", 1.0)
        failed = visit(URL, at=3.0, outcome="failed", reason=Reason.TIMEOUT)
        store.commit(Batch(crawl=crawl, at=4.0, visits=[failed, visit(URL, at=4.0)], documents=[replace(page, at=4.0)]))
        store.commit(Batch(crawl=crawl, at=9.0, visits=[visit(URL, at=9.0)], documents=[replace(page, at=9.0)]))
        assert [page.found for page in store.documents.accepted()] == [4.0]
