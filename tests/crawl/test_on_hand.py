"""What the portal has is not asked for again: pages, redirects and copies on hand, in virtual time."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from tests.crawl.phases.test_predecessor import ByWord
from tests.crawl.scripted import Bench, seeds
from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget, Stop
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.duplicates import KnownTexts
from thresher.crawl.keeping import Keeper
from thresher.crawl.on_hand import REUSED, PagesOnHand
from thresher.reasons import Reason
from thresher.shard.rules import Manners, Scope
from thresher.store.records import Batch, CrawlKind, Progress
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Candidate, Copy, Judgement, ParsedPage, Redirected
from thresher.web.urls import url_id

A, B, C, D, E = (f"http://{name}.test/" for name in "abcde")
LONG, PAUSE, SHORT = 1000.0, 100.0, 50.0
"""How long pages stay fresh, and the time between two crawls, in seconds."""


def twice(
    bench: Bench, *start: str, fresh: float = LONG, first: dict[str, Any] | None = None, **changes: Any
) -> Progress:
    """Crawl twice from the same start pages; return the progress of the second crawl, which has pages on hand."""

    async def go() -> Progress:
        for kind, options in ((CrawlKind.TRAIN, first or {}), (CrawlKind.HARVEST, changes)):
            bench.fetcher.asked.clear()
            row = bench.store.crawls.start(kind, "test", {}, VirtualClock().wall())
            on_hand = PagesOnHand(bench.store, VirtualClock(), fresh) if kind is CrawlKind.HARVEST else None
            handler = Handler(keeper=Keeper(texts=KnownTexts(bench.store)))
            progress = await bench.engine(crawl=row, handler=handler, on_hand=on_hand, **options).run(seeds(*start))
            await asyncio.sleep(PAUSE)
        return progress

    return run_virtual(go())


def asked(bench: Bench) -> list[str]:
    return [url for _, url in bench.fetcher.asked]


def outcomes(bench: Bench, url: str) -> list[str]:
    return [visit.outcome for visit in bench.store.documents.visits(url_id(url))]


def test_a_fresh_page_is_read_judged_and_followed_without_a_request() -> None:
    bench = Bench({A: [B, "=old"], B: [C, "=new"], C: ["=c"]}, parallel=1)
    progress = twice(bench, A, first={"budget": Budget(pages=2)}, classifier=ByWord("new"))
    assert asked(bench) == [C]
    assert (progress.pages, progress.reused) == (1, 2)
    assert outcomes(bench, A) == ["fetched"], "where nobody was asked there is no visit"
    assert [entry.url for entry in bench.store.log.entries() if entry.kind == REUSED] == [A, B]
    judged = [bench.store.documents.judgement(url_id(url)) for url in (A, B)]
    assert [found.topic for found in judged if found] == [None, "T"]


class Observant(BreadthFirst):
    """Remembers which pages it was shown."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def observe(self, candidate: Candidate, judgement: Judgement | None) -> None:
        self.seen.append(candidate.url)


def test_a_strategy_observes_pages_on_hand_and_does_so_again_when_the_crawl_goes_on() -> None:
    bench = Bench({A: [B, "=a"], B: [C, "=b"], C: [D, "=c"], D: ["=d"]}, parallel=1)
    first, second = Observant(), Observant()
    twice(bench, A, first={"budget": Budget(pages=2)}, strategy=first, budget=Budget(pages=1))
    assert first.seen == [A, B, C]

    async def go() -> Progress:
        return await bench.engine(crawl=bench.crawl, strategy=second).run()

    run_virtual(go())
    assert sorted(second.seen) == [A, B, C, D]
    assert second.seen[-1] == D


def test_pages_on_hand_use_up_no_budget() -> None:
    chain = {f"http://h{n}.test/": [f"http://h{n + 1}.test/", f"={n}"] for n in range(12)}
    bench = Bench(chain)
    progress = twice(bench, "http://h0.test/", first={"budget": Budget(pages=6)}, budget=Budget(pages=3))
    assert asked(bench) == [f"http://h{n}.test/" for n in (6, 7, 8)]
    assert (progress.pages, progress.reused, progress.stopped_because) == (3, 6, Stop.PAGES)


