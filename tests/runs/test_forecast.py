"""How long polite fetching will take: hosts rest between requests as long as they ask to."""

from thresher.config.load import load
from thresher.runs.forecast import delays_of, seconds_for
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch
from thresher.store.url_records import RobotsRow

MANNERS = load(overrides=["manners.delay=1.0", "manners.max_delay=90.0"]).settings.manners
PAGES = ["http://slow.test/1", "http://slow.test/2", "http://usual.test/", "http://unknown.test/"]


def knowing(**delays: str) -> MemoryStore:
    store = MemoryStore()
    rows = [
        RobotsRow(
            origin=f"http://{host}.test",
            at=0.0,
            expires=1e9,
            status=200,
            body=f"User-agent: *\nCrawl-delay: {delay}".encode(),
        )
        for host, delay in delays.items()
    ]
    crawl = store.crawls.start("crawl", "test", {}, 0.0).id
    store.commit(Batch(crawl=crawl, at=0.0, robots=rows))
    return store


def test_a_host_rests_as_long_as_it_asks_and_never_less_than_we_do() -> None:
    delays = delays_of(knowing(slow="60", usual="0.5"), PAGES, MANNERS)
    assert delays == {"slow.test": 60.0, "usual.test": 1.0, "unknown.test": 1.0}
    assert delays_of(knowing(slow="3600"), PAGES[:1], MANNERS) == {"slow.test": 90.0}


def test_the_slowest_host_decides_how_long_fetching_takes() -> None:
    assert seconds_for(knowing(slow="60", usual="0.5"), PAGES, MANNERS) == 2 * 61.0
    # The robots.txt of the unknown host has to be fetched first.
    assert seconds_for(knowing(usual="0"), PAGES[2:], MANNERS) == 2 * 2.0
