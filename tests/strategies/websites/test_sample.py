"""Sampling a site: breadth-first from its home page; the bookmarked page comes last if nothing leads to it."""

from tests.crawl.scripted import Bench, seeds
from thresher.crawl.clock import run_virtual
from thresher.strategies.websites.sample import SiteSample

HOME, ANN, BOATS = "http://a.test/", "http://a.test/ann/", "http://a.test/ann/boats"


def sampled(script: dict[str, list[str]], start: str, pages: int = 25) -> list[str]:
    bench = Bench(script, parallel=1)

    async def go() -> None:
        await bench.engine(strategy=SiteSample(pages)).run(seeds(start))

    run_virtual(go())
    return [url for _, url in bench.fetcher.asked]


def test_a_bookmarked_page_that_the_home_page_does_not_lead_to_is_sampled_too() -> None:
    script = {HOME: ["=many people have pages here"], ANN: [BOATS, "=ann"], BOATS: ["=boats"]}
    assert sampled(script, ANN) == [HOME, ANN, BOATS]


def test_the_bookmarked_page_comes_after_what_the_home_page_leads_to() -> None:
    script = {HOME: ["http://a.test/b", "=home"], "http://a.test/b": ["=b"], ANN: ["=ann"]}
    assert sampled(script, ANN) == [HOME, "http://a.test/b", ANN]
    assert sampled(script, ANN, pages=2) == [HOME, "http://a.test/b"]


def test_a_bookmarked_home_page_is_read_once() -> None:
    assert sampled({HOME: [ANN, "=home"], ANN: [HOME, "=ann"]}, HOME) == [HOME, ANN]
