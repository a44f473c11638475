"""What every implementation of `thresher.store.protocol.Store` must do.

A subclass gives a fixture `store` that returns an empty store.
"""

import math

import pytest
from msgspec.structs import replace

from tests.store.accepted_contract import AcceptedContract
from tests.store.browsing_contract import BrowsingContract
from tests.store.decisions_contract import DecisionsContract
from tests.store.duplicates_contract import DuplicatesContract
from tests.store.files_contract import FilesContract
from tests.store.link_graph_contract import LinkGraphContract
from tests.store.organising_contract import OrganisingContract
from tests.store.peers_contract import PeersContract
from tests.store.portal_contract import CatalogueContract, PeopleContract
from tests.store.presence_contract import PresenceContract
from tests.store.readers_contract import ReadersContract
from tests.store.rows import OTHER, THIRD, URL, document, link, url_row, visit
from tests.store.search_feed_contract import SearchFeedContract
from tests.store.sites_contract import SitesContract
from tests.store.work_contract import WatchContract, WorkContract
from thresher.errors import PortalError
from thresher.reasons import Reason, Unmet
from thresher.store.page_records import DocumentRow, PageCount
from thresher.store.protocol import Store
from thresher.store.records import ArchetypeRow, ArchetypeState, Batch, CrawlState, EventRow, ModelRow, Progress
from thresher.store.request_records import (
    AddUrl,
    Command,
    ContinueCrawl,
    PauseCrawl,
    Reply,
    RequestResult,
    StopCrawl,
    UnknownCommand,
)
from thresher.store.url_records import HostRow, Letter, MissingPage, RobotsRow, UrlMove, UrlPrice, UrlState, WaitingUrl
from thresher.types import Candidate, Judgement, Rejection
from thresher.web.urls import url_id

ID, OTHER_ID, THIRD_ID = url_id(URL), url_id(OTHER), url_id(THIRD)

JUDGEMENT = Judgement(
    topic="cats", confidence=0.25, probability=0.75, path=("root", "cats"), evidence=(("purr", 1.5),), model="m1"
)


@pytest.fixture
def crawl(store: Store) -> int:
    return store.crawls.start("crawl", "breadth-first", {}, at=1.0).id


class ArchivePlacesContract:
    def test_the_last_archived_answer_is_known(self, store: Store, crawl: int) -> None:
        assert store.log.last_archived() is None
        first = replace(visit(URL), archive="crawl-000001.warc.gz", offset=7)
        store.commit(Batch(crawl=crawl, at=1.0, visits=[first, visit(OTHER)]))
        assert store.log.last_archived() == ("crawl-000001.warc.gz", 7)
        second = replace(visit(OTHER), archive="crawl-000002.warc.gz", offset=3)
        store.commit(Batch(crawl=crawl, at=2.0, visits=[second]))
        store.commit(Batch(crawl=crawl, at=3.0, visits=[visit(THIRD)]))
        assert store.log.last_archived() == ("crawl-000002.warc.gz", 3)

    def test_the_answers_in_each_file_are_counted_once(self, store: Store, crawl: int) -> None:
        assert store.log.archived() == {}
        places = [("crawl-000002.warc.gz", 3), ("crawl-000001.warc.gz", 7), ("crawl-000001.warc.gz", 9)]
        for file, offset in (*places, places[1]):
            store.commit(Batch(crawl=crawl, at=1.0, visits=[replace(visit(URL), archive=file, offset=offset)]))
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit(OTHER)]))
        assert store.log.archived() == {"crawl-000001.warc.gz": 2, "crawl-000002.warc.gz": 1}


