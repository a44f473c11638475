"""Sampling the sites that teach a portal, broken off and taken up again."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.engine import Engine
from thresher.portals import create_portal
from thresher.protocols import Clock, Fetcher
from thresher.runs.sites import SAMPLED, SiteGoals, find_sites
from thresher.runs.training import Watch
from thresher.runs.world import World
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.site_plan import SiteWebParameters
from thresher.simweb.site_web import SiteWeb
from thresher.store.crawl_history import all_crawls
from thresher.store.records import CrawlKind, CrawlState, Progress
from thresher.store.repository import open_store
from thresher.taxonomy.from_bookmarks import from_bookmarks

FIXED = ["manners.delay=0", "manners.robots=false", "store.min_free_mb=0", "archive.enabled=false"]
WEB = SiteWeb(SiteWebParameters(sites=40, seed=2))


class Interruption:
    """Stops the crawls it watches after some pages."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.engine: Engine | None = None

    def progress(self, progress: Progress) -> None:
        if self.engine is not None and progress.pages >= self.pages:
            self.engine.stop()

    @contextmanager
    def crawling(self, last: bool) -> Iterator[Callable[[Engine], None]]:
        yield self.take
        self.engine = None

    def take(self, engine: Engine) -> None:
        self.engine = engine


def fetcher(_: Settings, clock: Clock) -> Fetcher:
    return SimFetcher(WEB, clock)


def make(portal: Path) -> Path:
    create_portal(portal, None, from_bookmarks(WEB.bookmarks(WEB.topics()[:1], number=1, others=1).encode()).taxonomy)
    (portal / "thresher.toml").open("a").write('[network.map]\n"*.test" = "127.0.0.1:9"\n')
    return portal


def search(portal: Path, watch: Watch | None = None) -> bool:
    """Look for sites with a small budget; return whether the search began."""
    world = World(clock=VirtualClock(), fetcher=fetcher, alone=True)
    return run_virtual(find_sites(portal, SiteGoals(pages=3), FIXED, watch, world=world)) is not None


def sampled(portal: Path) -> tuple[CrawlState, dict[str, set[str]]]:
    """Return the state of the only crawl that sampled sites, and the pages it has of each."""
    with closing(open_store(portal, read_only=True)) as store:
        (crawl,) = (crawl for crawl in all_crawls(store) if crawl.kind is CrawlKind.TRAIN)
        rows = {row.site: store.sites.pages(crawl.id, row.site) for row in store.sites.of_crawl(crawl.id)}
    assert all(len(pages) <= SAMPLED for pages in rows.values())
    return crawl.progress.state, {site: {page.url for page in pages} for site, pages in rows.items()}


def test_a_sampling_that_was_broken_off_is_completed_before_anything_is_learnt(tmp_path: Path) -> None:
    portal = make(tmp_path / "p")
    stop = Interruption(3)
    assert not search(portal, Watch(progress=stop.progress, crawling=stop.crawling))
    state, before = sampled(portal)
    assert state is CrawlState.STOPPED
    assert before
    assert search(portal)
    state, after = sampled(portal)
    assert state is CrawlState.FINISHED
    assert all(pages <= after[site] for site, pages in before.items())
    assert sum(map(len, after.values())) > sum(map(len, before.values())) + 5
