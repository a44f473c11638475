"""The two phases of a focused crawl: learning near the training pages, and the harvest (Sizov, section 2.2)."""

from pathlib import Path
from typing import Final

from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.budget import Stop
from thresher.crawl.phases.harvest_rate import until
from thresher.crawl.phases.predecessor import Predecessor
from thresher.errors import InputError, command
from thresher.link_analysis import analyse_links
from thresher.models import newest_model
from thresher.plugins import same_kind
from thresher.runs.crawls import refuse_second, require_start_urls
from thresher.runs.plans import Harvest, Learn
from thresher.runs.preparation import Prepared, check, links_to, snapshot
from thresher.store.crawl_history import newest_of
from thresher.store.protocol import Store
from thresher.store.records import PHASES, PREDECESSOR, CrawlKind, CrawlRow
from thresher.train.archetype_choice import best_hubs

_SPENT: Final = (Stop.PAGES, Stop.TIME)


def learn(store: Store, plan: Learn, at: float) -> Prepared:
    """Return a learning crawl; raises InputError where the portal has not been trained."""
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
    return _begun(store, plan.portal, CrawlKind.LEARN, settings, overrides, at)


def harvest(store: Store, plan: Harvest, at: float) -> Prepared:
    """Return a harvest, which goes on where the learning crawl before it ended; raises InputError where untrained."""
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
    earlier = before.id if before is not None and before.kind is CrawlKind.LEARN else 0
    return _begun(store, plan.portal, CrawlKind.HARVEST, settings, overrides, at, earlier, plan.query)


def refuse_to_give_up_harvest(store: Store, portal: Path, query: str) -> None:
    """Raise UsageError where a harvest for a query would put an end to one that can go on.

    A harvest for another query has done its work when its budget is spent.
    """
    last = _last(store, CrawlKind.HARVEST)
    if last is not None and last.settings.get("query") and last.progress.stopped_because in _SPENT:
        return
    refuse_second(last, portal, "ask", query)


def predecessor_for(store: Store, crawl: int, strategy: str, settings: Settings) -> Predecessor | None:
    """Return what a harvest by a strategy takes over from a learning crawl, None for crawl 0."""
    if not crawl:
        return None
    chosen = settings.harvest
    hubs = best_hubs(analyse_links(store), chosen.hubs) if chosen.hubs else []
    before = store.crawls.get(crawl)
    same = before is not None and same_kind(before.strategy, strategy)
    return Predecessor(crawl, tuple(hubs), chosen.hub_links, same)


def _last(store: Store, kind: CrawlKind) -> CrawlRow | None:
    """Return the newest phase of a portal where it is of a kind, else None."""
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
    query: str = "",
) -> Prepared:
    urls = require_start_urls(store, portal)
    name, model = newest_model(portal, store)
    if not model:
        raise InputError(f"{portal} has not been trained.", f"Train it: {command('train', portal)}")
    strategy = settings.crawl.strategy
    check(settings, strategy, urls, [], model)
    kept = {**snapshot(settings, overrides, [], name), PREDECESSOR: earlier, "query": query}
    crawl = store.crawls.start(kind, strategy, kept, at)
    return Prepared(
        crawl,
        settings,
        urls,
        seeds=links_to(urls),
        before=predecessor_for(store, earlier, strategy, settings),
        model=model,
        trained_at=0 if kind is CrawlKind.HARVEST else None,
    )