class CrawlsContract:
    def test_an_empty_portal_has_nothing(self, store: Store) -> None:
        assert store.crawls.get() is None
        assert store.crawls.get(1) is None
        assert store.crawls.strategy_state(1) is None
        assert store.log.last() == 0
        assert list(store.log.entries()) == []
        assert list(store.documents.urls()) == []
        assert store.requests.open() == []
        assert store.check() == []

    def test_a_crawl_keeps_its_settings(self, store: Store) -> None:
        settings = {"crawl": {"pages": 10, "hosts": ["a.test"]}, "name": "gänse"}
        started = store.crawls.start("learn", "hcla", settings, at=7.5)
        assert started == store.crawls.get(started.id)
        assert (started.kind, started.strategy, started.started, started.updated) == ("learn", "hcla", 7.5, 7.5)
        assert started.settings == settings
        assert started.progress == Progress()

    def test_the_newest_crawl_is_the_default(self, store: Store, crawl: int) -> None:
        second = store.crawls.start("crawl", "default", {}, at=2.0)
        assert second.id > crawl
        assert store.crawls.get() == second

    def test_settings_are_a_snapshot(self, store: Store) -> None:
        settings = {"pages": 1}
        crawl = store.crawls.start("crawl", "default", settings, at=1.0).id
        settings["pages"] = 2
        found = store.crawls.get(crawl)
        assert found is not None
        assert found.settings == {"pages": 1}

    def test_progress_comes_with_a_batch_and_stays(self, store: Store, crawl: int) -> None:
        progress = Progress(
            state=CrawlState.PAUSED,
            pages=3,
            queued=4,
            seconds=1.5,
            errors={"timeout": 1},
            refused={"nofollow": 2},
            cut=5,
            accepted=1,
            stopped_because="disk",
        )
        store.commit(Batch(crawl=crawl, at=9.0, progress=progress))
        store.commit(Batch(crawl=crawl, at=10.0))
        found = store.crawls.get(crawl)
        assert found is not None
        assert found.progress == progress
        assert found.updated == 10.0

    def test_a_batch_of_no_crawl_is_refused_whole(self, store: Store, crawl: int) -> None:
        before = store.log.last()
        with pytest.raises(PortalError, match="no crawl 99"):
            store.commit(Batch(crawl=99, at=1.0, visits=[visit()], documents=[document()]))
        assert store.log.last() == before
        assert store.documents.document(ID) is None

    def test_strategy_state_comes_with_the_number_of_its_batch(self, store: Store, crawl: int) -> None:
        first = store.commit(Batch(crawl=crawl, at=1.0, strategy_state={"w": [1.5, 2]}, visits=[visit()]))
        store.commit(Batch(crawl=crawl, at=2.0))
        assert store.crawls.strategy_state(crawl) == ({"w": [1.5, 2]}, first)
        second = store.commit(Batch(crawl=crawl, at=3.0, strategy_state={}))
        assert store.crawls.strategy_state(crawl) == ({}, second)

    def test_the_newest_memory_of_traps_counts(self, store: Store, crawl: int) -> None:
        assert store.crawls.shard_memory(crawl) is None
        store.commit(Batch(crawl=crawl, at=1.0, shard_memory=b"\0first"))
        store.commit(Batch(crawl=crawl, at=2.0, shard_memory=b"\xff"))
        store.commit(Batch(crawl=crawl, at=3.0))
        assert store.crawls.shard_memory(crawl) == b"\xff"
        assert store.crawls.shard_memory(crawl + 1) is None

    def test_letters_wait_in_the_outbox_until_they_are_delivered(self, store: Store, crawl: int) -> None:
        first, second, third = (
            Letter(id=n, candidate=Candidate(url=url, priority=(0.5, n), memo=f"[{n}]", anchor="gänse"), reason=reason)
            for n, url, reason in ((10, URL, None), (2, OTHER, Reason.NOFOLLOW), (3, THIRD, None))
        )
        assert store.urls.outbox(crawl) == []
        store.commit(Batch(crawl=crawl, at=1.0, outbox=[first, second]))
        assert store.urls.outbox(crawl) == [second, first]
        store.commit(Batch(crawl=crawl, at=2.0, outbox=[third], delivered=[10, 99]))
        assert store.urls.outbox(crawl) == [second, third]
        assert store.urls.outbox(crawl + 1) == []

    def test_start_pages_keep_their_order_and_come_once(self, store: Store) -> None:
        store.start_urls.add([THIRD, URL], at=1.0)
        store.start_urls.add([OTHER, URL], at=2.0)
        assert store.start_urls.urls() == [THIRD, URL, OTHER]

    def test_the_newest_model_is_the_one_added_last(self, store: Store) -> None:
        assert store.models.newest() is None
        first = ModelRow(file="b.zip", kind="hierarchical", at=9.0)
        second = ModelRow(file="a.zip", kind="hierarchical", at=3.5, step=1)
        before = store.log.last()
        store.models.add(first)
        assert store.models.newest() == first
        store.models.add(second)
        assert store.models.newest() == second
        assert store.log.last() == before + 2

    def test_a_model_that_is_rolled_back_is_kept_and_not_used(self, store: Store) -> None:
        first = ModelRow(file="a.zip", kind="hierarchical", at=1.0)
        second = ModelRow(file="b.zip", kind="hierarchical", at=2.0, step=1, report={"kept": True, "n": [1, 2.5]})
        bad = ModelRow(file="c.zip", kind="hierarchical", at=3.0, step=2, report={"kept": False}, rolled_back=True)
        for row in (first, second, bad):
            store.models.add(row)
        assert store.models.newest() == second
        store.models.roll_back(["b.zip", "unknown.zip"])
        assert store.models.newest() == first
        assert [row.rolled_back for row in store.models.all()] == [False, True, True]
        assert store.models.all()[1].report == {"kept": True, "n": [1, 2.5]}

    def test_archetypes_come_once_for_each_topic(self, store: Store) -> None:
        sure = ArchetypeRow(topic="A", url=URL, rule="both", confidence=2.0, authority=0.1, at=1.0)
        less = ArchetypeRow(topic="A", url=OTHER, rule="authority", confidence=1.0, authority=0.4)
        elsewhere = ArchetypeRow(topic="B", url=URL, rule="confidence", confidence=3.0, authority=0.0)
        store.archetypes.put([elsewhere, less, sure])
        assert store.archetypes.all() == [sure, less, elsewhere]
        taken = ArchetypeRow(
            topic="A", url=URL, rule="both", confidence=2.0, authority=0.1, state=ArchetypeState.ACCEPTED
        )
        store.archetypes.put([taken])
        store.archetypes.propose([less])
        assert store.archetypes.all() == [taken, less]
        store.archetypes.propose([])
        assert store.archetypes.all() == [taken]

    def test_a_model_and_what_the_log_says_of_it_are_written_together(self, store: Store, crawl: int) -> None:
        row = ModelRow(file="a.zip", kind="hierarchical", at=1.0, step=3, report={"kept": True})
        event = EventRow(at=1.0, kind="retrained", detail={"step": 3})
        store.commit(Batch(crawl=crawl, at=1.0, models=[row], events=[event]))
        assert store.models.newest() == row
        assert [entry.detail for entry in store.log.entries() if entry.kind == "retrained"] == [{"step": 3}]

    def test_a_page_can_be_judged_anew(self, store: Store, crawl: int) -> None:
        old = Judgement(topic="A", confidence=1.5, probability=0.9, model="m1")
        new = Judgement(topic=None, confidence=-0.5, probability=0.2, path=(), evidence=(("boat", -0.3),), model="m2")
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL, judgement=old), document(OTHER)]))
        before = store.log.last()
        store.commit(Batch(crawl=crawl, at=2.0, judgements={url_id(URL): new, url_id(THIRD): old}))
        assert store.documents.judgement(url_id(URL)) == new
        assert store.documents.judgement(url_id(OTHER)) is None
        assert store.documents.judgement(url_id(THIRD)) is None
        assert [url for _, url in store.log.documents_since(before)] == [URL]
        topics = {page.id: page.topic for block in store.graph.pages() for page in block}
        assert topics[url_id(URL)] is None
        page = store.documents.document(url_id(URL))
        assert page is not None
        assert page.text == "Words of the page."

    def test_previews_follow_new_judgements(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL, preview="Old."), document(OTHER)]))
        store.commit(Batch(crawl=crawl, at=2.0, previews={url_id(URL): "New.", url_id(THIRD): "None."}))
        pages = [store.documents.document(url_id(url)) for url in (URL, OTHER, THIRD)]
        assert [page.preview if page else None for page in pages] == ["New.", "", None]
        store.commit(Batch(crawl=crawl, at=3.0, documents=[document(URL)], previews={url_id(OTHER): ""}))
        pages = [store.documents.document(url_id(url)) for url in (URL, OTHER)]
        assert [page.preview for page in pages if page] == ["", ""]

    def test_close_twice(self, store: Store) -> None:
        store.start_urls.add([URL], at=1.0)
        store.close()
        assert store.close() is None


