"""Admission: every URL is decided about once, and what is decided is noted with its reason."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.shard.contract import START, A, B, Hand, at
from thresher.crawl.journal import note_changes
from thresher.errors import PluginError
from thresher.reasons import Reason
from thresher.shard.make import make_shard
from thresher.shard.rules import Manners, Scope, ShardRules, TrapLimits
from thresher.shard.values import Errand, Inside, Look, Offer, Outcome
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import MEMO_BYTES, Candidate
from thresher.web.urls import url_id

X, Y = f"{A}x", f"{A}y"


class Bench:
    """A shard on a store, which can be given up and taken back."""

    def __init__(self, **rules: Any) -> None:
        self.store = MemoryStore()
        self.crawl = self.store.crawls.start("crawl", "test", {}, START).id
        self.rules = ShardRules(**rules)
        self.restart()

    def restart(self) -> None:
        self.shard = make_shard(self.store, self.crawl, Hand(), self.rules)
        self.shard.restore()

    def commit(self) -> None:
        batch = Batch(crawl=self.crawl, at=START)
        note_changes(batch, self.shard.drain())
        self.store.commit(batch)

    def offer(self, *candidates: Candidate, **how: Any) -> None:
        self.shard.offer([Offer(candidates, **how)])

    def fetch(self, url: str, state: UrlState = UrlState.DONE, **outcome: Any) -> None:
        """Offer a page, take it and say what became of it."""
        self.offer(at(url, 99.0))
        [errand] = self.shard.take(1).errands
        assert errand.candidate.url == url
        self.shard.settle([Outcome(errand=errand, state=state, **outcome)])

    def look(self) -> Look:
        return self.shard.look()

    def row(self, url: str) -> UrlRow:
        return self.shard.look(urls=[url]).urls[url]


def test_urls_are_numbered_as_they_come() -> None:
    bench = Bench()
    bench.offer(at(A), at(B))
    bench.offer(at(X), reason=Reason.NOFOLLOW)
    bench.offer(at(Y))
    assert [bench.row(url).order for url in (A, B, X, Y)] == [0, 1, 2, 3]


def test_of_one_url_in_one_offer_the_best_price_counts() -> None:
    bench = Bench()
    bench.offer(at(A, 1.0), at(A, 3.0), at(A, 2.0))
    assert bench.row(A).candidate.priority == (3.0,)
    assert bench.look().waiting == 1


def test_a_host_that_was_closed_stays_so_after_a_restart() -> None:
    bench = Bench(manners=Manners(quota=1))
    bench.fetch(A, pages=1)
    bench.commit()
    bench.restart()
    bench.offer(at(X), at(B))
    assert (bench.look().refused, bench.look().waiting) == ({"host-quota": 1}, 1)
    assert (bench.row(X).state, bench.row(X).reason) == (UrlState.REFUSED, Reason.HOST_QUOTA)


def test_urls_of_a_host_that_fails_wait_for_the_next_run() -> None:
    bench = Bench(manners=Manners(max_failures=1, max_tries=1))
    bench.offer(at(X))
    bench.fetch(A, UrlState.FAILED, reason=Reason.TIMEOUT)
    bench.offer(at(Y))
    for url in (X, Y):
        assert (bench.row(url).state, bench.row(url).reason) == (UrlState.WAITING, Reason.HOST_BAD)
    assert (bench.look().aside, bench.look().refused, bench.look().waiting) == (2, {"host-bad": 2}, 0)


def test_a_full_queue_cuts_its_worst() -> None:
    bench = Bench(bound=3, bucket=1)
    urls = [f"{A}{number}" for number in range(10)]
    bench.offer(*(at(url, price) for price, url in enumerate(urls)))
    assert bench.look().cut > 0
    assert bench.look().cut + bench.look().waiting == 10
    assert (bench.row(urls[0]).state, bench.row(urls[0]).reason) == (UrlState.CUT, Reason.QUEUE_FULL)
    assert bench.row(urls[9]).state is UrlState.WAITING
    # What was cut is not lost: on a better page it comes back.
    bench.offer(at(urls[0], 50.0))
    assert bench.row(urls[0]).state is UrlState.WAITING


def test_traps_are_for_links_and_not_for_start_pages() -> None:
    deep = f"{A}1/2/3/4/5/6"
    for traps, depth, welcome in ((TrapLimits(depth=3), 1, False), (TrapLimits(depth=3), 0, True), (None, 1, True)):
        bench = Bench(traps=traps)
        bench.offer(at(deep, depth=depth, parent=A))
        assert bench.look().waiting == welcome
        assert bench.row(deep).state is (UrlState.WAITING if welcome else UrlState.REFUSED)


def test_sessions_are_left_out_of_addresses_where_traps_are_looked_for() -> None:
    session = f"{A}x?sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9"
    bench = Bench(traps=TrapLimits())
    bench.offer(at(session), at(X))
    assert bench.row(X).candidate.url == X
    assert bench.look().waiting == 1
    bench = Bench()
    bench.offer(at(session), at(X))
    assert bench.look().waiting == 2


@pytest.mark.parametrize("memo", ["x" * (MEMO_BYTES + 1), "ü" * (MEMO_BYTES // 2 + 1)])
def test_a_memo_must_be_small(memo: str) -> None:
    bench = Bench()
    bench.offer(at(A, memo="x" * MEMO_BYTES))
    with pytest.raises(PluginError, match="bytes"):
        bench.offer(at(B, memo=memo))


def test_links_that_are_not_followed_change_nothing_that_is_known() -> None:
    bench = Bench()
    bench.fetch(A)
    bench.offer(at(B), at(X))
    [taken] = bench.shard.take(1).errands
    bench.offer(at(A), at(B), at(X), at(Y), reason=Reason.NOFOLLOW)
    assert bench.look().refused == {"nofollow": 1}
    assert bench.row(A).state is UrlState.DONE
    assert bench.row(taken.candidate.url).reason is None
    assert (bench.row(Y).state, bench.row(Y).reason) == (UrlState.CUT, Reason.NOFOLLOW)
    bench.offer(at(Y), reason=Reason.NOFOLLOW)
    assert bench.look().refused == {"nofollow": 1}


def test_what_waits_does_not_move_out_of_bounds_or_into_a_closed_queue() -> None:
    bench = Bench(scope=Scope(max_depth=2))
    bench.offer(at(A, 1.0, "open", depth=1))
    bench.offer(at(A, 9.0, "open", depth=3))
    assert bench.row(A).candidate.depth == 1
    bench.shard.close("closed")
    bench.offer(at(A, 9.0, "closed", depth=1))
    assert bench.row(A).candidate.queue == "open"
    bench.offer(at(A, 9.0, "other", depth=1))
    assert bench.row(A).candidate.queue == "other"


def test_a_list_that_is_found_as_a_page_stays_a_list() -> None:
    bench = Bench()
    bench.offer(at(A, 1.0, lists="sitemap"))
    bench.offer(at(A, 2.0))
    assert (bench.row(A).candidate.lists, bench.row(A).candidate.priority) == ("sitemap", (2.0,))


def member(url: str, **outcome: Any) -> Outcome:
    errand = Errand(candidate=at(url), id=url_id(url), host="h0.test", inside=Inside(f"{A}x.zip"))
    return replace(Outcome(errand=errand, state=UrlState.DONE, pages=1), **outcome)


def test_members_of_an_archive_are_entered_where_they_are_not_known() -> None:
    bench = Bench(scope=Scope(exclude=("*secret*",)))
    bench.offer(at(f"{A}taken"), at(f"{A}waits"))
    bench.shard.take(1)
    names = ["new", "taken", "waits", "torn", "secret", "image", "late"]
    outcomes = {
        "torn": {"reason": Reason.UNREADABLE, "state": UrlState.FAILED},
        "image": {"reason": Reason.TYPE_REFUSED, "state": UrlState.REFUSED},
        "late": {"reason": Reason.BUDGET_SPENT, "state": UrlState.CUT},
    }
    settled = bench.shard.settle([member(f"{A}{name}", **outcomes.get(name, {})) for name in names])
    states = {name: one.state for name, one in zip(names, settled, strict=True)}
    assert states == {
        "new": UrlState.DONE,
        "taken": None,
        "waits": None,
        "torn": UrlState.FAILED,
        "secret": UrlState.REFUSED,
        "image": UrlState.REFUSED,
        "late": UrlState.CUT,
    }
    assert [bench.row(f"{A}{name}").tries for name in ("new", "torn")] == [0, 1]
    assert bench.row(f"{A}torn").reason is Reason.UNREADABLE
    # What the budget had no room for may come with another archive.
    assert bench.shard.settle([member(f"{A}late"), member(f"{A}new")])[0].state is UrlState.DONE
