"""One run: a method crawls a web for the sites of a topic and is compared with the ground truth."""

import time
from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from thresher.bench.profile import bench_settings
from thresher.bench.sites.labelled_sites import LabelledSites, SeedSites
from thresher.bench.sites.page_crawler import PageCrawler
from thresher.bench.sites.sampling import examples
from thresher.build import make_engine
from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.plugins import make_strategy
from thresher.protocols import Strategy, Trains
from thresher.reading.analysis import PageAnalyser
from thresher.site_types import SiteRow, SiteState
from thresher.store.memory import MemoryStore
from thresher.store.records import CrawlKind
from thresher.strategies.websites.strategy import TEXT, Websites, page_classifier
from thresher.types import Link, ParsedPage

Examples: TypeAlias = list[tuple[ParsedPage, str | None]]

PAGE_CRAWLER: Final = "page-crawler"
HOME_PAGES: Final = "home-page"
BREADTH: Final = "breadth-first-sites"


class SiteRun(Struct, frozen=True):
    """The figures of a run.

    `pages_per_site` is the number of pages fetched per decided site, `pprs` that per relevant site found, and
    `one_page_share` the share of sites decided after one page.
    """

    web: str
    topic: str
    method: str
    seed: int
    precision: float
    recall: float
    f: float
    pages_per_site: float
    pprs: float
    one_page_share: float


class SiteTrial(Struct, frozen=True):
    """A run with its budget and results.

    `found` is the share of all relevant sites found, `curve` the number of relevant sites after every hundredth of the
    pages, and `cpu_ms` the CPU time per page; pages already parsed by another run are not parsed again.
    """

    run: SiteRun
    budget: int
    pages: int
    sites: int
    found: float
    curve: list[int]
    cpu_ms: float


def specification(method: str, web: LabelledSites) -> str:
    """Return the strategy that a method stands for."""
    if method == HOME_PAGES:
        return f"websites(unit={web.unit})"
    if method == BREADTH:
        return f"websites(edges=breadth;unit={web.unit})"
    name, bracket, rest = method.partition("(")
    return f"{name}(unit={web.unit}{';' + rest if bracket else ')'}"


def run_trial(
    web: LabelledSites, topic: str, method: str, seed: int, budget: int, taught: Examples | None = None
) -> SiteTrial:
    """Crawl a web with a method from the sites drawn by a seed, with a page budget, and evaluate the result.

    The home page baseline judges the sites that the default method reaches, each by its home page alone. `taught` holds
    the training pages, if they were read before.
    """
    start = web.start(topic, seed)
    taught = taught if taught is not None else examples(web, topic, start)
    settings = bench_settings([f"crawl.pages={budget}", "crawl.sitemaps=0"])
    strategy: Strategy = (
        PageCrawler(web.unit)  # type: ignore[arg-type]
        if method == PAGE_CRAWLER
        else make_strategy(specification(method, web), settings.strategy)
    )
    assert isinstance(strategy, Trains)
    strategy.fit(taught)
    began = time.process_time()
    rows, pages = crawled(web, settings, strategy, [*start.relevant, *start.listed])
    cpu = 1000 * (time.process_time() - began) / max(1, len(pages))
    if method == HOME_PAGES:
        rows = by_home_pages(web, topic, start, rows)
        pages = [row.home for row in rows]
    known = {site for home in (*start.relevant, *start.others) if (site := web.site(home)) is not None}
    return replace(judged(web, topic, method, seed, rows, pages, known, cpu), budget=budget)


def crawled(
    web: LabelledSites, settings: Settings, strategy: Strategy, starts: Sequence[str]
) -> tuple[list[SiteRow], list[str]]:
    """Crawl from home pages; return the decided sites, and the pages in the order they were fetched."""
    store = MemoryStore()

    async def crawl() -> int:
        clock = VirtualClock()
        row = store.crawls.start(CrawlKind.SITES, type(strategy).__name__, {}, clock.wall())
        engine = make_engine(
            store=store,
            crawl=row,
            settings=settings,
            fetcher=web.fetcher(clock),
            analyser=PageAnalyser(web.reader(), strategy, obey_nofollow=False),
            clock=clock,
            seeds=list(starts),
            threaded=False,
            strategy=strategy,
        )
        await engine.run([Link(url, "", 0, 0) for url in starts])
        return row.id

    crawl_id = run_virtual(crawl())
    rows = strategy.decided().sites if isinstance(strategy, PageCrawler) else store.sites.of_crawl(crawl_id)
    return rows, [entry.url for entry in store.log.entries() if entry.kind == "fetched" and entry.url]


def judged(
    web: LabelledSites,
    topic: str,
    method: str,
    seed: int,
    rows: Sequence[SiteRow],
    pages: Sequence[str],
    known: set[str],
    cpu_ms: float = 0.0,
) -> SiteTrial:
    """Return the figures of decided sites; the given sites do not count, but their pages do.

    A site that was decided under two names counts once; a second name among the relevant sites is an error.
    """
    relevant = web.relevant(topic) - known
    hits: dict[str, int] = {}
    wrong = missed = one_page = decided = 0
    for row in rows:
        site = web.site(row.home)
        if row.state in (SiteState.OPEN, SiteState.SAME) or site in known:
            continue
        decided += 1
        one_page += row.pages == 1
        if row.state is SiteState.RELEVANT:
            if site in relevant and site not in hits:
                hits[site] = row.found
            else:
                wrong += 1
        elif site in relevant:
            missed += 1
    right = len(hits)
    precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
    run = SiteRun(
        web=web.name,
        topic=topic,
        method=method,
        seed=seed,
        precision=round(precision, 4),
        recall=round(recall, 4),
        f=round(2 * precision * recall / max(1e-9, precision + recall), 4),
        pages_per_site=round(len(pages) / max(1, decided), 3),
        pprs=round(len(pages) / max(1, right), 3),
        one_page_share=round(one_page / max(1, decided), 4),
    )
    curve = [sum(found <= len(pages) * step / 100 for found in hits.values()) for step in range(1, 101)]
    share = round(right / max(1, len(relevant)), 4)
    return SiteTrial(run, len(pages), len(pages), decided, share, curve, round(cpu_ms, 3))


def by_home_pages(web: LabelledSites, topic: str, start: SeedSites, rows: Sequence[SiteRow]) -> list[SiteRow]:
    """Return the decided sites as judged by a classifier of home pages."""
    taught = examples(web, topic, start, 1)
    classifier = page_classifier(Websites().model).fit(taught)
    found: list[SiteRow] = []
    for row in rows:
        if row.state in (SiteState.RELEVANT, SiteState.IRRELEVANT):
            page = web.page(row.home)
            relevant = page is not None and len(page.terms) >= TEXT and classifier.confidences(page.terms)[0] > 0.5
            state = SiteState.RELEVANT if relevant else SiteState.IRRELEVANT
            found.append(replace(row, state=state, pages=1, found=len(found)))
    return found
