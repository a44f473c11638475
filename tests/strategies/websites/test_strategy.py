"""Crawls for whole sites over webs written by hand."""

import pytest

from tests.strategies.following import EmptyView
from tests.strategies.websites.handmade import BOATS, TAXES, Crawled, examples, html, site, words
from thresher.errors import PluginError
from thresher.plugins import make_strategy
from thresher.site_types import SiteEnd
from thresher.types import Candidate, ParsedPage

START = "http://start.test/"


def web(*sites: dict[str, str]) -> dict[str, str]:
    return {url: body for one in sites for url, body in one.items()}


def test_sites_are_told_apart_and_few_pages_are_read_of_each() -> None:
    friends = [f"http://s{number}.test/" for number in range(6)]
    pages = web(
        site("start.test", BOATS, *friends),
        *(site(f"s{number}.test", TAXES if number % 2 else BOATS, pages=30) for number in range(6)),
    )
    run = Crawled(pages, [START])
    assert run.sites == {
        "start.test": "relevant",
        **{f"s{number}.test": "irrelevant" if number % 2 else "relevant" for number in range(6)},
    }
    rows = run.store.sites.of_crawl(run.crawl.id)
    assert all(1 <= row.pages <= 10 for row in rows)
    assert sum(row.pages for row in rows) == run.progress.pages < 60
    assert run.progress.sites == (7, 4, 0)
    told = run.store.sites.pages(run.crawl.id, "s0.test")
    assert [page.number for page in told] == list(range(1, len(told) + 1))
    assert told[-1].posterior == pytest.approx(next(row.posterior for row in rows if row.site == "s0.test"))


@pytest.mark.parametrize(
    "home",
    [
        "<frameset><frame src='menu.html'><frame src='main.html'></frameset>",
        html("", "main.html", title=""),
        html("Welcome", "main.html", "other.html"),
    ],
)
def test_a_home_page_that_says_nothing_is_not_judged(home: str) -> None:
    inside = {
        "http://bare.test/": home,
        "http://bare.test/menu.html": html("", "main.html"),
        "http://bare.test/main.html": html(words(BOATS), "p1.html", "p2.html"),
        "http://bare.test/p1.html": html(words(BOATS) + " one"),
        "http://bare.test/p2.html": html(words(BOATS) + " two"),
    }
    run = Crawled(web(site("start.test", BOATS, "http://bare.test/"), inside), [START])
    assert run.sites["bare.test"] == "relevant"
    assert run.store.sites.get(run.crawl.id, "bare.test").texts >= 2  # type: ignore[union-attr]


def test_one_site_under_several_names_counts_once() -> None:
    mirrored = site("moved.test", BOATS)
    copy = {url.replace("moved", "copy"): body for url, body in mirrored.items()}
    copy["http://copy.test/"] = mirrored["http://moved.test/"]
    pages = web(
        site(
            "start.test",
            BOATS,
            "http://www.moved.test/",
            "http://old.test/",
            "https://moved.test/",
            "http://copy.test/",
        ),
        mirrored,
        copy,
        {"http://www.moved.test/": "->http://moved.test/", "http://old.test/": "->http://moved.test/"},
        {"https://moved.test/": mirrored["http://moved.test/"]},
    )
    run = Crawled(pages, [START])
    states = sorted((name, state) for name, state in run.sites.items() if name != "start.test")
    assert [name for name, state in states if state == "relevant"] in (["moved.test"], ["copy.test"])
    assert {state for _, state in states} <= {"relevant", "same"}


def test_publishers_that_share_a_host_are_sites_of_their_own() -> None:
    users = {
        f"http://uni.test/~u{n}/{file}": html(
            words(BOATS if n < 2 else TAXES) + f" user {n} {file}", "b.html", "c.html"
        )
        for n in range(4)
        for file in ("", "b.html", "c.html")
    }
    shared = {
        f"http://pages.test/f{n}/{file}": html(words(BOATS if n < 3 else TAXES) + f" {n} {file}", "b.html", "c.html")
        for n in range(10)
        for file in ("", "b.html", "c.html")
    }
    links = [*(f"http://uni.test/~u{n}/" for n in range(4)), *(f"http://pages.test/f{n}/" for n in range(10))]
    run = Crawled(web(site("start.test", BOATS, *links), users, shared), [START])
    assert run.sites["uni.test/~u0"] == "relevant"
    assert run.sites["uni.test/~u3"] == "irrelevant"
    assert sum(run.sites.get(f"pages.test/f{n}") == "relevant" for n in range(3)) >= 2
    assert run.sites["pages.test/f9"] == "irrelevant"


