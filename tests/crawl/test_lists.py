"""Sitemaps and feeds as further sources of links: fetched like pages, bounded, and never mistaken for pages."""

from itertools import pairwise
from typing import Any

import pytest

from tests.crawl.scripted import Bench, seeds
from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget
from thresher.crawl.clock import run_virtual
from thresher.crawl.keeping import Keeper
from thresher.crawl.lists import LEVELS, Lists
from thresher.shard.rules import Manners, Scope
from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.site_lists import FEED, SITEMAP, publishes, site_list
from thresher.simweb.web import Web
from thresher.store.records import Progress
from thresher.web.sitemaps import read_sitemap

A, B = "http://a.test/", "http://b.test/"
MAP = A + "map.xml"
ROBOTS = {A + "robots.txt": f"User-agent: *\nDisallow: /no\nSitemap: {MAP}\nSitemap: map.xml".encode()}


def lines(*urls: str) -> bytes:
    return "\n".join(urls).encode()


def index(*urls: str) -> bytes:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>".encode()


def crawl(bench: Bench, *start: str, lists: Lists | None = None, **changes: Any) -> Progress:
    async def go() -> Progress:
        handler = Handler(lists=lists, keeper=Keeper(lists=lists))
        return await bench.engine(handler=handler, **changes).run(seeds(*start))

    return run_virtual(go())


def asked(bench: Bench) -> list[str]:
    return [url for _, url in bench.fetcher.asked]


def pages(bench: Bench) -> set[str]:
    return set(bench.store.documents.urls())


def test_without_the_setting_nobody_asks_for_a_sitemap() -> None:
    bench = Bench({**ROBOTS, A: [f"~{A}feed"], MAP: lines(A + "x"), A + "x": []}, robots=True)
    crawl(bench, A)
    assert asked(bench) == [A + "robots.txt", A]


def test_what_a_sitemap_lists_is_fetched_and_the_sitemap_is_no_page() -> None:
    bench = Bench({**ROBOTS, A: [], MAP: lines(A + "x", B, A + "no"), A + "x": [], B: []}, robots=True)
    progress = crawl(bench, A, lists=Lists(100))
    assert pages(bench) == {A, A + "x", B}
    assert progress.pages == 3
    assert progress.refused == {"robots-disallowed": 1}
    assert bench.reason(MAP) == ("done", None)
    assert asked(bench).count(MAP) == 1
    row = bench.row(A + "x")
    assert (row.candidate.parent, row.candidate.lists) == (MAP, 0)


def test_a_stored_robots_file_names_its_sitemaps_too() -> None:
    script = {**ROBOTS, A: [], MAP: lines(A + "x"), A + "x": []}
    first = Bench(script, robots=True)
    crawl(first, A)
    row = first.store.crawls.start("crawl", "test", {}, 0.0)
    second = Bench(script, robots=True, store=first.store)
    crawl(second, A, lists=Lists(100), crawl=row)
    assert A + "robots.txt" not in asked(second)
    assert A + "x" in asked(second)


def test_robots_scope_and_politeness_hold_for_lists() -> None:
    robots = f"User-agent: *\nCrawl-delay: 5\nDisallow: /no\nSitemap: {A}no.xml\nSitemap: {B}map.xml\nSitemap: {MAP}"
    bench = Bench({A + "robots.txt": robots.encode(), A: [], MAP: lines(A + "x"), A + "x": []}, robots=True)
    crawl(bench, A, lists=Lists(100), scope=Scope(extent="hosts", homes=frozenset({"a.test"})))
    assert A + "no.xml" not in asked(bench)
    assert B + "map.xml" not in asked(bench)
    assert A + "x" in asked(bench)
    times = sorted(when for when, url in bench.fetcher.asked if not url.endswith("robots.txt"))
    assert all(later - earlier >= 5.0 for earlier, later in pairwise(times))


def test_indexes_are_followed_so_deep_and_no_deeper() -> None:
    deep = [f"{A}level{level}" for level in range(LEVELS + 1)]
    script = {**ROBOTS, A: [], MAP: index(deep[1], MAP), A + "far": []}
    script |= {url: index(below, MAP, url) for url, below in zip(deep[1:], [*deep[2:], A + "far"], strict=True)}
    bench = Bench(script, robots=True)
    crawl(bench, A, lists=Lists(100))
    lists = [url for url in asked(bench) if url not in (A, A + "robots.txt")]
    assert lists == [MAP, *deep[1:LEVELS]]