class UrlsContract:
    def test_rows_come_back_whole(self, store: Store, crawl: int) -> None:
        rows = [
            url_row(URL, order=1),
            url_row(
                OTHER,
                order=2,
                priority=(0.1, -2.0, math.inf),
                queue="topic/ü",
                depth=3,
                parent=URL,
                anchor="täxt\0\n",
                memo='{"score":0.5,"tunnel":[1,2],"name":"ä"}',
                hops=2,
                state=UrlState.FAILED,
                reason=Reason.TIMEOUT,
                tries=2,
                not_before=12.25,
            ),
            url_row(THIRD, order=3, priority=(), parent="http://never.test/seen", host="another.test"),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, urls=rows))
        assert store.urls.rows(crawl, [ID, OTHER_ID, THIRD_ID, 5]) == {row.id: row for row in rows}
        assert store.urls.states(crawl, [ID, OTHER_ID, 5]) == {ID: UrlState.WAITING, OTHER_ID: UrlState.FAILED}

    def test_no_ids_no_rows(self, store: Store, crawl: int) -> None:
        assert store.urls.rows(crawl, []) == {}
        assert store.urls.states(crawl, []) == {}
        assert store.hosts.hosts(crawl, []) == {}

    def test_a_parent_may_come_later(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(OTHER, parent=URL)]))
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(URL, parent=URL)]))
        assert store.urls.rows(crawl, [OTHER_ID])[OTHER_ID].candidate.parent == URL
        assert store.urls.rows(crawl, [ID])[ID].candidate.parent == URL

    def test_crawls_do_not_share_urls(self, store: Store, crawl: int) -> None:
        second = store.crawls.start("crawl", "default", {}, at=1.0).id
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row()]))
        assert store.urls.states(second, [ID]) == {}
        assert list(store.urls.waiting(second)) == []

    def test_a_row_replaces_the_row_of_its_url(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(state=UrlState.DONE, tries=3, memo='{"a":1}')]))
        again = url_row(order=7, priority=(2.0,), queue="q", state=UrlState.CUT, reason=Reason.QUEUE_FULL)
        store.commit(Batch(crawl=crawl, at=2.0, urls=[again]))
        assert store.urls.rows(crawl, [ID]) == {ID: again}

    def test_of_two_rows_in_a_batch_the_later_wins(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(order=1), url_row(OTHER), url_row(order=2)]))
        assert store.urls.rows(crawl, [ID])[ID].order == 2

    def test_a_url_that_shares_an_id_does_not_overwrite(self, store: Store, crawl: int) -> None:
        first = url_row(URL, order=1)
        store.commit(Batch(crawl=crawl, at=1.0, urls=[first]))
        store.commit(Batch(crawl=crawl, at=2.0, urls=[url_row(OTHER, id=ID, order=2, state=UrlState.DONE)]))
        assert store.urls.rows(crawl, [ID]) == {ID: first}

    def test_a_parent_that_shares_an_id_keeps_its_name(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(OTHER, id=ID), url_row(THIRD, parent=URL)]))
        assert store.urls.rows(crawl, [THIRD_ID])[THIRD_ID].candidate.parent == URL

    def test_moves_change_the_state_and_nothing_else(self, store: Store, crawl: int) -> None:
        row = url_row(order=4, queue="q", memo='{"a":1}')
        moves = [UrlMove(ID, UrlState.FAILED, Reason.GONE, 2, 8.5), UrlMove(OTHER_ID, UrlState.DONE)]
        store.commit(Batch(crawl=crawl, at=1.0, urls=[row], moves=moves))
        moved = replace(row, state=UrlState.FAILED, reason=Reason.GONE, tries=2, not_before=8.5)
        assert store.urls.rows(crawl, [ID, OTHER_ID]) == {ID: moved}

    def test_prices_change_the_priority_and_nothing_else(self, store: Store, crawl: int) -> None:
        row = url_row(order=4, memo='{"a":1}')
        store.commit(Batch(crawl=crawl, at=1.0, urls=[row]))
        store.commit(Batch(crawl=crawl, at=1.0, prices=[UrlPrice(ID, (9.0, 1.0)), UrlPrice(OTHER_ID, (1.0,))]))
        priced = replace(row, candidate=replace(row.candidate, priority=(9.0, 1.0)))
        assert store.urls.rows(crawl, [ID, OTHER_ID]) == {ID: priced}

    def test_what_waits_comes_in_the_order_it_was_offered(self, store: Store, crawl: int) -> None:
        rows = [
            url_row(URL, order=30, queue="b", priority=(1.0, 2.0)),
            url_row(OTHER, order=10, queue="a", tries=1, not_before=5.5),
            url_row(THIRD, order=20, queue="b"),
            url_row("http://c.test/", order=5, state=UrlState.DONE),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, urls=rows))
        store.commit(Batch(crawl=crawl, at=1.0, moves=[UrlMove(THIRD_ID, UrlState.DONE)]))
        assert list(store.urls.waiting(crawl)) == [
            WaitingUrl(OTHER_ID, "a.test", "a", (0.5,), 10, 1, 5.5),
            WaitingUrl(ID, "a.test", "b", (1.0, 2.0), 30, 0, 0.0),
        ]

    def test_waiting_knows_other_hosts_and_ports(self, store: Store, crawl: int) -> None:
        urls = ["http://a.test:8080/x", "http://[::1]:80/", "http://b.test/"]
        rows = [url_row(url, order=place) for place, url in enumerate(urls)]
        store.commit(Batch(crawl=crawl, at=1.0, urls=[*rows[:2], replace(rows[2], host="shard.test")]))
        assert [waiting.host for waiting in store.urls.waiting(crawl)] == ["a.test", "[::1]", "shard.test"]

    def test_a_priority_that_is_no_number_is_kept(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(priority=(math.nan,))]))
        (found,) = store.urls.rows(crawl, [ID])[ID].candidate.priority
        assert math.isnan(found)

    def test_reads_while_waiting_is_read(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(f"http://a.test/{n}", order=n) for n in range(50)]))
        met = [store.urls.rows(crawl, [waiting.id])[waiting.id].order for waiting in store.urls.waiting(crawl)]
        assert met == list(range(50))


