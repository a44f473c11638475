"""After a site has turned out to be relevant, the pages that probably link to other sites are read first."""

from msgspec import json

from tests.strategies.websites.handmade import BOATS, Crawled, examples, html, words
from thresher.plugins import make_strategy
from thresher.strategies.websites.link_kinds import LinkOrder
from thresher.strategies.websites.open_site import MOST_HUBS, Hub, OpenSite
from thresher.strategies.websites.site_queues import COLLECTING, SITES, PageLinks
from thresher.strategies.websites.strategy import Websites
from thresher.types import Candidate, Link


def fitted(specification: str = "websites(links=50)") -> Websites:
    made = make_strategy(specification)
    assert isinstance(made, Websites)
    return made.fit(examples())


def test_kinds_of_links_to_hubs_are_learned_apart_from_those_to_telling_pages() -> None:
    order = LinkOrder()
    for _ in range(30):
        order.learn_hub((1, 9), 8)
        order.learn_hub((2, 9), 0)
    assert order.hub_score((1, 9)) > 0 > order.hub_score((2, 9))
    assert order.score((1, 9)) == order.score((2, 9))
    again = LinkOrder()
    again.restore(json.decode(json.encode(order.state())))
    assert again.hub_score((1, 9)) == order.hub_score((1, 9))


def test_a_site_remembers_its_best_hubs_only_and_keeps_them_when_stopped() -> None:
    site = OpenSite(name="a.test", home="http://a.test/", evidence=[0.0, 0.0])
    for number in range(20):
        site.remember_hub(Hub(float(number % 7), f"http://a.test/{number % 10}", 1, (number,)))
    assert len(site.hubs) == MOST_HUBS
    assert len({hub.url for hub in site.hubs}) == MOST_HUBS
    scores = [hub.score for hub in site.hubs]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 6.0
    again = OpenSite(name="a.test", home="http://a.test/", evidence=[0.0, 0.0])
    again.restore(json.decode(json.encode(site.state())))
    assert again.hubs == site.hubs


def test_the_hubs_of_a_relevant_site_overtake_its_other_pages() -> None:
    strategy = fitted()
    queues, sites = strategy._queues, strategy.examined
    for _ in range(30):
        sites.kinds.learn_hub((1,), 9)
        sites.kinds.learn_hub((2,), 0)
    site = sites.enter("http://a.test/", 0, 7)
    assert site is not None
    home = Candidate(url="http://a.test/", priority=(1.0,), queue=SITES, depth=0)
    inner: list[tuple[tuple[int, ...], Link]] = [((2,), Link(f"http://a.test/{n}", "", 0, 0)) for n in range(6)]
    inner.append(((1,), Link("http://a.test/friends", "", 0, 0)))
    sites.judge(site, home.url, (0.6, 0.4), (), ())
    waiting = {one.url: one for one in queues.offers(site, home, (0.6, 0.4), PageLinks(inner, []))}
    assert all(one.priority < (COLLECTING,) for one in waiting.values())
    page = Candidate(url="http://a.test/0", priority=(1.0,), queue="a.test", depth=1)
    for _ in range(4):
        sites.judge(site, page.url, (0.99, 0.01), (), ())
    assert sites.is_collecting(site)
    assert "a.test" in sites.open
    again = list(queues.offers(site, page, (0.99, 0.01), PageLinks([], [])))
    merged = {one.url: queues.merge(waiting[one.url], one) for one in again}
    assert max(merged.values(), key=lambda one: one.priority).url == "http://a.test/friends"
    assert merged["http://a.test/friends"].priority > (COLLECTING,)


def test_a_crawl_finds_the_page_with_links_once_it_knows_where_such_pages_are() -> None:
    """Only the page of friends, the last of each site, leads to other sites; the start sites are small."""
    pages: dict[str, str] = {}
    for number in range(12):
        root = f"http://s{number}.test/"
        inner = [f"{root}boat{place}" for place in range(8 if number > 3 else 1)]
        pages |= {url: html(words(BOATS)) for url in inner}
        pages[root] = html(f"{words(BOATS)} yard{number}", *inner, f"{root}friends")
        friends = [f"http://s{number + step}.test/" for step in (1, 2, 3)]
        pages[f"{root}friends"] = html(words(BOATS), *friends)
    learned = Crawled(pages, [f"http://s{number}.test/" for number in range(4)], "websites(pages=9;links=4)")
    assert learned.sites["s11.test"] == "relevant"
    late = [url for url in learned.fetched() if url.startswith(("http://s8.", "http://s9.", "http://s10."))]
    assert sum(url.endswith("friends") for url in late) == 3
    assert len(late) < 3 * 9


def test_without_collecting_no_hubs_come_first() -> None:
    strategy = fitted("websites(collect=false;links=50)")
    site = strategy.examined.enter("http://a.test/", 0, 7)
    assert site is not None
    home = Candidate(url="http://a.test/", priority=(1.0,), queue=SITES, depth=0)
    links = PageLinks([((), Link("http://a.test/1", "", 0, 0))], [])
    for _ in range(5):
        strategy.examined.judge(site, home.url, (0.99, 0.01), (), ())
    found = list(strategy._queues.offers(site, home, (0.99, 0.01), links))
    assert site.hubs == []
    assert all(one.priority < (COLLECTING,) for one in found)
