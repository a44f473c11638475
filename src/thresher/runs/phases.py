"""The two phases of a focused crawl: learning near the training pages, and the harvest (Sizov, section 2.2)."""

from pathlib import Path

from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.clock import DAY
from thresher.crawl.phases.harvest_rate import until
from thresher.crawl.phases.predecessor import Predecessor
from thresher.errors import InputError, command
from thresher.link_analysis import analyse_links
from thresher.models import newest_model
from thresher.plugins import same_kind
from thresher.runs.crawls import refuse_second, require_start_urls
from thresher.runs.path_learning import with_paths
from thresher.runs.plans import Harvest, Learn
from thresher.runs.preparation import Prepared, check, links_to, snapshot
from thresher.store.crawl_history import newest_of
from thresher.store.protocol import Store
from thresher.store.records import PHASES, PREDECESSOR, CrawlKind, CrawlRow, RunMark
from thresher.train.archetype_choice import best_hubs
from thresher.work_faults import Untrained


def learn(store: Store, plan: Learn, at: float) -> Prepared:
    """Return a learning crawl; raise InputError if the portal has not been trained."""
    chosen = load(plan.portal, plan.overrides).settings.learn
    overrides = [
        f"crawl.strategy={chosen.strategy}",
        f"crawl.pages={chosen.pages}",
        f"crawl.hours={chosen.hours!r}",
        f"crawl.scope={chosen.scope}",
        f"crawl.max_depth={chosen.max_depth}",
        *plan.overrides,
    ]
    settings = load(plan.portal, overrides).settings
    if not plan.fresh:
        refuse_second(_last(store, CrawlKind.LEARN), plan.portal, CrawlKind.LEARN)
    return _begun(store, plan.portal, CrawlKind.LEARN, settings, overrides, at, run=plan.run)


def harvest(store: Store, plan: Harvest, at: float) -> Prepared:
    """Return a harvest, which continues where the last learning crawl ended; raise InputError if untrained."""
    chosen = load(plan.portal, plan.overrides).settings.harvest
    overrides = [
        f"crawl.strategy={chosen.strategy}",
        f"crawl.pages={chosen.pages}",
        f"crawl.hours={chosen.hours!r}",
        "crawl.scope=web",
        "crawl.max_depth=-1",
        *plan.overrides,
    ]
    settings = load(plan.portal, overrides).settings
    until(settings.harvest.until)
    if not plan.fresh:
        refuse_second(_last(store, CrawlKind.HARVEST), plan.portal, CrawlKind.HARVEST)
    before = newest_of(store, CrawlKind.LEARN, CrawlKind.HARVEST)
    taken_over = before is not None and (before.kind is CrawlKind.LEARN or plan.from_hubs)
    earlier = before.id if before is not None and taken_over else 0
    return _begun(store, plan.portal, CrawlKind.HARVEST, settings, overrides, at, earlier, plan.run)


def predecessor_for(store: Store, crawl: int, strategy: str, settings: Settings, at: float) -> Predecessor | None:
    """Return what a harvest by a strategy takes over from a learning crawl at a wall time, or None for crawl 0."""
    if not crawl:
        return None
    chosen = settings.harvest
    hubs = best_hubs(analyse_links(store), chosen.hubs) if chosen.hubs else []
    before = store.crawls.get(crawl)
    same = before is not None and same_kind(before.strategy, strategy)
    return Predecessor(crawl, tuple(hubs), chosen.hub_links, same, since=at - settings.manners.fresh_days * DAY)


def _last(store: Store, kind: CrawlKind) -> CrawlRow | None:
    """Return the newest phase of a portal if it is of this kind, else None."""
    newest = newest_of(store, *PHASES)
    return newest if newest is not None and newest.kind is kind else None


def _begun(
    store: Store,
    portal: Path,
    kind: CrawlKind,
    settings: Settings,
    overrides: list[str],
    at: float,
    earlier: int = 0,
    run: RunMark | None = None,
) -> Prepared:
    urls = require_start_urls(store, portal)
    name, model = newest_model(portal, store)
    if not model:
        raise InputError(f"{portal} has not been trained.", f"Train it: {command('train', portal)}", Untrained())
    strategy = settings.crawl.strategy
    ready = with_paths(portal, strategy, settings)
    check(ready, strategy, urls, [], model)
    kept = {**snapshot(settings, overrides, [], name, run), PREDECESSOR: earlier}
    crawl = store.crawls.start(kind, strategy, kept, at)
    return Prepared(
        crawl,
        ready,
        urls,
        seeds=links_to(urls),
        before=predecessor_for(store, earlier, strategy, settings, at),
        model=model,
        trained_at=0 if kind is CrawlKind.HARVEST else None,
    )