class HostsContract:
    def test_hosts_come_back_and_are_replaced(self, store: Store, crawl: int) -> None:
        row = HostRow(host="a.test", fetched=1, accepted=2, failures=3, closed=Reason.HOST_BAD, free_at=4.5, delay=0.5)
        known = MissingPage(origin="http://a.test", digest=b"\0\xff", simhash=2**64 - 1, words=30)
        row = replace(row, spent=7, missing=(known, MissingPage(origin="https://a.test")))
        store.commit(Batch(crawl=crawl, at=1.0, hosts=[row, HostRow(host="b.test", fetched=1)]))
        store.commit(Batch(crawl=crawl, at=1.0, hosts=[HostRow(host="b.test", fetched=2)]))
        found = store.hosts.hosts(crawl, ["a.test", "b.test", "c.test"])
        assert found == {"a.test": row, "b.test": HostRow(host="b.test", fetched=2)}
        assert store.hosts.hosts(crawl + 1, ["a.test"]) == {}

    def test_robots_belong_to_the_portal(self, store: Store, crawl: int) -> None:
        assert store.hosts.robots("http://a.test") is None
        row = RobotsRow(origin="http://a.test", at=1.0, expires=2.0, status=200, body=b"User-agent: *\n\xff\0")
        store.commit(Batch(crawl=crawl, at=1.0, robots=[replace(row, status=0, body=b""), row]))
        assert store.hosts.robots("http://a.test") == row