def test_a_host_gives_so_many_addresses_and_files_and_no_more() -> None:
    maps = [f"{A}map{number}" for number in range(50)]
    script: dict[str, Any] = {**ROBOTS, A: [], MAP: index(*maps)}
    script |= {url: lines(*(f"{url}/{number}" for number in range(10))) for url in maps}
    bench = Bench(script, robots=True)
    crawl(bench, A, lists=Lists(25))
    assert sum("/map" in url and url.count("/") == 4 for url in asked(bench)) == 25
    bench = Bench(script, robots=True)
    crawl(bench, A, lists=Lists(10_000, files=8))
    assert sum(url in {*maps, MAP} for url in asked(bench)) == 8


def test_feeds_of_pages_are_read_once_however_many_pages_name_them() -> None:
    feed = A + "feed"
    rss = f"<rss><channel><item><link>{A}new</link></item></channel></rss>".encode()
    script = {A: [A + str(n) for n in range(9)], feed: rss, A + "new": []}
    script |= {A + str(n): [f"~{feed}"] for n in range(9)}
    bench = Bench(script)
    crawl(bench, A, lists=Lists(100, files=1))
    assert asked(bench).count(feed) == 1
    assert A + "new" in pages(bench)
    assert feed not in pages(bench)


def test_a_feed_that_is_not_to_be_followed_is_not() -> None:
    bench = Bench({A: [f"~{A}feed", "@nofollow"], A + "feed": lines(A + "x")})
    crawl(bench, A, lists=Lists(100))
    assert asked(bench) == [A]


def test_a_sitemap_stays_one_behind_a_redirect_a_link_and_a_stop() -> None:
    script = {**ROBOTS, A: [MAP], MAP: A + "moved.xml", A + "moved.xml": lines(A + "x"), A + "x": []}
    bench = Bench(script, robots=True, manners=Manners(per_host=1))
    stopped = crawl(bench, A, lists=Lists(100), budget=Budget(pages=1))
    assert stopped.pages == 1
    crawl(bench, lists=Lists(100))
    assert pages(bench) == {A, A + "x"}


@pytest.mark.parametrize(
    "body",
    [
        b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>http://a.test/&b;</loc></url></urlset>',
        b"<urlset>" + b"<a>" * 100_000,
        b"\x1f\x8b\x08 not gzip",
        b"",
        b"\0" * 1000,
    ],
    ids=["entities", "deep", "no-gzip", "empty", "zeros"],
)
def test_a_hostile_list_gives_nothing(body: bytes) -> None:
    bench = Bench({**ROBOTS, A: [], MAP: body}, robots=True)
    assert crawl(bench, A, lists=Lists(100)).pages == 1
    assert bench.reason(MAP) == ("done", None)


def test_on_the_generated_web_lists_lead_to_pages_that_no_link_nearby_leads_to() -> None:
    web = Web(WebParameters(pages=600, hosts=20, seed=4, profile="finite"))
    plain = simulate(web, overrides=["crawl.max_depth=1"])
    listed, again = (simulate(web, overrides=["crawl.max_depth=1", "crawl.sitemaps=1000"]) for _ in range(2))
    found, more = (set(run.store.documents.urls()) for run in (plain, listed))
    assert found < more
    assert listed.log() == again.log()
    asked = {entry.url for entry in listed.log() if entry.url}
    assert not {url for url in asked if url.endswith(".xml")} & more
    # A host that no link leads to is not found by its sitemap either: nobody has read its robots file.
    met = [host for host in web.hosts if publishes(host) and f"http://{host.name}/robots.txt" in asked]
    assert {f"http://{host.name}{SITEMAP}" for host in met} <= asked
    assert {f"http://{host.name}{FEED}" for host in met} & asked


def test_the_lists_of_the_generated_web_name_its_pages() -> None:
    web = Web(WebParameters(pages=600, hosts=20, seed=4, profile="finite"))
    for host in web.hosts:
        found = site_list(web, host, SITEMAP)
        assert (found is not None) is publishes(host)
        if found is None:
            continue
        top = read_sitemap(found[1], f"http://{host.name}{SITEMAP}")
        urls = [listed.url for listed in top.pages]
        for part in top.maps:
            body = site_list(web, host, part.url.removeprefix(f"http://{host.name}"))
            assert body is not None
            urls += [listed.url for listed in read_sitemap(body[1], part.url).pages]
        assert top.whole
        assert urls
        assert len(urls) == len(set(urls))
        assert all(web.page(url) is not None for url in urls)
