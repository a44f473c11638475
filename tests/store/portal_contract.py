"""What every store must do for the web portal: lists of accepted pages, accounts, and what readers send in."""

import math

from msgspec.structs import replace

from tests.store.rows import OTHER, THIRD, URL, document, link, visit
from thresher.reasons import Reason
from thresher.store.page_records import PageScores
from thresher.store.portal_records import (
    FeedbackRow,
    LinkNumbers,
    ListOrder,
    PageSelection,
    ProposalRow,
    Role,
    SessionRow,
    TopicSite,
    Verdict,
)
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.types import Judgement
from thresher.web.urls import url_id

ID, OTHER_ID, THIRD_ID = url_id(URL), url_id(OTHER), url_id(THIRD)


def judged(topic: str | None, confidence: float, probability: float = 0.9) -> Judgement:
    return Judgement(topic=topic, confidence=confidence, probability=probability)


class CatalogueContract:
    def fill(self, store: Store, crawl: int) -> None:
        pages = [
            document(URL, at=1.0, judgement=judged("cats", 0.2), links=[link(OTHER), link(OTHER), link(URL)]),
            document(OTHER, at=3.0, judgement=judged("cats/big", 0.8, math.nan), preview="Lions.", title="Lions"),
            document(THIRD, at=2.0, judgement=judged("dogs", 0.5), links=[link(URL), link("http://far.test/")]),
        ]
        store.commit(Batch(crawl=crawl, at=3.0, documents=pages))

    def test_accepted_pages_come_in_the_order_that_is_asked_for(self, store: Store, crawl: int) -> None:
        self.fill(store, crawl)
        everything = PageSelection()
        assert store.catalogue.ids(everything, ListOrder.BEST, 9) == [OTHER_ID, THIRD_ID, ID]
        assert store.catalogue.ids(everything, ListOrder.NEWEST, 9) == [OTHER_ID, THIRD_ID, ID]
        assert store.catalogue.ids(everything, ListOrder.BEST, 1, 1) == [THIRD_ID]
        assert store.catalogue.ids(everything, ListOrder.CITED, 9) == []
        store.scores.keep([PageScores(ID, 0.1, 0.9, None), PageScores(THIRD_ID, None, 0.3, None)])
        assert store.catalogue.ids(everything, ListOrder.CITED, 9) == [ID, THIRD_ID]
        assert store.catalogue.ids(everything, ListOrder.LINKS, 9) == [ID]

    def test_a_shelf_holds_its_topics_or_its_host(self, store: Store, crawl: int) -> None:
        self.fill(store, crawl)
        cats = PageSelection(topics=("cats", "cats/big", "cats"))
        assert store.catalogue.ids(cats, ListOrder.BEST, 9) == [OTHER_ID, ID]
        assert store.catalogue.ids(cats, ListOrder.BEST, 9, 1) == [ID]
        assert store.catalogue.ids(cats, ListOrder.NEWEST, 1) == [OTHER_ID]
        assert store.catalogue.ids(PageSelection(topics=()), ListOrder.BEST, 9) == []
        assert store.catalogue.ids(PageSelection(host="b.test"), ListOrder.BEST, 9) == [THIRD_ID]
        assert store.catalogue.ids(PageSelection(topics=("dogs",), host="a.test"), ListOrder.BEST, 9) == []

    def test_rejected_gone_and_unwanted_pages_are_in_no_list(self, store: Store, crawl: int) -> None:
        self.fill(store, crawl)
        hidden = [
            document(URL, judgement=judged(None, -0.3)),
            document(OTHER, judgement=judged("cats/big", 0.8), robots=("noindex",)),
        ]
        store.commit(Batch(crawl=crawl, at=4.0, documents=hidden))
        lost = visit(THIRD, outcome="failed", reason=Reason.GONE)
        store.commit(Batch(crawl=crawl, at=5.0, visits=[lost]))
        assert store.catalogue.ids(PageSelection(), ListOrder.BEST, 9) == []
        assert store.catalogue.pages([ID, OTHER_ID, THIRD_ID]) == {}
        assert store.catalogue.sites(0.0) == []

    def test_a_listed_page_says_what_lists_show(self, store: Store, crawl: int) -> None:
        self.fill(store, crawl)
        found = store.catalogue.pages([OTHER_ID, THIRD_ID, 77])
        assert set(found) == {OTHER_ID, THIRD_ID}
        page = found[OTHER_ID]
        assert (page.title, page.topic, page.preview, page.confidence) == ("Lions", "cats/big", "Lions.", 0.8)
        assert math.isnan(page.probability)
        assert found[THIRD_ID].probability == 0.9

    def test_a_page_that_is_fetched_again_keeps_the_day_it_was_found(self, store: Store, crawl: int) -> None:
        self.fill(store, crawl)
        again = document(URL, at=9.0, judgement=judged("cats", 0.2), robots=("nosnippet",), preview="No.")
        store.commit(Batch(crawl=crawl, at=9.0, documents=[again]))
        page = store.catalogue.pages([ID])[ID]
        assert (page.found, page.changed, page.preview) == (1.0, 9.0, "")

    def test_pages_are_counted_by_topic_and_host(self, store: Store, crawl: int) -> None:
        self.fill(store, crawl)
        assert store.catalogue.sites(2.0) == [
            TopicSite("cats", "a.test", 1, 0),
            TopicSite("cats/big", "a.test", 1, 1),
            TopicSite("dogs", "b.test", 1, 1),
        ]

    def test_links_are_counted_once_and_not_to_oneself(self, store: Store, crawl: int) -> None:
        self.fill(store, crawl)
        found = store.catalogue.links([ID, OTHER_ID, THIRD_ID])
        assert found == {ID: LinkNumbers(1, 1), OTHER_ID: LinkNumbers(1, 0), THIRD_ID: LinkNumbers(0, 1)}