class DocumentsContract:
    def test_a_page_comes_back_whole(self, store: Store, crawl: int) -> None:
        page = document(
            title="Tïtle",
            text="Wörds \0 and more\n",
            terms={"wörd": 2, 'quo"te': 1},
            links=[
                link(OTHER, "änchor", "nofollow ugc"),
                link(URL),
                link("http://never.test/", tag="feed"),
                link(OTHER),
            ],
            layout=b"\0layout",
            status=203,
            mime="text/html",
            encoding="utf-8",
            size=7,
            ip="127.0.0.1",
            port=8080,
            last_modified="Mon",
            expires="Tue",
            depth=2,
            origin=OTHER,
            language="de",
            digest=b"\0\xff",
            robots=("nofollow", "max-snippet:20"),
            opt_outs=("content-signal:ai-train=no", "noai"),
            judgement=JUDGEMENT,
        )
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(OTHER)], documents=[page]))
        assert store.documents.document(ID) == page
        assert store.documents.judgement(ID) == JUDGEMENT
        assert store.documents.document(OTHER_ID) is None
        assert store.documents.judgement(OTHER_ID) is None

    def test_an_empty_page(self, store: Store, crawl: int) -> None:
        page = document(title="", text="", terms={}, links=[])
        store.commit(Batch(crawl=crawl, at=1.0, documents=[page]))
        assert store.documents.document(ID) == page

    def test_a_page_stored_again_is_replaced(self, store: Store, crawl: int) -> None:
        before = document(
            links=[link(OTHER, "x", tag="area"), link(THIRD)], terms={"a": 1}, robots=("nofollow",), layout=b"layout"
        )
        store.commit(Batch(crawl=crawl, at=1.0, documents=[before]))
        again = document(text="New.", title="New", links=[link(THIRD, "y")], terms={"b": 1}, at=6.0)
        store.commit(Batch(crawl=crawl, at=2.0, documents=[again]))
        assert store.documents.document(ID) == again
        assert store.documents.inlinks(OTHER_ID) == []
        assert store.documents.inlinks(THIRD_ID) == [(URL, "y")]
        assert list(store.documents.urls()) == [URL]

    def test_of_two_pages_in_a_batch_the_later_wins(self, store: Store, crawl: int) -> None:
        first, second = document(links=[link(OTHER)]), document(title="Second", links=[link(THIRD)])
        last = store.commit(Batch(crawl=crawl, at=1.0, documents=[first, second]))
        assert store.documents.document(ID) == second
        assert list(store.log.documents_since(0)) == [(last, URL)]

    def test_link_targets_keep_their_urls_over_crawls(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(OTHER)]))
        page = document(links=[link(OTHER)])
        store.commit(Batch(crawl=crawl, at=1.0, documents=[page]))
        second = store.crawls.start("crawl", "default", {}, at=2.0).id
        assert store.documents.document(ID) == page
        store.commit(Batch(crawl=second, at=2.0, documents=[page]))
        assert store.documents.document(ID) == page

    def test_a_link_target_that_shares_an_id_keeps_its_url(self, store: Store, crawl: int) -> None:
        page = document(links=[replace(link(THIRD), target=OTHER_ID)])
        store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(OTHER)], documents=[page]))
        assert store.documents.document(ID) == page

    def test_a_judgement_stays_until_there_is_a_newer_one(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(judgement=JUDGEMENT)]))
        store.commit(Batch(crawl=crawl, at=2.0, documents=[document(title="Again")]))
        assert store.documents.judgement(ID) == JUDGEMENT
        assert store.documents.document(ID) == document(title="Again", judgement=JUDGEMENT)
        rejected = Judgement(
            topic=None,
            confidence=-0.5,
            probability=0.1,
            border=1.75,
            rejection=Rejection(rule=Unmet.INDICATORS_MISSING, topic="cats", needed=1, found=0),
        )
        store.commit(Batch(crawl=crawl, at=3.0, documents=[document(judgement=rejected)]))
        assert store.documents.judgement(ID) == rejected

    def test_pages_are_counted_by_topic_and_kind(self, store: Store, crawl: int) -> None:
        cats = replace(JUDGEMENT, topic="cats", confidence=1.0)
        gone = visit(THIRD, at=9.0, outcome="failed", reason=Reason.NOT_FOUND, status=404)
        pages = [document(URL, mime="text/html", judgement=cats), document(OTHER, mime="text/html", judgement=cats)]
        pages += [document(THIRD, mime="text/html", judgement=cats), document("http://c.test/", mime="text/html")]
        member = document(f"{URL}!/a.pdf", mime="application/pdf", archive=URL)
        assert store.documents.counts() == []
        store.commit(Batch(crawl=crawl, at=1.0, documents=[*pages, member]))
        store.commit(Batch(crawl=crawl, at=2.0, visits=[gone]))
        assert store.documents.counts() == [
            PageCount("cats", "text/html", False, 2),
            PageCount(None, "application/pdf", True, 1),
            PageCount(None, "text/html", False, 1),
        ]
        store.commit(Batch(crawl=crawl, at=3.0, judgements={ID: replace(cats, topic=None)}))
        assert PageCount("cats", "text/html", False, 1) in store.documents.counts()

    def test_rejected_pages_come_least_confident_first(self, store: Store, crawl: int) -> None:
        def judged(url: str, topic: str | None, confidence: float) -> DocumentRow:
            return replace(document(url), judgement=replace(JUDGEMENT, topic=topic, confidence=confidence))

        store.commit(Batch(crawl=crawl, at=1.0, documents=[judged(URL, None, -0.5), judged(OTHER, None, -2.0)]))
        store.commit(Batch(crawl=crawl, at=1.0, documents=[judged(THIRD, "cats", 1.0), document("http://c.test/")]))
        assert list(store.documents.rejected(9)) == [OTHER, URL]
        assert list(store.documents.rejected(1)) == [OTHER]
        store.commit(Batch(crawl=crawl, at=2.0, documents=[judged(OTHER, "cats", 0.5), document(URL)]))
        assert list(store.documents.rejected(9)) == [URL]
        store.commit(Batch(crawl=crawl, at=3.0, documents=[judged(URL, None, math.nan)]))
        assert list(store.documents.rejected(9)) == []

    def test_a_confidence_that_is_no_number(self, store: Store, crawl: int) -> None:
        odd = Judgement(topic=None, confidence=math.nan, probability=math.nan, evidence=(("w", math.nan),))
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(judgement=odd)]))
        found = store.documents.judgement(ID)
        assert found is not None
        assert math.isnan(found.confidence)
        assert math.isnan(found.probability)
        assert math.isnan(found.evidence[0][1])

    def test_inlinks_come_from_the_oldest_page_first(self, store: Store, crawl: int) -> None:
        pages = [document(OTHER, links=[link(URL, "one"), link(URL, "two")]), document(THIRD, links=[link(URL, "3")])]
        for page in pages:
            store.commit(Batch(crawl=crawl, at=1.0, documents=[page]))
        assert store.documents.inlinks(ID) == [(OTHER, "one"), (OTHER, "two"), (THIRD, "3")]
        store.commit(Batch(crawl=crawl, at=2.0, documents=[pages[0]]))
        assert store.documents.inlinks(ID) == [(THIRD, "3"), (OTHER, "one"), (OTHER, "two")]
        assert store.documents.inlinks(THIRD_ID) == []

    def test_visits_of_a_url_in_all_crawls(self, store: Store, crawl: int) -> None:
        failed = visit(outcome="failed", reason=Reason.TIMEOUT, detail="slow", seconds=9.5)
        fetched = visit(
            at=6.0,
            status=200,
            ip="::1",
            mime="text/html",
            size=9,
            digest=b"\1",
            etag='"e"',
            last_modified="Mon",
            archive="a.warc.gz",
            offset=77,
        )
        redirected = visit(at=7.0, outcome="redirected", status=301, to=OTHER)
        store.commit(Batch(crawl=crawl, at=1.0, visits=[failed, visit(OTHER)]))
        second = store.crawls.start("crawl", "default", {}, at=2.0).id
        store.commit(Batch(crawl=second, at=1.0, visits=[fetched, redirected]))
        assert store.documents.visits(ID) == [failed, fetched, redirected]
        assert store.documents.visits(THIRD_ID) == []

    def test_urls_in_the_order_of_ids(self, store: Store, crawl: int) -> None:
        urls = [f"http://h{number}.test/" for number in range(20)]
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document(url) for url in urls]))
        assert list(store.documents.urls()) == sorted(urls, key=url_id)

    def test_what_the_web_sends_never_breaks_a_batch(self, store: Store, crawl: int) -> None:
        page = document(title="\udce9t\udce9", text="\ud800", links=[link(OTHER, "\udcff")], last_modified="\udc80")
        batch = Batch(crawl=crawl, at=1.0, documents=[page], visits=[visit(detail="\udcff", reason=Reason.GONE)])
        store.commit(batch)
        found = store.documents.document(ID)
        assert found is not None
        assert (found.title, found.text, found.links[0].anchor) == ("?t?", "?", "?")
        assert store.documents.visits(ID)[0].detail == "?"


