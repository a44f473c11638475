"""Focus on virtual time: a budget is spent on the best, whatever hosts are open."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawl.scripted import Bench, seeds
from thresher.crawl.budget import Budget
from thresher.crawl.clock import run_virtual
from thresher.crawl.focus import Before, Focus, as_good_as_sure, nearly_worthless
from thresher.reasons import Reason
from thresher.shard.rules import Manners
from thresher.shard.values import PriceClass
from thresher.store.records import Progress
from thresher.types import Answer, Candidate, Failed, Judgement, ParsedPage, Reading

START = "http://start.test/"
GOOD = [f"http://good.test/{number}" for number in range(40)]
POOR = [f"http://poor{host}.test/{number}" for host in range(12) for number in range(10)]


class ByHost:
    """Prices the pages of the good host high and all others low."""

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        return None

    def rank(self, reading: Reading[Any], view: Any) -> Iterable[Candidate]:
        for link in reading.links:
            yield Candidate(url=link.url, priority=(3.0 if "good" in link.url else -3.0,))


class ByAddress:
    """Accepts the pages of the good host."""

    def classify(self, page: ParsedPage) -> Judgement:
        good = "good" in page.url
        return Judgement(
            topic="Good" if good else None,
            confidence=1.0,
            probability=0.9 if good else 0.1,
            path=("Good",) if good else (),
            evidence=(),
            model="m",
        )


def crawled(budget: Budget, patience: float, before: Before | None = None) -> tuple[Bench, Progress]:
    web = {START: [*POOR, *GOOD], **{url: [] for url in (*GOOD, *POOR)}}
    bench = Bench(web, manners=Manners(delay=1.0), strategy=ByHost(), classifier=ByAddress())

    async def go() -> Progress:
        return await bench.engine(
            budget=budget, focus=lambda shard: Focus(shard, budget, patience=patience, before=before)
        ).run(seeds(START))

    return bench, run_virtual(go())


def good_pages(bench: Bench) -> int:
    return sum("good" in url for url in bench.store.documents.urls())


def test_with_a_budget_of_pages_hosts_with_nothing_good_are_left_alone() -> None:
    hurried, patient = (crawled(Budget(pages=30), patience) for patience in (1.0, 20.0))
    assert hurried[1].pages == patient[1].pages == 30
    assert good_pages(hurried[0]) < 8
    assert good_pages(patient[0]) >= 20
    assert patient[1].slower > 5 > hurried[1].slower


@pytest.mark.parametrize("patience", [2.0, 3.0, 6.0])
def test_patience_bounds_how_much_longer_a_crawl_takes(patience: float) -> None:
    _, hurried = crawled(Budget(pages=60), 1.0)
    bench, patient = crawled(Budget(pages=60), patience)
    assert hurried.seconds < patient.seconds <= 1.3 * patience * hurried.seconds
    assert good_pages(bench) > 60 / 13


def test_hosts_that_hang_do_not_hold_up_the_last_pages_of_a_budget() -> None:
    stuck = [f"http://stuck{number}.test/" for number in range(3)]
    web = {START: [*stuck, *POOR], **{url: [] for url in (*stuck, *POOR)}}
    budget = Budget(pages=20)
    bench = Bench(web, manners=Manners(delay=1.0), strategy=ByHost(), classifier=ByAddress())
    answered = bench.fetcher.fetch

    async def fetch(candidate: Candidate) -> Answer:
        if "stuck" in candidate.url:
            await asyncio.sleep(500.0)
            return Failed(url=candidate.url, reason=Reason.TIMEOUT, at=0.0)
        return await answered(candidate)

    bench.fetcher.fetch = fetch  # type: ignore[method-assign]

    async def go() -> Progress:
        return await bench.engine(budget=budget, focus=lambda shard: Focus(shard, budget, patience=4.0)).run(
            seeds(START)
        )

    progress = run_virtual(go())
    assert progress.pages == 20
    assert progress.seconds < 100


def test_time_that_earlier_crawls_took_is_gone() -> None:
    budget = Budget(pages=60)
    _, hurried = crawled(budget, 1.0)
    _, alone = crawled(budget, 6.0)
    _, after = crawled(budget, 6.0, Before(pages=10, seconds=2.0 * hurried.seconds))
    assert hurried.seconds < after.seconds < alone.seconds


def test_half_of_its_own_time_is_left_to_a_crawl_however_long_earlier_ones_took() -> None:
    budget = Budget(pages=60)
    half, after = crawled(budget, 3.0), crawled(budget, 6.0, Before(pages=10, seconds=1e6))
    assert after[1].seconds == pytest.approx(half[1].seconds, rel=0.2)
    assert good_pages(after[0]) == pytest.approx(good_pages(half[0]), rel=0.2)


def test_with_a_budget_of_time_all_but_the_worthless_is_taken() -> None:
    bench, _ = crawled(Budget(seconds=30.0), 3.0)
    assert good_pages(bench) >= 20
    # What nothing came of is found out and then left alone.
    poor = [when for when, url in bench.fetcher.asked if "poor" in url]
    assert len(poor) < 120
    assert max(poor) < 29


def test_without_a_budget_everything_is_fetched_at_once() -> None:
    _, progress = crawled(Budget(), 3.0)
    assert progress.pages == 1 + len(GOOD) + len(POOR)
    assert progress.withheld == 0
    assert progress.seconds < 60


CLASSES = st.lists(
    st.tuples(st.floats(-9, 9), st.integers(0, 30), st.integers(0, 30)).map(
        lambda drawn: PriceClass(drawn[0], max(drawn[1:]), min(drawn[1:]))
    ),
    unique_by=lambda found: found.lowest,
).map(lambda found: sorted(found, key=lambda one: -one.lowest))


@given(CLASSES)
def test_prices_from_the_sure_one_on_were_accepted_nearly_always(prices: list[PriceClass]) -> None:
    (least,) = as_good_as_sure(prices)
    above = [price for price in prices if price.lowest >= least]
    assert sum(price.accepted for price in above) >= 0.9 * sum(price.fetched for price in above)


@given(CLASSES, st.floats(0.01, 0.5))
def test_prices_below_the_worthless_one_were_hardly_ever_accepted(prices: list[PriceClass], worth: float) -> None:
    floor = nearly_worthless(prices, worth)
    if floor is not None:
        below = [price for price in prices if price.lowest < floor[0]]
        assert sum(price.accepted for price in below) < worth * (sum(price.fetched for price in below) + 2)