def test_a_site_without_a_home_page_is_entered_where_it_was_linked() -> None:
    deep = {
        f"http://deep.test/p{n}.html": html(words(BOATS) + f" {n}", "p1.html", "p2.html", "p3.html") for n in range(4)
    }
    run = Crawled(web(site("start.test", BOATS, "http://deep.test/p1.html"), deep), [START])
    assert run.sites["deep.test"] == "relevant"


def test_a_trap_ends_at_the_page_limit() -> None:
    endless = {f"http://trap.test/d{n}.html": html("Next day", f"d{n + 1}.html") for n in range(100)}
    endless["http://trap.test/"] = html("Days", "d0.html")
    run = Crawled(web(site("start.test", BOATS, "http://trap.test/"), endless), [START], "websites(pages=9)")
    row = run.store.sites.get(run.crawl.id, "trap.test")
    assert row is not None
    assert (row.pages, row.texts, row.end, row.state) == (9, 0, SiteEnd.PAGE_LIMIT, "irrelevant")


def test_the_crawl_ends_when_enough_is_found() -> None:
    friends = [f"http://s{number}.test/" for number in range(20)]
    pages = web(site("start.test", BOATS, *friends), *(site(f"s{number}.test", BOATS) for number in range(20)))
    run = Crawled(pages, [START], "websites(want=5)")
    assert run.progress.stopped_because == "wanted"
    assert 5 <= list(run.sites.values()).count("relevant") <= 9


@pytest.mark.parametrize("budget", [1, 3, 8, 17, 25])
def test_stopped_and_resumed_it_ends_with_the_same_sites(budget: int) -> None:
    friends = [f"http://s{number}.test/" for number in range(12)]
    pages = web(
        site("start.test", BOATS, *friends),
        *(site(f"s{number}.test", TAXES if number % 3 else BOATS, pages=8) for number in range(12)),
    )
    whole = Crawled(pages, [START])
    first = Crawled(pages, [START], budget=budget)
    assert first.progress.pages == budget
    again = Crawled(pages, [START], store=first.store, crawl=first.store.crawls.get(first.crawl.id))
    assert again.sites == whole.sites
    fetched = again.fetched()
    assert len(fetched) == len(set(fetched))


def test_the_better_linked_sites_come_first() -> None:
    pages = web(
        site("start.test", BOATS, "http://good.test/", "http://bad.test/"),
        site("good.test", BOATS, "http://next.test/"),
        site("bad.test", TAXES, "http://last.test/"),
        site("next.test", BOATS),
        site("last.test", TAXES),
    )
    run = Crawled(pages, [START], "websites(at_once=1)")
    order = run.fetched()
    assert order.index("http://next.test/") < order.index("http://last.test/")


def test_without_examples_it_says_what_is_missing() -> None:
    strategy = make_strategy("websites")
    with pytest.raises(PluginError, match="learns from"):
        strategy.read(ParsedPage(url="http://a.test/", title="", words=[], links=[]), None)
    for wrong in ("edges=wide", "order=none", "unit=planet", "threshold=0.2", "model=oracle", "smoothing=-1"):
        with pytest.raises(PluginError):
            make_strategy(f"websites({wrong})")


def test_prices_are_accounted_for() -> None:
    strategy = make_strategy("websites(smoothing=0)").fit(examples())  # type: ignore[attr-defined]
    memo = '{"s":[[7,1.4,2,0.6]]}'
    ((name, value, part),) = strategy.account(Candidate(url="http://a.test/", priority=(0.65,), memo=memo))
    assert "combined weight of 1 site" in name
    assert value == part == pytest.approx(0.65)
    assert list(strategy.clear_queues(EmptyView())) == []