class ChangesContract:
    def test_the_log_merges_visits_and_events(self, store: Store, crawl: int) -> None:
        visits = [visit(status=200, size=3), visit(OTHER, at=6.0, outcome="failed", reason=Reason.GONE, status=410)]
        events = [EventRow(at=7.0, kind="paused", detail={"why": "disk"})]
        store.commit(Batch(crawl=crawl, at=1.0, visits=visits[:1], events=events))
        store.commit(Batch(crawl=crawl, at=1.0, visits=visits[1:]))
        entries = list(store.log.entries())
        assert [(entry.kind, entry.url, entry.detail) for entry in entries] == [
            ("fetched", URL, {"status": 200, "size": 3}),
            ("paused", None, {"why": "disk"}),
            ("failed", OTHER, {"reason": Reason.GONE, "status": 410}),
        ]
        assert [entry.at for entry in entries] == [5.0, 7.0, 6.0]
        assert {entry.crawl for entry in entries} == {crawl}

    def test_the_log_since_a_number(self, store: Store, crawl: int) -> None:
        events = [EventRow(at=1.0, kind=str(number)) for number in range(2000)]
        middle = store.commit(Batch(crawl=crawl, at=1.0, events=events[:1000]))
        store.commit(Batch(crawl=crawl, at=1.0, events=events[1000:]))
        assert [entry.kind for entry in store.log.entries()] == [str(number) for number in range(2000)]
        assert [entry.kind for entry in store.log.entries(middle)] == [str(number) for number in range(1000, 2000)]
        assert list(store.log.entries(store.log.last())) == []

    def test_a_late_event_does_not_hide_visits_before_it(self, store: Store, crawl: int) -> None:
        visits = [visit(at=float(number)) for number in range(1200)]
        store.commit(Batch(crawl=crawl, at=1.0, visits=visits, events=[EventRow(at=9.0, kind="late")]))
        entries = list(store.log.entries())
        assert [entry.at for entry in entries[:-1]] == [float(number) for number in range(1200)]
        assert entries[-1].kind == "late"

    def test_the_log_of_one_crawl(self, store: Store, crawl: int) -> None:
        second = store.crawls.start("crawl", "default", {}, at=2.0).id
        for owner in (crawl, second, crawl):
            store.commit(Batch(crawl=owner, at=1.0, visits=[visit()], events=[EventRow(at=1.0, kind="e")]))
        assert [entry.crawl for entry in store.log.entries(crawl=crawl)] == [crawl] * 4
        assert [entry.crawl for entry in store.log.entries(crawl=second)] == [second] * 2
        assert list(store.log.entries(crawl=second + 1)) == []

    def test_numbers_rise_with_every_change(self, store: Store) -> None:
        numbers = [store.log.last()]
        crawl = store.crawls.start("crawl", "default", {}, at=1.0).id
        numbers.append(store.log.last())
        numbers.append(store.commit(Batch(crawl=crawl, at=1.0)))
        numbers.append(store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row()])))
        numbers.append(store.commit(Batch(crawl=crawl, at=1.0, visits=[visit(), visit()], documents=[document()])))
        store.requests.leave(PauseCrawl(), at=1.0)
        numbers.append(store.log.last())
        assert numbers == sorted(set(numbers))
        assert store.log.last() == numbers[-1]

    def test_a_batch_returns_its_last_number(self, store: Store, crawl: int) -> None:
        last = store.commit(Batch(crawl=crawl, at=1.0, visits=[visit()], events=[EventRow(at=1.0, kind="e")]))
        assert last == store.log.last() == [entry.seq for entry in store.log.entries()][-1]

    def test_documents_since(self, store: Store, crawl: int) -> None:
        first = store.commit(Batch(crawl=crawl, at=1.0, documents=[document(URL), document(OTHER)]))
        assert [url for _, url in store.log.documents_since(0)] == [URL, OTHER]
        store.commit(Batch(crawl=crawl, at=1.0, visits=[visit()]))
        assert list(store.log.documents_since(first)) == []
        again = store.commit(Batch(crawl=crawl, at=2.0, documents=[document(URL)]))
        assert list(store.log.documents_since(first)) == [(again, URL)]
        assert [url for _, url in store.log.documents_since(0)] == [OTHER, URL]


