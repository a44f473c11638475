"""A crawl for sites that goes on after it was stopped."""

import pytest
from msgspec import json

from tests.strategies.following import EmptyView, followed
from tests.strategies.websites.handmade import BOATS, Crawled, examples, site
from thresher.crawl.start import recall_sites
from thresher.plugins import make_strategy
from thresher.site_types import SitePageRow, SiteRow
from thresher.strategies.websites.site_links import USUAL
from thresher.strategies.websites.strategy import Websites
from thresher.types import ParsedPage


def fitted() -> Websites:
    made = make_strategy("websites")
    assert isinstance(made, Websites)
    return made.fit(examples())


class LaterView(EmptyView):
    """A view of a crawl that has fetched pages, with nothing left to fetch."""

    def pages(self) -> int:
        return 70


def test_open_sites_keep_their_links_depth_and_targets() -> None:
    targets = [f"http://t{number}.test/" for number in range(3)]
    pages = site("start.test", BOATS, "http://next.test/", pages=2) | site("next.test", BOATS, *targets, pages=9)
    run = Crawled(pages, ["http://start.test/"], "websites(links=1000)", budget=4)
    saved = run.store.crawls.strategy_state(run.crawl.id)
    assert saved is not None
    before = saved[0]["open"]["next.test"]
    assert before["depth"] == 1
    assert before["links"] > before["pages"]
    assert {"t0.test", "t1.test", "t2.test"} <= set(before["targets"])
    again = fitted()
    again.restore(json.decode(json.encode(saved[0])))
    recall_sites(again, run.store, run.crawl.id)
    assert again.state()["open"]["next.test"] == before


def test_pages_read_after_the_state_was_saved_count() -> None:
    strategy = fitted()
    row = SiteRow(site="a.test", home="http://a.test/", pages=3)
    told = [SitePageRow(site="a.test", number=number, url=f"http://a.test/{number}") for number in (1, 2, 3)]
    strategy.restore(strategy.state() | {"open": {"a.test": {"pages": 2, "links": 5.5, "depth": 2, "targets": {}}}})
    strategy.recall([row], {"a.test": told})
    found = strategy.state()["open"]["a.test"]
    assert (found["pages"], found["links"], found["depth"]) == (3, 6.5, 2)


def test_a_site_left_before_the_first_page_is_dated_by_the_pages_so_far() -> None:
    strategy = fitted()
    page = SitePageRow(site="a.test", number=1, url="http://a.test/", confidences=(0.99, 0.01))
    strategy.recall([SiteRow(site="a.test", home="http://a.test/", pages=1)], {"a.test": [page]})
    assert [row.found for row in strategy.site_changes(LaterView()).sites] == [70]


def test_what_an_exhausted_site_turned_out_to_be_reaches_its_targets() -> None:
    strategy = fitted()
    targets = {"t.test": ["http://t.test/", 0.9], "a.test": ["http://a.test/", 0.9]}
    state = {"a.test": {"pages": 3, "links": 5.5, "depth": 2, "targets": targets}}
    strategy.restore(strategy.state() | {"open": state})
    told = [
        SitePageRow(site="a.test", number=number, url=f"http://a.test/{number}", confidences=(0.99, 0.01))
        for number in (1, 2, 3)
    ]
    strategy.recall([SiteRow(site="a.test", home="http://a.test/", pages=3)], {"a.test": told})
    (row,) = strategy.site_changes(LaterView()).sites
    elsewhere = ParsedPage(url="http://b.test/", title="", words=[], links=[], terms=dict.fromkeys(BOATS, 2))
    (late,) = followed(strategy, elsewhere)
    assert (late.url, late.queue, late.depth) == ("http://t.test/", "", 3)
    weight = (0.9 + row.posterior) / 2
    assert late.priority == pytest.approx(((weight + 2 * USUAL) / 3,), abs=0.001)
    other = ParsedPage(url="http://c.test/", title="", words=[], links=[], terms=dict.fromkeys(BOATS, 2))
    assert followed(strategy, other) == []
