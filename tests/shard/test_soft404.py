"""Soft 404s: one polite question per origin, and what follows from its answer."""

from itertools import pairwise
from typing import Any

import pytest

from tests.crawl.scripted import Bench, seeds
from thresher.crawl.clock import run_virtual
from thresher.reasons import Reason
from thresher.shard.rules import Manners, TrapLimits
from thresher.shard.soft404 import missing_url, resembles
from thresher.shard.traps import Traps
from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.records import Progress
from thresher.store.url_records import MissingPage
from thresher.web.urls import canonical, origin_of

A = "http://a.test/"
PROBE = missing_url("http://a.test")
KNOWN = MissingPage(origin="http://a.test", digest=b"gone", simhash=0xFFFF, words=60)


@pytest.mark.parametrize(
    ("digest", "simhash", "words", "expected"),
    [
        (b"gone", 0, 3, True),
        (b"other", 0xFFFF, 62, True),
        (b"other", 0xFFF8, 60, True),
        (b"other", 0xFFF0, 60, False),
        (b"other", 0xFFFF, 90, False),
        (b"other", 0xFFFF, 19, False),
        (b"", 0, 0, False),
    ],
)
def test_an_error_page_is_told_by_its_text(digest: bytes, simhash: int, words: int, expected: bool) -> None:
    page = MissingPage(origin="http://a.test", digest=digest, simhash=simhash, words=words)
    assert resembles(page, KNOWN) is expected


def test_wrong_addresses_are_made_on_purpose() -> None:
    first, other = missing_url("http://a.test:81"), missing_url("http://b.test")
    assert first != other
    assert canonical(first) == first
    assert origin_of(first) == "http://a.test:81"
    assert Traps().decide(first) is None


def crawl(bench: Bench, *start: str, **changes: Any) -> Progress:
    async def go() -> Progress:
        return await bench.engine(traps=TrapLimits(missing_after=3), **changes).run(seeds(*start))

    return run_virtual(go())


def chain(length: int) -> dict[str, Any]:
    """Return pages of which each links to the next; every text is another."""
    pages: dict[str, Any] = {A: [f"{A}0"]}
    return pages | {f"{A}{n}": [f"{A}{n + 1}", f"={n}"] for n in range(length - 1)} | {f"{A}{length - 1}": ["=last"]}


def test_one_question_after_a_few_pages_and_error_pages_are_none() -> None:
    web = chain(8)
    gone = ["=sorry", f"{A}trap"]
    web |= {PROBE: gone, f"{A}3": [f"{A}4", f"{A}x", f"{A}y", "=3"], f"{A}x": gone, f"{A}y": gone}
    bench = Bench(web, manners=Manners(per_host=1))
    progress = crawl(bench, A)
    asked = [url for _, url in bench.fetcher.asked]
    assert asked.count(PROBE) == 1
    assert asked.index(PROBE) == 3
    assert progress.errors == {"soft-404": 2}
    assert progress.pages == 9
    assert bench.reason(f"{A}x") == ("failed", Reason.SOFT_404)
    assert f"{A}trap" not in asked
    assert bench.store.documents.document(bench.id(f"{A}x")) is None


@pytest.mark.parametrize("answer", [404, Reason.TIMEOUT, "http://a.test/"])
def test_hosts_with_proper_errors_are_asked_once_and_blamed_for_nothing(answer: Any) -> None:
    bench = Bench(chain(8) | {PROBE: answer}, manners=Manners(per_host=1, max_failures=1))
    assert crawl(bench, A).pages == 9
    assert len(bench.fetcher.requests(PROBE)) == 1
    assert bench.store.hosts.hosts(1, ["a.test"])["a.test"].missing == (MissingPage(origin="http://a.test"),)


def test_the_question_is_as_polite_as_any_other() -> None:
    bench = Bench(chain(8), manners=Manners(delay=5.0), robots=True)
    crawl(bench, A)
    times = sorted(when for when, url in bench.fetcher.asked if not url.endswith("robots.txt"))
    assert min(b - a for a, b in pairwise(times)) >= 5
    assert len(bench.fetcher.requests(PROBE)) == 1
    forbidden = Bench(chain(8) | {f"{A}robots.txt": b"User-agent: *\nDisallow: /*.html$"}, robots=True)
    assert crawl(forbidden, A).pages == 9
    assert forbidden.fetcher.requests(PROBE) == []


def test_a_resumed_crawl_remembers_the_answer() -> None:
    from thresher.crawl.budget import Budget

    gone = ["=sorry"]
    web = chain(9) | {PROBE: gone, f"{A}7": [f"{A}8", f"{A}x", "=7"], f"{A}x": gone}
    bench = Bench(web, manners=Manners(per_host=1))
    crawl(bench, A, budget=Budget(pages=5))
    assert len(bench.fetcher.requests(PROBE)) == 1
    progress = crawl(bench)
    assert len(bench.fetcher.requests(PROBE)) == 1
    assert progress.errors == {"soft-404": 1}


def test_without_rules_about_traps_nobody_is_asked() -> None:
    bench = Bench(chain(8))

    async def go() -> Progress:
        return await bench.engine().run(seeds(A))

    run_virtual(go())
    assert bench.fetcher.requests(PROBE) == []


@pytest.mark.slow
def test_soft_errors_of_the_generated_web_are_not_stored() -> None:
    web = Web(WebParameters(pages=1500, hosts=40, seed=2))
    soft = {number for number, host in enumerate(web.hosts) if host.soft_404}
    assert soft
    found = simulate(web, overrides=["traps.missing_after=5"])
    wrong = [
        url
        for page, url in enumerate(web.urls)
        if int(web.pages.host[page]) in soft and int(web.pages.status[page]) in (404, 410)
    ]
    stored = set(found.store.documents.urls())
    assert found.progress.errors["soft-404"] >= 1
    # What came before the question could not be known.
    assert len(stored.intersection(wrong)) <= 5 * len(soft)
    good = [url for page, url in enumerate(web.urls) if int(web.pages.host[page]) in soft and url not in wrong]
    rows = found.store.urls
    from thresher.web.urls import url_id

    states = rows.rows(found.crawl.id, [url_id(url) for url in good]).values()
    assert not [row.candidate.url for row in states if row.reason is Reason.SOFT_404]
