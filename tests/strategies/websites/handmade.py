"""Small webs of sites written by hand, and crawls over them in memory."""

from collections.abc import Mapping, Sequence

from thresher.build import make_engine, make_reader
from thresher.config.load import load
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.plugins import make_strategy
from thresher.protocols import Clock
from thresher.reading.analysis import PageAnalyser
from thresher.reasons import Reason
from thresher.store.memory import MemoryStore
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow, Progress
from thresher.strategies.websites.strategy import Websites
from thresher.types import Answer, Candidate, Failed, Fetched, Link, ParsedPage, Redirected

BOATS = ["boat", "sail", "wind", "harbour", "rope", "anchor", "deck", "mast", "crew", "tide", "keel", "rudder", "hull"]
TAXES = ["tax", "law", "form", "office", "duty", "clerk", "stamp", "paper", "court", "rule", "fee", "report", "audit"]


def words(of: Sequence[str], number: int = 26) -> str:
    return " ".join(of[place % len(of)] for place in range(number))


def html(text: str, *links: str, title: str = "T") -> str:
    anchors = " ".join(f"<p><a href='{link}'>to {link.rpartition('/')[2] or 'home'}</a>" for link in links)
    return f"<html><title>{title}</title><body><p>{text} {anchors}</body></html>"


def examples() -> list[tuple[ParsedPage, str | None]]:
    def page(url: str, of: Sequence[str]) -> ParsedPage:
        return ParsedPage(url=url, title="", words=[], links=[], terms=dict.fromkeys(of, 2))

    boats: list[tuple[ParsedPage, str | None]] = [
        (page(f"http://b{n}.test/{k}", BOATS), "boats") for n in range(5) for k in "ab"
    ]
    return [*boats, *((page(f"http://t{n}.test/{k}", TAXES), None) for n in range(5) for k in "ab")]


class HandmadeWeb:
    """Answers from a dictionary: HTML, or a redirect where the value begins with `->`."""

    def __init__(self, pages: Mapping[str, str], clock: Clock) -> None:
        self._pages = pages
        self._clock = clock

    async def fetch(self, candidate: Candidate) -> Answer:
        url, at = candidate.url, self._clock.wall()
        body = self._pages.get(url)
        if body is None:
            return Failed(url=url, reason=Reason.NOT_FOUND, at=at, status=404)
        if body.startswith("->"):
            return Redirected(url=url, to=body[2:], status=301, at=at)
        data = body.encode()
        return Fetched(url=url, status=200, headers=[], body=data, raw=data, mime="text/html", at=at)

    async def close(self) -> None:
        pass


class Crawled:
    """A crawl for sites, and what it came to."""

    def __init__(
        self,
        pages: Mapping[str, str],
        starts: Sequence[str],
        strategy: str = "websites",
        *,
        budget: int = 0,
        store: Store | None = None,
        crawl: CrawlRow | None = None,
    ) -> None:
        self.store = store if store is not None else MemoryStore()
        fixed = ['reading.language="en"', "manners.robots=false", "manners.delay=0", "store.min_free_mb=0"]
        settings = load(overrides=[*fixed, f"crawl.pages={budget}", "crawl.sitemaps=0", "engine.parallel=4"]).settings
        made = make_strategy(strategy)
        assert isinstance(made, Websites)
        self.strategy = made.fit(examples())

        async def run() -> Progress:
            clock = VirtualClock()
            row = crawl or self.store.crawls.start(CrawlKind.SITES, strategy, {}, clock.wall())
            self.crawl = row
            engine = make_engine(
                store=self.store,
                crawl=row,
                settings=settings,
                fetcher=HandmadeWeb(pages, clock),
                analyser=PageAnalyser(make_reader(settings), made),
                clock=clock,
                seeds=list(starts),
                threaded=False,
                strategy=made,
            )
            return await engine.run([] if crawl else [Link(url, "", 0, 0) for url in starts])

        self.progress = run_virtual(run())

    @property
    def sites(self) -> dict[str, str]:
        """The state of every site."""
        return {row.site: row.state.value for row in self.store.sites.of_crawl(self.crawl.id)}

    def fetched(self) -> list[str]:
        """The pages in the order of fetching."""
        return [
            entry.url for entry in self.store.log.entries(0, self.crawl.id) if entry.kind == "fetched" and entry.url
        ]


def site(host: str, of: Sequence[str], *links: str, pages: int = 4) -> dict[str, str]:
    """A site with a home page and some others, all about the same."""
    inner = [f"http://{host}/p{number}.html" for number in range(1, pages)]
    found = {f"http://{host}/": html(f"{words(of)} {host}", *inner, *links)}
    return found | {url: html(f"{words(of)} {url}", f"http://{host}/", *links) for url in inner}
