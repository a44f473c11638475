"""What every store must do for the keeper's pages: work, schedules, looks, and what a crawl is doing."""

import math

from msgspec.structs import replace

from tests.store.rows import OTHER, THIRD, URL, document, url_row, visit
from thresher.reasons import Reason
from thresher.store.protocol import Store
from thresher.store.records import Batch, EventRow
from thresher.store.url_records import HostRow, UrlState
from thresher.store.watch_records import Place, WaitingLinks
from thresher.store.work_records import ALONE, ScheduleRow, WorkKind, WorkRow
from thresher.types import Judgement
from thresher.web.urls import url_id


def judged(topic: str | None) -> Judgement:
    return Judgement(topic=topic, confidence=0.5, probability=math.nan if topic is None else 0.9)


class WorkContract:
    def test_work_has_a_beginning_and_one_end(self, store: Store) -> None:
        asked = WorkRow(
            kind=WorkKind.TRAIN, asked=1.0, user="ann", pages=5, hours=1.5, schedule=3, arguments=("--", "a b")
        )
        row = store.works.add(asked)
        assert row == replace(asked, id=1)
        store.works.begin(1, 4711, "here", 0.5)
        store.works.stop(1, "bob")
        assert store.works.open() == [replace(asked, id=1, pid=4711, host="here", born=0.5, stopped_by="bob")]
        assert store.works.end(1, 2.0, 130)
        assert not store.works.end(1, 9.0, None)
        store.works.stop(1, "late")
        found = store.works.get(1)
        assert found is not None
        assert (found.ended, found.code, found.stopped_by) == (2.0, 130, "bob")
        assert store.works.open() == []
        assert store.works.get(2) is None
        assert not store.works.end(2, 9.0, None)

    def test_work_that_must_be_alone_is_refused_while_there_is_other(self, store: Store) -> None:
        first = store.works.add(WorkRow(kind=WorkKind.RUN, asked=1.0), ALONE)
        assert first is not None
        assert store.works.add(WorkRow(kind=WorkKind.TRAIN, asked=2.0), ALONE) is None
        assert store.works.add(WorkRow(kind=WorkKind.INDEX, asked=3.0), [WorkKind.INDEX]) is not None
        store.works.end(first.id, 4.0, None)
        assert store.works.add(WorkRow(kind=WorkKind.TRAIN, asked=5.0), ALONE) is not None
        assert [row.kind for row in store.works.newest(2)] == [WorkKind.TRAIN, WorkKind.INDEX]

    def test_schedules_fire_once_for_each_time_and_can_be_brought_back(self, store: Store) -> None:
        row = ScheduleRow(kind=WorkKind.REFRESH, minute=90, days=3, pages=10, hours=1.5, user="ann", made=1.0)
        assert store.schedules.add(row) == 1
        assert store.schedules.all() == [replace(row, id=1)]
        assert store.schedules.fire(1, 100.0)
        assert not store.schedules.fire(1, 100.0)
        assert not store.schedules.fire(2, 100.0)
        assert store.schedules.remove(1, 5.0)
        assert not store.schedules.remove(1, 6.0)
        assert not store.schedules.fire(1, 200.0)
        assert store.schedules.all() == []
        assert store.schedules.restore(1, 50.0)
        assert not store.schedules.restore(1, 50.0)
        assert store.schedules.all() == [replace(row, id=1, fired=100.0)]
        assert store.schedules.remove(1, 150.0)
        assert store.schedules.restore(1, 200.0)
        assert store.schedules.all() == [replace(row, id=1, fired=200.0)]

    def test_each_person_looks_alone(self, store: Store) -> None:
        assert store.looks.get("ann") is None
        store.looks.put("ann", 3.0)
        store.looks.put("ann", 4.0)
        assert (store.looks.get("ann"), store.looks.get("bob")) == (4.0, None)

    def test_places_are_kept_and_replaced(self, store: Store) -> None:
        store.places.keep({1: Place(0.5, -1.0), 2: Place(0.0, 0.0)})
        store.places.keep({1: Place(0.25, 2.0)})
        assert store.places.of([1, 3]) == {1: Place(0.25, 2.0)}


