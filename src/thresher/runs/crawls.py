"""Crawls without learning: a plain crawl, fetching for training, checking pages again."""

from pathlib import Path

from thresher.config.load import load
from thresher.crawl.budget import Stop
from thresher.crawl.clock import DAY
from thresher.crawl.start import known_candidates
from thresher.errors import InputError, UsageError, command
from thresher.models import newest_model
from thresher.runs.path_learning import with_paths
from thresher.runs.plans import NewCrawl, Refresh, SampleSites, SearchSites, TrainingFetch
from thresher.runs.preparation import Prepared, check, links_to, snapshot, start_urls
from thresher.store.crawl_history import resumable_crawl
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow, CrawlState
from thresher.work_faults import CrawlUnfinished, NoPages, NoStartPages

UNRANKED = "breadth-first"
"""The strategy of a crawl that has no links to score: the cheapest one."""


def start(store: Store, plan: NewCrawl, at: float) -> Prepared:
    """Return a crawl that starts at a wall time; raise UsageError if the last one can continue, unless `fresh`."""
    # A replay contacts no servers and needs no delays.
    overrides = [*(["manners.delay=0", "manners.max_delay=0"] if plan.replay else []), *plan.overrides]
    settings = load(plan.portal, overrides).settings
    if not plan.fresh:
        refuse_second(resumable_crawl(store), plan.portal, "crawl")
    urls = require_start_urls(store, plan.portal)
    replay = [str(Path(name).resolve()) for name in plan.replay]
    name, model = newest_model(plan.portal, store)
    ready = with_paths(plan.portal, settings.crawl.strategy, settings)
    check(ready, settings.crawl.strategy, urls, replay, model)
    kept = snapshot(settings, overrides, replay, name)
    crawl = store.crawls.start(CrawlKind.CRAWL, settings.crawl.strategy, kept, at)
    return Prepared(crawl, ready, urls, seeds=links_to(urls), replay=replay, model=model)


def refuse_second(last: CrawlRow | None, portal: Path, called: str) -> None:
    """Raise UsageError if a crawl can continue, with the commands to continue or abandon it."""
    if last is None or last.progress.state is CrawlState.FINISHED:
        return
    done = last.progress
    more = ("--pages", 2 * done.pages) if done.stopped_because == Stop.PAGES else ()
    raise UsageError(
        f"The last {last.kind} of {portal} is not finished: {done.pages} pages stored, {done.queued} URLs queued.",
        f"Continue: {command('resume', portal, *more)} - or start over: {command(called, portal, '--fresh')}",
        CrawlUnfinished(n=done.pages, waiting=done.queued),
    )


def require_start_urls(store: Store, portal: Path) -> list[str]:
    """Return the start pages of a portal; raise InputError if there are none."""
    urls = start_urls(store, portal)
    if not urls:
        raise InputError(
            f"{portal} has no start pages.",
            f"Add some: {command('topics', portal, 'add', 'TOPIC', 'URL')}"
            " - or create a portal: thresher new DIR --seeds FILE",
            NoStartPages(),
        )
    return urls


def fetch_for_training(store: Store, plan: TrainingFetch, at: float) -> Prepared:
    """Return a crawl that fetches pages for training."""
    overrides = [
        *plan.overrides,
        f"crawl.max_depth={plan.depth}",
        f"crawl.pages={plan.pages}",
        f"crawl.hours={plan.hours!r}",
        "crawl.scope=web",
        "crawl.sitemaps=0",
        "reading.text=true",
        # Training pages named by the user are fetched, whatever their address looks like.
        *([] if plan.depth else ["manners.traps=false"]),
    ]
    settings = load(plan.portal, overrides).settings
    check(settings, UNRANKED, [candidate.url for candidate in plan.candidates], [])
    crawl = store.crawls.start(CrawlKind.TRAIN, UNRANKED, snapshot(settings, overrides, [], "", plan.run), at)
    return Prepared(crawl, settings, [], known=plan.candidates)


def sample_sites(store: Store, plan: SampleSites, at: float) -> Prepared:
    """Return a crawl that fetches the first pages of sites."""
    overrides = [*plan.overrides, "crawl.scope=web", "crawl.max_depth=-1", "crawl.pages=0", "crawl.sitemaps=0"]
    settings = load(plan.portal, overrides).settings
    check(settings, plan.strategy, plan.urls, [])
    crawl = store.crawls.start(CrawlKind.TRAIN, plan.strategy, snapshot(settings, overrides, [], ""), at)
    return Prepared(crawl, settings, plan.urls, seeds=links_to(plan.urls))


def search_sites(store: Store, plan: SearchSites, at: float) -> Prepared:
    """Return a crawl for whole sites, starting from the user's sites."""
    overrides = [
        *plan.overrides,
        "crawl.scope=web",
        "crawl.max_depth=-1",
        "crawl.sitemaps=0",
        f"crawl.pages={plan.pages}",
        f"crawl.strategy={plan.strategy}",
    ]
    settings = load(plan.portal, overrides).settings
    urls = require_start_urls(store, plan.portal)
    model = model_path(plan.portal, plan.model)
    check(settings, plan.strategy, urls, [], model)
    crawl = store.crawls.start(CrawlKind.SITES, plan.strategy, snapshot(settings, overrides, [], plan.model), at)
    return Prepared(crawl, settings, urls, seeds=links_to(urls), model=model)


def refresh(store: Store, plan: Refresh, at: float) -> Prepared:
    """Return a crawl that rechecks stored pages."""
    if next(iter(store.documents.urls()), None) is None:
        raise InputError(
            f"{plan.portal} has no pages to check.", f"Crawl first: {command('crawl', plan.portal)}", NoPages()
        )
    chosen = {"before": at - plan.days * DAY, "limit": plan.pages}
    known = known_candidates(store, chosen["before"], plan.pages)
    overrides = [
        *plan.overrides,
        # All selected pages must fit into the queue, and known pages cannot be traps.
        f"frontier.bound={max(1, len(known))}",
        "manners.traps=false",
        "crawl.sitemaps=0",
        "crawl.pages=0",
        f"crawl.hours={plan.hours!r}",
    ]
    settings = load(plan.portal, overrides).settings
    name, model = newest_model(plan.portal, store)
    check(settings, UNRANKED, [candidate.url for candidate in known], [], model)
    kept = {**snapshot(settings, overrides, [], name), "refresh": chosen}
    crawl = store.crawls.start(CrawlKind.REFRESH, UNRANKED, kept, at)
    return Prepared(crawl, settings, start_urls(store, plan.portal), known=known, model=model)
