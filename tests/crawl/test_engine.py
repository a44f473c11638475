"""The engine over scripted answers: what it does with each, in virtual time."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.crawl.scripted import Bench, flaky, seeds
from thresher.crawl.budget import Budget, Stop
from thresher.crawl.clock import run_virtual
from thresher.crawl.writer import Writer
from thresher.errors import PluginError, PortalFull
from thresher.protocols import View
from thresher.reasons import Reason
from thresher.shard.rules import Manners, Scope
from thresher.site_types import SiteChanges
from thresher.store.records import Batch, CrawlState, Progress
from thresher.store.request_records import (
    AddUrl,
    ContinueCrawl,
    PauseCrawl,
    Reply,
    RequestResult,
    StopCrawl,
    UnknownCommand,
)
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Candidate, Failed, Reading


class Deciding(BreadthFirst):
    """A strategy that decides about sites only when it is asked what has changed."""

    def __init__(self) -> None:
        self.decided = 0

    def site_changes(self, view: View) -> SiteChanges:
        self.decided += 1
        return SiteChanges()

    def site_counts(self) -> tuple[int, ...]:
        return ()

    def recall(self, sites: Any, pages: Any) -> None:
        pass

    def state(self) -> dict[str, Any]:
        return {"decided": self.decided}

    def restore(self, state: dict[str, Any]) -> None:
        pass


A, B, C, D = (f"http://{name}.test/" for name in "abcd")


def crawl(bench: Bench, *start: str, **changes: Any) -> Progress:
    async def go() -> Progress:
        return await bench.engine(**changes).run(seeds(*start))

    return run_virtual(go())


def pages(bench: Bench) -> set[str]:
    return set(bench.store.documents.urls())


def test_the_saved_state_knows_what_is_committed_with_it() -> None:
    strategy = Deciding()
    bench = Bench({A: [B], B: []}, strategy=strategy)
    crawl(bench, A)
    assert bench.crawl is not None
    saved = bench.store.crawls.strategy_state(bench.crawl.id)
    assert saved is not None
    assert saved[0] == {"decided": strategy.decided}


def test_follows_links_until_nothing_is_left() -> None:
    bench = Bench({A: [B, C], B: [C, A], C: []})
    progress = crawl(bench, A)
    assert pages(bench) == {A, B, C}
    assert (progress.pages, progress.queued, progress.stopped_because) == (3, 0, Stop.EMPTY)
    assert progress.state is CrawlState.FINISHED
    assert len(bench.fetcher.asked) == 3


def test_page_budget_is_exact_and_resume_goes_on() -> None:
    web = {A: [f"http://h{n}.test/" for n in range(20)], **{f"http://h{n}.test/": [] for n in range(20)}}
    bench = Bench(web)
    first = crawl(bench, A, budget=Budget(pages=8))
    assert (first.pages, first.stopped_because, first.state) == (8, Stop.PAGES, CrawlState.STOPPED)
    second = crawl(bench)
    assert (second.pages, second.stopped_because) == (21, Stop.EMPTY)
    assert len(bench.fetcher.asked) == 21


def test_failures_do_not_count_against_the_budget() -> None:
    web = {A: [f"http://h{n}.test/" for n in range(30)], **{f"http://h{n}.test/": [] for n in range(10, 30)}}
    progress = crawl(Bench(web), A, budget=Budget(pages=15))
    assert progress.pages == 15


def test_time_budget_ends_the_run() -> None:
    bench = Bench({A: [A + "x"], A + "x": [A + "y"], A + "y": []}, manners=Manners(delay=50.0, max_delay=60.0))
    progress = crawl(bench, A, budget=Budget(seconds=60.0))
    assert (progress.pages, progress.stopped_because) == (2, Stop.TIME)
    assert progress.seconds == pytest.approx(60.0, abs=0.01)


def test_redirect_becomes_a_candidate_of_its_own() -> None:
    bench = Bench({A: B, B: C, C: [D], D: []})
    progress = crawl(bench, A)
    assert pages(bench) == {C, D}
    assert bench.reason(A) == ("redirected", None)
    assert progress.errors == {}
    row = bench.row(C)
    assert (row.candidate.hops, row.candidate.depth, row.candidate.parent) == (2, 0, B)


def test_redirect_loops_and_chains_end() -> None:
    loop = Bench({A: B, B: A})
    assert crawl(loop, A).stopped_because == Stop.EMPTY
    assert len(loop.fetcher.asked) == 2
    chain = Bench({f"http://a.test/{n}": f"http://a.test/{n + 1}" for n in range(100)})
    assert crawl(chain, "http://a.test/0").errors == {"too-many-redirects": 1}
    assert len(chain.fetcher.asked) == 26
    itself = Bench({A: A + "#again", B: "mailto:x@y"})
    assert crawl(itself, A, B).errors == {"bad-redirect": 2}


def test_passing_failure_is_tried_again_later_and_lasting_one_is_not() -> None:
    bench = Bench({A: flaky(2, []), B: 404, C: flaky(9, [])}, manners=Manners(max_failures=10, retry=10.0))
    progress = crawl(bench, A, B, C)
    assert pages(bench) == {A}
    assert progress.errors == {"not-found": 1, "server-error": 1}
    times = bench.fetcher.requests(A)
    assert len(times) == 3
    assert times[1] - times[0] >= 10
    assert times[2] - times[1] >= 20
    assert len(bench.fetcher.requests(C)) == 3
    assert bench.reason(C) == ("failed", "server-error")


def test_host_is_given_up_after_three_failures_in_a_row() -> None:
    urls = [f"http://a.test/{n}" for n in range(10)]
    bench = Bench({B: urls, **dict.fromkeys(urls, Reason.TIMEOUT)}, manners=Manners(per_host=1))
    progress = crawl(bench, B)
    assert len(bench.fetcher.asked) == 4
    assert progress.refused == {"host-bad": 10}
    assert progress.stopped_because == Stop.EMPTY
    # Its URLs are put aside for the next run.
    assert bench.reason(urls[9]) == ("waiting", "host-bad")
    assert progress.state is CrawlState.STOPPED
    for url in urls:
        bench.script[url] = []
    again = crawl(bench)
    assert again.pages == 11
    assert again.state is CrawlState.FINISHED


def test_one_bad_page_does_not_close_its_host() -> None:
    bench = Bench({A: flaky(99, []), B: [A + "x"], A + "x": []}, manners=Manners(retry=10.0))
    assert crawl(bench, A).errors == {"server-error": 1}
    bench = Bench({A: flaky(99, []), B: flaky(2, [A + "x"]), A + "x": []}, manners=Manners(retry=10.0))
    crawl(bench, A, B)
    assert A + "x" in pages(bench)


def test_closed_host_stays_closed_for_what_waited_when_the_crawl_was_stopped() -> None:
    web = {A: [A + str(n) for n in range(9)], **{A + str(n): [] for n in range(9)}}
    bench = Bench(web, manners=Manners(quota=4, per_host=1))
    crawl(bench, A, budget=Budget(pages=3))
    row = bench.store.hosts.hosts(1, ["a.test"])["a.test"]
    closed = replace(row, closed=Reason.HOST_QUOTA)
    bench.store.commit(Batch(crawl=1, at=0.0, hosts=[closed]))
    progress = crawl(bench)
    assert progress.stopped_because == Stop.EMPTY
    assert progress.refused == {"host-quota": 7}


def test_stored_robots_file_sets_the_delay_of_the_next_crawl_too() -> None:
    web = {A + "robots.txt": b"User-agent: *\nCrawl-delay: 7", A: [A + "x", A + "y"], A + "x": [], A + "y": []}
    bench = Bench(web, robots=True)
    crawl(bench, A)
    second = Bench(web, robots=True, store=bench.store)
    bench.store.crawls.start("crawl", "test", {}, 0.0)
    crawl(second, A, A + "x", A + "y")
    times = [when for when, _ in second.fetcher.asked]
    assert len(times) == 3
    assert all(later - earlier >= 7 for earlier, later in pairwise(times))


def test_a_slow_answer_is_waited_for_while_it_alone_can_say_whether_we_are_offline() -> None:
    dead = [f"http://dead{n}.test/" for n in range(9)]
    bench = Bench({A: [B], B: [], **dict.fromkeys(dead, Reason.DNS_FAILED)}, parallel=20)
    fetch = bench.fetcher.fetch

    async def slow(candidate: Candidate) -> Any:
        if candidate.url == A:
            await asyncio.sleep(30.0)
        return await fetch(candidate)

    bench.fetcher.fetch = slow  # type: ignore[method-assign]
    progress = crawl(bench, A, *dead, budget=Budget(pages=2))
    assert (progress.pages, progress.stopped_because) == (2, "pages")
    assert pages(bench) == {A, B}


def test_outage_of_our_own_line_blames_nobody() -> None:
    hosts = [f"http://h{n}.test/" for n in range(30)]
    down = {"now": False}
    web: dict[str, Any] = {
        A: hosts,
        **{f"{url}robots.txt": lambda number: Reason.CONNECT_FAILED if down["now"] else 404 for url in [A, *hosts]},
        **{url: lambda number: Reason.CONNECT_FAILED if down["now"] else [] for url in hosts},
    }
    bench = Bench(web, parallel=4, manners=Manners(backoff=1.0))

    async def go() -> Progress:
        engine = bench.engine()
        loop = asyncio.get_running_loop()
        loop.call_later(0.25, lambda: down.update(now=True))
        loop.call_later(120.0, lambda: down.update(now=False))
        return await engine.run(seeds(A))

    progress = run_virtual(go())
    assert progress.pages == 31
    assert progress.errors == {}
    asked = [when for when, _ in bench.fetcher.asked if 20 < when < 110]
    assert len(asked) <= 20


def test_dead_hosts_do_not_stop_a_crawl_whose_line_is_sound() -> None:
    dead = [f"http://d{n}.test/" for n in range(60)]
    alive = [f"{A}{n}" for n in range(10)]
    bench = Bench(
        {A: [*dead, *alive], **dict.fromkeys(dead, Reason.CONNECT_FAILED), **{url: [] for url in alive}},
        parallel=4,
        manners=Manners(backoff=1.0, max_tries=1),
    )
    progress = crawl(bench, A)
    assert progress.pages == 11
    assert progress.errors == {"connect-failed": 60}
    # Some witness is asked for every few dead hosts, and nothing waits for long.
    assert len(bench.fetcher.requests(f"{A}robots.txt")) <= 10
    assert progress.seconds < 30


def test_hosts_that_keep_silent_do_not_keep_the_others_waiting() -> None:
    silent = [f"http://s{n}.test/" for n in range(12)]
    bench = Bench({A: [*silent, A + "x"], A + "x": [A + "y"], A + "y": []}, parallel=4, manners=Manners(max_tries=1))

    async def wait(candidate: Candidate) -> Any:
        if candidate.url in silent:
            await asyncio.sleep(60)
            return Failed(url=candidate.url, reason=Reason.TIMEOUT, at=0.0, ip="192.0.2.1")
        return await bench.fetcher.fetch(candidate)

    class Slow:
        fetch = staticmethod(wait)

    progress = crawl(bench, A, fetcher=Slow())
    assert (progress.pages, progress.errors) == (3, {"timeout": 12})
    assert max(when for when, _ in bench.fetcher.asked) < 15


def test_retry_after_makes_the_whole_host_rest() -> None:
    bench = Bench({A: flaky(1, [], 503), A + "x": []}, manners=Manners(per_host=1))
    crawl(bench, A, A + "x")
    assert bench.fetcher.requests(A + "x")[0] >= 30


def test_never_more_at_once_than_allowed_and_never_too_early() -> None:
    urls = [f"http://{host}.x.test/{n}" for host in "abcdefgh" for n in range(6)]
    bench = Bench({D: urls, **{url: [] for url in urls}}, manners=Manners(per_host=2, per_domain=3))
    sums: list[int] = []

    class Watching(type(bench.fetcher)):  # type: ignore[misc]
        async def fetch(self, candidate: Candidate) -> Any:
            answer = await super().fetch(candidate)
            sums.append(sum(number for host, number in self.active.items() if host.endswith(".x.test")) + 1)
            return answer

    bench.fetcher = Watching(bench.script)
    crawl(bench, D)
    assert max(bench.fetcher.most_active.values()) == 2
    assert max(sums) == 3
    slow = Bench({A: [A + str(n) for n in range(5)], **{A + str(n): [] for n in range(5)}}, manners=Manners(delay=4.0))
    crawl(slow, A)
    times = [when for when, _ in slow.fetcher.asked]
    assert all(later - earlier >= 4.0 for earlier, later in pairwise(times))
    assert slow.fetcher.most_active == {"a.test": 1}


def test_robots_come_first_and_are_obeyed() -> None:
    rules = b"User-agent: *\nDisallow: /secret\nCrawl-delay: 7\n"
    web = {A + "robots.txt": rules, A: [A + "secret/x", A + "open"], A + "open": [], A + "secret/x": []}
    bench = Bench(web, robots=True)
    progress = crawl(bench, A)
    assert bench.fetcher.asked[0][1] == A + "robots.txt"
    assert bench.fetcher.requests(A + "robots.txt") == [0.0]
    assert pages(bench) == {A, A + "open"}
    assert progress.refused == {"robots-disallowed": 1}
    assert bench.reason(A + "secret/x") == ("refused", "robots-disallowed")
    assert bench.fetcher.requests(A)[0] >= 7
    assert bench.fetcher.requests(A + "open")[0] - bench.fetcher.requests(A)[0] >= 7


def test_robots_file_that_cannot_be_had_closes_the_host_after_three_tries() -> None:
    bench = Bench({A + "robots.txt": 500, A: [], B + "robots.txt": 404, B: []}, robots=True)
    progress = crawl(bench, A, B)
    assert pages(bench) == {B}
    assert len(bench.fetcher.requests(A + "robots.txt")) == 3
    assert progress.refused == {"robots-unreachable": 1}


def test_robots_file_may_be_redirected() -> None:
    bench = Bench({A + "robots.txt": B + "rules", B + "rules": b"User-agent: *\nDisallow: /", A: []}, robots=True)
    crawl(bench, A)
    assert bench.reason(A) == ("refused", "robots-disallowed")


def test_stored_robots_file_is_used_again() -> None:
    bench = Bench({A + "robots.txt": b"", A: [A + "x"], A + "x": []}, robots=True)
    crawl(bench, A, budget=Budget(pages=1))
    crawl(bench)
    assert len(bench.fetcher.requests(A + "robots.txt")) == 1
    assert pages(bench) == {A, A + "x"}


def test_forbidden_address_closes_the_host_at_once() -> None:
    bench = Bench({A: Reason.ADDRESS_FORBIDDEN, A + "x": Reason.ADDRESS_FORBIDDEN}, manners=Manners(per_host=1))
    progress = crawl(bench, A, A + "x")
    assert len(bench.fetcher.asked) == 1
    assert progress.refused == {"address-forbidden": 1}


def test_nofollow_and_noindex_are_obeyed() -> None:
    bench = Bench({A: ["!" + B, C], C: [D, "@nofollow"], D: ["@noindex", B + "x"], B + "x": []})
    progress = crawl(bench, A, D)
    assert pages(bench) == {A, C, B + "x"}
    assert bench.reason(B) == ("cut", "nofollow")
    assert progress.pages == 3
    assert progress.refused == {"nofollow": 1}


def test_nofollowed_url_comes_back_through_an_honest_link() -> None:
    bench = Bench({A: ["!" + B, C], C: [B], B: []})
    crawl(bench, A)
    assert pages(bench) == {A, B, C}


def test_scope_and_depth_are_kept_with_reasons() -> None:
    web = {A: [A + "1", B], A + "1": [A + "2"], A + "2": [A + "3"], A + "3": []}
    bench = Bench(web, scope=Scope(extent="hosts", homes=frozenset({"a.test"}), max_depth=2))
    progress = crawl(bench, A)
    assert pages(bench) == {A, A + "1", A + "2"}
    assert bench.reason(B) == ("refused", "out-of-scope")
    assert bench.reason(A + "3") == ("cut", "too-deep")
    assert progress.refused == {"out-of-scope": 1, "too-deep": 1}


def test_quota_closes_a_host() -> None:
    web = {A: [A + str(n) for n in range(9)], **{A + str(n): [] for n in range(9)}}
    bench = Bench(web, manners=Manners(quota=4, per_host=1))
    progress = crawl(bench, A)
    assert progress.pages == 4
    assert progress.refused == {"host-quota": 6}


def test_full_queue_cuts_and_counts() -> None:
    web = {A: [f"http://h{n}.test/" for n in range(50)]}
    bench = Bench(web, bound=10, bucket=5)
    progress = crawl(bench, A)
    assert progress.cut == 40
    assert len(bench.fetcher.asked) == 11


def test_engine_stops_when_told_and_keeps_what_arrived() -> None:
    bench = Bench({A: [A + str(n) for n in range(9)], **{A + str(n): [] for n in range(9)}}, manners=Manners(delay=5.0))

    async def go() -> Progress:
        engine = bench.engine()
        asyncio.get_running_loop().call_later(12.0, engine.stop)
        return await engine.run(seeds(A))

    progress = run_virtual(go())
    assert progress.stopped_because == Stop.INTERRUPTED
    assert progress.state is CrawlState.STOPPED
    assert progress.pages == 3
    assert crawl(bench).pages == 10
    assert len(bench.fetcher.asked) == 10


def test_url_found_again_on_a_better_page_moves_up() -> None:
    class Said:
        """Prices a link by its order in a list."""

        def __init__(self) -> None:
            self.prices = {B: 5.0, C: 4.0, D: 1.0}

        def read(self, page: Any, judgement: Any) -> list[Any]:
            return []

        def rank(self, reading: Reading, view: Any) -> list[Candidate]:
            bonus = 10.0 if reading.candidate.url == B else 0.0
            return [
                Candidate(
                    url=link.url,
                    priority=(self.prices.get(link.url, 0.0) + bonus,),
                    parent=reading.candidate.url or None,
                )
                for link in reading.links
            ]

    bench = Bench({A: [B, C, D], B: [D], C: [], D: []}, strategy=Said(), parallel=1)
    crawl(bench, A)
    assert [url for _, url in bench.fetcher.asked] == [A, B, D, C]
    row = bench.row(D)
    assert (row.candidate.parent, row.candidate.priority) == (B, (11.0,))


def test_abilities_of_a_strategy_are_used() -> None:
    class Able:
        """Notes what the engine asks of it."""

        def __init__(self) -> None:
            self.observed: list[str] = []
            self.reorders = 0
            self.restored: dict[str, Any] | None = None

        def read(self, page: Any, judgement: Any) -> list[Any]:
            return []

        def rank(self, reading: Reading, view: Any) -> list[Candidate]:
            return [Candidate(url=link.url, priority=(1.0,), queue=link.url[7]) for link in reading.links]

        def observe(self, candidate: Candidate, judgement: Any) -> None:
            self.observed.append(candidate.url)

        def reorder(self, view: Any) -> list[tuple[str, tuple[float, ...]]]:
            self.reorders += 1
            return [(D, (9.0,))]

        def choose(self, ready: list[str], view: Any) -> str:
            return max(ready)

        def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
            return new

        def state(self) -> dict[str, Any]:
            return {"observed": self.observed}

        def restore(self, state: dict[str, Any]) -> None:
            self.restored = state
            self.observed = list(state["observed"])

    first = Able()
    bench = Bench({A: [B, C, D], B: [], C: [B], D: []}, parallel=1, reorder_every=1)
    crawl(bench, A, strategy=first, budget=Budget(pages=3))
    assert [url for _, url in bench.fetcher.asked] == [A, D, C]
    assert first.observed == [A, D, C]
    assert first.reorders >= 2
    second = Able()
    crawl(bench, strategy=second)
    assert second.restored == {"observed": [A, D, C]}
    assert second.observed == [A, D, C, B]


def test_a_strategy_that_chooses_queues_waits_for_hosts_like_any_other() -> None:
    class Choosy:
        def __init__(self) -> None:
            self.shown: list[int] = []

        def read(self, page: Any, judgement: Any) -> list[Any]:
            return []

        def rank(self, reading: Reading, view: Any) -> list[Candidate]:
            return [Candidate(url=link.url, priority=(1.0,), queue=link.url) for link in reading.links]

        def choose(self, ready: list[str], view: Any) -> str:
            self.shown.append(len(ready))
            return max(ready)

    urls = [f"http://h{n}.test/{m}" for n in range(20) for m in range(2)]
    strategy = Choosy()
    bench = Bench({A: urls, **{url: [] for url in urls}}, strategy=strategy, manners=Manners(delay=5.0), parallel=50)
    assert crawl(bench, A, budget=Budget(pages=30)).pages == 30
    assert max(strategy.shown) <= 32
    assert crawl(bench).pages == 41
    times = [when for when, url in bench.fetcher.asked if url.startswith("http://h3.test/")]
    assert len(times) == 2


def test_wishes_of_other_processes_are_carried_out() -> None:
    bench = Bench({A: [], B: [], C: []}, poll=0.5)
    added = bench.store.requests.leave(AddUrl(url=B), 0.0)
    crawl(bench, A)
    assert pages(bench) == {A, B}
    assert bench.store.requests.open() == []
    assert bench.store.requests.replies([added.id]) == {added.id: Reply(RequestResult.DONE)}
    bench.store.requests.leave(StopCrawl(), 0.0)
    again = Bench({A: [C], C: []}, poll=0.5)
    again.store.requests.leave(PauseCrawl(), 0.0)

    async def go() -> Progress:
        engine = again.engine()
        loop = asyncio.get_running_loop()
        loop.call_later(100.0, lambda: again.store.requests.leave(ContinueCrawl(), 0.0))
        return await engine.run(seeds(A))

    progress = run_virtual(go())
    assert progress.pages == 2
    assert again.fetcher.requests(C)[0] >= 100.0


def test_wishes_that_cannot_be_carried_out_are_replied_to_and_logged() -> None:
    bench = Bench({A: []}, poll=0.5, scope=Scope(extent="host", homes=frozenset({"a.test"})))
    asked = [AddUrl(url="nonsense"), AddUrl(url=B), UnknownCommand(kind="dance", detail={"steps": 3})]
    ids = [bench.store.requests.leave(command, 0.0).id for command in asked]
    crawl(bench, A)
    assert pages(bench) == {A}
    assert bench.store.requests.open() == []
    assert list(bench.store.requests.replies(ids).values()) == [
        Reply(RequestResult.REFUSED, Reason.BAD_URL),
        Reply(RequestResult.REFUSED, Reason.OUT_OF_SCOPE),
        Reply(RequestResult.UNKNOWN),
    ]
    events = {entry.kind: entry.detail for entry in bench.store.log.entries()}
    assert events["add-url"] == {"url": B, "refused": "out-of-scope"}
    assert events["unknown-request"] == {"kind": "dance", "detail": {"steps": 3}}


def test_full_disk_pauses_and_room_lets_the_crawl_go_on_though_nothing_is_under_way() -> None:
    bench = Bench({A: [A + "x"], A + "x": []}, manners=Manners(delay=1.5), poll=0.5)
    shown: list[Progress] = []

    class FullFor(Writer):
        """A writer beside the loop whose disk is full for a while."""

        async def write(self, batch: Batch, on_full: Any) -> int:
            if batch.visits and asyncio.get_running_loop().time() < 30:
                on_full(PortalFull("No room.", "Make room."))
                await asyncio.sleep(30)
            return bench.store.commit(batch)

    writer = FullFor(bench.store, threaded=False)
    writer.threaded = True
    progress = crawl(bench, A, writer=writer, on_progress=shown.append)
    assert progress.pages == 2
    assert progress.stopped_because == Stop.EMPTY
    assert bench.fetcher.requests(A + "x")[0] > 30
    assert {seen.state for seen in shown if 2 < seen.seconds < 29} == {CrawlState.PAUSED}


def test_a_bug_in_a_strategy_is_not_swallowed() -> None:
    class Broken:
        def read(self, page: Any, judgement: Any) -> list[Any]:
            raise ZeroDivisionError

        def rank(self, reading: Reading, view: Any) -> list[Candidate]:
            return [Candidate(url=link.url, priority=(1.0,)) for link in reading.links]

    with pytest.raises(PluginError, match=r"failed to read http://a[.]test/: ZeroDivisionError"):
        crawl(Bench({A: []}, strategy=Broken()), A)


@pytest.mark.parametrize(
    ("priority", "memo"),
    [(1.0, ""), ((float("nan"),), ""), ((1.0, "high"), ""), ((1.0,), {"steps": 1}), ((1.0,), b"{}")],
    ids=["bare", "nan", "word", "unpacked memo", "memo in bytes"],
)
def test_a_priority_that_orders_nothing_and_a_memo_that_is_no_text_are_refused(priority: Any, memo: Any) -> None:
    class Wrong:
        def read(self, page: Any, judgement: Any) -> list[Any]:
            return []

        def rank(self, reading: Reading, view: Any) -> Any:
            return [Candidate(url=link.url, priority=priority, memo=memo) for link in reading.links]

    with pytest.raises(PluginError, match="returned an invalid candidate"):
        crawl(Bench({A: []}, strategy=Wrong()), A)


def test_memo_that_is_too_large_is_refused_in_a_sentence() -> None:
    class Chatty:
        def read(self, page: Any, judgement: Any) -> list[Any]:
            return []

        def rank(self, reading: Reading, view: Any) -> list[Candidate]:
            return [Candidate(url=link.url, priority=(1.0,), memo="ü" * 600) for link in reading.links]

    with pytest.raises(PluginError, match="more than 1024 bytes"):
        crawl(Bench({A: []}, strategy=Chatty()), A)


def test_crawl_ends_when_the_last_that_waited_is_refused_on_its_way_out() -> None:
    rules = b"User-agent: *\nDisallow: /x"
    bench = Bench({A + "robots.txt": rules, A: [A + "x"]}, manners=Manners(per_host=1), robots=True)
    progress = crawl(bench, A)
    assert (progress.pages, progress.stopped_because) == (1, Stop.EMPTY)
    assert progress.refused == {"robots-disallowed": 1}


@given(st.floats(0, 1e7), st.floats(0.01, 1e6))
def test_a_budget_of_time_is_spent_at_its_deadline_however_numbers_are_rounded(began: float, seconds: float) -> None:
    assert Budget(seconds=seconds).spent(0, (began + seconds) - began) is Stop.TIME
    assert Budget(seconds=seconds).spent(0, 0.0) is None
