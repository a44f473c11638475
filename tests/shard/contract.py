"""What every shard must do, whatever stands behind its protocol."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from thresher.crawl.journal import note_changes
from thresher.reasons import Reason
from thresher.shard.protocol import Shard
from thresher.shard.rules import Manners, Scope, ShardRules, StandingRule, TrapLimits
from thresher.shard.values import Changes, Errand, Look, Offer, Outcome, Settled, Taken
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch
from thresher.store.url_records import UrlState
from thresher.types import Candidate, Priority

HOSTS = [f"http://h{number}.test/" for number in range(8)]
A, B = HOSTS[0], HOSTS[1]
START = 1_000_000.0


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return START + self.time


class Travelling:
    """A shard whose values are packed and unpacked on their way, as if it lived in another process."""

    def __init__(self, shard: Shard) -> None:
        self._shard = shard

    def restore(self) -> int:
        return self._shard.restore()

    def offer(self, offers: Sequence[Offer]) -> None:
        self._shard.offer(_sent(offers, list[Offer]))

    def take(self, limit: int, **wishes: Any) -> Taken:
        return _sent(self._shard.take(limit, **wishes), Taken)

    def settle(self, outcomes: Sequence[Outcome]) -> list[Settled]:
        return _sent(self._shard.settle(_sent(outcomes, list[Outcome])), list[Settled])

    def reprice(self, prices: Sequence[tuple[str, Priority]]) -> int:
        return self._shard.reprice(_sent(prices, list[tuple[str, Priority]]))

    def close(self, queue: str) -> int:
        return self._shard.close(queue)

    def drain(self) -> Changes:
        return _sent(self._shard.drain(), Changes)

    def look(self, **questions: Any) -> Look:
        return _sent(self._shard.look(**questions), Look)


def _url(errand: Errand) -> str:
    return errand.candidate.url


def _sent(value: Any, kind: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=kind)


class ShardContract:
    """Inherit and give `make`, which makes a shard on a store."""

    def make(self, store: MemoryStore, crawl: int, clock: Hand, rules: ShardRules) -> Shard:
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def prepare(self) -> None:
        self.store = MemoryStore()
        self.crawl = self.store.crawls.start("crawl", "test", {}, START).id
        self.clock = Hand()
        self.rules = ShardRules(manners=Manners(delay=0.0))
        self.shard = self.again()

    def again(self, **rules: Any) -> Shard:
        """Return a new shard on the same store, as after a kill."""
        self.rules = msgspec.structs.replace(self.rules, **rules)
        self.shard = Travelling(self.make(self.store, self.crawl, self.clock, self.rules))
        self.shard.restore()
        return self.shard

    def commit(self) -> None:
        """Write what changed, until there is nothing on its way to another shard."""
        while True:
            batch = Batch(crawl=self.crawl, at=self.clock.wall())
            note_changes(batch, self.shard.drain())
            self.store.commit(batch)
            if not self.shard.look().outgoing:
                return

    def offer(self, *candidates: Candidate, **how: Any) -> None:
        self.shard.offer([Offer(candidates, **how)])
        self.commit()

    def done(self, *errands: Errand, **outcome: Any) -> list[Settled]:
        state = outcome.pop("state", UrlState.DONE)
        return self.shard.settle([Outcome(errand=errand, state=state, **outcome) for errand in errands])

    def taken(self, limit: int = 100, **wishes: Any) -> list[str]:
        return [errand.candidate.url for errand in self.shard.take(limit, **wishes).errands]

    # offer and take

    def test_the_best_come_first_and_each_once(self) -> None:
        self.offer(*[at(url, price) for price, url in enumerate(HOSTS)])
        self.offer(*[at(url, 0.5) for url in HOSTS])
        assert self.taken(3) == HOSTS[:-4:-1]
        assert sorted(self.taken()) == HOSTS[:5]
        assert self.taken() == []
        assert self.shard.look().waiting == 0

    def test_what_is_found_again_on_a_better_page_moves_up_and_on_a_worse_one_stays(self) -> None:
        self.offer(at(A, 1.0), at(B, 2.0))
        self.offer(at(A, 3.0), at(B, 1.0))
        assert self.taken(1) == [A]
        assert self.shard.look(urls=[B]).urls[B].candidate.priority == (2.0,)

    def test_refusals_are_counted_and_a_better_way_brings_back_what_was_only_cut(self) -> None:
        self.again(scope=Scope(max_depth=1, exclude=("*private*",)))
        self.offer(at(A, depth=2), at(f"{A}private"))
        self.offer(at(B), reason=Reason.NOFOLLOW)
        look = self.shard.look(urls=[A, f"{A}private", B])
        assert look.refused == {"too-deep": 1, "out-of-scope": 1, "nofollow": 1}
        assert [look.urls[url].state for url in (A, f"{A}private", B)] == ["cut", "refused", "cut"]
        self.offer(at(A, depth=1), at(f"{A}private"), at(B))
        assert sorted(self.taken()) == [A, B]

    def test_what_an_earlier_crawl_is_done_with_is_known(self) -> None:
        self.offer(at(A), state=UrlState.DONE)
        self.offer(at(A), at(B))
        assert self.taken() == [B]
        assert self.shard.look(urls=[A]).urls[A].state is UrlState.DONE

    def test_nothing_below_the_least_price_is_given_out_and_it_is_said(self) -> None:
        self.offer(*[at(url, price) for price, url in enumerate(HOSTS)])
        taken = self.shard.take(100, least=(5.0,))
        assert [errand.candidate.url for errand in taken.errands] == HOSTS[:4:-1]
        assert (taken.withheld, taken.opens) == (5, None)
        assert self.shard.take(2, least=(5.0,)).withheld == 2
        self.done(*taken.errands)
        assert self.taken(least=(4.0,)) == [HOSTS[4]]
        taken = self.shard.take(100)
        assert (len(taken.errands), taken.withheld) == (4, 0)

    def test_withheld_or_resting_are_told_apart(self) -> None:
        self.again(manners=Manners(delay=10.0))
        self.offer(at(A, 5.0), at(f"{A}x", 5.0), at(B, 1.0))
        (errand,) = self.shard.take(100, least=(2.0,)).errands
        assert errand.candidate.url == A
        self.clock.time = 3.0
        self.done(errand)
        taken = self.shard.take(100, least=(2.0,))
        assert (taken.errands, taken.withheld, taken.opens) == ([], 1, 13.0)
        self.clock.time = 13.0
        assert self.taken(least=(2.0,)) == [f"{A}x"]

    def test_hosts_are_kept_busy_with_the_best_there_is(self) -> None:
        self.again(manners=Manners(delay=1.0))
        self.offer(*[at(f"{url}{page}", price) for price, url in enumerate(HOSTS) for page in "xy"])
        taken = self.shard.take(100, least=(9.0,), busy=1e-9)
        # Something is done even where nothing is worth it, but no more than that.
        first = taken.errands
        assert HOSTS[-1] in [url[: len(HOSTS[-1])] for url in map(_url, first)]
        assert taken.used > 0 < taken.idle
        assert self.shard.take(100, least=(9.0,), busy=1e-9).errands == []
        assert self.shard.take(100, least=(9.0,)).errands == []
        taken = self.shard.take(100, least=(9.0,), busy=0.5)
        assert taken.errands
        assert taken.used >= 0.5 * (taken.used + taken.idle)
        # Hosts that rest are in use.
        self.done(*first, *taken.errands)
        assert self.shard.take(100, least=(9.0,), busy=0.5).errands == []
        self.clock.time = 1.0
        again = self.shard.take(100, least=(9.0,), busy=0.5).errands
        assert sorted(map(_url, again)) == sorted(f"{url[:-1]}y" for url in map(_url, (*first, *taken.errands)))

    def test_hosts_that_fail_do_not_count_among_those_that_could_be_busy(self) -> None:
        self.again(manners=Manners(delay=1.0, backoff=60.0))
        self.offer(*[at(f"{url}{page}", 2.0 - page) for url in HOSTS for page in range(2)])
        taken = self.shard.take(100, least=(2.0,))
        assert len(taken.errands) == len(HOSTS)
        self.done(*taken.errands, state=UrlState.FAILED, reason=Reason.TIMEOUT)
        taken = self.shard.take(100, least=(2.0,), busy=0.5)
        assert (taken.errands, taken.used, taken.idle) == ([], 0, 0)
        assert taken.opens == 10.0
        self.clock.time = 60.0
        # None of them counts, and still they are not all left idle.
        assert self.shard.take(100, least=(9.0,), busy=0.5).errands

    def test_what_became_of_pages_at_each_price_can_be_seen(self) -> None:
        self.offer(*[at(url, price) for url, price in zip(HOSTS, (3.0, 3.01, 2.0, 1.0, 1.0), strict=False)])
        self.done(*self.shard.take(2).errands, pages=1, accepted=1)
        self.done(*self.shard.take(1).errands, pages=1)
        assert not self.shard.look().prices
        seen = self.shard.look(prices=True).prices
        assert [(price.lowest, price.fetched, price.accepted) for price in seen] == [(3.0, 2, 2), (2.0, 1, 0)]

    def test_a_host_that_gave_nothing_good_loses_against_others(self) -> None:
        self.again(standing=StandingRule(record=1.0))
        self.offer(*[at(f"{url}{page}", 1.0) for url in (B, A) for page in range(30)])
        assert self._given(20, {A: 1, B: 0})[A] >= 15
        # So it is after a kill.
        self.commit()
        self.again(standing=StandingRule(record=1.0))
        (errand,) = self.shard.take(1).errands
        assert _url(errand).startswith(A)

    def test_of_hosts_that_are_equally_good_the_one_that_gave_less_comes_first(self) -> None:
        self.again(standing=StandingRule(variety=0.5))
        self.offer(*[at(f"{A}{page}", 1.2) for page in range(20)], *[at(f"{B}{page}", 1.0) for page in range(20)])
        given = self._given(20, {A: 1, B: 1})
        assert abs(given[A] - given[B]) < 8

    def test_a_new_host_comes_first_until_it_is_asked_for_a_page(self) -> None:
        self.again(manners=Manners(delay=1.0), standing=StandingRule(discovery=1.0))
        third = HOSTS[2]
        self.offer(at(f"{A}1", 2.0), at(f"{A}2", 1.9), at(f"{B}1", 1.2), at(f"{B}2", 1.2), at(f"{third}1", 0.5))
        given = []
        for _ in range(5):
            (errand,) = self.shard.take(1).errands
            given.append(_url(errand))
            self.done(errand, pages=1, accepted=1)
            self.clock.time += 2.0
        assert given == [f"{A}1", f"{B}1", f"{A}2", f"{third}1", f"{B}2"]
        # What becomes of pages is recorded by what they are worth by themselves.
        assert [price.lowest for price in self.shard.look(prices=True).prices] == [2.0, 1.875, 1.1875, 0.5]

    def test_a_host_that_fails_is_new_no_more(self) -> None:
        self.again(manners=Manners(delay=1.0), standing=StandingRule(discovery=1.0))
        self.offer(at(f"{A}1", 1.2), at(f"{A}2", 1.2), at(f"{B}1", 0.5))
        (errand,) = self.shard.take(1).errands
        self.done(errand, state=UrlState.FAILED, reason=Reason.NOT_FOUND)
        self.clock.time += 2.0
        assert self.taken(1) == [f"{B}1"]

    def test_links_into_a_section_that_is_gone_wait_behind_others(self) -> None:
        self.again(prices="log-odds")
        self.offer(*[at(f"{A}images/{page}", 2.0) for page in range(9)], *[at(f"{A}wiki/{page}", 1.9) for page in "xy"])
        for _ in range(3):
            self.done(*self.shard.take(1).errands, state=UrlState.FAILED, reason=Reason.NOT_FOUND)
        given = []
        while errands := self.shard.take(1).errands:
            given.append(_url(errands[0]))
            self.done(*errands, pages=1)
        assert [url for url in given if "wiki" in url] == given[:2]
        # They are late, not lost.
        assert len(given) == 8

    def test_where_scores_mean_nothing_they_stay_as_they_are(self) -> None:
        self.again(prices="nothing")
        self.offer(*[at(f"{A}images/{page}", 2.0) for page in range(9)], at(f"{A}wiki/x", 1.9))
        for _ in range(9):
            (errand,) = self.shard.take(1).errands
            assert "images" in _url(errand)
            self.done(errand, state=UrlState.FAILED, reason=Reason.NOT_FOUND)

    def _given(self, pages: int, accepted: dict[str, int]) -> dict[str, int]:
        """Take pages one by one and return how many each host gave; all pages of a host are accepted, or none."""
        given = dict.fromkeys(accepted, 0)
        for _ in range(pages):
            (errand,) = self.shard.take(1).errands
            host = next(url for url in accepted if _url(errand).startswith(url))
            given[host] += 1
            self.done(errand, pages=1, accepted=accepted[host])
        return given

    def test_never_more_than_the_budget(self) -> None:
        self.offer(*map(at, HOSTS))
        assert self.taken(budget=0) == []
        assert len(self.taken(budget=3)) == 3
        assert len(self.taken(budget=None)) == 5

    def test_queues_take_turns_or_are_named(self) -> None:
        queues = ["x", "y", "x", "y", "x", "y"]
        self.offer(*[at(url, price, queue) for price, (url, queue) in enumerate(zip(HOSTS, queues, strict=False))])
        look = self.shard.look(queues=True, ready=9)
        assert look.queues == {"x": 3, "y": 3}
        assert sorted(look.ready) == [("x", (4.0,)), ("y", (5.0,))]
        assert self.taken(2, queues=["y", "x"]) == [HOSTS[5], HOSTS[3]]
        assert sorted(self.taken(2)) == sorted([HOSTS[1], HOSTS[4]])
        assert self.taken(queues=["y"]) == []
        assert sorted(self.taken()) == [HOSTS[0], HOSTS[2]]

    def test_comparable_queues_take_turns_only_while_their_best_are_about_as_good(self) -> None:
        self.again(manners=Manners(delay=10.0), within=3.0)
        self.offer(*[at(f"{A}{queue}{n}", price, queue) for queue, price in (("x", 1.0), ("y", 2.0)) for n in range(3)])
        self.offer(at(f"{A}start", 100.0, ""))
        taken = []
        for step in range(5):
            self.clock.time = 20.0 * step
            (errand,) = self.shard.take(100).errands
            taken.append(errand.candidate.url.removeprefix(A))
            self.done(errand)
        assert taken[0] == "start"
        assert "".join(one[0] for one in taken[1:]) in ("xyxy", "yxyx")

    def test_hosts_and_domains_are_asked_only_so_much_at_once(self) -> None:
        self.again(manners=Manners(per_host=2, per_domain=3))
        self.offer(*[at(f"http://{host}.one.test/{n}") for host in "abc" for n in range(4)])
        first = self.shard.take(100).errands
        assert len(first) == 3
        hosts = [errand.host for errand in first]
        assert max(map(hosts.count, hosts)) <= 2
        self.done(first[0])
        assert len(self.taken()) == 1

    # settle

    def test_a_passing_failure_waits_for_another_try_and_a_lasting_one_does_not(self) -> None:
        self.again(manners=Manners(retry=10.0, max_tries=2))
        self.offer(at(A), at(B))
        first, second = sorted(self.shard.take(2).errands, key=lambda errand: errand.candidate.url)
        passing = self.done(first, state=UrlState.FAILED, reason=Reason.READER_CRASHED)
        lasting = self.done(second, state=UrlState.FAILED, reason=Reason.NOT_FOUND)
        assert [settled.state for settled in passing + lasting] == [UrlState.WAITING, UrlState.FAILED]
        look = self.shard.look()
        assert (look.waiting, look.opens) == (1, 10.0)
        self.clock.time = 10.0
        (again,) = self.shard.take(9).errands
        assert again.tries == 1
        assert self.done(again, state=UrlState.FAILED, reason=Reason.READER_CRASHED)[0].state is UrlState.FAILED

    def test_what_is_given_back_waits_again_and_nobody_is_blamed(self) -> None:
        self.offer(at(A))
        for _ in range(9):
            (errand,) = self.shard.take(9).errands
            assert self.done(errand, state=UrlState.WAITING) == [Settled(state=UrlState.WAITING)]
        assert self.shard.look().refused == {}
        assert self.taken() == [A]

    def test_a_host_that_was_not_asked_need_not_rest_and_nothing_is_counted_for_it(self) -> None:
        self.again(manners=Manners(delay=10.0, quota=1))
        self.offer(*(Candidate(url=f"{A}{number}", priority=(1.0,)) for number in range(3)))
        for state in (UrlState.DONE, UrlState.REDIRECTED):
            (errand,) = self.shard.take(5).errands
            assert self.done(errand, state=state, asked=False) == [Settled(state=state)]
        assert self.shard.look(hosts=["h0.test"]).hosts == {"h0.test": (0, 0)}
        (errand,) = self.shard.take(5).errands
        self.done(errand, pages=1, new=1)
        self.commit()
        states = [row.state for row in self.shard.look(urls=[f"{A}{number}" for number in range(3)]).urls.values()]
        assert sorted(states) == [UrlState.DONE, UrlState.DONE, UrlState.REDIRECTED]

    def test_a_host_that_fails_is_left_and_its_urls_wait_for_the_next_run(self) -> None:
        self.again(manners=Manners(per_host=9, max_failures=3, backoff=0.0))
        self.offer(*[at(f"{A}{n}", n) for n in range(5)])
        self.done(*self.shard.take(3).errands, state=UrlState.FAILED, reason=Reason.TIMEOUT)
        look = self.shard.look()
        assert (look.aside, look.refused) == (3, {"host-bad": 3})
        assert self.taken() == []
        self.commit()
        self.clock.time = 1e4
        self.again()
        assert self.shard.look().waiting == 5

    def test_pages_are_counted_by_host_up_to_the_quota(self) -> None:
        self.again(manners=Manners(quota=3))
        self.offer(at(A), at(f"{A}x"), at(f"{A}y"))
        first, second = self.shard.take(2).errands
        self.done(first, pages=1, accepted=1)
        assert self.shard.look(hosts=["h0.test", "h1.test"]).hosts == {"h0.test": (1, 1), "h1.test": (0, 0)}
        self.done(second, pages=2, accepted=1)
        look = self.shard.look(hosts=["h0.test"])
        assert (look.hosts["h0.test"], look.refused) == ((3, 2), {"host-quota": 1})

    def test_robots_files_come_first_are_obeyed_and_tell_what_they_name(self) -> None:
        self.again(agent="thresher")
        self.offer(at(A), at(f"{A}private"))
        (robots,) = self.shard.take(9).errands
        assert robots.robots
        assert robots.candidate.url == f"{A}robots.txt"
        file = b"User-agent: *\nDisallow: /private\nContent-Usage: train-ai=n\nSitemap: http://h0.test/map.xml"
        assert self.done(robots, status=200, body=file)[0].sitemaps == ("http://h0.test/map.xml",)
        (errand,) = self.shard.take(9).errands
        assert errand.candidate.url == A
        assert self.shard.look().refused == {"robots-disallowed": 1}
        assert self.done(errand, pages=1)[0].usage == ("content-usage:train-ai=n",)
        self.commit()
        self.again()
        self.offer(at(f"{A}y"))
        taken = self.shard.take(9)
        assert [errand.candidate.url for errand in taken.errands] == [f"{A}y"]
        assert taken.sitemaps == ("http://h0.test/map.xml",)

    @pytest.mark.parametrize("max_tries", [1, 2, 5])
    def test_a_robots_file_is_asked_for_as_often_as_any_page(self, max_tries: int) -> None:
        manners = Manners(delay=0.0, backoff=0.0, max_failures=2000, max_tries=max_tries)
        self.again(agent="thresher", manners=manners)
        self.offer(at(A), at(f"{A}x"))
        asked = 0
        while errands := self.shard.take(9).errands:
            assert [errand.robots for errand in errands] == [True]
            self.done(*errands, state=UrlState.FAILED, status=503, reason=Reason.SERVER_ERROR)
            asked += 1
            assert asked <= max_tries
        assert asked == max_tries
        assert self.shard.look().waiting == 0

    def test_a_robots_file_that_comes_at_last_is_obeyed(self) -> None:
        self.again(agent="thresher", manners=Manners(delay=0.0, backoff=0.0, max_failures=9, max_tries=3))
        self.offer(at(A))
        for _ in range(2):
            self.done(*self.shard.take(9).errands, state=UrlState.FAILED, status=503, reason=Reason.SERVER_ERROR)
        (robots,) = self.shard.take(9).errands
        self.done(robots, status=200, body=b"")
        assert self.taken() == [A]

    def test_error_pages_in_disguise_are_told(self) -> None:
        self.again(traps=TrapLimits(missing_after=1))
        self.offer(at(A), at(f"{A}x"), at(f"{A}y"))
        (first, other) = self.shard.take(2).errands
        self.done(first, pages=1, new=1, digest=b"first")
        (probe,) = self.shard.take(9).errands
        assert probe.missing
        self.done(probe, digest=b"sorry")
        assert self.done(other, pages=1, new=1, digest=b"sorry") == [
            Settled(state=UrlState.FAILED, reason=Reason.SOFT_404)
        ]
        (last,) = self.shard.take(9).errands
        assert self.done(last, pages=1, new=1, digest=b"other")[0].state is UrlState.DONE

    def test_members_of_archives_are_entered_once(self) -> None:
        self.offer(at(f"{A}x.zip"), at(B))
        (archive,) = self.shard.take(1).errands
        inside = {"inside": {"archive": archive.candidate.url}}
        member = msgspec.convert(
            {"candidate": {"url": f"{A}x.zip!/a.txt", "priority": []}, "id": 7, "host": "h0.test", **inside}, Errand
        )
        spent = msgspec.structs.replace(member, id=8, candidate=at(f"{A}x.zip!/b.txt"))
        assert self.done(member, pages=1)[0].state is UrlState.DONE
        assert self.done(member, pages=1)[0].state is None
        assert self.done(spent, state=UrlState.CUT, reason=Reason.BUDGET_SPENT)[0].state is UrlState.CUT
        self.done(archive)
        assert self.shard.look(hosts=["h0.test"]).hosts["h0.test"] == (1, 0)

    # reprice and close

    def test_new_prices_move_what_waits(self) -> None:
        self.offer(at(A, 1.0), at(B, 2.0))
        assert self.shard.reprice([(A, (3.0,)), (B, (0.0,)), ("http://unknown.test/", (9.0,))]) == 2
        self.commit()
        self.again()
        assert self.taken() == [A, B]

    def test_a_closed_queue_is_empty_and_stays_so(self) -> None:
        self.offer(*[at(url, 1.0, "x") for url in HOSTS[:4]], at(HOSTS[4], 1.0, "y"))
        (errand,) = self.shard.take(1, queues=["x"]).errands
        assert self.shard.close("x") == 3
        assert self.shard.close("unknown") == 0
        self.offer(at(HOSTS[5], 1.0, "x"))
        self.done(errand, state=UrlState.WAITING)
        assert self.shard.look().refused == {"queue-closed": 5}
        self.commit()
        self.again()
        self.offer(at(HOSTS[6], 1.0, "x"), at(HOSTS[0], 1.0, "y"))
        assert sorted(self.taken()) == [HOSTS[0], HOSTS[4]]

    # drain, restore and look

    def test_what_was_taken_and_not_settled_waits_again_after_a_kill(self) -> None:
        self.offer(*[at(url, price) for price, url in enumerate(HOSTS)])
        gone, *lost = self.shard.take(4).errands
        self.done(gone)
        self.commit()
        stored = {waiting.id for waiting in self.store.urls.waiting(self.crawl)}
        assert stored >= {errand.id for errand in lost}
        self.again()
        assert self.shard.look().waiting == len(HOSTS) - 1
        assert [errand.candidate for errand in self.shard.take(3).errands] == [errand.candidate for errand in lost]

    def test_what_was_not_drained_is_lost_as_a_whole(self) -> None:
        self.offer(at(A))
        self.done(*self.shard.take(1).errands)
        self.shard.offer([Offer([at(B, parent=A)])])
        self.again()
        assert self.taken() == [A]

    def test_a_change_is_drained_once(self) -> None:
        self.offer(at(A))
        changes = self.shard.drain()
        assert (changes.urls, changes.moves, changes.prices) == ([], [], [])
        self.shard.reprice([(A, (7.0,))])
        assert [price.priority for price in self.shard.drain().prices] == [(7.0,)]

    def test_looking_changes_nothing(self) -> None:
        self.offer(*[at(url, price, "xy"[price % 2]) for price, url in enumerate(HOSTS)])
        for _ in range(3):
            look = self.shard.look(urls=[A], hosts=["h1.test"], queues=True, best=1, ahead=3, ready=2)
            assert len(look.ahead) == 3
            assert [candidate.url for candidate in sorted(look.best, key=lambda one: one.queue)] == HOSTS[6:]
        assert sorted(self.taken(2)) == HOSTS[6:]
        assert self.shard.look().waiting == 6


def at(url: str, price: float = 1.0, queue: str = "", **more: Any) -> Candidate:
    """Return a candidate."""
    return Candidate(url=url, priority=(float(price),), queue=queue, **more)