def test_a_redirect_leads_where_it_led_and_its_target_passes_every_check() -> None:
    script: dict[str, Any] = {A: [B, D, "=a"], B: C, C: ["=c"], D: E, E: ["=e"], "http://e.test/robots.txt": 404}
    for name in "abcd":
        script[f"http://{name}.test/robots.txt"] = b"User-agent: *\nDisallow: /" if name == "c" else 404
    bench = Bench(script, robots=True, parallel=1)
    near = Scope(extent="hosts", homes=frozenset({"a.test", "b.test", "d.test"}))
    progress = twice(bench, A, first={"scope": near})
    assert asked(bench)[-1] == E
    assert not {A, B, C, D} & set(asked(bench))
    assert (progress.pages, progress.refused) == (1, {"robots-disallowed": 1})
    assert bench.reason(C) == ("refused", "robots-disallowed")


def test_a_redirect_on_hand_is_not_asked_again() -> None:
    bench = Bench({A: B, B: C, C: ["=c"]}, parallel=1)
    progress = twice(bench, A)
    assert asked(bench) == []
    assert (progress.pages, progress.reused) == (0, 1)
    assert [bench.reason(url)[0] for url in (A, B, C)] == ["redirected", "redirected", "done"]
    assert outcomes(bench, A) == outcomes(bench, B) == ["redirected"]


def test_a_chain_of_redirects_on_hand_has_the_same_end() -> None:
    bench = Bench({A: B, B: C, C: D, D: ["=d"]}, parallel=1)
    progress = twice(bench, A)
    assert progress.reused == 1
    bench = Bench({A: B, B: C, C: D, D: ["=d"]}, parallel=1)

    async def go() -> Progress:
        await bench.engine().run(seeds(A))
        row = bench.store.crawls.start(CrawlKind.HARVEST, "test", {}, 0.0)
        on_hand = PagesOnHand(bench.store, VirtualClock(), LONG)
        return await bench.engine(crawl=row, on_hand=on_hand, handler=Handler(max_redirects=2)).run(seeds(A))

    assert run_virtual(go()).errors == {"too-many-redirects": 1}
    assert bench.reason(C) == ("failed", "too-many-redirects")


def test_an_older_page_is_asked_for_and_followed_whether_it_has_changed_or_not() -> None:
    bench = Bench({A: [B, "=a", "#1"], B: [C, "=b", "#1"], C: ["=c"], D: ["=d"]}, parallel=1)

    async def go() -> Progress:
        await bench.engine(budget=Budget(pages=2)).run(seeds(A))
        await asyncio.sleep(PAUSE)
        bench.fetcher.asked.clear()
        bench.fetcher.script[B] = [D, "=other", "#2"]
        row = bench.store.crawls.start(CrawlKind.HARVEST, "test", {}, VirtualClock().wall())
        on_hand = PagesOnHand(bench.store, VirtualClock(), SHORT)
        handler = Handler(keeper=Keeper(texts=KnownTexts(bench.store)))
        return await bench.engine(crawl=row, on_hand=on_hand, handler=handler, classifier=ByWord("a")).run(seeds(A))

    progress = run_virtual(go())
    assert asked(bench) == [A, B, D]
    assert (progress.pages, progress.unchanged, progress.changed, progress.reused) == (3, 1, 1, 0)
    assert outcomes(bench, A) == ["fetched", "unchanged"]
    assert progress.accepted == 1
    found = bench.store.documents.document(url_id(B))
    assert found is not None
    assert found.text == "other"


def test_what_was_not_kept_is_asked_for_again_and_what_repeats_a_page_of_its_host_is_not() -> None:
    again = f"{A}again"
    script = {A: [B, again, "=same"], B: [D, "@noindex", "=b"], again: [E, "=same"], D: ["=d"], E: ["=e"]}
    bench = Bench(script, parallel=1)
    progress = twice(bench, A, first={"scope": Scope(max_depth=1)})
    assert B in asked(bench), "its links are known to nobody"
    assert not {A, again} & set(asked(bench))
    assert D in asked(bench)
    assert progress.reused == 2