class PeopleContract:
    def test_names_of_accounts_are_taken_once_whatever_their_case(self, store: Store) -> None:
        maria = store.users.add("Maria", Role.ADMIN, "hash", 1.0)
        assert maria is not None
        assert store.users.add("MARIA", Role.READER, "other", 2.0) is None
        assert store.users.get("maria") == maria
        assert store.users.get("nobody") is None
        ben = store.users.add("Ben", Role.READER, "hash", 3.0)
        assert store.users.all() == [maria, ben]

    def test_role_and_password_change_and_the_name_stays(self, store: Store) -> None:
        maria = store.users.add("Maria", Role.READER, "hash", 1.0)
        assert maria is not None
        assert store.users.change(replace(maria, role=Role.REVIEWER, password="new", name="Eve"))
        assert store.users.all() == [replace(maria, role=Role.REVIEWER, password="new")]

    def test_the_last_administrator_stays_where_that_is_asked_for(self, store: Store) -> None:
        maria, ben = (store.users.add(name, Role.ADMIN, "hash", 1.0) for name in ("Maria", "Ben"))
        assert maria is not None
        assert ben is not None
        assert store.users.change(replace(ben, role=Role.READER), keep_admin=True)
        assert not store.users.change(replace(maria, role=Role.REVIEWER), keep_admin=True)
        assert not store.users.remove(maria.id, keep_admin=True)
        assert store.users.change(replace(maria, password="new"), keep_admin=True)
        assert store.users.remove(ben.id, keep_admin=True)
        assert store.users.all() == [replace(maria, password="new")]
        assert store.users.remove(maria.id)
        assert store.users.all() == []

    def test_sessions_belong_to_accounts_and_end(self, store: Store) -> None:
        maria, ben = (store.users.add(name, Role.READER, "hash", 1.0) for name in ("Maria", "Ben"))
        assert maria is not None
        assert ben is not None
        for digest, user in ((b"1", maria), (b"2", maria), (b"3", ben)):
            store.sessions.open(SessionRow(digest=digest, user=user.id, made=1.0, expires=10.0))
        assert store.sessions.user(b"1", 5.0) == maria
        assert store.sessions.user(b"1", 10.0) is None
        assert store.sessions.user(b"4", 5.0) is None
        store.sessions.end(digest=b"1")
        assert store.sessions.user(b"1", 5.0) is None
        assert store.sessions.user(b"2", 5.0) == maria
        store.users.remove(maria.id)
        assert store.sessions.user(b"2", 5.0) is None
        assert store.users.all() == [ben]
        store.sessions.end(user=ben.id)
        assert store.sessions.user(b"3", 5.0) is None

    def test_a_key_for_feeds_belongs_to_one_account_until_another_takes_its_place(self, store: Store) -> None:
        ann = store.users.add("Ann", Role.READER, "hash", 1.0)
        bob = store.users.add("Bob", Role.ADMIN, "hash", 1.0)
        assert ann is not None
        assert bob is not None
        assert store.feed_keys.made(ann.id) is None
        store.feed_keys.put(ann.id, b"first", 2.0)
        store.feed_keys.put(bob.id, b"other", 3.0)
        assert store.feed_keys.user(b"first") == ann
        assert store.feed_keys.made(ann.id) == 2.0
        store.feed_keys.put(ann.id, b"second", 4.0)
        assert store.feed_keys.user(b"first") is None
        assert store.feed_keys.user(b"second") == ann
        store.feed_keys.remove(ann.id)
        store.feed_keys.remove(ann.id)
        assert store.feed_keys.user(b"second") is None
        store.users.remove(bob.id)
        assert store.feed_keys.user(b"other") is None
        assert store.feed_keys.made(bob.id) is None

    def test_what_readers_send_in_is_kept_in_order(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, documents=[document()]))
        better = FeedbackRow(page=ID, url=URL, verdict=Verdict.BETTER, at=1.0, topic="cats", better="dogs", note="No.")
        right = FeedbackRow(page=ID, url=URL, verdict=Verdict.RIGHT, at=2.0, user=7)
        assert [store.inbox.say(better), store.inbox.say(right)] == [1, 2]
        assert store.inbox.feedback() == [replace(better, id=1), replace(right, id=2)]
        wish = ProposalRow(url=OTHER, at=3.0, topic="cats", note="Good.", user=7)
        assert store.inbox.propose(wish) == 1
        assert store.inbox.proposals() == [replace(wish, id=1)]
        assert store.inbox.mark_proposal(1, "accepted", "open")
        assert not store.inbox.mark_proposal(1, "declined", "open")
        assert not store.inbox.mark_proposal(2, "declined")
        assert store.inbox.mark_feedback(2, "declined", "open")
        assert not store.inbox.mark_feedback(2, "accepted", "open")
        assert store.inbox.mark_feedback(2, "open")
        assert [row.state for row in store.inbox.proposals()] == ["accepted"]
        assert [row.state for row in store.inbox.feedback()] == ["open", "open"]
