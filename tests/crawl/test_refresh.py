"""A refresh over scripted answers: what becomes of each known page, in virtual time."""

from typing import Any

import pytest

from tests.crawl.scripted import Bench, seeds
from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget, Stop
from thresher.crawl.clock import run_virtual
from thresher.crawl.duplicates import KnownTexts
from thresher.crawl.keeping import Keeper
from thresher.crawl.start import known_candidates
from thresher.reading.following import following
from thresher.reasons import Reason
from thresher.shard.rules import Manners
from thresher.store.page_records import DocumentRow
from thresher.store.records import CrawlKind, CrawlState, Progress
from thresher.store.stored_page import page_of
from thresher.web.urls import url_id

A, B, C, D, E = (f"http://{name}.test/" for name in "abcde")


def crawled(script: dict[str, Any], *start: str, **options: Any) -> Bench:
    """Return the bench of a finished crawl."""
    bench = Bench(script, **options)

    async def go() -> Progress:
        return await bench.engine().run(seeds(*start))

    assert run_virtual(go()).state is CrawlState.FINISHED
    return bench


def refresh(bench: Bench, *, limit: int = 0, resume: bool = False, **changes: Any) -> Progress:
    """Check what the bench's store has; pages are those of a refresh of its own."""
    bench.fetcher.asked.clear()
    known = [] if resume else known_candidates(bench.store, 1e12, limit)
    row = bench.store.crawls.get() if resume else bench.store.crawls.start(CrawlKind.REFRESH, "test", {}, 0.0)

    keeper = Keeper(follow=False, texts=KnownTexts(bench.store))

    async def go() -> Progress:
        return await bench.engine(crawl=row, handler=Handler(keeper=keeper), **changes).run([], known)

    return run_virtual(go())


def document(bench: Bench, url: str) -> DocumentRow:
    found = bench.store.documents.document(url_id(url))
    assert found is not None
    return found


def outcomes(bench: Bench, url: str) -> list[str]:
    return [visit.outcome for visit in bench.store.documents.visits(url_id(url))]


def test_each_page_becomes_what_the_server_says_of_it() -> None:
    script: dict[str, Any] = {A: [B, C, D, E, "#1"], B: ["=b"], C: ["=c", "#1"], D: ["=d"], E: ["=e"]}
    bench = crawled(script, A)
    script.update({C: ["=new", "#2", "http://f.test/"], D: 404, E: Reason.TIMEOUT})
    progress = refresh(bench, manners=Manners(max_tries=1))
    assert (progress.unchanged, progress.changed, progress.gone) == (2, 1, 1)
    assert (progress.pages, progress.errors) == (3, {"timeout": 1})
    assert outcomes(bench, A) == ["fetched", "unchanged"]
    assert outcomes(bench, B) == ["fetched", "fetched"]
    assert document(bench, C).text == "new"
    assert [link.target_url for link in document(bench, C).links] == ["http://f.test/"]
    assert "http://f.test/" not in [url for _, url in bench.fetcher.asked]
    assert [document(bench, url).gone is None for url in (A, B, C, D, E)] == [True, True, True, False, True]
    assert (document(bench, D).text, document(bench, E).text) == ("d", "e")


def test_a_page_with_the_same_text_is_not_written_again() -> None:
    bench = crawled({A: ["=a"]}, A)
    before = bench.store.log.last()
    assert refresh(bench).unchanged == 1
    assert list(bench.store.log.documents_since(before)) == []
    assert document(bench, A).gone is None


def test_the_tag_of_the_last_good_visit_is_sent() -> None:
    script: dict[str, Any] = {A: ["=a", "#1"]}
    bench = crawled(script, A)
    script[A] = ["=b", "#2"]
    assert refresh(bench).changed == 1
    assert refresh(bench).unchanged == 1
    assert outcomes(bench, A) == ["fetched", "fetched", "unchanged"]
    visits = bench.store.documents.visits(url_id(A))
    assert [visit.etag for visit in visits] == ["1", "2", "2"]
    assert visits[2].digest == visits[1].digest