def test_a_splash_page_like_that_of_another_host_is_asked_for_again_and_followed() -> None:
    rooms = [f"{A}room", f"{B}room"]
    script = {A: [rooms[0], "=enter"], B: [rooms[1], "=enter"], rooms[0]: ["=one"], rooms[1]: ["=two"]}
    bench = Bench(script, parallel=1)
    twice(bench, A, B, first={"scope": Scope(max_depth=0)})
    assert asked(bench) == [B, *rooms]


@pytest.mark.parametrize("answer", [404, 500], ids=["missing", "failing"])
def test_what_failed_is_asked_for_again(answer: int) -> None:
    bench = Bench({A: [B, "=a"], B: lambda number: answer}, manners=Manners(max_tries=1))
    twice(bench, A)
    assert asked(bench) == [B]


def test_a_page_that_was_read_for_its_links_alone_is_asked_for_again() -> None:
    bench = Bench({A: ["=a"]})
    found: list[object] = []

    async def go() -> None:
        await bench.engine().run(seeds(A))
        on_hand = PagesOnHand(bench.store, VirtualClock(), LONG)
        found.append(on_hand.find(A))
        row = bench.store.documents.document(url_id(A))
        assert row is not None
        crawl = bench.store.crawls.get()
        assert crawl is not None
        bench.store.commit(Batch(crawl=crawl.id, at=1.0, documents=[replace(row, terms={}, text="")]))
        found.append(on_hand.find(A))

    run_virtual(go())
    assert isinstance(found[0], ParsedPage)
    assert found[1] is None


def test_what_is_found_says_how_it_may_be_used() -> None:
    again = f"{A}again"
    bench = Bench({A: [B, C, D, again, "=a", "#1"], B: E, C: 404, D: ["=a"], E: ["=e"], again: ["=a"]})
    found: dict[float, list[object]] = {}

    async def go() -> None:
        handler = Handler(keeper=Keeper(texts=KnownTexts(bench.store)))
        await bench.engine(handler=handler).run(seeds(A))
        await asyncio.sleep(PAUSE)
        for fresh in (LONG, SHORT):
            on_hand = PagesOnHand(bench.store, VirtualClock(), fresh)
            found[fresh] = [on_hand.find(url) for url in (A, B, C, again, D, "http://never.test/")]

    run_virtual(go())
    page, led, failed, repeated, elsewhere, never = found[LONG]
    assert isinstance(page, ParsedPage)
    assert isinstance(led, Redirected)
    assert isinstance(repeated, ParsedPage)
    assert (page.url, led.to, repeated.url) == (A, E, again)
    assert (failed, elsewhere, never) == (None, None, None)
    copy, *rest = found[SHORT]
    assert isinstance(copy, Copy)
    assert (copy.etag, copy.digest) == ("1", b"a")
    assert rest == [None] * 5


def test_a_host_that_was_not_asked_need_not_rest() -> None:
    pages = {f"{A}{n}": [f"{A}{n + 1}", f"={n}"] for n in range(8)}
    bench = Bench(pages, manners=Manners(delay=20.0))
    progress = twice(bench, f"{A}0", budget=Budget(pages=1))
    assert asked(bench) == [f"{A}8"], "the last of them leads to one that is missing"
    assert progress.reused == 8
    assert progress.seconds < 20.0


def test_robots_files_are_obeyed_for_pages_on_hand_too() -> None:
    bench = Bench({A: ["=a"], f"{A}robots.txt": 404}, robots=True)
    twice(bench, A)
    robots = bench.store.hosts.robots("http://a.test")
    assert robots is not None

    async def go() -> Progress:
        bench.fetcher.script[f"{A}robots.txt"] = b"User-agent: *\nDisallow: /"
        await asyncio.sleep(2 * 24 * 3600)
        row = bench.store.crawls.start(CrawlKind.HARVEST, "test", {}, VirtualClock().wall())
        on_hand = PagesOnHand(bench.store, VirtualClock(), 1e9)
        return await bench.engine(crawl=row, on_hand=on_hand).run(seeds(A))

    progress = run_virtual(go())
    assert (progress.pages, progress.reused) == (0, 0)
    assert bench.reason(A) == ("refused", Reason.ROBOTS_DISALLOWED.value)
