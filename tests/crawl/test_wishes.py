"""Wishes of pages and sites on their way into the repository, and what a crawl remembers of traps."""

from typing import Any

from tests.crawl.scripted import Bench, seeds
from thresher.crawl.budget import Budget
from thresher.crawl.clock import run_virtual
from thresher.reasons import Reason
from thresher.shard.rules import TrapLimits
from thresher.store.explain import explain
from thresher.store.explanation_data import explanation_data
from thresher.store.records import Progress

A = "http://a.test/"


def crawl(bench: Bench, *start: str, **changes: Any) -> Progress:
    async def go() -> Progress:
        return await bench.engine(**changes).run(seeds(*start))

    return run_virtual(go())


def test_wishes_of_page_and_site_are_stored_and_explained() -> None:
    robots = b"User-agent: *\nContent-Usage: /x train-ai=n\nContent-Signal: ai-train=no"
    bench = Bench(
        {f"{A}robots.txt": robots, A: [f"{A}x"], f"{A}x": ["%noai", "%tdm-reservation=1", "@nofollow"]}, robots=True
    )
    crawl(bench, A)
    page, home = (bench.store.documents.document(bench.id(url)) for url in (f"{A}x", A))
    assert page is not None
    assert home is not None
    assert page.opt_outs == ("content-signal:ai-train=no", "content-usage:train-ai=n", "noai", "tdm-reservation=1")
    assert home.opt_outs == ("content-signal:ai-train=no",)
    told = explain(bench.store, f"{A}x")
    assert told is not None
    assert explanation_data(told)["document"]["opt_outs"] == list(page.opt_outs)
    assert explanation_data(told)["document"]["robots"] == ["nofollow"]


def calendar(first: int, last: int) -> dict[str, Any]:
    def url(month: int) -> str:
        return f"{A}cal/{2000 + month // 12}/{month % 12 + 1:02}"

    return {url(month): [url(month + 1), f"={month}"] for month in range(first, last)}


def test_a_resumed_crawl_is_not_led_through_a_calendar_again() -> None:
    bench = Bench(calendar(0, 200))
    limits = TrapLimits(walked=24)
    start = f"{A}cal/2000/01"
    first = crawl(bench, start, traps=limits, budget=Budget(pages=18))
    second = crawl(bench, traps=limits)
    assert first.pages == 18
    # What was learnt since the memory was last written, at most an eighth of it, is learnt anew.
    assert 24 <= second.pages <= 28
    assert second.refused == {"trap-calendar": 1}


def test_a_host_without_anything_new_is_closed_across_runs_and_says_why() -> None:
    web = {f"{A}{n}": [f"{A}{n + 1}", "=same"] for n in range(100)}
    bench = Bench(web)
    limits = TrapLimits(patience=10, credit=1, missing_after=1000)
    crawl(bench, f"{A}0", traps=limits, budget=Budget(seconds=0.65))
    spent = bench.store.hosts.hosts(1, ["a.test"])["a.test"].spent
    assert 3 <= spent < 10
    progress = crawl(bench, traps=limits)
    assert progress.refused == {"host-yield": 1}
    assert bench.store.hosts.hosts(1, ["a.test"])["a.test"].closed is Reason.HOST_YIELD
    # The text that was met first is new, and is perhaps taken for new once more by the second run.
    assert len(bench.fetcher.asked) <= 10 + 3