def test_a_page_that_comes_back_is_there_again() -> None:
    script: dict[str, Any] = {A: ["=a", "#1"]}
    bench = crawled(script, A)
    script[A] = 404
    assert refresh(bench).gone == 1
    assert document(bench, A).gone is not None
    assert refresh(bench).gone == 1
    script[A] = ["=a", "#1"]
    progress = refresh(bench)
    assert (progress.changed, progress.gone) == (1, 0)
    assert document(bench, A).gone is None


def test_a_page_that_has_moved_is_followed_and_its_old_address_is_gone() -> None:
    script: dict[str, Any] = {A: [B], B: ["=b"]}
    bench = crawled(script, A)
    script.update({A: (301, C), B: (302, D), C: ["=c"], D: ["=d"]})
    progress = refresh(bench)
    assert (progress.pages, progress.changed, progress.gone) == (2, 0, 1)
    assert document(bench, C).text == "c"
    assert (document(bench, A).gone is None, document(bench, B).gone is None) == (False, True)


def test_a_page_that_asks_not_to_be_kept_any_more_is_gone() -> None:
    script: dict[str, Any] = {A: ["=a"]}
    bench = crawled(script, A)
    script[A] = ["=b", "@noindex"]
    progress = refresh(bench)
    assert (progress.pages, progress.gone) == (0, 1)
    assert document(bench, A).text == "a"
    assert document(bench, A).gone is not None


@pytest.mark.parametrize("now", [["=a", B, "@nofollow"], ["=a", "!" + B]], ids=["page", "link"])
def test_a_page_that_asks_for_something_new_is_stored_anew_though_it_says_the_same(now: list[str]) -> None:
    script: dict[str, Any] = {A: ["=a", B], B: ["=b"]}
    bench = crawled(script, A)
    script[A] = now
    assert refresh(bench).changed == 1
    found = page_of(document(bench, A))
    assert following(found).followed == []
    assert refresh(bench).unchanged == 2


def test_pages_visited_longest_ago_come_first_and_a_limit_takes_them() -> None:
    urls = [f"{A}{number}" for number in range(6)]
    bench = crawled({B: urls, **{url: [] for url in urls}}, B, manners=Manners(delay=1.0))
    first = [url for _, url in bench.fetcher.asked]
    refresh(bench)
    assert [url for _, url in bench.fetcher.asked] == first
    bench = crawled({B: urls, **{url: [] for url in urls}}, B, manners=Manners(delay=1.0))
    refresh(bench, limit=3)
    assert [url for _, url in bench.fetcher.asked] == first[:3]


def test_robots_are_asked_and_obeyed_again() -> None:
    script: dict[str, Any] = {A + "robots.txt": b"", A: [A + "x"], A + "x": []}
    bench = crawled(script, A, robots=True)
    script[A + "robots.txt"] = b"User-agent: *\nDisallow: /x"
    robots = bench.store.hosts.robots("http://a.test")
    assert robots is not None
    bench.store.hosts._tables.robots.clear()  # type: ignore[attr-defined]
    progress = refresh(bench)
    assert [url for _, url in bench.fetcher.asked] == [A + "robots.txt", A]
    assert progress.refused == {"robots-disallowed": 1}
    assert document(bench, A + "x").gone is None


def test_a_refresh_that_was_stopped_goes_on_with_the_copies_at_hand() -> None:
    urls = [f"http://h{number}.test/" for number in range(9)]
    script: dict[str, Any] = {A: ["=a", *urls], **{url: [f"#{url}", f"={url}"] for url in urls}}
    bench = crawled(script, A)
    stopped = refresh(bench, budget=Budget(pages=4), parallel=2)
    assert (stopped.stopped_because, stopped.pages) == (Stop.PAGES, 4)
    done = refresh(bench, resume=True)
    assert (done.pages, done.unchanged, done.state) == (10, 10, CrawlState.FINISHED)
    assert all(outcomes(bench, url) == ["fetched", "unchanged"] for url in urls)