class RequestsContract:
    def test_requests_stay_open_until_a_batch_replies_to_them(self, store: Store, crawl: int) -> None:
        pause = store.requests.leave(PauseCrawl(), at=1.0)
        add = store.requests.leave(AddUrl(url=URL), at=2.0)
        assert store.requests.open() == [pause, add]
        assert (add.command, add.at) == (AddUrl(url=URL), 2.0)
        assert store.requests.replies([pause.id, add.id]) == {}
        done = Reply(RequestResult.DONE)
        store.commit(Batch(crawl=crawl, at=1.0, replies={pause.id: done, 99: done}))
        assert store.requests.open() == [add]
        refused = Reply(RequestResult.REFUSED, Reason.OUT_OF_SCOPE)
        store.commit(Batch(crawl=crawl, at=1.0, replies={pause.id: refused, add.id: refused}))
        assert store.requests.open() == []
        assert store.requests.replies([pause.id, add.id, 99]) == {pause.id: done, add.id: refused}
        assert store.requests.leave(StopCrawl(), at=3.0).id > add.id

    @pytest.mark.parametrize(
        "command",
        [
            *(StopCrawl(), PauseCrawl(), ContinueCrawl(), AddUrl(url=URL)),
            UnknownCommand(kind="dance", detail={"kind": "slow", "steps": [1, 2]}),
        ],
    )
    def test_every_command_comes_back_as_it_was_left(self, store: Store, command: Command) -> None:
        store.requests.leave(command, at=1.0)
        assert [request.command for request in store.requests.open()] == [command]


class StoreContract(
    AcceptedContract,
    ArchivePlacesContract,
    BrowsingContract,
    CrawlsContract,
    UrlsContract,
    HostsContract,
    DocumentsContract,
    ChangesContract,
    ReadersContract,
    RequestsContract,
    PresenceContract,
    CatalogueContract,
    DecisionsContract,
    PeersContract,
    PeopleContract,
    WatchContract,
    WorkContract,
    FilesContract,
    OrganisingContract,
    DuplicatesContract,
    LinkGraphContract,
    SearchFeedContract,
    SitesContract,
):
    """The whole contract."""