class WatchContract:
    def test_links_wait_by_queue_and_host(self, store: Store, crawl: int) -> None:
        urls = [
            url_row(URL, queue="cats"),
            url_row(OTHER, queue="cats", order=1),
            url_row("http://a.test:8080/x", queue="dogs", order=2),
            url_row(THIRD, queue="cats", order=3, state=UrlState.DONE),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, urls=urls))
        assert store.watch.waiting(crawl) == [WaitingLinks("cats", "a.test", 2), WaitingLinks("dogs", "a.test", 1)]
        assert store.watch.waiting(crawl + 1) == []

    def test_hosts_that_cannot_be_fetched_from_are_told(self, store: Store, crawl: int) -> None:
        hosts = [
            HostRow(host="ready.test", free_at=5.0, delay=1.0),
            HostRow(host="closed.test", closed=Reason.HOST_BAD, failures=3),
            HostRow(host="soon.test", free_at=20.0),
            HostRow(host="later.test", free_at=30.0, failures=1),
            HostRow(host="polite.test", free_at=6.0, delay=10.0),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, hosts=hosts))
        held = store.watch.held(crawl, 10.0, 5.0, 9)
        assert [row.host for row in held] == ["later.test", "soon.test", "polite.test", "closed.test"]
        assert held[-1].closed is Reason.HOST_BAD
        assert [row.host for row in store.watch.held(crawl, 10.0, 5.0, 1)] == ["later.test"]

    def test_pages_and_failures_come_newest_first(self, store: Store, crawl: int) -> None:
        visits = [
            visit(URL, at=1.0),
            visit(OTHER, at=2.0),
            visit(THIRD, at=3.0, outcome="failed", reason=Reason.NOT_FOUND, status=404),
        ]
        pages = [document(URL, at=1.0, judgement=judged("cats")), document(OTHER, at=2.0, judgement=judged(None))]
        store.commit(Batch(crawl=crawl, at=3.0, visits=visits, documents=pages))
        read = store.watch.read(crawl, 9)
        assert [(page.url, page.topic) for page in read] == [(OTHER, None), (URL, "cats")]
        assert math.isnan(read[0].probability)
        assert read[1].probability == 0.9
        assert [page.url for page in store.watch.read(crawl, 1)] == [OTHER]
        failed = store.watch.failures(crawl, 9)
        assert [(found.url, found.reason, found.status) for found in failed] == [(THIRD, "not-found", 404)]
        kept = store.watch.kept(crawl)
        assert [(mark.at, mark.kept) for mark in kept] == [(1.0, True), (2.0, False)]
        assert store.watch.kept(crawl, kept[0].seq) == kept[1:]

    def test_a_crawl_is_paused_until_its_next_turn(self, store: Store, crawl: int) -> None:
        assert store.watch.paused(crawl) is None
        for at, kind, paused in [
            (1.0, "started", None),
            (2.0, "pause", 2.0),
            (3.0, "reordered", 2.0),
            (4.0, "continue", None),
        ]:
            store.commit(Batch(crawl=crawl, at=at, events=[EventRow(at=at, kind=kind)]))
            assert store.watch.paused(crawl) == paused

    def test_what_came_and_what_went_in_a_time(self, store: Store, crawl: int) -> None:
        pages = [document(URL, at=1.0, judgement=judged("cats")), document(OTHER, at=2.0, judgement=judged("dogs"))]
        store.commit(Batch(crawl=crawl, at=2.0, visits=[visit(URL, at=1.0), visit(OTHER, at=2.0)], documents=pages))
        assert [found.id for found in store.watch.arrivals(0.0, 9.0, 9)] == [url_id(OTHER), url_id(URL)]
        assert [found.topic for found in store.watch.arrivals(1.0, 2.0, 9)] == ["cats"]
        assert len(store.watch.arrivals(0.0, 9.0, 1)) == 1
        gone = visit(URL, at=5.0, outcome="failed", reason=Reason.GONE, status=410)
        store.commit(Batch(crawl=crawl, at=5.0, visits=[gone]))
        assert store.watch.departed(4.0, 6.0) == 1
        assert store.watch.departed(0.0, 4.0) == 0
        assert [found.id for found in store.watch.arrivals(0.0, 9.0, 9)] == [url_id(OTHER)]
